"""Attempts as they are counted, the rows that they are counted in, and the measures of them."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from quizzes.attempts.models import Attempt
from quizzes.bank.models import QuestionVersion
from quizzes.publishing.models import QuizVersion
from quizzes.results.models import Grading


class CountingCursor(models.Model):
    """Up to which change of attempts they are counted; its row is locked while one counts."""

    number = models.PositiveSmallIntegerField(unique=True, default=1)
    last_change = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            # Two of them would count the same change twice.
            models.CheckConstraint(condition=Q(number=1), name="counting_cursor_once"),
        ]

    def __str__(self) -> str:
        return f"up to change {self.last_change}"


class CountedAttempt(models.Model):
    """An attempt that is counted now: by which grading, and in which rows.

    `digests` are those of its rows one after the other, so that it is taken out of exactly them;
    they say nothing of what was answered.
    """

    attempt = models.OneToOneField(Attempt, models.CASCADE, related_name="+")
    quiz_version = models.ForeignKey(QuizVersion, models.CASCADE, related_name="+")
    grading = models.ForeignKey(Grading, models.CASCADE, related_name="+", db_index=False)
    language = models.CharField(max_length=5, blank=True)
    digests = models.BinaryField()

    class Meta:
        ordering = ["attempt"]

    def __str__(self) -> str:
        return f"{self.attempt_id} by {self.grading_id}"


class CountedTable(models.TextChoices):
    """Which table of a state a row belongs to."""

    RESULTS = "results", "results"
    SECONDS = "seconds", "seconds"


class CountedRow(models.Model):
    """A row of a frequency table (statistics.domain.states), and how often it occurs.

    Of the answers to a question version, or without one of the scores of a quiz version.
    """

    quiz_version = models.ForeignKey(QuizVersion, models.CASCADE, related_name="+", db_index=False)
    version = models.ForeignKey(
        QuestionVersion, models.CASCADE, null=True, related_name="+", db_index=False
    )
    language = models.CharField(max_length=5, blank=True)
    attempt_number = models.PositiveIntegerField()
    table = models.CharField(max_length=10, choices=CountedTable)
    row = models.JSONField()
    digest = models.BinaryField(max_length=16, help_text="of all columns above")
    count = models.PositiveBigIntegerField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            # Counted in two rows, one of them would be overlooked when it is taken out.
            models.UniqueConstraint(fields=["quiz_version", "digest"], name="counted_row_once"),
            # A row that occurs no more is not there: equal attempts leave equal rows.
            models.CheckConstraint(condition=Q(count__gt=0), name="counted_row_occurs"),
        ]

    def __str__(self) -> str:
        return f"{self.count} × {self.row}"


class QuizVersionStatistics(models.Model):
    """The measures of a quiz version, as pages and programs read them.

    `changes` counts how often its rows changed; `measured_changes` is what it was when `report`
    was computed, which took `seconds`.
    """

    quiz_version = models.OneToOneField(QuizVersion, models.CASCADE, related_name="statistics")
    changes = models.PositiveBigIntegerField(default=0)
    measured_changes = models.PositiveBigIntegerField(default=0)
    measured_at = models.DateTimeField(_("measured"), null=True)
    seconds = models.FloatField(default=0)
    report = models.JSONField(null=True)

    class Meta:
        verbose_name = _("statistics of a quiz")
        verbose_name_plural = _("statistics of quizzes")
        ordering = ["quiz_version"]

    def __str__(self) -> str:
        return str(self.quiz_version)
