"""From a parcel's questions to items, once their options have ids. Pure."""

from collections.abc import Iterable, Mapping
from typing import Any

from grading.contract import Json
from quizzes.bank.item import Item
from quizzes.exchange.contract import ParcelOption, ParcelQuestion, Texts

TRUTH = {"true": True, "false": False}


def to_item(question: ParcelQuestion, ids: Mapping[str, str], source_language: str) -> Item:
    """Make the item; `ids` gives each option name its id."""
    languages = sorted({*question.prompt, *(lang for o in question.options for lang in o.text)})
    item = Item(
        kind=question.kind,
        scheme=question.scheme,
        source_language=source_language,
        content={
            "options": [_structure(option, ids, question.kind) for option in question.options],
            "none_apply": question.none_apply,
            "shuffle": question.shuffle,
        },
        key={"right": [ids[option.name] for option in question.options if option.right]},
        words={
            language: {
                "prompt": question.prompt.get(language, ""),
                "options": _of(language, ((ids[o.name], o.text) for o in question.options)),
            }
            for language in languages
        },
        feedback={
            language: {
                "explanation": question.explanation.get(language, ""),
                "options": _of(language, ((ids[o.name], o.feedback) for o in question.options)),
            }
            for language in languages
        },
    )
    made_from = item.source_digest()
    others = [language for language in languages if language != source_language]
    return Item.from_json({**item.to_json(), "translated_from": dict.fromkeys(others, made_from)})


def _structure(option: ParcelOption, ids: Mapping[str, str], kind: str) -> dict[str, Json]:
    structure: dict[str, Json] = {"id": ids[option.name], "pinned": option.pinned}
    if kind == "true_false" and option.name in TRUTH:
        structure["value"] = TRUTH[option.name]
    return structure


def _of(language: str, texts: Iterable[tuple[str, Texts]]) -> dict[str, Any]:
    return {id_: by_language.get(language, "") for id_, by_language in texts}
