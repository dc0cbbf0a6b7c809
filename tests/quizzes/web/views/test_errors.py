"""Every error has a page with a way on."""

import pytest
from django.core.exceptions import BadRequest, RequestDataTooBig
from django.test import Client, RequestFactory

from quizzes.web.views import errors
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

HANDLERS = [
    (errors.bad_request, 400, [BadRequest()]),
    (errors.bad_request, 413, [RequestDataTooBig()]),
    (errors.server_error, 500, []),
]


@pytest.mark.parametrize(("handler", "status", "arguments"), HANDLERS)
def test_pages_without_a_session_are_drawn_all_the_same(
    handler, status, arguments, django_assert_num_queries
):
    with django_assert_num_queries(0):
        response = handler(RequestFactory().get("/"), *arguments)
    assert response.status_code == status
    assert 'href="/"' in response.content.decode()


def test_an_unknown_address_is_a_page_with_a_way_on(users):
    for client in (Client(), logged_in_client(users.learner)):
        response = client.get("/nowhere/")
        assert response.status_code == 404
        assert 'href="/"' in response.content.decode()


def test_a_form_without_a_token_is_explained(users):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(users.learner)
    response = strict.post("/language", {"lang": "es"})
    assert response.status_code == 403
    assert "Nothing that was saved is lost" in response.content.decode()


def test_a_form_that_is_too_big_is_refused(users):
    response = logged_in_client(users.learner).post("/language", {"lang": "x" * 1_100_000})
    assert response.status_code == 413
