"""Settings of a question in one cell, `shuffle=no; minimum_words=100`: the rare ones. Pure."""

import re

from grading.json_types import Json, ratio_from_json, ratio_to_json
from grading.kinds import KINDS
from grading.schema import Field, FieldType
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.naming import slugify
from quizzes.formats.spreadsheet.cells import parse_share, write_share

PINNED = "pinned"
_YES_NO = {"yes": True, "si": True, "sí": True, "no": False}
_COUNT = re.compile(r"\d{1,9}", re.ASCII)


def parse_settings(kind: str, cell: str) -> tuple[dict[str, Json], frozenset[str], list[str]]:
    """Return the fields of a kind, the letters of pinned options, and what is none of these."""
    fields, pinned, others = dict[str, Json](), frozenset[str](), list[str]()
    schema_fields = {field.name: field for field in KINDS[kind].schema.fields}
    for part in filter(str.strip, re.split(r"[;\n]", cell)):
        name, _, text = (word.strip().lower() for word in part.partition("="))
        setting = _parse(schema_fields[name], text) if name in schema_fields else None
        if name == PINNED:
            pinned = frozenset(slugify(text).split("-"))
        elif setting is None:
            others.append(part.strip())
        else:
            fields[name] = setting
    return fields, pinned, others


def _parse(field: Field, text: str) -> Json:
    if field.type == FieldType.FLAG:
        return _YES_NO.get(text, parse_boolean(text))
    if field.type == FieldType.COUNT:
        return int(text) if _COUNT.fullmatch(text) else None
    if field.type == FieldType.RATIO:
        share = parse_share(text)
        return None if share is None else ratio_to_json(share)
    return text if text in field.choices else None


def write_setting(field: Field, setting: Json) -> str:
    """Return a field as `parse_settings` reads it."""
    text = str(setting)
    if field.type == FieldType.FLAG:
        text = "yes" if setting else "no"
    elif field.type == FieldType.RATIO:
        text = write_share(ratio_from_json(setting))
    return f"{field.name}={text}"
