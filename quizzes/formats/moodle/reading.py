"""From a file to its items: categories become tags, every other question is read by its type."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from quizzes.formats.builders import Head
from quizzes.formats.contract import FileError, Note, ParsedFile, ParsedQuestion, SourceItem
from quizzes.formats.moodle import choice, cloze, gap_select, text_entry
from quizzes.formats.moodle.item import Item, raw
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.languages import detect_language
from quizzes.formats.parsing.naming import Names, slug
from quizzes.formats.parsing.percentages import fraction
from quizzes.formats.parsing.source_items import Origin
from quizzes.formats.parsing.xml import XmlNode, decode_xml, iterate_children, read_root_name

_TYPES: Mapping[str, Callable[[Item, Head], ParsedQuestion | None]] = {
    "cloze": cloze.cloze,
    "ddmatch": choice.matching,
    "ddwtos": gap_select.missing_words,
    "essay": text_entry.essay,
    "gapselect": gap_select.missing_words,
    "matching": choice.matching,
    "multianswer": cloze.cloze,
    "multichoice": choice.choice,
    "numerical": text_entry.numerical,
    "ordering": choice.ordering,
    "shortanswer": text_entry.short_answer,
    "truefalse": choice.true_false,
}
_REFUSED: Mapping[str, str] = {
    "description": "no_question",
    "random": "drawn_at_random",
    "randomsamatch": "drawn_at_random",
    **dict.fromkeys(
        (
            "calculated calculatedmulti calculatedsimple coderunner formulas pmatch regexp stack"
            " varnumeric varnumericset wirisxml"
        ).split(),
        "marked_by_rule",
    ),
}
_WITH_GAPS = frozenset({"cloze", "ddwtos", "gapselect", "multianswer"})
# What is no language: tags, the letters of files, and the values of settings.
_WORDS = re.compile(r"<file\b[^<>]*>[^<]*|<[^<>]*>|&\w+;|\b(?:true|false)\b", re.IGNORECASE)
# Characters that tell a language, whatever tags and files stand among them.
_ENOUGH = 1_000_000
_SEPARATOR = re.compile(r"(?<!/)/(?!/)")


def detect(data: bytes, filename: str) -> bool:
    """Tell such a file by its root."""
    del filename
    return read_root_name(data) == "quiz"


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; each question is one item, a category is told among the noise."""
    if not detect(data, ""):
        words = "the file's root is no <quiz>"
        return ParsedFile(errors=(FileError(1, "", "not_moodle", words),))
    text, notes = decode_xml(data)
    noise, troubles = list(notes), []
    language = language or detect_language(_WORDS.sub(" ", text[:_ENOUGH]))
    if not language:
        noise.append(Note("language_unknown", 1))
    reading = _Reading(language)
    for node in iterate_children(data):
        if isinstance(node, FileError):
            troubles.append(node)
        elif node.tag != "question":
            noise.append(Note("element_unknown", node.line, node.tag[:200]))
        elif node.get("type") == "category":
            noise.append(reading.category(node))
        else:
            place = Origin(node.line, node.end_line)
            reading.found.append(read_item(partial(reading.item, node), place))
    return ParsedFile(
        items=tuple(reading.found),
        errors=tuple(troubles),
        media=reading.media,
        ignored_lines=tuple(noise),
    )


class _Reading:
    """What goes on from item to item: names that are taken, the category, files."""

    def __init__(self, language: str) -> None:
        self.found: list[SourceItem] = []
        self.media: dict[str, bytes] = {}
        self._language = language or "en"
        self._names = Names()
        self._category: tuple[str, ...] = ()

    def category(self, node: XmlNode) -> Note:
        """Remember the category of what follows."""
        path = raw(node.find("category")).strip()
        parts = (part.replace("//", "/").strip() for part in _SEPARATOR.split(path))
        named = (slug(part) for part in parts if not part.startswith("$") and part != "top")
        self._category = tuple(dict.fromkeys(filter(None, named)))
        return Note("category_as_tags", node.line, path[:200])

    def item(self, node: XmlNode) -> SourceItem:
        """Read one question."""
        item, kind = Item(node, self.media), node.get("type", "")
        question = self._question(item, kind)
        return SourceItem(
            line=node.line,
            end_line=node.end_line,
            name=question.name if question else item.value("name"),
            kind=question.kind if question else kind,
            status=item.verdict,
            question=question,
            notes=tuple(item.notes),
            points=fraction(item.value("defaultgrade")),
        )

    def _question(self, item: Item, kind: str) -> ParsedQuestion | None:
        if kind not in _TYPES:
            quote = item.value("questiontext") or item.value("name")
            item.refused(_REFUSED.get(kind, "kind_unknown"), quote)
            return None
        question = _TYPES[kind](item, self._head(item, kind))
        if question is None:
            return None
        _told(item)
        if not any(text.name == "prompt" for text in question.texts):
            item.review("prompt_missing", item.node)
        return question

    def _head(self, item: Item, kind: str) -> Head:
        words = _WORDS.sub(" ", item.value("questiontext"))
        return Head(
            item.node.line,
            self._names.name(item.value("name"), item.value("idnumber"), words, kind),
            self._language,
            item.told("questiontext") if kind not in _WITH_GAPS else "",
            item.told("generalfeedback"),
            tuple(dict.fromkeys([*self._category, *_tags(item)])),
        )


def _tags(item: Item) -> Iterator[str]:
    for tags in item.children("tags"):
        yield from filter(None, (slug(raw(tag)) for tag in tags))


def _told(item: Item) -> None:
    """Note what an item has and a question of ours has not."""
    for hint in item.children("hint"):
        if raw(hint).strip():
            item.note("hint_left_out", hint, raw(hint))
    if fraction(item.value("penalty", "0")):
        item.note("penalty_left_out", item.node, item.value("penalty"))
    if item.value("idnumber"):
        item.note("number_left_out", item.node, item.value("idnumber"))
