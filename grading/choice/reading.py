"""Showing options to a taker and reading what came back; neither has ever seen a key."""

from collections.abc import Sequence

from grading.choice.structure import NONE_APPLY, Option, Structure, structure
from grading.contract import Answer, Content, Json, Presented, Unreadable

FIELDS = ("chosen", NONE_APPLY)


def orderable(content: Content) -> tuple[tuple[str, bool], ...]:
    """Give each id with whether it keeps its place: its own pin, or no shuffling at all."""
    found = structure(content)
    return tuple((option.id, option.pinned or not found.shuffle) for option in found.options)


def present(kind: str, content: Content, order: Sequence[str], *, many: bool) -> Presented:
    """Give the ids in the order asked for, which names each of them once; else ValueError."""
    found = structure(content)
    if sorted(order) != sorted(found.ids):
        raise ValueError("an order names every option once")
    return Presented(kind, {"options": list(order), NONE_APPLY: found.none_apply, "many": many})


def read(content: Content, raw: Json, *, many: bool) -> Answer | Unreadable | None:
    """Read `{"chosen": [ids], "none_apply": bool}`, either field optional, null for unanswered."""
    if raw is None:
        return None
    if not isinstance(raw, dict):
        return Unreadable("not_an_object", {"where": "answer"})
    if not raw.keys() <= set(FIELDS):
        return Unreadable("unknown_field", {"where": "answer"})
    found = structure(content)
    chosen = _chosen(found, raw.get("chosen", []))
    if isinstance(chosen, Unreadable):
        return chosen
    return _answer(found, chosen, raw.get(NONE_APPLY, False), many=many)


def canonical(chosen: Sequence[str], *, none_apply: bool) -> Answer:
    """Give the form of an answer that the journal stores."""
    return {"chosen": list(chosen), NONE_APPLY: none_apply}


def in_order(options: Sequence[Option], chosen: set[str] | frozenset[str]) -> list[str]:
    """Give the chosen ids once each, in the author's order."""
    return [option.id for option in options if option.id in chosen]


def _chosen(found: Structure, listed: Json) -> list[str] | Unreadable:
    if not isinstance(listed, list):
        return Unreadable("not_a_list", {"where": "chosen"})
    known, chosen = set(found.ids), set[str]()
    for position, id_ in enumerate(listed):
        if not isinstance(id_, str):
            return Unreadable("not_an_option_id", {"where": f"chosen.{position}"})
        if id_ not in known:
            return Unreadable("unknown_option", {"where": f"chosen.{position}"})
        chosen.add(id_)
    return in_order(found.options, chosen)


def _answer(
    found: Structure, chosen: list[str], none_apply: Json, *, many: bool
) -> Answer | Unreadable | None:
    if not isinstance(none_apply, bool):
        return Unreadable("not_true_or_false", {"where": NONE_APPLY})
    if none_apply and not found.none_apply:
        return Unreadable("none_apply_not_offered", {"where": NONE_APPLY})
    if none_apply and chosen:
        return Unreadable("none_apply_with_options", {"where": NONE_APPLY})
    if len(chosen) > 1 and not many:
        return Unreadable("too_many_chosen", {"where": "chosen", "maximum": 1})
    return canonical(chosen, none_apply=none_apply) if chosen or none_apply else None
