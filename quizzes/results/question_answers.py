"""The answers of all learners to one question of a quiz, for who grades by question."""

import json
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.fields.json import KT

from accounts.models import User
from grading.contract import ItemScore
from grading.numeric.readings import resolve_readings
from grading.short_text.folding import Folding, fold
from quizzes.attempts.access import quizzes_overseen_by
from quizzes.attempts.key_access import quizzes_hidden_from_taker
from quizzes.bank.models import Question
from quizzes.lib.errors import NotFound
from quizzes.publishing.models import PoolCandidate, Quiz
from quizzes.results.double_grading import OVERRIDDEN
from quizzes.results.models import ItemResult, ManualGrade, Purpose
from quizzes.results.overseen_results import list_overseen_results
from quizzes.results.response_analysis import has_typed_answers, load_newest_folding

MAX_GROUPS = 20
"""The most answers of which is said how many have them."""
MAX_COUNTED = 5000
"""The most different answers that are counted, the most frequent first."""


class AnswerStatus(StrEnum):
    """Which answers: those that a person has marked or commented on, or by what they earned."""

    NOT_MARKED = "not_marked"
    MARKED = "marked"
    NO_CREDIT = "no_credit"
    PARTIAL_CREDIT = "partial_credit"
    FULL_CREDIT = "full_credit"
    WAITING = "waiting"


_NOT_MARKED = Q(purpose=None) | Q(purpose=Purpose.WITHDRAWN)
_WAITING = Q(credit_numerator=None)
_FULL = Q(credit_numerator=1, credit_denominator=1)
_NONE = Q(credit_numerator=0) | Q(credit_numerator__startswith="-")
_CONDITIONS: Mapping[str, Q] = {
    AnswerStatus.NOT_MARKED: _NOT_MARKED,
    AnswerStatus.MARKED: ~_NOT_MARKED,
    AnswerStatus.NO_CREDIT: _NONE,
    AnswerStatus.PARTIAL_CREDIT: ~_WAITING & ~_FULL & ~_NONE,
    AnswerStatus.FULL_CREDIT: _FULL,
    AnswerStatus.WAITING: _WAITING,
}


@dataclass(frozen=True, slots=True)
class SameAnswers:
    """Answers that are the same, typed ones after folding: how many, and what they earned.

    `attempt` is the first that has it.
    """

    attempt: int
    version: UUID
    answer: Mapping[str, Any] | None
    count: int
    credits: tuple[Fraction, ...]


def find_asked_question(*, quiz: UUID, question: UUID, viewer: User) -> tuple[Quiz, Question]:
    """Return a quiz that the viewer oversees, and a question that it asks or has asked.

    Else, and while the viewer has a graded attempt open that shares a bank with it: NotFound.
    """
    overseen = quizzes_overseen_by(viewer).exclude(pk__in=quizzes_hidden_from_taker(viewer))
    quiz_row = overseen.filter(uuid=quiz).first()
    candidates = PoolCandidate.objects.filter(item__quiz_version__quiz=quiz_row).order_by()
    questions = Question.objects.select_related("current", "bank")
    row = questions.filter(uuid=question, pk__in=candidates.values("version__question")).first()
    if quiz_row is None or row is None:
        raise NotFound
    return quiz_row, row


def filter_question_answers(
    *,
    quiz: Quiz,
    question: Question,
    viewer: User,
    status: str = "",
    same_as: int | UUID | None = None,
) -> QuerySet[Any]:
    """Return the answers as the gradings that count have them, which the viewer oversees.

    In no order, with attempt, version and learner; `comment` is what a person wrote last, `marks`
    how many marks by persons the attempt has. `same_as`: those that are the same as this attempt's.
    An unknown `status` is none.
    """
    graded = list_overseen_results(viewer).filter(quiz=quiz)
    marks = (
        ManualGrade.objects.filter(attempt=OuterRef("grading__attempt"), slot=OuterRef("slot"))
        .exclude(purpose=Purpose.COMMENT, comment="")
        .order_by("-number")
    )
    rows = (
        ItemResult.objects.filter(version__question=question, grading__in=graded.values("grading"))
        .select_related("learner")
        .order_by()
        .annotate(
            attempt_pk=F("grading__attempt"),
            attempt_uuid=F("grading__attempt__uuid"),
            purpose=Subquery(marks.values("purpose")[:1]),
        )
    )
    if same_as is not None:
        rows = rows.filter(_build_same_condition(rows, question, same_as))
    condition = _CONDITIONS.get(status)
    return (rows if condition is None else rows.filter(condition)).annotate(
        attempt_number=F("grading__attempt__number"),
        marks=F("grading__manual_grades_read"),
        version_uuid=F("version__uuid"),
        comment=Subquery(marks.values("comment")[:1]),
    )


def _build_same_condition(rows: QuerySet[Any], question: Question, attempt: int | UUID) -> Q:
    name = "attempt_uuid" if isinstance(attempt, UUID) else "attempt_pk"
    row = rows.filter(**{name: attempt}).first()
    if row is None:
        raise NotFound
    if row.answer is None:
        return Q(answer__isnull=True)
    folding = _load_folding(question)
    if folding is None:
        return Q(answer=row.answer)
    folded = fold(row.answer["text"], folding)
    texts = rows.values_list(KT("answer__text"), flat=True).distinct()
    return Q(answer__text__in=[text for text in texts if text and fold(text, folding) == folded])


def _load_folding(question: Question) -> Folding | None:
    """Return how typed answers are compared; None where answers are not typed."""
    return load_newest_folding(question) if has_typed_answers(question) else None


def list_same_answers(rows: QuerySet[Any], question: Question) -> tuple[SameAnswers, ...]:
    """Return which of these answers more than one attempt has, the most frequent first; one query.

    Typed ones are the same if they are after folding.
    """
    folding = _load_folding(question)
    names = ("answer", "version_uuid", "credit_numerator", "credit_denominator")
    counted = rows.values_list(*names).annotate(count=Count("pk"), first=Min("attempt_pk"))
    groups: defaultdict[tuple[str, str], list[Any]] = defaultdict(list)
    for row in counted.order_by("-count", "first")[:MAX_COUNTED]:
        answer = row[0]
        folded = fold(answer["text"], folding) if folding and answer else ""
        groups[folded, "" if folded else json.dumps(answer, sort_keys=True)].append(row)
    same = [
        SameAnswers(
            attempt=group[0][-1],
            version=group[0][1],
            answer=group[0][0],
            count=sum(row[-2] for row in group),
            credits=tuple(sorted({Fraction(*row[2:4]) for row in group if row[2] is not None})),
        )
        for group in groups.values()
    ]
    frequent = [answers for answers in same if answers.count > 1]
    return tuple(sorted(frequent, key=lambda answers: -answers.count)[:MAX_GROUPS])


def find_neighbours(rows: QuerySet[Any], attempt: int) -> tuple[Any, Any]:
    """Return the rows before and after that of an attempt, of some of a question's answers."""
    before = rows.filter(attempt_pk__lt=attempt).order_by("-attempt_pk")
    after = rows.filter(attempt_pk__gt=attempt).order_by("attempt_pk")
    return before.first(), after.first()


def read_answer(row: ItemResult) -> tuple[Mapping[str, Any] | None, bool]:
    """Return an answer as its score understood it, and whether a person replaced that score."""
    # An erased one has lost its ledger, and one that waits has none yet.
    score = row.score if row.credit is not None else None
    ledger = ItemScore.from_json(score).ledger if score else ()
    is_overridden = OVERRIDDEN in (score or {}).get("reasons", ())
    return resolve_readings(row.answer, ledger), is_overridden
