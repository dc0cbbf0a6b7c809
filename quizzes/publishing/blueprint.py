"""From a quiz version to one attempt: which questions, in which order. Pure and replayable."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction

from grading.json_types import Json
from grading.kinds import KINDS
from grading.shuffle import shuffle_ids, shuffle_unpinned
from quizzes.publishing.draw_allocation import DrawAllocation

PAIR = 2
"""So few items have only one other order."""


@dataclass(frozen=True, slots=True)
class CandidateQuestion:
    """A question version that may be drawn. `question` is its identity over all versions.

    `right_order`: of a question that asks for an order, the one that no attempt begins with.
    `enemy_set`: of questions with the same set at most one is asked in an attempt; mostly none.
    """

    version: str
    question: str
    kind: str
    scoring_method: str
    content: Mapping[str, Json]
    right_order: tuple[str, ...] = ()
    enemy_set: str = ""
    parts: tuple[tuple[str, bool], ...] | None = None
    """What may be shuffled, each id with whether it keeps its place, once that has been read."""

    @property
    def exclusive_key(self) -> tuple[str, str]:
        """What at most one question of an attempt has: the question itself, or its enemies."""
        return ("enemies", self.enemy_set) if self.enemy_set else ("question", self.question)


@dataclass(frozen=True, slots=True)
class VersionItem:
    """Draw `draw` of the candidates, each worth `points`."""

    section: int
    draw: int
    points: Fraction
    candidates: tuple[CandidateQuestion, ...]


@dataclass(frozen=True, slots=True)
class SelectedQuestion:
    """One question of one attempt, with the order of its parts."""

    candidate: CandidateQuestion
    section: int
    points: Fraction
    order: tuple[str, ...]


def draw(
    items: Sequence[VersionItem],
    *,
    seed: str,
    seen: AbstractSet[str] = frozenset(),
    shuffle_questions: bool = False,
    shuffle_options: bool = True,
) -> tuple[SelectedQuestion, ...]:
    """Select the questions of an attempt: unseen ones first, none twice and no enemies together.

    Sections keep their order. `seen` are identities of questions the learner has met before. The
    same arguments give the same questions, always.
    """
    drawn = [
        SelectedQuestion(
            candidate, item.section, item.points, _order(candidate, seed, shuffle_options)
        )
        for item, picked in zip(items, _pick(items, seed, seen), strict=True)
        for candidate in picked
    ]
    return _arrange(drawn, seed) if shuffle_questions else tuple(drawn)


def _is_fixed(item: VersionItem) -> bool:
    """Return whether there is nothing to draw: the item gets all that it names."""
    return len(item.candidates) == item.draw


def _pick(
    items: Sequence[VersionItem], seed: str, seen: AbstractSet[str]
) -> list[list[CandidateQuestion]]:
    """Pick the candidates of each item: item by item, unless a later one would then be short."""
    # What stands fixed anywhere is promised: a pool that comes before must not take it.
    promised = {c.exclusive_key for item in items if _is_fixed(item) for c in item.candidates}
    preferred: list[list[CandidateQuestion]] = [
        _list_preferred(item, f"{seed}/place/{number}", seen, promised)
        for number, item in enumerate(items)
    ]
    gone: set[tuple[str, str]] = set()
    picked = []
    for item, candidates in zip(items, preferred, strict=True):
        first = _list_first_of_each_key(candidates)
        picked.append([first[key] for key in first if key not in gone][: item.draw])
        gone.update(candidate.exclusive_key for candidate in picked[-1])
    if any(len(own) < item.draw for item, own in zip(items, picked, strict=True)):
        return _exchange(items, preferred, picked)
    return picked


def _list_preferred(
    item: VersionItem,
    seed: str,
    seen: AbstractSet[str],
    promised: AbstractSet[tuple[str, str]],
) -> list[CandidateQuestion]:
    """Return the candidates of an item by preference: by chance, unseen ones first."""
    if _is_fixed(item):
        return list(item.candidates)  # in the author's order
    free = {
        candidate.version: candidate
        for candidate in item.candidates
        if candidate.exclusive_key not in promised
    }
    mixed = [free[version] for version in shuffle_ids(tuple(free), seed)]
    mixed.sort(key=lambda candidate: candidate.question in seen)
    return mixed


def _list_first_of_each_key(
    candidates: Sequence[CandidateQuestion],
) -> dict[tuple[str, str], CandidateQuestion]:
    first: dict[tuple[str, str], CandidateQuestion] = {}
    for candidate in candidates:
        first.setdefault(candidate.exclusive_key, candidate)
    return first


def _exchange(
    items: Sequence[VersionItem],
    preferred: Sequence[Sequence[CandidateQuestion]],
    picked: Sequence[Sequence[CandidateQuestion]],
) -> list[list[CandidateQuestion]]:
    """Let items that drew before another give it what it lacks, and draw something else."""
    first = [_list_first_of_each_key(candidates) for candidates in preferred]
    sizes = {key: 1 for own in first for key in own}
    allocation = DrawAllocation(sizes, [list(own) for own in first])
    for place, candidates in enumerate(picked):
        for candidate in candidates:
            allocation.take(place, candidate.exclusive_key)
    for place, item in enumerate(items):
        allocation.increase(place, item.draw - len(picked[place]))
    return [
        [candidate for key, candidate in own.items() if drawn.get(key)]
        for own, drawn in zip(first, allocation.drawn, strict=True)
    ]


def _order(candidate: CandidateQuestion, seed: str, shuffle: bool) -> tuple[str, ...]:
    parts = candidate.parts
    if parts is None:
        parts = KINDS[candidate.kind].shufflable_ids(candidate.content)
    seed = f"{seed}/options/{candidate.question}"
    order = shuffle_unpinned(parts, seed) if shuffle else tuple(part for part, _ in parts)
    # Of two items the other order would be the right one for certain: there, chance decides.
    if len(order) > PAIR:
        while order == candidate.right_order:
            seed += "/again"
            order = shuffle_unpinned(parts, seed)
    return order


def _arrange(drawn: Sequence[SelectedQuestion], seed: str) -> tuple[SelectedQuestion, ...]:
    by_version = {question.candidate.version: question for question in drawn}
    mixed = [by_version[version] for version in shuffle_ids(tuple(by_version), f"{seed}/questions")]
    return tuple(sorted(mixed, key=lambda question: question.section))
