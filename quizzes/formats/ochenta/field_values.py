"""Reading the values of a bank file by what a field of the shape holds."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from grading.json_types import Json, ratio_to_json
from grading.schema import Field, FieldType
from quizzes.formats.ochenta.yaml_tree import ErrorCollector, YamlNode

# What Fraction would read beyond these (1e999999999) takes hours to work out.
RATIO = re.compile(r"[+-]?(?:\d{1,8}(?:/\d{1,8})?|\d{0,8}\.\d{1,8})", re.ASCII)
COUNT = re.compile(r"\d{1,9}", re.ASCII)


def parse_value(schema_field: Field, at: YamlNode, errors: ErrorCollector) -> Json:
    """Read the value of a field; what it cannot hold is a trouble, and the default stands."""
    if schema_field.type == FieldType.ROWS:
        return _rows(schema_field, at, errors)
    if at.text is None or not at.text.strip():
        errors.add(at, "not_a_text", f"{schema_field.name!r} must be a text")
        return schema_field.default
    try:
        return _READERS[schema_field.type](schema_field, at.text.strip())
    except ValueError as error:
        errors.add(at, str(error), f"{at.text!r} {_WORDS[str(error)]}")
        return schema_field.default


def _rows(schema_field: Field, at: YamlNode, errors: ErrorCollector) -> Json:
    if at.items is None or any(item.text is None for item in at.items):
        errors.add(at, "not_a_list", f"{schema_field.name!r} must be a list of names")
        return schema_field.default
    return [item.text for item in at.items]


def _flag(_: Field, text: str) -> Json:
    if text not in {"true", "false"}:
        raise ValueError("not_true_or_false")
    return text == "true"


def _ratio(_: Field, text: str) -> Json:
    if not RATIO.fullmatch(text) or re.search(r"/0+$", text):
        raise ValueError("not_a_ratio")
    return ratio_to_json(Fraction(text))


def _count(_: Field, text: str) -> Json:
    if not COUNT.fullmatch(text):
        raise ValueError("not_a_count")
    return int(text)


def _line(_: Field, text: str) -> Json:
    if "\n" in text:
        raise ValueError("not_one_line")
    return text


def _choice(schema_field: Field, text: str) -> Json:
    if text not in schema_field.choices:
        raise ValueError("not_offered")
    return text


_READERS: Mapping[FieldType, Callable[[Field, str], Json]] = {
    FieldType.FLAG: _flag,
    FieldType.RATIO: _ratio,
    FieldType.COUNT: _count,
    FieldType.LINE: _line,
    FieldType.CHOICE: _choice,
    FieldType.ROW: _line,
}
_WORDS = {
    "not_true_or_false": "is neither true nor false",
    "not_a_ratio": "is no number such as 0.5 or 1/3",
    "not_a_count": "is no whole number",
    "not_one_line": "must stand on one line",
    "not_offered": "is none of the values that are possible here",
}
