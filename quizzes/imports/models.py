"""Imports of files into banks. The row of an import is the queue; a sweep finds what waits."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from quizzes.bank.models import Bank
from quizzes.lib.base_models import ChangeNumberedModel


class State(models.TextChoices):
    """The state of an import."""

    AMBIGUOUS = "ambiguous", _("waiting for its format")
    READING = "reading", _("being read")
    READY = "ready", _("waiting for your choice")
    QUEUED = "queued", _("about to begin")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")


OPEN = (State.AMBIGUOUS, State.READING, State.READY, State.QUEUED, State.RUNNING)
"""States in which an import can still be cancelled, and its file is stored."""
BUSY = (State.READING, State.QUEUED, State.RUNNING)
"""States whose next step is a task's, not a person's."""


class ImportJob(ChangeNumberedModel):
    """A file uploaded for a bank, which of its items were selected, and the report."""

    bank = models.ForeignKey(Bank, models.CASCADE, related_name="imports", verbose_name=_("bank"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("person"),
    )
    filename = models.CharField(_("file"), max_length=200, help_text="a label, no more")
    format = models.CharField(_("format"), max_length=40, blank=True)
    format_evidence = models.JSONField(
        default=list, help_text="while it is ambiguous: what each likely format makes of the file"
    )
    language = models.CharField(_("language"), max_length=5, blank=True)
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.READING
    )
    selected_items = models.JSONField(
        null=True, help_text="numbers of items; null: the default selection"
    )
    as_new = models.JSONField(
        null=True, help_text="numbers of items that are imported as new questions"
    )
    tries = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="how often reading or importing it was begun"
    )
    match_answers = models.JSONField(
        null=True, help_text="answers to proposed language matches; null: none"
    )
    total = models.PositiveIntegerField(_("items"), default=0)
    report = models.JSONField(default=dict)
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta:
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["state", "updated_at"], name="import_by_state"),
            # Programs follow what changes, in this order.
            models.Index(fields=["change_number"], name="import_by_change"),
        ]

    def __str__(self) -> str:
        return self.filename
