"""A list of people for a class: what it would do (dry run), and doing it.

What an instructor learns of an address that is on no list of theirs is nothing: whether it has an
account here or not, its person is invited, and decides (ADR 32).
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import translation

from accounts.access import groups_taught, is_administrator
from accounts.account_audit import record_memberships_added
from accounts.addresses import normalize
from accounts.classes import lock_class
from accounts.invitation_acceptance import fill_in_school_ids, open_at
from accounts.invitation_mails import count_mails, queue_enrolments
from accounts.invitations import InvitedPerson, invite_many, withdraw_from_class
from accounts.models import Group, Invitation, Membership, Role, RosterImport, User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.errors import Conflict, NotFound


class RosterStatus(StrEnum):
    """What becomes of a line of a list."""

    INVITE = "invite"
    ADD = "add"
    IN_CLASS = "in_class"
    INVITED = "invited"
    REPEATED = "repeated"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class PlannedPerson:
    """A line of a list, and what becomes of it.

    `reason` says why a line is left out, `remark` what of it is not taken over; codes both.
    """

    line: int
    name: str
    email: str
    school_id: str
    status: RosterStatus
    reason: str = ""
    remark: str = ""


@dataclass(frozen=True, slots=True)
class RosterPlan:
    """What a list does to a class; `fingerprint` changes when that changes."""

    people: tuple[PlannedPerson, ...]
    counts: Mapping[RosterStatus, int]
    fingerprint: str

    @property
    def changes(self) -> int:
        """Return how many people are added or invited."""
        return self.counts[RosterStatus.ADD] + self.counts[RosterStatus.INVITE]


@transaction.atomic
def create_roster_import(  # noqa: PLR0913  what a list is
    *,
    group: Group,
    by: User,
    now: datetime,
    people: Iterable[Mapping[str, Any]],
    source: str = "",
    role: Role = Role.LEARNER,
    language: str = "",
) -> RosterImport:
    """Keep a list that was read for a class. `people`: fields of ListedPerson.

    `language`: of the mails to those who have none here; without it, that of the request.
    Who does not teach the class: NotFound; archived: Refused.
    """
    locked = lock_class(group=group, by=by)
    return RosterImport.objects.create(
        group=locked,
        created_by=by,
        created_at=now,
        source=source[:200],
        role=role,
        language=language or translation.get_language() or "en",
        people=list(people),
    )


def roster_imports_visible_to(user: User) -> QuerySet[RosterImport]:
    """Return the lists that this person has brought, for classes that they still teach."""
    imports = RosterImport.objects.filter(created_by=user, group__in=groups_taught(user))
    return imports.select_related("group")


def plan_roster(roster: RosterImport, *, by: User, now: datetime) -> RosterPlan:
    """Return what a list would do now; four queries, however long it is."""
    lines = [(person, normalize(str(person["email"]))) for person in roster.people]
    addresses = {address for _, address in lines}
    planner = _Planner(
        in_class=_load_addresses(
            User.objects.filter(memberships__group=roster.group, email__in=addresses)
        ),
        invited=set(
            Invitation.objects.filter(
                open_at(now), group=roster.group, email__in=addresses
            ).values_list("email", flat=True)
        ),
        acquainted=_load_acquainted(addresses, by),
        school_id_owners=dict(
            User.objects.filter(
                school_id__in={person["school_id"] for person, _ in lines} - {""}
            ).values_list("school_id", "email")
        ),
    )
    people = tuple(planner.plan(person, address) for person, address in lines)
    counts = Counter(person.status for person in people)
    return RosterPlan(people, counts, _digest(people, roster.role))


def _load_addresses(users: QuerySet[User]) -> dict[str, str]:
    return dict(users.values_list("email", "school_id"))


def _load_acquainted(addresses: set[str], by: User) -> dict[str, str]:
    """Return the school ids, by address, of those who are added without being asked.

    They are in a class that `by` teaches, and joined that one themselves. Administrators know all.
    Who has not confirmed the address may be a stranger, and is asked.
    """
    people = User.objects.filter(email__in=addresses, is_active=True, confirmed_email=F("email"))
    if not is_administrator(by):
        memberships = Membership.objects.filter(group__in=groups_taught(by))
        people = people.filter(pk__in=memberships.values("user_id"))
    return _load_addresses(people)


@dataclass(slots=True)
class _Planner:
    """Decides line by line. Mappings: address → school id; `school_id_owners`: id → address."""

    in_class: Mapping[str, str]
    invited: set[str]
    acquainted: Mapping[str, str]
    school_id_owners: Mapping[str, str]
    _addresses: set[str] = field(default_factory=set)
    _school_ids: set[str] = field(default_factory=set)

    def plan(self, person: Mapping[str, Any], address: str) -> PlannedPerson:
        school_id = str(person["school_id"])
        reason = person["problem"] or _find_problem(address)
        status = RosterStatus.INVALID if reason else self._find_status(address)
        if not reason and school_id and status != RosterStatus.REPEATED:
            if school_id in self._school_ids:
                status, reason = RosterStatus.INVALID, "school_id_repeated"
            self._school_ids.add(school_id)
        if not reason:
            self._addresses.add(address)
        return PlannedPerson(
            line=person["line"],
            name=person["name"],
            email=person["email"] if reason else address,
            school_id=school_id,
            status=status,
            reason=reason,
            remark=self._find_remark(address, school_id) if not reason else "",
        )

    def _find_status(self, address: str) -> RosterStatus:
        if address in self._addresses:
            return RosterStatus.REPEATED
        if address in self.in_class:
            return RosterStatus.IN_CLASS
        if address in self.invited:
            return RosterStatus.INVITED
        return RosterStatus.ADD if address in self.acquainted else RosterStatus.INVITE

    def _find_remark(self, address: str, school_id: str) -> str:
        """Return why a school id is not taken over; of strangers, nothing is said."""
        existing = self.in_class.get(address, self.acquainted.get(address))
        if not school_id or existing is None:
            return ""
        if existing:
            return "" if existing == school_id else "school_id_differs"
        return "school_id_taken" if school_id in self.school_id_owners else ""


def _find_problem(address: str) -> str:
    try:
        validate_email(address)
    except ValidationError:
        return "email_invalid"
    return ""


def _digest(people: Sequence[PlannedPerson], role: str) -> str:
    lines = [asdict(person) for person in people]
    text = json.dumps([role, lines], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


@transaction.atomic
def commit_roster(
    *, roster: RosterImport, by: User, now: datetime, fingerprint: str
) -> RosterImport:
    """Add those who are known, invite the others; return the list with its `summary`.

    Each gets a mail, sent by the clock. Another fingerprint than that of the plan now: Conflict
    (roster_changed), and nothing is done. Committed before: as it is. Not theirs: NotFound. An
    archived class (class_archived), too many mails today (invitations_too_many): Refused.
    """
    group = lock_class(group=roster.group, by=by)
    locked = RosterImport.objects.select_for_update().filter(pk=roster.pk, created_by=by).first()
    if locked is None:
        raise NotFound
    locked.group = group
    if locked.committed_at is not None:
        return locked
    plan = plan_roster(locked, by=by, now=now)
    if plan.fingerprint != fingerprint:
        raise Conflict("roster_changed")
    _add_people(plan, locked, by, now)
    _invite_people(plan, locked, by, now)
    locked.committed_at = now
    locked.people = []  # the addresses are where they belong now, or nowhere
    locked.summary = {str(status): count for status, count in plan.counts.items()}
    locked.save(update_fields=["committed_at", "people", "summary", "updated_at"])
    after = {"source": locked.source, "role": locked.role, **locked.summary}
    record(AuditCode.ROSTER_IMPORTED, about=group, by=by, group=group.pk, after=after)
    return locked


def _add_people(plan: RosterPlan, roster: RosterImport, by: User, now: datetime) -> None:
    """Enrol those who are known, and queue a mail to each; in as many statements for any number."""
    lines = {person.email: person for person in plan.people if person.status == RosterStatus.ADD}
    if not lines:
        return
    users = list(User.objects.filter(email__in=lines).order_by("pk"))
    # Those whose invitation was over are in now.
    withdraw_from_class(group=roster.group, by=by, now=now, emails=lines)
    memberships = [Membership(group=roster.group, user=user, role=roster.role) for user in users]
    Membership.objects.bulk_create(memberships)
    record_memberships_added(roster.group, memberships)
    fill_in_school_ids({user: lines[user.email].school_id for user in users})
    count_mails(by=by, number=len(users), now=now)
    queue_enrolments(users, group=roster.group, by=by)


def _invite_people(plan: RosterPlan, roster: RosterImport, by: User, now: datetime) -> None:
    people = [
        InvitedPerson(person.email, person.name, person.school_id)
        for person in plan.people
        if person.status == RosterStatus.INVITE
    ]
    if people:
        invite_many(
            by=by,
            people=people,
            now=now,
            group=roster.group,
            role=roster.role,
            language=roster.language,
        )
