"""What the draft of a quiz yields to who knows nothing, in numbers, for its editors alone."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from accounts.models import User
from grading.guessing import count_trials, score_guesses
from quizzes.attempts.key_access import banks_whose_keys_are_visible_to
from quizzes.bank.access import editable_by
from quizzes.bank.models import Question, QuestionVersion, VersionKey
from quizzes.lib.errors import NotFound, Refused
from quizzes.publishing.farmability import (
    ItemGuesses,
    expect_random_guess,
    expect_select_all,
    find_certain_pass,
)
from quizzes.publishing.memorising import (
    count_learners,
    find_disclosure,
    scale_pool,
    set_trials,
    simulate_memorising,
)
from quizzes.publishing.models import Quiz
from quizzes.publishing.planned_version import (
    PlannedVersionItem,
    build_draft_policies,
    list_drawable,
    plan_quiz_version,
)

SHOWN_ATTEMPTS: Final = 5
POOL_FACTORS: Final = (1, 2, 4)
"""How many times the questions of an attempt a pool has, for which it is said what it buys."""


@dataclass(frozen=True, slots=True)
class HarvestedAttempt:
    """What those reach in one attempt who memorise all that is shown to them, simulated.

    `mean`: share of the points; `passing`: part that passes; `passing_by_pool`: the same if the
    quiz drew from POOL_FACTORS times its questions.
    """

    number: int
    mean: float
    passing: float
    passing_by_pool: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class GuessingFigures:
    """What each way without knowledge reaches, as a share of the points.

    `disclosure`: what of the key is shown between attempts, "key", "parts" or nothing.
    `certain_attempt`: the first attempt that memorising passes for certain, None for none.
    `learners`: how many were simulated.
    """

    threshold: Fraction
    select_all: Fraction
    random_guess: Fraction
    disclosure: str
    certain_attempt: int | None
    learners: int
    attempts: tuple[HarvestedAttempt, ...]


def load_guessing_figures(*, quiz: Quiz, viewer: User) -> GuessingFigures | None:
    """Return what the draft of a quiz yields by its settings; None: it cannot be published.

    `quiz` is one that the viewer may edit. A bank that it draws on and they do not edit, or whose
    keys are hidden from them: NotFound, as how many options are right can be read from it. So many
    questions that a simulation takes too long: Refused.
    """
    planned, problems = plan_quiz_version(quiz)
    questions = {version.question_id for item in planned for version in item.versions}
    banks = set(Question.objects.filter(pk__in=questions).values_list("bank", flat=True))
    editable = banks_whose_keys_are_visible_to(viewer).filter(
        pk__in=editable_by(viewer).values("pk")
    )
    if editable.filter(pk__in=banks).distinct().count() != len(banks):
        raise NotFound
    return None if problems else _measure(quiz, _load_guesses(quiz, planned))


def _measure(quiz: Quiz, items: Sequence[ItemGuesses]) -> GuessingFigures:
    threshold = Fraction(quiz.pass_percent) / 100
    select_all, random_guess = expect_select_all(items), expect_random_guess(items)
    policy = build_draft_policies(quiz).reveal
    disclosure = "" if quiz.max_attempts == 1 else find_disclosure(policy)
    items = set_trials(items, disclosure)
    last = min(SHOWN_ATTEMPTS, quiz.max_attempts or SHOWN_ATTEMPTS)
    pools = [items, *(scale_pool(items, factor) for factor in POOL_FACTORS)]
    learners = count_learners(pools, last)
    if not learners:
        raise Refused("too_large_to_simulate")
    return GuessingFigures(
        threshold,
        select_all,
        random_guess,
        disclosure,
        find_certain_pass(items, threshold, quiz.max_attempts),
        learners,
        _simulate(quiz, pools, threshold, last, learners),
    )


def _simulate(
    quiz: Quiz,
    pools: Sequence[Sequence[ItemGuesses]],
    threshold: Fraction,
    last: int,
    learners: int,
) -> tuple[HarvestedAttempt, ...]:
    # Questions that are all asked each time are a pool of their own size already: simulated once.
    distinct = [pool for place, pool in enumerate(pools) if pool not in pools[:place]]
    simulated = [
        simulate_memorising(pool, threshold, last, learners=learners, seed=quiz.slug)
        for pool in distinct
    ]
    own, *others = (simulated[distinct.index(pool)] for pool in pools)
    return tuple(
        HarvestedAttempt(
            number + 1,
            own[number].mean,
            own[number].passing,
            tuple(attempts[number].passing for attempts in others),
        )
        for number in range(last)
    )


def _load_guesses(quiz: Quiz, planned: Sequence[PlannedVersionItem]) -> list[ItemGuesses]:
    """Return what blind answers earn at each place of a draft, scored as its quiz scores."""
    versions = {version.pk for planned_item in planned for version in planned_item.versions}
    keys = dict(VersionKey.objects.filter(version__in=versions).values_list("version", "key"))
    return [
        _score_item(quiz, planned_item, drawable, keys)
        for planned_item, drawable in zip(planned, list_drawable(planned), strict=True)
        if planned_item.points
    ]


def _score_item(
    quiz: Quiz,
    planned_item: PlannedVersionItem,
    drawable: Mapping[int, int],
    keys: Mapping[int, Any],
) -> ItemGuesses:
    versions = [
        version
        for version in planned_item.versions
        if planned_item.slot.question_id or version.question_id in drawable
    ]
    scores = [
        score_guesses(
            version.kind, version.content, keys.get(version.pk, {}), _find_method(quiz, version)
        )
        for version in versions
    ]
    return ItemGuesses(
        planned_item.draw,
        planned_item.points,
        tuple(guess_score.select_all or Fraction() for guess_score in scores),
        tuple(guess_score.random_guess or Fraction() for guess_score in scores),
        tuple(count_trials(version.kind, version.content) for version in versions),
        tuple(Counter(drawable.values()).values()) or (1,),
    )


def _find_method(quiz: Quiz, version: QuestionVersion) -> str:
    if version.kind == "multiple_choice" and quiz.scoring_method:
        return quiz.scoring_method
    return version.scoring_method
