"""Texts with gaps: `{2:MULTICHOICE:=right#said~wrong}` within the question's text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from html import unescape

from quizzes.formats import builders
from quizzes.formats.builders import Accepted, Gap, Head, Number, Option
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.moodle.question_element import QuestionElement, read_raw
from quizzes.formats.moodle.text_entry import ANYTHING, number, wildcard
from quizzes.formats.parsing.percentages import percentage
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
_LIKE = re.compile(r"\{\d{0,4}:[A-Z_]{2,20}:")
_PARTS = re.compile(r"((?:[^~#\\]|\\.)*+)(?:#((?:[^~\\]|\\.)*+))?(?:~|$)", re.DOTALL)
_SHARE = re.compile(r"\s*(?:(=)|%(-?[\d.]{1,12})%)")
_ESCAPED = re.compile(r"\\([}#~/\"\\])")
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True)
class _Answer:
    """One answer of a gap: its words as the file has them, what it earns, our words to it."""

    text: str
    credit: Fraction
    feedback: str


def cloze(question: QuestionElement, head: Head) -> ParsedQuestion | None:
    """Read a text with gaps; one with a gap for several options is no question of ours."""
    at = question.find("questiontext")
    text = read_raw(at)
    gap_matches = list(_GAP.finditer(text))
    if at is None or not gap_matches:
        question.note("no_gaps", None, text)
        return None
    if several := next((one for one in gap_matches if one[2] in SEVERAL), None):
        question.note("gap_of_several_answers", None, several[0])
        return None
    prompt = with_marks(question, at, text, gap_matches)
    if len(gap_matches) > MOST_GAPS:
        question.note("too_many_gaps", at, text)
    if _LIKE.search(prompt):
        question.note("gap_unreadable", at, prompt)
    gaps = [
        _gap(question, at, one, f"gap-{place}") for place, one in enumerate(gap_matches, start=1)
    ]
    types = {one[2] for one in gap_matches}
    if types & WORDS and types & EXACT_WORDS:
        question.note("case_counts_in_some_gaps", at)
    counts = bool(types & (WORDS | EXACT_WORDS))
    return builders.build_cloze(
        replace(head, prompt=prompt),
        gaps,
        case=counts and not types & WORDS,
        accents=counts,
        spaces=counts,
        punctuation=counts,
    )


def with_marks(
    question: QuestionElement, at: XmlNode, said: str, gap_matches: Sequence[re.Match[str]]
) -> str:
    """Give the text with `[[gap-1]]` for its gaps.

    While the text becomes Markdown, each gap is a word that the text does not have.
    """
    word = "Gapword"
    while word in said:
        word += "x"
    pieces, after = [], 0
    for place, one in enumerate(gap_matches, start=1):
        pieces += [said[after : one.start()], f"{word}{place}Z"]
        after = one.end()
    text = question.convert(at, "".join([*pieces, said[after:]]))
    return re.sub(rf"{word}(\d+)Z", r"[[gap-\1]]", text)


def _gap(question: QuestionElement, at: XmlNode, match: re.Match[str], mark: str) -> Gap:
    points = int(match[1] or 1)
    # A gap of ours counts something: one that counts nothing there counts a little here.
    if not 1 <= points <= MOST_POINTS:
        question.note("gap_points_changed", at, match[0])
        points = min(max(points, 1), MOST_POINTS)
    answers = list(_answers(question, at, match[3]))
    if match[2] in CHOICES:
        return Gap(mark, options=_options(question, at, answers, match[0]), points=points)
    if not any(answer.credit == 1 for answer in answers):
        question.note("key_unknown", at, match[0])
    if match[2] in NUMBERS:
        return Gap(mark, numbers=list(_numbers(question, at, answers, match[0])), points=points)
    return Gap(mark, accepted=list(_accepted(question, at, answers, match[0])), points=points)


def _options(
    question: QuestionElement, at: XmlNode, answers: Sequence[_Answer], quote: str
) -> list[Option]:
    right = [answer for answer in answers if answer.credit == 1]
    if len(right) != 1:
        question.note("gap_without_one_right", at, quote)
    if any(answer.credit not in {0, 1} for answer in answers):
        question.note("gap_weights_left_out", at, quote)
    return [
        Option(question.convert(at, answer.text), right=[answer] == right, feedback=answer.feedback)
        for answer in answers
    ]


def _accepted(
    question: QuestionElement, at: XmlNode, answers: Sequence[_Answer], quote: str
) -> Iterator[Accepted]:
    for answer in answers:
        if text := " ".join(typed(at, answer.text).split()):
            yield Accepted(wildcard(text), answer.credit, answer.feedback)
        else:
            question.note("answer_empty", at, quote)


def _numbers(
    question: QuestionElement, at: XmlNode, answers: Sequence[_Answer], quote: str
) -> Iterator[Number]:
    for answer in answers:
        text, _, margin = typed(at, answer.text).partition(":")
        if text.strip() == ANYTHING:
            if answer.feedback or answer.credit:
                question.note("gap_catch_all_left_out", at, quote)
        elif parsed := number(question, at, text.strip(), margin.strip()):
            yield replace(parsed, credit=answer.credit, feedback=answer.feedback)


def _answers(question: QuestionElement, at: XmlNode, said: str) -> Iterator[_Answer]:
    parts = [match for match in _PARTS.finditer(said) if match.start() < len(said)]
    for part in parts[MOST_ANSWERS : MOST_ANSWERS + 1]:
        question.note("gap_answers_left_out", at, said[part.start() :])
    for found in parts[:MOST_ANSWERS]:
        share = _SHARE.match(found[1])
        text = found[1][share.end() :] if share else found[1]
        credit = Fraction(0)
        if share:
            credit = Fraction(1) if share[1] else (percentage(share[2]) or Fraction(0))
        if credit < 0:
            question.note("negative_credit", at, found[1])
        feedback = _unescaped(found[2] or "").strip()
        yield _Answer(
            _unescaped(text).strip(),
            min(max(credit, Fraction(0)), Fraction(1)),
            question.convert(at, feedback) if feedback else "",
        )


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(r"\1", text)


def typed(at: XmlNode, text: str) -> str:
    """Give the words of an answer that is compared with what people type."""
    if at.get("format") in {"markdown", "plain_text"}:
        return text
    return unescape(_TAG.sub("", text)).replace("\xa0", " ")
