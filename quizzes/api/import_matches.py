"""The language matches of an import: which items may be questions of the bank, and the answers."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, ClassVar
from uuid import UUID

from django.utils import translation
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.base_view import (
    APIResponse,
    BaseAPIView,
    LanguageQuery,
    parse_body,
    parse_query,
    response_language,
)
from quizzes.api.fields import StrictCharField, StrictIntegerField, StrictSerializer
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.import_report import BY_NUMBER, MatchReasonSerializer
from quizzes.api.import_serializers import (
    EXAMPLE,
    STATE_NAMES,
    ImportDetailSerializer,
    build_import_result,
    get_import,
    lock_import_version,
)
from quizzes.api.pagination import DEFAULT_PAGE_SIZE, PageQuery, build_page
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.preconditions import WRITTEN_ETAG, describe_if_match, require_unchanged
from quizzes.imports import import_reading, selection, stored_plan, tasks
from quizzes.imports.match_answers import MatchAnswer, MatchAnswers
from quizzes.imports.models import ImportJob, State
from quizzes.imports.report import ReportItem
from quizzes.imports.selectors import question_ids_by_name
from quizzes.lib.dataclass_json import from_json
from quizzes.lib.errors import Conflict
from quizzes.matching.key_changes import KeyChange
from quizzes.presentation.language_matches import build_item_match, read_match_answer

MAX_ANSWERS = 1000
ANSWERS = {"accepted": "same", "rejected": "different", "confirmed": "confirmed", "": "open"}
"""What programs call the answers to a match."""
MATCH_EXAMPLE = OpenApiExample(
    "A question that the bank has in English",
    {
        "items": [
            {
                "item": 0,
                "question": "volcano",
                "question_id": "7a1f0f55-9a49-4b8f-9f3b-3c5f0a4b6d21",
                "percent": 97,
                "answer": "open",
                "key_change": "same",
                "reasons": [{"code": "same_key", "message": "The same answers are right."}],
                "item_text": {"language": "es", "prompt_html": "<p>¿Qué volcán…?</p>"},
                "existing_text": {"language": "en", "prompt_html": "<p>Which volcano…?</p>"},
                "options": [
                    {
                        "item": {"html": "Vesubio", "correct": False},
                        "existing": {"html": "Vesuvius", "correct": False},
                        "basis": "by their words",
                        "doubtful": False,
                    }
                ],
                "left_out": [],
            }
        ],
        "next": None,
        "cursor": "WyIwIl0",
    },
    response_only=True,
)
SURE_EXAMPLE = OpenApiExample("All that are sure", {"accept_sure": True}, request_only=True)
ANSWER_EXAMPLE = OpenApiExample(
    "One question in two languages, and two questions",
    {
        "answers": [
            {"item": 0, "question": "volcano", "same": True},
            {"item": 4, "question": "glacier", "same": False},
        ]
    },
    request_only=True,
)


class MatchedQuestionSerializer(serializers.Serializer[Any]):
    """One of the two questions."""

    language = serializers.CharField(source="code")
    prompt_html = serializers.CharField(source="prompt", allow_blank=True)


class MatchedOptionSerializer(serializers.Serializer[Any]):
    """An option of one of the two questions."""

    html = serializers.CharField()
    correct = serializers.BooleanField()


class MatchedOptionsSerializer(serializers.Serializer[Any]):
    """Two options that go together."""

    item = MatchedOptionSerializer()
    existing = MatchedOptionSerializer()
    basis = serializers.CharField(help_text="why, in the language asked for")
    doubtful = serializers.BooleanField()


class ImportMatchSerializer(serializers.Serializer[Any]):
    """An item of the file, and the question of the bank that it may be in another language."""

    item = serializers.IntegerField(source="number", help_text="its number, as in the report")
    question = serializers.CharField(source="match.name", help_text="the name of the other")
    question_id = serializers.UUIDField(allow_null=True, help_text="null: it is gone by now")
    percent = serializers.IntegerField(help_text="how sure it is, of 100")
    answer = serializers.ChoiceField(
        sorted(ANSWERS.values()),
        help_text="open: nobody has answered; confirmed: in an earlier import",
    )
    key_change = serializers.ChoiceField(list(KeyChange))
    reasons = MatchReasonSerializer(many=True)
    item_text = MatchedQuestionSerializer(source="match.item")
    existing_text = MatchedQuestionSerializer(source="match.existing")
    options = MatchedOptionsSerializer(source="match.options", many=True)
    left_out = serializers.ListField(
        source="match.left_out",
        child=serializers.CharField(),
        help_text="texts of the item that the other has no place for",
    )


class ImportMatchPageSerializer(serializers.Serializer[Any]):
    """Some matches, in the order of the items."""

    items = ImportMatchSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class ImportMatchQuery(PageQuery, LanguageQuery):
    """The query of the list."""

    answer = serializers.ChoiceField(sorted(ANSWERS.values()), required=False)


class MatchAnswerRequest(StrictSerializer):
    """Whether an item is the question that was proposed. `same` null takes an answer back."""

    item = StrictIntegerField(min_value=0)
    question = StrictCharField(max_length=100, help_text="The name of that question.")
    same = serializers.BooleanField(allow_null=True)


class AnswerMatchesRequest(StrictSerializer):
    """Answers, stored together or not at all, each item once; or all that is sure."""

    answers = serializers.ListField(
        child=MatchAnswerRequest(), min_length=1, max_length=MAX_ANSWERS, required=False
    )
    accept_sure = serializers.ChoiceField(
        [True],
        required=False,
        help_text="Instead of `answers`: every match of 90% or more that changes no key and leaves"
        " nothing out, and that was not answered with no, is the same question.",
    )

    def validate_answers(self, value: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Refuse two answers for one item."""
        if len({answer["item"] for answer in value}) < len(value):
            raise ValidationError(_("An item is answered twice."), code="item_twice")
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse both at once, and neither."""
        if len(attrs) != 1:
            raise ValidationError(
                _("Send either %(one)s or %(other)s.") % {"one": "answers", "other": "accept_sure"},
                code="one_of_two",
            )
        return attrs


class ImportMatchesView(BaseAPIView):
    """The language matches of an import."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,), "POST": (Scope.AUTHORING,)}
    shows_keys = True
    takes_if_match = True

    @extend_schema(
        operation_id="listImportMatches",
        summary="Items that may be questions of the bank in another language",
        tags=["imports"],
        parameters=[ImportMatchQuery],
        responses=ImportMatchPageSerializer,
        examples=[MATCH_EXAMPLE],
    )
    def get(self, request: Request, job: UUID) -> Response:
        """List the language matches that the plan proposes, both questions side by side.

        Scope `authoring`. 409 unless the import is `ready`.
        """
        params = parse_query(request, ImportMatchQuery)
        with translation.override(response_language(request, params)):
            page = _load_page(request, get_import(request, job), params)
            return Response(ImportMatchPageSerializer(page).data)

    @extend_schema(
        operation_id="answerImportMatches",
        summary="Say which items are questions of the bank",
        tags=["imports"],
        parameters=[LanguageQuery, IDEMPOTENCY_KEY, describe_if_match("the import"), WRITTEN_ETAG],
        request=AnswerMatchesRequest,
        responses={
            202: OpenApiResponse(ImportDetailSerializer, "Stored; the file is planned again")
        },
        examples=[EXAMPLE, ANSWER_EXAMPLE, SURE_EXAMPLE],
    )
    def post(self, request: Request, job: UUID) -> APIResponse:
        """Answer language matches. Scope `authoring`.

        The items are selected and the file is planned again: a match that is the same question adds
        its words to that question (`translation`), another one is a question of its own. 409:
        `import_is_not_waiting`, or `match_gone` if an item is no longer proposed as that question.
        """
        params = parse_query(request, LanguageQuery)
        body = parse_body(request, AnswerMatchesRequest)
        answers = [
            MatchAnswer(answer["item"], answer["same"], answer["question"])
            for answer in body.get("answers", ())
        ]
        with translation.override(response_language(request, params)):
            return idempotent(
                request, lambda: self._answer(request, job, answers), same_transaction=False
            )

    def _answer(self, request: Request, uuid: UUID, answers: Sequence[MatchAnswer]) -> WriteResult:
        job = get_import(request, uuid)
        with require_unchanged(request, partial(lock_import_version, job)):
            if answers:
                selection.answer_matches(job=job, answers=answers, by=request_user(request))
            else:
                selection.accept_sure_matches(job=job, by=request_user(request))
        tasks.advance(job.pk)
        return build_import_result(get_import(request, uuid))


def _load_page(request: Request, job: ImportJob, params: dict[str, Any]) -> dict[str, Any]:
    """Return the requested matches; the details of those alone are read from the plan."""
    if job.state != State.READY:
        raise Conflict("import_is_not_waiting", state=STATE_NAMES[State(job.state)])
    limit = params.get("limit", DEFAULT_PAGE_SIZE)
    requested = list(islice(_iterate_requested(job, params), limit + 1))
    page = build_page([item for item, _ in requested], BY_NUMBER, request, params)
    answers = {item.number: answer for item, answer in requested}
    plan = import_reading.load_plan(job)
    stored_items = list(stored_plan.load_items(job, plan, [item.number for item in page.rows]))
    matches = [(item.report, match) for item in stored_items if (match := build_item_match(item))]
    ids = question_ids_by_name(job.bank, [match.name for _, match in matches])
    return page.to_json(
        [
            {
                "number": item.number,
                "match": match,
                "question_id": ids.get(match.name),
                "percent": item.language_match and item.language_match.percent,
                "key_change": item.language_match and item.language_match.key_change,
                "reasons": item.language_match and item.language_match.reasons,
                "answer": answers[item.number],
            }
            for item, match in matches
        ]
    )


def _iterate_requested(job: ImportJob, params: dict[str, Any]) -> Iterator[tuple[ReportItem, str]]:
    """Yield the items after the cursor that have a match, each with what was answered."""
    after = BY_NUMBER.read(params["cursor"])[0] if "cursor" in params else -1
    match_answers = MatchAnswers.from_json(job.match_answers or {})
    for stored in job.report.get("items", ()):
        if stored["number"] > after and stored["language_match"]:
            item = from_json(ReportItem, stored)
            answer = ANSWERS[read_match_answer(item, match_answers)]
            if params.get("answer", answer) == answer:
                yield item, answer
