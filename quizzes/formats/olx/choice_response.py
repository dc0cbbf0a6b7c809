"""The responses of Open edX that are answered by choosing; the points are the same here."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from grading.json_types import Json
from quizzes.formats.builders import Head, Option, SourceChoice, settle_choice
from quizzes.formats.builders.question_head import build_texts
from quizzes.formats.contract import ParsedQuestion, ParsedRow
from quizzes.formats.olx.olx_problem import OlxResponse
from quizzes.formats.parsing.percentages import parse_decimal
from quizzes.formats.parsing.xhtml import read_text, render_inner
from quizzes.formats.parsing.xml import XmlNode, get_line

_HINTS = frozenset({"choicehint", "optionhint"})
_QUOTED = re.compile(r"(?<!\\)(?:'((?:[^'\\]|\\.)*+)'|\"((?:[^\"\\]|\\.)*+)\")")
_SCORING_METHODS = {"edc": "each_option", "halves": "halves", "": "all_or_nothing"}
_YES = frozenset({"true", "yes", "1"})


def read_single_choice(response: OlxResponse, head: Head) -> ParsedQuestion:
    """Read radio buttons: any of several right ones earns everything."""
    node = response.node
    groups = [*node.iter("choicegroup"), *node.iter("radiogroup")]
    if any(group.get("answer-pool") for group in groups):
        response.note("part_of_items_asked", "answer-pool")
    shuffle = any(group.get("shuffle", "").lower() in _YES for group in groups)
    options = [_read_option(response, choice) for choice in _iterate(node, "choice")]
    return _settle_single(response, head, options, shuffle=shuffle)


def read_dropdown(response: OlxResponse, head: Head) -> ParsedQuestion:
    """Read a list, whose options are elements or one attribute."""
    options = [_read_option(response, option) for option in _iterate(response.node, "option")]
    for field in response.node.iter("optioninput"):
        right = field.get("correct", "")
        for first, second in _QUOTED.findall(field.get("options", "")):
            text = first or second
            html = re.sub(r"\\(.)", r"\1", text).replace("&", "&amp;").replace("<", "&lt;")
            markdown = response.markdown(html, get_line(field))
            options.append(Option(markdown, right=text == right))
    return _settle_single(response, head, options, shuffle=False)


def _settle_single(
    response: OlxResponse, head: Head, options: Sequence[Option], *, shuffle: bool
) -> ParsedQuestion:
    has_parts = any(option.weight for option in options)
    if has_parts or sum(bool(option.right) for option in options) > 1:
        options = [
            replace(option, weight=option.weight or Fraction(bool(option.right)))
            for option in options
        ]
    return _settle(response, head, SourceChoice(options, many=False, shuffle=shuffle))


def read_multiple_choice(response: OlxResponse, head: Head) -> ParsedQuestion:
    """Read check boxes, with feedback to combinations of them."""
    options = [
        replace(
            _read_option(response, choice), unchosen=_read_hint(response, choice, selected="false")
        )
        for choice in _iterate(response.node, "choice")
    ]
    partial_credit = response.node.get("partial_credit", "").lower()
    if partial_credit not in _SCORING_METHODS:
        response.note("grading_nearly_the_same", partial_credit)
    none_apply = bool(options) and not any(option.right for option in options)
    if none_apply:  # on purpose, or because nobody marked one
        response.note("key_unknown", read_text(response.node))
    source = SourceChoice(
        options,
        many=True,
        scoring_method=_SCORING_METHODS.get(partial_credit, "all_or_nothing"),
        shuffle=False,
        none_apply=none_apply,
    )
    question = _settle(response, head, source)
    rows = tuple(_read_combinations(response, head.language))
    if not rows:
        return question
    return replace(question, tables={**question.tables, "combination_feedback": rows})


def _settle(response: OlxResponse, head: Head, source: SourceChoice) -> ParsedQuestion:
    source = replace(source, quote=read_text(response.node))
    question, notes = settle_choice(head, source)
    response.notes += notes
    return question


def _read_combinations(response: OlxResponse, language: str) -> Iterator[ParsedRow]:
    for number, hint in enumerate(_iterate(response.node, "compoundhint"), start=1):
        letters: list[Json] = [letter.lower() for letter in hint.get("value", "").split()]
        texts = {("combination_feedback", True): _render_text(response, hint)}
        yield ParsedRow(
            hint.line,
            f"combination-{number}",
            {"chosen": letters, "exactly": True},
            build_texts("multiple_choice", language, texts),
        )


def _read_option(response: OlxResponse, node: XmlNode) -> Option:
    """Read an option; a `partial` one earns a part, by default a half."""
    correct = node.get("correct", "").lower()
    weight = None
    if correct.startswith("part"):
        weight = parse_decimal(node.get("point_value", "0.5"))
        if weight is None:
            response.note("weight_unreadable", node.get("point_value", ""))
    return Option(
        _render_text(response, node),
        right=correct in _YES,
        weight=weight,
        feedback=_read_hint(response, node, selected="true"),
        pinned=node.get("fixed", "").lower() in _YES,
        line=node.line,
    )


def _render_text(response: OlxResponse, node: XmlNode) -> str:
    """Return the text of an element without the hints in it."""
    html = render_inner(node, lambda child: "" if child.tag in _HINTS else None)
    return response.markdown(html, node.line)


def _read_hint(response: OlxResponse, node: XmlNode, *, selected: str) -> str:
    """Return the feedback to choosing an option, or to leaving it."""
    texts = [
        response.markdown(render_inner(hint), node.line)
        for hint in node
        if hint.tag in _HINTS and hint.get("selected", "true").lower() == selected
    ]
    return "\n\n".join(filter(None, texts))


def _iterate(node: XmlNode, tag: str) -> Iterator[XmlNode]:
    return (child for child in node.iter(tag) if isinstance(child, XmlNode))
