"""Paragraphs, lists, listings, quotations and tables of a page as Markdown."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from quizzes.lib.html_conversion.conversion_notes import (
    ConversionNote,
    ConversionNotes,
    FindMedia,
    find_no_media,
)
from quizzes.lib.html_conversion.inline import BREAK, InlineWriter, find_longest_run, finish_inline
from quizzes.lib.html_conversion.tables import find_strays, write_table
from quizzes.lib.html_conversion.tree import BLOCKS, Tag, parse_html
from quizzes.lib.markup.escape import escape_inline, escape_line_start, escape_markdown

MOST_CHARACTERS = 200_000
"""Of markup: ten times what a text of ours may have. Files within addresses do not count."""

# Most texts of a bank are a few words: they need no tree.
_SIMPLE = re.compile(r"\s*(?:<p>)?([^<&\\$\xa0\ue000-\ue003]{0,2000}+)(?:</p>)?\s*")
_FILE = re.compile(r"data:[^\s\"'<>]{200,}")
_LANGUAGE = re.compile(r"(?:language|lang|brush:|highlight-source)[- ]?([\w+#]{1,20})", re.ASCII)
_PARAGRAPHS = re.compile(rf"{BREAK}\s*{BREAK}[\s{BREAK}]*")
_STARTS = re.compile(r"\d{1,9}", re.ASCII)


def html_to_markdown(
    html: str, find_media: FindMedia = find_no_media
) -> tuple[str, tuple[ConversionNote, ...]]:
    """Return HTML as our Markdown, and notes on what could not be kept.

    `find_media` returns the name of each picture, sound or film that the file has.
    """
    if not html:
        return "", ()
    if simple := _SIMPLE.fullmatch(html):
        return escape_line_start(escape_inline(" ".join(simple[1].split()))), ()
    notes = ConversionNotes(find_media)
    if len(html) - sum(len(file[0]) for file in _FILE.finditer(html)) > MOST_CHARACTERS:
        notes.add("text_cut", html)
        return escape_markdown(html[:MOST_CHARACTERS]), tuple(notes.notes)
    text = "\n\n".join(_BlockWriter(notes).write(parse_html(html)))
    return text, tuple(notes.notes)


class _BlockWriter:
    def __init__(self, notes: ConversionNotes) -> None:
        self._notes = notes
        self._inline = InlineWriter(notes)

    def write(self, tag: Tag) -> list[str]:
        """Return the blocks within; runs of words between blocks are paragraphs."""
        return list(self._write_nodes(tag.inside))

    def _write_nodes(self, nodes: Iterable[Tag | str]) -> Iterator[str]:
        run: list[Tag | str] = []
        for node in nodes:
            if isinstance(node, str) or not _is_block(node):
                run.append(node)
                continue
            yield from self._write_paragraphs(run)
            run = []
            yield from _WRITERS.get(node.name, _BlockWriter.write)(self, node)
        yield from self._write_paragraphs(run)

    def _write_paragraphs(self, run: Iterable[Tag | str]) -> Iterator[str]:
        for paragraph in _PARAGRAPHS.split(finish_inline(self._inline.run(run))):
            lines = [line.strip() for line in paragraph.strip(f" {BREAK}\xa0").split(BREAK)]
            if any(lines):
                yield "\\\n".join(escape_line_start(line) for line in lines)

    def _write_heading(self, tag: Tag) -> Iterator[str]:
        # Editors of other programs begin at h3: a page's own headings stand above it.
        marks = "#" * max(1, int(tag.name[1]) - 2)
        text = finish_inline(self._inline.run(tag.inside)).replace(BREAK, " ").strip()
        if text:
            yield f"{marks} {text}"

    def _write_quotation(self, tag: Tag) -> Iterator[str]:
        if blocks := self.write(tag):
            lines = "\n\n".join(blocks).split("\n")
            yield "\n".join(f"> {line}".rstrip() for line in lines)

    def _write_code_block(self, tag: Tag) -> Iterator[str]:
        code = tag.get_text().replace("\r", "").removeprefix("\n").rstrip()
        if code.strip():
            fence = "`" * max(3, find_longest_run(code) + 1)
            yield f"{fence}{_find_language(tag)}\n{code}\n{fence}"

    def _write_list(self, tag: Tag) -> Iterator[str]:
        items = [self.write(item) for item in _list_items(tag)]
        items = [blocks for blocks in items if blocks]
        first = int(tag.get("start")) if _STARTS.fullmatch(tag.get("start")) else 1
        loose = any(sum(not _is_list(block) for block in blocks) > 1 for blocks in items)
        gap = "\n\n" if loose else "\n"
        if items:
            yield gap.join(
                _write_item(f"{number}. " if tag.name == "ol" else "- ", gap.join(blocks))
                for number, blocks in enumerate(items, start=first)
            )

    def _write_table(self, tag: Tag) -> Iterator[str]:
        for caption in tag.find_tags("caption"):
            yield from self.write(caption)
        yield from self._write_nodes(find_strays(tag))
        if text := write_table(tag, InlineWriter(self._notes, cell=True)):
            yield text

    def _write_term(self, tag: Tag) -> Iterator[str]:
        yield from self._write_paragraphs([Tag("strong", {}, tag.inside)])


def _is_block(node: Tag) -> bool:
    return node.name in BLOCKS or node.has_blocks()


def _is_list(block: str) -> bool:
    return block.startswith("- ") or re.match(r"\d+\. ", block) is not None


def _write_item(marker: str, text: str) -> str:
    indent = "\n" + " " * len(marker)
    return (marker + text.replace("\n", indent)).replace(indent + "\n", "\n\n")


def _list_items(tag: Tag) -> list[Tag]:
    """Return the items; what is between them belongs to the one before."""
    items: list[Tag] = []
    for node in tag.inside:
        if isinstance(node, Tag) and node.name == "li":
            items.append(Tag("li", {}, list(node.inside)))
        elif not isinstance(node, str) or node.strip():
            if not items:
                items.append(Tag("li"))
            items[-1].inside.append(node)
    return items


def _find_language(tag: Tag) -> str:
    for node in (tag, *tag.find_tags("code")):
        language = node.get("data-language")
        match = _LANGUAGE.search(language or node.get("class")) or re.search(r"(\w+)", language)
        if match:
            return match[1].lower()
    return ""


_WRITERS: Mapping[str, Callable[[_BlockWriter, Tag], Iterable[str]]] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), _BlockWriter._write_heading),
    "blockquote": _BlockWriter._write_quotation,
    "dt": _BlockWriter._write_term,
    "hr": lambda _writer, _tag: ["---"],
    "ol": _BlockWriter._write_list,
    "pre": _BlockWriter._write_code_block,
    "table": _BlockWriter._write_table,
    "ul": _BlockWriter._write_list,
}
