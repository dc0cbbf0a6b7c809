"""Reading a typed number into its canonical answer; nothing here has ever seen a key.

Raw: `{"typed": "3.125", "language": "en", "separator": "decimal"}`, the last two optional.
Canonical: the same with `number` as [numerator, denominator], `digits` as written and `unit` as
compared; `separator` is "" where nobody said it, or where the text can be read in one way only.
Where it can be read in two, `read_by` says whose reading the number is: the `writer`'s, or, as long
as nobody asked, that of the `language`.
"""

import re

from grading.contract import InvalidAnswer
from grading.json_types import Answer, Json, ratio_to_json
from grading.numeric.folding import strip_invisible
from grading.numeric.numeral_error import NOT_A_NUMBER, TOO_LONG, NumeralError
from grading.numeric.numerals import MAX_LENGTH, find_readings, parse_numeral
from grading.numeric.readings import LANGUAGE, WRITER
from grading.numeric.separators import SEPARATORS
from grading.numeric.structure import NONE

RAW_FIELDS = frozenset({"typed", "language", "separator"})
STORED_FIELDS = frozenset({*RAW_FIELDS, "number", "digits", "unit"})
AMBIGUOUS_FIELDS = frozenset({*STORED_FIELDS, "read_by"})
_FORMS = (STORED_FIELDS, AMBIGUOUS_FIELDS)

_LANGUAGE = re.compile("(?:[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3})?")


def parse(unit: Json, raw: Json) -> Answer | InvalidAnswer | None:
    """Read what was typed, by whether a unit may be; None for unanswered.

    A canonical answer is read anew, and must come out as it stands.
    """
    if raw is None:
        return None
    if not isinstance(raw, dict):
        return InvalidAnswer("not_an_object", {"where": "answer"})
    if "typed" not in raw or not (raw.keys() <= RAW_FIELDS or raw.keys() in _FORMS):
        return InvalidAnswer("unknown_field", {"where": "answer"})
    answer = _sent(unit, raw["typed"], raw.get("language", ""), raw.get("separator", ""))
    if "number" in raw and answer != raw:
        return InvalidAnswer("inconsistent", {"where": "answer"})
    return answer


def _sent(
    unit: Json, typed: Json, language: Json, separator: Json
) -> Answer | InvalidAnswer | None:
    if not isinstance(typed, str):
        return InvalidAnswer("not_a_text", {"where": "typed"})
    if not isinstance(language, str) or not _LANGUAGE.fullmatch(language):
        return InvalidAnswer("not_a_language", {"where": "language"})
    if not isinstance(separator, str) or separator not in SEPARATORS:
        return InvalidAnswer("unknown_option", {"where": "separator"})
    return _typed(unit, typed, language, separator)


def _typed(unit: Json, typed: str, language: str, separator: str) -> Answer | InvalidAnswer | None:
    if len(typed) > MAX_LENGTH:
        return InvalidAnswer(TOO_LONG, {"where": "typed", "maximum": MAX_LENGTH})
    typed = strip_invisible(typed)
    if not typed:
        return None
    try:
        parsed = parse_numeral(typed, language, separator)
    except NumeralError as problem:
        return InvalidAnswer(problem.code, {"where": "typed"})
    if parsed.unit and unit == NONE:
        return InvalidAnswer(NOT_A_NUMBER, {"where": "typed"})
    is_ambiguous = find_readings(typed) is not None
    answer: dict[str, Json] = {
        "typed": typed,
        "language": language,
        "separator": separator if is_ambiguous else "",
        "number": ratio_to_json(parsed.number),
        "digits": parsed.digits,
        "unit": parsed.unit,
    }
    return answer | ({"read_by": WRITER if separator else LANGUAGE} if is_ambiguous else {})
