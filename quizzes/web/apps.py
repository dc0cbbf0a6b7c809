"""The pages of learners."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """The pages of learners."""

    name = "quizzes.web"
    label = "web"
