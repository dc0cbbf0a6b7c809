"""Where the site asks staff for a second factor: no role without one, by any way."""

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.core import mail
from django.test import Client

from accounts.access import groups_taught, is_administrator, is_instructor
from accounts.models import ApiToken, User
from accounts.security_notices import send_due
from accounts.services import issue_token
from quizzes.lib import clock
from tests.factories import create_bank
from tests.users import Users, logged_in_client

pytestmark = pytest.mark.django_db

PAGE = "/accounts/2fa/"
STAFF = ("instructor", "administrator")


@pytest.fixture(autouse=True)
def _required(settings):
    settings.STAFF_SECOND_FACTOR = True


def token_client(user: User) -> Client:
    """Return a program with a new token that may do everything."""
    scopes = ["read", "results", "authoring", "audit", "attempt"]
    _, secret = issue_token(user=user, name="program", scopes=scopes, days=1)
    return Client(headers={"Authorization": f"Bearer {secret}"})


@pytest.mark.parametrize("name", STAFF)
def test_staff_are_led_to_set_one_up_before_any_page_of_theirs(users: Users, name: str):
    user = getattr(users, name)
    bank = create_bank(users)
    client = logged_in_client(user)
    for address in ("/admin/", "/admin/login/", f"/admin/bank/bank/{bank.pk}/change/"):
        assert client.get(address)["Location"] == PAGE, address
    assert client.post("/admin/accounts/group/add/", {"name": "Mine"})["Location"] == PAGE
    assert "Teaching needs a second factor" in client.get("/").content.decode()
    assert client.get(PAGE).status_code == 200
    TOTP.activate(user, "JBSWY3DPEHPK3PXP")
    client = logged_in_client(user)  # the sessions from before it are over
    assert client.get("/admin/").status_code == 200
    assert "Teaching needs" not in client.get("/").content.decode()


@pytest.mark.parametrize("name", STAFF)
@pytest.mark.parametrize("sender", [logged_in_client, token_client])
def test_rest_refuses_staff_without_one_with_tokens_too(users: Users, name: str, sender):
    user = getattr(users, name)
    client = sender(user)
    for address in ("/api/v1/banks", "/api/v1/results", "/api/v1/audit-events", "/api/v1/me"):
        answer = client.get(address)
        assert answer.status_code == 403, address
        assert answer.json()["code"] == "second_factor_required"
    TOTP.activate(user, "JBSWY3DPEHPK3PXP")
    refused = client.get("/api/v1/banks")  # sessions from before it are over, tokens learn nothing
    assert refused.status_code == (401 if sender is logged_in_client else 403)
    assert sender(user).get("/api/v1/banks").status_code == 200


def test_a_token_from_before_the_factor_is_for_the_learner_and_says_why(users: Users):
    """Who knew the password alone could have made it."""
    client = token_client(users.instructor)
    TOTP.activate(users.instructor, "JBSWY3DPEHPK3PXP")
    problem = client.get("/api/v1/me").json()
    assert problem["code"] == "second_factor_required"
    assert "made without one" in problem["detail"]


def test_the_owner_hears_of_the_tokens_from_before_by_mail_and_page(users: Users):
    token_client(users.learner)
    ApiToken.objects.update(name="Nightly <export>")
    TOTP.activate(users.learner, "JBSWY3DPEHPK3PXP")
    send_due(now=clock.now())
    message = mail.outbox[0].message().as_string()
    assert "Nightly <export>" in message
    assert "Nightly &lt;export&gt;" in message
    page = logged_in_client(users.learner).get("/profile/tokens/").content.decode()
    assert page.count("Made before you had a second factor") == 1
    # Those made with it are no news, neither then nor with another factor.
    ApiToken.objects.all().delete()
    token_client(users.learner)
    Authenticator.objects.create(user=users.learner, type="webauthn", data={})
    send_due(now=clock.now())
    assert "These tokens" not in mail.outbox[1].body
    page = logged_in_client(users.learner).get("/profile/tokens/").content.decode()
    assert "Made before" not in page


def test_recovery_codes_alone_are_no_second_factor(users: Users):
    Authenticator.objects.create(user=users.instructor, type="recovery_codes", data={})
    assert not is_instructor(users.instructor)
    assert logged_in_client(users.instructor).get("/admin/")["Location"] == PAGE


def test_the_role_map_knows_no_role_without_one(users: Users):
    assert not is_administrator(users.administrator)
    assert not groups_taught(users.administrator).exists()
    assert not groups_taught(users.instructor).exists()
    TOTP.activate(users.instructor, "JBSWY3DPEHPK3PXP")
    assert list(groups_taught(users.instructor)) == [users.group]


def test_learners_and_visitors_notice_nothing(users: Users):
    client = logged_in_client(users.learner)
    assert client.get("/admin/").status_code == 404
    assert client.get("/api/v1/me").status_code == 200
    assert "second factor:" not in client.get("/").content.decode()
    assert "/accounts/login/" in Client().get("/admin/")["Location"]


def test_the_setting_costs_no_page_a_statement(users: Users, settings, counted):
    client, costs = logged_in_client(users.learner), []
    client.get("/")
    for is_required in (False, True):
        settings.STAFF_SECOND_FACTOR = is_required
        with counted() as queries:
            client.get("/")
        costs.append(len(queries))
    assert costs[0] == costs[1]


def test_off_by_default_nobody_is_asked(users: Users, settings):
    settings.STAFF_SECOND_FACTOR = False
    assert logged_in_client(users.instructor).get("/admin/").status_code == 200
