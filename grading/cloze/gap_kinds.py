"""What each kind of gap asks of its family: to check its rows, to read, to mark, to solve.

A family never learns that it is in a gap: it is given the rows of that gap alone.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from grading.choice import parsing as choice_parsing
from grading.choice import scoring as choice_scoring
from grading.choice import validation as choice_validation
from grading.cloze.structure import NUMERIC, SHORT_TEXT, SINGLE_CHOICE, Rows
from grading.contract import InvalidAnswer, ItemScore, Problem
from grading.json_types import Answer, Content, Json, Key
from grading.numeric import correct_answers as number_answers
from grading.numeric import parsing as number_parsing
from grading.numeric import scoring as number_scoring
from grading.numeric import structure as number_structure
from grading.numeric import validation as number_validation
from grading.partial_credit import ALL_OR_NOTHING
from grading.short_text import parsing as text_parsing
from grading.short_text import scoring as text_scoring
from grading.short_text import structure as text_structure
from grading.short_text import validation as text_validation


@dataclass(frozen=True, slots=True)
class GapKind:
    """The verbs of a family over the rows of one gap; `form` is what only its answers have."""

    answer_field: str
    validate: Callable[[Rows, Key], Iterable[Problem]]
    parse: Callable[[Rows, Json], Answer | InvalidAnswer | None]
    score: Callable[[Rows, Key, Json], ItemScore]
    correct_answer: Callable[[Rows, Key], Answer]


def _options(rows: Rows) -> Content:
    return {"options": list(rows)}


def _right(rows: Rows, key: Key) -> Key:
    """Return what is right among these options; whatever else the key says is for other gaps."""
    listed = key.get("right")
    right = {id_ for id_ in listed if isinstance(id_, str)} if isinstance(listed, list) else set()
    ids = (row.get("id") for row in rows)
    return {"right": [id_ for id_ in ids if isinstance(id_, str) and id_ in right]}


def _validate_options(rows: Rows, key: Key) -> Iterable[Problem]:
    return choice_validation.validate(
        _options(rows), _right(rows, key), ALL_OR_NOTHING, methods=(ALL_OR_NOTHING,), many=False
    )


def _validate_texts(rows: Rows, key: Key) -> Iterable[Problem]:
    return text_validation.validate(list(rows), key)


def _validate_numbers(rows: Rows, key: Key) -> Iterable[Problem]:
    return number_validation.validate(number_structure.NONE, list(rows))


def _parse_option(rows: Rows, raw: Json) -> Answer | InvalidAnswer | None:
    return choice_parsing.parse(_options(rows), raw, many=False)


def _parse_text(rows: Rows, raw: Json) -> Answer | InvalidAnswer | None:
    return text_parsing.parse({}, raw)


def _parse_number(rows: Rows, raw: Json) -> Answer | InvalidAnswer | None:
    """Read a number; a page sends its language along even where nothing was typed."""
    if isinstance(raw, dict) and raw.keys() <= {"language"}:
        return None
    return number_parsing.parse(number_structure.NONE, raw)


def _score_option(rows: Rows, key: Key, answer: Json) -> ItemScore:
    return choice_scoring.score(_options(rows), _right(rows, key), answer, ALL_OR_NOTHING)


def _score_text(rows: Rows, key: Key, answer: Json) -> ItemScore:
    return text_scoring.score(
        text_structure.load_rows(list(rows)), text_structure.load_folding(key), answer
    )


def _score_number(rows: Rows, key: Key, answer: Json) -> ItemScore:
    return number_scoring.score(
        number_structure.load_rule(number_structure.NONE, list(rows)), answer
    )


def _solve_option(rows: Rows, key: Key) -> Answer:
    return choice_scoring.correct_answer(_options(rows), _right(rows, key))


def _solve_text(rows: Rows, key: Key) -> Answer:
    return text_scoring.correct_answer(
        text_structure.load_rows(list(rows)), text_structure.load_folding(key)
    )


def _solve_number(rows: Rows, key: Key) -> Answer:
    return number_answers.correct_answer(
        number_structure.load_rule(number_structure.NONE, list(rows))
    )


GAP_KINDS: Mapping[str, GapKind] = {
    SINGLE_CHOICE: GapKind(
        "chosen", _validate_options, _parse_option, _score_option, _solve_option
    ),
    SHORT_TEXT: GapKind("text", _validate_texts, _parse_text, _score_text, _solve_text),
    NUMERIC: GapKind("typed", _validate_numbers, _parse_number, _score_number, _solve_number),
}
