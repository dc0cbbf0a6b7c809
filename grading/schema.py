"""The schema of a kind: the fields, rows and texts that its questions are made of, in one place.

The bank reads here which texts must be there, the authoring page what to ask for, bank files what
to write, reveal which texts are secret. None of them knows a kind by name.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import StrEnum

from grading.json_types import Content, Json, Key


class FieldType(StrEnum):
    """The type of a field, and how it stands in JSON."""

    FLAG = "flag"  # true or false
    RATIO = "ratio"  # [numerator, denominator]
    COUNT = "count"  # a whole number from 0
    LINE = "line"  # a text on one line, the same in every language
    CHOICE = "choice"  # one of `choices`
    ROW = "row"  # the id of a row of the table `choices[0]`
    ROWS = "rows"  # ids of rows of the table `choices[0]`, a list


@dataclass(frozen=True, slots=True)
class Field:
    """A value that is the same in every language.

    `secret`: it stands in the key. `key_name`: its name there, where that differs from `name`.
    `as_typed`: blanks at the ends of a line are part of it. `about_feedback`: it stands in the key,
    where it is not its default, and says when feedback may be shown, nothing of what is right.
    """

    name: str
    type: FieldType
    secret: bool = False
    default: Json = None
    choices: tuple[str, ...] = ()
    key_name: str = ""
    as_typed: bool = False
    about_feedback: bool = False

    @property
    def stored_name(self) -> str:
        """The name it is stored under."""
        return self.key_name or self.name


PLACEHOLDER = Field("placeholder", FieldType.LINE)
"""What stands for a row in a text, between [[ and ]]."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text that each language has. `is_feedback`: only reveal may show it."""

    name: str
    required: bool = False
    is_feedback: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that each have an id, fields, and texts under that id.

    `secret`: its rows stand in the key whole, and a taker never learns of them. Else they stand in
    the content, and of their fields only the secret ones in the key: flags as the list of ids that
    have them, others as id → value.
    `order_key`: the order of the rows is secret; it stands in the key under this name, and the
    content has the rows by id.
    `placeholder_in`: each row has a `placeholder`, and `[[placeholder]]` stands once in this text,
    in each language.
    `reveals_key`: the feedback on a row reveals what is right (its match, its place): it is shown
    for rows that were right, and for others only together with the key.
    `fixed_rows`: the rows there must be, no others, each by its name with its values.
    """

    name: str
    fields: tuple[Field, ...] = ()
    texts: tuple[Text, ...] = ()
    secret: bool = False
    order_key: str = ""
    placeholder_in: str = ""
    reveals_key: bool = False
    fixed_rows: Mapping[str, Mapping[str, Json]] = dataclass_field(default_factory=dict)

    @property
    def row_fields(self) -> tuple[Field, ...]:
        """The fields of a row, its placeholder first where it has one."""
        return (PLACEHOLDER, *self.fields) if self.placeholder_in else self.fields

    @property
    def key_fields(self) -> tuple[Field, ...]:
        """The fields that say what is right."""
        return tuple(field for field in self.fields if field.secret and not field.about_feedback)


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One row: its id, and its fields by name; what a draft does not say has the default."""

    id: str
    values: Mapping[str, Json] = dataclass_field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class QuestionData:
    """Content and key as the schema has them: fields by name, and rows by table, in their order."""

    fields: Mapping[str, Json] = dataclass_field(default_factory=dict)
    tables: Mapping[str, Sequence[QuestionRow]] = dataclass_field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TextSlot:
    """One text of a question: its part, and the id of its row ("" where it is of no row)."""

    part: str
    id: str
    required: bool
    is_feedback: bool

    @property
    def path(self) -> str:
        """Its path within the texts of a language, as problems name it."""
        return f"{self.part}.{self.id}" if self.id else self.part


@dataclass(frozen=True, slots=True)
class QuestionSchema:
    """What a question of a kind is made of. Not `graded`: for study, it earns and costs nothing."""

    texts: tuple[Text, ...]
    fields: tuple[Field, ...] = ()
    tables: tuple[Table, ...] = ()
    graded: bool = True

    def load(self, content: Content, key: Key) -> QuestionData:
        """Return the fields and rows of a question in any state; what is malformed is left out."""
        return QuestionData(
            {
                field.name: _source(field, content, key).get(field.stored_name, field.default)
                for field in self.fields
            },
            {table.name: tuple(_rows(table, content, key)) for table in self.tables},
        )

    def dump(self, question: QuestionData) -> tuple[dict[str, Json], dict[str, Json]]:
        """Return content and key; `load` reads them back."""
        content: dict[str, Json] = {}
        key: dict[str, Json] = {}
        for table in self.tables:
            _store(table, question.tables.get(table.name, ()), content, key)
        for field in self.fields:
            value = question.fields.get(field.name, field.default)
            if value is not None and not _is_left_out(field, value):
                (key if field.secret else content)[field.stored_name] = value
        return content, key

    def list_row_ids(self, content: Content, key: Key) -> tuple[str, ...]:
        """Return the ids of all rows, table by table."""
        return tuple(row.id for rows in self.load(content, key).tables.values() for row in rows)

    def iter_text_slots(self, question: QuestionData) -> Iterator[TextSlot]:
        """Yield every text that a question has or may have in each language."""
        for text in self.texts:
            yield TextSlot(text.name, "", text.required, text.is_feedback)
        for table in self.tables:
            for row in question.tables[table.name]:
                for text in table.texts:
                    yield TextSlot(text.name, row.id, text.required, text.is_feedback)

    def map_placeholders(self, content: Content, text: str) -> dict[str, str]:
        """Return the placeholders in this text, each with the id of its row."""
        question = self.load(content, {})
        return {
            str(row.values[PLACEHOLDER.name]): row.id
            for table in self.tables
            if table.placeholder_in == text
            for row in question.tables[table.name]
            if row.values[PLACEHOLDER.name]
        }

    def list_public_parts(self) -> frozenset[str]:
        """Return the parts of feedback about rows that a taker sees."""
        return frozenset(
            text.name
            for table in self.tables
            if not table.secret
            for text in table.texts
            if text.is_feedback
        )

    def list_key_revealing_parts(self) -> frozenset[str]:
        """Return the parts of feedback that reveal what is right."""
        return frozenset(
            text.name
            for table in self.tables
            if table.reveals_key
            for text in table.texts
            if text.is_feedback
        )


PROMPT = Text("prompt", required=True)
EXPLANATION = Text("explanation", is_feedback=True)
READING_LINK = Text("reading_link", is_feedback=True)
"""Where to read on: a web address, or `[text](address)`."""

LEARNING_TEXTS = (EXPLANATION, READING_LINK)
"""What every question may say of itself, apart from the answers."""

HINT_STEP = Text("hint_step", required=True, is_feedback=True)
HINTS = Table("hints", texts=(HINT_STEP,), secret=True)
"""Steps towards the answer, each a little more."""


def build_safe_field(text: str = "") -> Field:
    """Return the field that says that a text, or the feedback on a row, may come before the key."""
    name, stored_name = (f"{text}_safe", "") if text else ("safe", "safe_rows")
    return Field(
        name,
        FieldType.FLAG,
        secret=True,
        default=False,
        key_name=stored_name,
        about_feedback=True,
    )


SAFE = build_safe_field()
EXPLANATION_SAFE = build_safe_field(EXPLANATION.name)

UNCHOSEN = "unchosen"
"""The part of the feedback on a row that the learner did not choose."""

SCORE_FEEDBACK = Table(
    "score_feedback",
    fields=(Field("from", FieldType.RATIO, default=[0, 1]), SAFE),
    texts=(Text("score_feedback", required=True, is_feedback=True),),
    secret=True,
)
"""The feedback on a score: the band that begins highest, at or below the credit."""

COMBINATION_FEEDBACK = Table(
    "combination_feedback",
    fields=(
        Field("chosen", FieldType.ROWS, default=[], choices=("options",)),
        Field("exactly", FieldType.FLAG, default=False),
        SAFE,
    ),
    texts=(Text("combination_feedback", required=True, is_feedback=True),),
    secret=True,
)
"""The feedback when these options were chosen together: beside others, or exactly these."""


def _source(field: Field, content: Content, key: Key) -> Content:
    return key if field.secret else content


def _listed(holder: Content, name: str) -> Iterator[Mapping[str, Json]]:
    listed = holder.get(name)
    for entry in listed if isinstance(listed, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("id"), str) and entry["id"]:
            yield entry


def _rows(table: Table, content: Content, key: Key) -> Iterator[QuestionRow]:
    entries = list(_listed(key if table.secret else content, table.name))
    if table.order_key:
        order = key.get(table.order_key)
        at = {
            id_: n
            for n, id_ in enumerate(order if isinstance(order, list) else ())
            if isinstance(id_, str)
        }
        entries.sort(key=lambda entry: at.get(str(entry["id"]), len(at)))
    for entry in entries:
        id_ = str(entry["id"])
        yield QuestionRow(
            id_, {field.name: _value(table, field, entry, key) for field in table.row_fields}
        )


def _value(table: Table, field: Field, entry: Mapping[str, Json], key: Key) -> Json:
    if table.secret or not field.secret:
        return entry.get(field.stored_name, field.default)
    stored = key.get(field.stored_name)
    if field.type == FieldType.FLAG:
        return isinstance(stored, list) and entry["id"] in stored
    return (
        stored.get(str(entry["id"]), field.default) if isinstance(stored, dict) else field.default
    )


def _store(
    table: Table, rows: Sequence[QuestionRow], content: dict[str, Json], key: dict[str, Json]
) -> None:
    inline = [field for field in table.row_fields if table.secret or not field.secret]
    entries: list[dict[str, Json]] = [
        {"id": row.id}
        | {
            field.stored_name: value
            for field in inline
            if (value := _of(row, field)) is not None and not _is_left_out(field, value)
        }
        for row in rows
    ]
    if table.order_key:
        key[table.order_key] = [row.id for row in rows]
        entries.sort(key=lambda entry: str(entry["id"]))
    if entries or not table.secret:
        (key if table.secret else content)[table.name] = entries
    for field in table.fields:
        if field.secret and not table.secret:
            _store_apart(field, rows, key)


def _store_apart(field: Field, rows: Sequence[QuestionRow], key: dict[str, Json]) -> None:
    if field.type == FieldType.FLAG:
        ids: list[Json] = [row.id for row in rows if _of(row, field)]
        if ids or not field.about_feedback:
            key[field.stored_name] = ids
        return
    values = {row.id: value for row in rows if (value := _of(row, field)) is not None}
    if values:
        key[field.stored_name] = values


def _is_left_out(field: Field, value: Json) -> bool:
    return field.about_feedback and value == field.default


def _of(row: QuestionRow, field: Field) -> Json:
    return row.values.get(field.name, field.default)
