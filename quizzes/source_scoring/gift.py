"""The rules of GIFT: `=` earns everything, `~` nothing, `%50%` a half; words as Moodle has them."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from quizzes.formats.parsing.numbers import parse_number
from quizzes.source_scoring.answer_credits import (
    RESPONSE,
    SourceNumber,
    SourceShare,
    build_choice_rules,
    build_number_rules,
    build_option_rule,
    build_slot_rules,
    build_word_rules,
    number_options,
    parse_near,
    parse_range,
)
from quizzes.source_scoring.rules import NotComparable, SourceOption, SourceRules, SourceSlot

_OPENING = re.compile(r"(?<!\\)\{(?=\s*(?:[=~#}]|(?:T|F|TRUE|FALSE)\s*[#}]))", re.IGNORECASE)
_ANY_OPENING = re.compile(r"(?<!\\)\{")
_CLOSING = re.compile(r"(?<!\\)\}")
_ANSWER = re.compile(r"(?<!\\)(~|=(?![\"']))((?:\\.|[^~=\\]|=(?=[\"']))*+)", re.DOTALL)
_EVERYTHING = 100  # per cent
_SHARE = re.compile(r"\s*%(-?[\d.,]{1,12})%")
_FEEDBACK = re.compile(r"(?<!\\)#.*", re.DOTALL)
_STATEMENT = re.compile(r"(T|F|TRUE|FALSE)", re.IGNORECASE)
_FORMAT = re.compile(r"\s*\[(?:html|markdown|plain|moodle)\]\s*", re.IGNORECASE)
_ESCAPE = re.compile(r"\\([~=#{}:\\n])")
_ONE = Fraction(1)


def read_gift(lines: Sequence[str]) -> SourceRules:
    """Return the rules of the item on these lines, or raise NotComparable."""
    text = "\n".join(line for line in lines if not line.lstrip().startswith("//"))
    between = _find_answers(text).partition("####")[0].strip()
    if not between:
        raise NotComparable("by_person")
    statement = _FEEDBACK.sub("", between).strip()
    if _STATEMENT.fullmatch(statement):
        right = statement.upper().startswith("T")
        options = number_options(["true", "false"], [True, False])
        return build_choice_rules(options, [Fraction(right), Fraction(not right)], many=False)
    if between.startswith("#"):
        numbers = [_read_number(answer) for answer in _read_answers(between[1:])]
        return build_number_rules(numbers)
    marked = [match[1] for match in _ANSWER.finditer(between)]
    answers = list(_read_answers(between, needs_sign="~" in marked))
    if "~" in marked:
        options = number_options([answer.text for answer in answers])
        many = "=" not in marked
        return build_choice_rules(options, [answer.share for answer in answers], many=many)
    if "->" in between:
        return _build_pairs(answers)
    return build_word_rules(answers, case=False)


def _find_answers(text: str) -> str:
    opening = _OPENING.search(text) or _ANY_OPENING.search(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        raise NotComparable("rule_unknown", text[:200])
    return text[opening.end() : closing.start()]


def _split(text: str, *, needs_sign: bool) -> Iterator[tuple[str, Fraction | None, str]]:
    """Yield each answer: its sign, the share that it names, its words without feedback.

    The first of typed answers is right with or without its sign; an option `needs_sign`.
    A share of more than everything, which Moodle refuses, is NotComparable.
    """
    parts = list(_ANSWER.finditer(text))
    first = text[: parts[0].start()] if parts else text
    signed = [(match[1], match[2]) for match in parts]
    if not parts or (first.strip() and not needs_sign):
        signed.insert(0, ("=", first))
    for sign, words in signed:
        share = _SHARE.match(words)
        named = parse_number(share[1].replace(",", ".")) if share else None
        if named is not None and abs(named) > _EVERYTHING:
            raise NotComparable("rule_unknown", words[:200])
        rest = words[share.end() :] if share else words
        yield sign, None if named is None else named / 100, _FEEDBACK.sub("", rest).strip()


def _read_answers(text: str, *, needs_sign: bool = False) -> Iterator[SourceShare]:
    for sign, share, words in _split(text, needs_sign=needs_sign):
        unmarked = _FORMAT.sub("", words, count=1)
        plain = _ESCAPE.sub(lambda match: "\n" if match[1] == "n" else match[1], unmarked)
        yield SourceShare(plain, Fraction(sign == "=") if share is None else share)


def _read_number(answer: SourceShare) -> SourceNumber:
    """Return `3:0.1` or `1..5`."""
    if not answer.text and not answer.share:  # `~#feedback` is on any other number
        return SourceNumber(answer.share)
    low, dots, high = answer.text.partition("..")
    if dots:
        return parse_range(low, high, answer.share)
    value, _, margin = answer.text.partition(":")
    return parse_near(value, parse_number(margin), answer.share)


def _build_pairs(answers: Sequence[SourceShare]) -> SourceRules:
    pairs = [tuple(part.strip() for part in answer.text.split("->", 1)) for answer in answers]
    rights = tuple(SourceOption(pair[1], pair[1]) for pair in dict.fromkeys(pairs) if len(pair) > 1)
    complete = {
        f"{RESPONSE} {at}": pair for at, pair in enumerate(pairs) if len(pair) > 1 and all(pair)
    }
    slots = [SourceSlot(place, rights, text=pair[0]) for place, pair in complete.items()]
    computes = {place: build_option_rule({pair[1]: _ONE}) for place, pair in complete.items()}
    return build_slot_rules(slots, computes, dict.fromkeys(complete, _ONE))
