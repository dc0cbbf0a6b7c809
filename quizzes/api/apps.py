"""The REST API."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """REST."""

    name = "quizzes.api"
    label = "api"
