"""The door for people."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """HTML view_models."""

    name = "quizzes.web"
    label = "web"
