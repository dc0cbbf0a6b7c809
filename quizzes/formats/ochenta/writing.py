"""Writing our own bank file: every field that is not its default, every text in every language."""

from collections.abc import Iterable, Mapping
from typing import Any

import yaml

from grading.json_types import Json
from grading.kinds import KINDS
from grading.schema import Field, FieldType, Table, Text
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

UNKNOWN = "unknown"


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
    """Return a bank file, with warnings of what it must say and the questions do not."""
    writer = _BankWriter()
    bank = {
        "format": format_name,
        "bank": writer.settle_name(parsed_file.slug or "bank", Names()),
        **writer.write_fields(parsed_file.fields),
        "questions": [writer.write_question(question) for question in parsed_file.questions],
    }
    text = yaml.dump(bank, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100)
    return ExportResult(text.encode(), tuple(writer.warnings))


class _BankWriter:
    """Writes the parts of a bank file; `question` and `row_names` are of the current question."""

    def __init__(self) -> None:
        self.warnings: list[ExportWarning] = []
        self.question = ""
        self.row_names: Mapping[str, str] = {}
        self._question_names = Names()

    def settle_name(self, name: str, names: Names) -> str:
        """Return a name as the file may have it."""
        settled = name if SLUG.fullmatch(name) else names.assign(name)
        if settled != name:
            self.warnings.append(ExportWarning(self.question, "name_changed", {"name": name}))
        return settled

    def write_fields(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of the bank."""
        written: dict[str, Any] = {
            "title": dict(fields.get("title") or {}),
            "description": dict(fields.get("description") or {}),
        }
        for name in ("source", "licence"):
            written[name] = str(fields.get(name) or "").strip() or UNKNOWN
            if written[name] == UNKNOWN:
                self.warnings.append(ExportWarning("", f"{name}_untold"))
        written["source_language"] = str(fields.get("source_language") or "en")
        return written

    def write_question(self, question: ParsedQuestion) -> dict[str, Any]:
        """Return a question: what is not its default, and its texts in every language."""
        schema, names, self.question = KINDS[question.kind].schema, Names(), question.name
        self.row_names = {row.name: self.settle_name(row.name, names) for row in question.rows}
        return {
            "name": self.settle_name(question.name, self._question_names),
            "kind": question.kind,
            "scoring_method": question.scoring_method,
            "tags": list(question.tags),
            **self._write_values(schema.fields, question.fields),
            **_write_texts({text: text.name for text in schema.texts}, question.texts),
            **{
                table.name: [self._write_row(table, row) for row in rows]
                for table in schema.tables
                if (rows := question.tables.get(table.name))
            },
        }

    def _write_row(self, table: Table, row: ParsedRow) -> dict[str, Any]:
        fixed = table.fixed_rows.get(row.name, {})
        values = {name: value for name, value in row.values.items() if name not in fixed}
        columns = {text: get_column_name(table, text) for text in table.texts}
        return {
            "name": self.row_names[row.name],
            **self._write_values(table.row_fields, values),
            **_write_texts(columns, row.texts),
        }

    def _write_values(self, fields: Iterable[Field], values: Mapping[str, Json]) -> dict[str, Any]:
        written = {}
        for field in fields:
            value = values.get(field.name, field.default)
            if value is None or value == field.default:
                continue
            written[field.name] = self._write_value(field, value)
            if field.type == FieldType.RATIO and not RATIO.fullmatch(str(written[field.name])):
                detail = {"field": field.name}
                self.warnings.append(ExportWarning(self.question, "number_too_long", detail))
                del written[field.name]
        return written

    def _write_value(self, field: Field, value: Json) -> Any:
        if field.type == FieldType.RATIO and isinstance(value, list):
            numerator, denominator = value
            return str(numerator) if denominator == 1 else f"{numerator}/{denominator}"
        if field.type == FieldType.ROW:
            return self.row_names.get(str(value), value)
        if field.type == FieldType.ROWS and isinstance(value, list):
            return [self.row_names.get(str(name), name) for name in value]
        return value


def _write_texts(names: Mapping[Text, str], texts: FieldTexts) -> dict[str, Any]:
    written = {}
    for text, name in names.items():
        by_language = {
            language: words for language, words in texts.get(text, {}).items() if words.strip()
        }
        if by_language or text.required:
            written[name] = by_language
    return written
