"""The questions of a bank: listed, changed in bulk, copied, renamed. Its export has their keys."""

from typing import Any, ClassVar, Final
from uuid import UUID

from django.urls import resolve
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.banks import get_editable_bank, get_visible_bank
from quizzes.api.base_view import (
    APIResponse,
    BaseAPIView,
    EmptyQuery,
    LanguageQuery,
    parse_body,
    parse_query,
)
from quizzes.api.fields import (
    StrictBooleanField,
    StrictSerializer,
    StrictUUIDField,
    UTCDateTimeField,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.pagination import BY_NAME, PageQuery, paginate
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.preconditions import WRITTEN_ETAG
from quizzes.api.question_drafts import EXAMPLE as DRAFT_EXAMPLE
from quizzes.api.question_drafts import (
    LONGEST_NAME,
    LONGEST_TAG,
    CreateQuestionRequest,
    QuestionDraftSerializer,
    QuestionVersionReferenceSerializer,
    create_question,
    get_editable_question,
    read_draft,
)
from quizzes.bank.bulk_changes import BulkAction, BulkChange, change_questions, plan_bulk_change
from quizzes.bank.models import Question
from quizzes.bank.question_copies import copy_question
from quizzes.bank.services import rename_question
from quizzes.bank.text_search import find_questions
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound

MOST_QUESTIONS: Final = 1000
LONGEST_SEARCH: Final = 200
TAG_ACTIONS: Final = (BulkAction.TAG, BulkAction.UNTAG)
QUESTION_EXAMPLE: Final = {
    "id": "0b6f4f0e-5d0e-4c55-9f3c-6a1d2c7f9b31",
    "name": "longest-river",
    "bank": "5d1c7a52-6f0b-4c0e-9d7c-2f1f7f0c6c11",
    "kind": "single_choice",
    "tags": ["rivers"],
    "version": {"id": "c2b1d1c4-3a55-4a0e-8f86-0f8a3f9a7d10", "number": 3},
    "retired_at": None,
    "updated_at": "2026-11-21T12:00:00Z",
}
EXAMPLE: Final = OpenApiExample("A question", QUESTION_EXAMPLE, response_only=True)
PAGE_EXAMPLE: Final = OpenApiExample(
    "One question", {"items": [QUESTION_EXAMPLE], "next": None, "cursor": None}, response_only=True
)
CHANGE_EXAMPLE: Final = OpenApiExample(
    "A tag, tried first",
    {
        "action": "tag",
        "tag": "rivers",
        "questions": ["0b6f4f0e-5d0e-4c55-9f3c-6a1d2c7f9b31"],
        "dry_run": True,
    },
    request_only=True,
)


class QuestionSerializer(serializers.Serializer[Any]):
    """A question of a bank, without its texts and its key."""

    id = serializers.UUIDField(source="uuid")
    name = serializers.CharField()
    bank = serializers.UUIDField(source="bank.uuid")
    kind = serializers.CharField()
    tags = serializers.SerializerMethodField()
    version = QuestionVersionReferenceSerializer(
        source="current", allow_null=True, help_text="null: it was never published"
    )
    retired_at = UTCDateTimeField(allow_null=True)
    updated_at = UTCDateTimeField()

    def get_tags(self, question: Question) -> list[str]:
        """Return the names of its tags."""
        return sorted(tag.name for tag in question.tags.all())


class QuestionPageSerializer(serializers.Serializer[Any]):
    """Some questions, by name."""

    items = QuestionSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class QuestionListQuery(PageQuery):
    """The query of the list."""

    tag = serializers.CharField(required=False, max_length=LONGEST_TAG)
    kind = serializers.CharField(required=False, max_length=30)
    search = serializers.CharField(
        required=False, max_length=LONGEST_SEARCH, help_text="words of names, tags and texts"
    )
    is_retired = serializers.BooleanField(required=False)


class ChangeQuestionsRequest(StrictSerializer):
    """One change to many questions of a bank."""

    action = serializers.ChoiceField([action.value for action in BulkAction])
    questions = serializers.ListField(
        child=StrictUUIDField(), min_length=1, max_length=MOST_QUESTIONS
    )
    tag = serializers.SlugField(
        required=False,
        max_length=LONGEST_TAG,
        allow_unicode=True,
        help_text="for the actions `tag` and `untag`",
    )
    bank = StrictUUIDField(
        required=False, help_text="for the action `move`: the bank that they move to"
    )
    dry_run = StrictBooleanField(
        required=False, default=False, help_text="say what would happen, and change nothing"
    )


class RefusedQuestionSerializer(serializers.Serializer[Any]):
    """A question that stays as it is, and why."""

    question = serializers.UUIDField()
    code = serializers.CharField()


class ChangedQuestionsSerializer(serializers.Serializer[Any]):
    """What became of each question; with `dry_run`, what would."""

    changed = serializers.ListField(child=serializers.UUIDField())
    unchanged = serializers.ListField(
        child=serializers.UUIDField(), help_text="they are so already"
    )
    refused = RefusedQuestionSerializer(many=True)


class QuestionNameRequest(StrictSerializer):
    """What a question is called in its bank."""

    name = serializers.SlugField(max_length=LONGEST_NAME)


class QuestionsView(BaseAPIView):
    """The questions of a bank."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,), "POST": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="listQuestions",
        summary="The questions of a bank",
        tags=["banks"],
        parameters=[QuestionListQuery],
        responses=QuestionPageSerializer,
        examples=[PAGE_EXAMPLE],
    )
    def get(self, request: Request, bank: UUID) -> Response:
        """List the questions of a bank whose keys you may see, by name. Scope `authoring`.

        These are the ids that compositions, regrades and challenges name.
        """
        params = parse_query(request, QuestionListQuery)
        rows = Question.objects.filter(bank=get_visible_bank(request, bank))
        if "tag" in params:
            rows = rows.filter(tags__name=params["tag"])
        if "kind" in params:
            rows = rows.filter(kind=params["kind"])
        if "is_retired" in params:
            rows = rows.filter(retired_at__isnull=not params["is_retired"])
        rows = find_questions(rows, params.get("search", ""))
        rows = rows.select_related("bank", "current").prefetch_related("tags")
        page = paginate(rows, BY_NAME, request, params)
        return Response(QuestionPageSerializer(page.to_json(page.rows)).data)

    @extend_schema(
        operation_id="createQuestion",
        summary="Make a question in a bank",
        tags=["banks"],
        parameters=[LanguageQuery, IDEMPOTENCY_KEY, WRITTEN_ETAG],
        request=CreateQuestionRequest,
        responses={201: OpenApiResponse(QuestionDraftSerializer, "The question, a draft")},
        examples=[DRAFT_EXAMPLE],
    )
    def post(self, request: Request, bank: UUID) -> APIResponse:
        """Make a question in a bank that you edit. It is kept whatever its `problems` are.

        What no question of its kind can hold: 422; a name that is taken: 409. Scope `authoring`.
        """
        parse_query(request, LanguageQuery)
        self.check_recent_for_keys(request)
        posted = parse_body(request, CreateQuestionRequest)
        return idempotent(
            request,
            lambda: create_question(request, bank, posted),
            replay=lambda location: read_draft(request, resolve(location).kwargs["question"]),
        )


class QuestionChangesView(BaseAPIView):
    """Changes to many questions of a bank."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="changeQuestions",
        summary="Tag, move, publish or retire questions",
        tags=["banks"],
        parameters=[IDEMPOTENCY_KEY],
        request=ChangeQuestionsRequest,
        responses={200: OpenApiResponse(ChangedQuestionsSerializer, "What became of each")},
        examples=[CHANGE_EXAMPLE],
    )
    def post(self, request: Request, bank: UUID) -> APIResponse:
        """Do one change to all questions that it can be done to; say what refuses the others.

        A question that is none of the bank: 404, and nothing is changed. Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, ChangeQuestionsRequest)
        return idempotent(request, lambda: self._change(request, bank, posted))

    def _change(self, request: Request, bank: UUID, posted: dict[str, Any]) -> WriteResult:
        row, by = get_editable_bank(request, bank), request_user(request)
        uuids = set(posted["questions"])
        questions = list(Question.objects.filter(bank=row, uuid__in=uuids))
        if len(questions) != len(uuids):
            raise NotFound
        change = _build_change(request, posted)
        if posted["dry_run"]:
            plan = plan_bulk_change(change, questions, by=by)
        else:
            plan = change_questions(change=change, questions=questions, by=by, now=clock.now())
        payload = {
            "changed": [question.uuid for question in plan.changing],
            "unchanged": [question.uuid for question in plan.unchanged],
            "refused": [{"question": each.uuid, "code": code} for each, code in plan.refused],
        }
        return WriteResult(200, ChangedQuestionsSerializer(payload).data)


def _build_change(request: Request, posted: dict[str, Any]) -> BulkChange:
    """Return a change with the tag or the bank that its action needs; without it: Invalid."""
    action = BulkAction(posted["action"])
    if (action in TAG_ACTIONS) != ("tag" in posted):
        raise Invalid("tag_unknown", where="tag")
    if (action == BulkAction.MOVE) != ("bank" in posted):
        raise Invalid("bank_unknown", where="bank")
    target = get_editable_bank(request, posted["bank"]) if "bank" in posted else None
    return BulkChange(action, posted.get("tag", ""), target)


class QuestionCopiesView(BaseAPIView):
    """Copies of a question."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="copyQuestion",
        summary="Copy a question",
        tags=["banks"],
        parameters=[IDEMPOTENCY_KEY],
        request=QuestionNameRequest,
        responses={201: OpenApiResponse(QuestionSerializer, "The copy, a draft")},
        examples=[EXAMPLE],
    )
    def post(self, request: Request, question: UUID) -> APIResponse:
        """Copy the draft of a question and its tags within its bank, under another name.

        A name that is taken: 409. Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, QuestionNameRequest)

        def copy() -> WriteResult:
            copied = copy_question(
                question=get_editable_question(request, question),
                name=posted["name"],
                by=request_user(request),
            )
            return WriteResult(201, QuestionSerializer(copied).data)

        return idempotent(request, copy)


class QuestionNameView(BaseAPIView):
    """The name of a question."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="renameQuestion",
        summary="Rename a question",
        tags=["banks"],
        parameters=[IDEMPOTENCY_KEY],
        request=QuestionNameRequest,
        responses={200: OpenApiResponse(QuestionSerializer, "As it is now")},
        examples=[EXAMPLE],
    )
    def post(self, request: Request, question: UUID) -> APIResponse:
        """Give a question another name in its bank; versions, attempts and quizzes stay.

        A name that is taken: 409. Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, QuestionNameRequest)

        def rename() -> WriteResult:
            row = get_editable_question(request, question)
            renamed = rename_question(question=row, name=posted["name"], by=request_user(request))
            return WriteResult(200, QuestionSerializer(renamed).data)

        return idempotent(request, rename)
