"""Questions that are answered in words and numbers, and cards."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from grading.json_types import Json, ratio_to_json
from grading.short_text.folding import ANY_TEXT, COUNTED, IGNORED
from grading.short_text.sorts import EXACT, WORDS
from quizzes.formats.builders.question_head import Head, build_question
from quizzes.formats.contract import ParsedQuestion, ParsedRow
from quizzes.formats.parsing.naming import list_letters


@dataclass(frozen=True, slots=True)
class Accepted:
    """One accepted answer; with `pattern` it is a regular expression."""

    text: str
    credit: Fraction = Fraction(1)
    feedback: str = ""
    pattern: bool = False
    name: str = ""
    line: int = 0

    @property
    def values(self) -> dict[str, Json]:
        """Return the values of its row."""
        return {"text": self.text, "credit": ratio_to_json(self.credit), "pattern": self.pattern}


@dataclass(frozen=True, slots=True)
class Number:
    """One accepted number with its kind of tolerance; numbers are exact decimal texts."""

    text: str
    tolerance: str = "exact"
    margin: str = ""
    credit: Fraction = Fraction(1)
    feedback: str = ""
    name: str = ""
    line: int = 0

    @property
    def values(self) -> dict[str, Json]:
        """Return the values of its row."""
        margin = {"margin": self.margin} if self.margin else {}
        credit = ratio_to_json(self.credit)
        return {"value": self.text, "tolerance": self.tolerance, **margin, "credit": credit}


def build_answer_rows(
    head: Head, kind: str, table: str, answers: Sequence[Accepted | Number], gap: str = ""
) -> list[ParsedRow]:
    """Return the rows of accepted texts or numbers, of a question or of one gap."""
    return [
        head.build_row(
            kind,
            answer.name or (f"{gap}-{letter}" if gap else letter),
            {"gap": gap, **answer.values} if gap else answer.values,
            {(table, True): answer.feedback},
        )
        for answer, letter in zip(answers, list_letters(), strict=False)
    ]


def build_short_text(head: Head, accepted: Sequence[Accepted], **fields: Json) -> ParsedQuestion:
    """Build a short answer; `fields` are its sort, the switches that differ from it, its bound.

    They are those of `grading.short_text.schema.COMPARISON` and `LOWER_BOUND`; without a sort, it
    is words.
    """
    rows = build_answer_rows(head, "short_text", "accepted", accepted)
    return build_question(head, "short_text", "", {"accepted": rows}, dict(fields))


def build_strict_comparison(*, case: bool, texts: Iterable[str] = ()) -> dict[str, str]:
    """Return the comparison of most programs: every sign and blank counts, capitals with `case`.

    Kinds of quotes and dashes count, too: all of these programs compare characters.

    Blanks at the ends do not: Moodle, Canvas, Open edX and H5P trim what is typed, and no more.
    `texts` are the keys of a format that does not trim: a blank at an end of one is asked for.
    Keys have stars for any text, and those that are signs escaped (`escape_wildcards`).
    """
    if any(text != text.strip() for text in texts):
        return {"sort": EXACT, "wildcards": ANY_TEXT} | ({} if case else {"case": IGNORED})
    strict = dict.fromkeys(("spaces", "punctuation", "typography"), COUNTED)
    return {"sort": WORDS, **strict} | ({"case": COUNTED} if case else {})


END_BLANKS_IGNORED: Final = "end_blanks_ignored"
"""The note that blanks around what is typed do not count here, and did in the file."""


def are_end_blanks_ignored(texts: Sequence[str]) -> bool:
    """Return whether blanks around these keys are not asked for, in a format that does not trim."""
    return any(texts) and all(text == text.strip() for text in texts)


def build_numeric(
    head: Head,
    numbers: Sequence[Number],
    *,
    unit: str = "none",
    units: Mapping[str, str] | None = None,
    bound: Mapping[str, Json] | None = None,
) -> ParsedQuestion:
    """Build a number; `units` gives each symbol its exact factor, `bound` is its lower bound."""
    rows = build_answer_rows(head, "numeric", "numbers", numbers)
    symbols = [
        ParsedRow(head.line, f"unit-{number}", {"symbol": symbol, "factor": factor})
        for number, (symbol, factor) in enumerate((units or {}).items(), start=1)
    ]
    return build_question(
        head, "numeric", "", {"numbers": rows, "units": symbols}, {"unit": unit, **(bound or {})}
    )


def build_essay(
    head: Head, *, minimum: int | None = None, maximum: int | None = None
) -> ParsedQuestion:
    """Build an essay without a rubric; limits in words."""
    limits: dict[str, Json] = {"minimum_words": minimum, "maximum_words": maximum}
    fields = {name: value for name, value in limits.items() if value is not None}
    return build_question(head, "essay", "", {}, fields)


def build_flashcard(head: Head, back: str, hint: str = "") -> ParsedQuestion:
    """Build a card for study; the prompt is its front."""
    card = replace(head, other_texts={**head.other_texts, "back": back, "hint": hint})
    return build_question(card, "flashcard", "", {}, {})


def join_lines(text: str) -> str:
    """Return an accepted answer on one line, trimmed; other blanks in it stay as they are."""
    return " ".join(line.strip() for line in text.splitlines()).strip()


def strip_layout(text: str) -> str:
    """Return an accepted answer without the line breaks of its file around it; blanks stay."""
    words = text.strip()
    begin, _, end = text.partition(words) if words else ("", "", "")
    return "".join(part for part in (begin, words, end) if part == words or "\n" not in part)
