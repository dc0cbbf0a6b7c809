"""The checks of a bank: the findings that its page of checks shows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar
from uuid import UUID

from django.utils import translation
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.banks import get_visible_bank
from quizzes.api.base_view import BaseAPIView, LanguageQuery, parse_query, response_language
from quizzes.api.fields import UTCDateTimeField
from quizzes.api.pagination import DEFAULT_PAGE_SIZE, Order, PageQuery, build_page
from quizzes.api.permissions import Scopes
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.checks import CheckedFinding, load_report
from quizzes.bank.lint import Severity, Topic
from quizzes.presentation import lint_report

BY_NUMBER = Order((("number", int),))
SEVERITIES = [str(severity) for severity in Severity]
TOPICS = [str(topic) for topic in Topic]
FINDING_EXAMPLE = {
    "code": "missing_feedback",
    "severity": "warning",
    "topic": "languages",
    "question": "7a1f0f55-9a49-4b8f-9f3b-3c5f0a4b6d21",
    "name": "danube",
    "language": "es",
    "part": "options",
    "row": "b",
    "message_params": {"language": "es"},
    "message": "Another language says something here; Español does not yet.",
    "about": "",
    "digest": "9f2c5e6b6d0a4f1f8a3a7f0b1d2c3e4f9f2c5e6b6d0a4f1f8a3a7f0b1d2c3e4f",
    "waiver": None,
}
EXAMPLE = OpenApiExample(
    "A finding on one question of forty",
    {
        "questions": 40,
        "counts": {"error": 0, "warning": 1, "hint": 0},
        "select_all": {"numerator": 1, "denominator": 8, "questions": 12},
        "random_guess": {"numerator": 1, "denominator": 4, "questions": 36},
        "items": [FINDING_EXAMPLE],
        "next": None,
        "cursor": "WyIwIl0",
    },
    response_only=True,
)


class GuessScoreSerializer(serializers.Serializer[Any]):
    """The exact average score of answers without knowledge, where it can be computed."""

    numerator = serializers.IntegerField()
    denominator = serializers.IntegerField()
    questions = serializers.IntegerField(help_text="over how many it is")


class SeverityCountsSerializer(serializers.Serializer[Any]):
    """How many findings there are, by severity."""

    error = serializers.IntegerField()
    warning = serializers.IntegerField()
    hint = serializers.IntegerField()


class WaiverSerializer(serializers.Serializer[Any]):
    """Who waived a finding, and when."""

    by = serializers.CharField(allow_blank=True)
    at = UTCDateTimeField()


class FindingSerializer(serializers.Serializer[Any]):
    """One finding, and its place: the part of the question, the row's short name, the language."""

    code = serializers.CharField()
    severity = serializers.ChoiceField(SEVERITIES)
    topic = serializers.ChoiceField(TOPICS)
    question = serializers.UUIDField(allow_null=True, help_text="null: of the bank as a whole")
    name = serializers.CharField(allow_blank=True, help_text="of the question")
    language = serializers.CharField(allow_blank=True)
    part = serializers.CharField(allow_blank=True)
    row = serializers.CharField(allow_blank=True)
    message_params = serializers.DictField(
        source="figures", help_text="what the message names: texts and whole numbers"
    )
    message = serializers.CharField(help_text="in the language asked for")
    about = serializers.CharField(allow_blank=True, help_text="name of the other question")
    digest = serializers.CharField(
        allow_blank=True, help_text="of the question as it was looked at: to waive the finding"
    )
    waiver = WaiverSerializer(allow_null=True, help_text="null: nobody has waived it")


class FindingPageSerializer(serializers.Serializer[Any]):
    """Some findings: of the bank, then question after question, by severity."""

    questions = serializers.IntegerField(help_text="how many were looked at")
    counts = SeverityCountsSerializer(help_text="of all that is not waived")
    select_all = GuessScoreSerializer(allow_null=True, help_text="of choosing every option")
    random_guess = GuessScoreSerializer(allow_null=True, help_text="of a random answer")
    items = FindingSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class FindingListQuery(PageQuery, LanguageQuery):
    """The query of the list."""

    severity = serializers.ChoiceField(SEVERITIES, required=False)
    topic = serializers.ChoiceField(TOPICS, required=False)
    code = serializers.CharField(required=False, max_length=40)
    waived = serializers.BooleanField(
        default=False, help_text="List waived findings instead of the others."
    )


@dataclass(frozen=True, slots=True)
class NumberedFinding:
    """A finding by its place in the list."""

    number: int
    checked: CheckedFinding


def _iterate_requested(
    listed: Sequence[CheckedFinding], params: dict[str, Any]
) -> Iterator[NumberedFinding]:
    """Yield the requested findings after the cursor."""
    after = BY_NUMBER.read(params["cursor"])[0] if "cursor" in params else -1
    filters = {name: params[name] for name in ("severity", "topic", "code") if name in params}
    for number, checked in enumerate(listed):
        properties = {name: str(getattr(checked.finding, name)) for name in filters}
        if number > after and properties == filters:
            yield NumberedFinding(number, checked)


class ChecksView(BaseAPIView):
    """The checks of one bank."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,)}
    shows_keys = True

    @extend_schema(
        operation_id="getBankChecks",
        summary="Findings in a bank",
        tags=["banks"],
        parameters=[FindingListQuery],
        responses=FindingPageSerializer,
        examples=[EXAMPLE],
    )
    def get(self, request: Request, bank: UUID) -> Response:
        """List what the checks find in the drafts of a bank whose keys you may see.

        Scope `authoring`.
        """
        params = parse_query(request, FindingListQuery)
        visible_bank = get_visible_bank(request, bank)
        record(AuditCode.KEYS_VIEWED, about=visible_bank, once=True)
        report = load_report(visible_bank)
        rows = _iterate_requested(report.waived if params["waived"] else report.open, params)
        page = build_page(
            list(islice(rows, params.get("limit", DEFAULT_PAGE_SIZE) + 1)),
            BY_NUMBER,
            request,
            params,
        )
        with translation.override(response_language(request, params)):
            values = {
                "questions": report.questions,
                "counts": {str(severity): n for severity, n in report.counts().items()},
                "select_all": lint_report.serialize_score(report.everything),
                "random_guess": lint_report.serialize_score(report.guess),
                **page.to_json([_values(row.checked) for row in page.rows]),
            }
            return Response(FindingPageSerializer(values).data)


def _values(checked: CheckedFinding) -> dict[str, Any]:
    waived_by = checked.waived_by
    waiver = {"by": waived_by.by, "at": waived_by.at} if waived_by else None
    return {
        **lint_report.serialize_finding(checked),
        "about": checked.finding.about,
        "digest": checked.question.digest if checked.question else "",
        "waiver": waiver,
    }
