"""The report of an import: every item of the file, how it was read, and what is done with it."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, ClassVar
from uuid import UUID

from django.utils import translation
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.base_view import BaseAPIView, LanguageQuery, parse_query, response_language
from quizzes.api.fields import FractionField, MessageField
from quizzes.api.import_serializers import STATES, FileErrorSerializer, get_import, import_row
from quizzes.api.pagination import DEFAULT_PAGE_SIZE, Order, PageQuery, build_page
from quizzes.api.permissions import Scopes
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.lint import Severity, Topic
from quizzes.formats.contract import FileMetadata, ImportStatus, Note
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.report import RESULTS, ReportItem
from quizzes.imports.selectors import question_ids_by_name
from quizzes.lib.dataclass_json import from_json
from quizzes.matching.key_changes import KeyChange
from quizzes.presentation.messages.import_notes import describe_note
from quizzes.presentation.messages.imports import describe_reason
from quizzes.presentation.messages.problems import describe_finding
from quizzes.presentation.messages.score_comparisons import (
    describe_comparison,
    describe_difference,
)

STATUSES = [str(status) for status in ImportStatus]
BY_NUMBER = Order((("number", int),))
IN_BANK = {ImportAction.SAME, ImportAction.CHANGED, ImportAction.CONFLICT, ImportAction.TRANSLATION}
ITEM_EXAMPLE = {
    "number": 3,
    "name": "danube",
    "kind": "single_choice",
    "archive_path": "",
    "line": 41,
    "end_line": 52,
    "points": {"numerator": 1, "denominator": 1, "decimal": "1"},
    "status": "repaired",
    "action": "new",
    "result": None,
    "selected": True,
    "published": True,
    "question": None,
    "language_match": None,
    "duplicate_of": None,
    "comparison": {
        "compared": 12,
        "reason": "",
        "quote": "",
        "message": "Scores as in the file: 12 answers compared, no difference.",
        "is_told": False,
        "differences": [],
    },
    "notes": [
        {
            "line": 44,
            "code": "weights_made_whole",
            "message": "Shares that were rounded roughly were made whole.",
            "quote": "33.33333",
        }
    ],
    "remainder": [],
    "problems": [],
    "findings": [
        {
            "code": "no_feedback",
            "severity": "hint",
            "topic": "feedback",
            "language": "en",
            "part": "",
            "message": "There is no feedback; a sentence of explanation helps learners.",
        }
    ],
}
EXAMPLE = OpenApiExample(
    "An item that was repaired",
    {
        "state": "ready",
        "committed": False,
        "file_metadata": {
            "title": "Rivers",
            "language": "en",
            "grade": None,
            "pass_threshold": None,
        },
        "errors": [],
        "ignored_lines": [],
        "remainder": [],
        "items": [ITEM_EXAMPLE],
        "next": "/api/v1/imports/7a1f0f55-9a49-4b8f-9f3b-3c5f0a4b6d21/report?cursor=WyIzIl0",
        "cursor": "WyIzIl0",
    },
    response_only=True,
)


class ImportFindingSerializer(serializers.Serializer[Any]):
    """What the checks of a bank would say of an item: it can be published all the same."""

    code = serializers.CharField()
    severity = serializers.ChoiceField(list(Severity))
    topic = serializers.ChoiceField(list(Topic))
    language = serializers.CharField(allow_blank=True)
    part = serializers.CharField(allow_blank=True, help_text="of the question: `options`, say")
    message = MessageField(describe_finding)


class ImportNoteSerializer(serializers.Serializer[Any]):
    """A note on an item: its line, and the text of the file there."""

    line = serializers.IntegerField()
    code = serializers.CharField()
    message = MessageField(describe_note)
    quote = serializers.CharField(allow_blank=True)


class ScoreDifferenceSerializer(serializers.Serializer[Any]):
    """An answer, in words, that earns another share of the points here than in the file."""

    answer = serializers.ListField(child=serializers.CharField(), help_text="empty: no answer")
    in_file = FractionField()
    here = FractionField()
    message = MessageField(describe_difference)


class ScoreComparisonSerializer(serializers.Serializer[Any]):
    """What a sample of answers earns by the rules of the file, and here."""

    compared = serializers.IntegerField(help_text="how many answers")
    reason = serializers.CharField(allow_blank=True, help_text="the code of why none was")
    quote = serializers.CharField(allow_blank=True, help_text="what the file has there")
    message = MessageField(describe_comparison)
    is_told = serializers.BooleanField(help_text="whether the notes explain the differences")
    differences = ScoreDifferenceSerializer(many=True)


class QuestionProblemSerializer(serializers.Serializer[Any]):
    """What keeps a question from being published: it is imported as a draft."""

    where = serializers.CharField()
    code = serializers.CharField()


class MatchReasonSerializer(serializers.Serializer[Any]):
    """Why two questions may be the same, or why they may not."""

    code = serializers.CharField()
    message = MessageField(describe_reason)


class QuestionMatchSerializer(serializers.Serializer[Any]):
    """A question of the bank that may be the same as an item, unless a user has confirmed it."""

    question = serializers.CharField(help_text="its name")
    language = serializers.CharField(allow_blank=True, help_text="of the item")
    percent = serializers.IntegerField(help_text="how sure that is, of 100")
    confirmed = serializers.BooleanField(help_text="whether a user has confirmed it")
    key_change = serializers.ChoiceField(
        list(KeyChange), help_text="what merging them means for the key"
    )
    reasons = MatchReasonSerializer(many=True)


class ImportItemSerializer(serializers.Serializer[Any]):
    """One item of the file: `line` to `end_line` of `archive_path` (empty: of the file itself)."""

    number = serializers.IntegerField(help_text="its place in the file, from 0")
    name = serializers.CharField(allow_blank=True)
    kind = serializers.CharField(allow_blank=True)
    archive_path = serializers.CharField(allow_blank=True)
    line = serializers.IntegerField()
    end_line = serializers.IntegerField()
    points = FractionField(allow_null=True, help_text="as the file tells them, or null")
    status = serializers.ChoiceField(STATUSES, help_text="what was understood")
    action = serializers.ChoiceField(list(ImportAction), help_text="what is done if it is selected")
    selected = serializers.BooleanField(help_text="whether it is, or was, written")
    result = serializers.SerializerMethodField(
        help_text="what became of it: its action, or `not_selected`; null until it is committed"
    )
    published = serializers.BooleanField(help_text="if not, it stays a draft")
    question = serializers.SerializerMethodField(help_text="the bank's, where there is one")
    language_match = QuestionMatchSerializer(
        allow_null=True, help_text="the same question in another language"
    )
    duplicate_of = QuestionMatchSerializer(
        allow_null=True, help_text="a question that it resembles in its own"
    )
    comparison = ScoreComparisonSerializer(
        allow_null=True, help_text="of its scores with those of the file"
    )
    notes = ImportNoteSerializer(many=True)
    remainder = ImportNoteSerializer(
        many=True, help_text="its lines that are in no text of the question and in no note"
    )
    problems = QuestionProblemSerializer(many=True)
    findings = ImportFindingSerializer(
        many=True,
        allow_null=True,
        help_text="what does not stop publishing; null: too large a file, it was not looked at",
    )

    @extend_schema_field(serializers.ChoiceField(RESULTS, allow_null=True))
    def get_result(self, item: ReportItem) -> str | None:
        """Return what became of an item, once the import is committed."""
        return item.result if self.context["committed"] else None

    def get_question(self, item: ReportItem) -> UUID | None:
        """Return the bank's question of this name, if it is this item's, and no later one."""
        is_in_bank = item.action in IN_BANK or (self.context["committed"] and item.selected)
        ids: Mapping[str, UUID] = self.context["question_ids"]
        return ids.get(item.name) if is_in_bank else None


class FileMetadataSerializer(serializers.Serializer[Any]):
    """What the file says of itself: of its page, where it was copied from one."""

    title = serializers.CharField(allow_blank=True)
    language = serializers.CharField(allow_blank=True)
    grade = FractionField(allow_null=True, help_text="of whoever took it, as a part of 1")
    pass_threshold = FractionField(allow_null=True, help_text="as a fraction of 1")


class ImportReportPageSerializer(serializers.Serializer[Any]):
    """Some items, in their order. Errors and ignored lines are on the first page."""

    state = serializers.ChoiceField(list(STATES))
    committed = serializers.BooleanField(help_text="whether it tells what was done, or would be")
    file_metadata = FileMetadataSerializer(allow_null=True)
    errors = FileErrorSerializer(many=True)  # type: ignore[assignment]  # the metaclass takes it away
    ignored_lines = ImportNoteSerializer(many=True)
    remainder = ImportNoteSerializer(
        many=True, help_text="the lines outside of all items that no note is about"
    )
    items = ImportItemSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class ImportReportQuery(PageQuery, LanguageQuery):
    """The query of the report."""

    status = serializers.ChoiceField(STATUSES, required=False)
    action = serializers.ChoiceField(list(ImportAction), required=False)


def _iterate_requested(
    items: Sequence[Mapping[str, Any]], params: dict[str, Any]
) -> Iterator[ReportItem]:
    """Yield the requested items after the cursor."""
    after = BY_NUMBER.read(params["cursor"])[0] if "cursor" in params else -1
    filters = {name: params[name] for name in ("status", "action") if name in params}
    for stored in items:
        if stored["number"] > after and all(
            stored[name] == value for name, value in filters.items()
        ):
            yield from_json(ReportItem, stored)


def _select(items: Iterable[ReportItem], selected: Container[int]) -> list[ReportItem]:
    """Return items as somebody has selected them since they were planned."""
    return [
        replace(
            item,
            selected=item.number in selected,
            published=item.published and item.number in selected,
        )
        for item in items
    ]


class ImportReportView(BaseAPIView):
    """What an import did, or would do."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,)}
    shows_keys = True

    @extend_schema(
        operation_id="getImportReport",
        summary="Every item of an import",
        tags=["imports"],
        parameters=[ImportReportQuery],
        responses=ImportReportPageSerializer,
        examples=[EXAMPLE],
    )
    def get(self, request: Request, job: UUID) -> Response:
        """List the items of the file, page by page: as planned, once it is done as written.

        Scope `authoring`.
        """
        params = parse_query(request, ImportReportQuery)
        import_job, is_first = get_import(request, job), "cursor" not in params
        record(AuditCode.KEYS_VIEWED, about=import_job.bank, once=True)
        report = import_job.report
        limit = params.get("limit", DEFAULT_PAGE_SIZE)
        candidates = list(islice(_iterate_requested(report.get("items", []), params), limit + 1))
        if import_job.selected_items is not None and not report.get("committed"):
            candidates = _select(candidates, frozenset(import_job.selected_items))
        page = build_page(candidates, BY_NUMBER, request, params)
        context = {
            "committed": bool(report.get("committed")),
            "question_ids": question_ids_by_name(
                import_job.bank, [item.name for item in page.rows]
            ),
        }
        metadata = report.get("file_metadata")
        values = {
            "state": import_row(import_job)["state"],
            "committed": context["committed"],
            "file_metadata": metadata and from_json(FileMetadata, metadata),
            "errors": report.get("errors", []) if is_first else [],
            **{
                name: [from_json(Note, note) for note in report.get(name, ()) if is_first]
                for name in ("ignored_lines", "remainder")
            },
            **page.to_json(page.rows),
        }
        with translation.override(response_language(request, params)):
            return Response(ImportReportPageSerializer(values, context=context).data)
