"""Reading a short text that a learner sent; it has never seen a key."""

import unicodedata
from collections.abc import Mapping

from grading.contract import InvalidAnswer
from grading.json_types import Answer, Content, Json
from grading.numeric.numeral_error import AMBIGUOUS
from grading.parsing import read_object
from grading.short_text.folding import BREAKS, COUNTED, INVISIBLE, Folding
from grading.short_text.number_value import is_ambiguous
from grading.short_text.sorts import SORTS, WORDS
from grading.short_text.structure import parse_folding

MAXIMUM = 500
"""The most characters of an answer, in their composed form."""
_COMPOSED_OF = 4  # what a person sees as one letter may be sent as so many
_NEVER = frozenset({"Cc", "Cs"})


def parse(content: Content, raw: Json) -> Answer | InvalidAnswer | None:
    """Read `{"text": str}`; null, nothing, or nothing but blanks is unanswered.

    A number that could be two is refused where numbers are compared by value.
    """
    fields = read_object(raw, {"text"})
    if not isinstance(fields, Mapping):
        return fields
    folding, _ = parse_folding(content)
    text = parse_text(fields.get("text"), folding)
    if isinstance(text, str) and folding.by_value and is_ambiguous(text):
        return InvalidAnswer(AMBIGUOUS, {"where": "text"})
    return {"text": text} if isinstance(text, str) else text


def parse_text(
    raw: Json, folding: Folding = SORTS[WORDS], where: str = "text"
) -> str | InvalidAnswer | None:
    """Read one text: composed, on one line; None is unanswered.

    Blanks around it are kept only where they count.
    """
    if raw is None:
        return None
    if not isinstance(raw, str):
        return InvalidAnswer("not_a_text", {"where": where})
    if len(raw) > MAXIMUM * _COMPOSED_OF:
        return _too_long(where)
    text = unicodedata.normalize("NFC", BREAKS.sub(" ", raw))
    if not (folding.as_typed and folding.spaces == COUNTED):
        text = text.strip()
    if len(text) > MAXIMUM:
        return _too_long(where)
    if any(unicodedata.category(char) in _NEVER for char in text):
        return InvalidAnswer("control_character", {"where": where})
    seen = any(not char.isspace() and ord(char) not in INVISIBLE for char in text)
    return text if seen else None


def _too_long(where: str) -> InvalidAnswer:
    return InvalidAnswer("text_too_long", {"where": where, "maximum": MAXIMUM})
