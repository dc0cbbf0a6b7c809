"""Questions that are answered in words and numbers."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from grading.json_types import ratio_to_json
from grading.numeric.numerals import find_readings
from quizzes.formats import builders
from quizzes.formats.builders import Accepted, Head, Number
from quizzes.formats.builders.answer_settling import (
    ANY_NUMBER,
    ANYTHING,
    settle_numbers,
    settle_texts,
)
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.moodle.question_element import QuestionElement, read_raw
from quizzes.formats.parsing.numbers import write_decimal
from quizzes.formats.parsing.percentages import find_simple_fraction, parse_decimal
from quizzes.formats.parsing.xml import XmlNode

_BACKSLASH = re.compile(r"\\(?!\*)")
_NO_UNITS_SHOWN = "3"


def read_short_answer(question: QuestionElement, head: Head) -> ParsedQuestion:
    """Read the accepted answers; feedback on anything else is `otherwise`."""
    case = question.read_flag("usecase", default=False)
    accepted, otherwise, notes = settle_texts(
        (
            Accepted(
                escape_backslashes(builders.join_lines(read_raw(answer))),
                question.read_credit(answer),
                question.read_feedback(answer),
                line=answer.line,
            )
            for answer in question.find_all("answer")
        ),
        line=head.line,
        case=case,
    )
    bound, bound_notes = builders.settle_typed_bound(accepted, line=head.line)
    question.notes += [*notes, *bound_notes]
    head = replace(head, other_texts={"otherwise": otherwise})
    comparison = builders.build_strict_comparison(case=case)
    return builders.build_short_text(head, accepted, **comparison, **bound)


def escape_backslashes(text: str) -> str:
    r"""Return an answer as ours: there a backslash is itself, but for `\*`; here `\\` is one."""
    return _BACKSLASH.sub(r"\\\\", text)


def read_numerical(question: QuestionElement, head: Head) -> ParsedQuestion:
    """Read the accepted numbers with their tolerances and units."""
    numbers = list[Number]()
    for answer in question.find_all("answer"):
        text, credit = read_raw(answer).strip(), question.read_credit(answer)
        feedback = question.read_feedback(answer)
        if not text:
            question.note("answer_empty", answer)
        elif text == ANYTHING:
            numbers.append(replace(ANY_NUMBER, credit=credit, feedback=feedback, line=answer.line))
        else:
            margin = read_raw(answer.find("tolerance")).strip()
            if number := read_number(question, answer, text, margin):
                numbers.append(replace(number, credit=credit, feedback=feedback))
    numbers, otherwise, notes = settle_numbers(numbers, line=head.line)
    bound, bound_notes = builders.settle_typed_bound(numbers, line=head.line)
    question.notes += [*notes, *bound_notes]
    units = dict(_read_units(question))
    has_units = units and question.read_value("showunits", "0") != _NO_UNITS_SHOWN
    head = replace(head, other_texts={"otherwise": otherwise})
    if not has_units:
        return builders.build_numeric(head, numbers, bound=bound)
    if question.read_value("unitgradingtype", "0") == "0":
        return builders.build_numeric(head, numbers, unit="optional", units=units, bound=bound)
    parsed = builders.build_numeric(head, numbers, unit="required", units=units, bound=bound)
    penalty = parse_decimal(question.read_value("unitpenalty", "0.1"))
    if penalty is None or not 0 <= penalty <= 1:
        question.note("penalty_unreadable", None, question.read_value("unitpenalty"))
        return parsed
    credit_without_unit = ratio_to_json(find_simple_fraction(1 - penalty, Fraction(1, 10**6)))
    return replace(parsed, fields={**parsed.fields, "unit_credit": credit_without_unit})


def read_number(
    question: QuestionElement, node: XmlNode, text: str, margin_text: str
) -> Number | None:
    """Return an accepted number, exactly as written; None, with a note, where it is none."""
    number, margin = _parse_decimal(text), _parse_decimal(margin_text or "0")
    if number is None or margin is None:
        question.note("number_unreadable", node, text if number is None else margin_text)
        return None
    if not Fraction(margin):
        return Number(number, line=node.line)
    return Number(number, "absolute", margin.removeprefix("-"), line=node.line)


def _parse_decimal(text: str) -> str | None:
    """Return a number as our authors write it; None of `1,234`, which can be two numbers."""
    text = text.replace("\N{MINUS SIGN}", "-").replace(" ", "")
    if text.count(",") == 1 and "." not in text:
        return None if find_readings(text) else write_decimal(text.replace(",", "."))
    return write_decimal(text)


def _read_units(question: QuestionElement) -> Iterator[tuple[str, str]]:
    """Yield each unit with its factor: there a number is multiplied by it, here divided."""
    for units in question.find_all("units"):
        for unit in units:
            symbol = read_raw(unit.find("unit_name")).strip()
            multiplier = _parse_decimal(read_raw(unit.find("multiplier")).strip() or "1")
            if not symbol or multiplier is None or not Fraction(multiplier) > 0:
                question.note("unit_unreadable", None, symbol)
            else:
                yield symbol, str(1 / Fraction(multiplier))


def read_essay(question: QuestionElement, head: Head) -> ParsedQuestion:
    """Read an essay; notes for its graders and a text to begin with are left out."""
    for name, code in (
        ("graderinfo", "notes_for_markers_left_out"),
        ("responsetemplate", "template_left_out"),
    ):
        if text := question.read_value(name):
            question.note(code, None, text)
    attachments = question.read_value("attachmentsrequired", "0")
    if attachments != "0" or question.read_value("responseformat") == "noinline":
        question.note("files_asked_for")
    minimum, maximum = (_read_count(question, name) for name in ("minwordlimit", "maxwordlimit"))
    return builders.build_essay(head, minimum=minimum, maximum=maximum)


def _read_count(question: QuestionElement, name: str) -> int | None:
    text = question.read_value(name)
    return int(text) if re.fullmatch(r"\d{1,6}", text, re.ASCII) and int(text) else None
