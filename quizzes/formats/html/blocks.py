"""Paragraphs, lists, listings, quotations and tables of a page as Markdown."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from quizzes.formats.contract import Note
from quizzes.formats.html.conversion_notes import ConversionNotes, FindMedia, nothing
from quizzes.formats.html.inline import BREAK, Inline, longest_run, settled
from quizzes.formats.html.tables import strays, table
from quizzes.formats.html.tree import BLOCKS, Tag, read
from quizzes.formats.parsing.markdown_escape import (
    escape_inline,
    escape_line_start,
    escape_markdown,
)

MOST_CHARACTERS = 200_000
"""Of markup: ten times what a text of ours may have. Files within addresses do not count."""

# Most texts of a bank are a few words: they need no tree.
_SIMPLE = re.compile(r"\s*(?:<p>)?([^<&\\$\xa0\ue000-\ue003]{0,2000}+)(?:</p>)?\s*")
_FILE = re.compile(r"data:[^\s\"'<>]{200,}")
_LANGUAGE = re.compile(r"(?:language|lang|brush:|highlight-source)[- ]?([\w+#]{1,20})", re.ASCII)
_PARAGRAPHS = re.compile(rf"{BREAK}\s*{BREAK}[\s{BREAK}]*")
_STARTS = re.compile(r"\d{1,9}", re.ASCII)


def to_markdown(
    html: str, *, line: int = 1, media: FindMedia = nothing
) -> tuple[str, tuple[Note, ...]]:
    """Give HTML as our Markdown, and notes on what it could not keep, all at this line.

    `media` gives the name of each picture, sound or film that the file brought.
    """
    if not html:
        return "", ()
    if found := _SIMPLE.fullmatch(html):
        return escape_line_start(escape_inline(" ".join(found[1].split()))), ()
    telling = ConversionNotes(line, media)
    if len(html) - sum(len(found[0]) for found in _FILE.finditer(html)) > MOST_CHARACTERS:
        telling.note("text_cut", html)
        return escape_markdown(html[:MOST_CHARACTERS]), tuple(telling.notes)
    text = "\n\n".join(_Blocks(telling).write(read(html)))
    return text, tuple(telling.notes)


class _Blocks:
    def __init__(self, telling: ConversionNotes) -> None:
        self._telling = telling
        self._inline = Inline(telling)

    def write(self, tag: Tag) -> list[str]:
        """Write what is within, block by block; runs of words between blocks are paragraphs."""
        return list(self._write(tag.inside))

    def _write(self, nodes: Iterable[Tag | str]) -> Iterator[str]:
        run: list[Tag | str] = []
        for node in nodes:
            if isinstance(node, str) or not _is_block(node):
                run.append(node)
                continue
            yield from self._paragraphs(run)
            run = []
            yield from _WRITERS.get(node.name, _Blocks.write)(self, node)
        yield from self._paragraphs(run)

    def _paragraphs(self, run: Iterable[Tag | str]) -> Iterator[str]:
        for paragraph in _PARAGRAPHS.split(settled(self._inline.run(run))):
            lines = [line.strip() for line in paragraph.strip(f" {BREAK}\xa0").split(BREAK)]
            if any(lines):
                yield "\\\n".join(escape_line_start(line) for line in lines)

    def _heading(self, tag: Tag) -> Iterator[str]:
        # Editors of other programs begin at h3: a page's own headings stand above it.
        marks = "#" * max(1, int(tag.name[1]) - 2)
        text = settled(Inline(self._telling).run(tag.inside)).replace(BREAK, " ").strip()
        if text:
            yield f"{marks} {text}"

    def _rule(self, _tag: Tag) -> Iterator[str]:
        yield "---"

    def _quotation(self, tag: Tag) -> Iterator[str]:
        if blocks := self.write(tag):
            lines = "\n\n".join(blocks).split("\n")
            yield "\n".join(f"> {line}".rstrip() for line in lines)

    def _listing(self, tag: Tag) -> Iterator[str]:
        code = tag.text().replace("\r", "").removeprefix("\n").rstrip()
        if code.strip():
            fence = "`" * max(3, longest_run(code) + 1)
            yield f"{fence}{_language(tag)}\n{code}\n{fence}"

    def _list(self, tag: Tag) -> Iterator[str]:
        items = [self.write(item) for item in _items(tag)]
        items = [blocks for blocks in items if blocks]
        first = int(tag.get("start")) if _STARTS.fullmatch(tag.get("start")) else 1
        loose = any(sum(not _is_list(block) for block in blocks) > 1 for blocks in items)
        gap = "\n\n" if loose else "\n"
        if items:
            yield gap.join(
                _item(f"{number}. " if tag.name == "ol" else "- ", gap.join(blocks))
                for number, blocks in enumerate(items, start=first)
            )

    def _table(self, tag: Tag) -> Iterator[str]:
        for caption in tag.tags("caption"):
            yield from self.write(caption)
        yield from self._write(strays(tag))
        if text := table(tag, Inline(self._telling, cell=True)):
            yield text

    def _term(self, tag: Tag) -> Iterator[str]:
        yield from self._paragraphs([Tag("strong", {}, tag.inside)])


def _is_block(node: Tag) -> bool:
    return node.name in BLOCKS or node.holds_blocks()


def _is_list(block: str) -> bool:
    return block.startswith("- ") or re.match(r"\d+\. ", block) is not None


def _item(marker: str, text: str) -> str:
    indent = "\n" + " " * len(marker)
    return (marker + text.replace("\n", indent)).replace(indent + "\n", "\n\n")


def _items(tag: Tag) -> list[Tag]:
    """Give the items; what stands between them belongs to the one before."""
    items: list[Tag] = []
    for one in tag.inside:
        if isinstance(one, Tag) and one.name == "li":
            items.append(Tag("li", {}, list(one.inside)))
        elif not isinstance(one, str) or one.strip():
            if not items:
                items.append(Tag("li"))
            items[-1].inside.append(one)
    return items


def _language(tag: Tag) -> str:
    for one in (tag, *tag.tags("code")):
        said = one.get("data-language") or one.get("class")
        found = _LANGUAGE.search(said) or (one.get("data-language") and re.search(r"(\w+)", said))
        if found:
            return found[1].lower()
    return ""


_WRITERS: Mapping[str, Callable[[_Blocks, Tag], Iterable[str]]] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _Blocks._heading),
    "blockquote": _Blocks._quotation,
    "dt": _Blocks._term,
    "hr": _Blocks._rule,
    "ol": _Blocks._list,
    "pre": _Blocks._listing,
    "table": _Blocks._table,
    "ul": _Blocks._list,
}
