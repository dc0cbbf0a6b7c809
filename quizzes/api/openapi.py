"""The schema (OpenAPI 3.1) and its reference pages, served by the site itself to anyone."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.views.decorators.http import require_safe
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from quizzes.api.problems import problem_document

PROBLEM = {
    "type": "object",
    "description": "What went wrong; `code` is stable. A refused start may have `available_at`.",
    "required": ["type", "title", "status", "code"],
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string"},
        "detail": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["where", "code"],
                "properties": {
                    "where": {"type": "string"},
                    "code": {"type": "string"},
                    "detail": {"type": "string"},
                    "slot": {"type": "integer"},
                },
            },
        },
        "available_at": {"type": "string", "format": "date-time"},
        "attempts_left": {"type": "integer"},
        "slots": {
            "type": "array",
            "items": {"type": "integer"},
            "description": "whose numbers are to be confirmed before submitting",
        },
        "state": {"type": "string", "description": "in which an import is that is over"},
        "responses": {
            "type": "array",
            "description": "the status of each answer of a save",
            "items": {"$ref": "#/components/schemas/SaveResult"},
        },
    },
}
MEANINGS = {
    "400": "The body cannot be read",
    "401": "No valid token, nobody signed in",
    "403": "The token lacks the scope, or the CSRF check failed",
    "404": "No such thing, or not for you",
    "409": "The rules say no, or the answers do not all count",
    "412": "It was changed since the version that `If-Match` names; nothing was written",
    "413": "The body is too large",
    "415": "The body is of another media type than described",
    "422": "Something in query, headers or body makes no sense; `errors` says where",
    "429": "Too many; `Retry-After` says when",
    "503": "As many files are read as the site reads at a time; `Retry-After` says when",
}
CODES = {
    "400": "parse_error",
    "401": "token_expired",
    "403": "scope_missing",
    "404": "not_found",
    "409": "cooling_down",
    "412": "precondition_failed",
    "413": "too_large",
    "415": "unsupported_media_type",
    "422": "invalid",
    "429": "throttled",
    "503": "busy",
    "default": "server_error",
}
EXAMPLES: dict[str, dict[str, Any]] = {
    "409": {"available_at": "2026-11-21T16:40:00Z", "attempts_left": 2},
    "422": {"errors": [{"where": "responses.0.slot", "code": "required"}]},
}


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # its package is untyped here
    """The security scheme of tokens."""

    target_class = "quizzes.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the security scheme."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of yours (och_…) with the scopes it needs.",
        }


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # the same
    """The security scheme of the site's own sessions."""

    target_class = "quizzes.api.authentication.SessionAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the security scheme."""
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": "The signed-in browser; unsafe methods also send X-CSRFToken.",
        }


def complete_schema(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add what holds for every operation: problem documents, and bodies without unknown fields."""
    schemas = result["components"]["schemas"]
    schemas["Problem"] = PROBLEM
    for operation in _operations(result):
        possible = {"401", "403", "422"}
        possible |= {"404"} if _can_be_missing(operation) else set()
        possible |= {"400", "413", "415"} if "requestBody" in operation else set()
        possible |= {"409"} if operation["operationId"] in WITH_CONFLICT else set()
        possible |= {"412"} if _takes_if_match(operation) else set()
        possible |= {"429"} if operation["operationId"] in WITH_THROTTLE else set()
        possible |= {"503"} if operation["operationId"] in WITH_BUSY else set()
        for status in sorted(possible):
            operation["responses"][status] = _problem(status, MEANINGS[status])
        operation["responses"]["default"] = _problem("default", "Anything else")
    for sent in _request_schemas(result):
        schemas[sent]["additionalProperties"] = False
    del schemas["ResultListItem"]["required"]  # `fields` leaves out what was not asked for
    return result


WITH_CONFLICT = {
    "createImport",
    "chooseImportFormat",
    "startAttempt",
    "saveResponses",
    "submitAttempt",
    "createToken",
    "commitImport",
    "cancelImport",
    "listImportMatches",
    "answerImportMatches",
}
WITH_THROTTLE = {"createToken", "createImport"}
WITH_BUSY = {"createImport", "createRoster"}


def _operations(result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in result["paths"].values():
        yield from (value for value in path.values() if isinstance(value, dict))


def _can_be_missing(operation: dict[str, Any]) -> bool:
    named = any(parameter["in"] == "path" for parameter in operation.get("parameters", ()))
    return named or operation["operationId"] in {"startAttempt", "createImport"}


def _takes_if_match(operation: dict[str, Any]) -> bool:
    return any(parameter["name"] == "If-Match" for parameter in operation.get("parameters", ()))


def _problem(status: str, meaning: str) -> dict[str, Any]:
    number = 500 if status == "default" else int(status)
    return {
        "description": meaning,
        "content": {
            "application/problem+json": {
                "schema": {"$ref": "#/components/schemas/Problem"},
                "example": problem_document(number, CODES[status], **EXAMPLES.get(status, {})),
            }
        },
    }


def _request_schemas(result: dict[str, Any]) -> Iterator[str]:
    """Name the schemas of bodies, and those they are made of."""
    schemas = result["components"]["schemas"]
    waiting = [operation.get("requestBody", {}) for operation in _operations(result)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(node)
        elif isinstance(node, dict):
            name = str(node.get("$ref", "")).removeprefix("#/components/schemas/")
            if name and schemas[name].get("type") == "object":
                yield name
                waiting.append(schemas[name])
            waiting.extend(node.values())


@cache
def schema() -> bytes:
    """Make the schema, once a process: it is the same for everyone."""
    with translation.override("en"):
        generator: Any = SchemaGenerator
        openapi = generator().get_schema(request=None, public=True)
    return bytes(JSONRenderer().render(openapi))


@require_safe
def schema_view(request: HttpRequest) -> HttpResponse:
    """Serve the schema."""
    return HttpResponse(schema(), content_type="application/vnd.oai.openapi+json;version=3.1")


class DocsView(SpectacularSwaggerSplitView):
    """The schema as pages to read and try out, from our own files alone."""

    url_name = "api:schema"
    template_name = "api/docs.html"
    permission_classes = (AllowAny,)
    authentication_classes = ()
    http_method_names = ("get", "head")

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Let this page alone show pictures that its style sheet carries within."""
        final = super().finalize_response(request, response, *args, **kwargs)
        vars(final)["_csp_update"] = {"img-src": ["data:"]}  # read by CSPMiddleware, further out
        return final
