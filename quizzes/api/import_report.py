"""The report of an import: every item of the file, how it was read, and what is done with it."""

from collections.abc import Iterator, Mapping, Sequence
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
from quizzes.api.base_view import BaseAPIView, LanguageQuery, parse_query, response_language
from quizzes.api.fields import FractionField
from quizzes.api.import_serializers import STATES, FileErrorSerializer, get_import, import_row
from quizzes.api.pagination import DEFAULT_PAGE_SIZE, Order, PageQuery, build_page
from quizzes.api.permissions import Scopes
from quizzes.bank.models import Bank
from quizzes.formats.contract import ImportStatus
from quizzes.imports import source_grades
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.report_format import message_for
from quizzes.imports.sayings import NOTES, REASONS
from quizzes.imports.selectors import question_ids_by_name

VERDICTS = [str(verdict) for verdict in ImportStatus]
BY_NUMBER = Order((("number", int),))
IN_BANK = {ImportAction.SAME, ImportAction.CHANGED, ImportAction.CONFLICT, ImportAction.TWIN}
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
    "selected": True,
    "published": True,
    "question": None,
    "language_match": None,
    "duplicate_of": None,
    "notes": [
        {
            "line": 44,
            "code": "weights_made_whole",
            "message": "Shares that were rounded roughly were made whole.",
            "quote": "33.33333",
        }
    ],
    "problems": [],
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
        "items": [ITEM_EXAMPLE],
        "next": "/api/v1/imports/7a1f0f55-9a49-4b8f-9f3b-3c5f0a4b6d21/report?cursor=WyIzIl0",
        "cursor": "WyIzIl0",
    },
    response_only=True,
)


class ImportNoteSerializer(serializers.Serializer[Any]):
    """A note on an item: its line, and the text of the file there."""

    line = serializers.IntegerField()
    code = serializers.CharField()
    message = serializers.CharField(help_text="in the language asked for")
    quote = serializers.CharField(allow_blank=True)


class QuestionProblemSerializer(serializers.Serializer[Any]):
    """What keeps a question from being published: it is imported as a draft."""

    where = serializers.CharField()
    code = serializers.CharField()


class MatchReasonSerializer(serializers.Serializer[Any]):
    """Why two questions may be the same, or why they may not."""

    code = serializers.CharField()
    message = serializers.CharField(help_text="in the language asked for")


class QuestionMatchSerializer(serializers.Serializer[Any]):
    """A question of the bank that may be the same as an item, unless a user has confirmed it."""

    question = serializers.CharField(help_text="its name")
    language = serializers.CharField(allow_blank=True, help_text="of the item")
    percent = serializers.IntegerField(help_text="how sure that is, of 100")
    confirmed = serializers.BooleanField(
        source="known", help_text="whether a user has confirmed it"
    )
    key = serializers.CharField(
        allow_blank=True, help_text="what joining them means for the key: a code, or nothing"
    )
    reasons = MatchReasonSerializer(many=True)


class ImportItemSerializer(serializers.Serializer[Any]):
    """One item of the file: `line` to `end_line` of `archive_path` (empty: of the file itself)."""

    number = serializers.IntegerField(help_text="its place in the file, from 0")
    name = serializers.CharField(allow_blank=True)
    kind = serializers.CharField(allow_blank=True)
    archive_path = serializers.CharField(source="member", allow_blank=True)
    line = serializers.IntegerField()
    end_line = serializers.IntegerField(source="last")
    points = FractionField(allow_null=True, help_text="as the file tells them, or null")
    status = serializers.ChoiceField(VERDICTS, source="verdict", help_text="what was understood")
    action = serializers.ChoiceField(
        list(ImportAction), source="what", help_text="what is done if it is selected"
    )
    selected = serializers.BooleanField(source="chosen", help_text="whether it is, or was, written")
    published = serializers.BooleanField(help_text="if not, it stays a draft")
    question = serializers.UUIDField(allow_null=True, help_text="the bank's, where there is one")
    language_match = QuestionMatchSerializer(
        source="twin", allow_null=True, help_text="the same question in another language"
    )
    duplicate_of = QuestionMatchSerializer(
        source="alike", allow_null=True, help_text="a question that it resembles in its own"
    )
    notes = ImportNoteSerializer(many=True)
    problems = QuestionProblemSerializer(many=True)


class FileMetadataSerializer(serializers.Serializer[Any]):
    """What the file says of itself: of its page, where it was copied from one."""

    title = serializers.CharField(allow_blank=True)
    language = serializers.CharField(allow_blank=True)
    grade = FractionField(allow_null=True, help_text="of whoever took it, as a part of 1")
    pass_threshold = FractionField(
        source="pass_mark", allow_null=True, help_text="as a fraction of 1"
    )


class ImportReportPageSerializer(serializers.Serializer[Any]):
    """Some items, in their order. Errors and ignored lines are on the first page."""

    state = serializers.ChoiceField(list(STATES))
    committed = serializers.BooleanField(help_text="whether it tells what was done, or would be")
    file_metadata = FileMetadataSerializer(allow_null=True)
    errors = FileErrorSerializer(many=True)  # type: ignore[assignment]  # the metaclass takes it away
    ignored_lines = ImportNoteSerializer(many=True)
    items = ImportItemSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class ImportReportQuery(PageQuery, LanguageQuery):
    """The query of the report."""

    status = serializers.ChoiceField(VERDICTS, required=False)
    action = serializers.ChoiceField(list(ImportAction), required=False)


@dataclass(frozen=True, slots=True)
class NumberedItem:
    """An item of a stored report."""

    number: int
    report_item: Mapping[str, Any]


def _matching(items: Sequence[Mapping[str, Any]], params: dict[str, Any]) -> Iterator[NumberedItem]:
    """Yield the requested items after the cursor."""
    after = BY_NUMBER.read(params["cursor"])[0] if "cursor" in params else -1
    filters = {own: params[name] for own, name in FILTERS if name in params}
    for report_item in items:
        if report_item["number"] > after and all(
            report_item[name] == value for name, value in filters.items()
        ):
            yield NumberedItem(report_item["number"], report_item)


FILTERS = (("verdict", "status"), ("what", "action"))


def _items(rows: Sequence[NumberedItem], bank: Bank, *, written: bool) -> list[dict[str, Any]]:
    """Return items in the active language, each with its question in the bank."""
    ids = question_ids_by_name(bank, [numbered.report_item["name"] for numbered in rows])
    return [_item(numbered.report_item, ids, written=written) for numbered in rows]


def _item(
    report_item: Mapping[str, Any], ids: Mapping[str, UUID], *, written: bool
) -> dict[str, Any]:
    is_in_bank = _is_in_bank(report_item, written=written)
    return {
        **report_item,
        "points": source_grades.parse_exact(report_item.get("points")),
        "question": ids.get(report_item["name"]) if is_in_bank else None,
        "twin": _match(report_item.get("twin")),
        "alike": _match(report_item.get("alike")),
        "notes": _notes(report_item["notes"]),
    }


def _is_in_bank(report_item: Mapping[str, Any], *, written: bool) -> bool:
    """Return whether the bank's question of this name is this item's, and no later one."""
    return report_item["what"] in IN_BANK or (written and report_item["chosen"])


def _match(match: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return the matching question of the bank, with a percentage and messages."""
    if match is None:
        return None
    reasons = [{"code": reason["code"], "message": _reason(reason)} for reason in match["reasons"]]
    return {**match, "percent": int(match["confidence"] * 100), "reasons": reasons}


def _reason(reason: Mapping[str, Any]) -> str:
    return message_for(reason["code"], REASONS, {**reason, "words": ", ".join(reason["words"])})


def _file_metadata(metadata: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return what the file says of itself; None before it is read."""
    if metadata is None:
        return None
    figures = {name: source_grades.parse_exact(metadata[name]) for name in ("grade", "pass_mark")}
    return {**metadata, **figures}


def _notes(notes: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{**note, "message": message_for(note["code"], NOTES)} for note in notes]


class ImportReportView(BaseAPIView):
    """What an import did, or would do."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,)}

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
        import_job, first = get_import(request, job), "cursor" not in params
        report = import_job.report
        written = bool(report.get("written"))
        rows = _matching(report.get("items", []), params)
        limit = params.get("limit", DEFAULT_PAGE_SIZE)
        page = build_page(list(islice(rows, limit + 1)), BY_NUMBER, request, params)
        with translation.override(response_language(request, params)):
            values = {
                "state": import_row(import_job)["state"],
                "committed": written,
                "file_metadata": _file_metadata(report.get("about")),
                "errors": report.get("troubles", []) if first else [],
                "ignored_lines": _notes(report.get("noise", [])) if first else [],
                **page.to_json(_items(page.rows, import_job.bank, written=written)),
            }
            return Response(ImportReportPageSerializer(values).data)
