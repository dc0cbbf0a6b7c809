"""Questions of any kind, made of the examples in `fixtures/kinds`; no kind is named here.

Their ids stay the words that the examples have, and every text that a kind's schema names gets a
text in both languages.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from grading.json_types import Content, Json, Key
from grading.kinds import KINDS
from grading.schema import PROMPT, READING_LINK, Field, FieldType, QuestionData, QuestionRow, Table
from quizzes.bank import services
from quizzes.bank.models import Bank, Question
from quizzes.bank.selectors import PublicVersion, prompt_gaps, render_texts
from quizzes.document import QuestionDocument
from tests.factories import NOW
from tests.grading.examples import EXAMPLES, Example, examples, load

LANGUAGES = {"en": "Text of", "es": "Texto de"}


@dataclass(frozen=True)
class Sample:
    """One question of the examples of a kind, and the examples that answer it."""

    kind: str
    name: str
    content: Content
    key: Key
    scoring_methods: Sequence[str]
    examples: Sequence[Example]

    def __str__(self) -> str:
        return f"{self.kind}: {self.name}"

    @property
    def raws(self) -> list[Json]:
        """The raw answers of its examples, one each, the unreadable ones among them."""
        return [example.raw for example in self.examples]

    @property
    def readable(self) -> list[Example]:
        """Those of its examples whose answers can be kept."""
        return [example for example in self.examples if example.shows != "format_error"]


def samples() -> list[Sample]:
    """Return every question of every kind."""
    return [
        Sample(
            kind,
            name,
            source["content"],
            source["key"],
            source["scoring_methods"],
            [example for example in examples(kind) if example.source["question"] == name],
        )
        for kind in KINDS
        for name, source in load(EXAMPLES / f"{kind}.json")["questions"].items()
    ]


def document(sample: Sample, key: Key | None = None, prefix: str = "Said of") -> QuestionDocument:
    """Return the question with texts; `key` and the feedback texts (`said`) may be others."""
    key = sample.key if key is None else key
    schema = KINDS[sample.kind].schema
    words: dict[str, dict[str, Any]] = {language: {} for language in LANGUAGES}
    feedback: dict[str, dict[str, Any]] = {language: {} for language in LANGUAGES}
    for slot in schema.iter_text_slots(schema.load(sample.content, key)):
        for language, text in LANGUAGES.items():
            table = (feedback if slot.is_feedback else words)[language]
            wording = f"{prefix if slot.is_feedback else text} {slot.id or slot.part} ({language})"
            if slot.part == READING_LINK.name:
                wording = f"[{wording}](https://example.org/{language})"
            if slot.id:
                table.setdefault(slot.part, {})[slot.id] = wording
            else:
                table[slot.part] = wording
    for language in LANGUAGES:
        gaps = "".join(
            f" … [[{mark}]]" for mark in schema.map_placeholders(sample.content, PROMPT.name)
        )
        words[language][PROMPT.name] += gaps
    return QuestionDocument(
        kind=sample.kind,
        scoring_method=sample.scoring_methods[0],
        content=sample.content,
        key=key,
        words=words,
        feedback=feedback,
    )


def public_version(sample: Sample) -> PublicVersion:
    """Return the question as a learner's page gets it, without a database."""
    question_document = document(sample)
    gaps = prompt_gaps(sample.kind, sample.content)
    return PublicVersion(
        uuid4(),
        0,
        sample.kind,
        question_document.scoring_method,
        sample.content,
        "en",
        {
            language: render_texts(language, question_document.words[language], gaps)
            for language in LANGUAGES
        },
    )


def publish_document(into: Bank, name: str, question_document: QuestionDocument) -> Question:
    """Publish a question with whatever ids it has."""
    question = services.add_question(bank=into, name=name, item=question_document, by=None)
    services.publish(question=question, by=None, now=NOW)
    question.refresh_from_db()
    return question


def other_key(sample: Sample) -> Key:
    """Return another key that fits the same content; the same one if there is no other.

    Everything secret is changed that can be: what is right, what goes with what, the order of
    rows, tolerances, how many answers are accepted.
    """
    kind = KINDS[sample.kind]
    loaded = kind.schema.load(sample.content, sample.key)
    content, key = kind.schema.dump(loaded)
    for change in _changes(kind.schema.fields, kind.schema.tables):
        for changed in change(loaded):
            new_content, new_key = kind.schema.dump(changed)
            fits = not kind.validate(new_content, new_key, sample.scoring_methods[0])
            if fits and new_content == content and new_key != key:
                loaded, key = changed, new_key
                break
    return key


def _changes(fields: Sequence[Field], tables: Sequence[Table]) -> Iterator[Any]:
    for field in fields:
        if field.secret and not field.about_feedback:
            yield lambda loaded, field=field: _other_field(loaded, field)
    for table in tables:
        for field in table.fields:
            if (table.secret or field.secret) and not field.about_feedback:
                yield lambda loaded, table=table, field=field: _shifted(loaded, table, field)
                yield lambda loaded, table=table, field=field: _changed(loaded, table, field)
        if table.secret:
            yield lambda loaded, table=table: _longer(loaded, table)
        if table.order_key:
            yield lambda loaded, table=table: [
                _with(loaded, table, loaded.tables[table.name][::-1])
            ]


def _with(loaded: QuestionData, table: Table, rows: Sequence[QuestionRow]) -> QuestionData:
    return replace(loaded, tables={**loaded.tables, table.name: tuple(rows)})


def _other_field(loaded: QuestionData, field: Field) -> Iterator[QuestionData]:
    for value in _other(field, loaded.fields[field.name]):
        yield replace(loaded, fields={**loaded.fields, field.name: value})


def _shifted(loaded: QuestionData, table: Table, field: Field) -> Iterator[QuestionData]:
    """Shift the values of a column to other rows, by one and more."""
    rows = loaded.tables[table.name]
    for by in range(1, len(rows)):
        values = [row.values[field.name] for row in rows]
        yield _with(loaded, table, list(_put(rows, field, [*values[by:], *values[:by]])))


def _changed(loaded: QuestionData, table: Table, field: Field) -> Iterator[QuestionData]:
    """Change the values of a column, all of them, or one alone."""
    rows = loaded.tables[table.name]
    for number in range(len(rows)):
        for value in _other(field, rows[number].values[field.name]):
            values = [row.values[field.name] for row in rows]
            values[number] = value
            yield _with(loaded, table, list(_put(rows, field, values)))


def _longer(loaded: QuestionData, table: Table) -> Iterator[QuestionData]:
    for row in loaded.tables[table.name]:
        more = QuestionRow(f"{row.id}-more", _with_other_texts(table, row.values))
        yield _with(loaded, table, [*loaded.tables[table.name], more])


def _with_other_texts(table: Table, values: Mapping[str, Json]) -> dict[str, Json]:
    texts = {field.name for field in table.fields if field.type == FieldType.LINE}
    return {name: f"{value}9" if name in texts else value for name, value in values.items()}


def _put(
    rows: Sequence[QuestionRow], field: Field, values: Sequence[Json]
) -> Iterator[QuestionRow]:
    for row, value in zip(rows, values, strict=True):
        yield QuestionRow(row.id, {**row.values, field.name: value})


def _other(field: Field, value: Json) -> Sequence[Json]:
    match field.type:
        case FieldType.FLAG:
            return [not value]
        case FieldType.COUNT:
            return [value + 1, value - 1] if isinstance(value, int) else [1]
        case FieldType.RATIO:
            return [[1, 2], [1, 4]]
        case FieldType.LINE:
            return [f"{value}7", "7"]
        case FieldType.CHOICE:
            return [choice for choice in field.choices if choice != value]
        case _:
            return []
