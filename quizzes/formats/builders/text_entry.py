"""Questions that are answered in words and numbers, and cards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from grading.json_types import Json
from quizzes.formats.builders.question_head import Head, build_question
from quizzes.formats.contract import ParsedQuestion, ParsedRow
from quizzes.formats.parsing.naming import letters
from quizzes.formats.parsing.percentages import ratio


@dataclass(frozen=True, slots=True)
class Accepted:
    """One accepted answer; with `pattern` it is a regular expression."""

    text: str
    credit: Fraction = Fraction(1)
    feedback: str = ""
    pattern: bool = False
    name: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Number:
    """One accepted number, as numeric's table has it: exact decimal texts."""

    value: str
    tolerance: str = "exact"
    margin: str = ""
    credit: Fraction = Fraction(1)
    feedback: str = ""
    name: str = ""
    line: int = 0


def build_accepted_rows(
    head: Head, kind: str, accepted: Sequence[Accepted], gap: str = ""
) -> list[ParsedRow]:
    """Return the rows of accepted answers, of a question or of one gap."""
    return [
        head.row(
            kind,
            answer.name or (f"{gap}-{name}" if gap else name),
            {
                **({"gap": gap} if gap else {}),
                "text": answer.text,
                "credit": ratio(answer.credit),
                "pattern": answer.pattern,
            },
            {("accepted", True): answer.feedback},
        )
        for answer, name in zip(accepted, letters(), strict=False)
    ]


def build_number_rows(
    head: Head, kind: str, numbers: Sequence[Number], gap: str = ""
) -> list[ParsedRow]:
    """Return the rows of accepted numbers, of a question or of one gap."""
    return [
        head.row(
            kind,
            number.name or (f"{gap}-{name}" if gap else name),
            {
                **({"gap": gap} if gap else {}),
                "value": number.value,
                "tolerance": number.tolerance,
                **({"margin": number.margin} if number.margin else {}),
                "credit": ratio(number.credit),
            },
            {("numbers", True): number.feedback},
        )
        for number, name in zip(numbers, letters(), strict=False)
    ]


def build_short_text(head: Head, accepted: Sequence[Accepted], **folding: bool) -> ParsedQuestion:
    """Build a short answer; `folding` says what counts: case, accents, spaces, punctuation."""
    rows = build_accepted_rows(head, "short_text", accepted)
    return build_question(head, "short_text", "", {"accepted": rows}, dict(folding))


def build_numeric(
    head: Head,
    numbers: Sequence[Number],
    *,
    unit: str = "none",
    units: Mapping[str, str] | None = None,
) -> ParsedQuestion:
    """Build a number; `units` gives each symbol its exact factor."""
    rows = build_number_rows(head, "numeric", numbers)
    symbols = [
        ParsedRow(head.line, f"unit-{number}", {"symbol": symbol, "factor": factor})
        for number, (symbol, factor) in enumerate((units or {}).items(), start=1)
    ]
    return build_question(head, "numeric", "", {"numbers": rows, "units": symbols}, {"unit": unit})


def build_essay(
    head: Head, *, minimum: int | None = None, maximum: int | None = None
) -> ParsedQuestion:
    """Build an essay without a rubric; limits in words."""
    limits: dict[str, Json] = {"minimum_words": minimum, "maximum_words": maximum}
    fields = {name: value for name, value in limits.items() if value is not None}
    return build_question(head, "essay", "", {}, fields)


def build_flashcard(head: Head, back: str, hint: str = "") -> ParsedQuestion:
    """Build a card for study; the prompt is its front."""
    card = replace(head, told={**head.told, "back": back, "hint": hint})
    return build_question(card, "flashcard", "", {}, {})


def escape_wildcards(text: str) -> str:
    r"""Write an accepted answer that means its words alone: a star is `\*`, a backslash `\\`."""
    return text.replace("\\", "\\\\").replace("*", "\\*")
