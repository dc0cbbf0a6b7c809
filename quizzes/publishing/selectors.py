"""Reading quiz versions: frozen, so read once and kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.db.models import CharField, OuterRef, QuerySet, Subquery

from grading.kinds import KINDS
from quizzes.bank.models import Question
from quizzes.bank.selectors import load_right_orders
from quizzes.lib.frozen_cache import FrozenCache
from quizzes.lib.prepared_query import PreparedQuery
from quizzes.publishing.blueprint import CandidateQuestion, VersionItem
from quizzes.publishing.models import PoolCandidate, Quiz, QuizVersion
from quizzes.publishing.policies import Policies


@dataclass(frozen=True, slots=True)
class LoadedQuizVersion:
    """A quiz version in plain values, with what its items may draw."""

    id: int
    uuid: UUID
    quiz_id: int
    number: int
    title: Mapping[str, str]
    intro: Mapping[str, str]
    source_language: str
    policies: Policies
    threshold: Fraction
    maximum: Fraction
    question_count: int
    items: tuple[VersionItem, ...]

    @property
    def draws(self) -> bool:
        """Whether any item leaves a choice, so that two attempts may differ in their questions."""
        return any(item.draw < len(item.candidates) for item in self.items)

    @property
    def scoring_methods(self) -> tuple[str, ...]:
        """The scoring methods of its questions, each once, in order of appearance."""
        scoring_methods = (
            effective_scoring_method(candidate, self.policies)
            for item in self.items
            for candidate in item.candidates
        )
        return tuple(dict.fromkeys(scoring_methods))


def effective_scoring_method(candidate: CandidateQuestion, policies: Policies) -> str:
    """Return how this question is scored: the quiz's way for multiple choice if any."""
    if candidate.kind == "multiple_choice" and policies.scoring_method:
        return policies.scoring_method
    return candidate.scoring_method


_quiz_versions: FrozenCache[UUID, LoadedQuizVersion] = FrozenCache(500)


def load_quiz_version(quiz_version: QuizVersion) -> LoadedQuizVersion:
    """Return the quiz version in plain values; two queries the first time, then none."""
    return _quiz_versions.get_many(
        [quiz_version.uuid], lambda _: {quiz_version.uuid: _load(quiz_version)}
    )[quiz_version.uuid]


def _load(quiz_version: QuizVersion) -> LoadedQuizVersion:
    return LoadedQuizVersion(
        id=quiz_version.pk,
        uuid=quiz_version.uuid,
        quiz_id=quiz_version.quiz_id,
        number=quiz_version.number,
        title=quiz_version.title,
        intro=quiz_version.intro,
        source_language=quiz_version.source_language,
        policies=Policies.from_json(quiz_version.policies),
        threshold=quiz_version.threshold,
        maximum=quiz_version.maximum,
        question_count=quiz_version.question_count,
        items=_items(quiz_version),
    )


def _items(quiz_version: QuizVersion) -> tuple[VersionItem, ...]:
    candidates: dict[int, list[CandidateQuestion]] = {}
    pool = PoolCandidate.objects.filter(item__quiz_version=quiz_version).select_related(
        "version__question"
    )
    rows = list(pool.order_by("pk"))
    right_orders = load_right_orders([row.version for row in rows])
    for row in rows:
        version = row.version
        candidates.setdefault(row.item_id, []).append(
            CandidateQuestion(
                str(version.uuid),
                str(version.question.uuid),
                version.kind,
                version.scoring_method,
                version.content,
                right_orders.get(version.pk, ()),
                row.enemy_set,
                KINDS[version.kind].shufflable_ids(version.content),
            )
        )
    return tuple(
        VersionItem(
            item.section,
            item.draw,
            Fraction(item.points_numerator, item.points_denominator),
            tuple(candidates.get(item.pk, ())),
        )
        for item in quiz_version.items.order_by("position")
    )


def load_quiz_uuid(slug: str) -> UUID | None:
    """Return the id of the quiz with this short name; who may take it is decided elsewhere."""
    return _UUIDS.first(slug)


_UUIDS: PreparedQuery[UUID] = PreparedQuery(
    lambda slug: Quiz.objects.filter(slug=slug).values_list("uuid", flat=True), CharField()
)


def list_outdated_questions(quiz: Quiz) -> list[Question]:
    """Return the questions of which the published quiz asks an older version than their newest.

    `asked_number` is the number of that version.
    """
    asked_number = _find_older_number(quiz.current_id, OuterRef("pk"), OuterRef("current"))
    return list(
        Question.objects.annotate(asked_number=asked_number)
        .filter(asked_number__isnull=False)
        .select_related("current")
        .order_by("name", "pk")
    )


def list_outdated_quizzes(question: Question, quizzes: QuerySet[Quiz]) -> list[Quiz]:
    """Return those of these quizzes that ask an older version of a question than its newest.

    Out of use, or never published: none. `asked_number` is the number of that version.
    """
    if question.current_id is None:
        return []
    asked_number = _find_older_number(OuterRef("current"), question.pk, question.current_id)
    return list(
        quizzes.filter(retired_at=None)
        .annotate(asked_number=asked_number)
        .filter(asked_number__isnull=False)
        .order_by("slug")
    )


def _find_older_number(quiz_version: Any, question: Any, newest: Any) -> Subquery:
    """Return which older version of a question a quiz version asks; each a key or an OuterRef."""
    candidates = PoolCandidate.objects.filter(
        item__quiz_version=quiz_version, version__question=question
    ).exclude(version=newest)
    # Its own order would join the table of quizzes under the name that OuterRef means.
    return Subquery(candidates.order_by("pk").values("version__number")[:1])
