"""Images, sound and video of questions: the same files that pages show."""

from typing import ClassVar
from uuid import UUID

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.request import Request

from accounts.models import Scope
from quizzes.api.base_view import BaseAPIView, EmptyQuery, parse_query
from quizzes.api.fields import ANY_FILE
from quizzes.api.permissions import Scopes, has_scope, request_user
from quizzes.api.preconditions import IF_NONE_MATCH, NOT_MODIFIED
from quizzes.bank import blob_store
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.lib.file_response import ranged_file_response
from quizzes.lib.filetypes import KINDS
from quizzes.study.media_access import load_media_file

TYPES = sorted({ANY_FILE, *(kind.media_type for kind in KINDS.values())})


def _answers(status: int, description: str) -> dict[tuple[int, str], OpenApiResponse]:
    return {
        (status, media_type): OpenApiResponse(OpenApiTypes.BINARY, description)
        for media_type in TYPES
    }


class MediaView(BaseAPIView):
    """One file."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.READ, Scope.RESULTS)}

    @extend_schema(
        operation_id="getMedia",
        summary="A picture, a sound or a film",
        tags=["attempts"],
        parameters=[
            OpenApiParameter(
                "Range", str, OpenApiParameter.HEADER, description="One part: `bytes=0-999`."
            ),
            OpenApiParameter(
                "If-Range",
                str,
                OpenApiParameter.HEADER,
                description="The ETag of the parts that you have: if it is another, all is sent.",
            ),
            IF_NONE_MATCH,
            OpenApiParameter(
                "ETag",
                str,
                OpenApiParameter.HEADER,
                description="Of the bytes of the file, which never change.",
                response=[200, 206, 304],
            ),
        ],
        responses=_answers(200, "The file; `Content-Type` names its type")
        | _answers(206, "The part that was asked for, as `Content-Range` says")
        | NOT_MODIFIED
        | {416: OpenApiResponse(description="The part lies beyond the end of the file")},
    )
    def get(self, request: Request, media: UUID) -> HttpResponseBase:
        """Return a file that texts you may see show, as bytes.

        In HTML it is `/media/<id>.<extension>`; `media` is that id.
        """
        parse_query(request, EmptyQuery)
        media_file = load_media_file(
            uuid=media,
            extension=None,
            viewer=request_user(request),
            now=clock.now(),
            overseeing=has_scope(request, Scope.RESULTS),
        )
        try:
            return ranged_file_response(
                request._request,
                blob_store.open_blob(media_file.digest),
                media_file.name,
                media_file.media_type,
                media_file.digest,
            )
        except FileNotFoundError as missing:
            raise NotFound from missing
