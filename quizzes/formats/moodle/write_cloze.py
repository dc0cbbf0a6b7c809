"""Writing texts with gaps, each where it stands: `{2:SHORTANSWER:=right#said}`."""

import re

from quizzes.formats.contract import ParsedRow
from quizzes.formats.moodle.item_writer import Page, percent
from quizzes.formats.moodle.write_text_entry import folding, number, wanted

_SPECIAL = re.compile(r"[}#~/\"\\]")


def cloze(page: Page) -> None:
    """Write the text with its gaps; there each gap is paid for itself."""
    page.note_scoring_method("per_gap")
    text = page.text("prompt")
    for gap in page.rows("gaps"):
        text = text.replace(f"[[{gap.values.get('placeholder')}]]", _gap(page, gap))
    page.markdown("questiontext", text)
    if page.rows("accepted"):
        folding(page)
    page.warn_of_texts("score_feedback_left_out", ("score_feedback", "score_feedback"))


def _gap(page: Page, gap: ParsedRow) -> str:
    kind = gap.values.get("kind")
    if kind == "single_choice":
        type_, answers = "MULTICHOICE", [_option(page, row) for row in _of(page, "options", gap)]
    elif kind == "numeric":
        type_, answers = "NUMERICAL", [_number(page, row) for row in _of(page, "numbers", gap)]
    else:
        type_ = "SHORTANSWER_C" if page.field("case") else "SHORTANSWER"
        texts = (_accepted(page, row) for row in _of(page, "accepted", gap))
        answers = [one for one in texts if one]
    return f"{{{gap.values.get('points', 1)}:{type_}:{'~'.join(answers)}}}"


def _of(page: Page, table: str, gap: ParsedRow) -> list[ParsedRow]:
    return [row for row in page.rows(table) if row.values.get("gap") == gap.name]


def _option(page: Page, row: ParsedRow) -> str:
    earned = "=" if row.values.get("right") else "%0%"
    return earned + _answer(page.row(row, "options"), page.row(row, "options", told=True))


def _accepted(page: Page, row: ParsedRow) -> str:
    text = wanted(page, row)
    if text is None:
        return ""
    return _earned(page, row) + _answer(text, page.row(row, "accepted", told=True))


def _number(page: Page, row: ParsedRow) -> str:
    value, margin = number(page, row)
    return _earned(page, row) + _answer(f"{value}:{margin}", page.row(row, "numbers", told=True))


def _earned(page: Page, row: ParsedRow) -> str:
    credit = page.credit(row, "credit")
    return "=" if credit == 1 else f"%{percent(credit)}%"


def _answer(text: str, feedback: str) -> str:
    feedback_part = f"#{_escaped(feedback)}" if feedback else ""
    return _escaped(text) + feedback_part


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)
