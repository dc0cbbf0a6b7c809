"""Two states of a question, part by part: what a digest cannot tell. Pure."""

import json
from collections.abc import Collection, Iterator, Mapping

from grading.json_types import Json
from grading.schema import FieldType
from quizzes.document import QuestionDocument
from quizzes.imports.import_plan.values import ChangedPart

Parts = dict[tuple[str, str], str]
"""(Part, language) → what it says; language "" where it has none."""


def diff_documents(
    before: QuestionDocument,
    after: QuestionDocument,
    names: Mapping[str, str],
    tags: tuple[Collection[str], ...] = ((), ()),
) -> tuple[ChangedPart, ...]:
    """Name every part that differs; `names` are the short names of rows by id."""
    old, new = (
        list_parts(item, names) | _tags(tagged)
        for item, tagged in zip((before, after), tags, strict=True)
    )
    return tuple(
        ChangedPart(part, language, old.get((part, language), ""), text)
        for (part, language), text in {**dict.fromkeys(old, ""), **new}.items()
        if old.get((part, language), "") != text
    )


def list_parts(item: QuestionDocument, names: Mapping[str, str]) -> Parts:
    """Lay a question out as texts; a part that says nothing is left out."""
    schema = item.schema
    loaded = schema.load(item.content, item.key)
    contents: Parts = {("kind", ""): item.kind, ("scoring_method", ""): item.scoring_method}
    for schema_field in schema.fields:
        contents[schema_field.name, ""] = _said(
            loaded.fields[schema_field.name], schema_field.type, names
        )
    for table in schema.tables:
        rows = loaded.tables[table.name]
        contents[table.name, ""] = " ".join(names.get(row.id, row.id) for row in rows)
        for row in rows:
            for schema_field in table.fields:
                place = f"{table.name}.{names.get(row.id, row.id)}.{schema_field.name}"
                contents[place, ""] = _said(row.values[schema_field.name], schema_field.type, names)
    contents.update(_texts(item, names))
    return {place: text for place, text in contents.items() if text}


def _texts(
    item: QuestionDocument, names: Mapping[str, str]
) -> Iterator[tuple[tuple[str, str], str]]:
    for slot in item.text_slots:
        part = "feedback" if slot.is_feedback else "words"
        where = ".".join(filter(None, (part, slot.part, names.get(slot.id, slot.id))))
        for language in {*item.words, *item.feedback}:
            if text := item.text_at(language, slot):
                yield (where, language), text


def _said(value: Json, holds: FieldType, names: Mapping[str, str]) -> str:
    if value is None:
        return ""
    if holds == FieldType.ROW:
        return names.get(str(value), str(value))
    if holds == FieldType.ROWS and isinstance(value, list):
        return " ".join(names.get(str(row_id), str(row_id)) for row_id in value)
    return value if isinstance(value, str) else json.dumps(value)


def _tags(tags: Collection[str]) -> Parts:
    return {("tags", ""): " ".join(sorted(tags))} if tags else {}
