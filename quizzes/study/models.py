"""What a learner studies: decks, cards with their state, and the log that the states come from."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Group
from quizzes.attempts.models import Attempt, LearnerRow
from quizzes.bank.models import Bank, Question, QuestionVersion
from quizzes.lib.base_models import RecordRow, TimestampedModel
from quizzes.lib.triggers import RowRule
from quizzes.results.models import Grading
from quizzes.study.domain import replay

CARD_KIND = "flashcard"
FEWEST_RECALLED, MOST_RECALLED = 700, 970
"""Thousandths: below, cards are forgotten; above, they come every day."""


class StudyOffer(TimestampedModel):
    """That the cards of a bank can be studied: by a class, or by everyone signed in."""

    bank = models.ForeignKey(
        Bank, models.CASCADE, related_name="study_offers", verbose_name=_("bank")
    )
    group = models.ForeignKey(
        Group,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("class"),
        help_text=_("Without a class, everyone who is signed in may study the cards."),
    )

    class Meta:
        verbose_name = _("study offer")
        verbose_name_plural = _("study offers")
        ordering = ["pk"]
        constraints = [
            # Offered twice, it would be two decks of the same cards.
            models.UniqueConstraint(fields=["bank", "group"], name="study_offer_once"),
            models.UniqueConstraint(
                fields=["bank"], condition=Q(group__isnull=True), name="study_offer_everyone_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bank} → {self.group or 'everyone'}"


class StudyDeck(TimestampedModel):
    """That a learner studies the cards of a bank."""

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    bank = models.ForeignKey(Bank, models.CASCADE, related_name="+")

    class Meta:
        verbose_name = "deck"
        ordering = ["learner", "pk"]
        constraints = [
            # Added by two tabs at once, it is one deck.
            models.UniqueConstraint(fields=["learner", "bank"], name="study_deck_once"),
        ]

    def __str__(self) -> str:
        return f"{self.learner_id} · {self.bank_id}"


class LanguageChoice(models.TextChoices):
    """In which language cards are asked that are written in several."""

    PAGE = "page", _("the language of the page")
    OTHER = "other", _("another language than the last time")


class StudySettings(TimestampedModel):
    """How much a learner studies in a day, and how well they want to know it.

    The row is locked before anything is added to their logs, so that two devices wait for each
    other. `retention` is the share of cards to be recalled when they come, in thousandths.
    """

    learner = models.OneToOneField(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    new_per_day = models.PositiveIntegerField(_("new cards a day"), default=10)
    reviews_per_day = models.PositiveIntegerField(_("reviews a day"), default=100)
    retention = models.PositiveIntegerField(default=900)
    day_starts_at = models.PositiveIntegerField(_("a new day starts at"), default=4)
    reminder_hour = models.PositiveIntegerField(_("reminded by mail at"), default=17)
    language_choice = models.CharField(
        max_length=10, choices=LanguageChoice, default=LanguageChoice.PAGE
    )

    class Meta:
        verbose_name = "study settings"
        constraints = [
            # FSRS gives no sensible intervals beyond.
            models.CheckConstraint(
                condition=Q(retention__range=(FEWEST_RECALLED, MOST_RECALLED)),
                name="study_retention_range",
            ),
            # An hour of a clock.
            models.CheckConstraint(
                condition=Q(day_starts_at__range=(0, 23)), name="study_day_starts_at_an_hour"
            ),
            models.CheckConstraint(
                condition=Q(reminder_hour__range=(0, 23)), name="study_reminder_hour"
            ),
        ]

    def __str__(self) -> str:
        return f"study settings of {self.learner_id}"


class CardSource(models.TextChoices):
    """Why there is a card."""

    BANK = "bank", "bank"
    MISTAKE = "mistake", "mistake"


class StudyCard(TimestampedModel):
    """A question, or one option of it, that a learner studies, and what its log comes to.

    It is of the question, not of a version: with a bank imported again it goes on. What is shown of
    a mistake is of the `version` whose key reveal showed; of a card of a bank, the current version.
    The state, from `phase` on, is `replay` of the log, stored in the transaction that adds to it.
    """

    learner_from = ""

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    question = models.ForeignKey(Question, models.PROTECT, related_name="+")
    option = models.CharField(max_length=64, blank=True, help_text="id; empty: the whole question")
    source = models.CharField(max_length=10, choices=CardSource)
    version = models.ForeignKey(QuestionVersion, models.PROTECT, null=True, related_name="+")

    phase = models.CharField(max_length=10, default=replay.NEW)
    step = models.PositiveIntegerField(null=True)
    stability = models.FloatField(null=True)
    difficulty = models.FloatField(null=True)
    due_at = models.DateTimeField(null=True)
    first_reviewed_at = models.DateTimeField(null=True)
    last_reviewed_at = models.DateTimeField(null=True)
    last_language = models.CharField(max_length=5, blank=True)
    review_count = models.PositiveIntegerField(default=0)
    lapses = models.PositiveIntegerField(default=0)
    is_suspended = models.BooleanField(default=False)
    buried_until = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "study card"
        ordering = ["learner", "pk"]
        constraints = [
            # Whatever adds it, and how often: one card, with one log.
            models.UniqueConstraint(
                fields=["learner", "question", "option"], name="study_card_once"
            ),
            # A card that was never reviewed is due at no time; each other is at one.
            models.CheckConstraint(
                condition=Q(phase=replay.NEW, due_at__isnull=True)
                | ~Q(phase=replay.NEW) & Q(due_at__isnull=False),
                name="study_card_due_unless_new",
            ),
            # A key that was revealed is that of a version; cards of banks have the current one.
            models.CheckConstraint(
                condition=Q(source=CardSource.BANK, version__isnull=True)
                | Q(source=CardSource.MISTAKE, version__isnull=False),
                name="study_card_mistake_has_version",
            ),
        ]
        indexes = [models.Index(fields=["learner", "due_at"], name="study_card_due")]

    def __str__(self) -> str:
        return f"{self.learner_id} · {self.question_id} {self.option}".rstrip()


class StudyLogEntry(LearnerRow, RecordRow):
    """An entry of the log of a card: a review, or an undo, bury, suspend or unsuspend of it.

    Appended, never changed; gone only when its learner is erased. The device makes `client_id`, so
    that an entry sent twice is stored once. `device_at` and `sent_at` are what its clock showed at
    the review and when it was sent; `reviewed_at` is the server's reading of the first
    (`times.correct_time`), by which entries are ordered.
    """

    learner_from = "card"
    denied_operations = ("UPDATE", "TRUNCATE")
    row_rules = (
        RowRule(
            "erased",
            ("DELETE",),
            "NOT EXISTS (SELECT 1 FROM {schema}attempts_erasure WHERE learner_id = OLD.learner_id)",
            "entries of a study log go only with the person",
        ),
    )

    card = models.ForeignKey(StudyCard, models.PROTECT, related_name="log")
    client_id = models.UUIDField()
    action = models.CharField(max_length=10)
    rating = models.PositiveSmallIntegerField(null=True)
    rests_until = models.DateTimeField(null=True)
    undoes = models.UUIDField(null=True)
    retention = models.PositiveIntegerField()
    language = models.CharField(max_length=5, blank=True)
    device = models.UUIDField()
    device_at = models.DateTimeField()
    sent_at = models.DateTimeField()
    received_at = models.DateTimeField()
    reviewed_at = models.DateTimeField()

    class Meta:
        verbose_name = "study log entry"
        verbose_name_plural = "study log entries"
        ordering = ["card", "reviewed_at", "client_id"]
        constraints = [
            # Sent again, by whatever device, it is the same entry.
            models.UniqueConstraint(fields=["learner", "client_id"], name="study_entry_once"),
            # A review is rated; an undo names what it takes back; a bury has an end.
            models.CheckConstraint(
                condition=Q(action=replay.REVIEW, rating__range=(replay.AGAIN, replay.EASY))
                | ~Q(action=replay.REVIEW) & Q(rating__isnull=True),
                name="study_entry_review_is_rated",
            ),
            models.CheckConstraint(
                condition=Q(action=replay.UNDO, undoes__isnull=False)
                | ~Q(action=replay.UNDO) & Q(undoes__isnull=True),
                name="study_entry_undo_names_entry",
            ),
            models.CheckConstraint(
                condition=Q(action=replay.BURY, rests_until__isnull=False)
                | ~Q(action=replay.BURY) & Q(rests_until__isnull=True),
                name="study_entry_bury_ends",
            ),
            # Nothing was reviewed after it was received.
            models.CheckConstraint(
                condition=Q(reviewed_at__lte=models.F("received_at")),
                name="study_entry_before_received",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.card_id} {self.action} {self.client_id}"


class MistakeSync(models.Model):
    """That the mistakes of an attempt became cards, as they stood in a grading."""

    learner_from = "attempt"

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    attempt = models.OneToOneField(Attempt, models.CASCADE, related_name="mistake_sync")
    grading = models.ForeignKey(Grading, models.CASCADE, related_name="+")
    synced_at = models.DateTimeField()

    class Meta:
        verbose_name = "mistakes made cards"
        ordering = ["learner", "pk"]

    def __str__(self) -> str:
        return f"mistakes of {self.attempt_id}"
