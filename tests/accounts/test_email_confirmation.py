"""Whose an address is: the ways to confirm it, to change it, and to take it from a stranger."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import base_user
from django.contrib.auth.hashers import make_password
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts import email_confirmation
from accounts.addresses import normalize
from accounts.models import ApiToken, Membership, Role, Session, User
from accounts.services import issue_token
from accounts.tasks import send_security_notices
from tests.users import PASSWORD, Users, create_user, logged_in_client

pytestmark = pytest.mark.django_db

ADDRESS = "teacher@school.example"
OWN_PASSWORD = "what only the owner knows"


def sign_up(address: str = ADDRESS, browser: Client | None = None) -> Client:
    browser = browser or Client()
    browser.post("/accounts/signup/", {"email": address, "password1": PASSWORD, "name": "S"})
    return browser


def sign_in(address: str, password: str = PASSWORD) -> Client:
    browser = Client()
    browser.post("/accounts/login/", {"login": address, "password": password})
    return browser


def is_in(browser: Client) -> bool:
    return "_auth_user_id" in browser.session


def link_to(address: str) -> str:
    """The first link of the newest letter to an address."""
    return link_in(next(letter for letter in reversed(mail.outbox) if letter.to == [address]))


def link_in(letter: mail.EmailMessage) -> str:
    paths: list[str] = re.findall(r"https?://[^/]+(/\S+)", str(letter.body))
    return paths[0]


def choose_password(address: str = ADDRESS, **ticked: str) -> Client:
    """What the owner of a mailbox does who has a new password sent there."""
    owner = Client()
    owner.post("/accounts/password/reset/", {"email": address})
    form = owner.get(link_to(address), follow=True)
    sent = {"password1": OWN_PASSWORD, "password2": OWN_PASSWORD} | ticked
    assert owner.post(form.redirect_chain[-1][0], sent).status_code == 302
    return sign_in(address, OWN_PASSWORD)


@pytest.fixture
def impostor(users: Users) -> Client:
    """A stranger who signed up with a teacher's address, made a token and was given the class."""
    browser = sign_up()
    user = User.objects.get(email=ADDRESS)
    issue_token(user=user, name="early", scopes=["results"], days=9)
    Membership.objects.create(user=user, group=users.group, role=Role.INSTRUCTOR)
    return browser


@pytest.mark.parametrize("verification", ["optional", "mandatory"])
def test_who_signs_up_and_follows_the_link_is_confirmed(db, settings, verification):
    settings.ACCOUNT_EMAIL_VERIFICATION = verification
    browser = sign_up()
    assert is_in(browser) is (verification == "optional")
    assert not User.objects.get(email=ADDRESS).is_confirmed
    html = browser.get(link_to(ADDRESS)).content.decode()
    assert 'name="password"' not in html
    assert not User.objects.get(email=ADDRESS).is_confirmed
    browser.post(link_to(ADDRESS))
    assert User.objects.get(email=ADDRESS).is_confirmed
    assert is_in(browser)


def test_following_the_link_of_an_account_one_did_not_make_confirms_nothing(impostor):
    owner = Client()
    html = owner.get(link_to(ADDRESS)).content.decode()
    assert 'name="password"' in html
    for sent in ({}, {"password": "a guess of the owner"}):
        assert owner.post(link_to(ADDRESS), sent).status_code == 422
    assert not User.objects.get(email=ADDRESS).is_confirmed
    assert impostor.get("/admin/").status_code == 404


def test_another_device_confirms_with_the_password(db):
    sign_up()
    assert Client().post(link_to(ADDRESS), {"password": PASSWORD}).status_code == 302
    assert User.objects.get(email=ADDRESS).is_confirmed


def test_the_password_on_the_link_is_not_guessed_more_often_than_at_the_sign_in(db):
    sign_up()
    for guess in range(10):
        Client().post(link_to(ADDRESS), {"password": f"guess {guess}"})
    assert Client().post(link_to(ADDRESS), {"password": PASSWORD}).status_code == 422
    assert not User.objects.get(email=ADDRESS).is_confirmed


def test_looking_at_a_link_for_another_account_signs_nobody_out(users, impostor):
    browser = logged_in_client(users.learner)
    browser.get(link_to(ADDRESS))
    assert is_in(browser)


@pytest.mark.parametrize("verification", ["optional", "mandatory"])
def test_the_owner_gets_the_account_by_a_new_password_and_the_stranger_is_out(
    impostor, settings, verification
):
    settings.ACCOUNT_EMAIL_VERIFICATION = verification
    before = User.objects.get(email=ADDRESS)
    owner = choose_password()
    assert owner.get("/admin/").status_code == 200
    assert User.objects.get(email=ADDRESS).pk == before.pk
    assert not ApiToken.objects.filter(user=before).exists()
    assert not is_in(sign_in(ADDRESS))
    assert impostor.get("/").status_code == 302


def test_the_owner_may_begin_with_an_empty_account(impostor, users):
    stranger = User.objects.get(email=ADDRESS)
    owner = choose_password(new_account="on")
    fresh = User.objects.get(email=ADDRESS)
    stranger.refresh_from_db()
    assert fresh.pk != stranger.pk
    assert fresh.is_confirmed
    assert owner.get("/admin/").status_code == 200  # the class waited for the address
    assert impostor.get("/").status_code == 302
    assert (stranger.is_active, stranger.is_confirmed, stranger.has_usable_password()) == (
        False,
    ) * 3
    assert ADDRESS not in {stranger.email, stranger.confirmed_email}
    for model in (ApiToken, Session, Membership, EmailAddress):
        assert not model.objects.filter(user=stranger).exists()


def test_who_is_confirmed_is_not_asked_whose_account_it_is(users):
    token, _ = issue_token(user=users.learner, name="mine", scopes=["read"], days=9)
    choose_password(users.learner.email, new_account="on")
    assert User.objects.get(email=users.learner.email).pk == users.learner.pk
    assert ApiToken.objects.filter(pk=token.pk).exists()


def test_an_account_confirmed_meanwhile_is_not_taken(impostor):
    stranger = User.objects.get(email=ADDRESS)
    email_confirmation.confirm_for_operator(stranger)
    with pytest.raises(email_confirmation.AddressTaken):
        email_confirmation.replace_account(user=stranger, password=OWN_PASSWORD)


@pytest.mark.parametrize("ticked", [{"new_account": "on"}, {}])
def test_an_address_that_is_gone_while_the_form_is_open_is_not_taken_back(
    impostor, users, ticked, monkeypatch
):
    """The race itself is run on PostgreSQL (test_races)."""
    stranger = User.objects.get(email=ADDRESS)
    monkeypatch.setattr(
        email_confirmation, "replace_account" if ticked else "secure_account", _taken
    )
    owner = Client()
    owner.post("/accounts/password/reset/", {"email": ADDRESS})
    form = owner.get(link_to(ADDRESS), follow=True)
    sent = {"password1": OWN_PASSWORD, "password2": OWN_PASSWORD, **ticked}
    html = owner.post(form.redirect_chain[-1][0], sent, follow=True)
    assert "Please try again" in html.content.decode()
    assert not User.objects.get(pk=stranger.pk).is_confirmed


def _taken(**_: object) -> None:
    raise email_confirmation.AddressTaken


def test_a_password_set_for_an_address_that_is_gone_confirms_nothing(impostor, users):
    stale = User.objects.get(email=ADDRESS)
    email_confirmation.change_address(user=users.stranger, address=ADDRESS)
    for take in (email_confirmation.replace_account, email_confirmation.secure_account):
        with pytest.raises(email_confirmation.AddressTaken):
            take(user=stale, password=OWN_PASSWORD)
    stranger = User.objects.get(pk=stale.pk)
    assert (stranger.is_confirmed, stranger.has_usable_password()) == (False, False)


# --- Another address ------------------------------------------------------------------------


def ask_for(browser: Client, new: str):
    return browser.post("/accounts/email/", {"email": new})


def test_a_new_address_counts_only_when_it_is_confirmed(users):
    old, new = users.instructor.email, "moved@example.org"
    browser = logged_in_client(users.instructor)
    assert ask_for(browser, new).status_code == 302
    assert [message.to for message in mail.outbox] == [[new], [old]]
    assert new in mail.outbox[1].body
    assert not is_in(sign_in(new))
    assert is_in(sign_in(old))
    Client().post("/accounts/password/reset/", {"email": new})
    assert "there is no account" in mail.outbox[-1].body
    link = link_in(mail.outbox[0])
    assert browser.get(link).status_code == 200
    assert User.objects.get(pk=users.instructor.pk).email == old
    assert browser.post(link).status_code == 302
    moved = User.objects.get(pk=users.instructor.pk)
    assert (moved.email, moved.is_confirmed) == (new, True)
    send_security_notices()
    assert [message.to for message in mail.outbox[-2:]] == [[old], [new]]
    assert is_in(sign_in(new))
    assert not is_in(sign_in(old))
    assert browser.get("/admin/").status_code == 200
    assert browser.post(link).status_code == 404  # it works once


def test_a_link_for_a_new_address_is_for_the_account_that_asked(users):
    ask_for(logged_in_client(users.stranger), "victim@example.org")
    victim = logged_in_client(users.learner)
    assert victim.get(link_to("victim@example.org")).status_code == 404
    assert victim.post(link_to("victim@example.org")).status_code == 404
    assert Client().post(link_to("victim@example.org")).status_code == 302
    assert not User.objects.filter(email="victim@example.org").exists()


@pytest.mark.parametrize("new", ["", "no address"])
def test_another_address_is_an_address(users, new):
    assert ask_for(logged_in_client(users.learner), new).status_code == 422
    assert mail.outbox == []


def test_ones_own_address_is_no_change(users):
    assert ask_for(logged_in_client(users.learner), " Learner@Example.org ").status_code == 422


def test_no_page_tells_that_a_new_address_is_another_account(users):
    browser = logged_in_client(users.learner)
    ask_for(browser, users.stranger.email)
    first = browser.get("/accounts/email/").content.decode()
    assert users.stranger.email in first
    assert "another account" not in first
    response = browser.post(link_to(users.stranger.email))
    assert response.status_code == 409
    assert User.objects.get(pk=users.stranger.pk).email == users.stranger.email


def test_confirming_an_address_wins_it_from_an_account_that_never_did(impostor, users):
    stranger = User.objects.get(email=ADDRESS)
    email_confirmation.change_address(user=users.stranger, address=ADDRESS)
    stranger.refresh_from_db()
    assert (stranger.is_active, stranger.email) == (False, f"{stranger.uuid}@removed.invalid")
    assert User.objects.get(email=ADDRESS).pk == users.stranger.pk
    assert logged_in_client(users.stranger).get("/admin/").status_code == 200
    assert impostor.get("/").status_code == 302
    assert not ApiToken.objects.filter(user=stranger).exists()


def test_a_confirmation_that_comes_after_the_address_is_gone_confirms_nothing(impostor, users):
    link = link_to(ADDRESS)
    email_confirmation.change_address(user=users.stranger, address=ADDRESS)
    assert impostor.post(link).status_code == 404
    stranger = User.objects.get(email__endswith=".invalid")
    assert not email_confirmation.confirm_address(user=stranger, address=ADDRESS)
    assert not stranger.is_confirmed


def test_the_page_sends_the_confirmation_again(db):
    browser = sign_up()
    assert "Not confirmed" in browser.get("/accounts/email/").content.decode()
    mail.outbox.clear()
    cache.clear()  # a letter every ten seconds is the most
    browser.post("/accounts/email/", {"action_send": "1"})
    assert [message.to for message in mail.outbox] == [[ADDRESS]]


# --- One form of an address -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("  Ada@Example.ORG \n", "ada@example.org"),
        ("ada@ｅxample.org", "ada@example.org"),
        ("ada@ex\u0430mple.org", "ada@xn--exmple-4nf.org"),
        ("\u212aate@example.org", "kate@example.org"),
        ("nobody", "nobody"),
        ("a@" + "é" * 80, "a@" + "é" * 80),
    ],
)
def test_an_address_has_one_form(written, stored):
    assert normalize(written) == stored
    assert normalize(stored) == stored


def test_an_address_that_looks_like_another_gets_no_letter_for_it(db):
    """The Kelvin sign is a k in lower case: the letter goes to where the account's go."""
    create_user("kate")
    for written in ("\u212aate@example.org", "KATE@EXAMPLE.ORG "):
        mail.outbox.clear()
        Client().post("/accounts/password/reset/", {"email": written})
        assert [message.to for message in mail.outbox] == [["kate@example.org"]]
        assert is_in(sign_in(written))


def test_an_address_in_other_letters_is_another_account_and_shows_it(users):
    sign_up("learner@ex\u0430mple.org")
    assert User.objects.filter(email="learner@xn--exmple-4nf.org").exists()


def test_a_sign_up_a_moment_too_late_is_asked_to_try_again(users, monkeypatch):
    monkeypatch.setattr(
        "allauth.account.forms.BaseSignupForm.validate_unique_email", lambda _, value: value
    )
    response = Client().post(
        "/accounts/signup/", {"email": users.learner.email, "password1": PASSWORD}, follow=True
    )
    assert "Please try again" in response.content.decode()
    assert User.objects.filter(email=users.learner.email).count() == 1


def test_signing_up_hashes_a_password_whether_or_not_there_is_an_account(
    users, settings, monkeypatch
):
    """Hashing takes most of the time of the answer: without it an account shows by the clock."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    passwords: list[str | None] = []

    def hash_password(password: str | None, *arguments: Any) -> str:
        passwords.append(password)
        return make_password(password, *arguments)

    monkeypatch.setattr(base_user, "make_password", hash_password)
    for email in (users.learner.email, "nobody@example.org"):
        passwords.clear()
        fields = {"email": email, "password1": "a long sentence", "name": "Ada"}
        answer = Client().post("/accounts/signup/", fields)
        assert (answer.status_code, passwords) == (302, ["a long sentence"])
