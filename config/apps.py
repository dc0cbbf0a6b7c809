"""The set-up as an app, so that its commands are known."""

from django.apps import AppConfig


class SetupConfig(AppConfig):
    """Settings, probes and the commands that look at them; no models."""

    name = "config"
