"""Questions of a bank that may be one in two languages: listed, merged or said to be two."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.banks import get_editable_bank, get_visible_bank
from quizzes.api.base_view import APIResponse, BaseAPIView, LanguageQuery, parse_body, parse_query
from quizzes.api.fields import (
    StrictIntegerField,
    StrictSerializer,
    StrictUUIDField,
    UTCDateTimeField,
)
from quizzes.api.idempotency import IDEMPOTENCY_KEY, WriteResult, idempotent
from quizzes.api.import_matches import MatchedOptionsSerializer
from quizzes.api.import_report import MatchReasonSerializer
from quizzes.api.pagination import DEFAULT_PAGE_SIZE, Order, PageQuery, build_page, paginate
from quizzes.api.permissions import Scopes, request_user
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.models import Bank, Question
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound, Refused
from quizzes.matching.access import decisions_visible_to
from quizzes.matching.key_changes import KeyChange
from quizzes.matching.merge import CandidatePair, find_pairs, merge_questions, reject_match
from quizzes.presentation.language_matches import build_pair_match

BY_CONFIDENCE: Final = Order((("doubt", float), ("absorb", str)))
BY_TIME: Final = Order((("pk", int),))
MAX_REVISION: Final = 2**31 - 1
ANSWER_EXAMPLE: Final = OpenApiExample(
    "They are one question",
    {
        "keep": "0b6dfb5c-7d4e-4a7b-8a3e-2f2a1f6a9d11",
        "absorb": "7c1c1e1e-0f0a-4f57-9a8e-0c1d2e3f4a5b",
        "same": True,
        "keep_revision": 3,
        "absorb_revision": 1,
        "rows": {"6f2f5d0e-9f0a-4b58-8f1d-0a4a5b1c2d31": "6f2f5d0e-9f0a-4b58-8f1d-0a4a5b1c2d32"},
    },
    request_only=True,
)


PAIR_EXAMPLE: Final = OpenApiExample(
    "A pair that is nearly sure",
    {
        "items": [
            {
                "keep": {
                    "id": "0b6dfb5c-7d4e-4a7b-8a3e-2f2a1f6a9d11",
                    "name": "volcano",
                    "revision": 3,
                    "language": "en",
                    "prompt_html": "<p>Which volcano erupted in 1883?</p>",
                },
                "absorb": {
                    "id": "7c1c1e1e-0f0a-4f57-9a8e-0c1d2e3f4a5b",
                    "name": "que-volcan",
                    "revision": 1,
                    "language": "es",
                    "prompt_html": "<p>¿Qué volcán entró en erupción en 1883?</p>",
                },
                "percent": 93,
                "key_change": "same",
                "reasons": [{"code": "same_numbers", "message": "The same numbers: 1883."}],
                "rows": {},
                "options": [],
                "left_out": [],
            }
        ],
        "next": None,
        "cursor": "WyItMC45MyIsICJxdWUtdm9sY2FuIl0",
    },
    response_only=True,
)
DECISION_EXAMPLE: Final = OpenApiExample(
    "They are two",
    {
        "items": [
            {
                "question": "0b6dfb5c-7d4e-4a7b-8a3e-2f2a1f6a9d11",
                "question_name": "volcano",
                "other_name": "que-volcan",
                "language": "es",
                "same": False,
                "decided_by": "Instructor",
                "decided_at": "2026-11-21T12:00:00Z",
            }
        ],
        "next": None,
        "cursor": "WyIxIl0",
    },
    response_only=True,
)


class PairedQuestionSerializer(serializers.Serializer[Any]):
    """One of two questions, as its draft is now."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    revision = serializers.IntegerField(help_text="of its draft")
    language = serializers.CharField()
    prompt_html = serializers.CharField(allow_blank=True)


class QuestionPairSerializer(serializers.Serializer[Any]):
    """Two questions that may be one: `absorb` would be merged into `keep`, and retired."""

    keep = PairedQuestionSerializer()
    absorb = PairedQuestionSerializer()
    percent = serializers.IntegerField(help_text="how sure it is, of 100")
    key_change = serializers.ChoiceField(list(KeyChange))
    reasons = MatchReasonSerializer(many=True)
    rows = serializers.DictField(
        child=serializers.CharField(), help_text="id of a row of `absorb` → of `keep`, as proposed"
    )
    options = MatchedOptionsSerializer(
        many=True, help_text="those that learners read: `item` of `absorb`, `existing` of `keep`"
    )
    left_out = serializers.ListField(
        child=serializers.CharField(), help_text="texts of `absorb` that `keep` has no place for"
    )


class QuestionPairPageSerializer(serializers.Serializer[Any]):
    """Some pairs, the surest first."""

    items = QuestionPairSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


class QuestionPairQuery(PageQuery, LanguageQuery):
    """The query of the pairs."""


class DecidePairRequest(StrictSerializer):
    """Whether two questions are one; if so, which rows go together, and of which drafts."""

    keep = StrictUUIDField()
    absorb = StrictUUIDField()
    same = serializers.BooleanField()
    keep_revision = StrictIntegerField(min_value=0, max_value=MAX_REVISION, required=False)
    absorb_revision = StrictIntegerField(min_value=0, max_value=MAX_REVISION, required=False)
    rows = serializers.DictField(
        child=StrictUUIDField(),
        required=False,
        default=dict,
        help_text="id of a row of `absorb` → of `keep`; one that goes with none is left out",
    )


class DecidedPairSerializer(serializers.Serializer[Any]):
    """What became of it: the question that stays, and whether the other is merged into it."""

    question = serializers.UUIDField()
    is_merged = serializers.BooleanField()


class PairDecisionSerializer(serializers.Serializer[Any]):
    """What a person decided of a question and one of another name, of the bank or of a file."""

    question = serializers.UUIDField(source="question.uuid")
    question_name = serializers.CharField(source="question.name")
    other_name = serializers.CharField(source="name", allow_blank=True)
    language = serializers.CharField(allow_blank=True, help_text="of the other")
    same = serializers.BooleanField()
    decided_by = serializers.CharField(source="by", allow_null=True)
    decided_at = UTCDateTimeField(source="updated_at")


class PairDecisionPageSerializer(serializers.Serializer[Any]):
    """Some decisions, in the order in which they were made first."""

    items = PairDecisionSerializer(many=True)
    next = serializers.CharField(allow_null=True)
    cursor = serializers.CharField(allow_null=True)


@dataclass(frozen=True, slots=True)
class PlacedPair:
    """A pair, and what its place in the list is by."""

    pair: CandidatePair

    @property
    def doubt(self) -> float:
        """The surest first."""
        return -self.pair.pair.confidence

    @property
    def absorb(self) -> str:
        """Of those as sure, by name; a question is in one pair at most."""
        return self.pair.first.name

    @property
    def place(self) -> list[Any]:
        """Its place, as a cursor has it."""
        return [self.doubt, self.absorb]


def _list_pairs(bank: Bank) -> list[PlacedPair]:
    pairs = find_pairs(bank)
    if pairs is None:
        raise Refused("too_many_questions")
    return sorted(map(PlacedPair, pairs), key=lambda placed: placed.place)


def _describe(bank: Bank, pairs: Iterable[CandidatePair]) -> list[Mapping[str, Any]]:
    listed = list(pairs)
    names = {name for pair in listed for name in (pair.first.name, pair.second.name)}
    rows = Question.objects.filter(bank=bank, name__in=names).select_related("draft")
    questions = {row.name: row for row in rows}
    return [_describe_pair(pair, questions) for pair in listed]


def _describe_pair(pair: CandidatePair, questions: Mapping[str, Question]) -> Mapping[str, Any]:
    view, match = build_pair_match(pair), pair.to_match()
    sides = {"absorb": (pair.first, view.item), "keep": (pair.second, view.existing)}
    return {
        **{
            side: {
                "id": questions[bank_question.name].uuid,
                "name": bank_question.name,
                "revision": questions[bank_question.name].draft.revision,
                "language": text.code,
                "prompt_html": text.prompt,
            }
            for side, (bank_question, text) in sides.items()
        },
        "percent": match.percent,
        "key_change": match.key_change,
        "reasons": match.reasons,
        "rows": {row.left: row.right for row in match.rows},
        "options": view.options,
        "left_out": view.left_out,
    }


class LanguageMatchesView(BaseAPIView):
    """Which questions of a bank may be one."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,), "POST": (Scope.AUTHORING,)}
    shows_keys = True

    @extend_schema(
        operation_id="listLanguageMatches",
        summary="Questions that may be one in two languages",
        tags=["banks"],
        parameters=[QuestionPairQuery],
        responses=QuestionPairPageSerializer,
        examples=[PAIR_EXAMPLE],
    )
    def get(self, request: Request, bank: UUID) -> Response:
        """List pairs of questions of a bank whose keys you may see. Scope `authoring`.

        A bank with more questions than are compared: 409 (`too_many_questions`).
        """
        params = parse_query(request, QuestionPairQuery)
        row = get_visible_bank(request, bank)
        record(AuditCode.KEYS_VIEWED, about=row, once=True)
        after = BY_CONFIDENCE.read(params["cursor"]) if "cursor" in params else []
        later = [placed for placed in _list_pairs(row) if placed.place > after]
        candidates = later[: params.get("limit", DEFAULT_PAGE_SIZE) + 1]
        page = build_page(candidates, BY_CONFIDENCE, request, params)
        items = _describe(row, [placed.pair for placed in page.rows])
        return Response(QuestionPairPageSerializer(page.to_json(items)).data)

    @extend_schema(
        operation_id="decideLanguageMatch",
        summary="Merge two questions, or say that they are two",
        tags=["banks"],
        parameters=[LanguageQuery, IDEMPOTENCY_KEY],
        request=DecidePairRequest,
        responses={200: OpenApiResponse(DecidedPairSerializer, "Done, and remembered")},
        examples=[ANSWER_EXAMPLE],
    )
    def post(self, request: Request, bank: UUID) -> APIResponse:
        """Give `keep` the texts of `absorb`, which is retired; or keep them apart for good.

        For `same`, with the revisions of both drafts as you saw them: other ones by now are 409
        (`draft_changed`), as is a pair that is none any more (`match_gone`). Scope `authoring`.
        """
        parse_query(request, LanguageQuery)
        posted = parse_body(request, DecidePairRequest)
        return idempotent(request, lambda: self._decide(request, bank, posted))

    def _decide(self, request: Request, bank: UUID, posted: Mapping[str, Any]) -> WriteResult:
        row, by = get_editable_bank(request, bank), request_user(request)
        ids = posted["keep"], posted["absorb"]
        named = dict(row.questions.filter(uuid__in=ids).values_list("uuid", "name"))
        if len(named) != len(ids):
            raise NotFound
        keep, absorb = (named[id_] for id_ in ids)
        if posted["same"]:
            revisions = [_read_revision(posted, name) for name in ("keep", "absorb")]
            merge_questions(
                bank=row,
                keep=keep,
                absorb=absorb,
                ids={id_: str(other) for id_, other in posted["rows"].items()},
                revisions=revisions,
                by=by,
                now=clock.now(),
            )
        else:
            reject_match(bank=row, first=keep, second=absorb, by=by)
        payload = {"question": posted["keep"], "is_merged": posted["same"]}
        return WriteResult(200, DecidedPairSerializer(payload).data)


def _read_revision(posted: Mapping[str, Any], name: str) -> int:
    if f"{name}_revision" not in posted:
        raise Invalid("required", where=f"{name}_revision")
    return int(posted[f"{name}_revision"])


class PairDecisionsView(BaseAPIView):
    """What was decided of pairs."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="listPairDecisions",
        summary="What was decided of pairs of questions",
        tags=["banks"],
        parameters=[PageQuery],
        responses=PairDecisionPageSerializer,
        examples=[DECISION_EXAMPLE],
    )
    def get(self, request: Request, bank: UUID) -> Response:
        """List which questions of a bank were said to be one or two, by whom. Scope `authoring`."""
        params = parse_query(request, PageQuery)
        row = get_visible_bank(request, bank)
        rows = decisions_visible_to(request_user(request)).filter(question__bank=row)
        page = paginate(rows.select_related("question", "by"), BY_TIME, request, params)
        return Response(PairDecisionPageSerializer(page.to_json(page.rows)).data)
