"""In and out."""

from django.apps import AppConfig


class ExchangeConfig(AppConfig):
    """Question banks as files."""

    name = "quizzes.exchange"
    label = "exchange"
