"""What each kind of gap asks of its family: to check its rows, to read, to mark, to solve.

A family never learns that it is in a gap: it is given the rows of that gap alone.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from grading.choice import checking as choice_checking
from grading.choice import marking as choice_marking
from grading.choice import reading as choice_reading
from grading.contract import InvalidAnswer, ItemScore, Problem
from grading.gaps.structure import NUMERIC, SHORT_TEXT, SINGLE_CHOICE, Rows
from grading.json_types import Answer, Content, Json, Key
from grading.numbers import checking as number_checking
from grading.numbers import marking as number_marking
from grading.numbers import reading as number_reading
from grading.numbers import solving as number_solving
from grading.numbers import structure as number_structure
from grading.partial import ALL_OR_NOTHING
from grading.texts import checking as text_checking
from grading.texts import marking as text_marking
from grading.texts import reading as text_reading
from grading.texts import structure as text_structure


@dataclass(frozen=True, slots=True)
class Family:
    """The verbs of a family over the rows of one gap; `form` is what only its answers have."""

    form: str
    check: Callable[[Rows, Key], Iterable[Problem]]
    read: Callable[[Rows, Json], Answer | InvalidAnswer | None]
    mark: Callable[[Rows, Key, Json], ItemScore]
    solution: Callable[[Rows, Key], Answer]


def _options(rows: Rows) -> Content:
    return {"options": list(rows)}


def _right(rows: Rows, key: Key) -> Key:
    """Return what is right among these options; whatever else the key says is for other gaps."""
    listed = key.get("right")
    right = {id_ for id_ in listed if isinstance(id_, str)} if isinstance(listed, list) else set()
    ids = (row.get("id") for row in rows)
    return {"right": [id_ for id_ in ids if isinstance(id_, str) and id_ in right]}


def _check_options(rows: Rows, key: Key) -> Iterable[Problem]:
    return choice_checking.check(
        _options(rows),
        _right(rows, key),
        ALL_OR_NOTHING,
        methods=(ALL_OR_NOTHING,),
        many=False,
    )


def _check_texts(rows: Rows, key: Key) -> Iterable[Problem]:
    return text_checking.check(list(rows), key)


def _check_numbers(rows: Rows, key: Key) -> Iterable[Problem]:
    return number_checking.check(number_structure.NONE, list(rows))


def _read_option(rows: Rows, raw: Json) -> Answer | InvalidAnswer | None:
    return choice_reading.read(_options(rows), raw, many=False)


def _read_text(rows: Rows, raw: Json) -> Answer | InvalidAnswer | None:
    return text_reading.read({}, raw)


def _read_number(rows: Rows, raw: Json) -> Answer | InvalidAnswer | None:
    """Read a number; a page sends its language along even where nothing was typed."""
    if isinstance(raw, dict) and raw.keys() <= {"language"}:
        return None
    return number_reading.read(number_structure.NONE, raw)


def _mark_option(rows: Rows, key: Key, answer: Json) -> ItemScore:
    return choice_marking.mark(_options(rows), _right(rows, key), answer, ALL_OR_NOTHING)


def _mark_text(rows: Rows, key: Key, answer: Json) -> ItemScore:
    return text_marking.mark(text_structure.rows(list(rows)), text_structure.folding(key), answer)


def _mark_number(rows: Rows, key: Key, answer: Json) -> ItemScore:
    return number_marking.mark(number_structure.rule(number_structure.NONE, list(rows)), answer)


def _solve_option(rows: Rows, key: Key) -> Answer:
    return choice_marking.model_answer(_options(rows), _right(rows, key))


def _solve_text(rows: Rows, key: Key) -> Answer:
    return text_marking.model_answer(text_structure.rows(list(rows)), text_structure.folding(key))


def _solve_number(rows: Rows, key: Key) -> Answer:
    return number_solving.model_answer(number_structure.rule(number_structure.NONE, list(rows)))


FAMILIES: Mapping[str, Family] = {
    SINGLE_CHOICE: Family("chosen", _check_options, _read_option, _mark_option, _solve_option),
    SHORT_TEXT: Family("text", _check_texts, _read_text, _mark_text, _solve_text),
    NUMERIC: Family("typed", _check_numbers, _read_number, _mark_number, _solve_number),
}
