"""Files that mark what is right and state no scores: Aiken, letters of answers, check boxes.

Where one option is marked, it earns everything and any other nothing; of several, all together
earn everything, and what a part of them earns is not said, but by text2qti, which writes for
Canvas.
"""

import re
from collections.abc import Sequence
from fractions import Fraction

from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.numbers import parse_number
from quizzes.source_scoring.answer_credits import (
    SourceNumber,
    SourceShare,
    build_choice_rules,
    build_marked_rules,
    build_number_rules,
    build_word_rules,
    number_options,
    parse_near,
    parse_range,
)
from quizzes.source_scoring.marked_lists import read_marked_list
from quizzes.source_scoring.rules import NotComparable, SourceRules

_LETTERED = re.compile(r"\s{0,12}(?:[-*+]\s+)?\(?([A-Za-z])[).:](?:\s+(.*)|$)")
_KEY = re.compile(
    r"[\s#*]{0,9}(?:(?:correct|right|richtige)\s+)?"
    r"(?:answer|ans|respuesta|resposta|réponse|antwort|lösung)s?(?:\s+correct[ao])?"
    r"[\s*]*[:.=][\s*]*\(?([A-Za-z])\b(?![\w'’])(.*)",
    re.IGNORECASE,
)
_NEXT_LETTER = re.compile(
    r"(?:,? (?:and|y|e|et|und) | ?[,;&/+] ?| )([A-Za-z])\b(?![\w'’])", re.IGNORECASE
)
_LETTER_WITHIN = re.compile(r"(?<![\w'’])[A-Za-z][).:](?= )")
_BLANKS = re.compile(r"\s+")
_END = re.compile(r"[\s.*)]*")
_BOX = re.compile(
    r"\s{0,40}(?:[-*+•]|(?:\d{1,3}|[A-Za-z])[.)])?\s*"
    r"(?:\\?\[\s?([ xX✓✔*]?)\s?\\?\]|\(([ xX])\))(?:\s+(.*)|$)"
)
_TYPED = re.compile(r"([*=])\s+(.*)")
_TYPED_NUMBER, _TYPED_WORDS = re.compile(r"=\s+"), re.compile(r"\*\s+")
_STARRED = re.compile(r"(\*?)[A-Za-z]\)\s+(.*)")
_MARGIN = re.compile(r"(\S+)\s*\+-\s*([\d._]+)\s*(%?)")
_RANGE = re.compile(r"\[([^,\]]+),([^,\]]+)\]")
_BY_PERSON = re.compile(r"_{3,}\s*$|\^{3,}\s*$")


def read_lettered(lines: Sequence[str]) -> SourceRules:
    """Return the rules of options with letters and a line that names the right one."""
    options, right = dict[str, str](), frozenset[str]()
    for line in lines:
        if options and not right and (key := _KEY.match(line)):
            right = _read_letters(key[1], key[2])
        elif not right and (option := _LETTERED.match(line)):
            options.setdefault(option[1].upper(), option[2] or "")
    if not right or not right <= options.keys():
        return read_marked_list(lines)
    return _build_marked(list(options.values()), [letter in right for letter in options])


def _read_letters(first: str, rest: str) -> frozenset[str]:
    """Return the letters of a key; a list with anything but letters in it is NotComparable."""
    letters, end = {first.upper()}, 0
    rest = _BLANKS.sub(" ", rest)
    while match := _NEXT_LETTER.match(rest, end):
        letters.add(match[1].upper())
        end = match.end()
    is_list = len(letters) > 1 or _LETTER_WITHIN.search(rest, end)
    if is_list and not _END.fullmatch(rest, end):
        raise NotComparable("rule_unknown", rest[:200])
    return frozenset(letters)


def read_boxes(lines: Sequence[str]) -> SourceRules:
    """Return the rules of options with check boxes, of which one is ticked."""
    boxes = [match for match in map(_BOX.match, lines) if match]
    if not boxes:
        raise NotComparable("rule_unknown")
    marks = [bool((box[1] or box[2] or "").strip()) for box in boxes]
    return _build_marked([box[3] or "" for box in boxes], marks)


def read_text2qti(lines: Sequence[str]) -> SourceRules:
    """Return the rules of a question of text2qti: `*b)` is right, `=` a number, `*` words."""
    if any(map(_BY_PERSON.match, lines)):
        raise NotComparable("by_person")
    kinds = (_STARRED, _BOX, _TYPED_NUMBER, _TYPED_WORDS)
    if sum(any(map(kind.match, lines)) for kind in kinds) > 1:  # text2qti refuses it
        raise NotComparable("rule_unknown")
    if starred := [match for match in map(_STARRED.match, lines) if match]:
        return _build_marked([match[2] for match in starred], [bool(match[1]) for match in starred])
    if any(map(_BOX.match, lines)):
        return _read_canvas_boxes(lines)
    typed = [match for match in map(_TYPED.match, lines) if match]
    if not typed:
        raise NotComparable("no_key")
    if typed[0][1] == "=":
        numbers = [_read_number(match[2].strip()) for match in typed]
        return build_number_rules(numbers)
    # Canvas, for which it writes, compares words without regard to case.
    words = [SourceShare(match[2].strip().replace("*", r"\*"), Fraction(1)) for match in typed]
    return build_word_rules(words, case=False)


def _read_canvas_boxes(lines: Sequence[str]) -> SourceRules:
    """Return the rules of several right answers in Canvas, for which text2qti writes.

    Each right one earns its part, each wrong one costs as much; it is never below 0.
    """
    boxes = [match for match in map(_BOX.match, lines) if match]
    texts = [box[3] or "" for box in boxes]
    marks = [bool((box[1] or box[2] or "").strip()) for box in boxes]
    if not any(marks):
        raise NotComparable("no_key")
    part = Fraction(1, sum(marks))
    options = number_options(texts, [parse_boolean(text) for text in texts])
    return build_choice_rules(options, [part if mark else -part for mark in marks], many=True)


def _build_marked(texts: Sequence[str], marks: Sequence[bool]) -> SourceRules:
    options = number_options(texts, [parse_boolean(text) for text in texts])
    return build_marked_rules(options, marks)


def _read_number(text: str) -> SourceNumber:
    text = text.replace("_", "")
    if limits := _RANGE.fullmatch(text):
        return parse_range(limits[1], limits[2], Fraction(1))
    match = _MARGIN.fullmatch(text)
    if match is None:
        return parse_near(text, None, Fraction(1))
    value, margin = parse_number(match[1]), parse_number(match[2])
    unit = abs(value or Fraction(0)) / 100 if match[3] else 1
    return parse_near(match[1], (margin or 0) * Fraction(unit), Fraction(1))
