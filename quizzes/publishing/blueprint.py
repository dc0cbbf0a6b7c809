"""From an edition to one learner's paper: which questions, in which order. Pure and replayable."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from fractions import Fraction

from grading.contract import Json
from grading.kinds import KINDS
from grading.shuffle import order, shuffled


@dataclass(frozen=True, slots=True)
class Choice:
    """A question version that may be drawn. `question` is its identity over all versions."""

    version: str
    question: str
    kind: str
    scoring_method: str
    content: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Place:
    """Draw `draw` of the choices, each worth `points`."""

    section: int
    draw: int
    points: Fraction
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """One question of one learner's paper, with the order of its parts."""

    choice: Choice
    section: int
    points: Fraction
    order: tuple[str, ...]


def draw(
    places: Sequence[Place],
    *,
    seed: str,
    seen: AbstractSet[str] = frozenset(),
    shuffle_questions: bool = False,
    shuffle_options: bool = True,
) -> tuple[Drawn, ...]:
    """Draw a paper: unseen questions first, none twice; sections keep their order.

    `seen` are identities of questions the learner has met before. The same arguments give the
    same paper, always.
    """
    # What stands fixed anywhere is promised: a pool that comes before must not take it.
    promised = {c.question for place in places if _is_fixed(place) for c in place.choices}
    drawn_questions: set[str] = set()
    drawn: list[Drawn] = []
    for number, place in enumerate(places):
        for choice in _pick(place, f"{seed}/place/{number}", seen, drawn_questions | promised):
            drawn_questions.add(choice.question)
            drawn.append(
                Drawn(choice, place.section, place.points, _order(choice, seed, shuffle_options))
            )
    return _arrange(drawn, seed) if shuffle_questions else tuple(drawn)


def _is_fixed(place: Place) -> bool:
    """Return whether there is nothing to draw: the place gets all that it names."""
    return len(place.choices) == place.draw


def _pick(place: Place, seed: str, seen: AbstractSet[str], gone: AbstractSet[str]) -> list[Choice]:
    if _is_fixed(place):
        return list(place.choices)  # in the author's order
    free = {choice.version: choice for choice in place.choices if choice.question not in gone}
    mixed = [free[version] for version in shuffled(tuple(free), seed)]
    mixed.sort(key=lambda choice: choice.question in seen)
    return mixed[: place.draw]


def _order(choice: Choice, seed: str, shuffle: bool) -> tuple[str, ...]:
    parts = KINDS[choice.kind].orderable(choice.content)
    if not shuffle:
        return tuple(part for part, _ in parts)
    return order(parts, f"{seed}/options/{choice.question}")


def _arrange(drawn: Sequence[Drawn], seed: str) -> tuple[Drawn, ...]:
    by_version = {question.choice.version: question for question in drawn}
    mixed = [by_version[version] for version in shuffled(tuple(by_version), f"{seed}/questions")]
    return tuple(sorted(mixed, key=lambda question: question.section))
