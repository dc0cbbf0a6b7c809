"""Classes: who makes, changes and archives one, and what that does to the people in it."""

import pytest

from accounts.classes import (
    archive_class,
    change_roles,
    create_class,
    remove_people,
    restore_class,
    update_class,
)
from accounts.invitation_acceptance import list_invitations
from accounts.join_codes import create_join_code, find_current_code
from accounts.models import Group, Membership, Role, Term
from quizzes.attempts import services as attempts
from quizzes.attempts.access import find_takeable
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib.errors import Conflict, Invalid, NotFound, Refused
from quizzes.publishing.models import Quiz
from tests.factories import NOW
from tests.invitations import create_invitation
from tests.users import create_user

pytestmark = pytest.mark.django_db


def role_in(group, person) -> str:
    roles = Membership.objects.filter(group=group, user=person).values_list("role", flat=True)
    return roles.first() or ""


def test_who_makes_a_class_is_its_instructor(users):
    term = Term.objects.create(name="Autumn", begins_on="2026-09-01", ends_on="2026-12-20")
    group = create_class(name="  New   class ", by=users.instructor, term=term)
    assert (group.name, group.term, role_in(group, users.instructor)) == (
        "New class",
        term,
        Role.INSTRUCTOR,
    )
    event = AuditEvent.objects.get(code=AuditCode.GROUP_CHANGED)
    assert event.after == {"name": "New class", "term": "Autumn"}


@pytest.mark.parametrize("role", ["learner", "stranger"])
def test_who_does_not_teach_makes_no_class(users, role):
    with pytest.raises(NotFound):
        create_class(name="New", by=getattr(users, role))
    assert not Group.objects.filter(name="New").exists()


def test_an_assistant_changes_nothing_of_a_class(users):
    assistant = create_user("assistant")
    Membership.objects.create(group=users.group, user=assistant, role=Role.ASSISTANT)
    learner = [users.learner.uuid]
    calls = (
        lambda: create_class(name="New", by=assistant),
        lambda: update_class(group=users.group, name="X", term=None, by=assistant),
        lambda: archive_class(group=users.group, by=assistant, now=NOW),
        lambda: restore_class(group=users.group, by=assistant),
        lambda: change_roles(group=users.group, people=learner, role=Role.INSTRUCTOR, by=assistant),
        lambda: remove_people(group=users.group, people=learner, by=assistant, now=NOW),
        lambda: create_join_code(group=users.group, by=assistant, now=NOW),
    )
    for call in calls:
        with pytest.raises(NotFound):
            call()


@pytest.mark.parametrize("name", ["", "   ", "x" * 151, "a\0b"])
def test_a_class_has_a_name(users, name):
    with pytest.raises(Invalid):
        create_class(name=name, by=users.instructor)


def test_two_classes_have_two_names(users):
    with pytest.raises(Conflict, match="class_name_taken"):
        create_class(name="Class B", by=users.instructor)
    with pytest.raises(Conflict):
        update_class(group=users.group, name="Class B", term=None, by=users.instructor)
    users.group.refresh_from_db()
    assert users.group.name == "Class A"


def test_a_class_gets_another_name_once(users):
    for _ in range(2):
        update_class(group=users.group, name="Class C", term=None, by=users.instructor)
    event = AuditEvent.objects.get(code=AuditCode.GROUP_CHANGED)
    assert (event.before, event.after) == (
        {"name": "Class A", "term": ""},
        {"name": "Class C", "term": ""},
    )


def test_an_archived_class_is_read_only_and_its_quizzes_are_closed_for_it(users, a_quiz):
    Quiz.objects.filter(pk=a_quiz.pk).update(audience="groups")
    create_join_code(group=users.group, by=users.instructor, now=NOW)
    stranger = users.stranger
    create_invitation(users.group, stranger.email, by=users.instructor, now=NOW)
    assert list_invitations(stranger, now=NOW).exists()
    opened = attempts.start(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    assert find_takeable(users.other_learner, a_quiz.uuid) == a_quiz
    archive_class(group=users.group, by=users.instructor, now=NOW)
    assert find_takeable(users.other_learner, a_quiz.uuid) is None
    assert find_current_code(users.group, NOW) is None
    assert not list_invitations(stranger, now=NOW).exists()
    opened.refresh_from_db()
    assert opened.state == "open"
    for call in (
        lambda: update_class(group=users.group, name="X", term=None, by=users.instructor),
        lambda: remove_people(
            group=users.group, people=[users.learner.uuid], by=users.instructor, now=NOW
        ),
        lambda: create_join_code(group=users.group, by=users.instructor, now=NOW),
    ):
        with pytest.raises(Refused, match="class_archived"):
            call()
    restore_class(group=users.group, by=users.instructor)
    assert find_takeable(users.other_learner, a_quiz.uuid) == a_quiz
    changes = AuditEvent.objects.filter(code=AuditCode.GROUP_CHANGED).order_by("pk")
    assert [event.after for event in changes][-2:] == [{"archived": True}, {"archived": False}]


def test_roles_of_several_are_changed_together_and_recorded(users):
    people = [users.learner.uuid, users.other_learner.uuid]
    assert (
        change_roles(group=users.group, people=people, role=Role.ASSISTANT, by=users.instructor)
        == 2
    )
    assert role_in(users.group, users.learner) == Role.ASSISTANT
    again = change_roles(group=users.group, people=people, role=Role.ASSISTANT, by=users.instructor)
    assert again == 0
    assert AuditEvent.objects.filter(code=AuditCode.MEMBERSHIP_CHANGED).count() == 2


def test_a_class_keeps_an_instructor(users):
    own = [users.instructor.uuid]
    with pytest.raises(Refused, match="class_needs_instructor"):
        change_roles(group=users.group, people=own, role=Role.LEARNER, by=users.instructor)
    with pytest.raises(Refused, match="class_needs_instructor"):
        remove_people(group=users.group, people=own, by=users.instructor, now=NOW)
    assert role_in(users.group, users.instructor) == Role.INSTRUCTOR
    assert not AuditEvent.objects.filter(code=AuditCode.MEMBERSHIP_REMOVED).exists()


def test_people_and_invitations_are_taken_out_together(users, a_quiz):
    opened = attempts.start(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    invitation = create_invitation(users.group, "new@example.org", by=users.instructor, now=NOW)
    people = [users.learner.uuid, invitation.uuid, users.stranger.uuid]
    assert remove_people(group=users.group, people=people, by=users.instructor, now=NOW) == 2
    assert role_in(users.group, users.learner) == ""
    invitation.refresh_from_db()
    assert invitation.withdrawn_at == NOW
    opened.refresh_from_db()
    assert opened.learner == users.learner


def test_nobody_is_taken_out_of_a_class_that_one_does_not_teach(users):
    with pytest.raises(NotFound):
        remove_people(group=users.group, people=[users.learner.uuid], by=users.outsider, now=NOW)
