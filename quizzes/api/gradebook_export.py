"""The gradebook of a class as a file: what its page exports, with the same cells."""

from typing import Any, ClassVar
from uuid import UUID
from zoneinfo import ZoneInfo

from django.http import HttpResponseBase
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Scope
from quizzes.api.base_view import BaseAPIView, LanguageQuery, parse_query
from quizzes.api.classes import get_overseen_class
from quizzes.api.fields import ANY_FILE
from quizzes.api.permissions import Scopes, request_user
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.presentation.gradebook_files import CSV, MEDIA_TYPES, XLSX, send_gradebook
from quizzes.results.gradebook_export import (
    ATTEMPTS,
    GRADES,
    ITEMS,
    list_exported_quizzes,
    record_gradebook_export,
)


class GradebookExportQuery(LanguageQuery):
    """What of a gradebook is exported, and as what."""

    rows = serializers.ChoiceField(
        [GRADES, ATTEMPTS, ITEMS],
        default=GRADES,
        help_text="a row a learner with final grades; a row an attempt; or that with every answer",
    )
    format = serializers.ChoiceField([CSV, XLSX], default=CSV)
    quiz = serializers.UUIDField(required=False, help_text="one quiz; without it all")


class GradebookExportView(BaseAPIView):
    """The gradebook of a class as a file."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.RESULTS,)}
    sensitive_methods = frozenset({"GET"})

    @extend_schema(
        operation_id="exportGradebook",
        summary="Gradebook of a class as CSV or XLSX",
        tags=["classes"],
        parameters=[GradebookExportQuery],
        responses={
            (200, MEDIA_TYPES[CSV].partition(";")[0]): OpenApiResponse(OpenApiTypes.STR, "A table"),
            (200, MEDIA_TYPES[XLSX]): OpenApiResponse(OpenApiTypes.BINARY, "A workbook"),
            (200, ANY_FILE): OpenApiResponse(OpenApiTypes.BINARY, "Either"),
        },
    )
    def get(self, request: Request, class_id: UUID) -> HttpResponseBase:
        """Export the grades of a class that you teach or assist in: what its page exports.

        Final grades, every attempt, or every answer, of one quiz or all. More columns than a
        workbook has: 409, `too_many_columns`.
        """
        params: dict[str, Any] = parse_query(request, GradebookExportQuery)
        if params["rows"] == ITEMS:
            self.check_recent_for_keys(request)
        group, viewer = get_overseen_class(request, class_id), request_user(request)
        quizzes = list_exported_quizzes(group=group, viewer=viewer, rows=params["rows"])
        if "quiz" in params:
            quizzes = tuple(quiz for quiz in quizzes if quiz.uuid == params["quiz"])
            if not quizzes:
                raise NotFound
        record_gradebook_export(group=group, quizzes=quizzes, rows=params["rows"], choice=params)
        # A token says nothing of a zone: times are written in that of its person, as on the page.
        zone = ZoneInfo(viewer.time_zone) if viewer.time_zone else None
        with timezone.override(zone or timezone.get_current_timezone()):
            return send_gradebook(
                group=group,
                quizzes=quizzes,
                rows=params["rows"],
                file_format=params["format"],
                viewer=viewer,
                now=clock.now(),
            )
