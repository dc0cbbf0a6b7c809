"""Each interface answers an error in its own form and language; without a database, with 503."""

import json

import pytest
from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig
from django.db import IntegrityError, InterfaceError, OperationalError, connection
from django.http import Http404, HttpResponse
from django.test import Client, RequestFactory
from django.urls import get_resolver, path

from accounts.sessions import SessionStore
from config import error_handlers
from quizzes.lib.file_store.contract import FileStoreUnavailable

SAID = "FATAL: the words of the server"
AWAY = OperationalError(SAID), InterfaceError(SAID), FileStoreUnavailable(SAID)


def broken(request) -> HttpResponse:
    raise request.META["test.error"]


urlpatterns = [path("page", broken), path("api/v1/broken", broken)]
handler500 = "config.error_handlers.server_error"


@pytest.fixture
def visitor(settings):
    settings.ROOT_URLCONF = __name__
    return Client(raise_request_exception=False)


def ask(visitor, error, where="/page", method="GET", **headers):
    return visitor.generic(method, where, headers=headers, **{"test.error": error})


def test_the_site_has_this_handler():
    assert get_resolver("config.urls").resolve_error_handler(500) is error_handlers.server_error


@pytest.mark.parametrize("error", AWAY, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("where", ["/page", "/api/v1/broken"])
def test_without_a_database_every_door_says_when_to_come_back(visitor, error, where):
    response = ask(visitor, error, where)
    assert response.status_code == 503
    assert int(response["Retry-After"]) > 0
    assert response["Cache-Control"] == "no-store, private"


@pytest.mark.parametrize("error", [IntegrityError(SAID), LookupError(SAID)])
@pytest.mark.parametrize("where", ["/page", "/api/v1/broken"])
def test_any_other_error_is_our_fault_and_stays_a_500(visitor, error, where):
    response = ask(visitor, error, where)
    assert response.status_code == 500
    assert "Retry-After" not in response


def test_people_get_a_page_with_a_way_on(visitor):
    response = ask(visitor, AWAY[0])
    assert response["Content-Type"].startswith("text/html")
    assert "Every answer that the page called saved is safe" in response.text


def test_the_page_speaks_the_language_of_the_browser_or_its_cookie(visitor):
    page = ask(visitor, AWAY[0], **{"Accept-Language": "es"})
    visitor.cookies["language"] = "es"
    chosen = ask(visitor, AWAY[0])
    for response in (page, chosen):
        assert '<html lang="es">' in response.text
        assert response["Content-Language"] == "es"


def test_our_scripts_get_json_with_a_stable_code(visitor):
    error = {"test.error": AWAY[0]}
    response = visitor.post("/page", "{}", content_type="application/json", **error)
    assert response.status_code == 503
    assert response.json() == {"code": "unavailable"}


def test_programs_get_a_problem_document(visitor):
    response = ask(visitor, AWAY[0], "/api/v1/broken")
    assert response["Content-Type"] == "application/problem+json"
    problem = json.loads(response.content)
    assert (problem["status"], problem["code"]) == (503, "unavailable")


@pytest.mark.parametrize("where", ["/page", "/api/v1/broken"])
def test_nothing_of_the_error_leaks(visitor, where):
    assert SAID not in ask(visitor, AWAY[0], where).text


def test_the_first_to_miss_the_database_is_a_middleware_and_that_counts_too(visitor, monkeypatch):
    def away(_store):
        raise AWAY[0]

    monkeypatch.setattr(SessionStore, "load", away)
    visitor.cookies["session"] = "somebody"
    response = ask(visitor, LookupError("never reached"))
    assert (response.status_code, response["Retry-After"]) == (503, "5")


def test_the_page_of_the_outage_asks_the_database_for_nothing(visitor, monkeypatch):
    def away(*_arguments, **_options):
        raise AWAY[0]

    monkeypatch.setattr(connection, "ensure_connection", away)
    visitor.cookies["session"] = "somebody"
    assert ask(visitor, AWAY[0]).status_code == 503


HANDLERS = [
    (error_handlers.bad_request, 400, "suspicious", BadRequest()),
    (error_handlers.bad_request, 413, "too_large", RequestDataTooBig()),
    (error_handlers.forbidden, 403, "permission_denied", PermissionDenied()),
    (error_handlers.not_found, 404, "not_found", Http404()),
    (error_handlers.csrf_failure, 403, "permission_denied", "no cookie"),
]


@pytest.mark.parametrize(("handler", "status", "code", "error"), HANDLERS)
def test_whatever_refuses_a_program_says_so_in_a_problem_document(handler, status, code, error):
    response = handler(RequestFactory().get("/api/v1/none"), error)
    assert response["Content-Type"] == "application/problem+json"
    problem = json.loads(response.content)
    assert (response.status_code, problem["status"], problem["code"]) == (status, status, code)
    assert problem["type"] == f"urn:ochenta:problem:{code}"


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["get", "post", "put", "patch", "delete", "options"])
@pytest.mark.parametrize("where", ["/api/v1/none", "/api/v2/quizzes", "/api/"])
def test_an_address_of_the_api_that_is_none_is_not_found_by_any_method(method, where):
    strict = Client(enforce_csrf_checks=True)
    response = getattr(strict, method)(where, headers={"Accept-Language": "es"})
    assert (response.status_code, response["Content-Type"]) == (404, "application/problem+json")
    assert response.json()["type"] == "urn:ochenta:problem:not_found"
    assert response.json()["title"] == "No encontrado"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("where", "words"),
    [("/", '<html lang="es">'), ("/api/v1/none", "La petición no se puede leer")],
)
def test_an_unknown_host_is_refused_in_the_language_of_the_browser(where, words):
    spanish = {"Accept-Language": "es", "Host": "elsewhere.invalid"}
    response = Client().get(where, headers=spanish)
    assert (response.status_code, response["Content-Language"]) == (400, "es")
    assert words in response.text


@pytest.mark.django_db
@pytest.mark.parametrize(
    "language", [{"headers": {"Accept-Language": "es"}}, {"query": "?lang=es"}]
)
def test_a_browser_without_the_token_of_this_site_is_refused_in_its_language(users, language):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(users.instructor)
    where = "/api/v1/tokens" + language.get("query", "")
    response = strict.post(where, "{}", "application/json", headers=language.get("headers", {}))
    assert (response.status_code, response["Content-Type"]) == (403, "application/problem+json")
    assert response.json()["detail"].startswith("Envía el token CSRF")
