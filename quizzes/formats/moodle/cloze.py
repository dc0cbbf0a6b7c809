"""Texts with gaps: `{2:MULTICHOICE:=right#feedback~wrong}` within the question's text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from html import unescape

from quizzes.formats import builders
from quizzes.formats.builders import Accepted, Gap, Head, Option
from quizzes.formats.builders.answer_settling import (
    ANY_NUMBER,
    ANYTHING,
    leave_out_unreachable,
    settle_gap,
)
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.moodle.question_element import QuestionElement, read_raw
from quizzes.formats.moodle.text_entry import escape_backslashes, read_number
from quizzes.formats.parsing.percentages import parse_percentage
from quizzes.formats.parsing.placeholders import build_placeholder, find_free_word, restore_marks
from quizzes.formats.parsing.xml import XmlNode

CHOICES = frozenset(
    "MULTICHOICE MC MULTICHOICE_V MCV MULTICHOICE_H MCH MULTICHOICE_S MCS MULTICHOICE_VS MCVS"
    " MULTICHOICE_HS MCHS".split()
)
WORDS = frozenset({"SHORTANSWER", "SA", "MW"})
EXACT_WORDS = frozenset({"SHORTANSWER_C", "SAC", "MWC"})
NUMBERS = frozenset({"NUMERICAL", "NM"})
SEVERAL = frozenset(
    "MULTIRESPONSE MR MULTIRESPONSE_H MRH MULTIRESPONSE_S MRS MULTIRESPONSE_HS MRHS".split()
)
MOST_POINTS = 1000
MOST_ANSWERS = 100
MOST_GAPS = 100
_TYPES = "|".join(sorted(CHOICES | WORDS | EXACT_WORDS | NUMBERS | SEVERAL, key=len, reverse=True))
# What begins a gap ends the one before it, closed or not: no text is looked through twice.
_GAP = re.compile(
    rf"\{{(\d{{0,4}}):({_TYPES}):((?:[^{{}}\\]|\{{(?!\d{{0,4}}:[A-Z])|\\(?!\{{\d{{0,4}}:[A-Z]).)*+)\}}",
    re.DOTALL,
)
_LIKE_GAP = re.compile(r"\{\d{0,4}:[A-Z_]{2,20}:")
_ANSWER = re.compile(r"((?:[^~#\\]|\\.)*+)(?:#((?:[^~\\]|\\.)*+))?(?:~|$)", re.DOTALL)
_SHARE = re.compile(r"\s*(?:(=)|%(-?[\d.]{1,12})%)")
_ESCAPED = re.compile(r"\\([}#~/\"\\])")
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class _Answer:
    """One answer of a gap: its words as the file has them, its credit, the feedback on it."""

    text: str
    credit: Fraction
    feedback: str


def read_cloze(question: QuestionElement, head: Head) -> ParsedQuestion | None:
    """Read a text with gaps; one with a gap for several options is no question of ours."""
    node = question.find("questiontext")
    text = read_raw(node)
    matches = list(_GAP.finditer(text))
    if node is None or not matches:
        question.note("no_gaps", None, text)
        return None
    if several := next((match for match in matches if match[2] in SEVERAL), None):
        question.note("gap_of_several_answers", None, several[0])
        return None
    prompt = replace_gaps(question, node, text, matches)
    if len(matches) > MOST_GAPS:
        question.note("too_many_gaps", node, text)
    if _LIKE_GAP.search(prompt):
        question.note("gap_unreadable", node, prompt)
    gaps = [
        _read_gap(question, node, match, f"gap-{number}")
        for number, match in enumerate(matches, start=1)
    ]
    least = builders.find_least_filling(gaps)
    fields, notes = builders.settle_lower_bound(least, None, line=node.line)
    question.notes += notes
    head = replace(head, prompt=prompt)
    return builders.build_cloze(head, gaps, scoring_method="per_gap", **fields)


def replace_gaps(
    question: QuestionElement, node: XmlNode, text: str, matches: Sequence[re.Match[str]]
) -> str:
    """Return the text as Markdown with `[[gap-1]]` for its gaps."""
    word, parts, end = find_free_word([text]), list[str](), 0
    for number, match in enumerate(matches, start=1):
        parts += [text[end : match.start()], build_placeholder(word, number)]
        end = match.end()
    return restore_marks(question.convert(node, "".join([*parts, text[end:]])), word)


def _read_gap(
    question: QuestionElement, node: XmlNode, match: re.Match[str], placeholder: str
) -> Gap:
    points = int(match[1] or 1)
    # A gap of ours counts something: one that counts nothing there counts a little here.
    if not 1 <= points <= MOST_POINTS:
        question.note("gap_points_changed", node, match[0])
        points = min(max(points, 1), MOST_POINTS)
    answers, options, accepted, numbers = _read_answers(question, node, match[3]), [], [], []
    for answer in answers:
        typed = _strip_markup(node, answer.text)
        if match[2] in CHOICES:
            text = question.convert(node, answer.text)
            options.append(Option(text, weight=answer.credit, feedback=answer.feedback))
        elif match[2] not in NUMBERS:
            text = builders.join_lines(typed)
            if text:
                accepted.append(Accepted(escape_backslashes(text), answer.credit, answer.feedback))
            else:
                question.note("answer_empty", node, match[0])
        else:
            text, _, margin = typed.partition(":")
            if text.strip() == ANYTHING:
                numbers.append(replace(ANY_NUMBER, credit=answer.credit, feedback=answer.feedback))
            elif number := read_number(question, node, text.strip(), margin.strip()):
                numbers.append(replace(number, credit=answer.credit, feedback=answer.feedback))
    numbers, otherwise, notes = leave_out_unreachable(numbers, line=node.line)
    question.notes += notes
    if otherwise:
        question.note("gap_catch_all_left_out", node, match[0])
    comparison = builders.build_strict_comparison(case=match[2] in EXACT_WORDS)
    gap = Gap(placeholder, options, accepted, numbers, points, comparison)
    gap, notes = settle_gap(gap, line=node.line, quote=match[0])
    question.notes += notes
    return gap


def _read_answers(question: QuestionElement, node: XmlNode, text: str) -> Iterator[_Answer]:
    matches = [match for match in _ANSWER.finditer(text) if match.start() < len(text)]
    for match in matches[MOST_ANSWERS : MOST_ANSWERS + 1]:
        question.note("gap_answers_left_out", node, text[match.start() :])
    for match in matches[:MOST_ANSWERS]:
        credit, words = Fraction(0), match[1]
        if share := _SHARE.match(words):
            credit = Fraction(1) if share[1] else (parse_percentage(share[2]) or Fraction(0))
            words = words[share.end() :]
        feedback = _ESCAPED.sub(r"\1", match[2] or "").strip()
        yield _Answer(
            _ESCAPED.sub(r"\1", words).strip(),
            min(credit, Fraction(1)),
            question.convert(node, feedback) if feedback else "",
        )


def _strip_markup(node: XmlNode, text: str) -> str:
    """Return the words of an answer that is compared with what people type."""
    if node.get("format") in {"markdown", "plain_text"}:
        return text
    return unescape(_TAG.sub("", text)).replace("\xa0", " ")
