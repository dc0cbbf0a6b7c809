"""QTI 1.2 as Canvas and others write it: items, assessments, object banks, and packages of them."""

import re
from functools import partial
from xml.etree.ElementTree import Element

from quizzes.formats.contract import Note, ParsedFile, SourceItem
from quizzes.formats.parsing.contents import PackageDocument, contains_document
from quizzes.formats.parsing.package_reader import PackageReader
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.parsing.xhtml import read_text
from quizzes.formats.parsing.xml import XmlNode, read_root_name
from quizzes.formats.qti12.items import source
from quizzes.formats.qti12.kinds import Refused, question
from quizzes.formats.qti12.writing import write

__all__ = ["detect", "extensions", "name", "read", "write"]

name = "qti-1.2"
extensions = ("zip", "imscc", "xml", "qti")

_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_NUMBERED = re.compile(r"(?:question|pregunta|item)?\s*\d*", re.IGNORECASE)
_REVIEWS = frozenset(
    {
        "custom_response_processing",
        "gap_missing_in_text",
        "key_unknown",
        "options_not_in_rule",
        "several_right_options",
    }
)


def detect(data: bytes, filename: str) -> bool:
    """Tell by the first element, in a package by that of any file in it."""
    del filename
    return contains_document(data, _is_ours)


def _is_ours(data: bytes) -> bool:
    return read_root_name(data) == "questestinterop"


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a document or a package."""
    reader = PackageReader(language)
    for root, document in reader.iterate_documents(data, _is_ours):
        reader.language = reader.language or root.get(_LANGUAGE, "")[:2].lower()
        for node in root.iter():
            _add(node, document, reader)
    return reader.build_file()


def _add(node: Element, document: PackageDocument, reader: PackageReader) -> None:
    """Add an item, a title, or what refers to elsewhere."""
    what = node.tag
    if what in {"assessment", "objectbank"} and not reader.title:
        reader.title = node.get("title", "") or _bank_title(node)
    if what == "item" and isinstance(node, XmlNode):
        reader.add_items(partial(_item, node, document, reader), node, document)
    if what in {"sourcebank_ref", "itemref"}:
        line = node.line if isinstance(node, XmlNode) else 1
        reader.contents.ignored.append(Note("bank_elsewhere", line, read_text(node)[:200]))


def _item(node: XmlNode, document: PackageDocument, reader: PackageReader) -> list[SourceItem]:
    title = node.get("title", "")
    own = "" if _NUMBERED.fullmatch(title.strip()) else title
    name = reader.names.name(own, node.get("ident", ""))
    read = source(node, document.media)
    language = reader.choose_language("", " ".join(node.itertext()), node.line, title)
    built, kind = None, ""
    try:
        built = question(read, name, language)
    except Refused as refused:
        read.note(refused.code, refused.quote)
        kind = read.meta.get("question_type", "") or refused.code
    place, points = Origin(node.line, node.end_line, document.member), read.gain()
    return [build_item(place.with_name(name, kind, points), built, read.notes, review=_REVIEWS)]


def _bank_title(bank: Element) -> str:
    fields = {}
    for node in bank.iter():
        if node.tag == "item":
            break
        if node.tag == "qtimetadatafield":
            values = {part.tag: read_text(part) for part in node}
            fields[values.get("fieldlabel", "")] = values.get("fieldentry", "")
    return fields.get("bank_title", "")
