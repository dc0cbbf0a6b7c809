"""Event: one fact, written in the same transaction as the rows it tells of."""

from django.db import models

from quizzes.lib.base_models import AppendOnly


class Event(AppendOnly):
    """A row of the outbox. Never a command: a consumer decides by itself what follows."""

    kind = models.CharField(max_length=50)
    subject = models.UUIDField(help_text="what it is about: an attempt, a quiz")
    data = models.JSONField(default=dict)
    occurred_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["subject", "id"], name="event_by_subject")]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


class UnreadEvent(models.Model):
    """An event that the consumer has not read: gone in the transaction in which it is.

    A row beside the event, because events become visible in another order than they are numbered.
    """

    event = models.OneToOneField(Event, models.PROTECT, primary_key=True, related_name="unread")
    tries = models.PositiveIntegerField(default=0)
    next_try_at = models.DateTimeField(db_index=True)
    error = models.TextField(blank=True, help_text="why it could not be read the last time")

    def __str__(self) -> str:
        return f"unread event {self.event_id}"
