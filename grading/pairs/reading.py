"""Showing both sides to a taker and reading pairs that came back; neither has ever seen a key."""

from collections.abc import Mapping, Sequence

from grading.contract import InvalidAnswer, PublicQuestion
from grading.json_types import Answer, Content, Json
from grading.pairs.structure import LEFTS, PAIRS, RIGHTS, Sides, sides


def orderable(content: Content) -> tuple[tuple[str, bool], ...]:
    """Return the id of each right with whether it keeps its place; lefts keep theirs always."""
    question = sides(content)
    return tuple((id_, not question.shuffle) for id_ in question.rights)


def present(kind: str, content: Content, order: Sequence[str]) -> PublicQuestion:
    """Return the lefts, and the rights in the order asked for: each once, else ValueError."""
    question = sides(content)
    if sorted(order) != sorted(question.rights):
        raise ValueError("an order names every right part once")
    return PublicQuestion(kind, {LEFTS: list(question.lefts), RIGHTS: list(order)})


def read(content: Content, raw: Json) -> Answer | InvalidAnswer | None:
    """Read `{"pairs": {left: right}}`; a left that is not named is not answered."""
    if raw is None:
        return None
    if not isinstance(raw, dict):
        return InvalidAnswer("not_an_object", {"where": "answer"})
    if not raw.keys() <= {PAIRS}:
        return InvalidAnswer("unknown_field", {"where": "answer"})
    pairs = raw.get(PAIRS, {})
    if not isinstance(pairs, dict):
        return InvalidAnswer("not_an_object", {"where": PAIRS})
    question = sides(content)
    return _unreadable(question, pairs) or canonical(question, pairs)


def canonical(question: Sides, pairs: Mapping[str, Json]) -> Answer | None:
    """Return the form of an answer that the journal stores: lefts in the author's order."""
    named: dict[str, Json] = {left: pairs[left] for left in question.lefts if left in pairs}
    return {PAIRS: named} if named else None


def _unreadable(question: Sides, pairs: Mapping[str, Json]) -> InvalidAnswer | None:
    lefts, rights = set(question.lefts), set(question.rights)
    for left, right in pairs.items():
        if left not in lefts:
            return InvalidAnswer("unknown_left", {"where": PAIRS})
        if not isinstance(right, str):
            return InvalidAnswer("not_an_id", {"where": f"{PAIRS}.{left}"})
        if right not in rights:
            return InvalidAnswer("unknown_right", {"where": f"{PAIRS}.{left}"})
    return None
