"""From a parcel's questions to items, once their rows have ids, and back. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from grading.json_types import Json
from grading.kinds import KINDS
from grading.schema import Field, FieldType, QuestionData, QuestionRow, QuestionSchema, Table, Text
from quizzes.document import QuestionDocument
from quizzes.formats.contract import FieldTexts, ParsedQuestion, ParsedRow, Texts

Ids = Mapping[str, str]
"""Name of a row → its id."""


def build_document(question: ParsedQuestion, ids: Ids, source_language: str) -> QuestionDocument:
    """Make the item; `ids` gives each row's name its id."""
    schema = KINDS[question.kind].schema
    content, key = schema.dump(_layout(schema, question, ids))
    texts = list(_texts(question, ids))
    languages = sorted({source_language, *(language for _, _, said in texts for language in said)})
    item = QuestionDocument(
        kind=question.kind,
        scoring_method=question.scoring_method,
        source_language=source_language,
        content=content,
        key=key,
        words={one: _words(one, texts, told=False) for one in languages},
        feedback={one: _words(one, texts, told=True) for one in languages},
    )
    made_from = item.source_digest()
    others = [language for language in languages if language != source_language]
    return QuestionDocument.from_json(
        {**item.to_json(), "translated_from": dict.fromkeys(others, made_from)}
    )


def _layout(schema: QuestionSchema, question: ParsedQuestion, ids: Ids) -> QuestionData:
    return QuestionData(
        question.fields,
        {
            table.name: [_row(table, row, ids) for row in question.tables.get(table.name, ())]
            for table in schema.tables
        },
    )


def _row(table: Table, told: ParsedRow, ids: Ids) -> QuestionRow:
    values = {
        name: _with_ids(_field(table, name), value, ids) for name, value in told.values.items()
    }
    return QuestionRow(ids[told.name], {**values, **table.fixed_rows.get(told.name, {})})


def _field(table: Table, name: str) -> Field | None:
    return next((one for one in table.fields if one.name == name), None)


def _with_ids(one: Field | None, value: Json, ids: Ids) -> Json:
    """Put ids where rows are named; a name that no row has stays, and the check names it."""
    if one and one.type == FieldType.ROW and isinstance(value, str):
        return ids.get(value, value)
    if one and one.type == FieldType.ROWS and isinstance(value, list):
        return [ids.get(str(name), name) for name in value]
    return value


def _texts(question: ParsedQuestion, ids: Ids) -> Iterator[tuple[Text, str, Texts]]:
    """Give every text with the id of its row, "" for those of none."""
    for text, said in question.texts.items():
        yield text, "", said
    for row in question.rows:
        for text, said in row.texts.items():
            yield text, ids[row.name], said


def _words(
    language: str, texts: Iterable[tuple[Text, str, Texts]], *, told: bool
) -> dict[str, Any]:
    words: dict[str, Any] = {}
    for text, id_, said in texts:
        if text.is_feedback != told or language not in said:
            continue
        if id_:
            words.setdefault(text.name, {})[id_] = said[language]
        else:
            words[text.name] = said[language]
    return words


def build_parsed_question(
    name: str, item: QuestionDocument, names: Mapping[str, str], tags: Iterable[str] = ()
) -> ParsedQuestion:
    """Make the parcel's question of an item, every language of it; `names` are id → name.

    The inverse of `to_item`: fields that hold anything are all there, whatever their default.
    """
    schema = KINDS[item.kind].schema
    loaded = schema.load(item.content, item.key)
    return ParsedQuestion(
        line=0,
        name=name,
        kind=item.kind,
        scoring_method=item.scoring_method,
        tags=tuple(tags),
        fields={one: value for one, value in loaded.fields.items() if value is not None},
        texts=_said(item, schema.texts, ""),
        tables={
            table.name: tuple(_told_row(item, table, row, names) for row in rows)
            for table in schema.tables
            if (rows := loaded.tables[table.name])
        },
    )


def _told_row(
    item: QuestionDocument, table: Table, row: QuestionRow, names: Mapping[str, str]
) -> ParsedRow:
    name = names.get(row.id, row.id)
    fixed = table.fixed_rows.get(name, {})
    values = {
        one: _with_ids(_field(table, one), value, names)
        for one, value in row.values.items()
        if value is not None and one not in fixed
    }
    return ParsedRow(0, name, values, _said(item, table.texts, row.id))


def _said(item: QuestionDocument, texts: Iterable[Text], id_: str) -> FieldTexts:
    found: dict[Text, dict[str, str]] = {}
    for text in texts:
        for language, words in (item.feedback if text.is_feedback else item.words).items():
            part = words.get(text.name)
            said = part.get(id_) if id_ and isinstance(part, Mapping) else part
            if isinstance(said, str) and said.strip():
                found.setdefault(text, {})[language] = said
    return found
