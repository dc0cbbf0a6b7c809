"""What people asked for of their data, and what must not be erased for now."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Group
from quizzes.lib.base_models import TimestampedModel


class RequestKind(models.TextChoices):
    """What somebody asks for of their data."""

    EXPORT = "export", _("copy of the data")
    ERASURE = "erasure", _("erasure")


class RequestState(models.TextChoices):
    """How far a request is. An erasure waits, so that its person can take it back."""

    WAITING = "waiting", _("waiting")
    DONE = "done", _("done")
    WITHDRAWN = "withdrawn", _("withdrawn")
    REFUSED = "refused", _("refused")
    EXPIRED = "expired", _("expired")


class DataRequest(TimestampedModel):
    """That a person, or an administrator for them, asked for a copy or the erasure of their data.

    The row is the queue: what is due is found by the clock. The file of an export is in the media
    folder under the request's UUID until `expires_at`.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="data_requests",
        verbose_name=_("person"),
    )  # fmt: skip
    kind = models.CharField(_("kind"), max_length=10, choices=RequestKind)
    state = models.CharField(
        _("state"), max_length=10, choices=RequestState, default=RequestState.WAITING
    )
    due_at = models.DateTimeField(_("due"))
    finished_at = models.DateTimeField(_("done at"), null=True)
    expires_at = models.DateTimeField(_("available until"), null=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    # Why it was refused; or a code of what holds it up.
    reason = models.CharField(_("reason"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("request about personal data")
        verbose_name_plural = _("requests about personal data")
        ordering = ["-created_at", "-pk"]
        constraints = [
            # Asked twice, done once.
            models.UniqueConstraint(
                fields=["person", "kind"],
                condition=Q(state="waiting"),
                name="data_request_one_waiting",
            ),
            # Who is told no is told why.
            models.CheckConstraint(
                condition=~Q(state="refused") | ~Q(reason=""), name="data_request_refused_why"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["due_at"], condition=Q(state="waiting"), name="data_request_due"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.person}"


class LegalHold(TimestampedModel):
    """That the data of a person, or of everybody in a class, must not be erased for now."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="legal_holds",
        verbose_name=_("person"),
    )  # fmt: skip
    group = models.ForeignKey(
        Group, models.CASCADE, null=True, blank=True, related_name="legal_holds",
        verbose_name=_("class"),
    )  # fmt: skip
    reason = models.CharField(_("reason"), max_length=300)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, editable=False, related_name="+"
    )

    class Meta:
        verbose_name = _("legal hold")
        verbose_name_plural = _("legal holds")
        ordering = ["-created_at", "-pk"]
        constraints = [
            # Of both, nobody could say whom it is for.
            models.CheckConstraint(
                condition=Q(person__isnull=False, group__isnull=True)
                | Q(person__isnull=True, group__isnull=False),
                name="legal_hold_of_one",
                violation_error_message=_("Name a person or a class, not both."),
            ),
        ]

    def __str__(self) -> str:
        return str(self.person or self.group)
