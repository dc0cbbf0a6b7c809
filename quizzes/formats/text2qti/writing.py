"""Questions as text2qti Markdown, and what it cannot hold. Pure."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import chain

from quizzes.formats.contract import ExportWarning, ParsedQuestion
from quizzes.formats.parsing.naming import letters
from quizzes.formats.parsing.numbers import written as decimal
from quizzes.formats.parsing.taking import Taking, find_refusal

_SCORING_METHODS = ("all_or_nothing", "right_minus_wrong", "accepted_answers", "rubric")
_BANDS = {Fraction(1): "+", Fraction(0): "-"}


def written(
    question: ParsedQuestion, language: str, points: Fraction | None
) -> tuple[str, str, tuple[ExportWarning, ...]]:
    """Write one question: its head, its text after the number, losses; "" if it cannot be held."""
    if refusal := find_refusal(question, _KINDS, language):
        return "", "", refusal
    answers = _KINDS[question.kind]
    if question.kind == "numeric" and not question.tables.get("numbers"):
        return (
            "",
            "",
            (ExportWarning(question.name, "key_missing"),),
        )  # a draft; "=" alone is an error there
    taking = Taking(question, language)
    worth = f"Points: {decimal(points)}\n" if points is not None else ""
    lines = [_text(taking.text("prompt"))]
    if told := taking.text("explanation", told=True):
        lines.append(f"... {_text(told)}")
    lines += chain(_bands(taking), answers(taking))
    if question.kind in {"single_choice", "multiple_choice"} and not taking.value("shuffle"):
        taking.lose("shuffle_left_out")
    return (
        f"Title: {question.name}\n{worth}",
        "\n".join(lines) + "\n",
        taking.losses(*_SCORING_METHODS),
    )


def _text(text: str) -> str:
    """Indent all lines but the first."""
    return "\n".join(
        f"    {line}" if n and line else line for n, line in enumerate(text.split("\n"))
    )


def _bands(taking: Taking) -> Iterator[str]:
    for row in taking.rows("bands"):
        sign = _BANDS.get(taking.ratio("from", row))
        told = taking.text("bands", told=True, row=row)
        if sign:
            yield f"{sign}   {_text(told)}"
        else:
            taking.lose("bands_left_out")


def _options(taking: Taking) -> Iterator[str]:
    many = taking.question.kind == "multiple_choice"
    for row, letter in zip(taking.rows("options"), letters(), strict=False):
        right = taking.value("right", row) is True
        text = _text(taking.text("options", row=row))
        if many:
            yield f"[{'*' if right else ' '}] {text}"
        else:
            yield f"{'*' if right else ''}{letter[0]}) {text}"
        if told := taking.text("options", told=True, row=row):
            yield f"... {_text(told)}"


def _accepted(taking: Taking) -> Iterator[str]:
    for row in taking.rows("accepted"):
        if taking.value("pattern", row) is True:
            taking.lose("pattern_left_out")
        elif taking.ratio("credit", row) != 1:
            taking.lose("share_not_offered")
        else:
            yield f"*   {taking.value('text', row)}"


def _numbers(taking: Taking) -> Iterator[str]:
    first, *others = taking.rows("numbers")
    if others:
        taking.lose("rows_left_out", part="numbers")
    value, margin = taking.value("value", first), taking.value("margin", first)
    match taking.value("tolerance", first):
        case "range":
            yield f"=   [{value}, {margin}]"
        case "absolute":
            yield f"=   {value} +- {margin}"
        case "relative" | "digits":
            taking.lose("setting_left_out", part="tolerance")
            yield f"=   {value} +- 0"
        case _:
            yield f"=   {value} +- 0"


def _essay(_taking: Taking) -> Iterator[str]:
    yield "____"


_KINDS: Mapping[str, Callable[[Taking], Iterator[str]]] = {
    "single_choice": _options,
    "multiple_choice": _options,
    "true_false": _options,
    "short_text": _accepted,
    "numeric": _numbers,
    "essay": _essay,
}
