"""Parse the documents of a file or package, and collect items, names, media and errors. Pure.

A broken document of a package is refused as one item; a broken single document is an error of the
whole file.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from quizzes.formats.contract import FileError, FileMetadata, Note, ParsedFile, SourceItem
from quizzes.formats.parsing.contents import IsWanted, PackageContents, PackageDocument
from quizzes.formats.parsing.failures import read_items
from quizzes.formats.parsing.languages import detect_language, take_language
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.reading_limits import check_item_count
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.parsing.xml import XmlNode, decode_xml, parse_xml
from quizzes.formats.parsing.xml_item import check_option_elements

_ITEM_TAGS = (b"<item ", b"<assessmentItem ")


@dataclass(slots=True)
class PackageReader:
    """One file while it is read; `language` is that of its texts, if it is known."""

    language: str
    title: str = ""
    contents: PackageContents = field(default_factory=PackageContents)
    names: Names = field(default_factory=Names)
    items: list[SourceItem] = field(default_factory=list)

    def iterate_documents(
        self, data: bytes, is_wanted: IsWanted
    ) -> Iterator[tuple[XmlNode, PackageDocument]]:
        """Yield each wanted document with its root, in their order."""
        for document in self.contents.iterate_documents(data, is_wanted):
            count = max(map(document.data.count, _ITEM_TAGS))
            check_item_count(len(self.items) + count)
            root = parse_xml(document.data)
            if isinstance(root, FileError):
                self._add_broken(root, document)
                continue
            self.contents.ignored += [
                note if note.quote else replace(note, quote=document.member[:200])
                for note in decode_xml(document.data)[1]
            ]
            yield root, document

    def choose_language(self, declared: str, text: str, line: int, quote: str) -> str:
        """Return the file's language, or the item's declared one, or what its text seems to be."""
        language = self.language or declared[:2].lower() or detect_language(text)
        language, doubts = take_language(language, text, quote[:200])
        self.contents.ignored += (replace(note, line=line) for note in doubts)
        return language or "en"

    def add_items(
        self, read: Callable[[], Iterable[SourceItem]], node: XmlNode, document: PackageDocument
    ) -> None:
        """Add the items that `read` returns; if it raises, the refusal of that element."""

        def read_checked() -> Iterable[SourceItem]:
            check_option_elements(node)
            return read()

        self.items += read_items(read_checked, Origin(node.line, node.end_line, document.member))

    def build_file(self) -> ParsedFile:
        """Return all that was read."""
        return ParsedFile(
            items=tuple(self.items),
            errors=tuple(self.contents.errors),
            metadata=FileMetadata(title=self.title or self.contents.title, language=self.language),
            media=self.contents.media,
            ignored_lines=tuple(self.contents.ignored),
        )

    def _add_broken(self, error: FileError, document: PackageDocument) -> None:
        if not document.member:
            self.contents.errors.append(error)
            return
        note = Note(error.code, error.line, error.message)
        origin = Origin(error.line, error.line, document.member)
        origin = origin.with_name(document.member, error.code)
        self.items.append(build_item(origin, None, [note]))
