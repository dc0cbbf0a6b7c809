"""How often an SVG uses its parts: no circles, and not too often.

Ten parts that each use the one before ten times are a few lines, and ten thousand million shapes.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from quizzes.lib.filetypes.contract import UnsupportedFile

MAX_DRAWN: Final = 200_000

_NAMED = re.compile(r"""(?:url\(\s*["']?|^)#([\w.:-]+)""", re.IGNORECASE)
_LOOKED_AT: Final = frozenset(
    "href fill stroke filter mask clip-path marker marker-start marker-mid marker-end style".split()
)
_DRAW_NOTHING: Final = frozenset({"linearGradient", "radialGradient", "filter"})


@dataclass(slots=True)
class _SVGElement:
    """An element: its id, how many elements it holds, and what they name."""

    element: str
    id: str
    count: int = 1
    names: Counter[str] = field(default_factory=Counter)


class References:
    """Follows a drawing while it is read; `check` judges when all of it is known."""

    def __init__(self) -> None:
        self._open: list[_SVGElement] = [_SVGElement("", "")]
        self._parts: dict[str, _SVGElement] = {}
        self._drawn: dict[str, int] = {}
        self._styled: set[str] = set()

    def open(self, element: str, attributes: Mapping[str, str]) -> None:
        """Begin an element."""
        part = _SVGElement(element, attributes.get("id", ""))
        for name in _LOOKED_AT & attributes.keys():
            part.names.update(_NAMED.findall(attributes[name]))
        self._open.append(part)

    def style(self, text: str) -> None:
        """Note a style sheet, which may apply to any element."""
        self._styled.update(_NAMED.findall(text))

    def close(self) -> None:
        """End the element that was begun last."""
        part, parent = self._open.pop(), self._open[-1]
        parent.count += part.count
        parent.names.update(part.names)
        if part.id:
            self._parts.setdefault(part.id, part)

    def check(self) -> None:
        """Refuse circles, and more than MAX_DRAWN elements once everything is drawn.

        A style sheet may name colours and filters, which draw nothing themselves.
        """
        named = {self._parts[id_].element for id_ in self._styled if id_ in self._parts}
        if not named <= _DRAW_NOTHING:
            raise UnsupportedFile("drawing_style_names")
        for id_ in self._parts:
            self._judge(id_)
        if self._total(self._open[0]) > MAX_DRAWN:
            raise UnsupportedFile("drawing_too_complex")

    def _judge(self, first: str) -> None:
        way = [first]
        walking = {first}
        while way:
            part = self._parts[way[-1]]
            missing = next(
                (n for n in part.names if n in self._parts and n not in self._drawn), None
            )
            if missing is None:
                self._drawn[way[-1]] = self._total(part)
                walking.discard(way.pop())
            elif missing in walking:
                raise UnsupportedFile("drawing_circular")
            else:
                way.append(missing)
                walking.add(missing)

    def _total(self, part: _SVGElement) -> int:
        used = sum(self._drawn.get(name, 0) * times for name, times in part.names.items())
        return min(part.count + used, MAX_DRAWN + 1)
