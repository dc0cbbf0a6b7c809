"""What the two processes send each other: frames, each a kind, a size and as many bytes. Pure."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

MAX_FRAME = 64 * 1024 * 1024
"""Bytes of one frame."""
_MAX_HEAD = 40


class BrokenFrame(ValueError):
    """What came is no frame, or one that is too large."""


def encode_frame(kind: str, body: bytes) -> bytes:
    """Return a frame: its kind (a word), the size of its body in bytes, its body."""
    return f"{kind} {len(body)}\n".encode() + body


def encode_json_frame(kind: str, payload: Any) -> bytes:
    """Return a frame whose body is JSON."""
    return encode_frame(kind, json.dumps(payload, separators=(",", ":")).encode())


def decode_json(body: bytes) -> Any:
    """Return what is in the body of a frame; ValueError for what is no JSON of ours."""
    try:
        return json.loads(body, parse_float=_refuse, parse_constant=_refuse)
    except RecursionError:
        raise BrokenFrame("nested too deeply") from None


def _refuse(number: str) -> Any:
    raise BrokenFrame(f"{number[:20]} is no exact number")


@dataclass(slots=True)
class FrameBuffer:
    """Bytes as they come, and the frames that are complete."""

    _bytes: bytearray = field(default_factory=bytearray)

    def feed(self, data: bytes) -> Iterator[tuple[str, bytes]]:
        """Yield the kind and the body of each frame that is complete now; else BrokenFrame."""
        self._bytes += data
        at = 0
        while (end := self._bytes.find(b"\n", at, at + _MAX_HEAD)) >= 0:
            kind, size = self._read_head(bytes(self._bytes[at:end]))
            if len(self._bytes) < end + 1 + size:
                break
            yield kind, bytes(self._bytes[end + 1 : end + 1 + size])
            at = end + 1 + size
        if end < 0 and len(self._bytes) - at > _MAX_HEAD:
            raise BrokenFrame("a frame without a size")
        del self._bytes[:at]

    @property
    def is_empty(self) -> bool:
        """Return whether nothing of a frame is left."""
        return not self._bytes

    def _read_head(self, head: bytes) -> tuple[str, int]:
        kind, _, size = head.partition(b" ")
        if not kind.isalpha() or not size.isdigit() or int(size) > MAX_FRAME:
            raise BrokenFrame("no frame, or one that is too large")
        return kind.decode("ascii", "replace"), int(size)
