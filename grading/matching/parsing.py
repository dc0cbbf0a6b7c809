"""Showing both sides to a taker and reading pairs that came back; neither has ever seen a key."""

from collections.abc import Mapping, Sequence

from grading.contract import InvalidAnswer, PublicQuestion
from grading.json_types import Answer, Content, Json
from grading.lower_bound import build_public_bound
from grading.matching.structure import LEFTS, PAIRS, RIGHTS, Sides, load_content
from grading.parsing import read_object


def shufflable_ids(content: Content) -> tuple[tuple[str, bool], ...]:
    """Return the id of each right with whether it keeps its place; lefts keep theirs always."""
    question = load_content(content)
    return tuple((id_, not question.shuffle) for id_ in question.rights)


def public_view(kind: str, content: Content, order: Sequence[str]) -> PublicQuestion:
    """Return the lefts, and the rights in the order asked for: each once, else ValueError."""
    question = load_content(content)
    if sorted(order) != sorted(question.rights):
        raise ValueError("an order names every right part once")
    parts = {LEFTS: list(question.lefts), RIGHTS: list(order)}
    return PublicQuestion(kind, parts | build_public_bound(content))


def parse(content: Content, raw: Json) -> Answer | InvalidAnswer | None:
    """Read `{"pairs": {left: right}}`; a left that is not named is not answered."""
    fields = read_object(raw, {PAIRS})
    if not isinstance(fields, Mapping):
        return fields
    pairs = fields.get(PAIRS, {})
    if not isinstance(pairs, dict):
        return InvalidAnswer("not_an_object", {"where": PAIRS})
    question = load_content(content)
    return _unreadable(question, pairs) or build_answer(question, pairs)


def build_answer(question: Sides, pairs: Mapping[str, Json]) -> Answer | None:
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
