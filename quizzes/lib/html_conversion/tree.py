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
    """An element: its name in small letters, its attributes, what is in it."""

    name: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    inside: list["Tag | str"] = field(default_factory=list)

    def get(self, attribute: str) -> str:
        """Return an attribute; "" where it has none."""
        return self.attributes.get(attribute, "")

    def find_tags(self, *names: str) -> Iterator["Tag"]:
        """Yield the elements of these names directly within; all, without a name."""
        for node in self.inside:
            if isinstance(node, Tag) and (not names or node.name in names):
                yield node

    def walk(self) -> Iterator["Tag | str"]:
        """Yield all that is within, in order."""
        waiting = self.inside[::-1]
        while waiting:
            node = waiting.pop()
            yield node
            if isinstance(node, Tag):
                waiting.extend(reversed(node.inside))

    def get_text(self) -> str:
        """Return all text within."""
        breaks = {"br": "\n"}
        return "".join(
            node if isinstance(node, str) else breaks.get(node.name, "") for node in self.walk()
        )

    def has_blocks(self) -> bool:
        """Return whether anything within begins a block of its own."""
        return any(isinstance(node, Tag) and node.name in BLOCKS for node in self.walk())


@dataclass(frozen=True, slots=True)
class _EndTag:
    name: str


_Token = str | Tag | _EndTag


def parse_html(html: str) -> Tag:
    """Return a part of a page as a tree; whatever is written has one."""
    root = Tag("")
    stack = [root]
    # Texts that follow one another are one: only complete can a text be escaped correctly.
    for is_text, tokens in groupby(_split_tokens(html), key=lambda token: isinstance(token, str)):
        if is_text:
            stack[-1].inside.append("".join(map(str, tokens)))
            continue
        for token in tokens:
            if isinstance(token, Tag):
                _open(token, stack)
            elif isinstance(token, _EndTag):
                barrier = frozenset[str]() if token.name in _OF_TABLES else _CELLS
                _pop(stack, frozenset({token.name}), barrier)
    return root


def _split_tokens(html: str) -> Iterator[_Token]:
    position = 0
    while (start := html.find("<", position)) >= 0:
        if start > position:
            yield unescape(html[position:start])
        if html.startswith("<!--", start):
            position = _find_end(html, "-->", start)
        elif html.startswith(("<!", "<?"), start):
            position = _find_end(html, ">", start)
        elif match := _TAG.match(html, start) or _ROUGH.match(html, start):
            position = match.end()
            name = match[2].lower()
            if match[1]:
                yield _EndTag(name)
                continue
            tag = Tag(name, _parse_attributes(match[3]))
            if name in RAW:
                position = _read_raw(html, tag, position)
            yield tag
        else:
            yield "<"
            position = start + 1
    if position < len(html):
        yield unescape(html[position:])


def _find_end(html: str, mark: str, start: int) -> int:
    """Return the position after a mark; what is never closed goes to the end, as in browsers."""
    position = html.find(mark, start)
    return len(html) if position < 0 else position + len(mark)


def _read_raw(html: str, tag: Tag, start: int) -> int:
    """Read what is in a script or the like; return the position after it."""
    match = re.compile(rf"</{tag.name}\b[^<>]*>", re.IGNORECASE).search(html, start)
    end, after = match.span() if match else (len(html), len(html))
    tag.inside.append(html[start:end])
    return after


def _parse_attributes(text: str) -> dict[str, str]:
    return {
        match[1].lower(): unescape((match[2] or "").strip("\"'"))
        for match in _ATTRIBUTE.finditer(text)
    }


def _open(tag: Tag, stack: list[Tag]) -> None:
    if tag.name in BLOCKS:
        _pop(stack, frozenset({"p"}), BLOCKS - {"p"})
    if tag.name in _CLOSES:
        _pop(stack, *_CLOSES[tag.name])
    stack[-1].inside.append(tag)
    if tag.name not in VOID | RAW and len(stack) < DEEPEST:
        stack.append(tag)


def _pop(stack: list[Tag], names: frozenset[str], barrier: frozenset[str]) -> None:
    """Close the outermost of these names that no barrier hides; if there is none, nothing."""
    closed = 0
    for place in range(len(stack) - 1, 0, -1):
        if stack[place].name in names:
            closed = place
            if len(names) == 1:
                break
        elif stack[place].name in barrier:
            break
    if closed:
        del stack[closed:]
