"""The responses of Open edX as questions of ours; how each pays there, it pays here."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from grading.json_types import Json
from quizzes.formats.builders import Head, Option, build_choice
from quizzes.formats.builders.question_head import build_texts
from quizzes.formats.contract import ParsedQuestion, ParsedRow
from quizzes.formats.olx.problem import Problem
from quizzes.formats.olx.string_response import numeric, short
from quizzes.formats.parsing.naming import letters
from quizzes.formats.parsing.percentages import fraction
from quizzes.formats.parsing.xhtml import read_text, render_inner
from quizzes.formats.parsing.xml import XmlNode

RULES: Mapping[str, str] = dict.fromkeys(
    "customresponse coderesponse externalresponse formularesponse schematicresponse "
    "symbolicresponse javascriptresponse jsmeresponse chemicalresponse".split(),
    "marked_by_rule",
)
"""Responses that a program or a formula marks."""
_HINTS = frozenset({"choicehint", "optionhint"})
_QUOTED = re.compile(r"(?<!\\)(?:'((?:[^'\\]|\\.)*+)'|\"((?:[^\"\\]|\\.)*+)\")")
_SCORING_METHODS = {"edc": "each_option", "halves": "halves", "": "all_or_nothing"}
_YES = frozenset({"true", "yes", "1"})


@dataclass(frozen=True, slots=True)
class Response:
    """One response while it is read: its element, its problem, what is asked."""

    node: XmlNode
    problem: Problem
    head: Head

    def text(self, node: XmlNode) -> str:
        """Give what an element says, without the hints in it."""
        html = render_inner(node, lambda one: "" if one.tag in _HINTS else None)
        return self.problem.markdown(html, node.line)

    def note(self, code: str, quote: str = "") -> None:
        """Note a thing about this response."""
        self.problem.note(code, self.node.line, quote)

    def hint(self, node: XmlNode, *, chosen: bool = True) -> str:
        """Give what is said to a choice that was taken, or left."""
        wanted = "true" if chosen else "false"
        texts = [
            self.problem.markdown(render_inner(one), node.line)
            for one in node
            if one.tag in _HINTS and one.get("selected", "true").lower() == wanted
        ]
        return "\n\n".join(filter(None, texts))


def _single(response: Response) -> ParsedQuestion:
    """Read radio buttons: of several right ones any will do."""
    groups = [one for one in _nodes(response.node) if one.tag in {"choicegroup", "radiogroup"}]
    shuffle = any(one.get("shuffle", "").lower() in _YES for one in groups)
    if any(one.get("answer-pool") for one in groups):
        response.note("part_of_items_asked", "answer-pool")
    choices = [one for one in _nodes(response.node) if one.tag == "choice"]
    return _one_of(response, [_option(response, one) for one in choices], shuffle=shuffle)


def _dropdown(response: Response) -> ParsedQuestion:
    inputs = [one for one in _nodes(response.node) if one.tag == "optioninput"]
    options = [_option(response, one) for one in _nodes(response.node) if one.tag == "option"]
    for one in inputs:
        texts = [first or second for first, second in _QUOTED.findall(one.get("options", ""))]
        right = one.get("correct", "")
        options += [
            Option(response.problem.markdown(_plain(text), one.line), right=text == right)
            for text in texts
        ]
    return _one_of(response, options, shuffle=False)


def _one_of(response: Response, options: list[Option], *, shuffle: bool) -> ParsedQuestion:
    right = sum(bool(one.right) for one in options)
    weighed = right > 1 or any(one.weight for one in options)
    if right > 1:
        response.note("several_right_options")
    if weighed:
        options = [replace(one, weight=one.weight or Fraction(bool(one.right))) for one in options]
    _checked(response, options)
    return build_choice(response.head, options, many=False, shuffle=shuffle)


def _several(response: Response) -> ParsedQuestion:
    choices = [one for one in _nodes(response.node) if one.tag == "choice"]
    options = [
        replace(_option(response, one), unchosen=response.hint(one, chosen=False))
        for one in choices
    ]
    paid = response.node.get("partial_credit", "").lower()
    if paid not in _SCORING_METHODS:
        response.note("grading_nearly_the_same", paid)
    _checked(response, options)
    scoring_method = _SCORING_METHODS.get(paid, "all_or_nothing")
    none = bool(options) and not any(one.right for one in options)
    made = build_choice(
        response.head,
        options,
        many=True,
        scoring_method=scoring_method,
        shuffle=False,
        none_apply=none,
    )
    rows = tuple(_combinations(response))
    return replace(made, tables={**made.tables, "combination_feedback": rows}) if rows else made


def _combinations(response: Response) -> Iterator[ParsedRow]:
    hints = [one for one in _nodes(response.node) if one.tag == "compoundhint"]
    for number, one in enumerate(hints, start=1):
        chosen = [letter.lower() for letter in one.get("value", "").split()]
        text = {("combination_feedback", True): response.text(one)}
        told = build_texts("multiple_choice", response.head.language, text)
        values: dict[str, Json] = {"chosen": list(chosen), "exactly": True}
        yield ParsedRow(one.line, f"combination-{number}", values, told)


def _option(response: Response, node: XmlNode) -> Option:
    """Read one choice; `partial` ones earn a part, by default a half."""
    correct = node.get("correct", "").lower()
    partly = correct.startswith("part")
    weight = None
    if partly:
        weight = fraction(node.get("point_value", "0.5"))
        if weight is None:
            response.note("weight_unreadable", node.get("point_value", ""))
    return Option(
        response.text(node),
        right=correct in _YES,
        weight=weight,
        feedback=response.hint(node),
        pinned=node.get("fixed", "").lower() in _YES,
        line=node.line,
    )


def _checked(response: Response, options: list[Option]) -> None:
    if len(options) < 2:  # noqa: PLR2004  a choice
        response.note("too_few_options" if options else "options_missing", read_text(response.node))
    if options and not any(one.right for one in options):
        response.note("key_unknown", read_text(response.node))
    for one, letter in zip(options, letters(), strict=False):
        if not one.text:
            response.note("option_empty", letter)


def _nodes(node: XmlNode) -> Iterator[XmlNode]:
    return (one for one in node.iter() if isinstance(one, XmlNode))


def _plain(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text).replace("&", "&amp;").replace("<", "&lt;")


def _short(response: Response) -> ParsedQuestion:
    return short(response.node, response.problem, response.head)


def _numeric(response: Response) -> ParsedQuestion:
    return numeric(response.node, response.problem, response.head)


BUILDERS: Mapping[str, Callable[[Response], ParsedQuestion]] = {
    "multiplechoiceresponse": _single,
    "truefalseresponse": _several,
    "choiceresponse": _several,
    "optionresponse": _dropdown,
    "stringresponse": _short,
    "numericalresponse": _numeric,
}
