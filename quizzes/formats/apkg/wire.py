"""Messages as newer exports write them: numbered fields, each with its length. Nothing else."""

from collections.abc import Iterator

NUMBER, EIGHT, BYTES, FOUR = 0, 1, 2, 5
_MOST_BITS = 70


class NotWire(ValueError):
    """These bytes are no such message."""


def fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Give each field with its number: an int, or bytes; anything else: NotWire."""
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        form = tag & 7
        if form == NUMBER:
            value, at = _varint(data, at)
            yield tag >> 3, value
            continue
        if form == BYTES:
            size, at = _varint(data, at)
        else:
            size = {EIGHT: 8, FOUR: 4}.get(form, len(data))
        if at + size > len(data):
            raise NotWire
        yield tag >> 3, data[at : at + size]
        at += size


def held(data: bytes, which: int) -> bytes:
    """Give the bytes under this number, those of the last such field; b"" if there are none."""
    found = b""
    for one, value in fields(data):
        if one == which and isinstance(value, bytes):
            found = value
    return found


def number(data: bytes, which: int) -> int:
    """Give the number under this number, that of the last such field; 0 if there is none."""
    found = 0
    for one, value in fields(data):
        if one == which and isinstance(value, int):
            found = value
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data) and shift < _MOST_BITS:
        byte = data[at]
        value, at, shift = value | (byte & 0x7F) << shift, at + 1, shift + 7
        if not byte & 0x80:
            return value, at
    raise NotWire
