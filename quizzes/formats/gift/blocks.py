"""A GIFT file as its items: comments and categories taken out, split at blank lines."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from quizzes.formats.contract import LONGEST_QUOTE, Note
from quizzes.formats.gift.texts import protect_escapes
from quizzes.formats.parsing.naming import slugify

_TAG = re.compile(r"\[tag:([^\]\n]{1,100})\]")
_ID = re.compile(r"\[id:([^\]\n]{1,100})\]")
_CATEGORY = "$CATEGORY:"
_FENCE = re.compile(r"(?:^|\])[ \t]*(?:```|~~~)", re.MULTILINE)
_BRACE = re.compile(r"(?<!\\)\{")
_NO_TAGS = {"", "top", "default"}


@dataclass(slots=True)
class Block:
    """One item, its escapes protected; `id` and `tags` are what the comments above it name."""

    line: int
    end_line: int
    text: str
    id: str = ""
    tags: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()  # of notes on blank lines that were bridged


@dataclass(slots=True)
class SplitFile:
    """The items of a file, the lines that belong to none, and the first category's name."""

    blocks: list[Block] = field(default_factory=list)
    ignored_lines: list[Note] = field(default_factory=list)
    title: str = ""


def split_file(text: str) -> SplitFile:
    """Split a file at its blank lines, but for those in braces and at listings."""
    file = SplitFile()
    blocks = list(_join_listings(list(_split_lines(text, file))))
    for block in blocks:
        block.text = protect_escapes(block.text)
    file.blocks = list(_join_braces(blocks))
    return file


def _split_lines(text: str, file: SplitFile) -> Iterator[Block]:
    block: Block | None = None
    id_ = ""
    tags: tuple[str, ...] = ()
    category: tuple[str, ...] = ()
    for number, line in enumerate(text.split("\n"), start=1):
        stripped = line.strip()
        if stripped.startswith("//"):
            file.ignored_lines.append(Note("comment", number, stripped[:LONGEST_QUOTE]))
            id_ = (_ID.findall(stripped) or [id_])[-1]
            tags = (*tags, *filter(None, map(slugify, _TAG.findall(stripped))))
        elif stripped.startswith(_CATEGORY):
            path = stripped.removeprefix(_CATEGORY).strip()
            file.title = file.title or path.rpartition("/")[2].strip()
            file.ignored_lines.append(Note("category", number, path[:LONGEST_QUOTE]))
            parts = (part.strip() for part in path.split("/"))
            names = (slugify(part) for part in parts if not part.startswith("$"))
            category = tuple(dict.fromkeys(name for name in names if name not in _NO_TAGS))
        elif stripped and block is None:
            block = Block(number, number, line, id_, (*category, *tags))
            id_, tags = "", ()
        elif stripped and block is not None:
            block.text, block.end_line = f"{block.text}\n{line}", number
        if block is not None and (not stripped or stripped.startswith(_CATEGORY)):
            yield block
            block = None
    if block is not None:
        yield block


def _join_listings(blocks: list[Block]) -> Iterator[Block]:
    """Join a listing to the words above it, and what a blank line within it has torn apart."""
    above: Block | None = None
    for block in blocks:
        if above is not None and _continues(above, block):
            above = _join([above, block], "blank_line_at_listing")
            continue
        if above is not None:
            yield above
        above = block
    if above is not None:
        yield above


def _continues(above: Block, block: Block) -> bool:
    """Return whether the blank line between two blocks stands above or within a listing."""
    if _BRACE.search(above.text) or block.text.lstrip().startswith("::"):
        return False
    fences = len(_FENCE.findall(above.text))
    has_answers = fences > 0 and block.text.lstrip().startswith("{")
    return fences % 2 == 1 or has_answers or _FENCE.match(block.text) is not None


def _join_braces(blocks: list[Block]) -> Iterator[Block]:
    """Join what a blank line within braces has torn apart; what nothing closes stays alone."""
    start = 0
    while start < len(blocks):
        block, end = blocks[start], start + 1
        if block.text.count("{") > block.text.count("}"):
            while end < len(blocks) and not re.search(r"[{}]|^\s*::", blocks[end].text):
                end += 1
            if end < len(blocks) and _closes(blocks[end].text):
                end += 1
                block = _join(blocks[start:end], "blank_line_in_braces")
            else:
                end = start + 1
        yield block
        start = end


def _join(blocks: list[Block], code: str) -> Block:
    text = "\n\n".join(block.text for block in blocks)
    codes = dict.fromkeys([code, *(code for block in blocks for code in block.codes)])
    return replace(blocks[0], end_line=blocks[-1].end_line, text=text, codes=tuple(codes))


def _closes(text: str) -> bool:
    opened = text.find("{")
    return "}" in text and (opened < 0 or text.find("}") < opened)
