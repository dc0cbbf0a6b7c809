"""Protobuf messages, as newer exports write them: numbered fields, each with its length."""

from collections.abc import Iterator
from typing import TypeVar

_VARINT, _BYTES = 0, 2
_FIXED = {1: 8, 5: 4}
"""Wire types of a fixed length."""
_MOST_BITS = 70
_Content = TypeVar("_Content", int, bytes)


class ProtobufError(ValueError):
    """These bytes are no message."""


def parse_fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the number and the content of each field; a broken message: ProtobufError."""
    at = 0
    while at < len(message):
        tag, at = _parse_varint(message, at)
        wire_type = tag & 7
        if wire_type == _VARINT:
            number, at = _parse_varint(message, at)
            yield tag >> 3, number
            continue
        size = _FIXED.get(wire_type, len(message))
        if wire_type == _BYTES:
            size, at = _parse_varint(message, at)
        if at + size > len(message):
            raise ProtobufError
        yield tag >> 3, message[at : at + size]
        at += size


def read_field(message: bytes, number: int, default: _Content) -> _Content:
    """Return the last field with this number and of the default's type, else the default."""
    for field, content in parse_fields(message):
        if field == number and isinstance(content, type(default)):
            default = content
    return default


def _parse_varint(message: bytes, at: int) -> tuple[int, int]:
    """Return a number and the place behind it."""
    number = shift = 0
    while at < len(message) and shift < _MOST_BITS:
        byte = message[at]
        number, at, shift = number | (byte & 0x7F) << shift, at + 1, shift + 7
        if not byte & 0x80:
            return number, at
    raise ProtobufError
