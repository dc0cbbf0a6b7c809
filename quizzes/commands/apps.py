"""The commands of `manage.py`."""

from django.apps import AppConfig


class CommandsConfig(AppConfig):
    """Commands of all apps; no models."""

    name = "quizzes.commands"
    label = "commands"
