"""What the draft of a quiz asks, as one value: read, replaced; and copies of a quiz."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from itertools import chain
from typing import Any, ClassVar, Final
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.access import groups_taught
from accounts.models import Scope
from grading.contract import Problem
from quizzes.api.base_view import APIResponse, BaseAPIView, EmptyQuery, parse_body, parse_query
from quizzes.api.fields import (
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
from quizzes.attempts.quiz_composition import save_composition
from quizzes.attempts.quiz_copies import copy_quiz
from quizzes.bank.models import Bank, Question, Tag
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound
from quizzes.presentation.messages.quiz_problems import (
    DescribedQuizProblem,
    describe_quiz_problems,
)
from quizzes.publishing.access import editable_by
from quizzes.publishing.composition import (
    MAX_SECTIONS,
    MAX_SLOTS,
    ComposedSection,
    ComposedSlot,
    compute_composition_digest,
    load_composition,
    locate_slots,
    reuse_ids,
)
from quizzes.publishing.models import Quiz

MAX_DRAW: Final = 2**31 - 1
MAX_DAYS: Final = 3660


class ComposedSlotRequest(StrictSerializer):
    """A question; or a draw from a bank, of all its questions or those with a tag."""

    question = StrictUUIDField(required=False, allow_null=True)
    bank = StrictUUIDField(required=False, allow_null=True)
    tag = StrictCharField(required=False, allow_null=True, max_length=60)
    draw = StrictIntegerField(required=False, min_value=1, max_value=MAX_DRAW, default=1)
    points = StrictCharField(
        required=False, max_length=20, default="1", help_text="each, as a decimal: `1.5`"
    )


class ComposedSectionRequest(StrictSerializer):
    """A section: its title by language, and what it asks, in order."""

    title = serializers.DictField(child=StrictCharField(max_length=200), required=False)
    slots = serializers.ListField(child=ComposedSlotRequest(), max_length=MAX_SLOTS)


class CompositionRequest(StrictSerializer):
    """What a quiz asks. It replaces what stands there."""

    sections = serializers.ListField(child=ComposedSectionRequest(), max_length=MAX_SECTIONS)
    enemies = serializers.ListField(
        child=serializers.ListField(child=StrictUUIDField(), min_length=2, max_length=MAX_SLOTS),
        required=False,
        max_length=MAX_SLOTS,
        help_text=(
            "sets of questions of which an attempt asks at most one; those that share a question "
            "become one set; without it they stay as they are"
        ),
    )


class ComposedSlotSerializer(serializers.Serializer[Any]):
    """A question; or a draw from a bank, of all its questions or those with a tag."""

    question = serializers.UUIDField(allow_null=True)
    bank = serializers.UUIDField(allow_null=True)
    tag = serializers.CharField(allow_null=True)
    draw = serializers.IntegerField()
    points = serializers.CharField(help_text="each, as a decimal")


class ComposedSectionSerializer(serializers.Serializer[Any]):
    """A section, in order."""

    title = serializers.DictField(child=serializers.CharField())
    slots = ComposedSlotSerializer(many=True)


class CompositionSerializer(serializers.Serializer[Any]):
    """What the draft of a quiz asks; what attempts get is its published version."""

    sections = ComposedSectionSerializer(many=True)
    enemies = serializers.ListField(
        child=serializers.ListField(child=serializers.UUIDField()),
        help_text="sets of questions of which an attempt asks at most one",
    )


class CopyQuizRequest(StrictSerializer):
    """What is different in the copy of a quiz."""

    slug = serializers.SlugField(max_length=100)
    class_id = StrictUUIDField(
        required=False, help_text="the class that owns it; without it, that of the quiz"
    )
    days = StrictIntegerField(
        required=False,
        min_value=-MAX_DAYS,
        max_value=MAX_DAYS,
        default=0,
        help_text="by which its dates move; they keep their time of day in your time zone",
    )


class QuizCopySerializer(serializers.Serializer[Any]):
    """A copy of a quiz: a draft, assigned to nobody."""

    id = serializers.UUIDField(source="uuid")
    slug = serializers.CharField()


def get_editable_quiz(request: Request, quiz: UUID) -> Quiz:
    """Return a quiz that this person may change, published or not; else NotFound."""
    row = editable_by(request_user(request)).filter(uuid=quiz).first()
    if row is None:
        raise NotFound
    return row


def locate_problems(quiz: Quiz, problems: Sequence[Problem]) -> list[DescribedQuizProblem]:
    """Return what keeps a quiz from being published, each at its place in the composition."""
    if not problems:
        return []
    described = describe_quiz_problems(problems, locate_slots(load_composition(quiz)))
    return [
        problem._replace(place="sections") if problem.place == "slots" else problem
        for problem in described
    ]


def _list_slots(sections: Iterable[ComposedSection]) -> list[ComposedSlot]:
    return [slot for section in sections for slot in section.slots]


def _build_payload(quiz: Quiz, sections: Sequence[ComposedSection]) -> dict[str, Any]:
    """Return a composition with the public ids of what it names; three queries."""
    slots = _list_slots(sections)
    questions = _map_uuids(
        Question, chain((slot.question for slot in slots), chain.from_iterable(quiz.enemies))
    )
    banks = _map_uuids(Bank, {slot.bank for slot in slots})
    tag_ids = {slot.tag for slot in slots if slot.tag is not None}
    tags: dict[int | None, str] = dict(Tag.objects.filter(pk__in=tag_ids).values_list("pk", "name"))
    return {
        "sections": [
            {
                "title": dict(section.title),
                "slots": [
                    {
                        "question": questions.get(slot.question),
                        "bank": banks.get(slot.bank),
                        "tag": tags.get(slot.tag),
                        "draw": slot.draw,
                        "points": f"{slot.points.normalize():f}",
                    }
                    for slot in section.slots
                ],
            }
            for section in sections
        ],
        "enemies": [[questions[pk] for pk in own if pk in questions] for own in quiz.enemies],
    }


def _map_uuids(
    model: type[Question] | type[Bank], pks: Iterable[int | None]
) -> Mapping[int | None, UUID]:
    rows = model._default_manager.filter(pk__in={pk for pk in pks if pk is not None})
    return dict(rows.values_list("pk", "uuid"))


def _read_sections(posted: Mapping[str, Any]) -> tuple[ComposedSection, ...]:
    """Return what was sent; a question or bank that is none: NotFound, a tag or number: Invalid."""
    listed = [slot for section in posted["sections"] for slot in section["slots"]]
    questions = _map_pks(Question, {slot.get("question") for slot in listed})
    banks = _map_pks(Bank, {slot.get("bank") for slot in listed})
    names = {slot.get("tag") for slot in listed} - {None}
    tags: dict[str | None, int] = dict(Tag.objects.filter(name__in=names).values_list("name", "pk"))
    if names - tags.keys():
        raise Invalid("unknown_tag", where="sections")
    return tuple(
        ComposedSection(
            read_title(section.get("title", {}), where="sections"),
            tuple(
                ComposedSlot(
                    question=questions.get(slot.get("question")),
                    bank=banks.get(slot.get("bank")),
                    tag=tags.get(slot.get("tag")),
                    draw=slot["draw"],
                    points=_read_points(slot["points"]),
                )
                for slot in section["slots"]
            ),
        )
        for section in posted["sections"]
    )


def _map_pks(
    model: type[Question] | type[Bank], uuids: Iterable[UUID | None]
) -> Mapping[UUID | None, int]:
    named = {uuid for uuid in uuids if uuid is not None}
    rows = model._default_manager.filter(uuid__in=named).values_list("uuid", "pk")
    pks: dict[UUID | None, int] = dict(rows)
    if named - pks.keys():
        raise NotFound
    return pks


def read_title(title: Mapping[str, str], *, where: str) -> dict[str, str]:
    """Return a text by language without the empty ones; a language that is none: Invalid."""
    if any(len(code) > 5 or not code.isalpha() for code in title):  # noqa: PLR2004  a language
        raise Invalid("unknown_language", where=where)
    return {code: text for code, text in title.items() if text.strip()}


def _read_points(text: str) -> Decimal:
    try:
        points = Decimal(text) if text.isascii() and set(text) <= set("0123456789.") else None
    except InvalidOperation:
        points = None
    if points is None:
        raise Invalid("slot_invalid", where="sections", fields=["points"])
    return points


class CompositionView(BaseAPIView):
    """What a quiz asks."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.AUTHORING,), "POST": (Scope.AUTHORING,)}
    takes_if_match = True

    @extend_schema(
        operation_id="getComposition",
        summary="What a quiz asks",
        tags=["quizzes"],
        parameters=CONDITIONAL_GET,
        responses={200: CompositionSerializer, **NOT_MODIFIED},
    )
    def get(self, request: Request, quiz: UUID) -> HttpResponse:
        """Show what the draft of a quiz that you may change asks. Scope `authoring`."""
        parse_query(request, EmptyQuery)
        row = get_editable_quiz(request, quiz)
        sections = load_composition(row)
        payload = CompositionSerializer(_build_payload(row, sections)).data
        return tagged_response(request, payload, _composition_version(row, sections))

    @extend_schema(
        operation_id="replaceComposition",
        summary="Say what a quiz asks",
        tags=["quizzes"],
        parameters=[IDEMPOTENCY_KEY, describe_if_match("the composition"), WRITTEN_ETAG],
        request=CompositionRequest,
        responses={200: OpenApiResponse(CompositionSerializer, "As it is now")},
    )
    def post(self, request: Request, quiz: UUID) -> APIResponse:
        """Put sections and slots in place of those of the draft: all of them, or nothing.

        A question or bank that you may not use: 404. Nothing is published. Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, CompositionRequest)
        return idempotent(request, lambda: self._replace(request, quiz, posted))

    def _replace(self, request: Request, quiz: UUID, posted: dict[str, Any]) -> WriteResult:
        row = get_editable_quiz(request, quiz)

        def lock_version() -> str:
            locked = Quiz.objects.select_for_update().get(pk=row.pk)
            return _composition_version(locked, load_composition(locked))

        with transaction.atomic(), require_unchanged(request, lock_version):
            sections = reuse_ids(load_composition(row), _read_sections(posted))
            save_composition(
                quiz=row,
                sections=sections,
                digest=None,
                by=request_user(request),
                enemies=_read_enemies(posted),
            )
            row.refresh_from_db(fields=["enemies"])
            stored = load_composition(row)
        payload = CompositionSerializer(_build_payload(row, stored)).data
        return tagged_write(payload, _composition_version(row, stored))


def _read_enemies(posted: Mapping[str, Any]) -> list[list[int]] | None:
    if "enemies" not in posted:
        return None
    pks = _map_pks(Question, chain.from_iterable(posted["enemies"]))
    return [[pks[uuid] for uuid in own] for own in posted["enemies"]]


def _composition_version(quiz: Quiz, sections: Sequence[ComposedSection]) -> str:
    return hash_version(compute_composition_digest(sections, quiz.enemies))


class QuizCopiesView(BaseAPIView):
    """Copies of a quiz."""

    scopes: ClassVar[Scopes] = {"POST": (Scope.AUTHORING,)}

    @extend_schema(
        operation_id="copyQuiz",
        summary="Copy a quiz",
        tags=["quizzes"],
        parameters=[IDEMPOTENCY_KEY],
        request=CopyQuizRequest,
        responses={201: OpenApiResponse(QuizCopySerializer, "The copy, a draft")},
    )
    def post(self, request: Request, quiz: UUID) -> APIResponse:
        """Copy settings, sections, questions and draws of a quiz, with its dates moved.

        Assignments, attempts and results are not copied. Scope `authoring`.
        """
        parse_query(request, EmptyQuery)
        posted = parse_body(request, CopyQuizRequest)
        return idempotent(request, lambda: self._copy(request, quiz, posted))

    def _copy(self, request: Request, quiz: UUID, posted: dict[str, Any]) -> WriteResult:
        row, by = get_editable_quiz(request, quiz), request_user(request)
        group = row.group
        if "class_id" in posted:
            group = groups_taught(by).filter(uuid=posted["class_id"]).first()
            if group is None:
                raise NotFound
        copy = copy_quiz(
            quiz=row,
            slug=posted["slug"],
            group=group,
            days=posted["days"],
            zone=timezone.get_current_timezone(),
            groups_by_assignment={},
            by=by,
            now=clock.now(),
        )
        return WriteResult(201, QuizCopySerializer(copy).data)
