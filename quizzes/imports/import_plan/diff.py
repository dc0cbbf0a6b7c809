"""What differs between two states of a question, part by part. Pure."""

import json
from collections.abc import Collection, Iterator, Mapping

from grading.json_types import Json
from grading.schema import FieldType
from quizzes.document import QuestionDocument
from quizzes.imports.import_plan.values import ChangedPart

Parts = dict[tuple[str, str], str]
"""(Part, language) → its text; language "" where it has none."""


def diff_documents(
    before: QuestionDocument,
    after: QuestionDocument,
    names: Mapping[str, str],
    tags: tuple[Collection[str], ...] = ((), ()),
) -> tuple[ChangedPart, ...]:
    """Return every part that differs; `names` are the names of rows by id."""
    old, new = (
        list_parts(document, names) | _tags(tagged)
        for document, tagged in zip((before, after), tags, strict=True)
    )
    return tuple(
        ChangedPart(part, language, old.get((part, language), ""), text)
        for (part, language), text in {**dict.fromkeys(old, ""), **new}.items()
        if old.get((part, language), "") != text
    )


def list_parts(document: QuestionDocument, names: Mapping[str, str]) -> Parts:
    """Return the parts of a question as texts; an empty part is left out."""
    schema = document.schema
    question_data = document.question_data
    contents: Parts = {
        ("kind", ""): document.kind,
        ("scoring_method", ""): document.scoring_method,
    }
    for field in schema.fields:
        contents[field.name, ""] = _to_text(question_data.fields[field.name], field.type, names)
    for table in schema.tables:
        rows = question_data.tables[table.name]
        contents[table.name, ""] = " ".join(names.get(row.id, row.id) for row in rows)
        for row in rows:
            for field in table.fields:
                place = f"{table.name}.{names.get(row.id, row.id)}.{field.name}"
                contents[place, ""] = _to_text(row.values[field.name], field.type, names)
    contents.update(_iter_texts(document, names))
    return {place: text for place, text in contents.items() if text}


def _iter_texts(
    document: QuestionDocument, names: Mapping[str, str]
) -> Iterator[tuple[tuple[str, str], str]]:
    for slot in document.text_slots:
        part = "feedback" if slot.is_feedback else "words"
        where = ".".join(filter(None, (part, slot.part, names.get(slot.id, slot.id))))
        for language in {*document.words, *document.feedback}:
            if text := document.text_at(language, slot):
                yield (where, language), text


def _to_text(value: Json, holds: FieldType, names: Mapping[str, str]) -> str:
    if value is None:
        return ""
    if holds == FieldType.ROW:
        return names.get(str(value), str(value))
    if holds == FieldType.ROWS and isinstance(value, list):
        return " ".join(names.get(str(row_id), str(row_id)) for row_id in value)
    return value if isinstance(value, str) else json.dumps(value)


def _tags(tags: Collection[str]) -> Parts:
    return {("tags", ""): " ".join(sorted(tags))} if tags else {}
