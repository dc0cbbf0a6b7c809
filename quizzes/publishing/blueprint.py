"""From a quiz version to one attempt: which questions, in which order. Pure and replayable."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction

from grading.json_types import Json
from grading.kinds import KINDS
from grading.shuffle import shuffle_ids, shuffle_unpinned

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
    # What stands fixed anywhere is promised: a pool that comes before must not take it.
    promised = {c.question for item in items if _is_fixed(item) for c in item.candidates}
    drawn_questions: set[str] = set()
    drawn: list[SelectedQuestion] = []
    for number, item in enumerate(items):
        for candidate in _pick(item, f"{seed}/place/{number}", seen, drawn_questions | promised):
            drawn_questions.add(candidate.question)
            drawn.append(
                SelectedQuestion(
                    candidate, item.section, item.points, _order(candidate, seed, shuffle_options)
                )
            )
    return _arrange(drawn, seed) if shuffle_questions else tuple(drawn)


def _is_fixed(item: VersionItem) -> bool:
    """Return whether there is nothing to draw: the item gets all that it names."""
    return len(item.candidates) == item.draw


def _pick(
    item: VersionItem, seed: str, seen: AbstractSet[str], gone: AbstractSet[str]
) -> list[CandidateQuestion]:
    if _is_fixed(item):
        return list(item.candidates)  # in the author's order
    free = {
        candidate.version: candidate
        for candidate in item.candidates
        if candidate.question not in gone
    }
    mixed = [free[version] for version in shuffle_ids(tuple(free), seed)]
    mixed.sort(key=lambda candidate: candidate.question in seen)
    return mixed[: item.draw]


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
