"""Pairs: beside each part on the left a list to choose its right part from."""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict
from django.utils.safestring import SafeString

from grading.contract import LedgerLine
from grading.json_types import Json
from grading.kinds import KINDS
from quizzes.bank.selectors import PublicVersion
from quizzes.presentation import fragments, ledger_messages
from quizzes.presentation.excerpts import excerpt, quote
from quizzes.presentation.formatting import format_signed_fraction
from quizzes.presentation.view_models import AnswerRow, Fragment, ReviewContent
from quizzes.results.attempt_report import QuestionReport

shows_scoring_hint = True
renders_prompt = False

interpretation = ledger_messages.no_interpretation
ledger_rows = ledger_messages.ledger_rows

BRIEF = 48
"""Characters that a list to choose from shows whole, on a phone too."""


def template_context(public_version: PublicVersion, language: str) -> dict[str, Any]:
    """Return lefts and rights; `lettered`: a list of rights stands above, and choices name letters.

    The choices are plain text: where a right is more than that, its letter stands for it.
    """
    kind = KINDS[public_version.kind]
    ids = [id_ for id_, _ in kind.shufflable_ids(public_version.content)]
    parts = kind.public_view(public_version.content, ids).parts
    texts = public_version.words(language).parts
    rights = [_build_right(id_, texts.get(id_, "")) for id_ in ids]
    return {
        "lettered": not all(_is_short_text(texts.get(id_, "")) for id_ in ids),
        "rights": rights,
        "ends": fragments.END_RUN,
        "lefts": [_build_left(left, texts.get(left, ""), rights) for left in _ids(parts["lefts"])],
    }


def _ids(listed: Json) -> list[str]:
    return [id_ for id_ in listed if isinstance(id_, str)] if isinstance(listed, list) else []


def _build_right(id_: str, html: str) -> dict[str, str]:
    return {
        "id": id_,
        "begins": fragments.shuffle_item(id_),
        "letter": fragments.placeholder(f"letter:{id_}"),
        "html": html,
        "excerpt": excerpt(html),
    }


def _build_left(id_: str, html: str, rights: list[dict[str, str]]) -> dict[str, Any]:
    choices = [
        right | {"selected": fragments.placeholder(f"selected:{id_}:{right['id']}")}
        for right in rights
    ]
    return {"id": id_, "html": html, "choices": choices}


def _is_short_text(html: str) -> bool:
    """Return whether a text is short, and its characters are all there is to it."""
    return "<" not in html and len(excerpt(html)) <= BRIEF


def placeholder_values(answer: Mapping[str, Any] | None) -> dict[str, str]:
    """Return which choice of each left is selected."""
    pairs = answer["pairs"] if answer else {}
    return {f"selected:{left}:{right}": "selected" for left, right in pairs.items()}


def parse_form(posted: QueryDict, slot: int) -> Json:
    """Return what was chosen for each left; a blank choice is none."""
    begins = f"q-{slot}-pairs-"
    pairs: dict[str, Json] = {
        name.removeprefix(begins): str(posted[name])
        for name in posted
        if name.startswith(begins) and posted[name]
    }
    return {"pairs": pairs} if pairs else None


def answer_text(public_version: PublicVersion, answer: Mapping[str, Any], language: str) -> str:
    """Return each pair."""
    texts = public_version.words(language).parts
    return "; ".join(
        f"{quote(excerpt(texts[left]))} → {quote(excerpt(texts[right]))}"
        for left, right in answer["pairs"].items()
    )


def build_review(item: QuestionReport, language: str) -> ReviewContent:
    """Return each left with what it was paired with, and its right as far as revealed."""
    texts = item.public_version.words(language)
    lines = {line.part: line for line in item.ledger}
    lefts = (
        KINDS["matching"]
        .public_view(item.public_version.content, item.manifest_slot.order)
        .parts["lefts"]
    )
    rows = [
        _build_row(item, lines.get(left), left, texts.parts, texts.language) for left in _ids(lefts)
    ]
    return ReviewContent(
        {"rows": [Fragment("quizzes/kinds/matching/pair.html", row) for row in rows]}
    )


def _build_row(
    item: QuestionReport, line: LedgerLine | None, left: str, texts: Mapping[str, str], lang: str
) -> AnswerRow:
    chosen = item.answer["pairs"].get(left) if item.answer else None
    right = item.solution["pairs"][left] if item.solution else None
    state = _pair_state(line, chosen, right)
    return AnswerRow(
        label=_part_html(texts, left),
        answer=_part_html(texts, chosen),
        lang=lang,
        state=state,
        expected=_part_html(texts, right) if right and state != "right" else None,
        feedback_html=ledger_messages.safe_html(item.feedback.get(left)),
        feedback_lang=item.feedback_language,
        earned=format_signed_fraction(line.earned) if line and line.earned else None,
    )


def _pair_state(line: LedgerLine | None, chosen: str | None, right: str | None) -> str:
    """Return whether a pair is right, from the key or from the ledger, whichever may be shown."""
    if chosen is None:
        return ""
    if right is not None:
        return "right" if chosen == right else "wrong"
    if line is None or line.right is None:
        return ""
    return "right" if line.right else "wrong"


def _part_html(texts: Mapping[str, str], id_: str | None) -> SafeString | str:
    return ledger_messages.safe_html(texts.get(id_)) or "" if id_ else ""
