"""The policy that is written once is the one that django-csp writes, wherever nobody changes it."""

import pytest
from csp.constants import NONCE, SELF
from csp.exceptions import CSPNonceError
from csp.middleware import CSPMiddleware
from django.conf import settings
from django.http import HttpResponse
from django.test import RequestFactory

from config.content_policy import ContentPolicyMiddleware

HEADERS = ("Content-Security-Policy", "Content-Security-Policy-Report-Only")
DIRECTIVES = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]


def answer(middleware, *, nonce=False, header="", **attributes) -> list[set[str]]:
    """Return the directives of both headers of an answer."""
    request, response = RequestFactory().get("/admin/"), HttpResponse()
    middleware.process_request(request)
    if nonce:
        str(vars(request)["csp_nonce"])
        vars(request)["_csp_nonce"] = "bm9uY2U="
    if header:
        response[HEADERS[0]] = header
    vars(response).update(attributes)
    middleware.process_response(request, response)
    return [set(response.get(name, "").split("; ")) for name in HEADERS]


@pytest.mark.parametrize(
    "case",
    [
        {},
        {"nonce": True},
        {"header": "default-src 'self'"},
        {"_csp_update": {"img-src": ["data:"]}},
        {"_csp_replace": {"img-src": ["data:"]}},
        {"_csp_exempt": True},
    ],
    ids=str,
)
@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"CONTENT_SECURITY_POLICY": None},
        {"CONTENT_SECURITY_POLICY": {"DIRECTIVES": {"script-src": [SELF, NONCE]}}},
        {"CONTENT_SECURITY_POLICY": {"EXCLUDE_URL_PREFIXES": ["/admin"], "DIRECTIVES": DIRECTIVES}},
        {"CONTENT_SECURITY_POLICY_REPORT_ONLY": {"DIRECTIVES": {"img-src": [SELF]}}},
    ],
    ids=str,
)
def test_every_answer_has_the_headers_of_django_csp(settings, case, changed):
    middleware = ContentPolicyMiddleware(lambda _request: HttpResponse())
    reference = CSPMiddleware(lambda _request: HttpResponse())
    assert answer(middleware) == answer(reference)
    for name, value in changed.items():
        setattr(settings, name, value)
    for _ in range(2):
        assert answer(middleware, **case) == answer(reference, **case)


def test_who_asks_for_a_nonce_after_the_header_is_written_is_told_so():
    middleware = ContentPolicyMiddleware(lambda _request: HttpResponse())
    request = RequestFactory().get("/")
    middleware.process_request(request)
    middleware.process_response(request, HttpResponse())
    with pytest.raises(CSPNonceError):
        str(vars(request)["csp_nonce"])
