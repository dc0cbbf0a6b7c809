"""Which feedback an answer calls up: by what was chosen, by the score, by a combination.

Only ids come out; the layers above decide whether and with which texts they are shown.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grading.contract import ItemScore, Problem
from grading.json_types import Content, Json, Key, ratio_from_json
from grading.schema import (
    COMBINATION_FEEDBACK,
    SCORE_FEEDBACK,
    FieldType,
    QuestionData,
    QuestionRow,
    QuestionSchema,
)


@dataclass(frozen=True, slots=True)
class TriggeredFeedback:
    """The ids of the feedback due: `called` rows the answer called up, `band` "" for none.

    `right` are those of the called that were right.
    """

    rows: frozenset[str] = frozenset()
    score_feedback: str = ""
    combination_feedback: tuple[str, ...] = ()
    right_rows: frozenset[str] = frozenset()


def validate(schema: QuestionSchema, content: Content, key: Key) -> Iterator[Problem]:
    """Yield what is wrong with bands and combinations; never raises, whatever the draft holds."""
    question = schema.load(content, key)
    yield from _check_bands(question.tables.get(SCORE_FEEDBACK.name, ()))
    option_ids = {row.id for row in question.tables.get("options", ())}
    for row in question.tables.get(COMBINATION_FEEDBACK.name, ()):
        yield from _check_combination(row, option_ids)


def _check_bands(rows: Sequence[QuestionRow]) -> Iterator[Problem]:
    starts = set()
    for row in rows:
        where = f"score_feedback.{row.id}"
        try:
            start = ratio_from_json(row.values["from"])
        except ValueError:
            yield Problem(where, "band_is_no_ratio", {})
            continue
        if not 0 <= start <= 1:
            yield Problem(where, "band_out_of_range", {})
        if start in starts:
            yield Problem(where, "band_twice", {})
        starts.add(start)


def _check_combination(row: QuestionRow, option_ids: set[str]) -> Iterator[Problem]:
    where = f"combination_feedback.{row.id}"
    chosen = row.values["chosen"]
    if not isinstance(chosen, list) or not chosen:
        yield Problem(where, "combination_empty", {})
    elif not all(isinstance(id_, str) and id_ in option_ids for id_ in chosen):
        yield Problem(where, "unknown_option", {})
    if not isinstance(row.values["exactly"], bool):
        yield Problem(where, "not_true_or_false", {"field": "exactly"})


def find_triggered_feedback(
    schema: QuestionSchema, content: Content, key: Key, mark: ItemScore
) -> TriggeredFeedback:
    """Return the feedback that this mark calls up; content and key have passed their checks."""
    question = schema.load(content, key)
    called = {line.part for line in mark.ledger if line.chosen}
    options = {row.id for row in question.tables.get("options", ())} & called
    return TriggeredFeedback(
        frozenset(called | set(_parents(schema, question, called))),
        _band(question.tables.get(SCORE_FEEDBACK.name, ()), mark),
        tuple(
            row.id
            for row in question.tables.get(COMBINATION_FEEDBACK.name, ())
            if _applies(row.values, options)
        ),
        frozenset(line.part for line in mark.ledger if line.chosen and line.right),
    )


def _parents(schema: QuestionSchema, question: QuestionData, called: set[str]) -> Iterator[str]:
    """Yield the ids of the rows that chosen secret rows belong to: a level's criterion, say."""
    for table in schema.tables:
        owners = [
            field.name for field in table.fields if table.secret and field.type == FieldType.ROW
        ]
        for row in question.tables[table.name] if owners else ():
            if row.id in called:
                yield from (str(row.values[name]) for name in owners)


def _band(rows: Sequence[QuestionRow], mark: ItemScore) -> str:
    begun = [
        (begins, row.id)
        for row in rows
        if (begins := ratio_from_json(row.values["from"])) <= mark.credit
    ]
    return max(begun)[1] if begun else ""


def _applies(values: Mapping[str, Json], options: set[str]) -> bool:
    chosen = values["chosen"]
    required = {str(id_) for id_ in chosen} if isinstance(chosen, list) else set()
    return required == options if values["exactly"] else required <= options
