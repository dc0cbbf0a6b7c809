"""QTI 1.2 as Canvas and others write it: items, assessments, object banks, and packages of them."""

import re
from functools import partial
from xml.etree.ElementTree import Element

from quizzes.formats.contract import Note, ParsedFile, SourceItem
from quizzes.formats.parsing.contents import PackageDocument, contains_document
from quizzes.formats.parsing.package_reader import PackageReader
from quizzes.formats.parsing.source_items import Origin
from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.parsing.xml import XmlNode, get_line, read_root_name
from quizzes.formats.qti.assessment_item import build_source_item
from quizzes.formats.qti12.item import read_metadata, read_qti12_item
from quizzes.formats.qti12.questions import build_question
from quizzes.formats.qti12.writing import write

__all__ = ["detect", "extensions", "name", "read", "write"]

name = "qti-1.2"
extensions = ("zip", "imscc", "xml", "qti")

_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_NUMBERED = re.compile(r"(?:question|pregunta|item)?\s*\d*", re.IGNORECASE)


def detect(data: bytes, filename: str) -> bool:
    """Return whether the first element, in a package that of any file in it, is of QTI 1.2."""
    del filename
    return contains_document(data, _is_qti12)


def _is_qti12(data: bytes) -> bool:
    return read_root_name(data) == "questestinterop"


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Return the items of a document or a package."""
    reader = PackageReader(language)
    for root, document in reader.iterate_documents(data, _is_qti12):
        reader.language = reader.language or root.get(_LANGUAGE, "")[:2].lower()
        for node in root.iter():
            _read_node(node, document, reader)
    return reader.build_file()


def _read_node(node: Element, document: PackageDocument, reader: PackageReader) -> None:
    """Add an item, the title, or a note on items that are elsewhere."""
    if node.tag in {"assessment", "objectbank"} and not reader.title:
        titles = (entry for label, entry in read_metadata(node) if label == "bank_title")
        reader.title = node.get("title", "") or next(titles, "")
    if node.tag == "item" and isinstance(node, XmlNode):
        reader.add_items(partial(_read_item, node, document, reader), node, document)
    if node.tag in {"sourcebank_ref", "itemref"}:
        note = Note("bank_elsewhere", get_line(node), read_text(node)[:200])
        reader.contents.ignored.append(note)


def _read_item(node: XmlNode, document: PackageDocument, reader: PackageReader) -> list[SourceItem]:
    title = node.get("title", "")
    own_title = "" if _NUMBERED.fullmatch(title.strip()) else title
    name = reader.names.assign(own_title, node.get("ident", ""))
    item = read_qti12_item(node, document.media)
    language = reader.choose_language("", " ".join(node.itertext()), node.line, title)
    kind = item.metadata.get("question_type", "")
    origin = Origin(node.line, node.end_line, document.member, name, kind, item.points)
    return build_source_item(item, partial(build_question, item, name, language), origin)
