"""How a field of a question stands on the authoring page, and back: any kind's fields. Pure."""

import re
from fractions import Fraction
from typing import TypeAlias

from grading.json_types import Json, ratio_from_json, ratio_to_json
from grading.schema import Field, FieldType, Table

TypedValue: TypeAlias = "bool | str | tuple[str, ...]"
"""What a control holds: a tick, a text, or ids of rows."""

# Four decimals, as points have, or a fraction of that size: what Fraction would read beyond
# (1e999999999) takes hours to work out. Per cent come with five, as other platforms write them.
RATIO = re.compile(r"[+-]?(?:\d{1,8}(?:/\d{1,5})?|\d{0,4}\.\d{1,4})", re.ASCII)
PER_CENT = re.compile(r"([+-]?\d{1,3}(?:\.\d{1,5})?)%", re.ASCII)
COUNT = re.compile(r"\d{1,9}", re.ASCII)


def list_editable_fields(table: Table) -> tuple[Field, ...]:
    """Return the fields that an author fills in: not those that tell the fixed rows apart."""
    fixed = {name for values in table.fixed_rows.values() for name in values}
    return tuple(field for field in table.row_fields if field.name not in fixed)


def format_value(field: Field, value: Json) -> TypedValue:
    """Write a value as an author would; what it may not be stays as it was typed."""
    if field.type == FieldType.FLAG:
        return bool(value)
    if field.type == FieldType.ROWS:
        return tuple(str(id_) for id_ in value) if isinstance(value, list | tuple) else ()
    if field.type == FieldType.RATIO:
        return _format_ratio(value)
    return "" if value is None else str(value)


def _format_ratio(value: Json) -> str:
    if value is None:
        return ""
    try:
        return str(ratio_from_json(value))
    except ValueError:
        return str(value)


def parse_value(field: Field, typed: TypedValue) -> Json:
    """Read what was typed; nothing: None; what cannot be read is kept, and named by the check."""
    if isinstance(typed, tuple):
        return list(typed)
    if isinstance(typed, bool):
        return typed
    if not typed.strip():
        return None
    if field.type == FieldType.RATIO:
        return _parse_ratio(typed)
    if field.type == FieldType.COUNT:
        return int(typed) if COUNT.fullmatch(typed.strip()) else typed
    return typed if field.as_typed else typed.strip()


def _parse_ratio(typed: str) -> Json:
    written = typed.replace(",", ".").replace(" ", "").replace("\N{NO-BREAK SPACE}", "")
    part = PER_CENT.fullmatch(written)
    try:
        if part:
            return ratio_to_json(Fraction(part[1]) / 100)
        return ratio_to_json(Fraction(written)) if RATIO.fullmatch(written) else typed
    except ZeroDivisionError:
        return typed


def update_value(field: Field, typed: TypedValue, before: Json) -> Json:
    """Read what was typed; a control that nobody touched leaves the value as it was."""
    return before if typed == format_value(field, before) else parse_value(field, typed)
