"""What is recorded of accounts, from where, and what their owners are told by mail."""

import re
from datetime import timedelta
from smtplib import SMTPException
from types import SimpleNamespace
from typing import Any, cast

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.mail import EmailMultiAlternatives
from django.test import Client

from accounts import account_audit, email_confirmation, security_notices, tasks
from accounts.login_throttle import MAX_ATTEMPTS
from accounts.models import Membership, Role, SecurityNotice, User
from accounts.services import (
    add_to_group,
    issue_token,
    revoke_token,
    sign_out_elsewhere,
)
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.audit.services import MAX_REFUSALS
from quizzes.lib import clock
from tests.users import PASSWORD, Users, logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_counts():
    cache.clear()


def sign_in(email: str, password: str = PASSWORD, **extra: Any) -> Client:
    client = Client()
    client.post("/accounts/login/", {"login": email, "password": password}, **extra)
    return client


def events(code: AuditCode) -> list[AuditEvent]:
    return list(AuditEvent.objects.filter(code=code).order_by("pk"))


def test_a_sign_in_is_recorded_with_person_address_and_browser(users: Users):
    sign_in(users.learner.email, REMOTE_ADDR="192.0.2.7", HTTP_USER_AGENT="Browser " + "x" * 900)
    (event,) = events(AuditCode.SIGNED_IN)
    assert event.actor == event.subject == users.learner.uuid
    assert event.actor_label == "Learner <learner@example.org>"
    assert event.address == "192.0.2.7"
    assert len(event.user_agent) == 200
    assert abs(event.created_at - clock.now()) < timedelta(minutes=1)


def test_behind_a_proxy_the_address_is_the_one_that_the_proxy_saw(users: Users, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    forged = {"HTTP_X_FORWARDED_FOR": "10.9.9.9, 198.51.100.4", "REMOTE_ADDR": "127.0.0.1"}
    sign_in(users.learner.email, **forged)
    assert events(AuditCode.SIGNED_IN)[0].address == "198.51.100.4"


def test_without_proxies_a_forged_header_counts_for_nothing(users: Users):
    sign_in(users.learner.email, HTTP_X_FORWARDED_FOR="10.9.9.9", REMOTE_ADDR="192.0.2.8")
    assert events(AuditCode.SIGNED_IN)[0].address == "192.0.2.8"


def test_a_failed_sign_in_names_the_account_and_never_what_was_typed(users: Users):
    sign_in(users.learner.email, "wrong horse")
    sign_in("wrong horse battery", "wrong horse")
    account, *others = events(AuditCode.SIGN_IN_FAILED)
    assert (account.subject, account.actor) == (users.learner.uuid, None)
    assert "horse" not in str(list(AuditEvent.objects.values()))
    assert all(event.subject is None for event in others)


def test_a_lock_out_is_one_row_and_the_failures_before_it_are_ten(users: Users):
    for guess in range(MAX_ATTEMPTS + 5):
        sign_in(users.learner.email, f"guess {guess}")
    assert len(events(AuditCode.SIGN_IN_FAILED)) == MAX_ATTEMPTS
    assert [event.subject for event in events(AuditCode.SIGN_IN_LOCKED)] == [users.learner.uuid]


def test_more_than_a_hundred_failures_leave_lines_but_not_without_end(users: Users):
    for _ in range(MAX_REFUSALS + 61):
        account_audit.record_failed_sign_in(users.learner.email)
    assert MAX_REFUSALS <= len(events(AuditCode.SIGN_IN_FAILED)) <= 2 * MAX_REFUSALS


def test_signing_up_is_recorded(users: Users):
    Client().post(
        "/accounts/signup/", {"email": "new@example.org", "password1": PASSWORD, "name": "New"}
    )
    (event,) = events(AuditCode.ACCOUNT_CREATED)
    assert event.subject == User.objects.get(email="new@example.org").uuid


def test_another_password_is_recorded_and_told_in_the_persons_language(users: Users):
    User.objects.filter(pk=users.learner.pk).update(language="es", time_zone="Europe/Madrid")
    client = logged_in_client(users.learner)
    new = "another good long password"
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    response = client.post("/accounts/password/change/", form, REMOTE_ADDR="192.0.2.9")
    assert response.status_code == 302
    (event,) = events(AuditCode.PASSWORD_CHANGED)
    assert event.actor == users.learner.uuid
    assert not mail.outbox
    assert security_notices.send_due(now=clock.now()) == 1
    (message,) = mail.outbox
    assert message.to == [users.learner.email]
    assert message.subject == "[Ochenta] Tu contraseña cambió"
    html = str(cast("EmailMultiAlternatives", message).alternatives[0][0])
    for text in (str(message.body), html):
        assert "192.0.2.9" in text
        assert "testserver" in text
        assert "CET" in text or "CEST" in text
    assert '<html lang="es">' in html
    assert not re.search("{[{%]", str(message.body) + html)
    assert not SecurityNotice.objects.exists()
    assert new not in str(list(AuditEvent.objects.values()))


def test_a_reset_by_mail_is_recorded_and_told(users: Users):
    client = Client()
    client.post("/accounts/password/reset/", {"email": users.learner.email})
    link = re.search(r"/accounts/password/reset/key/\S+", str(mail.outbox[-1].body))
    assert link is not None
    form = client.get(link[0], follow=True).request["PATH_INFO"]
    client.post(form, {"password1": "a new long password", "password2": "a new long password"})
    assert len(events(AuditCode.PASSWORD_CHANGED)) == 1
    assert [notice.recipient for notice in SecurityNotice.objects.all()] == [users.learner.email]


def test_another_address_is_recorded_and_told_to_both(users: Users):
    email_confirmation.change_address(user=users.learner, address="moved@example.org")
    (event,) = events(AuditCode.ADDRESS_CHANGED)
    assert event.before == {"address": "learner@example.org", "confirmed": True}
    assert event.after == {"address": "moved@example.org"}
    security_notices.send_due(now=clock.now())
    assert {message.to[0] for message in mail.outbox} == {
        "learner@example.org",
        "moved@example.org",
    }
    assert all("moved@example.org" in message.body for message in mail.outbox)


def test_a_second_factor_is_recorded_and_told(users: Users):
    account_audit.record_second_factor_change(users.learner, before="", after="totp")
    assert events(AuditCode.SECOND_FACTOR_CHANGED)[0].after == {"factor": "totp"}
    security_notices.send_due(now=clock.now())
    assert mail.outbox[0].to == [users.learner.email]


def test_a_mail_that_cannot_be_sent_is_tried_again_until_it_is(users: Users, monkeypatch):
    account_audit.record_password_change(users.learner)

    def fail(self: object) -> None:
        raise SMTPException("no mail server")

    with monkeypatch.context() as patched:
        patched.setattr("django.core.mail.EmailMultiAlternatives.send", fail)
        assert security_notices.send_due(now=clock.now()) == 0
    notice = SecurityNotice.objects.get()
    assert (notice.tries, notice.next_try_at > clock.now()) == (1, True)
    assert security_notices.send_due(now=clock.now()) == 0
    assert security_notices.send_due(now=clock.now() + timedelta(minutes=2)) == 1
    assert len(mail.outbox) == 1


def test_a_mail_server_that_is_slow_holds_up_a_run_for_some_seconds_only(users: Users, monkeypatch):
    for user in (users.learner, users.other_learner, users.instructor):
        account_audit.record_password_change(user)
    passed = [0.0]
    slow = SimpleNamespace(seconds=lambda: passed[0])
    monkeypatch.setattr(security_notices, "steady_clock", slow)

    def fail(self: object) -> None:
        passed[0] += 10
        raise TimeoutError

    with monkeypatch.context() as patched:
        patched.setattr("django.core.mail.EmailMultiAlternatives.send", fail)
        assert tasks.send_security_notices() == 0
    assert sorted(SecurityNotice.objects.values_list("tries", flat=True)) == [0, 1, 1]
    assert tasks.send_security_notices() == 1
    assert [message.to for message in mail.outbox] == [[users.instructor.email]]


def test_a_mail_whose_process_died_is_sent_by_another(users: Users, monkeypatch):
    account_audit.record_password_change(users.learner)

    def die(self: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("django.core.mail.EmailMultiAlternatives.send", die)
        with pytest.raises(KeyboardInterrupt):
            security_notices.send_due(now=clock.now())
    assert security_notices.send_due(now=clock.now()) == 0
    assert security_notices.send_due(now=clock.now() + timedelta(minutes=6)) == 1


def test_a_token_is_recorded_when_it_is_made_used_from_new_addresses_and_revoked(users: Users):
    token, text = issue_token(user=users.instructor, name="Sync", scopes=["read"], days=5)
    program = Client(headers={"Authorization": f"Bearer {text}"})
    for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.1"):
        assert program.get("/api/v1/me", REMOTE_ADDR=address).status_code == 200
    revoke_token(user=users.instructor, token=token.token_key)
    assert len(events(AuditCode.TOKEN_CREATED)) == len(events(AuditCode.TOKEN_REVOKED)) == 1
    used = events(AuditCode.TOKEN_USED)
    assert [event.address for event in used] == ["192.0.2.1", "192.0.2.2"]
    assert {event.actor for event in used} == {users.instructor.uuid}
    assert text not in str(list(AuditEvent.objects.values()))


def test_roles_and_classes_are_recorded_with_the_class(users: Users):
    add_to_group(user=users.stranger, group=users.group, role=Role.LEARNER, by=None)
    add_to_group(user=users.stranger, group=users.group, role=Role.LEARNER, by=None)
    add_to_group(user=users.stranger, group=users.group, role=Role.INSTRUCTOR, by=None)
    (added,) = events(AuditCode.MEMBERSHIP_ADDED)
    (changed,) = events(AuditCode.MEMBERSHIP_CHANGED)
    assert (added.subject, added.group_pk) == (users.stranger.uuid, users.group.pk)
    assert changed.before == {"group": "Class A", "role": "learner"}
    assert changed.after == {"group": "Class A", "role": "instructor"}


def test_ended_sessions_are_recorded(users: Users):
    sign_in(users.learner.email)
    sign_out_elsewhere(user=users.learner, here="", by=users.learner)
    sign_out_elsewhere(user=users.learner, here="", by=users.learner)
    assert [event.after for event in events(AuditCode.SESSIONS_ENDED)] == [{"sessions": 1}]


def test_memberships_that_go_to_the_owner_of_an_address_are_recorded(users: Users):
    User.objects.filter(pk=users.stranger.pk).update(confirmed_email="")
    Membership.objects.create(user=users.stranger, group=users.group, role=Role.INSTRUCTOR)
    email_confirmation.change_address(user=users.outsider, address=users.stranger.email)
    assert events(AuditCode.MEMBERSHIP_REMOVED)[0].subject == users.stranger.uuid
    assert events(AuditCode.MEMBERSHIP_ADDED)[0].subject == users.outsider.uuid


def test_an_administrator_who_changes_rights_password_and_classes_is_recorded(users: Users):
    client = logged_in_client(users.administrator)
    page = f"/admin/accounts/user/{users.stranger.pk}/"
    rights = {
        "email": users.stranger.email,
        "name": "Stranger",
        "address_confirmed": "on",
        "ticked_for": users.stranger.email,
        "time_zone": "UTC",
        "is_superuser": "on",
    }
    assert client.post(f"{page}change/", rights).status_code == 302
    (event,) = events(AuditCode.RIGHTS_CHANGED)
    assert event.actor == users.administrator.uuid
    assert event.before == {"is_active": True, "is_superuser": False}
    assert event.after == {"is_active": False, "is_superuser": True}
    new = "a good new password"
    password = {"password1": new, "password2": new, "usable_password": "true"}
    assert client.post(f"{page}password/", password).status_code == 302
    assert len(events(AuditCode.PASSWORD_CHANGED)) == SecurityNotice.objects.count() == 1
    member = Membership.objects.get(user=users.learner, group=users.group)
    form = {
        "name": "Class A",
        "memberships-TOTAL_FORMS": "1",
        "memberships-INITIAL_FORMS": "1",
        "memberships-0-id": member.pk,
        "memberships-0-group": users.group.pk,
        "memberships-0-user": users.learner.email,
        "memberships-0-role": "instructor",
    }
    form["memberships-INITIAL_FORMS"] = "1"
    address = f"/admin/accounts/group/{users.group.pk}/change/"
    assert client.post(address, form).status_code == 302
    (changed,) = events(AuditCode.MEMBERSHIP_CHANGED)
    assert (changed.actor, changed.subject) == (users.administrator.uuid, users.learner.uuid)
