"""Numbers that can be read in two ways: how they are asked about, and how they were understood.

A number is typed into a field of its own (`typed`), or is a text compared by value (`text`).
"""

from collections.abc import Mapping
from typing import Any

from django.http import QueryDict
from django.utils.html import escape
from django.utils.translation import gettext

from grading.json_types import Json, ratio_from_json
from grading.numeric import readings
from grading.numeric.formatting import format_number
from grading.numeric.numerals import find_readings, parse_numeral
from grading.numeric.separators import DECIMAL, THOUSANDS
from quizzes.presentation import fragments

FIELDS = ("asks", "typed", "integer", "joined", DECIMAL, THOUSANDS)


def placeholders(prefix: str = "") -> dict[str, str]:
    """Return what partials/number_question.html needs; `prefix` tells the gaps of a text apart."""
    return {name: fragments.placeholder(f"{prefix}ask:{name}") for name in FIELDS}


def get_typed_text(answer: Mapping[str, Any]) -> str:
    """Return what was typed, of a canonical answer or of what `parse_form` gave; "" for nothing."""
    return str(answer.get("typed", answer.get("text", "")))


def placeholder_values(answer: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Return the values for a canonical answer, or for what `parse_form` gave."""
    typed = get_typed_text(answer)
    both = find_readings(typed)
    if both is None:
        return {}
    values = {
        "asks": "data-asks",
        "typed": escape(typed),
        "integer": both.integer,
        "joined": both.joined,
        str(answer.get("separator", "")): "checked",
    }
    return {f"{prefix}ask:{name}": value for name, value in values.items()}


def parse_number(posted: QueryDict, field: str, member: str = "typed") -> dict[str, Json]:
    """Return the number that a form brought; the names of its controls begin with `field`.

    Without scripts the field may hold what was typed on a page of another language, and what was
    said of another number; untouched, it stays what it was.
    """
    typed = posted.get(f"{field}-{member}", "")
    untouched = typed == posted.get(f"{field}-was")
    language = posted.get(f"{field}-{'language' if untouched else 'page'}", "")
    number: dict[str, Json] = {member: typed, "language": language}
    if untouched and (separator := posted.get(f"{field}-separator")):
        number["separator"] = separator
    return number


def describe_reading(answer: Mapping[str, Any], language: str) -> str:
    """Return how a canonical answer was read, where its typed form leaves that open; else ""."""
    match answer.get("read_by"):
        case None:
            return ""
        case readings.LANGUAGE:
            return gettext("can be read in two ways")
        case readings.SCORE:
            reading = _describe_number(answer, language)
            return gettext("%(reading)s; which of the two was not said") % {"reading": reading}
    return _describe_number(answer, language)


def _describe_number(answer: Mapping[str, Any], language: str) -> str:
    decimal = parse_numeral(get_typed_text(answer), "", DECIMAL).number
    sentence = (
        gettext("read as %(number)s, with decimals")
        if ratio_from_json(answer["number"]) == decimal
        else gettext("read as %(number)s")
    )
    return sentence % {"number": format_answer(answer, language)}


def format_answer(answer: Mapping[str, Any], language: str) -> str:
    """Return the number of a canonical answer as the reader writes it, with the unit."""
    number = format_number(ratio_from_json(answer["number"]), language, answer["digits"])
    return f"{number} {answer['unit']}".strip()


def format_correct_answer(solution: Mapping[str, Any], language: str) -> str:
    """Return a correct answer as the reader writes it, its unit as the author writes it."""
    _number, _space, unit = get_typed_text(solution).partition(" ")
    return f"{format_answer({**solution, 'unit': ''}, language)} {unit}".strip()


def answer_with_reading(answer: Mapping[str, Any], language: str) -> str:
    """Return a canonical answer as typed, and how it was read where that is open."""
    reading, typed = describe_reading(answer, language), get_typed_text(answer)
    return f"{typed} ({reading})" if reading else typed
