"""What persons decided of two questions: they are one in two languages, or they are not."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from quizzes.bank.models import Question
from quizzes.lib.base_models import TimestampedModel


class PairDecision(TimestampedModel):
    """What a person said of a question and a text in another language: the same question, or not.

    The text is known by the name and the fingerprint that it had: it may be one of a file, or a
    question of the bank.
    """

    question = models.ForeignKey(
        Question, models.CASCADE, related_name="pair_decisions", verbose_name=_("question")
    )
    language = models.CharField(_("language"), max_length=5)
    name = models.CharField(_("name"), max_length=100)
    fingerprint = models.CharField(max_length=64, blank=True)
    same = models.BooleanField(_("the same question"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("person"),
    )

    class Meta:
        verbose_name = _("language match")
        verbose_name_plural = _("language matches")
        ordering = ["-updated_at", "-pk"]
        constraints = [
            # The last word counts, and there is only one.
            models.UniqueConstraint(
                fields=["question", "language", "name", "fingerprint"], name="pair_decision_once"
            ),
        ]
        indexes = [models.Index(fields=["fingerprint"], name="pair_decision_by_fingerprint")]

    def __str__(self) -> str:
        return f"{self.question_id} {'=' if self.same else '≠'} {self.name}"
