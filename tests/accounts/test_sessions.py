"""One query brings the session, its person, and whether they teach."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from accounts.access import is_instructor
from accounts.browsers import describe_browser
from accounts.models import ApiToken, Membership, Role, Session
from accounts.selectors import device_id
from accounts.services import issue_token
from accounts.sessions import SessionStore
from accounts.tasks import sweep_stale
from quizzes.api.models import IdempotentWrite
from quizzes.api.tasks import sweep_idempotent_writes
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock as database_clock
from tests.attempt_helpers import finish, start
from tests.users import PASSWORD, logged_in_client


def opened(user) -> SessionStore:
    store = SessionStore(logged_in_client(user).cookies["session"].value)
    store.load()
    return store


def test_a_session_brings_its_person_and_whether_they_teach(users, django_assert_num_queries):
    for user, teaches in (
        (users.instructor, True),
        (users.learner, False),
        (users.stranger, False),
    ):
        client = logged_in_client(user)
        store = SessionStore(client.cookies["session"].value)
        with django_assert_num_queries(1):
            store.load()
            assert store.owner is not None
            assert store.owner == user
            assert is_instructor(store.owner) is teaches


def test_whoever_loses_the_role_is_no_instructor_at_the_next_request(users):
    client = logged_in_client(users.instructor)
    Membership.objects.filter(user=users.instructor).update(role=Role.LEARNER)
    store = SessionStore(client.cookies["session"].value)
    store.load()
    assert store.owner is not None
    assert not is_instructor(store.owner)


def test_an_administrator_is_an_instructor_without_being_in_a_group(users):
    owner = opened(users.administrator).owner
    assert owner is not None
    assert is_instructor(owner)


# --- When and where a session is used ---------------------------------------------------------

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
LOGIN = "/accounts/login/"


def sign_in(user) -> Client:
    """Return a browser in which somebody has signed in by the page, from an address."""
    client = Client(headers={"user-agent": FIREFOX}, REMOTE_ADDR="192.0.2.7")
    client.post(LOGIN, {"login": user.email, "password": PASSWORD})
    return client


@pytest.fixture
def clock():
    with time_machine.travel(datetime(2026, 11, 22, 12, tzinfo=UTC), tick=False) as traveller:
        yield traveller


def test_a_session_knows_browser_and_address_and_keeps_them(users):
    client = sign_in(users.learner)
    client.post("/language", {"language": "es"}, REMOTE_ADDR="192.0.2.9")
    client.post("/profile/tokens/", {"name": "x", "scopes": ["read"], "days": "1"})
    row = Session.objects.get(user=users.learner)
    assert (row.address, row.user_agent) == ("192.0.2.7", FIREFOX)
    page = client.get("/profile/devices/").content.decode()
    assert "Firefox, Linux" in page
    assert "192.0.2.7" in page


@pytest.mark.parametrize(("name", "precision"), [("learner", 10), ("instructor", 1)])
def test_the_use_of_a_session_is_written_now_and_then(users, clock, counted, name, precision):
    client = sign_in(getattr(users, name))
    client.get("/")
    signed_in_at = Session.objects.get(user__isnull=False).last_seen_at
    with counted() as usual:
        client.get("/")
    clock.shift(timedelta(minutes=precision, seconds=-1))
    with counted() as before:
        client.get("/")
    clock.shift(timedelta(seconds=1))
    with counted() as after:
        client.get("/")
    assert (len(before), len(after)) == (len(usual), len(usual) + 1)
    assert Session.objects.get(user__isnull=False).last_seen_at - signed_in_at == timedelta(
        minutes=precision
    )
    with counted() as again:
        client.get("/")
    assert len(again) == len(usual)


def test_a_database_that_takes_no_writes_still_shows_pages(users, clock, monkeypatch):
    client = sign_in(users.learner)
    clock.shift(timedelta(hours=1))

    def fail(*_: object, **__: object) -> None:
        raise OperationalError("disk full")

    monkeypatch.setattr("django.db.models.query.QuerySet.update", fail)
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("name", ["instructor", "administrator"])
def test_staff_are_signed_out_who_do_nothing_for_too_long(users, clock, settings, name):
    settings.STAFF_IDLE_MINUTES = 15
    client = sign_in(getattr(users, name))
    for _ in range(5):
        clock.shift(timedelta(minutes=14))
        assert client.get("/admin/").status_code == 200
    clock.shift(timedelta(minutes=16))
    assert LOGIN in client.get("/admin/")["Location"]
    assert not Session.objects.filter(user__isnull=False).exists()


def test_learners_and_sites_without_the_setting_stay_signed_in(users, clock, settings):
    settings.STAFF_IDLE_MINUTES = 15
    learner, instructor = sign_in(users.learner), sign_in(users.instructor)
    clock.shift(timedelta(days=3))
    assert learner.get("/").status_code == 200
    settings.STAFF_IDLE_MINUTES = 0
    assert instructor.get("/admin/").status_code == 200


# --- An administrator sees and ends them ------------------------------------------------------


def test_an_administrator_sees_and_ends_the_sessions_of_a_person(users):
    learner, other = sign_in(users.learner), sign_in(users.learner)
    administrator = logged_in_client(users.administrator)
    person = f"/admin/accounts/user/{users.learner.pk}/"
    page = f"{person}devices/"
    assert page in administrator.get(f"{person}change/").content.decode()
    html = administrator.get(page).content.decode()
    keys = [browser.cookies["session"].value for browser in (learner, other)]
    assert html.count("192.0.2.7") == html.count("Firefox, Linux") == 2
    assert not [key for key in keys if key in html]
    assert administrator.post(page, {"device": device_id(keys[0])}).status_code == 302
    assert (learner.get("/").status_code, other.get("/").status_code) == (302, 200)
    administrator.post(page)
    assert other.get("/").status_code == 302
    events = AuditEvent.objects.filter(code=AuditCode.SESSIONS_ENDED, subject=users.learner.uuid)
    assert {event.actor for event in events} == {users.administrator.uuid}
    assert "They are signed in nowhere." in administrator.get(page).content.decode()


def test_nobody_else_sees_or_ends_them(users):
    learner = sign_in(users.learner)
    page = f"/admin/accounts/user/{users.learner.pk}/devices/"
    for name in ("instructor", "learner", "stranger"):
        client = logged_in_client(getattr(users, name))
        assert client.get(page).status_code == client.post(page).status_code == 404
    assert learner.get("/").status_code == 200


# --- What is over goes --------------------------------------------------------------------------


def test_what_is_over_is_deleted_and_what_is_not_stays(users, clock):
    sign_in(users.learner)
    for name, days in (("short", 1), ("long", 90)):
        issue_token(user=users.learner, name=name, scopes=["read"], days=days)
    for days, sessions, names in (
        (13, 1, {"short", "long"}),
        (2, 0, {"short", "long"}),
        (17, 0, {"long"}),
    ):
        clock.shift(timedelta(days=days))
        sweep_stale()
        assert Session.objects.filter(user=users.learner).count() == sessions, days
        assert set(ApiToken.objects.values_list("name", flat=True)) == names, days


def test_an_answer_that_no_key_brings_again_is_deleted(users):
    client = logged_in_client(users.learner)
    body = {"name": "by REST", "scopes": ["read"], "days": 90}
    headers = {"Idempotency-Key": "once"}
    client.post("/api/v1/tokens", body, content_type="application/json", headers=headers)
    for age, left in ((timedelta(days=6, hours=23), 1), (timedelta(days=7, hours=1), 0)):
        IdempotentWrite.objects.update(created_at=database_clock.now() - age)
        sweep_idempotent_writes()
        assert IdempotentWrite.objects.count() == left


@pytest.mark.parametrize(
    ("user_agent", "text"),
    [
        (FIREFOX, "Firefox, Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36 Edg/130.0", "Edge, Windows"),
        ("Mozilla/5.0 (Linux; Android 15) Chrome/130.0 Mobile Safari/537.36", "Chrome, Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1", "Safari, iOS"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/18 Safari/605", "Safari, macOS"),
        ("curl/8.0", ""),
        ("", ""),
    ],
)
def test_a_browser_is_described_in_two_words(user_agent, text):
    assert describe_browser(user_agent) == text


# --- How long one lasts, and under which key --------------------------------------------------


def test_two_weeks_after_signing_in_a_session_ends_however_it_is_used(users, clock):
    client = sign_in(users.learner)
    for _ in range(13):
        clock.shift(timedelta(days=1))
        client.post("/profile/tokens/", {"name": "", "scopes": ["read"], "days": "1"})
        session = client.session
        session["used"] = str(clock)
        session.save()
        assert client.get("/profile/").status_code == 200
    clock.shift(timedelta(days=1, seconds=1))
    assert client.get("/profile/").status_code == 302


def test_another_password_ends_the_sessions_elsewhere(users):
    here, elsewhere = sign_in(users.learner), sign_in(users.learner)
    new = "quite another password"
    sent = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    assert here.post("/accounts/password/change/", sent).status_code == 302
    assert here.get("/profile/").status_code == 200
    assert elsewhere.get("/profile/").status_code == 302


@pytest.mark.parametrize(
    "address",
    [
        *("/", "/profile/", "/profile/tokens/", "/accounts/2fa/", "/attempts/", "/study/"),
        *("/quizzes/quiz/", "/admin/", "/admin/bank/question/", "/admin/bank/bank/add/"),
    ],
)
def test_every_page_offers_to_sign_out(users, a_quiz, address):
    response = sign_in(users.instructor).get(address)
    assert response.status_code == 200
    assert '/logout/"' in response.content.decode()


def test_the_pages_of_an_attempt_offer_to_sign_out(users, a_quiz):
    attempt = start(a_quiz, users.learner, timezone.now())
    client = sign_in(users.learner)
    addresses = [f"/attempts/{attempt.uuid}/{page}" for page in ("", "review", "result")]
    for address in addresses:
        if address.endswith("result"):
            finish(attempt, timezone.now())
        response = client.get(address)
        assert response.status_code == 200
        assert '/logout/"' in response.content.decode(), address


def test_a_session_that_was_signed_out_opens_nothing_again(users):
    client = sign_in(users.learner)
    key = client.cookies["session"].value
    client.post("/accounts/logout/")
    client.cookies["session"] = key
    assert client.get("/profile/").status_code == 302


def test_a_session_that_somebody_else_chose_is_not_signed_in(users):
    client = Client()
    client.cookies["session"] = "k" * 32
    client.post(LOGIN, {"login": users.learner.email, "password": PASSWORD})
    assert client.cookies["session"].value != "k" * 32
    assert len(client.cookies["session"].value) == 32


def test_who_is_switched_off_is_signed_out_everywhere(users):
    client = sign_in(users.learner)
    users.learner.is_active = False
    users.learner.save()
    assert client.get("/profile/").status_code == 302


@pytest.mark.django_db
def test_signing_in_gives_a_session_another_key(users):
    """Somebody who put a key of theirs into a browser is not in with it afterwards."""
    before = SessionStore()
    before["next"] = "/"
    before.save()
    client = Client()
    client.cookies["session"] = str(before.session_key)
    client.post("/accounts/login/", {"login": users.learner.email, "password": PASSWORD})
    key = client.cookies["session"].value
    assert key != before.session_key
    assert Session.objects.get(session_key=key).user == users.learner
    assert not Session.objects.filter(session_key=before.session_key).exists()
