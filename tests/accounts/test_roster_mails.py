"""A list of a class sends its mails: as many statements for 600 people as for 60."""

from datetime import timedelta

import pytest
from django.core import mail
from django.db import connection

from accounts import invitation_mails, invitations, security_notices
from accounts.invitation_links import build_token
from accounts.models import (
    Group,
    Invitation,
    InvitationMailCount,
    Membership,
    Role,
    RosterImport,
    SecurityNotice,
    User,
)
from accounts.rosters import commit_roster, create_roster_import, plan_roster
from accounts.tasks import sweep_stale
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from quizzes.lib.errors import Refused
from tests.factories import NOW
from tests.invitations import create_invitation
from tests.users import Users, logged_in_client

pytestmark = pytest.mark.django_db

BATCHES_OF_SQLITE = 40
"""Statements that SQLite needs more for 600 rows: it takes 999 values in each."""


def create_acquaintances(users: Users, count: int) -> list[str]:
    """Make people who learn in another class of the instructor; return their addresses."""
    other = Group.objects.create(name=f"Class of {count}")
    Membership.objects.create(group=other, user=users.instructor, role=Role.INSTRUCTOR)
    people = User.objects.bulk_create(
        User(
            email=f"known{count}.{number}@example.org",
            confirmed_email=f"known{count}.{number}@example.org",
            language="es",
        )
        for number in range(count)
    )
    Membership.objects.bulk_create(Membership(group=other, user=person) for person in people)
    return [person.email for person in people]


def bring(users: Users, emails: list[str], school_ids: bool = True) -> RosterImport:
    lines = [
        {
            "line": number,
            "email": email,
            "name": "",
            "school_id": email if school_ids else "",
            "problem": "",
        }
        for number, email in enumerate(emails)
    ]
    return create_roster_import(
        group=users.group, by=users.instructor, now=NOW, people=lines, language="en"
    )


def commit(users: Users, roster: RosterImport) -> None:
    fingerprint = plan_roster(roster, by=users.instructor, now=NOW).fingerprint
    commit_roster(roster=roster, by=users.instructor, now=NOW, fingerprint=fingerprint)


def new_addresses(_users: Users, count: int) -> list[str]:
    return [f"new{count}.{number}@example.org" for number in range(count)]


@pytest.mark.parametrize("build", [new_addresses, create_acquaintances])
def test_600_people_cost_the_statements_of_60(users: Users, counted, build):
    few, many = (bring(users, build(users, count)) for count in (60, 600))
    fingerprints = [plan_roster(r, by=users.instructor, now=NOW).fingerprint for r in (few, many)]
    statements = []
    for roster, fingerprint in zip((few, many), fingerprints, strict=True):
        with counted() as queries:
            commit_roster(roster=roster, by=users.instructor, now=NOW, fingerprint=fingerprint)
        statements.append(len(queries))
    more = BATCHES_OF_SQLITE if connection.vendor == "sqlite" else 0
    assert statements[1] - statements[0] <= more
    assert statements[0] <= 36
    assert SecurityNotice.objects.count() == 660


def test_who_is_new_is_invited_and_who_is_known_told_each_in_their_language(users: Users):
    commit(users, bring(users, [*new_addresses(users, 1), *create_acquaintances(users, 1)]))
    assert security_notices.send_due(now=clock.now()) == 2
    assert [(sent.to, sent.subject) for sent in mail.outbox] == [
        (["known1.0@example.org"], "[Ochenta] Estás en la clase «Class A»"),
        (["new1.0@example.org"], "[Ochenta] Invitation to the class “Class A”"),
    ]
    enrolled, invited = (str(sent.body) for sent in mail.outbox)
    assert "Instructor te añadió a la clase" in enrolled
    assert "/accounts/invitation/" not in enrolled
    assert build_token(Invitation.objects.get()) in invited


def test_a_list_counts_its_mails_and_one_too_many_writes_nothing(users: Users, monkeypatch):
    monkeypatch.setattr(invitation_mails, "MAX_PER_DAY", 3)
    roster = bring(users, [*new_addresses(users, 3), *create_acquaintances(users, 1)])
    with pytest.raises(Refused, match="invitations_too_many"):
        commit(users, roster)
    assert not Invitation.objects.exists()
    assert not Membership.objects.filter(user__email__startswith="known").exclude(
        group__name="Class of 1"
    )
    assert not SecurityNotice.objects.exists()
    commit(users, bring(users, new_addresses(users, 3)))


def test_a_mail_sent_again_counts_as_the_first_did(users: Users, monkeypatch):
    monkeypatch.setattr(invitation_mails, "MAX_PER_DAY", 3)
    invitation = create_invitation(users.group, "a@example.org", by=users.instructor, now=NOW)
    for _ in range(2):
        invitations.send_again(by=users.instructor, invitation=invitation, now=NOW)
    with pytest.raises(Refused, match="invitations_too_many"):
        create_invitation(users.group, "b@example.org", by=users.instructor, now=NOW)
    tomorrow = NOW + timedelta(days=1)
    create_invitation(users.group, "b@example.org", by=users.instructor, now=tomorrow)
    counts = InvitationMailCount.objects.order_by("day").values_list("mails", flat=True)
    assert list(counts) == [3, 1]


def test_counts_of_days_that_are_over_are_deleted(users: Users):
    now = clock.now()
    create_invitation(users.group, "a@example.org", by=users.instructor, now=now)
    create_invitation(
        users.group, "b@example.org", by=users.instructor, now=now - timedelta(days=4)
    )
    sweep_stale()
    assert [count.mails for count in InvitationMailCount.objects.all()] == [1]


def test_all_that_wait_are_sent_again_together_but_for_those_sent_often(users: Users, counted):
    for number in range(30):
        create_invitation(users.group, f"p{number}@example.org", by=users.instructor, now=NOW)
    Invitation.objects.filter(email="p0@example.org").update(mails=invitations.MAX_MAILS)
    old = {invitation.email: build_token(invitation) for invitation in Invitation.objects.all()}
    rows = Invitation.objects.filter(group=users.group)
    with counted() as queries:
        sent = invitations.send_many_again(by=users.instructor, invitations=rows, now=NOW)
    assert sent == 29
    assert len(queries) <= 20
    new = {invitation.email: build_token(invitation) for invitation in Invitation.objects.all()}
    assert [email for email in old if old[email] == new[email]] == ["p0@example.org"]
    # In place of those that still wait.
    assert SecurityNotice.objects.count() == 30
    assert AuditEvent.objects.filter(code=AuditCode.INVITATION_RENEWED).count() == 29


def test_the_page_of_a_class_sends_them_again_to_all_or_those_chosen(users: Users):
    client, page = logged_in_client(users.instructor), f"/admin/accounts/group/{users.group.pk}"
    first, _ = (
        create_invitation(users.group, f"{name}@example.org", by=users.instructor)
        for name in ("a", "b")
    )
    for people, words in (
        ([], "2 invitations are sent again"),
        ([str(first.uuid)], "1 invitation is sent again"),
        ([str(users.learner.uuid)], "Nobody of those chosen is invited."),
    ):
        sent = {"action": "send_again", "people": people}
        assert words in client.post(f"{page}/class/", sent, follow=True).content.decode()
    assert sorted(Invitation.objects.values_list("mails", flat=True)) == [2, 3]


def test_who_would_send_too_many_is_told_so_on_the_page(users: Users, monkeypatch):
    monkeypatch.setattr(invitation_mails, "MAX_PER_DAY", 0)
    client = logged_in_client(users.instructor)
    page = f"/admin/accounts/group/{users.group.pk}/people/"
    response = client.post(page, {"text": "new@example.org", "role": "learner"})
    roster = RosterImport.objects.get()
    plan = plan_roster(roster, by=users.instructor, now=clock.now())
    sent = {"list": str(roster.uuid), "fingerprint": plan.fingerprint}
    response = client.post(page, sent)
    assert response.status_code == 409
    assert "go on tomorrow" in response.content.decode()
    assert not Invitation.objects.exists()


def test_the_list_names_the_language_of_its_mails(users: Users):
    client = logged_in_client(users.instructor)
    page = f"/admin/accounts/group/{users.group.pk}/people/"
    client.post(page, {"text": "new@example.org", "role": "learner", "language": "es"})
    commit(users, RosterImport.objects.get())
    assert Invitation.objects.get().language == "es"
