"""Accepted words that nobody will type, and numbers that nobody measures so exactly."""

import re
from collections import defaultdict
from collections.abc import Iterator

from grading.schema import QuestionRow, Table
from grading.short_text.folding import (
    COUNTED,
    Folding,
    fold,
    simplify_signs,
    strip_beginning,
    strip_end,
)
from grading.short_text.schema import read_comparison
from grading.short_text.structure import parse_folding
from grading.short_text.wildcard import fold_key
from quizzes.bank.lint.findings import Finding, FindingDetail
from quizzes.bank.lint.question_view import QuestionView

MANY_WORDS = 8
MIN_MEASURED_DIGITS = 3
"""So many digits, one of them after the point, look like something measured."""

_FORMULA = re.compile(r"\$+(.+?)\$+")
_MARKS = re.compile(
    r"`|</?(?:b|i|u|em|strong|p|br|span|sub|sup|code|tt|div|font)\b[^<>]*>"
    r"|&(?:nbsp|amp|lt|gt|quot|#\d+);"
)
_SEVERAL = re.compile(r"\w\s*\|\s*\w|\w\s+/\s+\w|\w;\s+\w")
_WORD = r"\w[\w'’-]*"
_SENTENCE = re.compile(rf"[¡¿].*|(?:{_WORD}\.)+|{_WORD}(?:[,;:]?\s+{_WORD})+[.!?…]?", re.DOTALL)
"""Words, abbreviations and sentences: that nobody need type their full stop is what is wanted."""
_CODE = re.compile(
    r"[!=<>]=|&&|\|\||->|=>|::|\+\+|\w\((?!s\))|[{}\[\]]|[A-Za-z0-9]_[A-Za-z0-9]|^!\w"
    r"|\$[A-Za-z_]|\b[a-z]{2,}[A-Z][a-z]"
)
"""Operators, calls, brackets, and names with an underline or with capitals within."""
_DECIMAL = re.compile(r"[+-]?0*+(\d*)\.(\d+)(e[+-]?\d+)?", re.IGNORECASE)


def check_accepted_answers(view: QuestionView) -> Iterator[Finding]:
    """Name them, row by row."""
    foldings = _load_foldings(view)
    for table, row in view.rows_with("pattern"):
        if row.values.get("pattern") is not True:
            yield from _check_text(view, foldings[str(row.values.get("gap"))], table, row)
    for table, row in view.rows_with("tolerance"):
        if _is_measured(view, row):
            yield Finding(
                "exact_measure", path=f"{table.name}.{row.id}", figures=_value_detail(row)
            )


def _load_foldings(view: QuestionView) -> defaultdict[str, Folding]:
    """Return how answers are compared, by the ids of gaps; elsewhere as the question says."""
    gaps = view.question_data.tables.get("gaps", ())
    by_gap = {gap.id: parse_folding(read_comparison(gap.values))[0] for gap in gaps}
    return defaultdict(lambda: parse_folding(view.document.content)[0], by_gap)


def _check_text(
    view: QuestionView, folding: Folding, table: Table, row: QuestionRow
) -> Iterator[Finding]:
    text, path = str(row.values.get("text") or ""), f"{table.name}.{row.id}"
    words = _MARKS.sub("", _FORMULA.sub(r"\1", text))
    if words != text and not _is_accepted(view, folding, row, words):
        yield Finding("needs_markup", path=path, figures={"text": text})
    elif _SEVERAL.search(text):
        yield Finding("several_answers", path=path, figures={"text": text})
    elif signs := _find_ignored_signs(text, folding):
        figures = {"text": text, "signs": " ".join(signs), "bare": _strip_signs(text, folding)}
        yield Finding("signs_ignored", path=path, figures=figures)
    elif signs := _find_typographic_signs(view, folding, row):
        figures = {"text": text, "signs": signs, "plain": simplify_signs(text)}
        yield Finding("typographic_signs", path=path, figures=figures)
    elif _CODE.search(text) and not folding.case and folding.spaces != COUNTED:
        yield Finding("looks_like_code", path=path, figures={"text": text})
    elif len(text.split()) >= MANY_WORDS and "*" not in text:
        yield Finding("long_answer", path=path, figures={"n": len(text.split())})


def _find_ignored_signs(text: str, folding: Folding) -> str:
    """Return the signs around an answer that its comparison ignores, unless it is a sentence."""
    bare = _strip_signs(text, folding)
    if not bare or _SENTENCE.fullmatch(text):
        return ""
    begins, _, ends = text.strip().partition(bare)
    return "".join((begins + ends).split())


def _find_typographic_signs(view: QuestionView, folding: Folding, row: QuestionRow) -> str:
    """Return the signs of an answer that keyboards lack, where the plain ones are refused."""
    text = str(row.values.get("text") or "")
    signs = dict.fromkeys(sign for sign in text if simplify_signs(sign) != sign)
    is_strict = folding.typography and not _is_accepted(view, folding, row, simplify_signs(text))
    return " ".join(signs) if is_strict else ""


def _strip_signs(text: str, folding: Folding) -> str:
    """Return an answer without the punctuation around it that does not count."""
    return strip_end(strip_beginning(text.strip(), folding), folding)


def _is_accepted(view: QuestionView, folding: Folding, row: QuestionRow, words: str) -> bool:
    """Return whether a row, or another of the same gap, takes the words alone."""
    gap = row.values.get("gap")
    rows = (other for _, other in view.rows_with("pattern") if other.values.get("gap") == gap)
    texts = (str(other.values.get("text") or "") for other in rows)
    return fold(words, folding) in {fold_key(text, folding) for text in texts}


def _is_measured(view: QuestionView, row: QuestionRow) -> bool:
    """Return whether a number is taken to its last digit though it has many, or a unit."""
    decimal = _DECIMAL.fullmatch(str(row.values.get("value") or "").strip())
    exactly = row.values.get("tolerance") == "exact" or row.values.get("margin") in {"0", "0.0"}
    if decimal is None or not exactly:
        return False
    digits = (decimal[1] + decimal[2]).lstrip("0")
    return (
        bool(decimal[3])
        or len(digits) >= MIN_MEASURED_DIGITS
        or bool(view.question_data.tables.get("units"))
    )


def _value_detail(row: QuestionRow) -> FindingDetail:
    return {"value": str(row.values.get("value"))}
