"""Notifications: a row for each mail that somebody is to get, until it is old."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from quizzes.attempts.models import Attempt
from quizzes.lib.base_models import TimestampedModel
from quizzes.publishing.models import Quiz


class NotificationKind(models.TextChoices):
    """What a person is notified of."""

    GRADED = "graded", _("A person has graded my answers")
    REGRADED = "regraded", _("My score has changed")
    CHALLENGE_ANSWERED = "challenge_answered", _("My challenge of a question was answered")
    REOPENED = "reopened", _("An attempt of mine was reopened")
    OPENS_SOON = "opens_soon", _("A quiz of a class of mine opens soon")
    CLOSES_SOON = "closes_soon", _("A quiz that I have not handed in closes soon")
    STUDY = "study", _("Cards are waiting to be studied (once a day at most)")


OPT_IN_KINDS: Final = frozenset({NotificationKind.STUDY})
"""Of what nobody is notified who has not asked for it."""


class NotificationState(models.TextChoices):
    """What became of a notification."""

    WAITING = "waiting", _("waiting")
    SENT = "sent", _("sent")
    NOT_SENT = "not_sent", _("not sent")
    QUARANTINED = "quarantined", _("in quarantine")


class Notification(TimestampedModel):
    """One mail to one person; the row is the queue.

    `cause` is what it is about, once: the event's id, the time at which a quiz opens or closes, or
    the day of study. Of a quiz are all kinds but that on study.
    No score is stored: what may be shown is decided when the mail is sent. `error` is why it was
    not sent, or not yet.
    """

    recipient = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("recipient")
    )
    kind = models.CharField(_("kind"), max_length=30, choices=NotificationKind)
    cause = models.CharField(max_length=100)
    quiz = models.ForeignKey(
        Quiz, models.CASCADE, null=True, related_name="+", verbose_name=_("quiz")
    )
    attempt = models.ForeignKey(Attempt, models.CASCADE, null=True, related_name="notifications")
    data = models.JSONField(default=dict)
    state = models.CharField(
        _("state"),
        max_length=20,
        choices=NotificationState,
        default=NotificationState.WAITING,
    )
    tries = models.PositiveIntegerField(_("tries"), default=0)
    next_try_at = models.DateTimeField(_("next try"))
    sent_at = models.DateTimeField(_("sent at"), null=True)
    error = models.TextField(_("reason"), blank=True)

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        ordering = ["-pk"]
        constraints = [
            # An event that is read twice, and a window that is looked at each minute, are one mail.
            models.UniqueConstraint(
                fields=["recipient", "kind", "cause"], name="notification_once"
            ),
            # Only study is of no quiz.
            models.CheckConstraint(
                condition=Q(kind="study") | Q(quiz__isnull=False), name="notification_of_a_quiz"
            ),
            models.CheckConstraint(
                condition=Q(state="sent", sent_at__isnull=False)
                | Q(~Q(state="sent"), sent_at__isnull=True),
                name="notification_sent_at_a_time",
            ),
        ]
        indexes = [
            models.Index(
                fields=["next_try_at"], condition=Q(state="waiting"), name="notification_due"
            ),
            models.Index(
                fields=["state"], condition=Q(state="quarantined"), name="notification_quarantined"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to {self.recipient_id}"


class NotificationPreference(models.Model):
    """Whether a person wants to be notified of a kind; without a row, all but OPT_IN_KINDS."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    kind = models.CharField(max_length=30, choices=NotificationKind)
    is_wanted = models.BooleanField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            # Wanted or not: a second row would outlast the first.
            models.UniqueConstraint(fields=["user", "kind"], name="notification_preference_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {'with' if self.is_wanted else 'without'} {self.kind}"
