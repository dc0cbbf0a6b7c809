"""Certificates: what of an attempt that passes its learner lets others see (ADR 53)."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from quizzes.attempts.models import Attempt
from quizzes.lib.base_models import TimestampedModel


class Certificate(TimestampedModel):
    """What a learner shows of an attempt, at an address that nobody guesses: its `uuid`.

    Nothing of the outcome is stored here: it is read from the record, and signed, when it is asked
    for. `name` is the name as it was when its owner chose to show it; empty: it is not shown.
    """

    attempt = models.ForeignKey(Attempt, models.PROTECT, related_name="certificates")
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    name = models.CharField(max_length=150, blank=True)
    shows_score = models.BooleanField(default=False)
    is_public = models.BooleanField(default=False)
    chosen_at = models.DateTimeField(help_text="when its owner chose last what it shows")
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("certificate")
        verbose_name_plural = _("certificates")
        ordering = ["created_at", "pk"]
        constraints = [
            # Two that hold would be two truths about one pass. Withdrawn ones keep their address.
            models.UniqueConstraint(
                fields=["attempt"],
                condition=Q(withdrawn_at__isnull=True),
                name="certificate_once_an_attempt",
            ),
        ]

    def __str__(self) -> str:
        return str(self.uuid)
