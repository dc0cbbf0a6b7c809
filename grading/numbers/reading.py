"""Reading a typed number into its canonical answer; nothing here has ever seen a key.

Raw: `{"typed": "3,14", "language": "es"}`, the language optional. Canonical: the same with `number`
as [numerator, denominator], `digits` as written and `unit` as compared.
"""

import re

from grading.contract import Answer, Json, Unreadable, ratio_to_json
from grading.numbers.folding import visible
from grading.numbers.numerals import LONGEST, NOT_A_NUMBER, TOO_LONG, Unread, numeral
from grading.numbers.structure import NONE

SENT = frozenset({"typed", "language"})
KEPT = frozenset({*SENT, "number", "digits", "unit"})
FORMS = (frozenset({"typed"}), SENT, KEPT)

_LANGUAGE = re.compile("(?:[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3})?")


def read(unit: Json, raw: Json) -> Answer | Unreadable | None:
    """Read what was typed, by whether a unit may be; None for unanswered.

    A canonical answer is read anew, and must come out as it stands.
    """
    if raw is None:
        return None
    if not isinstance(raw, dict):
        return Unreadable("not_an_object", {"where": "answer"})
    if raw.keys() not in FORMS:
        return Unreadable("unknown_field", {"where": "answer"})
    answer = _sent(unit, raw["typed"], raw.get("language", ""))
    if "number" in raw and answer != raw:
        return Unreadable("inconsistent", {"where": "answer"})
    return answer


def _sent(unit: Json, typed: Json, language: Json) -> Answer | Unreadable | None:
    if not isinstance(typed, str):
        return Unreadable("not_a_text", {"where": "typed"})
    if not isinstance(language, str) or not _LANGUAGE.fullmatch(language):
        return Unreadable("not_a_language", {"where": "language"})
    return _typed(unit, typed, language)


def _typed(unit: Json, typed: str, language: str) -> Answer | Unreadable | None:
    if len(typed) > LONGEST:
        return Unreadable(TOO_LONG, {"where": "typed", "maximum": LONGEST})
    typed = visible(typed)
    if not typed:
        return None
    try:
        parsed = numeral(typed, language)
    except Unread as problem:
        return Unreadable(problem.code, {"where": "typed"})
    if parsed.unit and unit == NONE:
        return Unreadable(NOT_A_NUMBER, {"where": "typed"})
    return {
        "typed": typed,
        "language": language,
        "number": ratio_to_json(parsed.number),
        "digits": parsed.digits,
        "unit": parsed.unit,
    }
