"""The format of a file that may be of several: chosen by a program, and the file is read."""

from functools import partial
from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Scope
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.fields import StrictSerializer
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.import_serializers import (
    EXAMPLE,
    ImportDetailSerializer,
    build_import_result,
    get_import,
    lock_import_version,
)
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.preconditions import WRITTEN_ETAG, describe_if_match, require_unchanged
from quizzes.formats import FORMATS
from quizzes.imports import jobs, tasks

FORMAT_EXAMPLE = OpenApiExample("The file is GIFT", {"format": "gift"}, request_only=True)


class ChooseFormatRequest(StrictSerializer):
    """As which format the file is read."""

    format = serializers.ChoiceField(
        list(FORMATS), help_text="One of the `formats` of the 409, or any other."
    )


class ImportFormatView(BaseAPIView):
    """The format of a file that is `ambiguous`."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.AUTHORING,)}
    takes_if_match = True

    @extend_schema(
        operation_id="chooseImportFormat",
        summary="Say which format a file is of",
        tags=["imports"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the import"), WRITTEN_ETAG],
        request=ChooseFormatRequest,
        responses={202: OpenApiResponse(ImportDetailSerializer, "It is read, now or before")},
        examples=[EXAMPLE, FORMAT_EXAMPLE],
    )
    def post(self, request: Request, job: UUID) -> APIResponse:
        """Have an `ambiguous` file read as this format; the file need not be sent again.

        Chosen before, it answers the same. 409: `format_is_chosen`, another one. Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, ChooseFormatRequest)
        return idempotent(
            request, lambda: self._choose(request, job, posted), same_transaction=False
        )

    def _choose(self, request: Request, uuid: UUID, posted: dict[str, Any]) -> WriteResult:
        job = get_import(request, uuid)
        with require_unchanged(request, partial(lock_import_version, job)):
            job = jobs.choose_format(job=job, format_=posted["format"], by=request_user(request))
        tasks.advance(job.pk)
        return build_import_result(get_import(request, uuid))
