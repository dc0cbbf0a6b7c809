"""The typed responses of Open edX: words, patterns, numbers with their tolerance and ranges."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from xml.etree.ElementTree import Element

from grading.numeric.exact import parse_exact
from quizzes.formats import builders
from quizzes.formats.builders import Accepted, Head, Number
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.olx.problem import Problem
from quizzes.formats.parsing.numbers import written
from quizzes.formats.parsing.xhtml import read_text, render_inner
from quizzes.formats.parsing.xml import XmlNode

_RANGE = re.compile(r"\s*([\[(])([^,]+),([^,]+)([\])])\s*")
_HALF = Fraction(1, 2)


def short(node: XmlNode, problem: Problem, head: Head) -> ParsedQuestion:
    """Read accepted words; capitals count there unless the type says `ci`."""
    flags = node.get("type", "").lower().split()
    pattern = "regexp" in flags
    told = [(node.get("answer", ""), node), *_more(node)]
    accepted = [
        Accepted(
            text if pattern else _literal(text),
            feedback=_hint(one, problem, node.line),
            pattern=pattern,
        )
        for text, one in told
        if text.strip()
    ]
    if pattern:
        problem.note("pattern_elsewhere", node.line, node.get("answer", ""))
    for one in node.findall("regexphint"):
        problem.note("feedback_dropped", node.line, f"{one.get('answer', '')}: {read_text(one)}")
    if not accepted:
        problem.note("key_unknown", node.line)
    every = [*accepted, *_wrong(node, problem)]
    return builders.build_short_text(head, every, case="ci" not in flags)


def _more(node: XmlNode) -> Iterator[tuple[str, Element]]:
    """Give the other accepted answers, each with the element that tells it."""
    return ((one.get("answer") or read_text(one), one) for one in node.findall("additional_answer"))


def _wrong(node: XmlNode, problem: Problem) -> Iterator[Accepted]:
    """Give wrong answers to which something is said."""
    for one in node.findall("stringequalhint"):
        if text := one.get("answer"):
            yield Accepted(
                _literal(text), Fraction(0), problem.markdown(render_inner(one), node.line)
            )


def numeric(node: XmlNode, problem: Problem, head: Head) -> ParsedQuestion:
    """Read accepted numbers; one that would have to be worked out is left to a person."""
    numbers = list[Number]()
    margin = _margin(node)
    told = [
        (text, _hint(one, problem, node.line), Fraction(1))
        for text, one in [(node.get("answer", ""), node), *_more(node)]
    ]
    told += [(one, "", _HALF) for one in _partly(node, problem) if one.strip()]
    for text, feedback, credit in told:
        number = _number(text, margin, problem, node.line)
        if number is None:
            problem.note("number_unreadable", node.line, text)
        else:
            numbers.append(replace(number, credit=credit, feedback=feedback))
    return builders.build_numeric(head, numbers)


def _partly(node: XmlNode, problem: Problem) -> list[str]:
    """Give the answers that earn a half; how near else earns something is told."""
    flags = re.split(r"[,\s]+", node.get("partial_credit", "").lower())
    if "close" in flags:
        problem.note("partial_credit_left_out", node.line, "close")
    params = [one.get("partial_answers", "") for one in node.findall("responseparam")]
    return ",".join(params).split(",") if "list" in flags else []


def _margin(node: XmlNode) -> str:
    for one in node.findall("responseparam"):
        if one.get("type", "").lower() == "tolerance":
            return one.get("default", "").strip()
    return node.get("tolerance", "").strip()


def _number(text: str, margin: str, problem: Problem, line: int) -> Number | None:
    """Read `3.14` with its margin, `[1,5]` or `(1,5)`, whose open ends count here."""
    try:
        if found := _RANGE.fullmatch(text):
            if "(" in found[1] or ")" in found[4]:
                problem.note("range_end_counts", line, text)
            low, high = sorted((found[2].strip(), found[3].strip()), key=parse_exact)
            return Number(low, "range", high)
        value = text.strip()
        parse_exact(value)
        if not margin or parse_exact(margin.removesuffix("%")) == 0:
            return Number(value)
        if margin.endswith("%"):
            return Number(value, "relative", written(parse_exact(margin.removesuffix("%")) / 100))
        return Number(value, "absolute", margin)
    except ValueError:
        return None


def _literal(text: str) -> str:
    """Write words so that no sign of them stands for others."""
    return re.sub(r"([\\*])", r"\\\1", " ".join(text.split()))


def _hint(node: Element, problem: Problem, line: int) -> str:
    found = node.find("correcthint")
    return "" if found is None else problem.markdown(render_inner(found), line)
