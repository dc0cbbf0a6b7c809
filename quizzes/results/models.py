"""Gradings, item marks and marks by persons, appended; and the result: what counts now."""

from fractions import Fraction

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from quizzes.attempts.models import Attempt, LearnerRow
from quizzes.bank.models import QuestionVersion
from quizzes.lib.base_models import AppendOnly, BigIntegerTextField
from quizzes.publishing.models import Quiz


class Reason(models.TextChoices):
    """Why an attempt was graded."""

    SUBMITTED = "submitted", _("submitted")
    EXPIRED = "expired", _("time was over")
    REGRADE = "regrade", _("regraded")
    OVERRIDE = "override", _("changed by hand")
    MARKED = "marked", _("marked by a person")


class Grading(LearnerRow, AppendOnly):
    """One grading of an attempt: what it came to, why, and by which engine."""

    attempt = models.ForeignKey(Attempt, models.PROTECT, related_name="gradings")
    number = models.PositiveIntegerField()
    reason = models.CharField(max_length=10, choices=Reason)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    total_numerator = BigIntegerTextField()
    total_denominator = BigIntegerTextField()
    maximum_numerator = models.BigIntegerField()
    maximum_denominator = models.BigIntegerField()
    passed = models.BooleanField()
    provisional = models.BooleanField(default=False, help_text="something waits for a person")
    engine = models.CharField(max_length=20)
    manual_grades_read = models.PositiveIntegerField(
        default=0, db_default=0, help_text="how many of the attempt's marks by persons it read"
    )
    graded_at = models.DateTimeField()

    class Meta:
        verbose_name = _("grading")
        verbose_name_plural = _("gradings")
        ordering = ["attempt", "number"]
        constraints = [
            # Once: the first submit, its retries and the sweep all try to write number 1.
            models.UniqueConstraint(fields=["attempt", "number"], name="grading_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.attempt_id} g{self.number}"

    @property
    def total(self) -> Fraction:
        """The points earned, exact."""
        return Fraction(self.total_numerator, self.total_denominator)

    @property
    def maximum(self) -> Fraction:
        """The points there were to earn."""
        return Fraction(self.maximum_numerator, self.maximum_denominator)


class ItemResult(LearnerRow, AppendOnly):
    """What one slot earned in one grading, with its ledger. No credit: it waits for a person."""

    learner_from = "grading"

    grading = models.ForeignKey(Grading, models.PROTECT, related_name="item_results")
    slot = models.PositiveIntegerField()
    version = models.ForeignKey(QuestionVersion, models.PROTECT, related_name="+")
    answer = models.JSONField(null=True)
    credit_numerator = BigIntegerTextField(null=True)
    credit_denominator = BigIntegerTextField(null=True)
    points_numerator = models.BigIntegerField(help_text="points there were to earn")
    points_denominator = models.BigIntegerField()
    score = models.JSONField(help_text="grading's ItemScore as JSON: credit, ledger, reasons")

    class Meta:
        ordering = ["grading", "slot"]
        constraints = [
            # A slot that earned twice in one grading would be in the total twice.
            models.UniqueConstraint(fields=["grading", "slot"], name="item_result_slot_once"),
        ]
        indexes = [
            # The queue of those who mark looks for these alone.
            models.Index(
                fields=["grading"],
                condition=Q(credit_numerator__isnull=True),
                name="item_result_ungraded",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.grading_id}/{self.slot}"


class Purpose(models.TextChoices):
    """What a person's mark is for: of two first ones that differ, a final one settles it."""

    FIRST = "first", _("first mark")
    SECOND = "second", _("second mark")
    FINAL = "final", _("settles it")


class ManualGrade(LearnerRow, AppendOnly):
    """What one person gave one answer: a layer of its own, read by every grading, kept by all.

    Either levels {criterion id: level id} of the rubric of `version`, or a share of the points.
    Marking again appends: of each marker the newest counts. `number` counts the attempt's marks.
    """

    attempt = models.ForeignKey(Attempt, models.PROTECT, related_name="manual_grades")
    number = models.PositiveIntegerField()
    slot = models.PositiveIntegerField()
    version = models.ForeignKey(QuestionVersion, models.PROTECT, related_name="+")
    grader = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    purpose = models.CharField(max_length=10, choices=Purpose)
    levels = models.JSONField(null=True)
    share_numerator = models.BigIntegerField(null=True)
    share_denominator = models.BigIntegerField(null=True)
    comment = models.TextField(blank=True)
    graded_at = models.DateTimeField()

    class Meta:
        verbose_name = _("answer to mark")
        verbose_name_plural = _("essays to mark")
        ordering = ["attempt", "number"]
        constraints = [
            # A grading says by this number how many it has read, so none may be given twice.
            models.UniqueConstraint(fields=["attempt", "number"], name="manual_grade_number_once"),
            # By levels or by a share: with both, nobody could say which counts.
            models.CheckConstraint(
                condition=Q(
                    levels__isnull=False,
                    share_numerator__isnull=True,
                    share_denominator__isnull=True,
                )
                | Q(
                    levels__isnull=True,
                    share_numerator__gte=0,
                    share_denominator__gte=F("share_numerator"),
                    share_denominator__gt=0,
                ),
                name="manual_grade_by_levels_or_share",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.attempt_id}/{self.slot} m{self.number}"


class Result(models.Model):
    """The attempt's current grading. Programs follow `updated_at`."""

    learner_from = "attempt"

    attempt = models.OneToOneField(Attempt, models.PROTECT, related_name="result")
    grading = models.OneToOneField(Grading, models.PROTECT, related_name="+")
    quiz = models.ForeignKey(Quiz, models.PROTECT, related_name="results")
    learner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="results")
    updated_at = models.DateTimeField()

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        ordering = ["-updated_at", "-pk"]
        indexes = [
            models.Index(fields=["learner", "-updated_at", "-id"], name="result_by_learner"),
            models.Index(fields=["quiz", "-updated_at", "-id"], name="result_by_quiz"),
            models.Index(fields=["-updated_at", "-id"], name="result_by_time"),
        ]

    def __str__(self) -> str:
        return f"result of {self.attempt_id}"


class GradingFailure(LearnerRow):
    """Why a submitted attempt could not be graded, how often in a row, and when it is tried again.

    The row goes when the attempt is graded.
    """

    attempt = models.OneToOneField(Attempt, models.CASCADE, related_name="grading_failure")
    tries = models.PositiveIntegerField(default=0)
    code = models.CharField(max_length=30)
    detail = models.CharField(max_length=300, help_text="for administrators: the error's own words")
    failed_at = models.DateTimeField()
    next_try_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("grading failure")
        verbose_name_plural = _("grading failures")
        ordering = ["next_try_at", "pk"]

    def __str__(self) -> str:
        return f"{self.attempt_id}: {self.code} ×{self.tries}"
