"""QTI 1.2 as Canvas and others write it: items, assessments, object banks, and packages of them."""

import re
from dataclasses import replace
from xml.etree.ElementTree import Element

from quizzes.exchange.contract import About, Found, Note, Parcel, Trouble, Verdict
from quizzes.exchange.formats.qti12.items import Source, source
from quizzes.exchange.formats.qti12.kinds import Refused, question
from quizzes.exchange.reading.contents import Contents, Document, holds
from quizzes.exchange.reading.languages import detect
from quizzes.exchange.reading.naming import Names
from quizzes.exchange.reading.xhtml import words
from quizzes.exchange.reading.xml import Node, local, parse, root_name

name = "qti-1.2"
endings = ("zip", "imscc", "xml", "qti")

_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_NUMBERED = re.compile(r"(?:question|pregunta|item)?\s*\d*", re.IGNORECASE)
_REVIEWS = {
    "custom_response_processing",
    "gap_missing_in_text",
    "key_unknown",
    "options_not_in_rule",
    "several_right_in_single",
}


def claims(data: bytes, filename: str) -> bool:  # noqa: ARG001  the bytes tell
    """Tell by the first element, in a package by that of any file in it."""
    return holds(data, _is_ours)


def _is_ours(data: bytes) -> bool:
    return root_name(data) == "questestinterop"


def read(data: bytes, *, language: str = "") -> Parcel:
    """Read a document or a package."""
    reading = _Reading(language)
    for document in reading.contents.documents(data, _is_ours):
        reading.add(document)
    return reading.parcel()


class _Reading:
    def __init__(self, language: str) -> None:
        self.contents = Contents()
        self._names = Names()
        self._language = language
        self._title = ""
        self._found: list[Found] = []

    def add(self, document: Document) -> None:
        """Read one document; what is no XML is a trouble."""
        root = parse(document.data)
        if isinstance(root, Trouble):
            self.contents.troubles.append(root)
            return
        self._language = self._language or root.get(_LANGUAGE, "")[:2].lower()
        for one in root.iter():
            if local(one) in {"assessment", "objectbank"} and not self._title:
                self._title = one.get("title", "") or _bank_title(one)
            if local(one) == "item" and isinstance(one, Node):
                self._found.append(self._item(one, document))
            if local(one) in {"sourcebank_ref", "itemref"}:
                line = one.line if isinstance(one, Node) else 1
                self.contents.noise.append(Note("bank_elsewhere", line, words(one)[:200]))

    def _item(self, node: Node, document: Document) -> Found:
        title = node.get("title", "")
        own = "" if _NUMBERED.fullmatch(title.strip()) else title
        named = self._names.name(own, node.get("ident", ""))
        read = source(node, document.media)
        kind = read.meta.get("question_type", "")
        try:
            built = question(read, named, self._spoken(node) or "en")
        except Refused as refused:
            read.note(refused.code, refused.quote)
            return self._told(read, named, kind or refused.code, Verdict.REFUSED, document)
        codes = {note.code for note in read.notes}
        mended = Verdict.REPAIRED if codes else Verdict.IMPORTED
        verdict = Verdict.REVIEW if codes & _REVIEWS else mended
        told = self._told(read, named, built.kind, verdict, document)
        return replace(told, question=built)

    def _told(
        self, read: Source, named: str, kind: str, verdict: Verdict, document: Document
    ) -> Found:
        line, last = read.node.line, read.node.last
        return Found(
            line,
            last,
            named,
            kind,
            verdict,
            notes=tuple(read.notes),
            member=document.member,
            points=read.gain(),
        )

    def _spoken(self, node: Node) -> str:
        """Give the language of an item, by what was said or by its words."""
        spoken = self._language or detect(" ".join(node.itertext()))
        if not spoken:
            self.contents.noise.append(Note("language_unknown", node.line, node.get("title", "")))
        return spoken

    def parcel(self) -> Parcel:
        """Give all that was read."""
        contents = self.contents
        return Parcel(
            found=tuple(self._found),
            troubles=tuple(contents.troubles),
            about=About(title=self._title, language=self._language),
            media=contents.media,
            noise=tuple(contents.noise),
        )


def _bank_title(bank: Element) -> str:
    fields = {}
    for one in bank.iter():
        if local(one) == "item":
            break
        if local(one) == "qtimetadatafield":
            values = {local(part): words(part) for part in one}
            fields[values.get("fieldlabel", "")] = values.get("fieldentry", "")
    return fields.get("bank_title", "")
