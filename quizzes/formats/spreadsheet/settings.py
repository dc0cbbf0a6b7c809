"""Settings of a question in one cell, `shuffle=no; minimum_words=100`: the rare ones. Pure."""

import re

from grading.json_types import Json, ratio_from_json, ratio_to_json
from grading.kinds import KINDS
from grading.schema import Field, FieldType
from quizzes.formats.parsing.naming import slug
from quizzes.formats.spreadsheet.entries import share, share_of

_FLAGS = dict.fromkeys("yes true si sí verdadero".split(), True) | dict.fromkeys(
    "no false falso".split(), False
)
PINNED = "pinned"
_COUNT = re.compile(r"\d{1,9}", re.ASCII)


def settings(kind: str, cell: str) -> tuple[dict[str, Json], frozenset[str], list[str]]:
    """Read the fields of a kind, the letters of pinned options, and what is none of these."""
    known = {one.name: one for one in KINDS[kind].schema.fields}
    found, pinned, others = dict[str, Json](), frozenset[str](), list[str]()
    for part in filter(str.strip, re.split(r"[;\n]", cell)):
        name, _, text = (one.strip().lower() for one in part.partition("="))
        value = _read(known[name], text) if name in known else None
        if name == PINNED:
            pinned = frozenset(slug(text).split("-"))
        elif value is None:
            others.append(part.strip())
        else:
            found[name] = value
    return found, pinned, others


def setting(one: Field, value: Json) -> str:
    """Write a field as `settings` reads it."""
    return f"{one.name}={_written(one, value)}"


def _read(one: Field, text: str) -> Json:
    if one.type == FieldType.FLAG:
        return _FLAGS.get(text)
    if one.type == FieldType.COUNT:
        return int(text) if _COUNT.fullmatch(text) else None
    if one.type == FieldType.RATIO:
        value = share_of(text)
        return None if value is None else ratio_to_json(value)
    return text if text in one.choices else None


def _written(one: Field, value: Json) -> str:
    if one.type == FieldType.FLAG:
        return "yes" if value else "no"
    return share(ratio_from_json(value)) if one.type == FieldType.RATIO else str(value)
