"""Item level of a gradebook: what learners answered to each question, and what that earned."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from uuid import UUID

from django.db.models import Max, Min, QuerySet

from accounts.access import UserOrAnonymous
from accounts.models import Group, User
from grading.contract import ItemScore
from grading.numeric.readings import resolve_readings
from quizzes.attempts.access import supervised_by
from quizzes.attempts.key_access import quizzes_hidden_from_taker
from quizzes.attempts.models import Attempt, State
from quizzes.bank.models import QuestionVersion
from quizzes.bank.selectors import PublicVersion, load_public_versions
from quizzes.lib.base_models import fraction_or_none
from quizzes.publishing.models import PoolCandidate, Quiz
from quizzes.results.gradebook import list_gradebook_memberships, list_gradebook_quizzes
from quizzes.results.models import ItemResult
from quizzes.results.reveal_inputs import with_related_rows


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question that learners of a class were asked, as it was asked last."""

    uuid: UUID
    public_version: PublicVersion


@dataclass(frozen=True, slots=True)
class ItemGrade:
    """What a learner answered to a question of an attempt, and what it earned.

    `answer`: None for none, and for one that was erased. `credit`: the share of the points; None
    while it waits for a person.
    """

    slot: int
    question: UUID
    public_version: PublicVersion
    answer: Mapping[str, Any] | None
    credit: Fraction | None
    points: Fraction


def list_item_quizzes(*, group: Group, viewer: User) -> tuple[Quiz, ...]:
    """Return the quizzes of a gradebook whose answers the viewer may read; else: NotFound.

    None that shares a bank with a graded attempt that the viewer has open.
    """
    quizzes = list_gradebook_quizzes(group=group, viewer=viewer)
    hidden = set(quizzes_hidden_from_taker(viewer).values_list("pk", flat=True))
    return tuple(quiz for quiz in quizzes if quiz.pk not in hidden)


def list_class_attempts(
    *,
    group: Group,
    quizzes: Collection[Quiz],
    viewer: UserOrAnonymous,
    learners: Collection[User] | None = None,
) -> QuerySet[Attempt]:
    """Return the attempts at these quizzes of the class's learners, or of some of them.

    Those that the viewer oversees. Attempts of staff are not among them.
    """
    rows = Attempt.objects.filter(supervised_by(viewer), quiz__in=quizzes, is_staff_attempt=False)
    if learners is None:
        rows = rows.filter(learner__in=list_gradebook_memberships(group).values("user"))
    else:
        rows = rows.filter(learner__in=learners)
    return with_related_rows(rows)


def list_asked_questions(attempts: QuerySet[Attempt]) -> tuple[AskedQuestion, ...]:
    """Return the questions of these attempts that are graded, in the order of their quiz.

    Three queries, whatever their number.
    """
    graded = attempts.filter(state=State.GRADED).order_by()
    rows = (
        ItemResult.objects.filter(grading__in=graded.values("result__grading"))
        .order_by()
        .values_list("version__question", "version__question__uuid")
        .annotate(newest=Max("version"))
    )
    questions = {question: (uuid, newest) for question, uuid, newest in rows}
    candidates = PoolCandidate.objects.filter(
        version__question__in=questions, item__quiz_version__quiz__in=graded.values("quiz")
    ).order_by()
    places = {
        question: place
        for question, *place in candidates.values_list("version__question").annotate(
            Min("item__quiz_version__quiz"), Min("item__position"), Min("pk")
        )
    }
    newest_versions = QuestionVersion.objects.filter(
        pk__in=[newest for _, newest in questions.values()]
    )
    uuids = dict(newest_versions.values_list("pk", "uuid"))
    versions = load_public_versions(uuids.values())
    ordered = sorted(questions.items(), key=lambda row: (places.get(row[0], []), row[0]))
    return tuple(AskedQuestion(uuid, versions[uuids[newest]]) for _, (uuid, newest) in ordered)


def load_item_grades(attempts: Sequence[Attempt]) -> dict[int, tuple[ItemGrade, ...]]:
    """Return the items of graded attempts by attempt, as the gradings that count have them.

    For attempts of `list_class_attempts`; one query, and one for versions not in the cache.
    """
    gradings = {
        attempt.result.grading_id: attempt.pk
        for attempt in attempts
        if attempt.state == State.GRADED
    }
    rows = list(
        ItemResult.objects.filter(grading__in=gradings)
        .order_by("grading", "slot")
        .values(
            *("grading", "slot", "answer", "score", "version__uuid", "version__question__uuid"),
            *("credit_numerator", "credit_denominator"),
            *("points_numerator", "points_denominator"),
        )
    )
    versions = load_public_versions({row["version__uuid"] for row in rows})
    items: dict[int, list[ItemGrade]] = {pk: [] for pk in gradings.values()}
    for row in rows:
        items[gradings[row["grading"]]].append(
            _build_item_grade(row, versions[row["version__uuid"]])
        )
    return {pk: tuple(grades) for pk, grades in items.items()}


def _build_item_grade(row: Mapping[str, Any], public_version: PublicVersion) -> ItemGrade:
    ledger = ItemScore.from_json(row["score"]).ledger if _has_ledger(row) else ()
    return ItemGrade(
        slot=row["slot"],
        question=row["version__question__uuid"],
        public_version=public_version,
        answer=resolve_readings(row["answer"], ledger),
        credit=fraction_or_none(row["credit_numerator"], row["credit_denominator"]),
        points=Fraction(row["points_numerator"], row["points_denominator"]),
    )


def _has_ledger(row: Mapping[str, Any]) -> bool:
    """Return whether a score was stored and not erased."""
    return row["credit_numerator"] is not None and row["score"] is not None
