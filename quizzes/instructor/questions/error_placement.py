"""Where on the authoring page a finding is shown: at the nearest control there is, never nowhere.

Controls are named `form.<name>`, `field.<name>`, `text.<stem>.<language>`, `table.<name>`,
`row.<id>`, `row.<id>.<field>`, `row.<id>.<stem>.<language>`, and `page`, which always is.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from grading.schema import QuestionSchema
from quizzes.instructor.questions.form_data import field_prefix
from quizzes.presentation.draft_notes import Note

PAGE = "page"


def place_notes(
    notes: Sequence[Note], schema: QuestionSchema, controls: Collection[str]
) -> dict[str, tuple[Note, ...]]:
    """Return control → the notes to be shown at it; what has no control of its own is at `page`."""
    notes_by_control: dict[str, list[Note]] = defaultdict(list)
    for note in notes:
        near = (
            control for control in candidate_controls(note.where, schema) if control in controls
        )
        notes_by_control[next(near, PAGE)].append(note)
    return {control: tuple(listed) for control, listed in notes_by_control.items()}


def candidate_controls(where: str, schema: QuestionSchema) -> Iterator[str]:
    """Yield the controls that a path may mean, the nearest first."""
    head, *rest = where.split(".")
    if head in {"words", "feedback"} and rest:
        yield from _text_controls(head, rest, schema)
        return
    if head in {"content", "key"} and rest:
        yield from candidate_controls(".".join(rest), schema)
        return
    if not rest:
        yield f"form.{head}"
        yield from (
            f"field.{field.name}"
            for field in schema.fields
            if head in {field.name, field.stored_name}
        )
    else:
        yield from _row_controls(rest)
    yield from _table_controls(head, rest, schema)
    if head in {"content", "key"}:
        yield from (f"table.{table.name}" for table in schema.tables[:1])


def _text_controls(prefix: str, rest: list[str], schema: QuestionSchema) -> Iterator[str]:
    code, part, id_ = (*rest, "", "")[:3]
    if id_:
        yield f"row.{id_}.{prefix}_{part}.{code}"
        yield f"row.{id_}"
    yield f"text.{prefix}_{part}.{code}"
    for table in schema.tables:
        if f"{prefix}_{part}" in {field_prefix(text) for text in table.texts}:
            yield f"table.{table.name}"
    yield from (f"text.{field_prefix(text)}.{code}" for text in schema.texts[:1])


def _row_controls(rest: list[str]) -> Iterator[str]:
    id_, *more = rest
    yield from (f"row.{id_}.{name}" for name in more)
    yield f"row.{id_}"


def _table_controls(head: str, rest: list[str], schema: QuestionSchema) -> Iterator[str]:
    """Yield the controls of the table that has this name, field or key."""
    for table in schema.tables:
        for field in table.row_fields:
            if head in {field.name, field.stored_name}:
                yield from (f"row.{id_}.{field.name}" for id_ in rest[:1])
                yield f"table.{table.name}"
        if head and head in {table.name, table.order_key}:
            yield f"table.{table.name}"
