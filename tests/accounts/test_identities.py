"""Signing in by OpenID Connect: who gets which account, and what proves nothing."""

import base64
import hashlib
import hmac
import json
import time
from dataclasses import replace
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from cryptography.hazmat.primitives import serialization
from django.core.cache import cache
from django.test import Client

from accounts import identities, openid_connect
from accounts.models import Membership, Role, Session, User
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from tests.identity_provider import (
    ISSUER,
    KEY,
    OTHER_KEY,
    PROVIDER,
    AlteringProvider,
    authorize,
    go,
    read_query,
    sign_in,
    trust,
)
from tests.users import PASSWORD, Users, logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def newcomer(provider: AlteringProvider) -> AlteringProvider:
    """Know somebody there who has no account here."""
    provider.add_person("s1", email="New@Example.org", email_verified=True, name="New Person")
    return provider


def find_signed_in(client: Client) -> int | None:
    session = Session.objects.filter(session_key=client.session.session_key).first()
    return session.user_id if session else None


def test_the_first_sign_in_makes_a_confirmed_account_and_the_second_finds_it(newcomer):
    client = Client()
    response = sign_in(client, newcomer, "s1", next="/attempts/")
    user = User.objects.get(email="new@example.org")
    assert response["Location"] == "/attempts/"
    assert (user.name, user.is_confirmed, user.has_usable_password()) == ("New Person", True, False)
    assert find_signed_in(client) == user.pk
    events = AuditEvent.objects.order_by("pk").values_list("code", flat=True)
    assert list(events) == [
        AuditCode.ACCOUNT_CREATED,
        AuditCode.IDENTITY_LINKED,
        AuditCode.SIGNED_IN,
    ]
    assert AuditEvent.objects.get(code=AuditCode.SIGNED_IN).after == {"provider": "campus"}
    newcomer.add_person("s1", email="other@example.org", email_verified=True)
    other = Client()
    sign_in(other, newcomer, "s1")
    assert find_signed_in(other) == user.pk
    assert User.objects.count() == 1


def test_the_question_has_a_code_challenge_a_state_and_a_nonce_of_its_own(provider):
    client = Client()
    first, second = (read_query(go(client)) for _ in range(2))
    assert first["code_challenge_method"] == "S256"
    assert first["response_type"] == "code"
    assert first["redirect_uri"] == "http://testserver/accounts/provider/campus/callback/"
    assert set(first["scope"].split()) == {"openid", "profile", "email"}
    for name in ("code_challenge", "state", "nonce"):
        assert len(first[name]) >= 16
        assert first[name] != second[name]


def test_what_a_request_says_changes_nothing_of_the_question(provider):
    url = "/accounts/provider/campus/?process=connect&scope=admin&auth_params=prompt%3Dnone"
    question = read_query(go(Client(), url, process="connect", scope="admin"))
    assert "admin" not in question["scope"]
    assert "prompt" not in question


def test_only_a_form_of_ours_begins(provider):
    assert Client().get("/accounts/provider/campus/").status_code == 405
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/accounts/provider/campus/").status_code == 403
    assert provider.paths == []


def test_a_provider_that_is_not_in_the_settings_is_not_there(provider):
    for path in ("/accounts/provider/other/", "/accounts/provider/openid_connect/"):
        assert Client().post(path).status_code == 404
    assert Client().get("/accounts/provider/other/callback/").status_code == 404


ALTERATIONS: dict[str, dict[str, Any]] = {
    "another nonce": {"claims": {"nonce": "of another sign-in"}},
    "no nonce": {"claims": {"nonce": None}},
    "another audience": {"claims": {"aud": "another client"}},
    "one audience more": {"claims": {"aud": ["ochenta", "another client"]}},
    "another issuer": {"claims": {"iss": "https://other.example.org"}},
    "no subject": {"claims": {"sub": None}},
    "expired": {"claims": {"exp": 1_000_000_000}},
    "another key": {"key": OTHER_KEY},
    "a key that is not known": {"key": OTHER_KEY, "kid": "k2"},
    "no signature": {"key": None, "algorithm": "none"},
    "a shared secret": {"key": PROVIDER.secret * 2, "algorithm": "HS256"},
    "no token": {"token": None},
    "no JWT": {"token": "a.b.c"},
    "userinfo of another": {"userinfo": {"sub": "s2"}},
}


@pytest.mark.parametrize("alteration", ALTERATIONS)
def test_a_token_that_is_altered_signs_nobody_in(newcomer, alteration: str):
    client = Client()
    sign_in(client, newcomer, "s1")
    client = Client()
    for name, changed in ALTERATIONS[alteration].items():
        setattr(newcomer, name, changed)
    response = sign_in(client, newcomer, "s1")
    assert response.status_code == 403
    assert find_signed_in(client) is None
    assert AuditEvent.objects.filter(code=AuditCode.SIGN_IN_FAILED).count() == 1


def test_a_public_key_used_as_a_secret_signs_nothing(newcomer):
    """The token is signed by HMAC with what everybody may read."""
    client = Client()
    url = go(client)
    public = KEY.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    now = int(time.time())
    claims = {
        "iss": ISSUER,
        "sub": "s1",
        "aud": "ochenta",
        "iat": now,
        "exp": now + 60,
        "nonce": read_query(url)["nonce"],
    }
    parts = [
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=")
        for part in ({"alg": "HS256", "kid": "k1"}, claims)
    ]
    signature = hmac.new(public, b".".join(parts), hashlib.sha256).digest()
    parts.append(base64.urlsafe_b64encode(signature).rstrip(b"="))
    newcomer.token = b".".join(parts).decode()
    assert client.get(authorize(newcomer, url, "s1")).status_code == 403


def test_an_answer_counts_once_and_in_the_browser_that_asked(newcomer):
    client, stranger = Client(), Client()
    back = authorize(newcomer, go(client), "s1")
    go(stranger)
    assert stranger.get(back).status_code == 403
    assert client.get(back).status_code == 302
    assert client.get(back).status_code == 403
    assert find_signed_in(stranger) is None


def test_a_code_of_another_browser_does_not_fit_the_question_of_this_one(newcomer):
    """Neither the code challenge nor the nonce is that of the stolen code."""
    victim, thief = Client(), Client()
    stolen = read_query(authorize(newcomer, go(victim), "s1"))["code"]
    state = read_query(go(thief))["state"]
    response = thief.get(f"/accounts/provider/campus/callback/?code={stolen}&state={state}")
    assert response.status_code == 403
    assert find_signed_in(thief) is None


def test_an_answer_of_one_provider_is_not_one_of_another(newcomer, settings):
    settings.IDENTITY_PROVIDERS = (PROVIDER, replace(PROVIDER, id="other", name="Other"))
    client = Client()
    back = authorize(newcomer, go(client), "s1")
    assert client.get(back.replace("/campus/", "/other/")).status_code == 403
    assert client.get(f"{back}&iss=https://other.example.org").status_code == 403


def test_an_answer_that_is_a_no_is_told_so_and_without_a_question_is_nothing(provider):
    client = Client()
    state = read_query(go(client))["state"]
    callback = "/accounts/provider/campus/callback/"
    page = client.get(f"{callback}?error=access_denied&state={state}").content.decode()
    assert "You went back before Example Campus" in page
    assert client.get(f"{callback}?error=access_denied").status_code == 403
    assert client.get(callback).status_code == 403
    other = read_query(go(client))["state"]
    assert client.get(f"{callback}?state={other}").status_code == 403


@pytest.mark.parametrize(
    "changes",
    [
        {"is_up": False},
        {"redirects": True},
        {"description": {"issuer": "https://other.example.org"}},
        {"description": {"authorization_endpoint": "http://id.example.org/oauth2/authorize"}},
        {"description": {"authorization_endpoint": None}},
    ],
    ids=str,
)
def test_a_provider_that_fails_is_named_on_a_page(provider, changes: dict[str, Any]):
    for name, changed in changes.items():
        setattr(provider, name, changed)
    response = Client().post("/accounts/provider/campus/")
    assert response.status_code == 503
    assert "Example Campus cannot be reached just now" in response.content.decode()


def test_a_provider_that_fails_is_not_asked_by_each_visitor(provider, caplog):
    provider.is_up = False
    for _ in range(3):
        assert Client().post("/accounts/provider/campus/").status_code == 503
    assert caplog.text.count(": ConnectTimeout") == 1
    provider.is_up = True
    openid_connect.check_provider(PROVIDER)  # whoever runs the site has it asked anew
    assert Client().post("/accounts/provider/campus/").status_code == 200


def test_a_secret_is_never_sent_over_plain_http(newcomer):
    client = Client()
    back = authorize(newcomer, go(client), "s1")
    cache.clear()
    newcomer.description = {"token_endpoint": "http://id.example.org/oauth2/token"}
    newcomer.paths.clear()
    assert client.get(back).status_code == 403
    assert "/oauth2/token" not in newcomer.paths


def test_a_new_key_of_the_provider_is_fetched_at_once(newcomer):
    sign_in(Client(), newcomer, "s1")
    newcomer.kid = newcomer.published_kid = "k2"
    client = Client()
    assert sign_in(client, newcomer, "s1").status_code == 302
    assert find_signed_in(client) is not None


@pytest.mark.parametrize(
    "claims",
    [
        {"email_verified": False},
        {"email_verified": "true"},
        {"email_verified": None},
        {"email": "instructor@elsewhere.example"},
        {"email": None},
        {"email": "two words@example.org"},
    ],
    ids=str,
)
def test_an_address_without_proof_opens_nothing_and_says_nothing(
    provider, users: Users, claims: dict[str, Any]
):
    """The answer is the same whether the address has an account here or not."""
    pages = []
    for subject, email in (("s1", users.instructor.email), ("s2", "nobody@example.org")):
        usual = {"email": email, "email_verified": True}
        person = {name: claim for name, claim in (usual | claims).items() if claim is not None}
        provider.add_person(subject, **person)
        client = Client()
        response = sign_in(client, provider, subject)
        assert response.status_code == 403
        assert find_signed_in(client) is None
        pages.append(response.context["reason"])
    assert pages == ["refuse_unproven_address"] * 2
    assert not SocialAccount.objects.exists()
    is_theirs = claims.get("email", users.instructor.email) == users.instructor.email
    failed = AuditEvent.objects.filter(code=AuditCode.SIGN_IN_FAILED).order_by("pk")
    subjects = [users.instructor.uuid if is_theirs else None, None]
    assert list(failed.values_list("subject", flat=True)) == subjects


def test_a_provider_that_gives_out_the_addresses_need_not_say_that_they_are_verified(
    provider, settings
):
    trust(settings, sends_email_verified=False)
    provider.add_person("s1", email="new@example.org")
    assert sign_in(Client(), provider, "s1").status_code == 302
    provider.add_person("s2", email="newer@example.org", email_verified=False)
    assert sign_in(Client(), provider, "s2").status_code == 403


def test_a_confirmed_account_is_never_linked_by_its_address(provider, users: Users):
    provider.add_person("s1", email=users.learner.email, email_verified=True)
    client = Client()
    response = sign_in(client, provider, "s1")
    assert response.context["reason"] == "refuse_other_account"
    assert find_signed_in(client) is None
    assert AuditEvent.objects.get(code=AuditCode.SIGN_IN_FAILED).subject == users.learner.uuid
    assert not SocialAccount.objects.exists()


def test_a_stranger_who_registered_the_address_before_loses_it_and_gets_nothing(
    provider, users: Users
):
    stranger = User.objects.create_user("teacher@example.org", PASSWORD, confirmed_email="")
    Membership.objects.create(user=stranger, group=users.group, role=Role.INSTRUCTOR)
    theirs = logged_in_client(stranger)
    provider.add_person("s1", email="teacher@example.org", email_verified=True)
    client = Client()
    sign_in(client, provider, "s1")
    owner = User.objects.get(email="teacher@example.org")
    assert owner.pk != stranger.pk
    assert find_signed_in(client) == owner.pk
    assert owner.memberships.get().role == Role.INSTRUCTOR
    stranger.refresh_from_db()
    assert not stranger.is_active
    assert not stranger.memberships.exists()
    assert theirs.get("/profile/").status_code == 302


def test_a_closed_account_stays_closed(newcomer):
    sign_in(Client(), newcomer, "s1")
    User.objects.update(is_active=False)
    client = Client()
    assert sign_in(client, newcomer, "s1").context["reason"] == "refuse_closed_account"
    assert find_signed_in(client) is None


def test_the_same_subject_of_another_issuer_is_another_person(newcomer, settings):
    sign_in(Client(), newcomer, "s1")
    SocialAccount.objects.update(uid="of another issuer")
    client = Client()
    assert sign_in(client, newcomer, "s1").context["reason"] == "refuse_other_account"


def test_no_token_of_the_provider_is_kept(newcomer):
    client = Client()
    sign_in(client, newcomer, "s1")
    linked = SocialAccount.objects.get()
    assert set(linked.extra_data) == {
        *("issuer", "subject", "address", "second_factor"),
    }
    assert "access_token" not in str(dict(client.session))
    assert not linked.socialtoken_set.exists()


def test_who_was_signed_in_as_somebody_else_is_so_no_more(newcomer, users: Users):
    client = logged_in_client(users.learner)
    session = client.session.session_key
    sign_in(client, newcomer, "s1")
    assert find_signed_in(client) == User.objects.get(email="new@example.org").pk
    assert not Session.objects.filter(session_key=session, user=users.learner).exists()


def test_an_address_of_elsewhere_to_go_on_to_is_not_followed(newcomer):
    response = sign_in(Client(), newcomer, "s1", next="https://evil.example/")
    assert response["Location"] == "/"


def test_so_many_sign_ins_a_minute_from_one_address_are_enough(provider, settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "identity_provider": "2/m/ip"}
    statuses = [Client().post("/accounts/provider/campus/").status_code for _ in range(3)]
    assert statuses == [200, 200, 429]


def test_so_many_answers_a_minute_from_one_address_are_enough(provider, settings):
    limits = {**settings.ACCOUNT_RATE_LIMITS, "identity_provider_answer": "2/m/ip"}
    settings.ACCOUNT_RATE_LIMITS = limits
    answers = [Client().get("/accounts/provider/campus/callback/?state=x") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [403, 403, 429]


def test_of_two_who_link_an_identity_at_once_the_second_hears_that_it_is_taken(
    newcomer, users: Users, monkeypatch
):
    sign_in(Client(), newcomer, "s1")
    claims = {"sub": "s1", "email": "new@example.org"}
    monkeypatch.setattr(identities, "_find", lambda identity: SocialAccount.objects.none())
    with pytest.raises(identities.IdentityTaken):
        identities.link(user=users.learner, identity=identities.ProviderIdentity(PROVIDER, claims))
    assert not SocialAccount.objects.filter(user=users.learner).exists()
