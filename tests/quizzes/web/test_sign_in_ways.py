"""The ways to sign in to one's account: linked, unlinked, and used to say again who one is."""

import json
import time
from io import StringIO
from zipfile import ZipFile

import pytest
from allauth.socialaccount.models import SocialAccount
from django.core.management import call_command
from django.test import Client

from accounts.email_confirmation import secure_account
from accounts.models import ApiToken, SecurityNotice, User
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from tests.identity_provider import AlteringProvider, authorize, go, read_query, sign_in, tell_time
from tests.users import Users, authenticate_at, create_user, logged_in_client

pytestmark = pytest.mark.django_db

LINK = "/profile/sign-in/campus/link"
CONFIRM = "/accounts/provider/campus/confirm/"
TOKEN = {"name": "A program", "scopes": ["read"], "days": "9"}


@pytest.fixture
def campus(provider: AlteringProvider, users: Users) -> AlteringProvider:
    """Know two people there."""
    provider.add_person("s1", email="someone@elsewhere.example")
    provider.add_person("s2", email="new@example.org", email_verified=True)
    provider.claims["auth_time"] = None
    return provider


def link(client: Client, campus: AlteringProvider, subject: str = "s1"):
    return client.get(authorize(campus, go(client, LINK), subject), follow=True)


def sign_in_newcomer(campus: AlteringProvider) -> tuple[Client, User]:
    """Return a browser of somebody who has no password, signed in long ago, and who it is."""
    client = Client()
    sign_in(client, campus, "s2")
    user = User.objects.get(email="new@example.org")
    authenticate_at(client, user, time.time() - 31 * 60)
    return client, user


def test_an_identity_is_linked_while_signed_in_and_then_signs_in(campus, users: Users):
    client = logged_in_client(users.learner)
    page = link(client, campus).content.decode()
    assert "You can sign in with Example Campus now." in page
    assert "someone@elsewhere.example" in page
    assert SocialAccount.objects.get().user == users.learner
    assert SecurityNotice.objects.get().kind == "identity_changed"
    other = Client()
    sign_in(other, campus, "s1")
    assert users.learner.email in other.get("/profile/").content.decode()


def test_linking_asks_again_who_one_is(campus, users: Users):
    client = logged_in_client(users.learner)
    authenticate_at(client, users.learner, time.time() - 31 * 60)
    assert client.post(LINK)["Location"].startswith("/accounts/reauthenticate/")


def test_an_account_whose_address_is_not_confirmed_links_nothing(campus, users: Users):
    User.objects.filter(pk=users.learner.pk).update(confirmed_email="")
    client = logged_in_client(User.objects.get(pk=users.learner.pk))
    assert "Confirm your address first" in client.get("/profile/sign-in/").content.decode()
    link(client, campus)
    assert not SocialAccount.objects.exists()


def test_an_identity_of_another_account_and_a_second_one_are_not_linked(campus, users: Users):
    link(logged_in_client(users.learner), campus)
    stranger = logged_in_client(users.stranger)
    assert link(stranger, campus).status_code == 409
    assert link(logged_in_client(users.learner), campus, "s2").status_code == 409
    assert SocialAccount.objects.count() == 1


def test_an_answer_for_linking_counts_only_for_who_began(campus, users: Users):
    """A link that somebody else sends must not tie their identity to this account."""
    client = logged_in_client(users.learner)
    back = authorize(campus, go(client, LINK), "s1")
    client.force_login(users.stranger)
    assert client.get(back).status_code == 403
    assert not SocialAccount.objects.exists()


def test_the_last_way_is_not_taken_off(campus, users: Users):
    client = Client()
    tell_time(campus)
    sign_in(client, campus, "s2")
    identity = SocialAccount.objects.get()
    unlink = f"/profile/sign-in/{identity.pk}/unlink"
    page = client.post(unlink, follow=True).content.decode()
    assert "This is your only way to sign in" in page
    password = {"password1": "a good long passphrase", "password2": "a good long passphrase"}
    assert client.get("/accounts/password/set/").status_code == 200
    client.post("/accounts/password/set/", password)
    assert logged_in_client(users.stranger).post(unlink).status_code == 404
    client.force_login(identity.user)
    authenticate_at(client, identity.user, time.time())
    page = client.post(unlink, follow=True).content.decode()
    assert "It no longer signs in to your account." in page
    assert not SocialAccount.objects.exists()
    event = AuditEvent.objects.get(code=AuditCode.IDENTITY_UNLINKED)
    assert event.before == {"provider": "campus"}


def test_a_provider_that_is_gone_from_the_settings_can_be_taken_off(campus, users: Users, settings):
    client = logged_in_client(users.learner)
    link(client, campus)
    settings.IDENTITY_PROVIDERS = ()
    page = client.get("/profile/sign-in/").content.decode()
    assert "Unlink" in page
    client.post(f"/profile/sign-in/{SocialAccount.objects.get().pk}/unlink")
    assert not SocialAccount.objects.exists()


def test_who_signs_in_by_a_provider_alone_says_again_there_who_they_are(campus):
    client, _ = sign_in_newcomer(campus)
    response = client.post("/profile/tokens/", TOKEN)
    assert response["Location"] == f"{CONFIRM}?next=%2Fprofile%2Ftokens%2F"
    assert "Sign in again at Example Campus" in client.get(response["Location"]).content.decode()
    tell_time(campus)
    url = go(client, CONFIRM, next="/profile/tokens/")
    assert read_query(url)["prompt"] == "login"
    assert read_query(url)["max_age"] == "0"
    page = client.get(authorize(campus, url, "s2")).content.decode()
    assert "och_" in page
    assert ApiToken.objects.get().name == "A program"


@pytest.mark.parametrize(
    ("subject", "ago", "reason"),
    [("s2", None, "not_fresh"), ("s2", 3600, "not_fresh"), ("s1", 0, "other_person")],
)
def test_neither_an_old_sign_in_there_nor_somebody_else_confirms(
    campus, subject: str, ago: float | None, reason: str
):
    client, _ = sign_in_newcomer(campus)
    if ago is not None:
        tell_time(campus, ago)
    back = authorize(campus, go(client, CONFIRM, next="/profile/tokens/"), subject)
    response = client.get(back)
    assert (response.status_code, response.context["reason"]) == (403, reason)
    assert client.post("/profile/tokens/", TOKEN).status_code == 302
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("page", ["2fa/totp/activate/", "2fa/webauthn/add/", "password/set/"])
def test_what_opens_another_way_in_asks_who_has_a_provider_alone(campus, page: str):
    client, _ = sign_in_newcomer(campus)
    response = client.get(f"/accounts/{page}", follow=True)
    assert response.redirect_chain[-1][0].startswith(CONFIRM)


def test_a_sign_in_there_of_before_is_not_one_of_now(campus):
    """Signing out and in again costs nothing while the session at the provider lasts."""
    client = Client()
    sign_in(client, campus, "s2")
    assert client.post("/profile/tokens/", TOKEN).status_code == 302
    tell_time(campus)
    fresh = Client()
    sign_in(fresh, campus, "s2")
    assert fresh.post("/profile/tokens/", TOKEN).status_code == 200


def test_a_provider_is_no_way_to_confirm_where_a_second_factor_is_or_nothing_is_linked(
    campus, users: Users
):
    client = logged_in_client(users.learner)
    assert client.get(CONFIRM).status_code == 404
    assert client.post(CONFIRM).status_code == 404
    assert Client().get(CONFIRM).status_code == 302


def test_the_password_and_the_provider_are_both_offered(campus, users: Users):
    client = logged_in_client(users.learner)
    link(client, campus)
    page = client.get("/accounts/reauthenticate/?next=/profile/tokens/").content.decode()
    assert "Sign in again at Example Campus" in page
    page = client.get(f"{CONFIRM}?next=/profile/tokens/").content.decode()
    assert "Use your password" in page
    assert "/accounts/reauthenticate/?next=%2Fprofile%2Ftokens%2F" in page


def test_the_sign_in_page_has_a_button_for_each_provider(provider, users: Users, settings):
    page = Client().get("/accounts/login/?next=/attempts/").content.decode()
    assert "Sign in with Example Campus" in page
    assert page.count('name="next" value="/attempts/"') == 3
    settings.IDENTITY_PROVIDERS = ()
    assert "Example Campus" not in Client().get("/accounts/login/").content.decode()


def test_a_reset_by_mail_of_an_unconfirmed_account_takes_its_identities_off(campus, users: Users):
    person = create_user("linked")
    link(logged_in_client(person), campus)
    User.objects.filter(pk=person.pk).update(confirmed_email="")
    secure_account(user=User.objects.get(pk=person.pk), password="another long password")
    assert not SocialAccount.objects.exists()


def test_an_identity_is_in_the_copy_of_ones_data_and_goes_with_the_erasure(
    campus, users: Users, tmp_path
):
    link(logged_in_client(users.learner), campus)
    copy = tmp_path / "copy.zip"
    call_command("export_person", users.learner.email, str(copy), stdout=StringIO())
    with ZipFile(copy) as archive:
        (identity,) = json.loads(archive.read("data.json"))["tables"]["identities"]
    assert identity["provider"] == "campus"
    assert "someone@elsewhere.example" in str(identity["extra_data"])
    call_command("erase_person", users.learner.email, "--commit", stdout=StringIO())
    assert not SocialAccount.objects.exists()
    client = Client()
    assert sign_in(client, campus, "s1").context["reason"] == "refuse_unproven_address"
