"""What each kind of gap asks of its family: to check its rows, to read, to score, to solve.

A family never learns that it is in a gap: it is given a question of the rows of that gap alone.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from grading.choice import parsing as choice_parsing
from grading.choice import scoring as choice_scoring
from grading.choice import validation as choice_validation
from grading.choice.schema import WEIGHT
from grading.cloze.structure import NUMERIC, SHORT_TEXT, SINGLE_CHOICE, Gap, Rows
from grading.contract import InvalidAnswer, ItemScore, Problem
from grading.json_types import Answer, Content, Json, Key, ratio_to_json
from grading.lower_bound import LOWER_BOUND
from grading.numeric import question as number_question
from grading.partial_credit import ALL_OR_NOTHING, OPTION_WEIGHTS
from grading.short_text import parsing as text_parsing
from grading.short_text import scoring as text_scoring
from grading.short_text import validation as text_validation


@dataclass(frozen=True, slots=True)
class GapKind:
    """The functions of a family over the content and key that the rows of a gap make.

    `answer_field` is what only its answers have.
    """

    answer_field: str
    build_question: Callable[[Gap, Rows, Key], tuple[Content, Key]]
    validate: Callable[[Content, Key], Iterable[Problem]]
    parse: Callable[[Content, Json], Answer | InvalidAnswer | None]
    score: Callable[[Content, Key, Json], ItemScore]
    correct_answer: Callable[[Content, Key], Answer]


LEAST_WEIGHT = Fraction(-1)
"""The least that a gap can earn: what is not below zero is the question, not a gap."""
_BOUND: Content = {LOWER_BOUND.name: ratio_to_json(LEAST_WEIGHT)}


def _build_choice(_gap: Gap, rows: Rows, key: Key) -> tuple[Content, Key]:
    """Return the options, and what is right; what else the key says is for other gaps."""
    listed, weights = key.get("right"), key.get(WEIGHT.stored_name)
    right = {id_ for id_ in listed if isinstance(id_, str)} if isinstance(listed, list) else set()
    ids = [id_ for row in rows if isinstance(id_ := row.get("id"), str)]
    gap_key: dict[str, Json] = {"right": [id_ for id_ in ids if id_ in right]}
    if isinstance(weights, Mapping):
        weights = {id_: weights[id_] for id_ in ids if id_ in weights}
    if weights:
        gap_key[WEIGHT.stored_name] = weights
    return {"options": list(rows), **_BOUND}, gap_key


def _choose_method(key: Key) -> str:
    """Return how a gap with options is scored: by weights where any of them has one."""
    return OPTION_WEIGHTS if WEIGHT.stored_name in key else ALL_OR_NOTHING


def _validate_choice(content: Content, key: Key) -> Iterable[Problem]:
    methods = (ALL_OR_NOTHING, OPTION_WEIGHTS)
    return choice_validation.validate(
        content, key, _choose_method(key), methods=methods, many=False
    )


def _score_choice(content: Content, key: Key, answer: Json) -> ItemScore:
    return choice_scoring.score(content, key, answer, _choose_method(key))


def _build_text(gap: Gap, rows: Rows, _key: Key) -> tuple[Content, Key]:
    """Return how what is typed in the gap is compared, and its accepted answers."""
    return {**gap.comparison, **_BOUND}, {"accepted": list(rows)}


def _build_number(_gap: Gap, rows: Rows, _key: Key) -> tuple[Content, Key]:
    return _BOUND, {"numbers": list(rows)}


def _parse_number(content: Content, raw: Json) -> Answer | InvalidAnswer | None:
    """Read a number; a page sends language and separator along even where nothing was typed."""
    if isinstance(raw, dict) and raw.keys() <= {"language", "separator"}:
        return None
    return number_question.parse(content, raw)


GAP_KINDS: Mapping[str, GapKind] = {
    SINGLE_CHOICE: GapKind(
        "chosen",
        _build_choice,
        _validate_choice,
        partial(choice_parsing.parse, many=False),
        _score_choice,
        choice_scoring.correct_answer,
    ),
    SHORT_TEXT: GapKind(
        "text",
        _build_text,
        text_validation.validate,
        text_parsing.parse,
        text_scoring.score,
        text_scoring.correct_answer,
    ),
    NUMERIC: GapKind(
        "typed",
        _build_number,
        number_question.validate,
        _parse_number,
        number_question.score,
        number_question.correct_answer,
    ),
}
