"""Erasing a person's name, addresses and browsers from the log; seals verify as before (ADR 31)."""

from collections.abc import Collection, Mapping
from functools import reduce
from operator import or_
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditErasure, AuditEvent
from quizzes.audit.personal_sides import ACTOR, SUBJECT
from quizzes.audit.row_macs import add_mac

OWN_THINGS = ("apitoken", "session")
"""What a person names themselves: an event about it is erased with them."""


def list_events_by(person: UUID) -> QuerySet[AuditEvent]:
    """Return what a person did, or somebody tried in their name without being signed in."""
    return AuditEvent.objects.filter(Q(actor=person) | Q(actor=None, subject=person))


def list_events_about(
    person: UUID, subjects: Collection[UUID] = (), words: Collection[str] = ()
) -> QuerySet[AuditEvent]:
    """Return events that are about a person, or name them.

    `subjects` are the rows that have the person's name in theirs, as attempts have; `words` are
    texts that name nobody else: addresses.
    """
    events = AuditEvent.objects.annotate(
        before_text=Cast("before", TextField()), after_text=Cast("after", TextField())
    )
    columns = ("subject_label", "before_text", "after_text")
    named = [Q(**{f"{column}__icontains": word}) for word in words for column in columns]
    own = Q(actor=person, subject_type__in=OWN_THINGS)
    return events.filter(reduce(or_, named, Q(subject__in=[person, *subjects]) | own))


def list_former_addresses(person: UUID) -> set[str]:
    """Return the addresses that an account had confirmed, as far as the log knows of changes.

    One that was not confirmed may have been another's. Old rows do not say whether it was: theirs
    count, so that no word about the person stays.
    """
    changes = AuditEvent.objects.filter(code=AuditCode.ADDRESS_CHANGED, subject=person)
    former = [event.before for event in changes if event.before]
    return {before["address"] for before in former if before.get("confirmed", True)}


@transaction.atomic
def erase_from_log(*, person: UUID, subjects: Collection[UUID], words: Collection[str]) -> int:
    """Empty the sides of events that name a person; return how many events.

    What others did stays under their names; that it was about this person stays by the UUID.
    """
    about = list_events_about(person, subjects, words).filter(subject_erasure=None)
    about_events = dict(about.values_list("pk", "uuid"))
    done = list_events_by(person).filter(actor_erasure=None)
    done_events = dict(done.values_list("pk", "uuid"))
    erasure = AuditErasure(person=person, events=name_events(done_events, about_events))
    add_mac(erasure)
    erasure.save()
    AuditEvent.objects.filter(pk__in=done_events).update(
        actor_label="", address="", user_agent="", actor_salt=None, actor_erasure=erasure
    )
    AuditEvent.objects.filter(pk__in=about_events).update(
        subject_label="", before=None, after=None, subject_salt=None, subject_erasure=erasure
    )
    return len(done_events | about_events)


def name_events(done: Mapping[int, UUID], about: Mapping[int, UUID]) -> dict[str, list[str]]:
    """Return what an erasure says of the events whose sides it empties."""
    sides = ((ACTOR, done), (SUBJECT, about))
    return {side.erasure: sorted(map(str, events.values())) for side, events in sides}
