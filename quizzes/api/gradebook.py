"""The gradebook of a class: everyone's grade at each quiz that is assigned to it."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Group, Scope, User
from quizzes.api.base_view import BaseAPIView, LanguageQuery, parse_query, response_language
from quizzes.api.change_pages import ChangePageSerializer, paginate_changes
from quizzes.api.classes import get_overseen_class
from quizzes.api.pagination import PageQuery
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.results import ScoreSerializer, TitleField
from quizzes.course_grades.selectors import CourseTotal, compute_course_totals, load_grade_rule
from quizzes.course_grades.totals import GradeRule
from quizzes.lib.read_replica import reads_from_replica
from quizzes.presentation.messages.course_grades import describe_rule
from quizzes.publishing.models import Quiz
from quizzes.results.gradebook import (
    GradebookRow,
    GradeState,
    build_rows,
    list_gradebook_memberships,
    list_gradebook_quizzes,
)

GRADE_STATES: Final = [state.value for state in GradeState]


class GradebookQuery(PageQuery, LanguageQuery):
    """The query of the gradebook."""


class GradebookQuizSerializer(serializers.Serializer[Any]):
    """A quiz that is assigned to the class."""

    id = serializers.UUIDField(source="uuid")
    slug = serializers.CharField()
    title = TitleField(source="*")


class GradebookLearnerSerializer(serializers.Serializer[Any]):
    """A learner of the class."""

    id = serializers.UUIDField(source="uuid")
    name = serializers.CharField(allow_blank=True)
    email = serializers.CharField()
    school_id = serializers.CharField(allow_blank=True)


class GradebookCellSerializer(serializers.Serializer[Any]):
    """How a learner stands at a quiz.

    `score` is their quiz grade, null before the first grading; `attempt` the one that counts, else
    the latest, null without any.
    """

    quiz = serializers.UUIDField()
    state = serializers.ChoiceField(GRADE_STATES)
    score = ScoreSerializer(allow_null=True)
    attempt = serializers.UUIDField(allow_null=True)
    retaking = serializers.BooleanField(help_text="whether there is a grade and an open attempt")
    given_up = serializers.BooleanField(help_text="whether they gave up further attempts")


class CourseTotalSerializer(serializers.Serializer[Any]):
    """What a learner's grades come to, in points of 100; `score` is null while nothing counts."""

    state = serializers.ChoiceField(GRADE_STATES)
    score = ScoreSerializer(allow_null=True)


class GradebookRowSerializer(serializers.Serializer[Any]):
    """A learner, and how they stand at each quiz, in the order of `quizzes`.

    `total`: null where the class has none.
    """

    learner = GradebookLearnerSerializer()
    total = CourseTotalSerializer(allow_null=True)
    grades = GradebookCellSerializer(many=True)


class GradebookPageSerializer(ChangePageSerializer):
    """Some learners of a class, in the order in which they joined it or became learners."""

    quizzes = GradebookQuizSerializer(many=True)
    total_rule = serializers.CharField(
        allow_blank=True, help_text="how the total is made, in words; empty where there is none"
    )
    items = GradebookRowSerializer(many=True)


@reads_from_replica
def _load_rows(
    group: Group, quizzes: Sequence[Quiz], learners: Sequence[User]
) -> tuple[Sequence[GradebookRow], GradeRule | None, Sequence[CourseTotal | None]]:
    """Return how learners stand, by which rule a total is made, and the total of each."""
    rows = build_rows(quizzes, learners)
    rule = load_grade_rule(group, quizzes)
    if rule is None:
        return rows, None, [None] * len(rows)
    return rows, rule, compute_course_totals(rule, quizzes, rows)


class GradebookView(BaseAPIView):
    """The gradebook of a class."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.RESULTS,)}

    @extend_schema(
        operation_id="getGradebook",
        summary="Gradebook of a class",
        tags=["classes"],
        parameters=[GradebookQuery],
        responses=GradebookPageSerializer,
    )
    def get(self, request: Request, class_id: UUID) -> Response:
        """Show everyone's final grade at each quiz of a class that you teach or assist in.

        Learners whose address is not confirmed are not listed; attempts of staff do not count. In
        the order in which they joined or were confirmed: whoever comes later is on a later page.
        """
        params = parse_query(request, GradebookQuery)
        group = get_overseen_class(request, class_id)
        quizzes = list_gradebook_quizzes(group=group, viewer=request_user(request))
        page = paginate_changes(list_gradebook_memberships(group), request, params)
        rows, rule, totals = _load_rows(
            group, quizzes, [membership.user for membership in page.rows]
        )
        items = [
            {
                "learner": row.learner,
                "total": total and {"state": total.state.value, "score": total.score},
                "grades": [
                    {
                        "quiz": quiz.uuid,
                        "state": cell.state.value,
                        "score": cell.score,
                        "attempt": cell.attempt_uuid,
                        "retaking": cell.is_retaking,
                        "given_up": cell.has_given_up,
                    }
                    for quiz, cell in zip(quizzes, row.cells, strict=True)
                ],
            }
            for row, total in zip(rows, totals, strict=True)
        ]
        language = response_language(request, params)
        serializer = GradebookPageSerializer(
            {
                "quizzes": quizzes,
                "total_rule": describe_rule(rule) if rule else "",
                **page.to_json(items),
            },
            context={"language": language},
        )
        return Response(serializer.data)
