"""Banks, questions and their frozen versions; key and feedback in tables of their own.

What a taker may see (QuestionVersion, VersionTranslation) and what only reveal may see (VersionKey,
VersionFeedback) never share a row, so code that serves an open attempt cannot leak by reading
one column too many.
"""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Group
from quizzes.lib.base_models import FrozenModel, ImmutableModel, TimestampedModel
from quizzes.lib.translated_texts import choose_title
from quizzes.lib.triggers import RowRule

CURRENT_RULE = RowRule(
    "current",
    ("INSERT", "UPDATE OF current_id"),
    "NEW.current_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM {schema}bank_questionversion"
    " WHERE id = NEW.current_id AND question_id = NEW.id)",
    "the current version of a question is one of its own",
)
PART_RULE = RowRule(
    "published",
    ("INSERT",),
    "EXISTS (SELECT 1 FROM {schema}bank_questionversion v"
    " JOIN {schema}bank_question q ON q.id = v.question_id"
    " WHERE v.id = NEW.version_id AND q.current_id >= v.id)",
    "nothing is added to a version that is published",
)


class Bank(TimestampedModel):
    """A named collection of questions with a source and a licence."""

    slug = models.SlugField(_("short name"), max_length=100, unique=True)
    title = models.JSONField(_("title"), default=dict, help_text="language → text")
    description = models.JSONField(_("description"), default=dict, blank=True)
    source = models.CharField(_("source"), max_length=500, blank=True)
    licence = models.CharField(_("licence"), max_length=100, blank=True)
    source_language = models.CharField(_("source language"), max_length=5, default="en")
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="banks",
        verbose_name=_("owner"),
    )
    group = models.ForeignKey(
        Group,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="banks",
        verbose_name=_("class"),
        help_text=_("Its instructors see the keys and may edit."),
    )

    # What a file last said, so that loading it again does not undo what authors did since.
    imported_fingerprint = models.CharField(max_length=64, blank=True, editable=False)

    class Meta:
        verbose_name = _("bank")
        verbose_name_plural = _("banks")
        ordering = ["slug"]

    def __str__(self) -> str:
        return choose_title(self.title, self.source_language) or self.slug


class BankRight(models.TextChoices):
    """What sharing a bank gives."""

    USE = "use", _("use its questions")
    EDIT = "edit", _("edit")


class BankShare(TimestampedModel):
    """That a bank is shared with a person, with the instructors of a class, or with all of them.

    Without a person and a class it is shared with everyone who teaches.
    """

    bank = models.ForeignKey(Bank, models.CASCADE, related_name="shares")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+"
    )
    group = models.ForeignKey(Group, models.CASCADE, null=True, related_name="+")
    right = models.CharField(max_length=10, choices=BankRight, default=BankRight.USE)

    class Meta:
        verbose_name = _("bank share")
        verbose_name_plural = _("bank shares")
        ordering = ["pk"]
        constraints = [
            # One share names one audience, so that "with whom?" has one answer.
            models.CheckConstraint(
                condition=Q(person__isnull=True) | Q(group__isnull=True),
                name="bank_share_names_one",
            ),
            # Who may change a bank is always named.
            models.CheckConstraint(
                condition=Q(person__isnull=False) | Q(group__isnull=False) | Q(right="use"),
                name="bank_share_with_everyone_is_use",
            ),
            # Two rights of one person would contradict each other; likewise of a class.
            models.UniqueConstraint(fields=["bank", "person"], name="bank_share_person_once"),
            models.UniqueConstraint(fields=["bank", "group"], name="bank_share_group_once"),
            models.UniqueConstraint(
                fields=["bank"],
                condition=Q(person__isnull=True, group__isnull=True),
                name="bank_share_everyone_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.bank} → {self.person or self.group or 'everyone who teaches'}"


class Tag(models.Model):
    """A word to find questions by."""

    name = models.SlugField(_("name"), max_length=60, unique=True, allow_unicode=True)

    class Meta:
        verbose_name = _("tag")
        verbose_name_plural = _("tags")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Question(TimestampedModel):
    """The stable identity of one item. Nobody is ever graded on its draft."""

    row_rules = (CURRENT_RULE,)

    bank = models.ForeignKey(Bank, models.PROTECT, related_name="questions", verbose_name=_("bank"))
    name = models.SlugField(_("name"), max_length=100)
    kind = models.CharField(_("kind"), max_length=30)
    tags = models.ManyToManyField(Tag, blank=True, related_name="questions", verbose_name=_("tags"))
    current = models.OneToOneField(
        "QuestionVersion", models.PROTECT, null=True, editable=False, related_name="+"
    )
    retired_at = models.DateTimeField(_("retired"), null=True, blank=True, editable=False)
    # The question that has its words now: a twin, of another language, that was retired for it.
    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, editable=False, related_name="merged_questions"
    )
    imported_fingerprint = models.CharField(max_length=64, blank=True, editable=False)

    class Meta:
        verbose_name = _("question")
        verbose_name_plural = _("questions")
        ordering = ["bank", "pk"]
        constraints = [
            # Loading a bank twice must find the same question, not make a twin.
            models.UniqueConstraint(fields=["bank", "name"], name="question_name_once"),
        ]

    def __str__(self) -> str:
        return self.name


class Draft(models.Model):
    """The editable state of a question, whole: the shape of `QuestionDocument`."""

    question = models.OneToOneField(Question, models.CASCADE, related_name="draft")
    data = models.JSONField(default=dict)
    # Counts saves, so that of two authors at once the second is told instead of overwriting.
    revision = models.PositiveIntegerField(default=1)
    updated_at = models.DateTimeField(auto_now=True)
    updated_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )

    def __str__(self) -> str:
        return f"draft of {self.question_id}"


class DraftLint(models.Model):
    """What the linter found in a draft, of one state: `digest` covers the draft and the linter."""

    question = models.OneToOneField(Question, models.CASCADE, primary_key=True, related_name="lint")
    digest = models.CharField(max_length=100)
    result = models.JSONField(help_text="a LintResult")

    def __str__(self) -> str:
        return f"lint of {self.question_id}"


class BankLint(models.Model):
    """What was found in a bank: `digest` covers its drafts, its files and the linter."""

    bank = models.OneToOneField(Bank, models.CASCADE, primary_key=True, related_name="lint")
    digest = models.CharField(max_length=64)
    findings = models.JSONField(help_text="BankFindings")

    def __str__(self) -> str:
        return f"lint of {self.bank_id}"


class Option(models.Model):
    """The identity of one choice: the same id in every version and every language."""

    question = models.ForeignKey(Question, models.CASCADE, related_name="options")
    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.SlugField(max_length=60, help_text="the author's own short name, as in a file")

    class Meta:
        constraints = [
            # A bank file names options a, b, c: each keeps its id for ever.
            models.UniqueConstraint(fields=["question", "name"], name="option_name_once"),
        ]

    def __str__(self) -> str:
        return self.name


class QuestionVersion(FrozenModel):
    """One published state of a question, without key and feedback. Never changes."""

    question = models.ForeignKey(Question, models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=30)
    scoring_method = models.CharField(max_length=30)
    content = models.JSONField(help_text="language-neutral structure, as grading's kinds read it")
    source_language = models.CharField(max_length=5)
    digest = models.CharField(max_length=64, help_text="of the whole item, to tell 'no change'")
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    note = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name = _("published version")
        verbose_name_plural = _("published versions")
        ordering = ["question", "-number"]
        constraints = [
            # The history of a question is a row of each number occurs once.
            models.UniqueConstraint(fields=["question", "number"], name="version_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.question_id} v{self.number}"


class VersionTranslation(FrozenModel):
    """The words of a version in one language, as far as a taker may see them."""

    row_rules = (PART_RULE,)

    version = models.ForeignKey(QuestionVersion, models.PROTECT, related_name="translations")
    language = models.CharField(max_length=5)
    texts = models.JSONField(help_text="part → text, or part → option id → text")
    is_outdated = models.BooleanField(
        default=False, help_text="the source changed after translation"
    )

    class Meta:
        constraints = [
            # One text a language: two would make two items out of one.
            models.UniqueConstraint(
                fields=["version", "language"], name="version_translation_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.version_id} {self.language}"


class VersionKey(FrozenModel):
    """The key of a version. Read when grading and, through reveal, after; never before."""

    row_rules = (PART_RULE,)

    version = models.OneToOneField(QuestionVersion, models.PROTECT, related_name="+")
    key = models.JSONField()

    def __str__(self) -> str:
        return f"key of {self.version_id}"


class VersionFeedback(FrozenModel):
    """What is said about the options, and why, in one language. Read through reveal alone."""

    row_rules = (PART_RULE,)

    version = models.ForeignKey(QuestionVersion, models.PROTECT, related_name="+")
    language = models.CharField(max_length=5)
    texts = models.JSONField(help_text="part → text, or part → option id → text")

    class Meta:
        constraints = [
            # As with translations: one a language.
            models.UniqueConstraint(fields=["version", "language"], name="feedback_once"),
        ]

    def __str__(self) -> str:
        return f"feedback of {self.version_id} {self.language}"


class Media(ImmutableModel):
    """A file that an author uploaded to a bank. Its bytes lie in the store, by what they hold.

    It may go while no version shows it; the key of VersionMedia holds it for ever after.
    """

    bank = models.ForeignKey(Bank, models.PROTECT, related_name="files", verbose_name=_("bank"))
    sha256 = models.CharField(max_length=64, help_text="of the bytes as they are kept")
    media_type = models.CharField(_("type"), max_length=30)
    extension = models.CharField(max_length=5)
    size = models.PositiveBigIntegerField(_("size"), help_text="in bytes")
    width = models.PositiveIntegerField(null=True, help_text="in points, where it has any")
    height = models.PositiveIntegerField(null=True)
    name = models.CharField(_("name"), max_length=200, blank=True, help_text="a label, no more")
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        verbose_name = _("file")
        verbose_name_plural = _("files")
        ordering = ["bank", "-pk"]
        constraints = [
            # The same bytes sent twice are one file, with one address to write into texts.
            models.UniqueConstraint(fields=["bank", "sha256"], name="media_once"),
        ]

    def __str__(self) -> str:
        return self.name or f"{self.uuid}.{self.extension}"


class VersionMedia(FrozenModel):
    """A file that a version shows; `secret` where only what reveal may say shows it."""

    row_rules = (PART_RULE,)

    version = models.ForeignKey(QuestionVersion, models.PROTECT, related_name="files")
    media = models.ForeignKey(Media, models.PROTECT, related_name="uses")
    secret = models.BooleanField(default=False)

    class Meta:
        constraints = [
            # Shown twice, held once.
            models.UniqueConstraint(fields=["version", "media"], name="version_media_once"),
        ]

    def __str__(self) -> str:
        return f"{self.media_id} in {self.version_id}"


class Waiver(TimestampedModel):
    """A finding that an author let stand: "it is meant so", of a question as it was then."""

    question = models.ForeignKey(Question, models.CASCADE, related_name="waivers")
    code = models.CharField(max_length=40)
    about = models.CharField(max_length=100, blank=True, help_text="name of the other question")
    digest = models.CharField(max_length=64, help_text="of the whole item: changed, it is over")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = [
            # Said twice, by two people at once too, it is said once.
            models.UniqueConstraint(
                fields=["question", "code", "about", "digest"], name="waiver_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.code} in {self.question_id}"
