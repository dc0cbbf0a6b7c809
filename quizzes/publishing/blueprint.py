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
    """

    version: str
    question: str
    kind: str
    scoring_method: str
    content: Mapping[str, Json]
    right_order: tuple[str, ...] = ()


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
    """Select the questions of an attempt: unseen ones first, none twice; sections keep their order.

    `seen` are identities of questions the learner has met before. The same arguments give the
    same questions, always.
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
    promised = {c.question for item in items if _is_fixed(item) for c in item.candidates}
    preferred: list[list[CandidateQuestion]] = [
        _list_preferred(item, f"{seed}/place/{number}", seen, promised)
        for number, item in enumerate(items)
    ]
    gone: set[str] = set()
    picked = []
    for item, candidates in zip(items, preferred, strict=True):
        picked.append([c for c in candidates if c.question not in gone][: item.draw])
        gone.update(candidate.question for candidate in picked[-1])
    if any(len(own) < item.draw for item, own in zip(items, picked, strict=True)):
        return _exchange(items, preferred, picked)
    return picked


def _list_preferred(
    item: VersionItem, seed: str, seen: AbstractSet[str], promised: AbstractSet[str]
) -> list[CandidateQuestion]:
    """Return the candidates of an item by preference: by chance, unseen ones first."""
    if _is_fixed(item):
        return list(item.candidates)  # in the author's order
    free = {
        candidate.version: candidate
        for candidate in item.candidates
        if candidate.question not in promised
    }
    mixed = [free[version] for version in shuffle_ids(tuple(free), seed)]
    mixed.sort(key=lambda candidate: candidate.question in seen)
    return mixed


def _exchange(
    items: Sequence[VersionItem],
    preferred: Sequence[Sequence[CandidateQuestion]],
    picked: Sequence[Sequence[CandidateQuestion]],
) -> list[list[CandidateQuestion]]:
    """Let items that drew before another give it what it lacks, and draw something else."""
    sources = [[candidate.question for candidate in candidates] for candidates in preferred]
    sizes = {question: 1 for questions in sources for question in questions}
    allocation = DrawAllocation(sizes, sources)
    for place, candidates in enumerate(picked):
        for candidate in candidates:
            allocation.take(place, candidate.question)
    for place, item in enumerate(items):
        allocation.increase(place, item.draw - len(picked[place]))
    return [
        [candidate for candidate in candidates if drawn.get(candidate.question)]
        for candidates, drawn in zip(preferred, allocation.drawn, strict=True)
    ]


def _order(candidate: CandidateQuestion, seed: str, shuffle: bool) -> tuple[str, ...]:
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
