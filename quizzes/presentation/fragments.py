"""Template output with placeholders, rendered once and filled for each learner.

Frozen questions never change, so their HTML is rendered once a version and language: what differs
from learner to learner is what they answered and the order they see, and both are placeholders.
Templates stay the one place where HTML is written.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe

_BEGIN, _END = "\x02", "\x03"
_PLACEHOLDER = re.compile(f"{_BEGIN}([^{_END}]*){_END}")
_ITEM = "item:"
_END_RUN = "end_run"

Segment = tuple[tuple[str, str], ...]
"""Text, then the name of the placeholder after it ("" for none), again and again."""

Run = Mapping[str, Segment]
"""Items by name, rendered in whatever order is asked for."""


def placeholder(name: str) -> str:
    """Return the mark that a template writes where the value of `name` will be filled in."""
    return f"{_BEGIN}{name}{_END}"


def shuffle_item(name: str) -> str:
    """Return the mark where an item begins that may stand in any order among its like."""
    return placeholder(f"{_ITEM}{name}")


END_RUN = placeholder(_END_RUN)
"""The mark where the last item of a run ends."""


class Placeholders(dict[str, str]):
    """Placeholders by their names, whatever the names: for templates that write them."""

    def __missing__(self, name: str) -> str:
        """Return the mark of this placeholder."""
        return placeholder(name)


@dataclass(frozen=True, slots=True)
class CachedFragment:
    """HTML with placeholders: segments, and between them runs; `items` names those of all runs."""

    parts: tuple[Segment | Run, ...]
    items: frozenset[str]

    def render(self, values: Mapping[str, str], order: Sequence[str] = ()) -> SafeString:
        """Fill the placeholders with HTML that is safe already; one without a value stays empty.

        Each run gives its items in this order; a name that no run has is a KeyError.
        """
        if not self.items.issuperset(order):
            raise KeyError(*(name for name in order if name not in self.items))
        get = values.get
        return mark_safe(  # noqa: S308  the template escaped its own, the callers give safe values
            "".join(
                html
                for segment in self._segments(order)
                for text, name in segment
                for html in (text, get(name, ""))
            )
        )

    def _segments(self, order: Sequence[str]) -> Iterator[Segment]:
        for part in self.parts:
            if isinstance(part, tuple):
                yield part
            else:
                yield from (part[name] for name in order if name in part)


def compile_fragment(html: str) -> CachedFragment:
    """Return a fragment of what a template rendered: any number of runs, each ended by END_RUN."""
    text, *rest = _PLACEHOLDER.split(html)
    segment: list[tuple[str, str]] = []
    run: dict[str, list[tuple[str, str]]] = {}
    parts: list[list[tuple[str, str]] | dict[str, list[tuple[str, str]]]] = [segment]
    for name, following in zip(rest[::2], rest[1::2], strict=True):
        if name.startswith(_ITEM):
            if parts[-1] is not run:
                parts.append(run := {})
            segment.append((text, ""))
            segment = run[name.removeprefix(_ITEM)] = []
        elif name == _END_RUN:
            segment.append((text, ""))
            parts.append(segment := [])
        else:
            segment.append((text, name))
        text = following
    segment.append((text, ""))
    frozen = tuple(_freeze(part) if isinstance(part, dict) else tuple(part) for part in parts)
    items = (name for part in frozen if not isinstance(part, tuple) for name in part)
    return CachedFragment(frozen, frozenset(items))


def _freeze(run: Mapping[str, Iterable[tuple[str, str]]]) -> Run:
    return {name: tuple(segment) for name, segment in run.items()}
