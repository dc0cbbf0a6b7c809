"""Errors as problem documents (application/problem+json), each with a stable `code`.

What was sent is never repeated: `errors` name places, not values. All words of a document are
in the language of the request (base_view.py activates it).
"""

import logging
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from http import HTTPStatus
from typing import Any

from allauth.core.exceptions import ReauthenticationRequired
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from accounts import reauthentication
from quizzes.api.fields import format_utc
from quizzes.lib.errors import Busy, Conflict, Invalid, NotFound, Refused, ServiceError
from quizzes.lib.file_store.contract import FileStoreUnavailable

MEDIA_TYPE = "application/problem+json"
STATUSES: Mapping[type[ServiceError], int] = {NotFound: 404, Refused: 409, Conflict: 409}
TITLES = {
    400: _("The request cannot be read"),
    401: _("Sign-in needed"),
    403: _("Not allowed"),
    404: _("Not found"),
    405: _("Method not allowed"),
    409: _("Not possible now"),
    412: _("Changed meanwhile"),
    413: _("Too large"),
    415: _("Such a body is not read here"),
    422: _("The request makes no sense"),
    429: _("Too many requests"),
    500: _("Something went wrong here"),
    503: _("Not available for the moment"),
}
RETRY_AFTER = 5

log = logging.getLogger(__name__)


class TooLarge(exceptions.APIException):
    """The body is larger than anything this API needs."""

    status_code = 413
    default_detail = _("The body is too large.")
    default_code = "too_large"


class PreconditionFailed(exceptions.APIException):
    """The resource is not, or no longer, what If-Match names."""

    status_code = 412
    default_detail = _("It was changed since you read it. Read it again.")
    default_code = "precondition_failed"


def problem_document(status: int, code: str, detail: str = "", **members: Any) -> dict[str, Any]:
    """Compose a problem document; members that are None or empty are left out."""
    return {
        "type": f"urn:ochenta:problem:{code}",
        "title": str(TITLES.get(status, _("The request is refused"))),
        "status": status,
        "code": code,
        **({"detail": detail} if detail else {}),
        **{name: value for name, value in members.items() if value not in (None, [])},
    }


def problem_response(
    content: Mapping[str, Any], headers: Mapping[str, str] | None = None
) -> HttpResponse:
    """Send a problem document."""
    return HttpResponse(
        JSONRenderer().render(content),
        status=content["status"],
        content_type=MEDIA_TYPE,
        headers=dict(headers or {}),
    )


def build_refusal(
    problems: Iterable[tuple[str, str, str]], *, below: str = ""
) -> exceptions.ValidationError:
    """Return the refusal of what has problems, each a place, a code and a sentence.

    Places are `below` a field of the body, if there is one.
    """
    errors: dict[str, list[exceptions.ErrorDetail]] = {}
    for place, code, sentence in problems:
        where = _below(below, place) if below else place or "body"
        errors.setdefault(where, []).append(exceptions.ErrorDetail(sentence, code))
    return exceptions.ValidationError(errors)


def exception_handler(error: Exception, context: Mapping[str, Any]) -> HttpResponse:
    """Turn any error into a problem document; what nobody foresaw is logged and says nothing."""
    match error:
        case ReauthenticationRequired():
            return _ask_who_it_is(context["request"])
        case Busy():
            return problem_response(
                problem_document(503, error.code), {"Retry-After": str(RETRY_AFTER)}
            )
        case ServiceError():
            return problem_response(_service_problem(error))
        case exceptions.APIException():
            return problem_response(_framework_problem(error), _headers(error))
        case Http404():
            content = problem_document(404, "not_found")
        case PermissionDenied():
            content = problem_document(403, "permission_denied")
        case SuspiciousOperation():
            content = problem_document(400, "suspicious")
        case OperationalError() | InterfaceError() | FileStoreUnavailable():
            where = "store of files" if isinstance(error, FileStoreUnavailable) else "database"
            log.error("the %s did not answer", where, exc_info=error)
            return problem_response(
                problem_document(503, "unavailable"), {"Retry-After": str(RETRY_AFTER)}
            )
        case _:
            log.error("an error that the API did not foresee", exc_info=error)
            content = problem_document(500, "server_error")
    return problem_response(content)


def _ask_who_it_is(request: Request) -> HttpResponse:
    """Lead a person who follows a link to the page that asks again; refuse scripts."""
    if request.headers.get("Sec-Fetch-Mode") == "navigate":
        return reauthentication.ask_again(request._request)
    sentence = _("Sign in again, or confirm on a page of this site that it is you.")
    return problem_response(problem_document(403, "reauthentication_required", str(sentence)))


@csrf_exempt  # there is nothing to protect, and 403 would say that there is something
def unknown_route(request: HttpRequest, **_path: Any) -> HttpResponse:
    """Answer for every address under the API that is none."""
    return problem_response(problem_document(404, "not_found"))


def _service_problem(error: ServiceError) -> dict[str, Any]:
    if isinstance(error, Invalid):
        return problem_document(422, error.code, errors=[_build_error(error.code, error.detail)])
    status = STATUSES.get(type(error), 409)
    if status == HTTPStatus.NOT_FOUND:  # the one status that says nothing more
        return problem_document(404, "not_found")
    return problem_document(status, error.code, **{n: _to_json(v) for n, v in error.detail.items()})


def _build_error(code: str, detail: Mapping[str, Any]) -> dict[str, Any]:
    place = {"where": str(detail.get("where", "body")), "code": code}
    return place | {name: detail[name] for name in ("slot", "detail") if name in detail}


def _to_json(value: Any) -> Any:
    return format_utc(value) if isinstance(value, datetime) else value


def _framework_problem(error: exceptions.APIException) -> dict[str, Any]:
    if isinstance(error, exceptions.ValidationError):
        return problem_document(
            422, "invalid", errors=list(_list_errors(error.get_full_details(), ""))
        )
    codes = error.get_codes()
    code = codes if isinstance(codes, str) else error.default_code
    detail = error.detail if isinstance(error.detail, str) else ""
    return problem_document(error.status_code, code, str(detail))


def _list_errors(details: Any, where: str) -> Iterator[dict[str, Any]]:
    """Flatten the framework's nested errors into places like `responses.0.slot`."""
    if isinstance(details, Mapping) and set(details) == {"message", "code"}:
        is_unknown = str(details["message"]) == "unknown_field"
        code = "unknown_field" if is_unknown else str(details["code"])
        yield {"where": where or "body", "code": code} | (
            {} if is_unknown else {"detail": str(details["message"])}
        )
    elif isinstance(details, Mapping):
        for name, inner in details.items():
            # A name that nobody gave here was sent by the caller: shortened, and never a value.
            yield from _list_errors(inner, _below(where, str(name)[:100]))
    else:
        many = len(details) > 1 and not all(_is_leaf(detail) for detail in details)
        for number, inner in enumerate(details):
            yield from _list_errors(inner, _below(where, str(number)) if many else where)


def _is_leaf(details: Any) -> bool:
    return isinstance(details, Mapping) and set(details) == {"message", "code"}


def _below(where: str, name: str) -> str:
    if name == "non_field_errors":
        return where
    return f"{where}.{name}" if where else name


def _headers(error: exceptions.APIException) -> dict[str, str]:
    headers = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait))
    return headers
