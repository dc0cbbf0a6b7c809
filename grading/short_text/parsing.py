"""Reading a short text that a learner sent; it has never seen a key."""

import unicodedata
from collections.abc import Mapping

from grading.contract import InvalidAnswer
from grading.json_types import Answer, Content, Json
from grading.numeric import parsing as number_parsing
from grading.numeric.numeral_error import BY_ZERO, NOT_A_NUMBER, TOO_FAR, TOO_LONG
from grading.numeric.structure import NONE
from grading.parsing import read_object
from grading.short_text.folding import INVISIBLE, Folding, join_lines
from grading.short_text.sorts import SORTS, WORDS
from grading.short_text.structure import parse_folding

MAXIMUM = 500
"""The most characters of an answer, in their composed form."""
NUMBER_FIELDS = (number_parsing.AMBIGUOUS_FIELDS - {"typed"}) | {"text"}
NO_NUMBER = frozenset({NOT_A_NUMBER, TOO_LONG, TOO_FAR, BY_ZERO})
_COMPOSED_OF = 4  # what a person sees as one letter may be sent as so many
_NEVER = frozenset({"Cc", "Cs"})


def parse(content: Content, raw: Json) -> Answer | InvalidAnswer | None:
    """Read `{"text": str}`; null, nothing, or nothing but blanks is unanswered.

    Where numbers are compared by value, `language` and `separator` may come along, and a text that
    is a number has the fields of one beside: see `grading.numeric.parsing`.
    """
    folding, _ = parse_folding(content)
    return parse_answer(folding, raw)


def parse_answer(folding: Folding, raw: Json) -> Answer | InvalidAnswer | None:
    """Read an answer that is compared so."""
    fields = read_object(raw, NUMBER_FIELDS if folding.by_value else {"text"})
    if not isinstance(fields, Mapping):
        return fields
    text = parse_text(fields.get("text"), folding)
    if not isinstance(text, str):
        return text
    return _parse_number(text, fields) if folding.by_value else {"text": text}


def _parse_number(text: str, fields: Mapping[str, Json]) -> Answer | InvalidAnswer:
    """Return the answer of a text that may be a number; what is none is compared as words."""
    others = {name: value for name, value in fields.items() if name != "text"}
    number = number_parsing.parse(NONE, {**others, "typed": text})
    if isinstance(number, InvalidAnswer) and number.code in NO_NUMBER:
        number = None
    if number is None:
        return {"text": text}
    if isinstance(number, InvalidAnswer):
        where = number.detail["where"]
        return InvalidAnswer(number.code, {"where": "text" if where == "typed" else where})
    typed = number.pop("typed")
    return {"text": typed, **number}


def parse_text(
    raw: Json, folding: Folding = SORTS[WORDS], where: str = "text"
) -> str | InvalidAnswer | None:
    """Read one text: composed, on one line; None is unanswered.

    Blanks around it, and tabs, are kept only where they count.
    """
    if raw is None:
        return None
    if not isinstance(raw, str):
        return InvalidAnswer("not_a_text", {"where": where})
    if len(raw) > MAXIMUM * _COMPOSED_OF:
        return _too_long(where)
    text = unicodedata.normalize("NFC", join_lines(raw, folding))
    if not folding.has_counted_ends:
        text = text.strip()
    if len(text) > MAXIMUM:
        return _too_long(where)
    if any(unicodedata.category(char) in _NEVER for char in text if char != "\t"):
        return InvalidAnswer("control_character", {"where": where})
    seen = any(not char.isspace() and ord(char) not in INVISIBLE for char in text)
    return text if seen else None


def _too_long(where: str) -> InvalidAnswer:
    return InvalidAnswer("text_too_long", {"where": where, "maximum": MAXIMUM})
