"""What each request learns about its person."""

from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils import timezone, translation

from accounts import middleware
from accounts.models import Session, User
from accounts.sessions import SessionStore
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


def asked(user: Any = None, **headers: str) -> HttpRequest:
    request = RequestFactory().get("/", headers=headers)
    request.user = user or AnonymousUser()
    return request


def through(request: HttpRequest) -> tuple[str, str, HttpResponse]:
    """The language and zone that a page is made in, and the answer."""
    met: list[str] = []

    def page(_: HttpRequest) -> HttpResponse:
        met.extend((translation.get_language(), timezone.get_current_timezone_name()))
        return HttpResponse()

    response = middleware.preferences(page)(request)
    return met[0], met[1], response


# --- Language --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("cookie", "persons", "browsers", "spoken"),
    [
        ("es", "en", "en", "es"),
        ("", "es", "en", "es"),
        ("", "", "es", "es"),
        ("", "", "de", "en"),
        ("xx", "es", "en", "es"),
        ("../en", "", "es", "es"),
    ],
)
def test_the_device_decides_before_the_person_before_the_browser(
    users, cookie, persons, browsers, spoken
):
    users.learner.language = persons
    request = asked(users.learner, **{"Accept-Language": browsers})
    request.COOKIES["language"] = cookie
    language, _, response = through(request)
    assert language == spoken == response.headers["Content-Language"]


def test_a_guest_is_spoken_to_in_the_browsers_language():
    assert through(asked(**{"Accept-Language": "es-MX,es;q=0.9"}))[0] == "es"


def test_what_a_request_spoke_is_forgotten_after_it(users):
    before = translation.get_language(), timezone.get_current_timezone_name()
    users.learner.language, users.learner.time_zone = "es", "Europe/Madrid"
    through(asked(users.learner))
    assert (translation.get_language(), timezone.get_current_timezone_name()) == before


# --- Zone ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("zone", "expected"),
    [
        ("Europe/Madrid", "Europe/Madrid"),
        ("", "UTC"),
        ("Nowhere/Land", "UTC"),
        ("../../etc/passwd", "UTC"),
        ("America", "UTC"),
    ],
)
def test_times_are_told_in_the_persons_zone_and_in_utc_where_there_is_no_such(
    users, zone, expected
):
    users.learner.time_zone = zone
    assert through(asked(users.learner))[1] == expected


def test_a_guest_reads_utc():
    assert through(asked())[1] == "UTC"


# --- Caches ----------------------------------------------------------------------------------
def test_pages_are_kept_out_of_every_cache():
    assert through(asked())[2].headers["Cache-Control"] == "no-store, private"


def test_a_page_may_say_otherwise():
    def page(_: HttpRequest) -> HttpResponse:
        return HttpResponse(headers={"Cache-Control": "max-age=60", "Content-Language": "es"})

    response = middleware.preferences(page)(asked())
    assert response.headers["Cache-Control"] == "max-age=60"
    assert response.headers["Content-Language"] == "es"


# --- Who -------------------------------------------------------------------------------------
def came_with(cookies: SimpleCookie) -> HttpRequest:
    request = RequestFactory().get("/")
    request.session = SessionStore(cookies["session"].value)
    middleware.SignedInMiddleware(lambda _: HttpResponse()).process_request(request)
    return request


def test_the_person_comes_with_the_session_in_one_query(users, counted):
    cookies = logged_in_client(users.learner).cookies
    with counted() as queries:
        assert came_with(cookies).user == users.learner
    assert len(queries) == 1


def test_nobody_is_asked_for_until_somebody_looks(users, counted):
    cookies = logged_in_client(users.learner).cookies
    with counted() as queries:
        came_with(cookies)
    assert queries == []


def test_a_session_without_a_person_is_a_guest(counted):
    request = RequestFactory().get("/")
    request.session = SessionStore()
    middleware.SignedInMiddleware(lambda _: HttpResponse()).process_request(request)
    assert not request.user.is_authenticated


def test_a_new_password_ends_the_other_sessions(users):
    cookies = logged_in_client(users.learner).cookies
    users.learner.set_password("another long password")
    users.learner.save()
    assert not came_with(cookies).user.is_authenticated


def test_who_is_not_active_any_more_is_a_guest_at_the_next_request(users):
    cookies = logged_in_client(users.learner).cookies
    User.objects.filter(pk=users.learner.pk).update(is_active=False)
    assert not came_with(cookies).user.is_authenticated


def test_a_backend_that_we_do_not_use_any_more_signs_nobody_in(users, settings):
    cookies = logged_in_client(users.learner).cookies
    settings.AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
    assert not came_with(cookies).user.is_authenticated


def test_a_session_that_names_another_person_than_its_row_goes_by_what_is_signed(users):
    cookies = logged_in_client(users.learner).cookies
    Session.objects.update(user=users.administrator)
    assert came_with(cookies).user == users.learner


def test_a_session_of_a_deleted_person_is_gone(users):
    cookies = logged_in_client(users.stranger).cookies
    users.stranger.delete()
    assert not came_with(cookies).user.is_authenticated


def test_an_expired_session_signs_nobody_in(users):
    cookies = logged_in_client(users.learner).cookies
    Session.objects.update(expire_date=timezone.now())
    request = came_with(cookies)
    assert not request.user.is_authenticated
    assert SESSION_KEY not in request.session


# --- The admin's policy ----------------------------------------------------------------------
@pytest.mark.parametrize(
    ("path", "widened"), [("/admin/", True), ("/", False), ("/x/admin/", False)]
)
def test_the_content_policy_is_widened_for_the_admin_alone(path, widened):
    response = middleware.admin_policy(lambda _: HttpResponse())(RequestFactory().get(path))
    assert hasattr(response, "_csp_update") is widened


def test_templates_learn_whether_the_admin_opens_for_the_person(users, counted):
    person = middleware.template_context(asked(users.instructor))
    assert person["may_open_admin"]
    with counted() as queries:
        middleware.template_context(asked(users.instructor))
    assert queries == []
