"""One's data: a copy of everything that is stored, and the erasure of it."""

from typing import Any, ClassVar

from django.http import FileResponse, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_query
from quizzes.api.fields import ANY_FILE, UTCDateTimeField
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.permissions import Scopes, request_user
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.privacy import data_requests
from quizzes.privacy.models import DataRequest, RequestKind, RequestState


class DataRequestSerializer(serializers.Serializer[Any]):
    """What you asked for. `reason`: why an erasure was refused, or a code of what holds it up."""

    id = serializers.UUIDField(source="uuid")
    state = serializers.ChoiceField(RequestState.choices)
    created_at = UTCDateTimeField()
    due_at = UTCDateTimeField()
    finished_at = UTCDateTimeField(allow_null=True)
    expires_at = UTCDateTimeField(allow_null=True, help_text="until when a copy can be fetched")
    reason = serializers.CharField(allow_blank=True)


def _find_newest(request: Request, kind: RequestKind) -> DataRequest:
    requests = data_requests.list_requests(request_user(request))
    newest = next((row for row in requests if row.kind == kind), None)
    if newest is None:
        raise NotFound
    return newest


class OwnExportView(BaseAPIView):
    """The copy of one's data."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.PERSONAL_DATA,), "POST": (Scope.PERSONAL_DATA,)}
    sensitive_methods = frozenset({"POST"})

    @extend_schema(
        operation_id="getOwnExport",
        summary="How far the copy of your data is",
        tags=["me"],
        responses=DataRequestSerializer,
    )
    def get(self, request: Request) -> Response:
        """Show the newest copy that you asked for: `waiting`, `done`, `expired`.

        None was asked for: 404. Scope `personal_data`.
        """
        parse_query(request, EmptyQuery)
        return Response(DataRequestSerializer(_find_newest(request, RequestKind.EXPORT)).data)

    @extend_schema(
        operation_id="requestOwnExport",
        summary="Ask for a copy of your data",
        tags=["me"],
        parameters=[IDEMPOTENCY_KEY],
        request=None,
        responses={202: OpenApiResponse(DataRequestSerializer, "Asked for, now or before")},
    )
    def post(self, request: Request) -> APIResponse:
        """Have a copy of everything made that is stored of you, within a minute.

        Your address is not confirmed: 409 (`address_not_confirmed`). Scope `personal_data`.
        """
        parse_query(request, EmptyQuery)
        return idempotent(request, lambda: self._ask(request))

    def _ask(self, request: Request) -> WriteResult:
        person = request_user(request)
        waiting = data_requests.request_export(person=person, now=clock.now())
        return WriteResult(202, DataRequestSerializer(waiting).data)


class OwnExportFileView(BaseAPIView):
    """The file of the copy."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.PERSONAL_DATA,)}
    sensitive_methods = frozenset({"GET"})

    @extend_schema(
        operation_id="fetchOwnExport",
        summary="The copy of your data",
        tags=["me"],
        responses={
            (200, media_type): OpenApiResponse(OpenApiTypes.BINARY, "JSON and CSV, zipped")
            for media_type in (ANY_FILE, "application/zip")
        },
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Fetch the newest copy, for a week; none is ready: 404. Scope `personal_data`."""
        parse_query(request, EmptyQuery)
        export = _find_newest(request, RequestKind.EXPORT)
        file = data_requests.open_export(
            person=request_user(request), request=export.uuid, now=clock.now()
        )
        return FileResponse(
            file,
            as_attachment=True,
            filename="ochenta-data.zip",
            content_type="application/zip",
            headers={"Cache-Control": "no-store, private"},
        )


class OwnErasureView(BaseAPIView):
    """The erasure of one's data."""

    scopes: ClassVar[Scopes] = {
        "GET": (Scope.PERSONAL_DATA,),
        "POST": (Scope.PERSONAL_DATA,),
        "DELETE": (Scope.PERSONAL_DATA,),
    }
    sensitive_methods = frozenset({"POST"})

    @extend_schema(
        operation_id="getOwnErasure",
        summary="How far the erasure of your data is",
        tags=["me"],
        responses=DataRequestSerializer,
    )
    def get(self, request: Request) -> Response:
        """Show the newest erasure that you asked for; none: 404. Scope `personal_data`."""
        parse_query(request, EmptyQuery)
        return Response(DataRequestSerializer(_find_newest(request, RequestKind.ERASURE)).data)

    @extend_schema(
        operation_id="requestOwnErasure",
        summary="Ask for the erasure of your data",
        tags=["me"],
        parameters=[IDEMPOTENCY_KEY],
        request=None,
        responses={202: OpenApiResponse(DataRequestSerializer, "It is done at `due_at`")},
    )
    def post(self, request: Request) -> APIResponse:
        """Ask for the erasure; until `due_at` you can take it back. Scores stay, nameless.

        409, with a code of what prevents it: an address that is not confirmed, a running attempt, a
        legal hold, being the last administrator. You are told by mail. Scope `personal_data`.
        """
        parse_query(request, EmptyQuery)
        return idempotent(request, lambda: self._ask(request))

    def _ask(self, request: Request) -> WriteResult:
        person = request_user(request)
        waiting = data_requests.request_erasure(person=person, now=clock.now())
        return WriteResult(202, DataRequestSerializer(waiting).data)

    @extend_schema(
        operation_id="withdrawOwnErasure",
        summary="Take the request for erasure back",
        tags=["me"],
        responses={204: OpenApiResponse(None, "Your data are not erased")},
    )
    def delete(self, request: Request) -> Response:
        """Take the request back; none is waiting: 404. Scope `personal_data`."""
        parse_query(request, EmptyQuery)
        data_requests.withdraw_erasure(person=request_user(request), now=clock.now())
        return Response(status=204)
