"""The rules of Moodle XML: each answer's fraction, and how each type of question adds them up."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from xml.etree.ElementTree import Element

from quizzes.formats.contract import FileError
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.numbers import parse_number
from quizzes.formats.parsing.xml import XmlNode, get_line, iterate_children
from quizzes.source_scoring.answer_credits import (
    SourceShare,
    build_choice_rules,
    build_number_rules,
    build_option_rule,
    build_slot_rules,
    build_word_rules,
    number_options,
    parse_near,
)
from quizzes.source_scoring.moodle_gaps import read_cloze_rules, read_gap_select_rules
from quizzes.source_scoring.moodle_orders import read_order_rules
from quizzes.source_scoring.moodle_texts import read_flag, read_words
from quizzes.source_scoring.rules import (
    LocatedRules,
    NotComparable,
    SourceOption,
    SourceRules,
    SourceSlot,
    locate_rules,
)

_EVERYTHING = 100  # per cent
_ONE = Fraction(1)


def read_moodle(data: bytes) -> Iterator[LocatedRules]:
    """Yield the rules of each question but categories."""
    for node in iterate_children(data):
        if isinstance(node, FileError) or node.tag != "question":
            continue
        if node.get("type") != "category":
            yield from locate_rules("", get_line(node), partial(_read_rules, node))


def _read_rules(node: XmlNode) -> SourceRules:
    kind = node.get("type", "")
    if kind == "essay":
        raise NotComparable("by_person")
    if kind not in _READERS:
        raise NotComparable("rule_unknown", kind)
    return _READERS[kind](node)


def _read_share(answer: Element) -> Fraction:
    share = parse_number((answer.get("fraction") or "0").replace(",", "."))
    if share is None or abs(share) > _EVERYTHING:  # Moodle refuses the question
        raise NotComparable("rule_unknown", answer.get("fraction", ""))
    return share / _EVERYTHING


def _read_accepted(node: Element) -> list[SourceShare]:
    return [
        SourceShare(
            read_words(answer).strip(),
            _read_share(answer),
        )
        for answer in node.findall("answer")
    ]


def _read_choice(node: Element) -> SourceRules:
    accepted = _read_accepted(node)
    options = number_options([answer.text for answer in accepted])
    many = not read_flag(node, "single", default=True)
    return build_choice_rules(options, [answer.share for answer in accepted], many=many)


def _read_true_false(node: Element) -> SourceRules:
    accepted = _read_accepted(node)
    texts = [answer.text for answer in accepted]
    options = number_options(texts, [parse_boolean(text) for text in texts])
    # Moodle asks which answer has all the points, and reads no other share.
    shares = [Fraction(answer.share == 1) for answer in accepted]
    return build_choice_rules(options, shares, many=False)


def _read_short_answer(node: Element) -> SourceRules:
    accepted = _read_accepted(node)
    case = read_flag(node, "usecase", default=False)
    return build_word_rules(accepted, case=case)


def _read_numerical(node: Element) -> SourceRules:
    units = node.find("units")
    has_units = units is not None and len(units) and read_words(node.find("showunits")) != "3"
    grading = read_words(node.find("unitgradingtype")).strip() if has_units else ""
    return build_number_rules(
        [
            parse_near(
                read_words(answer).replace(",", "."),
                parse_number(read_words(answer.find("tolerance"))),
                _subtract_penalty(node, _read_share(answer), grading or "0"),
            )
            for answer in node.findall("answer")
        ]
    )


def _subtract_penalty(node: Element, share: Fraction, grading: str) -> Fraction:
    """Return what a number without a unit earns: 1 takes a part of it, 2 a part of everything."""
    penalty = parse_number(read_words(node.find("unitpenalty")) or "0.1")
    if penalty is None:
        raise NotComparable("rule_unknown", "unitpenalty")
    lost = {"0": Fraction(0), "1": penalty * share, "2": penalty}.get(grading)
    if lost is None:
        raise NotComparable("rule_unknown", grading)
    return max(share - lost, Fraction(0)) if lost else share


def _read_matching(node: Element) -> SourceRules:
    pairs = [
        (read_words(question).strip(), " ".join(read_words(question.find("answer")).split()))
        for question in node.findall("subquestion")
    ]
    rights = tuple(
        SourceOption(right, right) for right in dict.fromkeys(right for _, right in pairs if right)
    )
    complete = {f"{place}": pair for place, pair in enumerate(pairs) if all(pair)}
    slots = [SourceSlot(place, rights, text=left) for place, (left, _) in complete.items()]
    computes = {place: build_option_rule({right: _ONE}) for place, (_, right) in complete.items()}
    return build_slot_rules(slots, computes, dict.fromkeys(complete, _ONE))


_READERS: Mapping[str, Callable[[Element], SourceRules]] = {
    "cloze": read_cloze_rules,
    "ddmatch": _read_matching,
    "ddwtos": read_gap_select_rules,
    "gapselect": read_gap_select_rules,
    "matching": _read_matching,
    "multianswer": read_cloze_rules,
    "multichoice": _read_choice,
    "numerical": _read_numerical,
    "ordering": read_order_rules,
    "shortanswer": _read_short_answer,
    "truefalse": _read_true_false,
}
