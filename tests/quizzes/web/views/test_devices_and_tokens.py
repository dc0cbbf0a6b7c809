"""Devices and tokens on the profile: shown, made, ended; secrets once or never."""

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts import services
from accounts.models import ApiToken, Session
from accounts.selectors import device_id
from accounts.sessions import SessionStore
from quizzes.lib import clock
from tests.quizzes.api.programs import Program
from tests.users import PASSWORD, logged_in_client

pytestmark = pytest.mark.django_db
WANTED = {"name": "My <gradebook>", "scopes": ["read", "attempt"], "days": "30"}
TOKEN = re.compile(r"och_[0-9a-f]{20,}")
EVERYBODY = ["learner", "other_learner", "instructor", "outsider", "administrator", "stranger"]
TOKENS, DEVICES = "/profile/tokens/", "/profile/devices/"


@pytest.fixture
def client(users):
    return logged_in_client(users.learner)


def key_of(browser) -> str:
    return str(browser.cookies[settings.SESSION_COOKIE_NAME].value)


def read(browser, address: str) -> str:
    response = browser.get(address)
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    return " ".join(response.content.decode().split())


def make(browser, **changes) -> str:
    """Make a token on the page; give its text."""
    response = browser.post(TOKENS, WANTED | changes)
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    (token,) = TOKEN.findall(response.content.decode())
    return str(token)


def out(device: str) -> str:
    return reverse("sign_out_device", args=[device])


def revoke(token: ApiToken) -> str:
    return reverse("revoke_token", args=[token.token_key])


# --- tokens ----------------------------------------------------------------------------------


def test_a_token_is_shown_in_the_answer_that_makes_it_and_never_again(client):
    token = make(client)
    assert Program(token).get("me").status_code == 200
    for address in (TOKENS, DEVICES, "/profile/"):
        assert not TOKEN.search(read(client, address))
    row = ApiToken.objects.get()
    assert token not in {str(value) for value in vars(row).values()}
    for data in Session.objects.values_list("session_data", flat=True):
        assert token not in str(SessionStore().decode(data))


def test_the_page_tells_purpose_scopes_end_and_use_in_words(client):
    assert "You have no tokens." in read(client, TOKENS)
    token = make(client)
    page = read(client, TOKENS)
    assert "My &lt;gradebook&gt;" in page
    assert "Read quizzes and own results, take quizzes" in page
    assert "Never used" in page
    assert "Expires <time" in page
    Program(token).get("me")
    ApiToken.objects.update(expiry=clock.now())
    page = read(client, TOKENS)
    assert "Last used <time" in page
    assert "Expired <time" in page


def test_a_revoked_token_is_refused_at_once_and_the_others_go_on(client):
    lost, active = make(client), make(client)
    row = ApiToken.objects.get(token_key=lost[:15])
    assert client.post(revoke(row), follow=True).redirect_chain == [(TOKENS, 302)]
    assert Program(lost).get("me").status_code == 401
    assert Program(active).get("me").status_code == 200
    assert client.post(revoke(row)).status_code == 404


@pytest.mark.parametrize("who", EVERYBODY)
def test_anothers_token_is_neither_seen_nor_revoked(users, client, who):
    token = make(client)
    row = ApiToken.objects.get()
    mine = who == "learner"
    browser = logged_in_client(getattr(users, who))
    assert (row.token_key in read(browser, TOKENS)) == mine
    assert browser.post(revoke(row)).status_code == (302 if mine else 404)
    assert Program(token).get("me").status_code == (401 if mine else 200)


@pytest.mark.parametrize("who", EVERYBODY)
@pytest.mark.parametrize("scope", ["results", "authoring"])
def test_results_and_banks_of_groups_are_offered_to_those_who_teach(users, who, scope):
    browser = logged_in_client(getattr(users, who))
    teaches = who in {"instructor", "outsider", "administrator"}
    assert (f'value="{scope}"' in read(browser, TOKENS)) == teaches
    response = browser.post(TOKENS, WANTED | {"scopes": [scope]})
    assert response.status_code == (200 if teaches else 422)
    assert ApiToken.objects.count() == int(teaches)


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"name": "   "},
        {"name": "x" * 101},
        {"name": "a\0b"},
        {"scopes": []},
        {"scopes": ["everything"]},
        {"days": ""},
        {"days": "0"},
        {"days": "366"},
        {"days": "many"},
    ],
)
def test_a_senseless_wish_makes_no_token_and_says_where(client, change):
    response = client.post(TOKENS, WANTED | change)
    assert response.status_code == 422
    assert 'class="errorlist" id="id_' in response.content.decode()
    assert not ApiToken.objects.exists()


def test_who_has_too_many_tokens_is_told_to_revoke_one(client, monkeypatch):
    monkeypatch.setattr(services, "MAX_TOKENS", 1)
    make(client)
    response = client.post(TOKENS, WANTED)
    assert response.status_code == 422
    assert "Revoke one first." in response.content.decode()
    assert ApiToken.objects.count() == 1


# --- devices ---------------------------------------------------------------------------------


def test_a_device_shows_when_it_signed_in_and_never_its_key(users, client):
    browser = Client()
    browser.post("/accounts/login/", {"login": users.learner.email, "password": PASSWORD})
    page = read(browser, DEVICES)
    assert page.count("This device") == page.count("Another device") == 1
    assert page.count("Signed in <time") == 2
    assert page.count("Stays signed in until <time") == 2
    assert key_of(browser) not in page
    assert key_of(client) not in page
    assert out(device_id(key_of(client))) in page
    assert out(device_id(key_of(browser))) not in page


def test_signing_out_there_ends_that_device_alone(users, client):
    lost, active = logged_in_client(users.learner), logged_in_client(users.learner)
    response = client.post(out(device_id(key_of(lost))), follow=True)
    assert "You are signed out on that device." in response.content.decode()
    assert lost.get("/").status_code == 302
    assert active.get("/").status_code == client.get("/").status_code == 200


def test_signing_out_everywhere_else_leaves_this_device_and_the_tokens(users, client):
    others = [logged_in_client(users.learner) for _ in range(2)]
    token = make(client)
    response = client.post(reverse("sign_out_elsewhere"), follow=True)
    assert "You are signed in nowhere else." in response.content.decode()
    assert [other.get("/").status_code for other in others] == [302, 302]
    assert client.get("/").status_code == 200
    assert Program(token).get("me").status_code == 200


@pytest.mark.parametrize("who", EVERYBODY[1:])
def test_anothers_device_is_neither_seen_nor_signed_out(users, client, who):
    device = device_id(key_of(client))
    browser = logged_in_client(getattr(users, who))
    assert device not in read(browser, DEVICES)
    assert browser.post(out(device)).status_code == 404
    assert browser.post(reverse("sign_out_elsewhere")).status_code == 302
    assert client.get("/").status_code == 200


def test_a_device_that_is_not_there_or_is_this_one_is_not_signed_out(client):
    for device in ("nothing", "0" * 32, device_id(key_of(client))):
        assert client.post(out(device)).status_code == 404
    assert client.get("/").status_code == 200


# --- both ------------------------------------------------------------------------------------


def test_who_comes_without_a_session_signs_in_first(users, client):
    make(client)
    for address in (TOKENS, DEVICES):
        assert Client().get(address)["Location"].endswith(f"?next={address}")
    for address in (revoke(ApiToken.objects.get()), out("x"), reverse("sign_out_elsewhere")):
        assert Client().post(address).status_code == 302
    assert ApiToken.objects.count() == Session.objects.count() == 1


def test_a_get_changes_nothing_and_a_post_needs_its_token(users, client, counted):
    make(client)
    there = logged_in_client(users.learner)
    doors = [revoke(ApiToken.objects.get()), out(device_id(key_of(there)))]
    doors.append(reverse("sign_out_elsewhere"))
    with counted() as statements:
        assert [client.get(door).status_code for door in doors] == [405] * 3
        for address in (TOKENS, DEVICES):
            read(client, address)
    assert not [
        statement
        for statement in statements
        if not statement.lstrip(" (").startswith(("SELECT", "WITH"))
    ]
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(users.learner)
    assert [strict.post(door).status_code for door in [*doors, TOKENS]] == [403] * 4


@pytest.mark.parametrize("address", [TOKENS, DEVICES])
def test_the_lists_cost_the_same_however_long_they_are(users, client, counted, address):
    costs = []
    for _ in range(2):
        with counted() as queries:
            read(client, address)
        costs.append(len(queries))
        for _ in range(5):
            make(client)
            logged_in_client(users.learner)
    assert costs[0] == costs[1] == 2
