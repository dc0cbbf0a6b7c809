"""The shape of a kind: the fields, rows and texts that its questions are made of, in one place.

The bank reads here which texts must be there, the authoring page what to ask for, bank files what
to write, reveal which texts are secret. None of them knows a kind by name.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from enum import StrEnum

from grading.plain import Content, Json, Key


class Holds(StrEnum):
    """What a field holds, and how it stands in JSON."""

    FLAG = "flag"  # true or false
    RATIO = "ratio"  # [numerator, denominator]
    COUNT = "count"  # a whole number from 0
    LINE = "line"  # a text on one line, the same in every language
    CHOICE = "choice"  # one of `among`
    ROW = "row"  # the id of a row of the table `among[0]`
    ROWS = "rows"  # ids of rows of the table `among[0]`, a list


@dataclass(frozen=True, slots=True)
class Field:
    """A value that is the same in every language.

    `secret`: it stands in the key. `stored`: its name there, where that differs from `name`.
    """

    name: str
    holds: Holds
    secret: bool = False
    default: Json = None
    among: tuple[str, ...] = ()
    stored: str = ""

    @property
    def place(self) -> str:
        """The name it is stored under."""
        return self.stored or self.name


@dataclass(frozen=True, slots=True)
class Text:
    """A text that each language has. `told`: only reveal may show it (it is feedback)."""

    name: str
    required: bool = False
    told: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that each have an id, fields, and texts under that id.

    `secret`: its rows stand in the key whole, and a taker never learns of them. Else they stand in
    the content, and of their fields only the secret ones in the key: flags as the list of ids that
    have them, others as id → value.
    `order`: the order of the rows is secret; it stands in the key under this name, and the content
    has the rows by id.
    `marked`: each row has a line `mark`, and `[[mark]]` stands once in this text, in each language.
    `when_right`: the feedback on a row reveals what is right (its match, its place): it is shown
    for rows that were right, and for others only together with the key.
    `fixed`: the rows there must be, no others, each by its name with its values.
    """

    name: str
    fields: tuple[Field, ...] = ()
    texts: tuple[Text, ...] = ()
    secret: bool = False
    order: str = ""
    marked: str = ""
    when_right: bool = False
    fixed: Mapping[str, Mapping[str, Json]] = dataclass_field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shape:
    """What a question of a kind is made of. Not `graded`: for study, it earns and costs nothing."""

    texts: tuple[Text, ...]
    fields: tuple[Field, ...] = ()
    tables: tuple[Table, ...] = ()
    graded: bool = True


PROMPT = Text("prompt", required=True)
EXPLANATION = Text("explanation", told=True)

UNCHOSEN = "unchosen"
"""The part of the feedback on a row that the learner did not choose."""

BANDS = Table(
    "bands",
    fields=(Field("from", Holds.RATIO, default=[0, 1]),),
    texts=(Text("bands", required=True, told=True),),
    secret=True,
)
"""The feedback on a score: the band that begins highest, at or below the credit."""

COMBINATIONS = Table(
    "combinations",
    fields=(
        Field("chosen", Holds.ROWS, default=[], among=("options",)),
        Field("exactly", Holds.FLAG, default=False),
    ),
    texts=(Text("combinations", required=True, told=True),),
    secret=True,
)
"""The feedback when these options were chosen together: beside others, or exactly these."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its id, and its fields by name; what a draft does not say has the default."""

    id: str
    values: Mapping[str, Json] = dataclass_field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Layout:
    """Content and key laid out by the shape: fields by name, and rows by table, in their order."""

    fields: Mapping[str, Json] = dataclass_field(default_factory=dict)
    tables: Mapping[str, Sequence[Row]] = dataclass_field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a text stands: part, and id of the row within ("" where it is of no row)."""

    part: str
    id: str
    required: bool
    told: bool

    @property
    def path(self) -> str:
        """The place within its table of words, as problems name it."""
        return f"{self.part}.{self.id}" if self.id else self.part


def lay_out(shape: Shape, content: Content, key: Key) -> Layout:
    """Lay out a question, whatever state its draft is in: what is malformed is left out."""
    return Layout(
        {
            field.name: _source(field, content, key).get(field.place, field.default)
            for field in shape.fields
        },
        {table.name: tuple(_rows(table, content, key)) for table in shape.tables},
    )


def put_together(shape: Shape, layout: Layout) -> tuple[dict[str, Json], dict[str, Json]]:
    """Return content and key of a layout; `lay_out` reads them back."""
    content: dict[str, Json] = {}
    key: dict[str, Json] = {}
    for table in shape.tables:
        _store(table, layout.tables.get(table.name, ()), content, key)
    for field in shape.fields:
        value = layout.fields.get(field.name, field.default)
        if value is not None:
            (key if field.secret else content)[field.place] = value
    return content, key


def row_ids(shape: Shape, content: Content, key: Key) -> tuple[str, ...]:
    """Return the ids of all rows, table by table."""
    return tuple(row.id for rows in lay_out(shape, content, key).tables.values() for row in rows)


def places(shape: Shape, content: Content, key: Key) -> Iterator[Place]:
    """Yield every text that a question has or may have in each language."""
    for text in shape.texts:
        yield Place(text.name, "", text.required, text.told)
    layout = lay_out(shape, content, key)
    for table in shape.tables:
        for row in layout.tables[table.name]:
            for text in table.texts:
                yield Place(text.name, row.id, text.required, text.told)


def marks(shape: Shape, content: Content, text: str) -> dict[str, str]:
    """Return the marks that stand in this text, each with the id of its row."""
    layout = lay_out(shape, content, {})
    return {
        str(row.values["mark"]): row.id
        for table in shape.tables
        if table.marked == text
        for row in layout.tables[table.name]
        if row.values["mark"]
    }


def public_parts(shape: Shape) -> frozenset[str]:
    """Return the parts of feedback about rows that a taker sees."""
    return frozenset(
        text.name for table in shape.tables if not table.secret for text in table.texts if text.told
    )


def parts_when_right(shape: Shape) -> frozenset[str]:
    """Return the parts of feedback that reveal what is right."""
    return frozenset(
        text.name for table in shape.tables if table.when_right for text in table.texts if text.told
    )


def _source(field: Field, content: Content, key: Key) -> Content:
    return key if field.secret else content


def _listed(holder: Content, name: str) -> Iterator[Mapping[str, Json]]:
    listed = holder.get(name)
    for entry in listed if isinstance(listed, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("id"), str) and entry["id"]:
            yield entry


def _rows(table: Table, content: Content, key: Key) -> Iterator[Row]:
    entries = list(_listed(key if table.secret else content, table.name))
    if table.order:
        order = key.get(table.order)
        at = {
            id_: n
            for n, id_ in enumerate(order if isinstance(order, list) else ())
            if isinstance(id_, str)
        }
        entries.sort(key=lambda entry: at.get(str(entry["id"]), len(at)))
    for entry in entries:
        id_ = str(entry["id"])
        yield Row(id_, {field.name: _value(table, field, entry, key) for field in _fields(table)})


def _fields(table: Table) -> tuple[Field, ...]:
    return (Field("mark", Holds.LINE), *table.fields) if table.marked else table.fields


def _value(table: Table, field: Field, entry: Mapping[str, Json], key: Key) -> Json:
    if table.secret or not field.secret:
        return entry.get(field.place, field.default)
    stored = key.get(field.place)
    if field.holds == Holds.FLAG:
        return isinstance(stored, list) and entry["id"] in stored
    return (
        stored.get(str(entry["id"]), field.default) if isinstance(stored, dict) else field.default
    )


def _store(
    table: Table, rows: Sequence[Row], content: dict[str, Json], key: dict[str, Json]
) -> None:
    inline = [field for field in _fields(table) if table.secret or not field.secret]
    entries: list[dict[str, Json]] = [
        {"id": row.id}
        | {field.place: value for field in inline if (value := _of(row, field)) is not None}
        for row in rows
    ]
    if table.order:
        key[table.order] = [row.id for row in rows]
        entries.sort(key=lambda entry: str(entry["id"]))
    if entries or not table.secret:
        (key if table.secret else content)[table.name] = entries
    for field in table.fields:
        if field.secret and not table.secret:
            _store_apart(field, rows, key)


def _store_apart(field: Field, rows: Sequence[Row], key: dict[str, Json]) -> None:
    if field.holds == Holds.FLAG:
        key[field.place] = [row.id for row in rows if _of(row, field)]
        return
    values = {row.id: value for row in rows if (value := _of(row, field)) is not None}
    if values:
        key[field.place] = values


def _of(row: Row, field: Field) -> Json:
    return row.values.get(field.name, field.default)
