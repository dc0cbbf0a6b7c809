"""Whether memorising what a draft shows passes for certain, and what its author may do about it.

No key is read: whoever may change the quiz may know these figures, also of a bank whose keys they
do not see. So of a first answer no more is guessed than its number of options tells.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from grading.guessing import count_trials
from quizzes.lib.errors import Refused
from quizzes.publishing.farmability import ItemGuesses, find_certain_pass
from quizzes.publishing.memorising import (
    AT_ONCE,
    count_learners,
    find_disclosure,
    set_trials,
    simulate_memorising,
)
from quizzes.publishing.models import (
    AttemptGradePolicy,
    Audience,
    Mode,
    Quiz,
    RevealMoment,
)
from quizzes.publishing.planned_version import (
    PlannedVersionItem,
    build_draft_policies,
    list_drawable,
)

SIMULATED_ATTEMPTS: Final = 5
MOST_ATTEMPTS: Final = 20
"""Later ones are not looked at, neither by simulation nor exactly."""
NEARLY_CERTAIN: Final = 0.95
"""The part of simulated learners who pass from which on publishing asks."""
LEARNERS: Final = 200
SPARE: Final = 4
"""Simulated is what could be so many times over, as every remedy is simulated, too."""
PRACTICE: Final = "practice"
GIVEN_AWAY: Final = ("reveal_correctness", "reveal_feedback", "reveal_key", "reveal_explanation")
"""What shows right answers, or tells them by and by."""
CHOICES: Final = frozenset({"single_choice", "true_false"})


@dataclass(frozen=True, slots=True)
class MemorisedPass:
    """The first attempt that memorising passes for certain, or nearly.

    `passing`: the part of simulated learners who pass it. `disclosure`: what tells them, "key" or
    "parts" of what is shown after each attempt, or "practice".
    """

    attempt: int
    passing: float
    disclosure: str

    def to_json(self) -> dict[str, Any]:
        """Return it as a quiz version and the audit log keep it."""
        passing = f"{self.passing:.3f}"
        return {"attempt": self.attempt, "passing": passing, "disclosure": self.disclosure}


@dataclass(frozen=True, slots=True)
class Remedy:
    """Settings of the draft with which no pass is certain any more.

    `passing`: the part of simulated learners who then pass, attempt by attempt; empty where there
    are too many questions to simulate.
    """

    code: str
    settings: Mapping[str, Any]
    passing: tuple[float, ...]


class MemorisedPassUndecided(Refused):
    """Memorising passes for certain, and nobody decided that it may.

    `passing`: as a remedy has it, of the draft as it is.
    """

    code = "memorised_pass_certain"

    def __init__(
        self, memorised: MemorisedPass, passing: tuple[float, ...], remedies: tuple[Remedy, ...]
    ) -> None:
        super().__init__(attempt=memorised.attempt)
        self.memorised, self.passing, self.remedies = memorised, passing, remedies


def check_memorised_pass(
    quiz: Quiz, planned: Sequence[PlannedVersionItem], accepted_attempt: int | None
) -> MemorisedPass | None:
    """Return what its author accepts by publishing this draft; None: nothing is certain.

    `accepted_attempt`: the author lets memorising pass for certain from this attempt on. Certain
    sooner, or not accepted: MemorisedPassUndecided.
    """
    items = _build_items(planned)
    memorised, passing = _measure(quiz, items)
    if memorised is not None and memorised.attempt < (accepted_attempt or MOST_ATTEMPTS + 1):
        raise MemorisedPassUndecided(memorised, passing, _list_remedies(quiz, items, memorised))
    return memorised


def find_undecided_pass(
    quiz: Quiz, planned: Sequence[PlannedVersionItem]
) -> MemorisedPassUndecided | None:
    """Return what publishing this draft would ask its author; None: nothing."""
    try:
        check_memorised_pass(quiz, planned, None)
    except MemorisedPassUndecided as undecided:
        return undecided
    return None


def _build_items(planned: Sequence[PlannedVersionItem]) -> list[ItemGuesses]:
    return [
        _build_item(planned_item, drawable)
        for planned_item, drawable in zip(planned, list_drawable(planned), strict=True)
        if planned_item.points
    ]


def _build_item(planned_item: PlannedVersionItem, drawable: Mapping[int, int]) -> ItemGuesses:
    versions = [
        version
        for version in planned_item.versions
        if planned_item.slot.question_id or version.question_id in drawable
    ]
    trials = tuple(count_trials(version.kind, version.content) for version in versions)
    guesses = tuple(
        Fraction(1, most + 1) if most and version.kind in CHOICES else Fraction()
        for version, most in zip(versions, trials, strict=True)
    )
    set_sizes = tuple(Counter(drawable.values()).values()) or (1,)
    return ItemGuesses(planned_item.draw, planned_item.points, guesses, guesses, trials, set_sizes)


def _measure(
    quiz: Quiz, items: Sequence[ItemGuesses]
) -> tuple[MemorisedPass | None, tuple[float, ...]]:
    """Return which pass is certain by the settings of a draft, and the chances by attempt."""
    most = _find_most_attempts(quiz)
    last = min(SIMULATED_ATTEMPTS, most)
    if quiz.mode == Mode.PRACTICE:
        return None, ()
    if quiz.practice_shows_keys:
        return MemorisedPass(1, 1.0, PRACTICE), (1.0,) * last
    threshold = Fraction(quiz.pass_percent) / 100
    disclosure = "" if _counts_once(quiz) else _find_disclosure(quiz)
    items = set_trials(items, disclosure)
    passing: tuple[float, ...] = ()
    if count_learners([items], last) >= LEARNERS * SPARE:
        simulated = simulate_memorising(items, threshold, last, learners=LEARNERS, seed=quiz.slug)
        passing = tuple(attempt.passing for attempt in simulated)
    if not disclosure or (passing and passing[0] >= NEARLY_CERTAIN):
        return None, passing  # who passes at once has memorised nothing
    nearly = (number for number, part in enumerate(passing, 1) if part >= NEARLY_CERTAIN)
    exact = find_certain_pass(items, threshold, most)
    attempts = [number for number in (next(nearly, None), exact) if number]
    if not attempts:
        return None, passing
    attempt = min(attempts)
    part = passing[attempt - 1] if attempt <= len(passing) else 1.0
    return MemorisedPass(attempt, part, disclosure), passing


def _is_taken_by_guests(quiz: Quiz) -> bool:
    """Return whether limits of attempts bind nobody: a guest can become another guest (ADR 59)."""
    return quiz.audience == Audience.ANYONE


def _find_most_attempts(quiz: Quiz) -> int:
    limit = None if _is_taken_by_guests(quiz) else quiz.max_attempts
    return min(limit or MOST_ATTEMPTS, MOST_ATTEMPTS)


def _find_disclosure(quiz: Quiz) -> str:
    policy = build_draft_policies(quiz).reveal
    if _is_taken_by_guests(quiz) and quiz.max_attempts:
        # Who has used up the attempts of one guest has seen what comes after the last one.
        late = [n for n in GIVEN_AWAY if getattr(quiz, n) == RevealMoment.AFTER_LAST_ATTEMPT]
        moments: dict[str, Any] = {name.removeprefix("reveal_"): AT_ONCE for name in late}
        policy = replace(policy, **moments)
    return find_disclosure(policy)


def _counts_once(quiz: Quiz) -> bool:
    if _is_taken_by_guests(quiz):
        return False
    return quiz.max_attempts == 1 or quiz.attempt_grade_policy == AttemptGradePolicy.FIRST


def _list_remedies(
    quiz: Quiz, items: Sequence[ItemGuesses], memorised: MemorisedPass
) -> tuple[Remedy, ...]:
    return tuple(
        Remedy(code, settings, passing)
        for code, settings in _list_changes(quiz, items, memorised)
        for certain, passing in [_measure(change_draft(quiz, settings), items)]
        if certain is None
    )


def _list_changes(
    quiz: Quiz, items: Sequence[ItemGuesses], memorised: MemorisedPass
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return what may be changed, each by its code, the mildest first; not all of it suffices."""
    base: dict[str, Any] = {}
    if memorised.disclosure == PRACTICE:
        base = {"practice_shows_keys": False}
        yield "hide_in_practice", base
        next_pass, _passing = _measure(change_draft(quiz, base), items)
        if next_pass is None:
            return
        memorised = next_pass
    fields = [name for name in GIVEN_AWAY if getattr(quiz, name) == AT_ONCE]
    if _is_taken_by_guests(quiz) and quiz.max_attempts:
        base |= {"max_attempts": None}
    yield "show_later", base | dict.fromkeys(fields, RevealMoment.AFTER_LAST_ATTEMPT.value)
    if _is_taken_by_guests(quiz):
        return
    yield "limit_attempts", base | {"max_attempts": memorised.attempt - 1}


def change_draft(quiz: Quiz, settings: Mapping[str, Any]) -> Quiz:
    """Return a draft with other settings; nothing is saved."""
    changed = copy(quiz)
    for name, value in settings.items():
        setattr(changed, name, value)
    return changed
