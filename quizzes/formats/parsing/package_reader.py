"""Reads the documents of a file or package, and collects items, names, media and errors. Pure.

Each document is parsed on its own: a broken one of a package is told as refused, and only where
it is all there is, it keeps the whole file out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from quizzes.formats.contract import (
    FileError,
    FileMetadata,
    Note,
    ParsedFile,
    SourceItem,
)
from quizzes.formats.parsing.contents import Contents, Document
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.languages import detect_language
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.parsing.xml import Node, parse, text_of


@dataclass(slots=True)
class PackageReader:
    """One file while it is read; `language` is that of its words, where somebody said so."""

    language: str
    title: str = ""
    contents: Contents = field(default_factory=Contents)
    names: Names = field(default_factory=Names)
    items: list[SourceItem] = field(default_factory=list)

    def documents(
        self, data: bytes, wanted: Callable[[bytes], bool]
    ) -> Iterator[tuple[Node, Document]]:
        """Give each document that is wanted with its root, in their order."""
        for document in self.contents.documents(data, wanted):
            root = parse(document.data)
            if isinstance(root, FileError):
                self._broken(root, document)
                continue
            notes = text_of(document.data)[1]
            self.contents.noise += [_of(document, note) for note in notes]
            yield root, document

    def item_language(self, declared: str, text: str, line: int, quote: str) -> str:
        """Give the language of an item: what was said of it, else what its words tell."""
        spoken = self.language or declared[:2].lower() or detect_language(text)
        if not spoken:
            self.contents.noise.append(Note("language_unknown", line, quote[:200]))
        return spoken or "en"

    def read_item(
        self, read: Callable[[], SourceItem], node: Node, document: Document
    ) -> SourceItem:
        """Return the item that `read` returns; if it raises, the refusal of that element."""
        return read_item(read, Origin(node.line, node.last, document.member))

    def parsed_file(self) -> ParsedFile:
        """Return all that was read."""
        contents = self.contents
        return ParsedFile(
            items=tuple(self.items),
            errors=tuple(contents.troubles),
            metadata=FileMetadata(title=self.title or contents.title, language=self.language),
            media=contents.media,
            ignored_lines=tuple(contents.noise),
        )

    def _broken(self, trouble: FileError, document: Document) -> None:
        if not document.member:
            self.contents.troubles.append(trouble)
            return
        note = Note(trouble.code, trouble.line, trouble.message)
        place = Origin(trouble.line, trouble.line, document.member)
        self.items.append(build_item(place.with_name(document.member, trouble.code), None, [note]))


def _of(document: Document, note: Note) -> Note:
    """Name the member that a note is about, where it quotes nothing."""
    return note if note.quote else replace(note, quote=document.member[:200])
