"""Which feedback an answer triggers: by what was chosen, by the score, by a combination.

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
    """The ids of the feedback on an answer; `score_feedback` is "" for none.

    `right_rows` are those of the `rows` that were right.
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
    schema: QuestionSchema, content: Content, key: Key, item_score: ItemScore
) -> TriggeredFeedback:
    """Return the feedback that this score triggers; content and key have passed their checks."""
    question = schema.load(content, key)
    chosen_ids = {line.part for line in item_score.ledger if line.chosen}
    options = {row.id for row in question.tables.get("options", ())} & chosen_ids
    return TriggeredFeedback(
        frozenset(chosen_ids | set(_parents(schema, question, chosen_ids))),
        _band(question.tables.get(SCORE_FEEDBACK.name, ()), item_score),
        tuple(
            row.id
            for row in question.tables.get(COMBINATION_FEEDBACK.name, ())
            if _applies(row.values, options)
        ),
        frozenset(line.part for line in item_score.ledger if line.chosen and line.right),
    )


def _parents(schema: QuestionSchema, question: QuestionData, chosen_ids: set[str]) -> Iterator[str]:
    """Yield the ids of the rows that chosen secret rows belong to: a level's criterion, say."""
    for table in schema.tables:
        owners = [
            field.name for field in table.fields if table.secret and field.type == FieldType.ROW
        ]
        for row in question.tables[table.name] if owners else ():
            if row.id in chosen_ids:
                yield from (str(row.values[name]) for name in owners)


def _band(rows: Sequence[QuestionRow], item_score: ItemScore) -> str:
    reached = [
        (begins, row.id)
        for row in rows
        if (begins := ratio_from_json(row.values["from"])) <= item_score.credit
    ]
    return max(reached)[1] if reached else ""


def _applies(values: Mapping[str, Json], options: set[str]) -> bool:
    chosen = values["chosen"]
    required = {str(id_) for id_ in chosen} if isinstance(chosen, list) else set()
    return required == options if values["exactly"] else required <= options
