"""Who may take what (Assignment, Accommodation), and what they did (Quiz grade…Response)."""

from datetime import timedelta
from fractions import Fraction
from typing import ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from accounts.models import Group
from quizzes.lib.base_models import (
    AppendOnly,
    BigIntegerTextField,
    ChangeNumberedModel,
    RecordRow,
    TimestampedModel,
    build_calendar_constraint,
    check_calendar,
    fraction_or_none,
)
from quizzes.lib.fraction_check import IsFraction
from quizzes.lib.triggers import RowRule, changed
from quizzes.publishing.models import Quiz, QuizVersion

TOTAL = ("total_numerator", "total_denominator")
MAXIMUM = ("maximum_numerator", "maximum_denominator")
KEPT_ROWS = ("DELETE", "TRUNCATE")
"""What a trigger refuses for rows that change, but never go."""


LEAST_TIME_PERCENT, MOST_TIME_PERCENT, MOST_EXTRA_ATTEMPTS = 100, 1_000, 10_000
MOST_EXTRA_MINUTES, MOST_WINDOW_MINUTES = 600, 7 * 24 * 60
"""Of an accommodation: the database refuses others, too."""


class Assignment(TimestampedModel):
    """A quiz given to a group, with a window of its own."""

    quiz = models.ForeignKey(
        Quiz, models.PROTECT, related_name="assignments", verbose_name=_("quiz")
    )
    group = models.ForeignKey(
        Group, models.CASCADE, related_name="assignments", verbose_name=_("class")
    )
    opens_at = models.DateTimeField(_("opens"), null=True, blank=True, validators=[check_calendar])
    closes_at = models.DateTimeField(
        _("closes"), null=True, blank=True, validators=[check_calendar]
    )

    class Meta:
        verbose_name = _("assignment")
        verbose_name_plural = _("assignments")
        constraints = [
            # One window a group: with two, nobody could say when it closes.
            models.UniqueConstraint(fields=["quiz", "group"], name="assignment_once"),
            # A window that closes before it opens would lock everyone out without a word.
            models.CheckConstraint(
                condition=Q(opens_at__isnull=True)
                | Q(closes_at__isnull=True)
                | Q(opens_at__lt=F("closes_at")),
                name="assignment_opens_before_closing",
                violation_error_message=_("The assignment must open before it closes."),
            ),
            build_calendar_constraint("opens_at", "assignment_opens_in_calendar"),
            build_calendar_constraint("closes_at", "assignment_closes_in_calendar"),
        ]

    def __str__(self) -> str:
        return f"{self.quiz} → {self.group}"


def _format_percent(number: int) -> str:
    return f"{number}{pgettext('behind a number', '%')}"


class Accommodation(TimestampedModel):
    """More time, more attempts or a later closing for one learner.

    More time extends limit and window alike.
    """

    quiz = models.ForeignKey(
        Quiz, models.PROTECT, related_name="accommodations", verbose_name=_("quiz")
    )
    learner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("learner")
    )
    time_percent = models.PositiveIntegerField(
        _("time in per cent"),
        default=100,
        validators=[MinValueValidator(LEAST_TIME_PERCENT), MaxValueValidator(MOST_TIME_PERCENT)],
        help_text=_("150 means half as much again."),
    )
    extra_attempts = models.PositiveIntegerField(
        _("extra attempts"), default=0, validators=[MaxValueValidator(MOST_EXTRA_ATTEMPTS)]
    )
    closes_at = models.DateTimeField(
        _("own closing time"),
        null=True,
        blank=True,
        validators=[check_calendar],
        help_text=_(
            "Until when this person may begin and work, for whoever comes late. "
            "It counts where it is later than that of the others."
        ),
    )
    reason = models.CharField(_("reason"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("accommodation")
        verbose_name_plural = _("accommodations")
        constraints = [
            # Two accommodations of one learner could contradict each other.
            models.UniqueConstraint(fields=["quiz", "learner"], name="accommodation_once"),
            models.CheckConstraint(
                condition=Q(time_percent__range=(LEAST_TIME_PERCENT, MOST_TIME_PERCENT)),
                name="accommodation_time_percent_in_bounds",
            ),
            models.CheckConstraint(
                condition=Q(extra_attempts__range=(0, MOST_EXTRA_ATTEMPTS)),
                name="accommodation_extra_attempts_in_bounds",
            ),
            build_calendar_constraint("closes_at", "accommodation_closes_in_calendar"),
        ]

    def __str__(self) -> str:
        return f"{self.learner}: {_format_percent(self.time_percent)}"


class StandingAccommodation(TimestampedModel):
    """More time for one person at every quiz: it extends limit and window alike."""

    learner = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="standing_accommodation",
        verbose_name=_("learner"),
    )
    time_percent = models.PositiveIntegerField(
        _("time in per cent"),
        default=100,
        validators=[MinValueValidator(LEAST_TIME_PERCENT), MaxValueValidator(MOST_TIME_PERCENT)],
        help_text=_("Of the time limit of each quiz: 125 means a quarter more."),
    )
    extra_minutes = models.PositiveIntegerField(
        _("extra minutes"),
        default=0,
        validators=[MaxValueValidator(MOST_EXTRA_MINUTES)],
        help_text=_("Added to the time limit of each quiz, or to its closing where it has none."),
    )
    window_minutes = models.PositiveIntegerField(
        _("window in minutes more"),
        default=0,
        validators=[MaxValueValidator(MOST_WINDOW_MINUTES)],
        help_text=_("Each window closes so much later, besides the extra time."),
    )
    reason = models.CharField(_("reason"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("standing accommodation")
        verbose_name_plural = _("standing accommodations")
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    time_percent__range=(LEAST_TIME_PERCENT, MOST_TIME_PERCENT),
                    extra_minutes__range=(0, MOST_EXTRA_MINUTES),
                    window_minutes__range=(0, MOST_WINDOW_MINUTES),
                ),
                name="standing_accommodation_in_bounds",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.learner}: {_format_percent(self.time_percent)}, +{self.extra_minutes} min"


class LearnerRow(models.Model):
    """A row that is placed by its learner, who is that of the row it belongs to (ADR 18).

    A trigger refuses another learner, so the column needs neither a constraint nor an index.
    """

    learner_from = "attempt"

    learner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        related_name="+",
        db_index=False,
        db_constraint=False,
        editable=False,
    )

    class Meta:
        abstract = True


ERASURE_OF_LEARNER = (
    "EXISTS (SELECT 1 FROM {schema}attempts_erasure"
    " WHERE id = NEW.erasure_id AND learner_id = NEW.learner_id)"
)
"""That an erasure is of the learner whose row it empties."""
ENDED_ATTEMPT = (
    "EXISTS (SELECT 1 FROM {schema}attempts_attempt"
    " WHERE id = NEW.attempt_id AND state IN ('graded', 'void'))"
)


class Erasure(AppendOnly):
    """That answers of a learner were erased: by whom, when and why; the rows name it."""

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+")
    reason = models.CharField(max_length=300)
    erased_at = models.DateTimeField()

    class Meta:
        verbose_name = _("erasure")
        verbose_name_plural = _("erasures")
        ordering = ["erased_at", "pk"]

    def __str__(self) -> str:
        return f"{self.learner_id} at {self.erased_at}"


class QuizGrade(models.Model):
    """One learner and one quiz: the row that is locked first, and the outcome so far.

    It is in this app because starting an attempt must lock it (ADR 4); the outcome
    columns are written by `results` alone. For policy `average` no single attempt counts.
    """

    learner_from = ""
    denied_operations = KEPT_ROWS
    row_rules = (
        RowRule(
            "quiz",
            ("UPDATE OF quiz_id",),
            changed("id", "quiz_id"),
            "a quiz grade keeps its quiz",
        ),
        RowRule(
            "empty",
            ("INSERT",),
            "NEW.attempts_graded <> 0 OR NEW.attempt_id IS NOT NULL OR NEW.passed IS NOT NULL"
            " OR NEW.total_numerator IS NOT NULL",
            "a quiz grade begins without an outcome",
        ),
        RowRule(
            "giving_up",
            ("UPDATE OF gave_up_at",),
            "OLD.gave_up_at IS NOT NULL AND " + changed("gave_up_at"),
            "who gave up further attempts gets none back",
        ),
    )

    # The index of `quiz_grade_once` begins with it.
    quiz = models.ForeignKey(Quiz, models.PROTECT, related_name="quiz_grades", db_index=False)
    learner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="quiz_grades"
    )
    attempts_graded = models.PositiveIntegerField(default=0)
    total_numerator = BigIntegerTextField(null=True)
    total_denominator = BigIntegerTextField(null=True)
    maximum_numerator = models.BigIntegerField(null=True)
    maximum_denominator = models.BigIntegerField(null=True)
    passed = models.BooleanField(null=True)
    attempt = models.ForeignKey("Attempt", models.PROTECT, null=True, related_name="+")
    # Since when its learner has given up further attempts, to see what is right.
    gave_up_at = models.DateTimeField(null=True)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("quiz grade")
        verbose_name_plural = _("quiz grades")
        constraints = [
            # It is the lock of this pair, so there must be one.
            models.UniqueConstraint(fields=["quiz", "learner"], name="quiz_grade_once"),
            # No outcome, or a complete one: points between nothing and all there were.
            models.CheckConstraint(
                condition=Q(
                    total_numerator__isnull=True,
                    total_denominator__isnull=True,
                    maximum_numerator__isnull=True,
                    maximum_denominator__isnull=True,
                    passed__isnull=True,
                    attempt__isnull=True,
                )
                | Q(
                    IsFraction(*TOTAL, *MAXIMUM),
                    IsFraction(*MAXIMUM),
                    total_numerator__isnull=False,
                    maximum_numerator__isnull=False,
                    passed__isnull=False,
                ),
                name="quiz_grade_is_a_fraction",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.learner_id} on {self.quiz_id}"

    @property
    def total(self) -> Fraction | None:
        """The points that count, exact; None before the first grading."""
        return fraction_or_none(self.total_numerator, self.total_denominator)

    @property
    def maximum(self) -> Fraction | None:
        """The points there were to earn; None before the first grading."""
        return fraction_or_none(self.maximum_numerator, self.maximum_denominator)


class State(models.TextChoices):
    """The states of an attempt: open → submitted → graded, or void."""

    OPEN = "open", _("open")
    SUBMITTED = "submitted", _("submitted")
    GRADED = "graded", _("graded")
    VOID = "void", _("void")


class SubmissionReason(models.TextChoices):
    """Why an attempt was submitted."""

    SUBMITTED = "submitted", _("submitted by the learner")
    EXPIRED = "expired", _("submitted when time was over")


PAPER = (
    *("id", "uuid", "quiz_grade_id", "quiz_version_id", "quiz_id", "number"),
    *("manifest", "started_at", "created_at", "is_staff_attempt", "reopened_from_id", "mac"),
)
"""Columns of an attempt that are settled when it begins; its learner is that of its quiz grade."""
ATTEMPT_RULES = (
    RowRule("open", ("INSERT",), "NEW.state <> 'open'", "an attempt begins open"),
    RowRule(
        "version",
        ("INSERT",),
        "NOT EXISTS (SELECT 1 FROM {schema}attempts_quizgrade g"
        " JOIN {schema}publishing_quizversion v ON v.quiz_id = g.quiz_id"
        " WHERE g.id = NEW.quiz_grade_id AND g.learner_id = NEW.learner_id"
        " AND g.quiz_id = NEW.quiz_id AND v.id = NEW.quiz_version_id)",
        "rows of attempts_attempt have the learner of attempts_quizgrade,"
        " and an attempt, its quiz grade and its quiz version are of one quiz",
    ),
    RowRule(
        "reopening",
        ("INSERT",),
        "NOT EXISTS (SELECT 1 FROM {schema}attempts_attempt"
        " WHERE id = NEW.reopened_from_id AND quiz_grade_id = NEW.quiz_grade_id"
        " AND quiz_version_id = NEW.quiz_version_id AND manifest = NEW.manifest"
        " AND state = 'void')",
        "an attempt is reopened with the same paper, and the earlier one is void",
        only_if="NEW.reopened_from_id IS NOT NULL",
    ),
    RowRule(
        "paper",
        (f"UPDATE OF {', '.join(PAPER)}",),
        changed(*PAPER),
        "an attempt keeps its learner, quiz version, manifest and start",
    ),
    RowRule(
        "state",
        ("UPDATE OF state",),
        "OLD.state <> NEW.state AND NOT (OLD.state = 'open' AND NEW.state IN ('submitted', 'void')"
        " OR OLD.state = 'submitted' AND NEW.state IN ('graded', 'void')"
        " OR OLD.state = 'graded' AND NEW.state = 'void')",
        "an attempt goes from open to submitted to graded, or is voided, and never back",
    ),
    RowRule(
        "ending",
        ("UPDATE OF submitted_at, submission_reason",),
        "OLD.state <> 'open' AND " + changed("submitted_at", "submission_reason"),
        "when and why an attempt was submitted never changes",
    ),
    RowRule(
        "voiding",
        ("UPDATE OF void_reason",),
        "(OLD.state = 'void' OR NEW.state <> 'void') AND " + changed("void_reason"),
        "the reason for voiding an attempt is written when it is voided",
    ),
    RowRule(
        "deadline",
        ("UPDATE OF deadline_at, cutoff_at",),
        "OLD.state <> 'open' OR OLD.deadline_at IS NULL OR NEW.deadline_at IS NULL"
        " OR (NEW.deadline_at < OLD.deadline_at OR NEW.cutoff_at < OLD.cutoff_at)"
        " AND NOT (OLD.paused_until IS NOT NULL AND NEW.paused_until IS NOT NULL"
        " AND NEW.paused_until < OLD.paused_until AND NEW.deadline_at >="
        " (SELECT max(deadline_before) FROM {schema}attempts_deadlineextension"
        " WHERE attempt_id = NEW.id AND by_pause AND deadline_at > deadline_before))",
        "a deadline moves out only, and while the attempt is open;"
        " by a pause that ends early it moves in, to what it was before the pause at most",
        only_if=changed("deadline_at", "cutoff_at"),
    ),
    RowRule(
        "pause",
        ("UPDATE OF paused_until, paused_for",),
        "OLD.state <> 'open' AND " + changed("paused_until", "paused_for"),
        "an attempt is paused and goes on while it is open",
    ),
    RowRule(
        "lock",
        ("UPDATE OF locked_slots",),
        "OLD.state <> 'open' OR NEW.locked_slots < OLD.locked_slots",
        "a question that was locked stays locked, and none is locked after the end",
        only_if=changed("locked_slots"),
    ),
    RowRule(
        "device",
        ("UPDATE OF device, device_changes",),
        "CASE WHEN OLD.state <> 'open'"
        " THEN NEW.device IS NOT NULL OR NEW.device_changes <> OLD.device_changes"
        " ELSE NEW.device IS NULL OR NEW.device_changes <> OLD.device_changes"
        " + CASE WHEN OLD.device IS NULL THEN 0 ELSE 1 END END",
        "an open attempt goes on on another device, and each time counts",
        only_if=changed("device", "device_changes"),
    ),
    RowRule(
        "extension",
        ("UPDATE OF deadline_at, cutoff_at",),
        "(NEW.deadline_at <> OLD.deadline_at OR NEW.cutoff_at <> OLD.cutoff_at)"
        " AND NOT EXISTS (SELECT 1 FROM {schema}attempts_deadlineextension"
        " WHERE attempt_id = NEW.id"
        " AND deadline_at = NEW.deadline_at AND cutoff_at = NEW.cutoff_at)",
        "a deadline moves by an extension that is recorded",
    ),
    RowRule(
        "receipt",
        ("UPDATE OF receipt",),
        "OLD.receipt IS NOT NULL AND " + changed("receipt"),
        "the receipt of an attempt is written once",
    ),
)


class Attempt(ChangeNumberedModel):
    """One learner's go at one quiz version. Its manifest (manifest.py) is whole in itself."""

    learner_from = "quiz_grade"
    has_learner_rule_on_insert = False  # the rule "version" asks about the learner, too
    denied_operations = KEPT_ROWS
    row_rules = ATTEMPT_RULES

    # The index of `attempt_number_once` begins with it.
    quiz_grade = models.ForeignKey(
        QuizGrade, models.PROTECT, related_name="attempts", db_index=False
    )
    quiz_version = models.ForeignKey(QuizVersion, models.PROTECT, related_name="attempts")
    quiz = models.ForeignKey(Quiz, models.PROTECT, related_name="attempts", verbose_name=_("quiz"))
    learner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="attempts",
        db_index=False,  # `attempt_by_learner` begins with it
        verbose_name=_("learner"),
    )
    number = models.PositiveIntegerField(_("number"))
    # Whoever took it could see the answers when it began: it counts in no grade (ADR 29).
    is_staff_attempt = models.BooleanField(
        _("by staff"), default=False, db_default=False, editable=False
    )
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN)
    # The attempt, void now, in whose place this one was opened: with its paper and its answers.
    reopened_from = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        related_name="reopened_as",
        db_index=False,
        editable=False,
    )
    manifest = models.JSONField()
    started_at = models.DateTimeField(_("started"))
    # With the accommodation; null: no limit and no closing time. The cut-off lies the network
    # grace later: what arrives until then counts.
    deadline_at = models.DateTimeField(null=True)
    cutoff_at = models.DateTimeField(null=True)
    # When its pause ends, or ended; the deadline lies out by all of it from its beginning (ADR 41).
    paused_until = models.DateTimeField(null=True)
    paused_for = models.DurationField(default=timedelta)
    # How many of its slots its learner has left and cannot go back to (ADR 58).
    locked_slots = models.PositiveIntegerField(default=0, db_default=0)
    # The device that it is open on, where one is allowed, and how often it moved (ADR 60).
    device = models.UUIDField(null=True, editable=False)
    device_changes = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    submitted_at = models.DateTimeField(_("submitted"), null=True)
    submission_reason = models.CharField(max_length=10, choices=SubmissionReason, blank=True)
    void_reason = models.CharField(max_length=300, blank=True)
    # What was handed in, signed (receipt.py); NULL until the attempt is submitted.
    receipt = models.JSONField(null=True)
    mac = models.BinaryField(
        max_length=32, help_text="of what it began with (attempt_codes.py), by a key of the site"
    )

    class Meta:
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")
        ordering = ["-started_at"]
        constraints = [
            # Bounded: at most one open attempt per learner and quiz, whatever races.
            models.UniqueConstraint(
                fields=["quiz_grade"], condition=Q(state="open"), name="attempt_one_open"
            ),
            # Numbers are how attempts are counted, so none may be given twice.
            models.UniqueConstraint(fields=["quiz_grade", "number"], name="attempt_number_once"),
            # Its answers go on in one other attempt.
            models.UniqueConstraint(
                fields=["reopened_from"],
                condition=Q(reopened_from__isnull=False),
                name="attempt_reopened_once",
            ),
            # What is submitted says when and why; what is open does not.
            models.CheckConstraint(
                condition=Q(state="void")
                | Q(state="open", submitted_at__isnull=True, submission_reason="")
                | (
                    Q(state__in=["submitted", "graded"], submitted_at__isnull=False)
                    & ~Q(submission_reason="")
                ),
                name="attempt_state_and_time_agree",
            ),
            # The network grace only ever gives time.
            models.CheckConstraint(
                condition=Q(deadline_at__isnull=True, cutoff_at__isnull=True)
                | Q(deadline_at__isnull=False, cutoff_at__gte=F("deadline_at")),
                name="attempt_cutoff_after_deadline",
            ),
            # Nobody's attempt is taken out of the count without a word.
            models.CheckConstraint(
                condition=(Q(state="void") & ~Q(void_reason=""))
                | (~Q(state="void") & Q(void_reason="")),
                name="attempt_void_has_reason",
            ),
        ]
        indexes = [
            models.Index(fields=["learner", "-started_at"], name="attempt_by_learner"),
            # Programs follow what changes, in this order.
            models.Index(fields=["change_number"], name="attempt_by_change"),
            # The sweeps look for these alone.
            models.Index(
                fields=["cutoff_at"], condition=Q(state="open"), name="attempt_open_cutoff"
            ),
            models.Index(
                fields=["submitted_at"], condition=Q(state="submitted"), name="attempt_ungraded"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.learner} · {self.quiz} · {self.number}"


class DeadlineExtension(LearnerRow, RecordRow):
    """That the deadline of a running attempt moved: without it the database moves none.

    By a pause it moves out by the longest that the pause can be, and in again if that ends earlier.
    """

    # The index of `extension_number_once` begins with it.
    attempt = models.ForeignKey(Attempt, models.PROTECT, related_name="extensions", db_index=False)
    number = models.PositiveIntegerField()
    deadline_before = models.DateTimeField()
    deadline_at = models.DateTimeField()
    cutoff_at = models.DateTimeField()
    by_pause = models.BooleanField(default=False)
    extended_at = models.DateTimeField()
    digest = models.BinaryField(max_length=32, help_text="of the row and the digest before it")
    mac = models.BinaryField(max_length=32, help_text="of the digest, by a key of the site")

    class Meta:
        verbose_name = _("deadline extension")
        verbose_name_plural = _("deadline extensions")
        ordering = ["attempt", "number"]
        constraints = [
            # One follows another: two with one predecessor would be two histories.
            models.UniqueConstraint(fields=["attempt", "number"], name="extension_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.attempt_id} until {self.deadline_at}"


class QuizPause(TimestampedModel):
    """That an instructor has paused everybody at a quiz: nobody begins while they are paused."""

    quiz = models.ForeignKey(Quiz, models.PROTECT, related_name="pauses")
    paused_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    paused_until = models.DateTimeField()

    class Meta:
        verbose_name = _("pause of a quiz")
        verbose_name_plural = _("pauses of quizzes")
        constraints = [
            # The last pause of a person at a quiz: earlier ones are over, or go on in it.
            models.UniqueConstraint(fields=["quiz", "paused_by"], name="quiz_pause_once"),
        ]

    def __str__(self) -> str:
        return f"{self.quiz_id} until {self.paused_until}"


MAX_MESSAGE_LENGTH = 1_000


class AttemptMessage(LearnerRow, RecordRow):
    """What an instructor has written to a learner who was taking a quiz; plain text."""

    attempt = models.ForeignKey(Attempt, models.PROTECT, related_name="instructor_messages")
    text = models.CharField(max_length=MAX_MESSAGE_LENGTH)
    sent_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    sent_at = models.DateTimeField()

    class Meta:
        verbose_name = _("message to a learner")
        verbose_name_plural = _("messages to learners")
        ordering = ["attempt", "pk"]

    def __str__(self) -> str:
        return self.text


class SaveStatus(models.TextChoices):
    """What became of a save."""

    ACCEPTED = "accepted", _("counts")
    LATE = "late", _("came after the deadline")
    CONFLICT = "conflict", _("another tab had saved first")
    LOCKED = "locked", _("came after the question was left")


class Response(LearnerRow, RecordRow):
    """One save of one slot: an entry of the journal. The highest accepted revision counts.

    A NULL answer means that the learner took the answer back. The client makes the
    `idempotency_key`, so that a save sent twice is one entry; `revision` counts the
    accepted entries of a slot, `sequence` all entries of the attempt. Each is chained to
    the one before it (response_chain.py).
    """

    row_rules = (
        RowRule(
            "accepted",
            ("INSERT",),
            # Asked for each save, so one look says all: whose it is, in time or late, in its place.
            "NOT EXISTS (SELECT 1 FROM {schema}attempts_attempt"
            " WHERE id = NEW.attempt_id AND learner_id = NEW.learner_id"
            " AND (NEW.status <> 'late') = (state = 'open'"
            " AND (cutoff_at IS NULL OR cutoff_at >= NEW.received_at))"
            " AND (NEW.status NOT IN ('accepted', 'locked')"
            " OR (NEW.status = 'locked') = (NEW.slot < locked_slots))"
            " AND (NEW.sequence = 1 OR EXISTS (SELECT 1 FROM {schema}attempts_response"
            " WHERE attempt_id = NEW.attempt_id AND sequence = NEW.sequence - 1))"
            " AND (NEW.revision = 1 OR EXISTS (SELECT 1 FROM {schema}attempts_response"
            " WHERE attempt_id = NEW.attempt_id AND slot = NEW.slot"
            " AND revision = NEW.revision - 1 AND status = 'accepted')))",
            "rows of attempts_response have the learner of attempts_attempt,"
            " are accepted while it is open and in time and late after it, locked once their"
            " question is left,"
            " and are numbered from 1 without a gap",
        ),
    )
    has_learner_rule_on_insert = False
    erasable_fields: ClassVar = {"erasure": ("answer", "salt")}
    erasable_if = (ERASURE_OF_LEARNER, ENDED_ATTEMPT)

    # The index of `response_sequence_once` begins with it.
    attempt = models.ForeignKey(Attempt, models.PROTECT, related_name="responses", db_index=False)
    sequence = models.PositiveIntegerField()
    slot = models.PositiveIntegerField()
    revision = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=SaveStatus, default=SaveStatus.ACCEPTED)
    answer = models.JSONField(null=True)
    flagged = models.BooleanField(default=False)
    idempotency_key = models.UUIDField()
    client = models.UUIDField(null=True, help_text="the tab or program that sent it")
    language = models.CharField(max_length=5, blank=True)
    received_at = models.DateTimeField()
    salt = models.BinaryField(null=True, max_length=16)
    answer_digest = models.BinaryField(max_length=32, help_text="of salt and answer")
    digest = models.BinaryField(max_length=32, help_text="of the row and the digest before it")
    mac = models.BinaryField(max_length=32, help_text="of the digest, by a key of the site")
    erasure = models.ForeignKey(
        Erasure, models.PROTECT, null=True, related_name="+", db_index=False
    )

    class Meta:
        verbose_name = _("response")
        verbose_name_plural = _("responses")
        ordering = ["attempt", "slot", "revision"]
        constraints = [
            # Two saves over the same state: the second is a conflict, not an overwrite.
            models.UniqueConstraint(
                fields=["attempt", "slot", "revision"],
                condition=Q(status="accepted"),
                name="response_revision_once",
            ),
            # One row follows another: two with one predecessor would be two journals.
            models.UniqueConstraint(fields=["attempt", "sequence"], name="response_sequence_once"),
            # Sent twice, kept once.
            models.UniqueConstraint(
                fields=["attempt", "idempotency_key"], name="response_idempotency_key_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.attempt_id}/{self.slot} r{self.revision}"
