"""The rows of the audit log, and the seals by which a later change of one is noticed."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from quizzes.lib import clock
from quizzes.lib.base_models import AppendOnly, FrozenModel

LONGEST_LABEL, LONGEST_USER_AGENT = 300, 200


class AuditErasure(AppendOnly):
    """That the log no longer names a person: the sides of events that were emptied name it.

    It names them, too, and by `mac` nobody writes one with SQL alone (ADR 56).
    """

    person = models.UUIDField()
    erased_at = models.DateTimeField(default=clock.now)
    events = models.JSONField(
        default=dict, help_text="UUIDs of the events whose side was emptied, by side"
    )
    mac = models.BinaryField(max_length=32, help_text="of the row, by a key of the site")

    def __str__(self) -> str:
        return f"{self.person} at {self.erased_at}"


class AuditEvent(AppendOnly):
    """Something that was done, in words that stay readable when what it is about is gone.

    It refers to nothing by foreign keys: persons and subjects by their UUIDs, and a class by its
    primary key, so that what concerns a class can be selected for those who teach it.

    What names persons is in two sides, who did it and about what (personal_sides.py): seals cover
    a salted digest of each, so that a side can be erased, and its seal still verifies. Nobody
    writes or changes an event with SQL alone, sealed or not, that `mac` does not tell (ADR 56).
    """

    erasable_fields: ClassVar = {
        "actor_erasure": ("actor_label", "address", "user_agent", "actor_salt"),
        "subject_erasure": ("subject_label", "before", "after", "subject_salt"),
    }

    created_at = models.DateTimeField(_("time"), default=clock.now, editable=False)
    code = models.CharField(_("event"), max_length=40)
    actor = models.UUIDField(null=True)
    actor_label = models.CharField(_("person"), max_length=LONGEST_LABEL, blank=True)
    token = models.CharField(_("token"), max_length=25, blank=True)
    address = models.CharField(_("address"), max_length=45, blank=True)
    user_agent = models.CharField(_("browser"), max_length=LONGEST_USER_AGENT, blank=True)
    subject_type = models.CharField(max_length=40, blank=True)
    subject = models.UUIDField(null=True)
    subject_label = models.CharField(_("about"), max_length=LONGEST_LABEL, blank=True)
    group_pk = models.BigIntegerField(null=True)
    before = models.JSONField(_("before"), null=True)
    after = models.JSONField(_("after"), null=True)
    actor_salt = models.BinaryField(null=True, max_length=16)
    actor_digest = models.BinaryField(max_length=32, help_text="of salt and who did it")
    actor_erasure = models.ForeignKey(
        AuditErasure, models.PROTECT, null=True, related_name="+", db_index=False
    )
    subject_salt = models.BinaryField(null=True, max_length=16)
    subject_digest = models.BinaryField(max_length=32, help_text="of salt and what it is about")
    subject_erasure = models.ForeignKey(
        AuditErasure, models.PROTECT, null=True, related_name="+", db_index=False
    )
    # Written once in some minutes: a page that is opened again and again is one row.
    repeat_key = models.UUIDField(null=True, unique=True, editable=False)
    mac = models.BinaryField(max_length=32, help_text="of the row, by a key of the site")

    class Meta:
        verbose_name = _("audit event")
        verbose_name_plural = _("audit events")
        indexes = [
            models.Index(fields=["created_at", "id"], name="audit_event_by_time"),
            models.Index(fields=["code", "created_at"], name="audit_event_by_code"),
            models.Index(fields=["actor", "created_at"], name="audit_event_by_actor"),
            models.Index(fields=["subject", "created_at"], name="audit_event_by_subject"),
            models.Index(fields=["group_pk", "created_at"], name="audit_event_by_group"),
            models.Index(fields=["address", "created_at"], name="audit_event_by_address"),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.subject_label}"


class RefusalCount(models.Model):
    """How often something was refused in one minute: beyond a bound it is counted, not listed."""

    code = models.CharField(max_length=40)
    minute = models.DateTimeField()
    count = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            # It is the lock of that minute, so there must be one.
            models.UniqueConstraint(fields=["code", "minute"], name="refusal_count_once"),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.minute:%H:%M}: {self.count}"


class AuditSeal(AppendOnly):
    """The digest of some audit events, and of the seal before: a chain.

    It stays when its events are over their retention, so that the chain can be checked to its
    beginning. `digest` and `signature` cover everything above them, `events_digest` the digests of
    the events.
    """

    number = models.PositiveIntegerField(unique=True)
    sealed_at = models.DateTimeField()
    event_count = models.PositiveIntegerField()
    last_event_at = models.DateTimeField(help_text="the latest time of its events")
    events_digest = models.CharField(max_length=64)
    previous_digest = models.CharField(max_length=64, blank=True)
    digest = models.CharField(max_length=64)
    key = models.CharField(max_length=43, help_text="id of the key that signed it")
    signature = models.CharField(max_length=86)

    def __str__(self) -> str:
        return f"seal {self.number}"


class SealedEvent(models.Model):
    """The digest of one audit event under its seal, so that a changed one is named."""

    denied_operations = FrozenModel.denied_operations

    event = models.OneToOneField(
        AuditEvent, models.PROTECT, primary_key=True, related_name="sealed"
    )
    seal = models.ForeignKey(AuditSeal, models.PROTECT, related_name="events")
    digest = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"{self.event_id} under {self.seal_id}"
