"""The pages of learners."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """HTML view_models."""

    name = "quizzes.web"
    label = "web"
