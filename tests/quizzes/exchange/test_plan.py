"""From a parcel's question to an item."""

from quizzes.exchange.contract import ParcelOption, ParcelQuestion
from quizzes.exchange.plan import to_item

TWO = {"en": "x", "es": "y"}


def question(**changes) -> ParcelQuestion:
    options = tuple(
        ParcelOption(name, right=name == "true", pinned=False, text=TWO, feedback=TWO)
        for name in ("true", "false")
    )
    whole = {
        "line": 1,
        "name": "q",
        "kind": "true_false",
        "scheme": "all_or_nothing",
        "tags": (),
        "shuffle": False,
        "none_apply": False,
        "prompt": TWO,
        "explanation": TWO,
        "options": options,
    }
    return ParcelQuestion(**{**whole, **changes})


def test_the_item_speaks_of_options_by_their_ids():
    item = to_item(question(), {"true": "T", "false": "F"}, "en")
    assert item.content["options"] == [
        {"id": "T", "pinned": False, "value": True},
        {"id": "F", "pinned": False, "value": False},
    ]
    assert item.key == {"right": ["T"]}
    assert item.words["es"] == {"prompt": "y", "options": {"T": "y", "F": "y"}}


def test_a_translation_that_comes_with_its_source_is_not_stale():
    item = to_item(question(), {"true": "T", "false": "F"}, "en")
    assert not item.is_stale("es")
    assert item.translated_from == {"es": item.source_digest()}


def test_only_true_or_false_gives_options_a_value():
    item = to_item(question(kind="single_choice"), {"true": "T", "false": "F"}, "en")
    assert item.content["options"] == [{"id": "T", "pinned": False}, {"id": "F", "pinned": False}]
