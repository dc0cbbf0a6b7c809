"""A GIFT file as its items: comments and categories taken out, blank lines between, lines known."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from quizzes.formats.contract import Note
from quizzes.formats.gift.texts import protected
from quizzes.formats.parsing.naming import slug

_TAG = re.compile(r"\[tag:([^\]\n]{1,100})\]")
_ID = re.compile(r"\[id:([^\]\n]{1,100})\]")
_CATEGORY = "$CATEGORY:"
_FENCE = re.compile(r"(?:^|\])[ \t]*(?:```|~~~)", re.MULTILINE)
_BRACE = re.compile(r"(?<!\\)\{")
_NO_TAGS = {"top", "default"}


@dataclass(slots=True)
class Block:
    """One item, its escapes protected; `named` and `tags` are what comments said of it."""

    line: int
    last: int
    text: str
    named: str = ""
    tags: tuple[str, ...] = ()
    mended: bool = False  # blank lines stood between its braces
    bridged: bool = False  # blank lines stood above or within its listing


@dataclass(slots=True)
class Split:
    """The items of a file, what stood beside them, and the first category's name."""

    blocks: list[Block] = field(default_factory=list)
    noise: list[Note] = field(default_factory=list)
    title: str = ""


def split(text: str) -> Split:
    """Split a file at its blank lines, except where braces are open across them."""
    found = Split()
    found.blocks = list(_closed(list(_with_listings(list(_blocks(text, found))))))
    return found


def _with_listings(blocks: list[Block]) -> Iterator[Block]:
    """Join a listing to the words above it, and what a blank line within it has torn apart."""
    waiting: Block | None = None
    for block in blocks:
        if waiting is not None and _goes_on(waiting, block):
            waiting.text = f"{waiting.text}\n\n{block.text}"
            waiting.last, waiting.bridged = block.last, True
            continue
        if waiting is not None:
            yield waiting
        waiting = block
    if waiting is not None:
        yield waiting


def _goes_on(before: Block, block: Block) -> bool:
    """Return whether a blank line above or within a listing stands between two blocks."""
    if _BRACE.search(before.text) or block.text.lstrip().startswith("::"):
        return False
    fences = len(_FENCE.findall(before.text))
    answers = fences > 0 and block.text.lstrip().startswith("{")
    return fences % 2 == 1 or answers or _FENCE.match(block.text) is not None


def _blocks(text: str, found: Split) -> Iterator[Block]:
    current: Block | None = None
    named = ""
    tags: tuple[str, ...] = ()
    category: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), start=1):
        said = line.strip()
        if said.startswith("//"):
            found.noise.append(Note("comment", number, said[:200]))
            named = (_ID.findall(said) or [named])[-1]
            tags = (*tags, *filter(None, map(slug, _TAG.findall(said))))
        elif said.startswith(_CATEGORY):
            path = said.removeprefix(_CATEGORY).strip()
            found.title = found.title or path.rpartition("/")[2].strip()
            found.noise.append(Note("category", number, path[:200]))
            category = _tags_of(path)
        elif said and current is None:
            current = Block(number, number, line, named, (*category, *tags))
            named, tags = "", ()
        elif said and current is not None:
            current.text, current.last = f"{current.text}\n{line}", number
        if current is not None and (not said or said.startswith(_CATEGORY)):
            yield current
            current = None
    if current is not None:
        yield current


def _tags_of(path: str) -> tuple[str, ...]:
    parts = (part.strip() for part in path.split("/"))
    made = (slug(part) for part in parts if not part.startswith("$"))
    return tuple(dict.fromkeys(one for one in made if one and one not in _NO_TAGS))


def _closed(blocks: list[Block]) -> Iterator[Block]:
    """Join what a blank line within braces has torn apart; what nothing closes stays alone."""
    for block in blocks:
        block.text = protected(block.text)
    at = 0
    while at < len(blocks):
        block, end = blocks[at], at + 1
        if block.text.count("{") > block.text.count("}"):
            while end < len(blocks) and not re.search(r"[{}]|^\s*::", blocks[end].text):
                end += 1
            if end < len(blocks) and _closes(blocks[end].text):
                end += 1
                joined = "\n\n".join(block.text for block in blocks[at:end])
                last = blocks[end - 1].last
                block = replace(block, last=last, text=joined, mended=True)
            else:
                end = at + 1
        yield block
        at = end


def _closes(text: str) -> bool:
    opened = text.find("{")
    return "}" in text and (opened < 0 or text.find("}") < opened)
