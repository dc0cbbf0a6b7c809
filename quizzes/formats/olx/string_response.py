"""The typed responses of Open edX: words, patterns, numbers with their tolerance and ranges."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from xml.etree.ElementTree import Element

from grading.numeric.exact import parse_exact
from quizzes.formats.builders import (
    Accepted,
    Head,
    Number,
    build_numeric,
    build_short_text,
    build_strict_comparison,
    escape_wildcards,
)
from quizzes.formats.builders.answer_settling import settle_credits, settle_texts
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.olx.olx_problem import OlxResponse
from quizzes.formats.parsing.numbers import format_number
from quizzes.formats.parsing.xhtml import read_text, render_inner

_RANGE = re.compile(r"\s*([\[(])([^,]+),([^,]+)([\])])\s*")
_HALF = Fraction(1, 2)
_DEFAULT_MARGIN = "0.001%"
"""How far off an answer may be where the file says nothing, as Open edX has it."""
_OR = "_or_"
"""Stands between the accepted answers of old files."""


def read_short_text(response: OlxResponse, head: Head) -> ParsedQuestion:
    """Read accepted words; case counts unless the type says `ci`."""
    node = response.node
    flags = node.get("type", "").lower().split()
    pattern = "regexp" in flags
    answers = list(_iterate_answers(node))
    if _OR in node.get("answer", ""):
        pattern, answers = False, [(text, node) for text in node.get("answer", "").split(_OR)]
    accepted = [
        Accepted(
            text if pattern else _escape(text),
            feedback=_read_hint(response, answer),
            pattern=pattern,
        )
        for text, answer in answers
        if text.strip()
    ]
    if pattern:
        response.note("pattern_elsewhere", node.get("answer", ""))
    for hint in node.findall("regexphint"):
        response.note("feedback_dropped", f"{hint.get('answer', '')}: {read_text(hint)}")
    accepted += [
        Accepted(_escape(text), Fraction(0), response.markdown(render_inner(hint)))
        for hint in node.findall("stringequalhint")
        if (text := hint.get("answer"))
    ]
    case = "ci" not in flags
    settled, _, notes = settle_texts(accepted, line=head.line, case=case)
    response.notes += notes
    return build_short_text(head, settled, **build_strict_comparison(case=case))


def read_numeric(response: OlxResponse, head: Head) -> ParsedQuestion:
    """Read accepted numbers; one that would have to be computed is left to a person."""
    numbers = list[Number]()
    margin = _read_margin(response.node)
    answers = [
        (text, _read_hint(response, answer), Fraction(1))
        for text, answer in _iterate_answers(response.node)
    ]
    answers += [(text, "", _HALF) for text in _read_partial_answers(response) if text.strip()]
    for text, feedback, credit in answers:
        number = _parse_number(response, text, margin)
        if number is None:
            response.note("number_unreadable", text)
        else:
            numbers.append(replace(number, credit=credit, feedback=feedback))
    settled, notes = settle_credits(numbers, line=head.line)
    response.notes += notes
    return build_numeric(head, settled)


def _iterate_answers(node: Element) -> Iterator[tuple[str, Element]]:
    """Yield the accepted answers, each with its element."""
    yield node.get("answer", ""), node
    for answer in node.findall("additional_answer"):
        yield answer.get("answer") or read_text(answer), answer


def _read_partial_answers(response: OlxResponse) -> list[str]:
    """Return the answers that earn a half; a credit for near answers becomes a note."""
    flags = re.split(r"[,\s]+", response.node.get("partial_credit", "").lower())
    if "close" in flags:
        response.note("partial_credit_left_out", "close")
    if "list" not in flags:
        return []
    params = response.node.findall("responseparam")
    return ",".join(param.get("partial_answers", "") for param in params).split(",")


def _read_margin(node: Element) -> str:
    for param in node.findall("responseparam"):
        if param.get("type", "").lower() == "tolerance":
            return param.get("default", "").strip()
    return node.get("tolerance", "").strip() or _DEFAULT_MARGIN


def _parse_number(response: OlxResponse, text: str, margin: str) -> Number | None:
    """Return `3.14` with its margin, `[1,5]` or `(1,5)`, whose open ends count here."""
    try:
        if match := _RANGE.fullmatch(text):
            if "(" in match[1] or ")" in match[4]:
                response.note("range_end_counts", text)
            low, high = sorted((match[2].strip(), match[3].strip()), key=parse_exact)
            return Number(low, "range", high)
        text = text.strip()
        parse_exact(text)
        tolerance = parse_exact(margin.removesuffix("%")) if margin else Fraction(0)
    except ValueError:
        return None
    if not tolerance:
        return Number(text)
    if margin.endswith("%"):
        return Number(text, "relative", format_number(tolerance / 100))
    return Number(text, "absolute", margin)


def _escape(text: str) -> str:
    """Return an accepted answer that means its words alone."""
    return escape_wildcards(text.strip())


def _read_hint(response: OlxResponse, node: Element) -> str:
    hint = node.find("correcthint")
    return "" if hint is None else response.markdown(render_inner(hint))
