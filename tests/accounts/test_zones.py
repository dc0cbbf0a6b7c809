"""Time zones: what the browser says, what a person has chosen, and how a time tells its zone."""

from datetime import datetime

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from accounts import zones
from accounts.models import User
from tests.factories import NOW
from tests.users import PASSWORD, Users, logged_in_client

pytestmark = pytest.mark.django_db

MADRID = "Europe/Madrid"


def browser_in(zone: str, client: Client | None = None) -> Client:
    client = client or Client()
    client.cookies[zones.COOKIE] = zone
    return client


def zone_of(user: User) -> tuple[str, bool]:
    return User.objects.values_list("time_zone", "time_zone_chosen").get(pk=user.pk)


def sign_in(client: Client, user: User) -> None:
    client.post("/accounts/login/", {"login": user.email, "password": PASSWORD})


def test_who_signs_up_has_the_zone_of_the_browser():
    sent = {"email": "new@example.org", "password1": PASSWORD}
    browser_in(MADRID).post("/accounts/signup/", sent)
    assert zone_of(User.objects.get(email="new@example.org")) == (MADRID, False)


def test_signing_in_elsewhere_moves_a_zone_that_nobody_chose(users: Users):
    sign_in(browser_in(MADRID), users.learner)
    assert zone_of(users.learner) == (MADRID, False)
    sign_in(browser_in("America/Lima"), users.learner)
    assert zone_of(users.learner) == ("America/Lima", False)


def test_signing_in_leaves_a_chosen_zone(users: Users):
    User.objects.filter(pk=users.learner.pk).update(time_zone="UTC", time_zone_chosen=True)
    sign_in(browser_in(MADRID), users.learner)
    assert zone_of(users.learner) == ("UTC", True)


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../../etc/passwd", "localtime", "x" * 300])
def test_a_zone_that_does_not_exist_is_none(users: Users, zone):
    client = browser_in(zone)
    sign_in(client, users.learner)
    assert zone_of(users.learner) == ("UTC", False)
    page = client.get("/").content.decode()
    assert "zone-offer" not in page
    assert client.post("/profile/time-zone", {"zone": zone, "answer": "use"}).status_code == 302
    assert zone_of(users.learner) == ("UTC", False)
    with pytest.raises(ValidationError):
        zones.validate_zone(zone)


def test_without_a_script_nothing_is_offered(users: Users):
    assert "zone-offer" not in logged_in_client(users.learner).get("/").content.decode()


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Times are shown in UTC."), ("es", "Las horas se muestran en UTC.")],
)
def test_one_tap_takes_the_zone_of_the_browser(users: Users, language, words):
    client = browser_in(MADRID, logged_in_client(users.learner))
    client.cookies["language"] = language
    page = client.get("/attempts/").content.decode()
    assert words in page
    assert MADRID in page
    sent = {"zone": MADRID, "answer": "use", "next": "/attempts/"}
    assert client.post("/profile/time-zone", sent)["Location"] == "/attempts/"
    assert zone_of(users.learner) == (MADRID, True)
    assert "zone-offer" not in client.get("/attempts/").content.decode()


def test_a_zone_is_offered_as_people_read_it(users: Users):
    page = (
        browser_in("America/Buenos_Aires", logged_in_client(users.learner))
        .get("/")
        .content.decode()
    )
    assert "Use America/Buenos Aires" in " ".join(page.split())


def test_who_stays_is_not_asked_again_about_that_zone(users: Users):
    client = browser_in(MADRID, logged_in_client(users.learner))
    client.post("/profile/time-zone", {"zone": MADRID, "answer": "keep"})
    assert zone_of(users.learner) == ("UTC", True)
    assert "zone-offer" not in client.get("/").content.decode()
    assert "zone-offer" in browser_in("America/Lima", client).get("/").content.decode()


def test_the_answer_leads_nowhere_else(users: Users):
    sent = {"zone": MADRID, "answer": "use", "next": "https://elsewhere.example/"}
    assert logged_in_client(users.learner).post("/profile/time-zone", sent)["Location"] == "/"


def test_the_profile_chooses_only_a_zone_that_it_changes(users: Users):
    client = logged_in_client(users.learner)
    sent = {"name": "Ada", "language": "en", "time_zone": "UTC"}
    client.post("/profile/", sent)
    assert zone_of(users.learner) == ("UTC", False)
    client.post("/profile/", sent | {"time_zone": MADRID})
    assert zone_of(users.learner) == (MADRID, True)
    assert client.post("/profile/", sent | {"time_zone": "Mars/Olympus"}).status_code == 422


def test_the_profile_keeps_an_old_name_that_the_browser_told(users: Users):
    User.objects.filter(pk=users.learner.pk).update(time_zone="Cuba")
    client = logged_in_client(users.learner)
    sent = {"name": "Ada", "language": "en", "time_zone": "Cuba"}
    assert client.post("/profile/", sent).status_code == 302


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("Asia/Calcutta", "Asia/Kolkata", True),
        (MADRID, "Europe/Paris", True),
        (MADRID, "Africa/Lagos", False),  # the same in winter alone
        ("UTC", "Europe/London", False),
        ("UTC", "Mars/Olympus", False),
    ],
)
def test_zones_are_alike_that_tell_the_same_time_all_year(first, second, same):
    assert zones.show_same_times(first, second, now=NOW) is same


@pytest.mark.parametrize(
    ("zone", "at", "abbreviation"),
    [
        (MADRID, "2026-03-29T00:59Z", "CET"),
        (MADRID, "2026-03-29T01:00Z", "CEST"),
        (MADRID, "2026-10-25T00:59Z", "CEST"),
        (MADRID, "2026-10-25T01:00Z", "CET"),
        ("America/Sao_Paulo", "2026-01-01T00:00Z", "UTC-3"),
        ("Asia/Kathmandu", "2026-01-01T00:00Z", "UTC+5:45"),
        ("UTC", "2026-01-01T00:00Z", "UTC"),
    ],
)
def test_a_time_tells_the_zone_that_holds_then(zone, at, abbreviation):
    with timezone.override(zone):
        assert zones.abbreviate(datetime.fromisoformat(at)) == abbreviation
