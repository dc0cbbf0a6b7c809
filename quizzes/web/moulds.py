"""Moulds: a template is drawn once, with gaps; each page then only fills the gaps.

Frozen questions never change, so their HTML need not be made anew for every learner: what differs
is what they answered and the order they see, and both are gaps. Templates stay the one place
where HTML is written.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

_BEGIN, _END = "\x02", "\x03"
_GAP = re.compile(f"{_BEGIN}([^{_END}]*){_END}")
_PART = "part:"
_REST = "rest"

Chunk = tuple[tuple[str, str], ...]
"""Text, then the name of the gap after it ("" for none), again and again."""


def gap(name: str) -> str:
    """Give the mark that a template writes where `name` will be filled in."""
    return f"{_BEGIN}{name}{_END}"


def part(name: str) -> str:
    """Give the mark where a part begins that may stand in any order among its like."""
    return gap(f"{_PART}{name}")


REST = gap(_REST)
"""The mark where the last part ends."""


@dataclass(frozen=True, slots=True)
class Mould:
    """HTML with gaps: what stands before its parts, the parts by name, and what stands after."""

    before: Chunk
    parts: Mapping[str, Chunk]
    after: Chunk

    def fill(self, values: Mapping[str, str], order: Iterable[str] = ()) -> SafeString:
        """Fill the gaps with HTML that is safe already; a gap without a value stays empty."""
        chunks = (self.before, *(self.parts[name] for name in order), self.after)
        get = values.get
        return mark_safe(  # noqa: S308  the template escaped its own, the callers give safe values
            "".join(
                piece for chunk in chunks for text, name in chunk for piece in (text, get(name, ""))
            )
        )


def cast(html: str) -> Mould:
    """Make a mould of what a template drew."""
    text, *rest = _GAP.split(html)
    before: list[tuple[str, str]] = []
    after: list[tuple[str, str]] = []
    parts: dict[str, list[tuple[str, str]]] = {}
    chunk = before
    for name, following in zip(rest[::2], rest[1::2], strict=True):
        if name.startswith(_PART):
            chunk.append((text, ""))
            chunk = parts[name.removeprefix(_PART)] = []
        elif name == _REST:
            chunk.append((text, ""))
            chunk = after
        else:
            chunk.append((text, name))
        text = following
    chunk.append((text, ""))
    return Mould(tuple(before), {name: tuple(found) for name, found in parts.items()}, tuple(after))
