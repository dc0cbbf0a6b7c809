"""Showing options to a taker and reading what came back; neither has ever seen a key."""

from collections.abc import Mapping, Sequence

from grading.choice.structure import NONE_APPLY, ChoiceContent, ChoiceOption, load_content
from grading.contract import InvalidAnswer, PublicQuestion
from grading.json_types import Answer, Content, Json
from grading.lower_bound import build_public_bound
from grading.parsing import read_object

FIELDS = ("chosen", NONE_APPLY)


def shufflable_ids(content: Content) -> tuple[tuple[str, bool], ...]:
    """Return each id with whether it keeps its place: its own pin, or no shuffling at all."""
    question = load_content(content)
    return tuple((option.id, option.pinned or not question.shuffle) for option in question.options)


def public_view(kind: str, content: Content, order: Sequence[str], *, many: bool) -> PublicQuestion:
    """Return the ids in the order asked for, which names each of them once; else ValueError."""
    question = load_content(content)
    if sorted(order) != sorted(question.ids):
        raise ValueError("an order names every option once")
    parts: dict[str, Json] = {"options": list(order), NONE_APPLY: question.none_apply}
    return PublicQuestion(kind, {**parts, "many": many, **build_public_bound(content)})


def parse(content: Content, raw: Json, *, many: bool) -> Answer | InvalidAnswer | None:
    """Read `{"chosen": [ids], "none_apply": bool}`, either field optional, null for unanswered."""
    fields = read_object(raw, FIELDS)
    if not isinstance(fields, Mapping):
        return fields
    question = load_content(content)
    chosen = _chosen(question, fields.get("chosen", []))
    if isinstance(chosen, InvalidAnswer):
        return chosen
    return _answer(question, chosen, fields.get(NONE_APPLY, False), many=many)


def build_answer(chosen: Sequence[str], *, none_apply: bool) -> Answer:
    """Return the form of an answer that the journal stores."""
    return {"chosen": list(chosen), NONE_APPLY: none_apply}


def in_order(options: Sequence[ChoiceOption], chosen: set[str] | frozenset[str]) -> list[str]:
    """Return the chosen ids once each, in the author's order."""
    return [option.id for option in options if option.id in chosen]


def _chosen(question: ChoiceContent, listed: Json) -> list[str] | InvalidAnswer:
    if not isinstance(listed, list):
        return InvalidAnswer("not_a_list", {"where": "chosen"})
    ids, chosen = set(question.ids), set[str]()
    for position, id_ in enumerate(listed):
        if not isinstance(id_, str):
            return InvalidAnswer("not_an_option_id", {"where": f"chosen.{position}"})
        if id_ not in ids:
            return InvalidAnswer("unknown_option", {"where": f"chosen.{position}"})
        chosen.add(id_)
    return in_order(question.options, chosen)


def _answer(
    question: ChoiceContent, chosen: list[str], none_apply: Json, *, many: bool
) -> Answer | InvalidAnswer | None:
    if not isinstance(none_apply, bool):
        return InvalidAnswer("not_true_or_false", {"where": NONE_APPLY})
    if none_apply and not question.none_apply:
        return InvalidAnswer("none_apply_not_offered", {"where": NONE_APPLY})
    if none_apply and chosen:
        return InvalidAnswer("none_apply_with_options", {"where": NONE_APPLY})
    if len(chosen) > 1 and not many:
        return InvalidAnswer("too_many_chosen", {"where": "chosen", "maximum": 1})
    return build_answer(chosen, none_apply=none_apply) if chosen or none_apply else None
