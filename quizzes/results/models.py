"""Gradings, item marks and marks by persons, appended; and the result: what counts now."""

from fractions import Fraction
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from quizzes.attempts.models import (
    ERASURE_OF_LEARNER,
    KEPT_ROWS,
    MAXIMUM,
    TOTAL,
    Attempt,
    Erasure,
    LearnerRow,
)
from quizzes.bank.models import QuestionVersion
from quizzes.lib.base_models import BigIntegerTextField, RecordRow, fraction_or_none
from quizzes.lib.fraction_check import IsFraction
from quizzes.lib.triggers import RowRule, changed
from quizzes.publishing.models import Quiz


class Reason(models.TextChoices):
    """Why an attempt was graded."""

    SUBMITTED = "submitted", _("submitted")
    EXPIRED = "expired", _("time was over")
    REGRADE = "regrade", _("regraded")
    OVERRIDE = "override", _("changed by hand")
    MARKED = "marked", _("marked by a person")


class RegradePolicy(models.TextChoices):
    """What becomes of answers to older versions of a question whose key was corrected."""

    KEEP_BETTER = "keep_better", _("by the corrected key, but nobody goes down")
    BY_KEY = "by_key", _("everybody by the corrected key")
    FULL_CREDIT = "full_credit", _("full credit for everybody")


class RegradeAction(models.TextChoices):
    """What a rule of regrade does."""

    KEY = "key", _("apply the corrected key")
    FULL = "full", _("full credit for the question")
    DROP = "drop", _("drop the question")
    BONUS = "bonus", _("count the question as a bonus")
    POINTS = "points", _("other points for the question")
    METHOD = "method", _("another scoring method")
    REVERT = "revert", _("revert a regrade")


class RegradeRule(RecordRow):
    """A rule that gradings of a quiz read from then on, after those before it: a regrade.

    It is about the question of `version`: by its key, about answers to older versions; every other
    action is about all versions. The rule with the number in `reverts` is left out.
    """

    row_rules = (
        RowRule(
            "number",
            ("INSERT",),
            "NOT EXISTS (SELECT 1 FROM {schema}results_regraderule"
            " WHERE quiz_id = NEW.quiz_id AND number = NEW.number - 1)",
            "rules of regrade of a quiz are numbered from 1 without a gap",
            only_if="NEW.number <> 1",
        ),
    )

    quiz = models.ForeignKey(Quiz, models.PROTECT, related_name="regrade_rules", db_index=False)
    number = models.PositiveIntegerField()
    version = models.ForeignKey(QuestionVersion, models.PROTECT, related_name="+")
    action = models.CharField(max_length=10, choices=RegradeAction, default=RegradeAction.KEY)
    policy = models.CharField(max_length=20, choices=RegradePolicy)
    reverts = models.PositiveIntegerField(null=True, help_text="the number of a rule before it")
    points_numerator = models.BigIntegerField(null=True, help_text="what the question is worth")
    points_denominator = models.BigIntegerField(null=True)
    scoring_method = models.CharField(max_length=40, blank=True)
    reason = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    committed_at = models.DateTimeField()

    class Meta:
        verbose_name = _("regrade")
        verbose_name_plural = _("regrades")
        ordering = ["quiz", "number"]
        constraints = [
            # A grading says by this number how many it has read, so none may be given twice.
            models.UniqueConstraint(fields=["quiz", "number"], name="regrade_rule_number_once"),
            models.CheckConstraint(condition=Q(number__gte=1), name="regrade_rule_number_from_1"),
            # What comes later cannot be left out: no reader would know of it.
            models.CheckConstraint(
                condition=Q(
                    action=RegradeAction.REVERT, reverts__isnull=False, reverts__lt=F("number")
                )
                | Q(~Q(action=RegradeAction.REVERT), reverts__isnull=True),
                name="regrade_rule_reverts_an_earlier_one",
            ),
            # Without them nobody could say what such a rule does; no other rule reads them.
            models.CheckConstraint(
                condition=Q(
                    action=RegradeAction.POINTS,
                    points_numerator__isnull=False,
                    points_denominator__isnull=False,
                    points_numerator__gt=0,
                    points_denominator__gt=0,
                )
                | Q(
                    ~Q(action=RegradeAction.POINTS),
                    points_numerator__isnull=True,
                    points_denominator__isnull=True,
                ),
                name="regrade_rule_has_points",
            ),
            models.CheckConstraint(
                condition=Q(~Q(scoring_method=""), action=RegradeAction.METHOD)
                | Q(~Q(action=RegradeAction.METHOD), scoring_method=""),
                name="regrade_rule_has_scoring_method",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.quiz_id} r{self.number}"

    @property
    def points(self) -> Fraction | None:
        """What the question is worth by it; None where it does not say."""
        return fraction_or_none(self.points_numerator, self.points_denominator)


class Grading(LearnerRow, RecordRow):
    """One grading of an attempt: what it came to, why, and by which engine."""

    row_rules = (
        RowRule(
            "attempt",
            ("INSERT",),
            "NOT EXISTS (SELECT 1 FROM {schema}attempts_attempt a WHERE a.id = NEW.attempt_id"
            " AND a.learner_id = NEW.learner_id"
            " AND (NEW.number = 1 AND a.state = 'submitted' AND NEW.reason = a.submission_reason"
            " OR NEW.number > 1 AND a.state = 'graded'"
            " AND NEW.reason NOT IN ('submitted', 'expired')))",
            "rows of results_grading have the learner of attempts_attempt;"
            " a first grading is of a submitted attempt, for the reason that it has,"
            " and a later one of a graded attempt",
        ),
        RowRule(
            "number",
            ("INSERT",),
            # Each number is given once, so the one before it is all there is to ask about.
            "NOT EXISTS (SELECT 1 FROM {schema}results_grading"
            " WHERE attempt_id = NEW.attempt_id AND number = NEW.number - 1)",
            "gradings of an attempt are numbered from 1 without a gap",
            only_if="NEW.number <> 1",
        ),
    )
    has_learner_rule_on_insert = False

    # The index of `grading_number_once` begins with it.
    attempt = models.ForeignKey(Attempt, models.PROTECT, related_name="gradings", db_index=False)
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
    regrade_rules_read = models.PositiveIntegerField(
        default=0, db_default=0, help_text="how many of the quiz's rules of regrade it read"
    )
    graded_at = models.DateTimeField()
    digest = models.BinaryField(max_length=32, help_text="of the row and the digest before it")
    mac = models.BinaryField(max_length=32, help_text="of the digest, by a key of the site")

    class Meta:
        verbose_name = _("grading")
        verbose_name_plural = _("gradings")
        ordering = ["attempt", "number"]
        constraints = [
            # Once: the first submit, its retries and the sweep all try to write number 1.
            models.UniqueConstraint(fields=["attempt", "number"], name="grading_number_once"),
            # Points between nothing and all there were; nobody passes before all are graded.
            models.CheckConstraint(
                condition=Q(IsFraction(*TOTAL, *MAXIMUM), IsFraction(*MAXIMUM)),
                name="grading_is_a_fraction",
            ),
            models.CheckConstraint(
                condition=Q(passed=False) | Q(provisional=False), name="grading_passed_is_final"
            ),
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


class ItemResult(LearnerRow, RecordRow):
    """What one slot earned in one grading, with its ledger. No credit: it waits for a person."""

    learner_from = "grading"
    has_learner_rule_on_insert = False
    erasable_fields: ClassVar = {"erasure": ("answer", "score")}
    erasable_if = (ERASURE_OF_LEARNER,)
    row_rules = (
        RowRule(
            "sealed",
            ("INSERT",),
            "NOT EXISTS (SELECT 1 FROM {schema}results_grading g"
            " WHERE g.id = NEW.grading_id AND g.learner_id = NEW.learner_id"
            " AND NOT EXISTS (SELECT 1 FROM {schema}results_result r"
            " WHERE r.attempt_id = g.attempt_id AND r.grading_id >= g.id))",
            "rows of results_itemresult have the learner of results_grading;"
            " item scores are written with their grading, and none later",
            inserted_together=True,
        ),
    )

    # The index of `item_result_slot_once` begins with it.
    grading = models.ForeignKey(
        Grading, models.PROTECT, related_name="item_results", db_index=False
    )
    slot = models.PositiveIntegerField()
    version = models.ForeignKey(QuestionVersion, models.PROTECT, related_name="+")
    answer = models.JSONField(null=True)
    credit_numerator = BigIntegerTextField(null=True)
    credit_denominator = BigIntegerTextField(null=True)
    points_numerator = models.BigIntegerField(help_text="points there were to earn")
    points_denominator = models.BigIntegerField()
    # Its ledger says what was chosen, so it is erased with the answer; the credit stays.
    score = models.JSONField(
        null=True, help_text="grading's ItemScore as JSON: credit, ledger, reasons"
    )
    erasure = models.ForeignKey(
        Erasure, models.PROTECT, null=True, related_name="+", db_index=False
    )

    class Meta:
        ordering = ["grading", "slot"]
        constraints = [
            # A slot that earned twice in one grading would be in the total twice.
            models.UniqueConstraint(fields=["grading", "slot"], name="item_result_slot_once"),
            # The whole points at most; below nothing only where the author lets it.
            models.CheckConstraint(
                condition=Q(credit_numerator__isnull=True, credit_denominator__isnull=True)
                | Q(
                    IsFraction("credit_numerator", "credit_denominator"),
                    credit_numerator__isnull=False,
                    credit_denominator__isnull=False,
                ),
                name="item_result_credit_is_a_fraction",
            ),
            models.CheckConstraint(
                condition=Q(IsFraction("points_numerator", "points_denominator")),
                name="item_result_points_are_a_fraction",
            ),
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

    @property
    def points(self) -> Fraction:
        """The points there were to earn, after the rules of regrade."""
        return Fraction(self.points_numerator, self.points_denominator)

    @property
    def credit(self) -> Fraction | None:
        """The share of the points; None while it waits for a person."""
        return fraction_or_none(self.credit_numerator, self.credit_denominator)


class Purpose(models.TextChoices):
    """What a person's mark is for: of two first ones that differ, a final one settles it.

    An override replaces the computed score of an item, until it is withdrawn; a total replaces that
    of the whole attempt, likewise.
    """

    FIRST = "first", _("first mark")
    SECOND = "second", _("second mark")
    FINAL = "final", _("settles it")
    OVERRIDE = "override", _("replaces the computed score")
    WITHDRAWN = "withdrawn", _("the computed score counts again")
    COMMENT = "comment", _("a comment without a score")
    TOTAL = "total", _("replaces the score of the attempt")
    NO_TOTAL = "no_total", _("the sum of the questions counts again")


NO_SCORE = (Purpose.WITHDRAWN, Purpose.COMMENT, Purpose.NO_TOTAL)
OF_ATTEMPT = (Purpose.TOTAL, Purpose.NO_TOTAL)


class ManualGrade(LearnerRow, RecordRow):
    """What one person gave one answer: a layer of its own, read by every grading, kept by all.

    Either levels {criterion id: level id} of the rubric of `version`, or a share of the points, or
    none of both, which withdraws an override, or is a comment alone. Marking again appends: of each
    marker the newest counts. `number` counts the attempt's marks. What is about the whole attempt
    has no slot.
    """

    erasable_fields: ClassVar = {"erasure": ("comment", "salt")}
    erasable_if = (ERASURE_OF_LEARNER,)
    row_rules = (
        RowRule(
            "attempt",
            ("INSERT",),
            "NOT EXISTS (SELECT 1 FROM {schema}attempts_attempt"
            " WHERE id = NEW.attempt_id AND state = 'graded')",
            "persons grade what a machine has graded before",
        ),
        RowRule(
            "number",
            ("INSERT",),
            "NOT EXISTS (SELECT 1 FROM {schema}results_manualgrade"
            " WHERE attempt_id = NEW.attempt_id AND number = NEW.number - 1)",
            "manual grades of an attempt are numbered from 1 without a gap",
            only_if="NEW.number <> 1",
        ),
    )

    # The index of `manual_grade_number_once` begins with it.
    attempt = models.ForeignKey(
        Attempt, models.PROTECT, related_name="manual_grades", db_index=False
    )
    number = models.PositiveIntegerField()
    slot = models.PositiveIntegerField(null=True)
    version = models.ForeignKey(QuestionVersion, models.PROTECT, null=True, related_name="+")
    grader = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    purpose = models.CharField(max_length=10, choices=Purpose)
    levels = models.JSONField(null=True)
    share_numerator = models.BigIntegerField(null=True)
    share_denominator = models.BigIntegerField(null=True)
    comment = models.TextField(blank=True)
    salt = models.BinaryField(null=True, max_length=16)
    comment_digest = models.BinaryField(max_length=32, help_text="of salt and comment")
    graded_at = models.DateTimeField()
    digest = models.BinaryField(max_length=32, help_text="of the row and the digest before it")
    mac = models.BinaryField(max_length=32, help_text="of the digest, by a key of the site")
    erasure = models.ForeignKey(
        Erasure, models.PROTECT, null=True, related_name="+", db_index=False
    )

    class Meta:
        verbose_name = _("answer to grade")
        verbose_name_plural = _("essays to grade")
        ordering = ["attempt", "number"]
        constraints = [
            # A grading says by this number how many it has read, so none may be given twice.
            models.UniqueConstraint(fields=["attempt", "number"], name="manual_grade_number_once"),
            # By levels or by a share: with both, nobody could say which counts.
            models.CheckConstraint(
                condition=Q(
                    ~Q(purpose__in=[Purpose.OVERRIDE, Purpose.TOTAL, *NO_SCORE]),
                    levels__isnull=False,
                    share_numerator__isnull=True,
                    share_denominator__isnull=True,
                )
                | Q(
                    ~Q(purpose__in=NO_SCORE),
                    levels__isnull=True,
                    # A comparison with nothing is not false, so a check would take it.
                    share_numerator__isnull=False,
                    share_denominator__isnull=False,
                    share_numerator__gte=0,
                    share_denominator__gte=F("share_numerator"),
                    share_denominator__gt=0,
                )
                | Q(
                    purpose__in=NO_SCORE,
                    levels__isnull=True,
                    share_numerator__isnull=True,
                    share_denominator__isnull=True,
                ),
                name="manual_grade_by_levels_or_share",
            ),
            models.CheckConstraint(
                condition=~Q(grader=F("learner")), name="manual_grade_by_another_person"
            ),
            # A mark of a question without its version could not be read; one of all has none.
            models.CheckConstraint(
                condition=Q(purpose__in=OF_ATTEMPT, slot__isnull=True, version__isnull=True)
                | Q(~Q(purpose__in=OF_ATTEMPT), slot__isnull=False, version__isnull=False),
                name="manual_grade_of_a_question_or_all",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.attempt_id}/{self.slot} m{self.number}"


_CURRENT_GRADINGS = (
    "SELECT 1 FROM {schema}attempts_attempt a"
    " JOIN {schema}results_result r ON r.attempt_id = a.id"
    " JOIN {schema}results_grading g ON g.id = r.grading_id"
    " WHERE a.quiz_grade_id = NEW.id AND a.state = 'graded' AND NOT a.is_staff_attempt AND "
)
_OUTCOME = f"UPDATE OF attempt_id, passed, attempts_graded, {', '.join((*TOTAL, *MAXIMUM))}"
RESULT_RULES = (
    RowRule(
        "grading",
        ("INSERT", "UPDATE OF grading_id"),
        "NOT EXISTS (SELECT 1 FROM {schema}results_grading g"
        " JOIN {schema}attempts_attempt a ON a.id = g.attempt_id"
        " WHERE g.id = NEW.grading_id AND a.id = NEW.attempt_id AND a.quiz_id = NEW.quiz_id"
        " AND a.learner_id = NEW.learner_id AND NOT EXISTS (SELECT 1 FROM {schema}results_grading"
        " WHERE attempt_id = NEW.attempt_id AND id > NEW.grading_id))",
        "rows of results_result have the learner of attempts_attempt: a result has the attempt and"
        " the quiz of its grading, which is the newest grading of that attempt",
    ),
    RowRule(
        "attempt",
        ("UPDATE OF id, attempt_id, quiz_id",),
        changed("id", "attempt_id", "quiz_id"),
        "a result keeps its attempt and quiz",
    ),
    RowRule(
        "graded",
        ("UPDATE OF state",),
        "NOT EXISTS (SELECT 1 FROM {schema}results_result WHERE attempt_id = NEW.id)",
        "an attempt is graded when it has a result",
        only_if="NEW.state = 'graded' AND OLD.state <> 'graded'",
        table="attempts_attempt",
    ),
    RowRule(
        "outcome",
        (_OUTCOME,),
        "NOT EXISTS ("
        + _CURRENT_GRADINGS
        + "a.id = NEW.attempt_id AND "
        + " AND ".join(f"g.{name} = NEW.{name}" for name in (*TOTAL, *MAXIMUM))
        + " AND (NEW.passed OR NOT g.passed))",
        "a quiz grade has the points, and the pass, of an attempt of its learner and quiz",
        only_if="NEW.attempt_id IS NOT NULL",
        table="attempts_quizgrade",
    ),
    RowRule(
        "passed",
        (_OUTCOME,),
        "NOT EXISTS (" + _CURRENT_GRADINGS + "(g.passed OR g.provisional))",
        "a quiz grade is a pass where an attempt passed",
        only_if="NEW.attempt_id IS NOT NULL AND NEW.passed",
        table="attempts_quizgrade",
    ),
    RowRule(
        "average",
        (_OUTCOME,),
        "NOT EXISTS (SELECT 1 FROM {schema}attempts_attempt a"
        " JOIN {schema}publishing_quizversion v ON v.id = a.quiz_version_id"
        " WHERE a.quiz_grade_id = NEW.id AND a.state = 'graded'"
        " AND v.policies ->> 'attempt_grade_policy' = 'average')",
        "only an average is no attempt's own outcome",
        only_if="NEW.attempt_id IS NULL AND NEW.total_numerator IS NOT NULL",
        table="attempts_quizgrade",
    ),
)


class Result(models.Model):
    """The attempt's current grading. Programs follow `updated_at`."""

    learner_from = "attempt"
    has_learner_rule_on_insert = False
    denied_operations = KEPT_ROWS
    row_rules = RESULT_RULES

    attempt = models.OneToOneField(Attempt, models.PROTECT, related_name="result")
    grading = models.OneToOneField(Grading, models.PROTECT, related_name="+")
    # The indexes `result_by_quiz` and `result_by_learner` begin with them.
    quiz = models.ForeignKey(Quiz, models.PROTECT, related_name="results", db_index=False)
    learner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="results", db_index=False
    )
    updated_at = models.DateTimeField()
    regrade_rules_applied = models.PositiveIntegerField(
        default=0, db_default=0, help_text="how many rules of regrade change nothing in it any more"
    )

    class Meta:
        verbose_name = _("result")
        verbose_name_plural = _("results")
        ordering = ["-updated_at", "-pk"]
        indexes = [
            models.Index(fields=["learner", "-updated_at", "-id"], name="result_by_learner"),
            models.Index(fields=["quiz", "-updated_at", "-id"], name="result_by_quiz"),
            models.Index(fields=["-updated_at", "-id"], name="result_by_time"),
            # A regrade goes on from here, each minute.
            models.Index(fields=["quiz", "regrade_rules_applied", "id"], name="result_by_rules"),
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


class Checkpoint(RecordRow):
    """The state of all chains at one moment, signed: what was cut off since then is found.

    `document` is the signed content with the digest of its entries; each checkpoint names the
    digest of the one before. `lasts` are the newest ids by chain, from where others look on.
    """

    number = models.PositiveIntegerField(unique=True)
    made_at = models.DateTimeField()
    document = models.JSONField()
    lasts = models.JSONField()

    class Meta:
        verbose_name = _("checkpoint")
        verbose_name_plural = _("checkpoints")
        ordering = ["number"]

    def __str__(self) -> str:
        return f"checkpoint {self.number}"


class CheckpointEntry(RecordRow):
    """One attempt in a checkpoint: how long its chains were, and the digest at the end of each.

    So it is of a practised question, which stands in `attempt` by its own id, as in its receipts. A
    checkpoint has entries for those that have changed since the one before. The checkpoint is
    named by its number, for it is signed after them; the attempt by its id for the outside, so that
    the entry outlives a row that was removed.
    """

    checkpoint = models.PositiveIntegerField()
    attempt = models.UUIDField(db_index=True)
    heads = models.JSONField(help_text="lengths and digests by chain, and the receipt's digest")

    class Meta:
        verbose_name = _("checkpoint entry")
        verbose_name_plural = _("checkpoint entries")
        ordering = ["checkpoint", "attempt"]
        constraints = [
            # Two states of one attempt at one moment would contradict each other.
            models.UniqueConstraint(fields=["checkpoint", "attempt"], name="checkpoint_entry_once"),
        ]

    def __str__(self) -> str:
        return f"{self.attempt} in checkpoint {self.checkpoint}"
