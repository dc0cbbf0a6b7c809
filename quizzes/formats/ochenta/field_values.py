"""Reads the values of a bank file by the type of their field."""

import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from grading.json_types import Json, ratio_to_json
from grading.schema import Field, FieldType
from quizzes.formats.ochenta.yaml_tree import ErrorCollector, YamlNode

# What Fraction would read beyond these (1e999999999) takes hours to work out.
RATIO = re.compile(r"[+-]?(?:\d{1,8}(?:/(?!0+\Z)\d{1,8})?|\d{0,8}\.\d{1,8})", re.ASCII)
_ONE_LINE = r"[^\n]*", "not_one_line", "must stand on one line"
_FORMS: Mapping[FieldType, tuple[str | re.Pattern[str], str, str]] = {
    FieldType.FLAG: ("true|false", "not_true_or_false", "is neither true nor false"),
    FieldType.RATIO: (RATIO, "not_a_ratio", "is no number such as 0.5 or 1/3"),
    FieldType.COUNT: ("[0-9]{1,9}", "not_a_count", "is no whole number"),
    FieldType.LINE: _ONE_LINE,
    FieldType.ROW: _ONE_LINE,
}
"""How the values of a type are written; the code and the message for any other."""
_CONVERTERS: Mapping[FieldType, Callable[[str], Json]] = {
    FieldType.FLAG: "true".__eq__,
    FieldType.RATIO: lambda text: ratio_to_json(Fraction(text)),
    FieldType.COUNT: int,
}


def read_value(field: Field, node: YamlNode, errors: ErrorCollector) -> Json:
    """Return the value of a field; one that it cannot hold is an error, and the default stays."""
    text = (node.text or "").strip()
    if field.type == FieldType.ROWS:
        names: list[Json] = [item.text for item in node.items or ()]
        if node.items is not None and None not in names:
            return names
        errors.add(node, "not_a_list", f"{field.name!r} must be a list of names")
    elif not text:
        errors.add(node, "not_a_text", f"{field.name!r} must be a text")
    elif field.type == FieldType.CHOICE:
        if text in field.choices:
            return text
        message = f"{node.text!r} is none of the values that are possible here"
        errors.add(node, "not_offered", message)
    else:
        form, code, message = _FORMS[field.type]
        if field.as_typed and re.fullmatch(form, node.text or ""):
            return node.text
        if re.fullmatch(form, text):
            return _CONVERTERS.get(field.type, str)(text)
        errors.add(node, code, f"{node.text!r} {message}")
    return field.default
