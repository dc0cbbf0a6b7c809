"""Writing our own bank file: every field that is not its default, every text in every language."""

from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from grading.json_types import Json
from grading.kinds import KINDS
from grading.schema import Field, FieldType, Table
from quizzes.formats.contract import (
    ExportResult,
    ExportWarning,
    FieldTexts,
    ParsedFile,
    ParsedQuestion,
    ParsedRow,
)
from quizzes.formats.ochenta.field_values import RATIO
from quizzes.formats.ochenta.reading import SLUG, get_column_name
from quizzes.formats.ochenta.reading import name as format_name
from quizzes.formats.parsing.naming import Names

UNTOLD = "unknown"


class _Dumper(yaml.SafeDumper):
    """Plain YAML: long texts as blocks, and no anchors, which are not read."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002  PyYAML's signature
        """Write a value again rather than refer to it."""
        return True


def _represent(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _represent)


def write(parsed_file: ParsedFile, *, language: str) -> ExportResult:  # noqa: ARG001  it holds all languages
    """Write a bank file; what it says of the bank but the parcel does not, is told as a loss."""
    warnings: list[ExportWarning] = []
    names = Names()
    bank = {
        "format": format_name,
        "bank": _named(parsed_file.slug or "bank", Names(), "", warnings),
        **_about(parsed_file.fields, warnings),
        "questions": [_question(one, names, warnings) for one in parsed_file.questions],
    }
    text = yaml.dump(bank, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100)
    return ExportResult(text.encode(), tuple(warnings))


def _about(fields: Mapping[str, Any], warnings: list[ExportWarning]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "title": dict(fields.get("title") or {}),
        "description": dict(fields.get("description") or {}),
    }
    for one in ("source", "licence"):
        found[one] = str(fields.get(one) or "").strip() or UNTOLD
        if found[one] == UNTOLD:
            warnings.append(ExportWarning("", f"{one}_untold"))
    found["source_language"] = str(fields.get("source_language") or "en")
    return found


def _question(
    question: ParsedQuestion, names: Names, warnings: list[ExportWarning]
) -> dict[str, Any]:
    schema = KINDS[question.kind].schema
    called = _row_names(question, warnings)
    found: dict[str, Any] = {
        "name": _named(question.name, names, question.name, warnings),
        "kind": question.kind,
        "scoring_method": question.scoring_method,
        "tags": list(question.tags),
    }
    found |= _values(schema.fields, question.fields, called, question.name, warnings)
    found |= _texts({text: text.name for text in schema.texts}, question.texts)
    for table in schema.tables:
        rows = question.tables.get(table.name, ())
        if rows:
            found[table.name] = [_row(table, row, called, question.name, warnings) for row in rows]
    return found


def _row_names(question: ParsedQuestion, warnings: list[ExportWarning]) -> dict[str, str]:
    names = Names()
    return {row.name: _named(row.name, names, question.name, warnings) for row in question.rows}


def _named(name: str, names: Names, question: str, warnings: list[ExportWarning]) -> str:
    """Give a name as the file may hold it."""
    made = name if SLUG.fullmatch(name) else names.name(name)
    if made != name:
        warnings.append(ExportWarning(question, "name_changed", {"name": name}))
    return made


def _row(
    table: Table,
    row: ParsedRow,
    called: Mapping[str, str],
    question: str,
    warnings: list[ExportWarning],
) -> dict[str, Any]:
    columns = table.row_fields
    fixed = table.fixed_rows.get(row.name, {})
    values = {name: value for name, value in row.values.items() if name not in fixed}
    return {
        "name": called[row.name],
        **_values(columns, values, called, question, warnings),
        **_texts({text: get_column_name(table, text) for text in table.texts}, row.texts),
    }


def _texts(names: Mapping[Any, str], said: FieldTexts) -> dict[str, Any]:
    found = {}
    for text, name in names.items():
        told = {language: one for language, one in said.get(text, {}).items() if one.strip()}
        if told or text.required:
            found[name] = told
    return found


def _values(
    fields: Iterable[Field],
    values: Mapping[str, Json],
    called: Mapping[str, str],
    question: str,
    warnings: list[ExportWarning],
) -> dict[str, Any]:
    found = {}
    for one in fields:
        value = values.get(one.name, one.default)
        if value is None or value == one.default:
            continue
        written = _value(one, value, called)
        if one.type == FieldType.RATIO and not RATIO.fullmatch(str(written)):
            warnings.append(ExportWarning(question, "number_too_long", {"field": one.name}))
            continue
        found[one.name] = written
    return found


def _value(one: Field, value: Json, called: Mapping[str, str]) -> Any:
    if one.type == FieldType.RATIO and isinstance(value, list):
        numerator, denominator = value
        return str(numerator) if denominator == 1 else f"{numerator}/{denominator}"
    if one.type == FieldType.ROW:
        return called.get(str(value), value)
    if one.type == FieldType.ROWS and isinstance(value, list):
        return [called.get(str(name), name) for name in value]
    return value
