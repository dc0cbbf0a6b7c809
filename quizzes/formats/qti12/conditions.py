"""What a QTI 1.2 item pays for: its conditions as alternatives of plain tests."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from xml.etree.ElementTree import Element

from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.parsing.xml import XmlNode

MOST_RULES = 600
MOST_CLAUSES = 1_000
_NUMBER = re.compile(r"[+-]?(?:\d{1,40}(?:\.\d{0,40})?|\.\d{1,40})(?:[eE][+-]?\d{1,2})?", re.ASCII)
_TESTS = {
    "varequal": "=",
    "varlt": "<",
    "varlte": "<=",
    "vargt": ">",
    "vargte": ">=",
    "varsubstring": "in",
}
_OPPOSITE = {"and": "or", "or": "and"}


@dataclass(frozen=True, slots=True)
class Test:
    """Whether an answer equals (or reaches, or holds) a value; or, not `wanted`, does not."""

    response: str
    how: str
    value: str
    case: bool = False
    wanted: bool = True


Clause = tuple[Test, ...]
"""Tests that must all hold."""


@dataclass(slots=True)
class Custom(Exception):
    """The item is paid by a rule of its own, which no list of right answers can hold."""

    line: int
    quote: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One condition: any of the clauses; what it adds or sets, if it does; what it says.

    `always`: it holds for whatever was answered.
    """

    line: int
    clauses: tuple[Clause, ...]
    always: bool
    gain: Fraction | None
    sets: bool
    says: tuple[str, ...]
    ends: bool


def number(text: str) -> Fraction | None:
    """Read a decimal number of bounded size exactly."""
    text = text.strip()
    return Fraction(text) if _NUMBER.fullmatch(text) else None


def rules(item: Element, several: frozenset[str]) -> Iterator[Rule]:
    """Read the conditions of an item; `several` names the responses of several values."""
    conditions = [one for one in item.iter() if one.tag == "respcondition"]
    if len(conditions) > MOST_RULES:
        raise Custom(_line(item), "")
    variables = {
        one.get("varname", "SCORE") for one in item.iter() if one.tag == "setvar" and _moves(one)
    }
    if len(variables) > 1:
        raise Custom(_line(item), ", ".join(sorted(variables))[:200])
    for one in conditions:
        yield _rule(one, several)


def _rule(node: Element, several: frozenset[str]) -> Rule:
    sets = [one for one in node if one.tag == "setvar"]
    gains = [_gain(one) for one in sets]
    tests = next((one for one in node if one.tag == "conditionvar"), None)
    try:
        clauses = tuple(_all(tests, several)) if tests is not None else ((),)
    except Custom:
        if any(gains):
            raise
        clauses = ()  # it pays nothing: what it says is told as never linked
    return Rule(
        _line(node),
        tuple(clause for clause in clauses if clause),
        always=() in clauses,
        gain=sum(gains, Fraction(0)) if gains else None,
        sets=any(one.get("action", "Set").lower() == "set" for one in sets),
        says=tuple(one.get("linkrefid", "") for one in node if one.tag == "displayfeedback"),
        ends=node.get("continue", "").lower() == "no",
    )


def _moves(node: Element) -> bool:
    return number(node.text or "") != 0


def _gain(node: Element) -> Fraction:
    value = number(node.text or "")
    action = node.get("action", "Set").lower()
    if value is None or action not in {"set", "add", "subtract"}:
        raise Custom(_line(node), f"{action} {read_text(node)}"[:200])
    return -value if action == "subtract" else value


def _all(node: Element, several: frozenset[str]) -> Sequence[Clause]:
    """Give what a whole condition asks for: all of it, but any of several values of one answer."""
    children = [one for one in node if one.tag != "qticomment"]
    answers = {one.get("respident", "") for one in children}
    alike = {one.tag for one in children} == {"varequal"} and len(answers) == 1
    how = "or" if alike and not answers & several else "and"
    return _joined(how, children, several, wanted=True)


def _joined(
    how: str, children: Sequence[Element], several: frozenset[str], *, wanted: bool
) -> Sequence[Clause]:
    parts = [_clauses(one, several, wanted=wanted) for one in children]
    if (how if wanted else _OPPOSITE[how]) == "or":
        return [clause for part in parts for clause in part]
    size = 1
    for part in parts:
        size *= len(part)
        if size > MOST_CLAUSES:
            raise Custom(_line(children[0]), "")
    return [tuple(test for clause in chosen for test in clause) for chosen in product(*parts)]


def _clauses(node: Element, several: frozenset[str], *, wanted: bool) -> Sequence[Clause]:
    name = node.tag
    if name in _OPPOSITE:
        return _joined(name, list(node), several, wanted=wanted)
    if name == "not":
        return _joined("and", list(node), several, wanted=not wanted)
    if name == "other" and wanted:
        return [()]
    if name not in _TESTS:
        raise Custom(_line(node), name)
    test = Test(
        node.get("respident", ""),
        _TESTS[name],
        (node.text or "").strip(),
        node.get("case", "No").lower() == "yes",
        wanted,
    )
    return [(test,)]


def _line(node: Element) -> int:
    return node.line if isinstance(node, XmlNode) else 1
