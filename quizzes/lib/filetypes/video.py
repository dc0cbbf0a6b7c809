"""Films, and sounds in the same wrappings: MP4 and WebM."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from quizzes.lib.filetypes.contract import FileBytes, FileType, UnsupportedFile

# A film of hours in small pieces has some thousands.
MAX_PIECES: Final = 20_000

_BRANDS: Final = frozenset(
    {b"isom", b"mp41", b"mp42", b"avc1", b"M4A ", b"M4B ", b"M4V ", b"dash", b"f4v "}
    | {b"iso%d" % number for number in range(2, 10)}
)
_TOP: Final = frozenset(
    b"ftyp moov mdat free skip wide moof mfra sidx styp uuid meta pdin udta emsg prft".split()
)
_WAY: Final = (b"moov", b"trak", b"mdia")
_LONG: Final = 16

_EBML, _SEGMENT, _DOCTYPE = 0x1A45DFA3, 0x18538067, 0x4282
_TRACKS, _ENTRY, _TYPE, _CLUSTER = 0x1654AE6B, 0xAE, 0x83, 0x1F43B675
_CHILDREN: Final = frozenset(
    {_TRACKS, _CLUSTER, 0x114D9B74, 0x1549A966, 0x1C53BB6B, 0x1254C367, 0x1043A770, 0xEC, 0xBF}
)
_PICTURES: Final = 1


class Box(NamedTuple):
    """A box or an element: its name, and where its body begins and ends."""

    name: bytes | int
    start: int
    end: int


def mp4(data: FileBytes) -> FileType:
    """Read an MP4: a brand that browsers play, a table of contents, tracks of picture or sound."""
    boxes = list(_boxes(data, 0, data.size, open_end=True))
    brands = data.at(boxes[0].start, boxes[0].end - boxes[0].start)
    if not _BRANDS & {brands[at : at + 4] for at in range(0, len(brands), 4) if at != 4}:  # noqa: PLR2004  between the brands stands a version
        raise UnsupportedFile("unknown_type")
    if not {box.name for box in boxes} <= _TOP:
        raise UnsupportedFile("trailing_bytes")
    handlers = {data.at(box.start + 8, 4) for box in _handlers(data, boxes)}
    if b"vide" in handlers:
        return FileType("mp4")
    if b"soun" in handlers:
        return FileType("m4a")
    raise UnsupportedFile("unreadable")


def _handlers(data: FileBytes, boxes: list[Box]) -> list[Box]:
    for name in _WAY:
        within = [box for box in boxes if box.name == name]
        boxes = [inner for box in within for inner in _boxes(data, box.start, box.end)]
    return [box for box in boxes if box.name == b"hdlr"]


def _boxes(data: FileBytes, at: int, end: int, *, open_end: bool = False) -> Iterator[Box]:
    pieces = 0
    while at < end:
        length, name, start = data.number(at, 4), data.at(at + 4, 4), at + 8
        if length == 1:
            length, start = data.number(at + 8, 8), at + _LONG
        elif not length and open_end:
            length = end - at
        pieces += 1
        if at + length > end:
            raise UnsupportedFile("truncated")
        if at + length < start or pieces > MAX_PIECES:
            raise UnsupportedFile("unreadable")
        yield Box(name, start, at + length)
        at += length


def webm(data: FileBytes) -> FileType:
    """Read a WebM: its heading, one segment to the end, tracks of picture or sound."""
    heading = _element(data, 0)
    kinds = [
        data.at(piece.start, piece.end - piece.start).rstrip(b"\0")
        for piece in _elements(data, heading)
        if piece.name == _DOCTYPE
    ]
    if heading.name != _EBML or kinds != [b"webm"]:
        raise UnsupportedFile("unknown_type")
    segment = _element(data, heading.end)
    if segment.name != _SEGMENT:
        raise UnsupportedFile("unreadable")
    if segment.end != data.size:
        raise UnsupportedFile("trailing_bytes")
    types = {
        data.number(piece.start, piece.end - piece.start)
        for track in _tracks(data, segment)
        for piece in _elements(data, track)
        if piece.name == _TYPE
    }
    if not types:
        raise UnsupportedFile("unreadable")
    return FileType("webm" if _PICTURES in types else "weba")


def _tracks(data: FileBytes, segment: Box) -> Iterator[Box]:
    """Find the entries of tracks; they stand before the first cluster."""
    for piece in _elements(data, segment):
        if piece.name not in _CHILDREN:
            raise UnsupportedFile("unreadable")
        if piece.name == _CLUSTER:
            return
        if piece.name == _TRACKS:
            yield from (track for track in _elements(data, piece) if track.name == _ENTRY)


def _elements(data: FileBytes, parent: Box) -> Iterator[Box]:
    at = parent.start
    for _ in range(MAX_PIECES):
        if at >= parent.end:
            return
        piece = _element(data, at)
        if piece.end > parent.end:
            raise UnsupportedFile("truncated")
        yield piece
        at = piece.end
    raise UnsupportedFile("unreadable")


def _element(data: FileBytes, at: int) -> Box:
    """Read one element's head; a size that is not said reaches to the end."""
    name, name_length = _variable(data, at)
    size, size_length = _variable(data, at + name_length)
    size -= 1 << 7 * size_length
    start = at + name_length + size_length
    unsaid = size == (1 << 7 * size_length) - 1
    end = data.size if unsaid else start + size
    if end > data.size:
        raise UnsupportedFile("truncated")
    return Box(name, start, end)


def _variable(data: FileBytes, at: int) -> tuple[int, int]:
    """Return a number whose leading zeros say how many bytes it has, and how many; marked as is."""
    first = data.number(at, 1)
    if not first:
        raise UnsupportedFile("unreadable")
    length = 9 - first.bit_length()
    return data.number(at, length), length
