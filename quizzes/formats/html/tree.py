"""HTML as a tree, read as leniently as browsers do, in linear time."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from itertools import groupby

DEEPEST = 60

VOID = frozenset("area base br col embed hr img input link meta param source track wbr".split())
RAW = frozenset({"script", "style", "textarea", "title"})
BLOCKS = frozenset(
    """
    address article aside blockquote body center dd details dialog div dl dt fieldset figcaption
    figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table
    tbody td tfoot th thead tr ul caption
    """.split()
)
# What an opening tag closes: these, up to the nearest of those.
_CLOSES: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset({"li"}), frozenset({"ul", "ol"})),
    **dict.fromkeys(("dt", "dd"), (frozenset({"dt", "dd"}), frozenset({"dl"}))),
    **dict.fromkeys(("td", "th"), (frozenset({"td", "th"}), frozenset({"tr", "table"}))),
    "tr": (frozenset({"tr"}), frozenset({"table", "thead", "tbody", "tfoot"})),
    **dict.fromkeys(
        ("thead", "tbody", "tfoot"),
        (frozenset({"thead", "tbody", "tfoot", "tr"}), frozenset({"table"})),
    ),
}
_CELLS = frozenset({"table", "td", "th"})
_OF_TABLES = _CELLS | {"tr", "thead", "tbody", "tfoot"}

_TAG = re.compile(r"<(/?)([A-Za-z][\w:-]*+)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*+)>")
_ROUGH = re.compile(r"<(/?)([A-Za-z][\w:-]*+)([^<>]*+)>")
_ATTRIBUTE = re.compile(r"([^\s=/\"'<>]+)(?:\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?")


@dataclass(slots=True)
class Tag:
    """An element: its name in small letters, its attributes, what stands in it."""

    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    inside: list["Tag | str"] = field(default_factory=list)

    def get(self, attribute: str) -> str:
        """Give an attribute; "" where it has none."""
        return self.attributes.get(attribute, "")

    def tags(self, *names: str) -> Iterator["Tag"]:
        """Give the elements of these names directly within; all, if none is named."""
        for one in self.inside:
            if isinstance(one, Tag) and (not names or one.name in names):
                yield one

    def walk(self) -> Iterator["Tag | str"]:
        """Give all that is within, in order."""
        waiting = self.inside[::-1]
        while waiting:
            one = waiting.pop()
            yield one
            if isinstance(one, Tag):
                waiting.extend(reversed(one.inside))

    def text(self) -> str:
        """Give all text within, as it stands."""
        return "".join(
            one if isinstance(one, str) else "\n" if one.name == "br" else "" for one in self.walk()
        )

    def holds_blocks(self) -> bool:
        """Tell whether anything within begins a block of its own."""
        return any(isinstance(one, Tag) and one.name in BLOCKS for one in self.walk())


def read(html: str) -> Tag:
    """Read a piece of a page; whatever is written has a tree."""
    root = Tag("")
    stack = [root]
    for piece in _joined(_pieces(html)):
        if isinstance(piece, str):
            stack[-1].inside.append(piece)
        elif isinstance(piece, Tag):
            _open(piece, stack)
        else:
            _close(piece.name, stack)
    return root


@dataclass(frozen=True, slots=True)
class _End:
    name: str


def _joined(pieces: Iterator["str | Tag | _End"]) -> Iterator["str | Tag | _End"]:
    """Make one text of those that follow one another: only whole can it be escaped rightly."""
    for text, group in groupby(pieces, key=lambda piece: isinstance(piece, str)):
        if text:
            yield "".join(str(piece) for piece in group)
        else:
            yield from group


def _pieces(html: str) -> Iterator[str | Tag | _End]:
    at = 0
    while (start := html.find("<", at)) >= 0:
        if start > at:
            yield unescape(html[at:start])
        if html.startswith("<!--", start):
            at = _after(html, "-->", start)
        elif html.startswith(("<!", "<?"), start):
            at = _after(html, ">", start)
        elif found := _TAG.match(html, start) or _ROUGH.match(html, start):
            at = found.end()
            name = found[2].lower()
            if found[1]:
                yield _End(name)
                continue
            tag = Tag(name, _attributes(found[3]))
            if name in RAW:
                at = _raw(html, tag, at)
            yield tag
        else:
            yield "<"
            at = start + 1
    if at < len(html):
        yield unescape(html[at:])


def _after(html: str, mark: str, start: int) -> int:
    """Give the place behind a mark; what is never closed goes on to the end, as in browsers."""
    found = html.find(mark, start)
    return len(html) if found < 0 else found + len(mark)


def _raw(html: str, tag: Tag, at: int) -> int:
    """Read what stands in a script or the like, up to its end."""
    found = re.compile(rf"</{tag.name}\b[^<>]*>", re.IGNORECASE).search(html, at)
    end, after = (found.start(), found.end()) if found else (len(html), len(html))
    tag.inside.append(html[at:end])
    return after


def _attributes(text: str) -> dict[str, str]:
    return {
        found[1].lower(): unescape((found[2] or "").strip("\"'"))
        for found in _ATTRIBUTE.finditer(text)
    }


def _open(tag: Tag, stack: list[Tag]) -> None:
    if tag.name in BLOCKS:
        _pop(stack, frozenset({"p"}), BLOCKS - {"p"})
    if tag.name in _CLOSES:
        _pop(stack, *_CLOSES[tag.name])
    stack[-1].inside.append(tag)
    if tag.name not in VOID | RAW and len(stack) < DEEPEST:
        stack.append(tag)


def _close(name: str, stack: list[Tag]) -> None:
    _pop(stack, frozenset({name}), frozenset() if name in _OF_TABLES else _CELLS)


def _pop(stack: list[Tag], names: frozenset[str], barrier: frozenset[str]) -> None:
    """Close the outermost of these names that no barrier hides; if there is none, nothing."""
    found = 0
    for place in range(len(stack) - 1, 0, -1):
        if stack[place].name in names:
            found = place
            if len(names) == 1:
                break
        elif stack[place].name in barrier:
            break
    if found:
        del stack[found:]
