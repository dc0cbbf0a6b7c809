"""A draft as its learners will see it, in each language, without and with the key."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from grading.kinds import KINDS
from quizzes.bank.admin.words import languages
from quizzes.bank.item import Item
from quizzes.bank.item import languages as languages_of
from quizzes.bank.selectors import prompt_gaps, rendered, spoken


@dataclass(frozen=True, slots=True)
class Shown:
    """A question in one language, in the shape that the templates of its kind read."""

    code: str
    name: str
    template: str
    question: Mapping[str, Any]
    explanation: str


def preview(item: Item, *, with_key: bool) -> tuple[Shown, ...]:
    """Render a draft, whatever is wrong with it; a kind that is not known shows its prompt."""
    shape = "review" if with_key else "ask"
    template = f"quizzes/kinds/{item.kind}/{shape}.html" if item.kind in KINDS else ""
    return tuple(
        Shown(
            code,
            languages(code)[code],
            template,
            _question(item, code, slot, with_key=with_key),
            spoken(code, item.feedback.get(code, {})).texts.get("explanation", "")
            if with_key
            else "",
        )
        for slot, code in enumerate(languages_of(item))
    )


def _question(item: Item, code: str, slot: int, *, with_key: bool) -> dict[str, Any]:
    words = rendered(code, item.words.get(code, {}), prompt_gaps(item.kind, item.content))
    said = spoken(code, item.feedback.get(code, {})).parts.get("options", {}) if with_key else {}
    options = [
        {
            "id": id_,
            "html": words.parts.get(id_, ""),
            "lang": code,
            "chosen": with_key and _is_right(item, id_),
            "right": _is_right(item, id_) if with_key else None,
            "feedback_html": said.get(id_, ""),
            "feedback_lang": code,
        }
        for id_ in item.option_ids()
    ]
    offered = bool(item.content.get("none_apply", False))
    return {
        "slot": slot,
        "number": 1,
        "lang": code,
        "kind": item.kind,
        "prompt_html": words.prompt,
        "options_html": _reviewed(options) if with_key else "",
        "form": {"options": options, "none_offered": offered, "none_chosen": False},
    }


def _reviewed(options: list[dict[str, Any]]) -> SafeString:
    rows = (render_to_string("partials/review_option.html", {"option": one}) for one in options)
    return mark_safe("".join(rows))  # noqa: S308  rendered by the template of the result page


def _is_right(item: Item, id_: str) -> bool:
    right = item.key.get("right")
    return isinstance(right, list) and id_ in right
