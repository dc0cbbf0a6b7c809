"""Files on their way into a bank. The row of an import is the queue; a sweep finds what waits."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from quizzes.bank.models import Bank
from quizzes.lib.base_models import TimestampedModel


class State(models.TextChoices):
    """Where an import stands."""

    READING = "reading", _("being read")
    UPLOADED = "uploaded", _("waiting for your choice")
    PLANNED = "planned", _("about to begin")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")


OPEN = (State.READING, State.UPLOADED, State.PLANNED, State.RUNNING)
"""States in which it may still be cancelled, and its file is kept."""
BUSY = (State.READING, State.PLANNED, State.RUNNING)
"""States whose next step needs no person: somebody is at it, or the sweep will be."""


class ImportJob(TimestampedModel):
    """A file that somebody sent for a bank, what was chosen of it, and what came of it."""

    bank = models.ForeignKey(Bank, models.CASCADE, related_name="imports", verbose_name=_("bank"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        verbose_name=_("person"),
    )
    filename = models.CharField(_("file"), max_length=200, help_text="a label, no more")
    format = models.CharField(_("format"), max_length=40)
    language = models.CharField(_("language"), max_length=5, blank=True)
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.UPLOADED
    )
    chosen = models.JSONField(null=True, help_text="numbers of items; null: the usual ones")
    anew = models.JSONField(
        null=True, help_text="numbers of items that are no question of the bank, whatever it has"
    )
    tries = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="how often it was begun to be run"
    )
    twins = models.JSONField(null=True, help_text="what was said of twins; null: nothing")
    total = models.PositiveIntegerField(_("items"), default=0)
    report = models.JSONField(default=dict)
    finished_at = models.DateTimeField(_("finished"), null=True)

    class Meta:
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["state", "updated_at"], name="import_by_state")]

    def __str__(self) -> str:
        return self.filename
