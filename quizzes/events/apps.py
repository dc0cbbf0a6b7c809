"""The outbox."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    """Facts, written with what they tell of; consumers above read them at their own pace."""

    name = "quizzes.events"
    label = "events"
