"""The door for people."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """HTML pages."""

    name = "quizzes.web"
    label = "web"
