"""Measures as JSON: every figure a number, what does not exist null."""

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any


def to_plain(measure: Any) -> Any:
    """Return a measure as JSON: fractions as the nearest float, codes as text, objects by field."""
    if is_dataclass(measure):
        return {field.name: to_plain(getattr(measure, field.name)) for field in fields(measure)}
    if isinstance(measure, Mapping):
        return {format_share_name(key): to_plain(part) for key, part in measure.items()}
    if isinstance(measure, frozenset):
        return sorted(map(to_plain, measure))
    if isinstance(measure, list | tuple):
        return [to_plain(part) for part in measure]
    return _to_number(measure.value if isinstance(measure, Enum) else measure)


def _to_number(figure: Any) -> Any:
    if isinstance(figure, Fraction):
        return float(figure)
    return None if isinstance(figure, float) and not math.isfinite(figure) else figure


def format_share_name(key: Any) -> str:
    """Return the name of a part: a share as its per cent."""
    return f"{float(key) * 100:g}" if isinstance(key, Fraction) else str(key)
