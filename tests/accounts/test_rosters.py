"""A list of people for a class: the dry run, and what it tells whom."""

import pytest

from accounts.classes import archive_class
from accounts.invitation_acceptance import (
    accept_invitation,
    decline_invitation,
    list_invitations,
)
from accounts.models import Group, Invitation, Membership, Role, RosterImport, User
from accounts.rosters import (
    RosterStatus,
    commit_roster,
    create_roster_import,
    plan_roster,
    roster_imports_visible_to,
)
from accounts.services import ROSTER_LIFETIME, delete_expired
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib.errors import Conflict, NotFound, Refused
from tests.factories import NOW
from tests.invitations import create_invitation
from tests.users import create_user

pytestmark = pytest.mark.django_db


def line(email, number=1, name="", school_id="", problem=""):
    return {
        "line": number,
        "email": email,
        "name": name,
        "school_id": school_id,
        "problem": problem,
    }


def brought(users, *people, by=None, **more) -> RosterImport:
    return create_roster_import(
        group=users.group, by=by or users.instructor, now=NOW, people=people, **more
    )


def statuses(roster, by) -> list[tuple[str, str]]:
    return [
        (str(person.status), person.reason) for person in plan_roster(roster, by=by, now=NOW).people
    ]


def commit(roster, by) -> RosterImport:
    fingerprint = plan_roster(roster, by=by, now=NOW).fingerprint
    return commit_roster(roster=roster, by=by, now=NOW, fingerprint=fingerprint)


@pytest.fixture
def acquaintance(users) -> User:
    """Somebody who learns in another class of the instructor."""
    second = Group.objects.create(name="Class C")
    Membership.objects.create(group=second, user=users.instructor, role=Role.INSTRUCTOR)
    person = create_user("acquaintance")
    Membership.objects.create(group=second, user=person)
    return person


def test_the_dry_run_says_what_becomes_of_each_line_and_does_nothing(users, acquaintance):
    create_invitation(users.group, "asked@example.org", by=users.instructor, now=NOW)
    roster = brought(
        users,
        line("New@Example.org", 1),
        line(acquaintance.email, 2),
        line(users.learner.email, 3),
        line("asked@example.org", 4),
        line("new@example.org", 5),
        line("nobody", 6, problem="email_invalid"),
        line("a@b..org", 7),
        line("x@example.org", 8, school_id="1"),
        line("y@example.org", 9, school_id="1"),
    )
    people, memberships = User.objects.count(), Membership.objects.count()
    assert statuses(roster, users.instructor) == [
        ("invite", ""),
        ("add", ""),
        ("in_class", ""),
        ("invited", ""),
        ("repeated", ""),
        ("invalid", "email_invalid"),
        ("invalid", "email_invalid"),
        ("invite", ""),
        ("invalid", "school_id_repeated"),
    ]
    assert (User.objects.count(), Membership.objects.count()) == (people, memberships)
    plan = plan_roster(roster, by=users.instructor, now=NOW)
    assert (plan.changes, plan.counts[RosterStatus.INVITE]) == (3, 2)


def test_the_dry_run_does_not_tell_who_has_an_account(users):
    users.stranger.school_id = "0042"
    users.stranger.save()
    there = brought(users, line(users.stranger.email, school_id="0042", name="S"))
    nowhere = brought(users, line("nobody@example.org", school_id="0043", name="S"))
    plans = [
        plan_roster(roster, by=users.instructor, now=NOW).people[0] for roster in (there, nowhere)
    ]
    assert [(plan.status, plan.reason, plan.remark, plan.name) for plan in plans] == [
        ("invite", "", "", "S")
    ] * 2


def test_a_stranger_is_in_no_class_before_they_say_so(users):
    commit(brought(users, line(users.stranger.email, school_id="0042")), users.instructor)
    assert not Membership.objects.filter(user=users.stranger).exists()
    (invitation,) = list_invitations(users.stranger, now=NOW)
    assert (invitation.group, invitation.invited_by) == (users.group, users.instructor)
    with pytest.raises(NotFound):
        accept_invitation(invitation=invitation.uuid, user=users.outsider, now=NOW)
    accept_invitation(invitation=invitation.uuid, user=users.stranger, now=NOW)
    membership = Membership.objects.get(user=users.stranger)
    assert (membership.group, membership.role) == (users.group, Role.LEARNER)
    users.stranger.refresh_from_db()
    assert users.stranger.school_id == "0042"
    assert not list_invitations(users.stranger, now=NOW).exists()


def test_an_invitation_waits_for_the_confirmed_address(users):
    commit(brought(users, line(users.stranger.email)), users.instructor)
    invitation = Invitation.objects.get()
    users.stranger.confirmed_email = ""
    assert not list_invitations(users.stranger, now=NOW).exists()
    with pytest.raises(NotFound):
        accept_invitation(invitation=invitation.uuid, user=users.stranger, now=NOW)


def test_an_invitation_can_be_declined_by_its_person_alone(users):
    commit(brought(users, line(users.stranger.email)), users.instructor)
    invitation = Invitation.objects.get()
    with pytest.raises(NotFound):
        decline_invitation(invitation=invitation.uuid, user=users.learner, now=NOW)
    decline_invitation(invitation=invitation.uuid, user=users.stranger, now=NOW)
    invitation.refresh_from_db()
    assert invitation.declined_at == NOW
    assert not Membership.objects.filter(user=users.stranger).exists()


def test_the_list_fills_in_what_is_missing_and_replaces_nothing(users, acquaintance):
    other = create_user("other", school_id="1")
    Membership.objects.create(group=acquaintance.teams.get(), user=other)
    without_id = create_user("taken")
    Membership.objects.create(group=acquaintance.teams.get(), user=without_id)
    roster = brought(
        users,
        line(acquaintance.email, 1, school_id="0042"),
        line(other.email, 2, school_id="2"),
        line(without_id.email, 3, school_id="1"),
    )
    remarks = [person.remark for person in plan_roster(roster, by=users.instructor, now=NOW).people]
    assert remarks == ["", "school_id_differs", "school_id_taken"]
    commit(roster, users.instructor)
    ids = [User.objects.get(pk=person.pk).school_id for person in (acquaintance, other, without_id)]
    assert ids == ["0042", "1", ""]
    (event,) = AuditEvent.objects.filter(code=AuditCode.SCHOOL_ID_CHANGED)
    assert (event.subject, event.after) == (acquaintance.uuid, {"school_id": "0042"})


def test_a_commit_adds_and_invites_once_and_forgets_the_list(users, acquaintance):
    roster = brought(users, line(acquaintance.email), line("n@example.org", 2, "N"), source="a.csv")
    fingerprint = plan_roster(roster, by=users.instructor, now=NOW).fingerprint
    for _ in range(2):
        committed = commit_roster(
            roster=roster, by=users.instructor, now=NOW, fingerprint=fingerprint
        )
        assert (committed.summary, committed.people) == ({"add": 1, "invite": 1}, [])
    assert Membership.objects.filter(group=users.group, user=acquaintance).count() == 1
    assert Invitation.objects.get().name == "N"
    event = AuditEvent.objects.get(code=AuditCode.ROSTER_IMPORTED)
    assert event.after == {"source": "a.csv", "role": "learner", "add": 1, "invite": 1}


def test_what_is_committed_is_what_the_dry_run_showed(users, acquaintance):
    roster = brought(users, line(acquaintance.email))
    fingerprint = plan_roster(roster, by=users.instructor, now=NOW).fingerprint
    Membership.objects.filter(user=acquaintance).delete()
    with pytest.raises(Conflict, match="roster_changed"):
        commit_roster(roster=roster, by=users.instructor, now=NOW, fingerprint=fingerprint)
    assert not Invitation.objects.exists()


def test_an_administrator_adds_everybody_who_has_an_account(users):
    roster = brought(users, line(users.stranger.email), by=users.administrator)
    assert statuses(roster, users.administrator) == [("add", "")]


def test_a_list_is_seen_by_who_brought_it_while_they_teach(users):
    roster = brought(users, line("n@example.org"))
    assert list(roster_imports_visible_to(users.instructor)) == [roster]
    assert not roster_imports_visible_to(users.outsider).exists()
    second = create_user("second")
    Membership.objects.create(group=users.group, user=second, role=Role.INSTRUCTOR)
    assert not roster_imports_visible_to(second).exists()
    with pytest.raises(NotFound):
        commit(roster, second)
    Membership.objects.filter(user=users.instructor).update(role=Role.ASSISTANT)
    assert not roster_imports_visible_to(users.instructor).exists()
    with pytest.raises(NotFound):
        commit(roster, users.instructor)


def test_an_archived_class_takes_no_list(users):
    roster = brought(users, line("n@example.org"))
    archive_class(group=users.group, by=users.instructor, now=NOW)
    with pytest.raises(Refused, match="class_archived"):
        commit(roster, users.instructor)


@pytest.mark.parametrize("count", [3, 30])
def test_the_dry_run_costs_the_same_whatever_the_length(users, counted, count):
    roster = brought(users, *(line(f"p{n}@example.org", n, school_id=str(n)) for n in range(count)))
    with counted() as queries:
        plan_roster(roster, by=users.instructor, now=NOW)
    assert len(queries) == 4


def test_lists_that_nobody_committed_are_forgotten_after_a_week(users):
    brought(users, line("n@example.org"))
    delete_expired(now=NOW + ROSTER_LIFETIME)
    assert RosterImport.objects.exists()
    delete_expired(now=NOW + ROSTER_LIFETIME * 2)
    assert not RosterImport.objects.exists()
