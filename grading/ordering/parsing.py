"""Showing items to a taker and reading an order that came back; neither has ever seen a key."""

from collections.abc import Mapping, Sequence

from grading.contract import InvalidAnswer, PublicQuestion
from grading.json_types import Answer, Content, Json
from grading.lower_bound import build_public_bound
from grading.ordering.structure import ITEMS, ORDER, load_items
from grading.parsing import read_object

PLACES = "places"


def shufflable_ids(content: Content) -> tuple[tuple[str, bool], ...]:
    """Return the id of each item; none keeps its place, for its place is what is asked."""
    return tuple((id_, False) for id_ in load_items(content))


def public_view(kind: str, content: Content, order: Sequence[str]) -> PublicQuestion:
    """Return the items in the order asked for, which names each of them once; else ValueError."""
    if tuple(sorted(order)) != load_items(content):
        raise ValueError("an order names every item once")
    return PublicQuestion(kind, {ITEMS: list(order), **build_public_bound(content)})


def parse(content: Content, raw: Json) -> Answer | InvalidAnswer | None:
    """Read `{"order": [ids]}`, all of them; or `{"places": {id: 1…n}}`, as a form has it."""
    fields = read_object(raw, {ORDER, PLACES})
    if not isinstance(fields, Mapping):
        return fields
    if len(fields) > 1:
        return InvalidAnswer("unknown_field", {"where": "answer"})
    ids = load_items(content)
    if PLACES in fields:
        return _by_places(ids, fields[PLACES])
    return _by_order(ids, fields.get(ORDER, []))


def _by_order(ids: tuple[str, ...], listed: Json) -> Answer | InvalidAnswer | None:
    if not isinstance(listed, list):
        return InvalidAnswer("not_a_list", {"where": ORDER})
    item_ids, named = set(ids), set[str]()
    for position, id_ in enumerate(listed):
        code = _id_error(id_, item_ids, named)
        if code:
            return InvalidAnswer(code, {"where": f"{ORDER}.{position}"})
        named.add(str(id_))
    if listed and len(named) < len(ids):
        return InvalidAnswer("order_incomplete", {"where": ORDER})
    return {ORDER: list(listed)} if listed else None


def _id_error(id_: Json, item_ids: set[str], named: set[str]) -> str:
    if not isinstance(id_, str):
        return "not_an_id"
    if id_ not in item_ids:
        return "unknown_item"
    return "item_twice" if id_ in named else ""


def _by_places(ids: tuple[str, ...], places: Json) -> Answer | InvalidAnswer | None:
    if not isinstance(places, dict):
        return InvalidAnswer("not_an_object", {"where": PLACES})
    item_ids, at = set(ids), dict[int, str]()
    for id_, place in places.items():
        if id_ not in item_ids:
            return InvalidAnswer("unknown_item", {"where": PLACES})
        if type(place) is not int or not 1 <= place <= len(ids):
            return InvalidAnswer("not_a_place", {"where": f"{PLACES}.{id_}"})
        if place in at:
            return InvalidAnswer("same_place", {"where": f"{PLACES}.{id_}"})
        at[place] = id_
    return _by_order(ids, [at[place] for place in sorted(at)])


def build_answer(order: Sequence[str]) -> Answer:
    """Return the form of an answer that the journal stores."""
    return {ORDER: list(order)}
