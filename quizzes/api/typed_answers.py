"""What learners typed as answers to a question, alike ones together: listed, credited, accepted."""

from typing import Any, ClassVar, Final
from uuid import UUID

from django.db import transaction
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from grading.short_text.parsing import parse_text
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.fields import (
    FractionField,
    StrictBooleanField,
    StrictCharField,
    StrictIntegerField,
    StrictSerializer,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.marking import MAX_SEEN, ShareRequest, read_share
from quizzes.api.pagination import DEFAULT_PAGE_SIZE, Order, PageQuery, build_page
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.preconditions import (
    WRITTEN_ETAG,
    build_etag,
    describe_if_match,
    require_unchanged,
)
from quizzes.api.question_documents import build_question_refusal
from quizzes.api.question_drafts import (
    QuestionVersionReferenceSerializer,
    get_editable_question,
    get_question_with_key,
    lock_draft_version,
)
from quizzes.bank.models import Question
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound
from quizzes.results.add_accepted_answer import add_accepted_answer, load_accepted_answer_status
from quizzes.results.manual_grading import LONGEST_COMMENT
from quizzes.results.response_analysis import AnswerGroup, has_typed_answers, load_typed_answers
from quizzes.results.typed_answer_credit import (
    count_learners,
    credit_typed_answers,
    list_answers_to_credit,
)

BY_PLACE: Final = Order((("rarity", int), ("beginning", str), ("digest", str)))
LONGEST_ANSWER: Final = 10_000
VERSION_EXAMPLE: Final = OpenApiExample(
    "Published at once",
    {"version": {"id": "c2b1d1c4-3a55-4a0e-8f86-0f8a3f9a7d10", "number": 3}},
    response_only=True,
)
LIST_EXAMPLE: Final = OpenApiExample(
    "Seven answers, four alike",
    {
        "total": 7,
        "unanswered": 1,
        "is_complete": True,
        "items": [
            {
                "text": "Lyon",
                "count": 4,
                "spellings": ["Lyon", "lyon"],
                "earned": [{"numerator": 0, "denominator": 1, "decimal": "0"}],
                "is_accepted": False,
                "is_near": False,
                "credit": {"numerator": 0, "denominator": 1, "decimal": "0"},
            }
        ],
        "next": None,
        "cursor": "WyIwIl0",
    },
    response_only=True,
)
CREDIT_EXAMPLE: Final = OpenApiExample(
    "Nothing is saved yet", {"answers": 4, "learners": 3, "saved": 0}, response_only=True
)


class TypedAnswerSerializer(serializers.Serializer[Any]):
    """Answers that are the same once folded, and what the newest key says of them."""

    text = serializers.CharField(help_text="as most typed it")
    count = serializers.IntegerField()
    spellings = serializers.ListField(child=serializers.CharField())
    earned = serializers.ListField(
        child=FractionField(), help_text="the shares of the points that they earned"
    )
    is_accepted = serializers.BooleanField()
    is_near = serializers.BooleanField(help_text="it is nearly an accepted answer")
    credit = FractionField(help_text="what the newest key gives")


class TypedAnswerPageSerializer(serializers.Serializer[Any]):
    """Some groups of answers, the most frequent first."""

    total = serializers.IntegerField(help_text="how many answers there are")
    unanswered = serializers.IntegerField()
    is_complete = serializers.BooleanField(help_text="false: rarer spellings were not looked at")
    items = TypedAnswerSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class CreditTypedAnswersRequest(StrictSerializer):
    """A share of the points for all who typed the same as `text`, after folding."""

    text = StrictCharField(max_length=LONGEST_ANSWER, trim_whitespace=False)
    share = ShareRequest()
    reason = StrictCharField(
        max_length=LONGEST_COMMENT, help_text="the learner reads it where feedback is shown"
    )
    seen = StrictIntegerField(
        required=False,
        min_value=0,
        max_value=MAX_SEEN,
        help_text="`answers` of the dry run: if there are others now, 409",
    )
    dry_run = StrictBooleanField(
        required=False, default=False, help_text="say how many there are, and change nothing"
    )


class CreditedAnswersSerializer(serializers.Serializer[Any]):
    """Whom a credit touches: how many answers had another share, of how many learners."""

    answers = serializers.IntegerField()
    learners = serializers.IntegerField()
    saved = serializers.IntegerField()


class AcceptAnswerRequest(StrictSerializer):
    """An answer that is to be accepted, and for which share of the points."""

    text = StrictCharField(max_length=LONGEST_ANSWER, trim_whitespace=False)
    credit = ShareRequest()


class AcceptedAnswerSerializer(serializers.Serializer[Any]):
    """The version that accepts it. Null: it is in the draft, beside what else was changed there."""

    version = QuestionVersionReferenceSerializer(allow_null=True)


def _check_typed(question: Question) -> Question:
    """Return a question whose answers are typed; any other: NotFound."""
    if not has_typed_answers(question):
        raise NotFound
    return question


def _read_text(posted: dict[str, Any]) -> str:
    text = parse_text(posted["text"])
    if not isinstance(text, str):
        raise Invalid("text_malformed", where="text")
    return text


def _describe_group(group: AnswerGroup) -> dict[str, Any]:
    return {
        "text": group.text,
        "count": group.count,
        "spellings": group.spellings,
        "earned": group.earned,
        "is_accepted": group.matched is not None,
        "is_near": group.near,
        "credit": group.credit,
    }


class TypedAnswersView(BaseAPIView):
    """What learners typed as answers to a question."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.RESULTS,)}
    sensitive_methods = frozenset({"GET"})
    shows_keys = True

    @extend_schema(
        operation_id="listTypedAnswers",
        summary="What learners typed as answers to a question",
        tags=["results"],
        parameters=[PageQuery],
        responses=TypedAnswerPageSerializer,
        examples=[LIST_EXAMPLE],
    )
    def get(self, request: Request, question: UUID) -> Response:
        """List what the learners whom you oversee typed, alike answers together.

        Of a question whose key you may see and whose answers are compared with accepted ones.
        """
        params = parse_query(request, PageQuery)
        row = _check_typed(get_question_with_key(request, question))
        answers = load_typed_answers(question=row, viewer=request_user(request))
        after = BY_PLACE.read(params["cursor"]) if "cursor" in params else []
        candidates = answers.list_after(after, params.get("limit", DEFAULT_PAGE_SIZE) + 1)
        page = build_page(candidates, BY_PLACE, request, params)
        payload = {
            "total": answers.total,
            "unanswered": answers.unanswered,
            "is_complete": not answers.more,
            **page.to_json(list(map(_describe_group, page.rows))),
        }
        return Response(TypedAnswerPageSerializer(payload).data)


class CreditTypedAnswersView(BaseAPIView):
    """Credit by hand for all who typed the same."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.CLASSES,)}
    shows_keys = True

    @extend_schema(
        operation_id="creditTypedAnswers",
        summary="Give all who typed the same a share of the points",
        tags=["results"],
        parameters=[IDEMPOTENCY_KEY],
        request=CreditTypedAnswersRequest,
        responses={200: OpenApiResponse(CreditedAnswersSerializer, "Whom it touches")},
        examples=[CREDIT_EXAMPLE],
    )
    def post(self, request: Request, question: UUID) -> APIResponse:
        """Put a share in place of the computed score of each of them; regrades keep it.

        First with `dry_run`: it says how many `answers` there are, which is then `seen`. Nobody
        typed so: 404. Scope `classes`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, CreditTypedAnswersRequest)
        return idempotent(
            request, lambda: self._credit(request, question, posted), same_transaction=False
        )

    def _credit(self, request: Request, question: UUID, posted: dict[str, Any]) -> WriteResult:
        row, by = _check_typed(get_question_with_key(request, question)), request_user(request)
        text, share = _read_text(posted), read_share(posted["share"])
        if not 0 <= share <= 1:
            raise Invalid("share_out_of_range", where="share")
        answers = list_answers_to_credit(question=row, text=text, share=share, viewer=by)
        saved = 0
        if not posted["dry_run"]:
            if "seen" not in posted:
                raise Invalid("required", where="seen")
            saved = credit_typed_answers(
                question=row,
                text=text,
                share=share,
                reason=posted["reason"],
                by=by,
                seen=posted["seen"],
                now=clock.now(),
            )
        payload = {"answers": len(answers), "learners": count_learners(answers), "saved": saved}
        return WriteResult(200, CreditedAnswersSerializer(payload).data)


class AcceptedAnswersView(BaseAPIView):
    """The answers that the draft of a question accepts."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.AUTHORING,)}
    shows_keys = True
    takes_if_match = True

    @extend_schema(
        operation_id="acceptAnswer",
        summary="Accept an answer that learners typed",
        tags=["banks"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the draft"), WRITTEN_ETAG],
        request=AcceptAnswerRequest,
        responses={200: OpenApiResponse(AcceptedAnswerSerializer, "The version that accepts it")},
        examples=[VERSION_EXAMPLE],
    )
    def post(self, request: Request, question: UUID) -> APIResponse:
        """Add an answer to the accepted ones of a question that you edit.

        If the draft is as published, the next version is published at once. What was graded stays:
        a regrade marks it anew. Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, AcceptAnswerRequest)
        return idempotent(request, lambda: self._accept(request, question, posted))

    def _accept(self, request: Request, question: UUID, posted: dict[str, Any]) -> WriteResult:
        row = _check_typed(get_editable_question(request, question))
        with transaction.atomic(), require_unchanged(request, lambda: lock_draft_version(row)):
            lock_draft_version(row)
            try:
                version = add_accepted_answer(
                    question=row,
                    text=_read_text(posted),
                    credit=read_share(posted["credit"]),
                    by=request_user(request),
                    revision=load_accepted_answer_status(row).revision,
                    now=clock.now(),
                )
            except Invalid as invalid:
                if "problems" not in invalid.detail:
                    raise
                raise build_question_refusal(invalid.detail["problems"]) from None
            etag = build_etag(lock_draft_version(row))
        return WriteResult(200, AcceptedAnswerSerializer({"version": version}).data, etag=etag)
