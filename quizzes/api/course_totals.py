"""How the total of a class is made: read, and said anew."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, ClassVar, Final
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Group, Scope
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.classes import get_class
from quizzes.api.fields import (
    StrictBooleanField,
    StrictCharField,
    StrictIntegerField,
    StrictSerializer,
    StrictUUIDField,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.preconditions import (
    CONDITIONAL_GET,
    NOT_MODIFIED,
    WRITTEN_ETAG,
    describe_if_match,
    hash_version,
    require_unchanged,
    tagged_response,
    tagged_write,
)
from quizzes.course_grades.models import (
    CountedQuizzes,
    GradeCategory,
    GradeScheme,
    MissingPolicy,
)
from quizzes.course_grades.services import (
    MAX_CATEGORIES,
    MAX_NAME,
    MAX_NUMBER,
    CategoryInput,
    save_grade_scheme,
)
from quizzes.lib.errors import Invalid
from quizzes.results.gradebook import list_class_quizzes

MAX_QUIZZES: Final = 500
PERCENT: Final = r"^(100(\.0{1,2})?|\d{1,2}(\.\d{1,2})?)$"
"""A decimal from 0 to 100 with two places at most."""


class GradeCategoryRequest(StrictSerializer):
    """A category: its weight, its quizzes, and which of them count."""

    name = StrictCharField(max_length=MAX_NAME)
    weight_percent = serializers.RegexField(PERCENT, help_text="a decimal: `12.5`")
    counted = serializers.ChoiceField(CountedQuizzes.choices, required=False, default="all")
    number = StrictIntegerField(
        required=False,
        min_value=0,
        max_value=MAX_NUMBER,
        default=0,
        help_text="the n of `best` and `without_lowest`",
    )
    quizzes = serializers.ListField(child=StrictUUIDField(), max_length=MAX_QUIZZES)


class CourseTotalRuleRequest(StrictSerializer):
    """How a total is made. Without categories there is none."""

    categories = serializers.ListField(child=GradeCategoryRequest(), max_length=MAX_CATEGORIES)
    missing = serializers.ChoiceField(
        MissingPolicy.choices,
        required=False,
        default=MissingPolicy.EXCLUDED.value,
        help_text="what a quiz without a grade counts",
    )
    pass_percent = serializers.RegexField(PERCENT, required=False, default="80")
    is_published = StrictBooleanField(
        required=False, default=False, help_text="learners see their own total"
    )


class GradeCategorySerializer(serializers.Serializer[Any]):
    """A category, in order."""

    name = serializers.CharField()
    weight_percent = serializers.CharField()
    counted = serializers.ChoiceField(CountedQuizzes.choices)
    number = serializers.IntegerField()
    quizzes = serializers.ListField(child=serializers.UUIDField())


class CourseTotalRuleSerializer(serializers.Serializer[Any]):
    """How the total of a class is made. Without categories it has none."""

    categories = GradeCategorySerializer(many=True)
    missing = serializers.ChoiceField(MissingPolicy.choices)
    pass_percent = serializers.CharField()
    is_published = serializers.BooleanField()


def _load_payload(group: Group) -> dict[str, Any]:
    """Return how the total of a class is made now; three queries."""
    scheme = GradeScheme.objects.filter(group=group).first() or GradeScheme(group=group)
    categories = GradeCategory.objects.filter(scheme__group=group).order_by("position")
    payload = {
        "categories": [
            {
                "name": category.name,
                "weight_percent": _format_percent(category.weight_percent),
                "counted": category.counted,
                "number": category.number,
                "quizzes": [row.quiz.uuid for row in category.quizzes.all()],
            }
            for category in categories.prefetch_related("quizzes__quiz")
        ],
        "missing": scheme.missing,
        "pass_percent": _format_percent(scheme.pass_percent),
        "is_published": scheme.is_published,
    }
    return dict(CourseTotalRuleSerializer(payload).data)


def _format_percent(percent: Decimal) -> str:
    return f"{percent.normalize():f}"


def _read_categories(group: Group, posted: Mapping[str, Any]) -> list[CategoryInput]:
    quizzes = {quiz.uuid: quiz for quiz in list_class_quizzes(group)}
    named = {uuid for category in posted["categories"] for uuid in category["quizzes"]}
    if named - quizzes.keys():
        raise Invalid("quiz_of_another_class", where="categories")
    return [
        CategoryInput(
            name=category["name"],
            weight_percent=Decimal(category["weight_percent"]),
            quizzes=[quizzes[uuid] for uuid in category["quizzes"]],
            counted=CountedQuizzes(category["counted"]),
            number=category["number"],
        )
        for category in posted["categories"]
    ]


class CourseTotalView(BaseAPIView):
    """How the total of a class is made."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.CLASSES,), "POST": (Scope.CLASSES,)}
    takes_if_match = True

    @extend_schema(
        operation_id="getCourseTotal",
        summary="How the total of a class is made",
        tags=["classes"],
        parameters=CONDITIONAL_GET,
        responses={200: CourseTotalRuleSerializer, **NOT_MODIFIED},
    )
    def get(self, request: Request, class_id: UUID) -> HttpResponse:
        """Show how the total of a class that you teach is made. Scope `classes`."""
        parse_query(request, EmptyQuery)
        payload = _load_payload(get_class(request, class_id))
        return tagged_response(request, payload, hash_version(payload))

    @extend_schema(
        operation_id="changeCourseTotal",
        summary="Say how the total of a class is made",
        tags=["classes"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the rule"), WRITTEN_ETAG],
        request=CourseTotalRuleRequest,
        responses={200: OpenApiResponse(CourseTotalRuleSerializer, "As it is now")},
    )
    def post(self, request: Request, class_id: UUID) -> APIResponse:
        """Put another rule in place of the one there is. An archived class: 409. Scope `classes`.

        A quiz that is not of the gradebook of the class, or in two categories: 422.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, CourseTotalRuleRequest)
        return idempotent(request, lambda: self._change(request, class_id, posted))

    def _change(self, request: Request, class_id: UUID, posted: dict[str, Any]) -> WriteResult:
        group = get_class(request, class_id)

        def lock_version() -> str:
            Group.objects.select_for_update(of=("self",)).get(pk=group.pk)
            return hash_version(_load_payload(group))

        with transaction.atomic(), require_unchanged(request, lock_version):
            save_grade_scheme(
                group=group,
                categories=_read_categories(group, posted),
                missing=MissingPolicy(posted["missing"]),
                pass_percent=Decimal(posted["pass_percent"]),
                is_published=posted["is_published"],
                by=request_user(request),
            )
        payload = _load_payload(group)
        return tagged_write(payload, hash_version(payload))
