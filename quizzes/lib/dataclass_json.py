"""Dataclasses as JSON and back, by the types of their fields. Pure."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Final, TypeVar, cast, get_args, get_origin, get_type_hints
from uuid import UUID

T = TypeVar("T")

_PLAIN: Final = frozenset({str, int, bool, float, NoneType})
"""Most values by far; what is derived from them may have its own `to_json`."""


def to_json(value: Any) -> Any:
    """Return a value as JSON; fractions and UUIDs are texts, and a class may have its `to_json`."""
    if type(value) in _PLAIN:
        return value
    if hasattr(value, "to_json"):
        return value.to_json()
    if is_dataclass(value):
        return {
            name: to_json(getattr(value, name)) for name in _field_types(cast(type, type(value)))
        }
    if isinstance(value, Mapping):
        return {str(key): to_json(part) for key, part in value.items()}
    if isinstance(value, list | tuple | frozenset | set):
        return [to_json(part) for part in value]
    return str(value) if isinstance(value, Fraction | UUID) else value


def from_json(type_: type[T], stored: Any) -> T:
    """Return the value of this type that `to_json` stored."""
    return cast(T, _load(type_, stored))


def _load(type_: Any, stored: Any) -> Any:
    origin, arguments = get_origin(type_), get_args(type_)
    if origin is UnionType and NoneType in arguments:
        (type_,) = (part for part in arguments if part is not NoneType)
        return None if stored is None else _load(type_, stored)
    if origin in {tuple, frozenset}:
        return origin(_load(arguments[0], part) for part in stored)
    if not isinstance(type_, type):  # a mapping of plain values, or a union of them
        return stored
    if hasattr(type_, "from_json"):
        return type_.from_json(stored)
    if is_dataclass(type_):
        return type_(
            **{name: _load(hint, stored[name]) for name, hint in _field_types(type_).items()}
        )
    return stored if isinstance(stored, type_) else type_(stored)


@lru_cache
def _field_types(type_: type) -> dict[str, Any]:
    hints = get_type_hints(type_)
    return {field.name: hints[field.name] for field in fields(cast(Any, type_))}
