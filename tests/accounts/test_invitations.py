"""Invitations: who may make them, and that only the owner of the address can accept one, once."""

import re
from datetime import timedelta
from typing import Any, cast

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.mail import EmailMultiAlternatives
from django.test import Client

from accounts import (
    invitation_acceptance,
    invitation_mails,
    invitations,
    security_notices,
)
from accounts.access import groups_joined, groups_taught
from accounts.invitation_links import build_token
from accounts.models import Group, Invitation, Membership, Role, SecurityNotice, User
from accounts.services import issue_token
from accounts.tasks import sweep_stale
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound, Refused
from tests.threads import at_once
from tests.users import PASSWORD, Users, logged_in_client

pytestmark = pytest.mark.django_db

ADDRESS = "new.person@example.org"


@pytest.fixture(autouse=True)
def _fresh_counts():
    cache.clear()


def invite(users: Users, email: str = ADDRESS, **chosen: Any) -> Invitation:
    fields: dict[str, Any] = {
        "by": users.instructor,
        "group": users.group,
        "now": clock.now(),
    } | chosen
    return invitations.invite(email=email, **fields)


def withdraw(users: Users, invitation: Invitation) -> None:
    rows = Invitation.objects.filter(pk=invitation.pk)
    invitations.withdraw(by=users.instructor, invitations=rows, now=clock.now())


def read_link() -> str:
    """Send the mails that wait, and return the path of the link in the last."""
    security_notices.send_due(now=clock.now())
    link = re.search(r"https?://[^/]+(/accounts/invitation/\w+/)", str(mail.outbox[-1].body))
    assert link
    return link[1]


def accept(path: str, browser: Client | None = None, **sent: str):
    return (browser or Client()).post(path, {"name": "Nova", "password": PASSWORD} | sent)


def test_an_invited_person_sets_name_and_password_and_is_confirmed_in_one_step(users: Users):
    invite(users)
    browser = Client()
    answer = accept(path := read_link(), browser)
    assert (answer.status_code, answer.url) == (302, "/")
    user = User.objects.get(email=ADDRESS)
    assert user.is_confirmed
    assert user.name == "Nova"
    assert user.check_password(PASSWORD)
    assert users.group in groups_joined(user)
    assert browser.get("/profile/").status_code == 200
    assert Client().get(path).status_code == 404


def test_the_token_is_in_the_mail_and_in_no_row(users: Users):
    invitation = invite(users)
    token = read_link().split("/")[-2]
    rows = [*Invitation.objects.values(), *SecurityNotice.objects.values()]
    assert rows
    assert token not in str(rows)
    assert token not in str(list(AuditEvent.objects.values()))
    assert mail.outbox[-1].to == [ADDRESS]
    assert invitation.email == ADDRESS


def test_the_mail_is_in_the_language_chosen_in_text_and_html(users: Users):
    invite(users, language="es")
    read_link()
    sent = cast("EmailMultiAlternatives", mail.outbox[-1])
    assert sent.subject == "[Ochenta] Invitación a la clase «Class A»"
    assert "te invita a la clase" in str(sent.body)
    assert "te invita a la clase" in str(sent.alternatives[0][0])


def test_a_role_counts_only_once_the_invitation_is_accepted(users: Users):
    invite(users, users.stranger.email, role=Role.INSTRUCTOR)
    assert not groups_taught(users.stranger).exists()
    assert not Membership.objects.filter(user=users.stranger).exists()
    answer = logged_in_client(users.stranger).post(read_link())
    assert answer.status_code == 302
    assert users.group in groups_taught(users.stranger)


def test_a_person_with_an_account_signs_in_and_accepts(users: Users):
    invite(users, users.stranger.email)
    path = read_link()
    answer = accept(path, password="another good password")
    assert (answer.status_code, answer.url) == (302, f"/accounts/login/?next={path}")
    users.stranger.refresh_from_db()
    assert users.stranger.check_password(PASSWORD)
    assert users.stranger.name == "Stranger"
    logged_in_client(users.stranger).post(path)
    assert users.group in groups_joined(users.stranger)


def test_a_forwarded_invitation_gives_nothing_to_another_account(users: Users):
    invite(users, role=Role.INSTRUCTOR)
    path, browser = read_link(), logged_in_client(users.learner)
    page = browser.get(path).content.decode()
    assert "for another address" in page
    assert ADDRESS not in page
    assert browser.post(path).status_code == 409
    with pytest.raises(NotFound):
        invitation_acceptance.accept_as(
            user=users.learner, token=path.split("/")[-2], now=clock.now()
        )
    assert not groups_taught(users.learner).exists()
    assert Client().get(path).status_code == 200


def test_whoever_registered_the_address_before_its_owner_gets_nothing(users: Users, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    stranger = Client()
    stranger.post("/accounts/signup/", {"email": ADDRESS, "password1": "of the stranger 1"})
    impostor = User.objects.get(email=ADDRESS)
    _, token = issue_token(user=impostor, name="early", scopes=["results"], days=9)
    invite(users, role=Role.INSTRUCTOR)
    accept(read_link())
    owner = User.objects.get(email=ADDRESS)
    assert owner.pk != impostor.pk
    assert users.group in groups_taught(owner)
    assert stranger.get("/profile/").status_code == 302
    answer = Client().get("/api/v1/me", HTTP_AUTHORIZATION=f"Bearer {token}")
    assert answer.status_code == 401
    login = {"login": ADDRESS, "password": "of the stranger 1"}
    again = Client()
    again.post("/accounts/login/", login)
    assert "_auth_user_id" not in again.session
    impostor.refresh_from_db()
    assert not impostor.is_active
    assert not groups_taught(impostor).exists()


def test_a_token_counts_once(users: Users):
    invite(users, role=Role.INSTRUCTOR)
    path = read_link()
    accept(path)
    Membership.objects.filter(user__email=ADDRESS).delete()
    assert accept(path).status_code == 404
    assert logged_in_client(User.objects.get(email=ADDRESS)).post(path).status_code == 404
    assert not Membership.objects.filter(user__email=ADDRESS).exists()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_two_who_accept_at_once_one_does(users: Users):
    invite(users, role=Role.INSTRUCTOR)
    token = read_link().split("/")[-2]
    outcomes: list[str] = []

    def accept_once() -> None:
        try:
            invitation_acceptance.accept_with_new_account(
                token=token, name="", password=PASSWORD, now=clock.now()
            )
        except (NotFound, Refused) as refused:
            outcomes.append(refused.code)
        else:
            outcomes.append("accepted")

    at_once([accept_once] * 8)
    assert sorted(outcomes) == ["accepted", *["not_found"] * 7]
    assert Membership.objects.filter(user__email=ADDRESS).count() == 1
    assert AuditEvent.objects.filter(code=AuditCode.INVITATION_ACCEPTED).count() == 1


def test_an_expired_or_withdrawn_invitation_opens_as_one_that_never_was(users: Users):
    expired, withdrawn = invite(users), invite(users, "other@example.org")
    paths = []
    for invitation in (expired, withdrawn):
        security_notices.send_due(now=clock.now())
        token = build_token(invitation)
        paths.append(f"/accounts/invitation/{token}/")
    Invitation.objects.filter(pk=expired.pk).update(expires_at=clock.now())
    withdraw(users, withdrawn)
    never = Client().get("/accounts/invitation/" + "0" * 64 + "/")
    for path in paths:
        answer = Client().get(path)
        assert answer.status_code == never.status_code == 404
        assert accept(path).status_code == 404
    assert not User.objects.filter(email=ADDRESS).exists()


def test_a_mail_that_waits_goes_with_its_invitation(users: Users):
    withdraw(users, invite(users))
    assert security_notices.send_due(now=clock.now()) == 0


def test_sent_again_only_the_new_link_works(users: Users):
    invitation = invite(users)
    old = read_link()
    invitations.send_again(by=users.instructor, invitation=invitation, now=clock.now())
    new = read_link()
    assert old != new
    assert Client().get(old).status_code == 404
    assert Client().get(new).status_code == 200
    for _ in range(invitations.MAX_MAILS - 2):
        invitations.send_again(by=users.instructor, invitation=invitation, now=clock.now())
    with pytest.raises(Refused):
        invitations.send_again(by=users.instructor, invitation=invitation, now=clock.now())


def test_who_is_invited_twice_to_a_class_has_one_invitation(users: Users):
    first = invite(users)
    second = invite(users, ADDRESS.upper(), role=Role.INSTRUCTOR)
    assert first.pk == second.pk
    assert Invitation.objects.get().role == Role.INSTRUCTOR


@pytest.mark.parametrize("name", ["learner", "stranger", "outsider"])
def test_nobody_invites_into_a_class_that_they_do_not_teach(users: Users, name):
    person = getattr(users, name)
    with pytest.raises(NotFound):
        invite(users, by=person)
    waiting, now = invite(users), clock.now()
    with pytest.raises(NotFound):
        invitations.send_again(by=person, invitation=waiting, now=now)
    for change in (invitations.send_many_again, invitations.withdraw):
        with pytest.raises(NotFound):
            change(by=person, invitations=Invitation.objects.all(), now=now)


def test_no_invitation_makes_an_administrator(users: Users):
    for by in (users.instructor, users.administrator):
        for role in ("administrator", "superuser"):
            with pytest.raises(Invalid):
                invite(users, by=by, role=role)
    with pytest.raises(Invalid):
        invite(users, by=users.administrator, group=None, role=Role.ASSISTANT)
    invite(users, by=users.administrator, role=Role.INSTRUCTOR)
    accept(read_link(), is_superuser="on", role="administrator")
    assert not User.objects.get(email=ADDRESS).is_superuser


def test_only_administrators_invite_without_a_class(users: Users):
    with pytest.raises(NotFound):
        invite(users, group=None)
    invite(users, by=users.administrator, group=None)
    accept(read_link())
    user = User.objects.get(email=ADDRESS)
    assert user.is_confirmed
    assert not groups_joined(user).exists()


def test_who_no_longer_teaches_lets_nobody_in(users: Users):
    invite(users, role=Role.INSTRUCTOR)
    path = read_link()
    Membership.objects.filter(user=users.instructor).delete()
    assert Client().get(path).status_code == 404
    assert accept(path).status_code == 404
    assert not User.objects.filter(email=ADDRESS).exists()


def test_nobody_comes_into_a_class_that_is_archived(users: Users):
    invite(users)
    path = read_link()
    Group.objects.filter(pk=users.group.pk).update(archived_at=clock.now())
    assert accept(path).status_code == 404
    with pytest.raises(NotFound):
        invite(users, "other@example.org", group=Group.objects.get(pk=users.group.pk))


def test_an_instructor_stays_one_who_accepts_as_a_learner(users: Users):
    invite(users, users.instructor.email, by=users.administrator)
    logged_in_client(users.instructor).post(read_link())
    assert users.group in groups_taught(users.instructor)


def test_an_instructor_sends_so_many_a_day_and_no_more(users: Users, monkeypatch):
    monkeypatch.setattr(invitation_mails, "MAX_PER_DAY", 2)
    for number in range(2):
        invite(users, f"person{number}@example.org")
    with pytest.raises(Refused):
        invite(users)
    invite(users, by=users.administrator)


def test_each_step_is_recorded_with_before_and_after(users: Users):
    invitation = invite(users)
    invitations.send_again(by=users.instructor, invitation=invitation, now=clock.now())
    accept(read_link())
    other = invite(users, "other@example.org")
    withdraw(users, other)
    rows = AuditEvent.objects.filter(code__startswith="invitation_").order_by("pk")
    assert [(row.code, bool(row.before), bool(row.after)) for row in rows] == [
        (AuditCode.INVITATION_MADE, False, True),
        (AuditCode.INVITATION_RENEWED, True, True),
        (AuditCode.INVITATION_ACCEPTED, False, True),
        (AuditCode.INVITATION_MADE, False, True),
        (AuditCode.INVITATION_WITHDRAWN, True, False),
    ]
    assert {row.group_pk for row in rows} == {users.group.pk}
    assert rows[2].actor_label == f"Nova <{ADDRESS}>"
    assert (rows[2].after or {})["role"] == Role.LEARNER


def test_a_weak_password_is_refused_and_nothing_is_accepted(users: Users):
    invite(users)
    path = read_link()
    assert accept(path, password="12345678").status_code == 422
    assert not User.objects.filter(email=ADDRESS).exists()
    assert Client().get(path).status_code == 200


def test_invitations_of_long_ago_are_deleted(users: Users):
    invite(users, now=clock.now() - invitations.LIFETIME - timedelta(days=1))
    recent = invite(users, "other@example.org")
    sweep_stale()
    assert list(Invitation.objects.all()) == [recent]
