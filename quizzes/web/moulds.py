"""Moulds: a template is drawn once, with gaps; each page then only fills the gaps.

Frozen questions never change, so their HTML need not be made anew for every learner: what differs
is what they answered and the order they see, and both are gaps. Templates stay the one place
where HTML is written.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

_BEGIN, _END = "\x02", "\x03"
_GAP = re.compile(f"{_BEGIN}([^{_END}]*){_END}")
_PART = "part:"
_REST = "rest"

Chunk = tuple[tuple[str, str], ...]
"""Text, then the name of the gap after it ("" for none), again and again."""

Run = Mapping[str, Chunk]
"""Parts by name, that stand in whatever order is asked for."""


def gap(name: str) -> str:
    """Return the mark that a template writes where `name` will be filled in."""
    return f"{_BEGIN}{name}{_END}"


def part(name: str) -> str:
    """Return the mark where a part begins that may stand in any order among its like."""
    return gap(f"{_PART}{name}")


REST = gap(_REST)
"""The mark where the last part of a run ends."""


class Gaps(dict[str, str]):
    """Gaps by their names, whatever the names: for templates that write them."""

    def __missing__(self, name: str) -> str:
        """Return the mark of this gap."""
        return gap(name)


@dataclass(frozen=True, slots=True)
class Mould:
    """HTML with gaps: chunks, and between them runs of parts; `parts` names those of all runs."""

    pieces: tuple[Chunk | Run, ...]
    parts: frozenset[str]

    def fill(self, values: Mapping[str, str], order: Sequence[str] = ()) -> SafeString:
        """Fill the gaps with HTML that is safe already; a gap without a value stays empty.

        Each run gives its parts in this order; a name that no run has is a KeyError.
        """
        if not self.parts.issuperset(order):
            raise KeyError(*(name for name in order if name not in self.parts))
        get = values.get
        return mark_safe(  # noqa: S308  the template escaped its own, the callers give safe values
            "".join(
                piece
                for chunk in self._chunks(order)
                for text, name in chunk
                for piece in (text, get(name, ""))
            )
        )

    def _chunks(self, order: Sequence[str]) -> Iterator[Chunk]:
        for piece in self.pieces:
            if isinstance(piece, tuple):
                yield piece
            else:
                yield from (piece[name] for name in order if name in piece)


def cast(html: str) -> Mould:
    """Make a mould of what a template drew: any number of runs of parts, each ended by REST."""
    text, *rest = _GAP.split(html)
    chunk: list[tuple[str, str]] = []
    run: dict[str, list[tuple[str, str]]] = {}
    pieces: list[list[tuple[str, str]] | dict[str, list[tuple[str, str]]]] = [chunk]
    for name, following in zip(rest[::2], rest[1::2], strict=True):
        if name.startswith(_PART):
            if pieces[-1] is not run:
                pieces.append(run := {})
            chunk.append((text, ""))
            chunk = run[name.removeprefix(_PART)] = []
        elif name == _REST:
            chunk.append((text, ""))
            pieces.append(chunk := [])
        else:
            chunk.append((text, name))
        text = following
    chunk.append((text, ""))
    frozen = tuple(_run(piece) if isinstance(piece, dict) else tuple(piece) for piece in pieces)
    named = (name for piece in frozen if not isinstance(piece, tuple) for name in piece)
    return Mould(frozen, frozenset(named))


def _run(parts: Mapping[str, Iterable[tuple[str, str]]]) -> Run:
    return {name: tuple(chunk) for name, chunk in parts.items()}
