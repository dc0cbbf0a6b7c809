"""The draft of a quiz (Quiz, Section, Slot) and what is published of it (QuizVersion…)."""

from fractions import Fraction
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Group
from quizzes.bank.models import Bank, Question, QuestionVersion, Tag
from quizzes.lib.base_models import (
    FrozenModel,
    TimestampedModel,
    build_calendar_constraint,
    check_calendar,
)
from quizzes.lib.practice_credits import check_practice_credits
from quizzes.lib.tag_names import check_tag_names
from quizzes.lib.translated_texts import choose_title
from quizzes.lib.triggers import RowRule


class Audience(models.TextChoices):
    """Who may take a quiz."""

    GROUPS = "groups", _("the classes it is assigned to")
    SIGNED_IN = "signed_in", _("everyone who is signed in")
    ANYONE = "anyone", _("anyone, also without an account")


OPEN_TO_ALL = (Audience.SIGNED_IN, Audience.ANYONE)
"""Quizzes that everyone who is signed in may take, whatever class they are in."""


class Mode(models.TextChoices):
    """What a quiz is for; it sets the defaults of its policies."""

    GRADED = "graded", _("graded")
    PRACTICE = "practice", _("practice")


class AttemptGradePolicy(models.TextChoices):
    """Which of several attempts counts."""

    HIGHEST = "highest", _("the highest")
    LATEST = "latest", _("the latest")
    FIRST = "first", _("the first")
    AVERAGE = "average", _("the average")


class RevealMoment(models.TextChoices):
    """When a part of a result may be shown."""

    NEVER = "never", _("never")
    AFTER_SUBMIT = "after_submit", _("after submitting")
    AFTER_PASS = "after_pass", _("after passing")
    AFTER_LAST_ATTEMPT = "after_last_attempt", _("after passing or the last attempt")
    AFTER_CLOSE = "after_close", _("after the quiz has closed for everyone")


# What makes sense: an attempt of no minutes is over before it begins, and a window of a million
# years ends beyond all calendars. No limit at all is an empty field.
BOUNDS = {
    "time_limit": (1, 100_000),
    "grace_seconds": (0, 3_600),
    "max_attempts": (1, 10_000),
    "cooldown_minutes": (0, 1_000_000),
    "window_attempts": (1, 10_000),
    "window_hours": (1, 100_000),
}


def list_bound_validators(name: str) -> list[Any]:
    """Return the validators of a field with bounds."""
    least, most = BOUNDS[name]
    return [MinValueValidator(least), MaxValueValidator(most)]


def _build_bound_constraint(name: str) -> models.CheckConstraint:
    least, most = BOUNDS[name]
    within = Q(**{f"{name}__isnull": True}) | Q(**{f"{name}__range": (least, most)})
    return models.CheckConstraint(condition=within, name=f"quiz_{name}_in_bounds")


class Quiz(TimestampedModel):
    """The draft of a quiz: what to ask, and the policies of its next version."""

    searched_columns = ("slug",)
    row_rules = (
        RowRule(
            "current",
            ("INSERT", "UPDATE OF current_id"),
            "NEW.current_id IS NOT NULL AND NOT EXISTS (SELECT 1"
            " FROM {schema}publishing_quizversion WHERE id = NEW.current_id AND quiz_id = NEW.id)",
            "the current version of a quiz is one of its own",
        ),
    )

    slug = models.SlugField(_("short name"), max_length=100, unique=True)
    title = models.JSONField(_("title"), default=dict, help_text="language → text")
    intro = models.JSONField(_("introduction"), default=dict, blank=True)
    source_language = models.CharField(_("source language"), max_length=5, default="en")
    group = models.ForeignKey(
        Group,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="quizzes",
        verbose_name=_("class"),
        help_text=_("Whose instructors may edit. Without a class: administrators only."),
    )
    audience = models.CharField(
        _("open to"),
        max_length=10,
        choices=Audience,
        default=Audience.GROUPS,
        help_text=_(
            "Without an account it is taken only while it is given to no class, is no practice and"
            " asks nothing that another graded quiz may ask."
        ),
    )
    mode = models.CharField(_("mode"), max_length=10, choices=Mode, default=Mode.GRADED)
    opens_at = models.DateTimeField(_("opens"), null=True, blank=True, validators=[check_calendar])
    closes_at = models.DateTimeField(
        _("closes"), null=True, blank=True, validators=[check_calendar]
    )

    pass_percent = models.DecimalField(
        _("pass mark in per cent"),
        max_digits=7,
        decimal_places=4,
        default=80,
        validators=[MinValueValidator(0), MaxValueValidator(100)],
    )
    time_limit = models.PositiveIntegerField(
        _("time limit in minutes"),
        validators=list_bound_validators("time_limit"),
        null=True,
        blank=True,
    )
    grace_seconds = models.PositiveIntegerField(
        _("grace for late saves in seconds"),
        validators=list_bound_validators("grace_seconds"),
        default=10,
    )
    max_attempts = models.PositiveIntegerField(
        _("attempts at most"),
        validators=list_bound_validators("max_attempts"),
        null=True,
        blank=True,
    )
    cooldown_minutes = models.PositiveIntegerField(
        _("minutes between attempts"),
        validators=list_bound_validators("cooldown_minutes"),
        default=0,
    )
    window_attempts = models.PositiveIntegerField(
        _("attempts per window"),
        validators=list_bound_validators("window_attempts"),
        null=True,
        blank=True,
        default=3,
    )
    window_hours = models.PositiveIntegerField(
        _("hours of the window"), validators=list_bound_validators("window_hours"), default=8
    )
    attempt_grade_policy = models.CharField(
        _("which attempt counts"),
        max_length=10,
        choices=AttemptGradePolicy,
        default=AttemptGradePolicy.HIGHEST,
    )
    scoring_method = models.CharField(
        _("scoring of multiple choice"),
        max_length=30,
        blank=True,
        help_text=_("Empty: as each question says."),
    )
    shuffle_questions = models.BooleanField(_("shuffle questions"), default=False)
    shuffle_options = models.BooleanField(_("shuffle options"), default=True)
    enemy_tags = models.CharField(
        _("tags whose questions never come together"),
        max_length=600,
        blank=True,
        validators=[check_tag_names],
        help_text=_(
            "For questions that give each other away: of those with the same one of these tags an "
            "attempt asks at most one. Tags with commas between them."
        ),
    )
    enemies = models.JSONField(default=list, blank=True, editable=False)
    """Sets of primary keys of questions, picked: of each an attempt asks at most one."""
    one_question_a_page = models.BooleanField(
        _("one question a page"),
        default=False,
        help_text=_("Without it learners see all questions, or one at a time if they prefer."),
    )
    lock_questions = models.BooleanField(
        _("lock questions as learners go on"),
        default=False,
        help_text=_(
            "Learners get one question after the other, and can neither see nor change one that "
            "they have left."
        ),
    )
    one_device = models.BooleanField(
        _("one device at a time"),
        default=False,
        help_text=_(
            "An attempt is open on one device. Whoever opens it on another is asked before it goes "
            "on there, and the earlier device can save no more."
        ),
    )

    # Not frozen with a version: switched on later, it is for those who have passed already, too.
    gives_certificates = models.BooleanField(
        _("whoever passes may make a certificate"),
        default=False,
        help_text=_(
            "A page and a print with the name of the quiz, which learners may show to others and "
            "anybody can check. Switched off, no more are made; those that were made stay."
        ),
    )

    practice_credits = models.CharField(
        _("what each try is worth in practice"),
        max_length=100,
        default="1, 1/2, 1/4",
        validators=[check_practice_credits],
        help_text=_("The first try first; so many tries there are."),
    )
    practice_shows_keys = models.BooleanField(
        _("practice may show the right answers of its questions"),
        default=False,
        help_text=_(
            "Of a graded quiz: else practice says nothing of right and wrong of what this quiz may "
            "still ask a learner."
        ),
    )

    reveal_score = models.CharField(
        _("score"), max_length=20, choices=RevealMoment, default=RevealMoment.AFTER_SUBMIT
    )
    reveal_correctness = models.CharField(
        _("right or wrong"), max_length=20, choices=RevealMoment, default=RevealMoment.AFTER_SUBMIT
    )
    reveal_feedback = models.CharField(
        _("feedback of options"),
        max_length=20,
        choices=RevealMoment,
        default=RevealMoment.AFTER_SUBMIT,
    )
    reveal_hints = models.CharField(
        _("hints and where to read on"),
        max_length=20,
        choices=RevealMoment,
        default=RevealMoment.AFTER_SUBMIT,
        help_text=_("For questions not got right; with them, texts that may come early."),
    )
    reveal_key = models.CharField(
        _("right answers"),
        max_length=20,
        choices=RevealMoment,
        default=RevealMoment.AFTER_LAST_ATTEMPT,
    )
    reveal_explanation = models.CharField(
        _("explanation"),
        max_length=20,
        choices=RevealMoment,
        default=RevealMoment.AFTER_LAST_ATTEMPT,
    )
    feedback_all_options = models.BooleanField(
        _("feedback also of options not chosen"), default=False
    )

    current = models.OneToOneField(
        "QuizVersion", models.PROTECT, null=True, editable=False, related_name="+"
    )
    retired_at = models.DateTimeField(_("retired"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("quiz")
        verbose_name_plural = _("quizzes")
        ordering = ["slug"]
        indexes = [
            models.Index(
                fields=["audience"],
                condition=Q(audience__in=OPEN_TO_ALL),
                name="quiz_open_to_all",
            )
        ]
        constraints = [
            # A window that closes before it opens would lock everyone out without a word.
            models.CheckConstraint(
                condition=Q(opens_at__isnull=True)
                | Q(closes_at__isnull=True)
                | Q(opens_at__lt=F("closes_at")),
                name="quiz_opens_before_closing",
                violation_error_message=_("The quiz must open before it closes."),
            ),
            build_calendar_constraint("opens_at", "quiz_opens_in_calendar"),
            build_calendar_constraint("closes_at", "quiz_closes_in_calendar"),
            # Questions that are locked are asked one by one.
            models.CheckConstraint(
                condition=Q(lock_questions=False) | Q(one_question_a_page=True),
                name="quiz_locks_one_question_a_page",
                violation_error_message=_(
                    "To lock questions as learners go on, ask one question a page."
                ),
            ),
            # Whoever writes them, deadlines and windows stay within all calendars.
            *map(_build_bound_constraint, BOUNDS),
        ]

    def __str__(self) -> str:
        return choose_title(self.title, self.source_language) or self.slug


class Section(models.Model):
    """A part of a quiz with a heading of its own."""

    quiz = models.ForeignKey(Quiz, models.CASCADE, related_name="sections")
    position = models.PositiveIntegerField(_("position"), default=0)
    title = models.JSONField(_("title"), default=dict, blank=True)

    class Meta:
        verbose_name = _("section")
        verbose_name_plural = _("sections")
        ordering = ["position", "pk"]

    def __str__(self) -> str:
        return str(next(iter(self.title.values()), "") or self.position)


class Slot(models.Model):
    """A place in a quiz: one fixed question, or a draw of some from a bank by tag."""

    section = models.ForeignKey(Section, models.CASCADE, related_name="slots")
    position = models.PositiveIntegerField(_("position"), default=0)
    question = models.ForeignKey(
        Question, models.PROTECT, null=True, blank=True, verbose_name=_("question")
    )
    pool_bank = models.ForeignKey(
        Bank, models.PROTECT, null=True, blank=True, verbose_name=_("draw from bank")
    )
    pool_tag = models.ForeignKey(
        Tag, models.PROTECT, null=True, blank=True, verbose_name=_("only with tag")
    )
    draw = models.PositiveIntegerField(
        _("how many to draw"), default=1, validators=[MinValueValidator(1)]
    )
    points = models.DecimalField(
        _("points each"),
        max_digits=8,
        decimal_places=4,
        default=1,
        validators=[MinValueValidator(0)],
    )

    class Meta:
        verbose_name = _("slot")
        verbose_name_plural = _("slots")
        ordering = ["position", "pk"]
        constraints = [
            # Either a question or a pool: with both or neither nobody knows what is asked.
            models.CheckConstraint(
                condition=Q(question__isnull=False, pool_bank__isnull=True)
                | Q(question__isnull=True, pool_bank__isnull=False),
                name="slot_question_or_pool",
                violation_error_message=_("Name either a question or a bank to draw from."),
            ),
        ]

    def __str__(self) -> str:
        if self.question is not None:
            return str(self.question)
        tag = f" ({self.pool_tag})" if self.pool_tag else ""
        return f"{self.draw} × {self.pool_bank}{tag}"


class QuizVersion(FrozenModel):
    """One published quiz. Its policies are plain JSON in the shape of `policies.Policies`."""

    quiz = models.ForeignKey(Quiz, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    title = models.JSONField()
    intro = models.JSONField()
    source_language = models.CharField(max_length=5)
    policies = models.JSONField()
    pass_numerator = models.BigIntegerField()
    pass_denominator = models.BigIntegerField()
    question_count = models.PositiveIntegerField()
    maximum_numerator = models.BigIntegerField()
    maximum_denominator = models.BigIntegerField()
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    digest = models.CharField(max_length=64)
    accepted_pass = models.JSONField(null=True)
    """Which certain pass of memorisers its publisher accepted, as `MemorisedPass` has it."""

    class Meta:
        verbose_name = _("quiz version")
        verbose_name_plural = _("quiz versions")
        ordering = ["quiz", "-number"]
        constraints = [
            # The history of a quiz is a row of each number occurs once.
            models.UniqueConstraint(fields=["quiz", "number"], name="quiz_version_number_once"),
        ]

    def __str__(self) -> str:
        return f"{choose_title(self.title, self.source_language)} #{self.number}"

    @property
    def threshold(self) -> Fraction:
        """The pass mark as a part of the maximum."""
        return Fraction(self.pass_numerator, self.pass_denominator)

    @property
    def maximum(self) -> Fraction:
        """The points of all questions together."""
        return Fraction(self.maximum_numerator, self.maximum_denominator)


class QuizVersionItem(FrozenModel):
    """A place in a quiz version: `draw` questions out of its candidates (a fixed one: 1 of 1)."""

    row_rules = (
        RowRule(
            "published",
            ("INSERT",),
            "EXISTS (SELECT 1 FROM {schema}publishing_quizversion v"
            " JOIN {schema}publishing_quiz q ON q.id = v.quiz_id"
            " WHERE v.id = NEW.quiz_version_id AND q.current_id >= v.id)",
            "nothing is added to a version that is published",
        ),
    )

    quiz_version = models.ForeignKey(QuizVersion, models.PROTECT, related_name="items")
    position = models.PositiveIntegerField()
    section = models.PositiveIntegerField(default=0)
    section_title = models.JSONField(default=dict)
    draw = models.PositiveIntegerField(default=1)
    points_numerator = models.BigIntegerField()
    points_denominator = models.BigIntegerField()

    class Meta:
        ordering = ["quiz_version", "position"]
        constraints = [
            # Two items in one place would make the order of questions a matter of luck.
            models.UniqueConstraint(fields=["quiz_version", "position"], name="item_position_once"),
        ]

    def __str__(self) -> str:
        return f"{self.quiz_version_id} · {self.position}"


class PoolCandidate(FrozenModel):
    """A question version that an item may draw."""

    row_rules = (
        RowRule(
            "published",
            ("INSERT",),
            "EXISTS (SELECT 1 FROM {schema}publishing_quizversionitem i"
            " JOIN {schema}publishing_quizversion v ON v.id = i.quiz_version_id"
            " JOIN {schema}publishing_quiz q ON q.id = v.quiz_id"
            " WHERE i.id = NEW.item_id AND q.current_id >= v.id)",
            "nothing is added to a version that is published",
        ),
    )

    item = models.ForeignKey(QuizVersionItem, models.PROTECT, related_name="candidates")
    version = models.ForeignKey(QuestionVersion, models.PROTECT, related_name="+")
    enemy_set = models.CharField(max_length=60, blank=True)
    """Of questions of one version with the same set an attempt asks at most one; empty: no set."""

    class Meta:
        ordering = ["item", "pk"]
        constraints = [
            # A question that stands twice in a pool would be drawn twice as often.
            models.UniqueConstraint(fields=["item", "version"], name="candidate_once"),
        ]

    def __str__(self) -> str:
        return f"{self.item_id} · {self.version_id}"
