"""Challenges: what a learner says against a question that they were asked, and the answer to it."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from quizzes.attempts.models import Attempt
from quizzes.bank.models import QuestionVersion
from quizzes.lib.base_models import ChangeNumberedModel
from quizzes.publishing.models import Quiz


class ChallengeReason(models.TextChoices):
    """What a learner says is wrong."""

    KEY = "key", _("What counts as right is wrong")
    UNCLEAR = "unclear", _("The question or an option is unclear")
    TRANSLATION = "translation", _("The two languages say different things")
    OTHER = "other", _("Something else")


class ChallengeVerdict(models.TextChoices):
    """What came of a challenge."""

    OPEN = "", _("not answered yet")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")


class Challenge(ChangeNumberedModel):
    """One learner's challenge of one question of one attempt; `option` is none for all of it."""

    attempt = models.ForeignKey(Attempt, models.PROTECT, related_name="challenges")
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    quiz = models.ForeignKey(Quiz, models.PROTECT, related_name="+")
    slot = models.PositiveIntegerField()
    version = models.ForeignKey(QuestionVersion, models.PROTECT, related_name="+")
    option = models.UUIDField(null=True)
    reason = models.CharField(max_length=20, choices=ChallengeReason)
    comment = models.TextField()
    language = models.CharField(max_length=5)
    verdict = models.CharField(
        max_length=10, choices=ChallengeVerdict, blank=True, default=ChallengeVerdict.OPEN
    )
    answer = models.TextField(blank=True)
    safe_before_key = models.BooleanField(
        default=False, help_text="the learner may read the answer before the key is revealed"
    )
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    answered_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("challenge")
        verbose_name_plural = _("challenges")
        ordering = ["created_at", "pk"]
        constraints = [
            # Said once a question: more of it would be an argument, not a challenge.
            models.UniqueConstraint(fields=["attempt", "slot"], name="challenge_once"),
            models.CheckConstraint(
                condition=Q(verdict="", answered_at=None)
                | Q(verdict__in=["accepted", "declined"], answered_at__isnull=False),
                name="challenge_answered_with_verdict",
            ),
        ]
        indexes = [
            models.Index(fields=["version", "created_at"], name="challenge_by_version"),
            models.Index(fields=["change_number"], name="challenge_by_change"),
        ]

    def __str__(self) -> str:
        return f"{self.attempt_id}/{self.slot}"
