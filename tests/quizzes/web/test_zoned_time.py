"""No time is shown without its zone: every template, and every page with a deadline."""

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import NoReverseMatch, reverse
from django.utils import timezone, translation
from django.utils.formats import date_format

from accounts.models import User
from accounts.services import issue_token
from quizzes.attempts import services as attempts
from quizzes.attempts.models import Assignment, Attempt
from quizzes.lib import clock
from quizzes.publishing.models import Quiz
from quizzes.results.services import finish
from quizzes.web.templatetags.zoned_time import zoned_second, zoned_time
from tests.factories import create_quiz
from tests.users import Users, logged_in_client
from tools.paths import ROOT

UNNAMED = re.compile(r"\|\s*(date|time)\b|\{%\s*now\b|<time\b")
EXCEPTIONS = (
    # A moment ago, and the script writes it anew at the next save.
    'attempt.saved_at|date:"H:i:s"',
    # A day by the learner's own clock, and no moment.
    'day.day|date:"SHORT_DATE_FORMAT"',
    # For the script alone, with its distance from UTC.
    'data-deadline="{{ attempt.clock.given_until|date:"c" }}"',
)
HIDDEN = re.compile(r"<(script|style|option|template)\b.*?</\1>|<[^>]+>", re.DOTALL)
TIME = re.compile(r"\b\d{1,2}:\d{2}(?::\d{2})?\b\s*(\S*)")
ZONE = "UTC-3"


pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("language", "month"), [("en", "Nov"), ("es", "nov")])
def test_a_month_is_written_alike_on_pages_in_lists_and_to_the_second(language, month):
    at = datetime(2026, 11, 21, 12, 0, 5, tzinfo=UTC)
    with translation.override(language):
        assert f"21 {month} 2026, 12:00 <" in zoned_time(at)
        assert f"21 {month} 2026, 12:00:05 <" in zoned_second(at)
        assert date_format(at, "DATETIME_FORMAT") == f"21 {month} 2026, 12:00 UTC"


@pytest.mark.parametrize("path", sorted((ROOT / "templates").rglob("*.html")), ids=str)
def test_every_template_writes_times_by_the_filter_that_tells_the_zone(path):
    text = path.read_text(encoding="utf-8")
    for exception in EXCEPTIONS:
        text = text.replace(exception, "")
    assert not UNNAMED.findall(text)


def zones_of_times(page: str) -> list[str]:
    """The word behind each time of day that a page shows."""
    text = re.sub(r"\s+", " ", unescape(HIDDEN.sub(" ", page)))
    return [match[1] for match in TIME.finditer(text)]


@pytest.fixture
def far_away(users: Users) -> None:
    """Everybody lives where the zone has no name of its own."""
    User.objects.update(time_zone="America/Sao_Paulo", time_zone_chosen=True)


@pytest.fixture
def ended(users: Users, questions: Any) -> Attempt:
    """An attempt that is over; the next one opens in a while."""
    quiz = create_quiz(users, questions, slug="waits", cooldown_minutes=600)
    attempt = attempts.start(quiz=quiz.uuid, learner=users.learner, now=clock.now())
    finish(attempt=attempt.uuid, learner=users.learner, now=clock.now())
    return attempt


@pytest.fixture
def opened(users: Users, questions: Any) -> Attempt:
    """An attempt against the clock, on a quiz that closes."""
    quiz = create_quiz(users, questions, slug="runs", time_limit=30)
    closes = clock.now() + timedelta(days=2)
    Quiz.objects.filter(pk=quiz.pk).update(closes_at=closes)
    Assignment.objects.filter(quiz=quiz).update(closes_at=closes)
    return attempts.start(quiz=quiz.uuid, learner=users.learner, now=clock.now())


def test_every_page_with_a_time_tells_the_zone(users, ended, opened, far_away):
    issue_token(user=users.learner, name="mine", scopes=["read"], days=9)
    client = logged_in_client(users.learner)
    pages = {
        "home": [],
        "intro": ["waits"],
        "attempt": [opened.uuid],
        "result": [ended.uuid],
        "history": [],
        "tokens": [],
        "devices": [],
    }
    for name, arguments in pages.items():
        page = client.get(reverse(name, args=arguments)).content.decode()
        zones = zones_of_times(page)
        assert zones, name
        assert set(zones) == {ZONE}, name
    closing = client.get(reverse("intro", args=["runs"])).content.decode()
    assert set(zones_of_times(closing)) == {ZONE}


def admin_pages(client: Client) -> list[str]:
    """Each list of the admin, and the page of its first row."""
    addresses = []
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        try:
            addresses.append(reverse(f"{name}_changelist"))
        except NoReverseMatch:  # pages of their own kind, without a list
            continue
        row = model._default_manager.order_by("pk").first()
        if row is not None:
            addresses.append(reverse(f"{name}_change", args=[row.pk]))
    return addresses


def test_the_admin_tells_the_zone_of_every_time(users, ended, opened, far_away):
    client = logged_in_client(users.administrator)
    seen = 0
    for address in admin_pages(client):
        page = client.get(address)
        assert page.status_code == 200, address
        zones = zones_of_times(page.content.decode())
        assert set(zones) <= {ZONE, "-03"}, address
        seen += len(zones)
    assert seen > 5


@pytest.mark.parametrize("model", ["attempts/assignment", "publishing/quiz"])
def test_a_form_says_in_which_zone_a_typed_time_is_read(users, far_away, model):
    page = logged_in_client(users.administrator).get(f"/admin/{model}/add/").content.decode()
    assert page.count("America/Sao_Paulo, now UTC-3") >= 1 + (model == "attempts/assignment")


@pytest.mark.parametrize(
    ("at", "expected"),
    [("2026-03-29T00:59Z", "29 Mar 2026, 01:59"), ("2026-03-29T01:00Z", "29 Mar 2026, 03:00")],
)
def test_a_time_near_a_change_of_the_clocks_has_the_offset_of_then(at, expected):
    with timezone.override("Europe/Madrid"), translation.override("en"):
        written = zoned_time(datetime.fromisoformat(at))
    offset, name = ("+01:00", "CET") if "01:59" in expected else ("+02:00", "CEST")
    assert f"{expected} <" in written
    assert f">{name}</span>" in written
    assert f'{offset}"' in written


def test_no_time_is_written_as_nothing():
    assert zoned_time(None) == ""
