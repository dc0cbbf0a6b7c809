"""The base of every view: it bounds the body, parses strictly and chooses the language."""

from typing import Any, ClassVar

from django.conf import settings
from django.http import HttpResponse, QueryDict
from django.utils import translation
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import MethodNotAllowed, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import reauthentication
from accounts.models import ApiToken
from quizzes.api.fields import StrictSerializer
from quizzes.api.permissions import Scopes
from quizzes.api.problems import PreconditionFailed, TooLarge

APIResponse = Response | HttpResponse
MEGABYTE = 1_000_000
MAX_BODY_BYTES = 1024 * 1024


class EmptyQuery(StrictSerializer):
    """The query of an address that takes none."""


class LanguageQuery(StrictSerializer):
    """The query of an address that answers in words."""

    lang = serializers.ChoiceField(
        settings.LANGUAGES,
        required=False,
        help_text="Language of the words; without it Accept-Language, then the person's own.",
    )


class BaseAPIView(APIView):
    """A view of the API. `scopes` says what a token needs (permissions.py).

    `max_bytes` is how many bytes a body may have. `takes_if_match`: its writes compare If-Match
    (preconditions.py); where they do not, there is no ETag that could match. `sensitive_methods`
    ask who is signed in to say again who they are; whoever made a token has done so. `shows_keys`:
    so do all methods, after a longer time.
    """

    scopes: ClassVar[Scopes] = {}
    sensitive_methods: ClassVar[frozenset[str]] = frozenset()
    shows_keys: ClassVar[bool] = False
    max_bytes: ClassVar[int] = MAX_BODY_BYTES
    takes_if_match: ClassVar[bool] = False
    http_method_names: ClassVar[list[str]] = ["get", "head", "post", "delete"]  # type: ignore[misc]  # the stubs forget ClassVar

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse unknown methods and large bodies before anything is read."""
        if language := _language_asked_for(request):
            translation.activate(language["lang"])  # whoever is not let in is told so in it, too
        if str(request.method).lower() not in self.http_method_names or not hasattr(
            self, str(request.method).lower()
        ):
            raise MethodNotAllowed(str(request.method))
        length = str(request.META.get("CONTENT_LENGTH") or "0")
        if not length.isdigit() or int(length[:12]) > self.max_bytes:
            raise TooLarge(
                _("A body may have %(size)s MB at most.") % {"size": self.max_bytes // MEGABYTE}
            )
        super().initial(request, *args, **kwargs)
        if request.method in self.sensitive_methods and not isinstance(request.auth, ApiToken):
            reauthentication.check_recent(request._request)
        if self.shows_keys:
            self.check_recent_for_keys(request)
        translation.activate(response_language(request, _language_asked_for(request)))
        if_match = request.headers.get("If-Match", "*")
        if request.method not in SAFE_METHODS and not self.takes_if_match and if_match != "*":
            raise PreconditionFailed

    def check_recent_for_keys(self, request: Request) -> None:
        """Ask who is signed in to say again who they are, before right answers are shown."""
        if not isinstance(request.auth, ApiToken):
            reauthentication.check_recent(
                request._request, reauthentication.ReauthenticationPurpose.KEYS
            )


def _language_asked_for(request: Request) -> dict[str, Any]:
    """Return the language in the address if it is one of ours, for the words of any refusal."""
    lang = request.query_params.get("lang")
    return {"lang": lang} if lang in dict(settings.LANGUAGES) else {}


def parse_query(request: Request, serializer: type[StrictSerializer]) -> dict[str, Any]:
    """Read the query string; what is unknown, repeated or senseless: ValidationError."""
    params = request.query_params
    _refuse_repeated(params)
    return _validate(serializer(data=dict(params.items())))


def parse_body(request: Request, serializer: type[StrictSerializer]) -> dict[str, Any]:
    """Read the body; what is unknown or senseless: ValidationError."""
    return _validate(serializer(data=request.data))


def parse_form(request: Request, serializer: type[StrictSerializer]) -> dict[str, Any]:
    """Read a body in parts, files too; what is unknown, repeated or senseless: ValidationError."""
    sent = request.data
    if isinstance(sent, QueryDict):  # of an empty body, the framework makes a plain one
        _refuse_repeated(sent)
    return _validate(serializer(data=sent))


def _refuse_repeated(params: QueryDict) -> None:
    twice = {name: ["repeated"] for name in params if len(params.getlist(name)) > 1}
    if twice:
        raise ValidationError(twice, code="repeated")


def _validate(serializer: StrictSerializer) -> dict[str, Any]:
    serializer.is_valid(raise_exception=True)
    validated: dict[str, Any] = serializer.validated_data
    return validated


def response_language(request: Request, params: dict[str, Any]) -> str:
    """Choose the language of words: the one asked for, the header's, the person's, the site's."""
    if params.get("lang"):
        return str(params["lang"])
    if isinstance(request.auth, ApiToken) and "Accept-Language" not in request.headers:
        return request.auth.user.language or settings.LANGUAGE_CODE
    return str(getattr(request._request, "LANGUAGE_CODE", settings.LANGUAGE_CODE))
