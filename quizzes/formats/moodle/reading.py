"""From a file to its items: categories become tags, every other question is read by its type."""

import re
from collections.abc import Callable, Mapping
from functools import partial

from quizzes.formats.builders import Head, add_hints
from quizzes.formats.contract import (
    LONGEST_QUOTE,
    FileError,
    Note,
    ParsedFile,
    ParsedQuestion,
    SourceItem,
)
from quizzes.formats.moodle import choice, cloze, gap_select, text_entry
from quizzes.formats.moodle.question_element import QuestionElement, read_raw
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.languages import detect_language, take_language
from quizzes.formats.parsing.naming import Names, slugify
from quizzes.formats.parsing.percentages import parse_decimal
from quizzes.formats.parsing.reading_limits import check_item_count
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.parsing.xml import XmlNode, decode_xml, iterate_children, read_root_name
from quizzes.formats.parsing.xml_item import check_option_elements

_READERS: Mapping[str, Callable[[QuestionElement, Head], ParsedQuestion | None]] = {
    "cloze": cloze.read_cloze,
    "ddmatch": choice.read_matching,
    "ddwtos": gap_select.read_missing_words,
    "essay": text_entry.read_essay,
    "gapselect": gap_select.read_missing_words,
    "matching": choice.read_matching,
    "multianswer": cloze.read_cloze,
    "multichoice": choice.read_choice,
    "numerical": text_entry.read_numerical,
    "ordering": choice.read_ordering,
    "shortanswer": text_entry.read_short_answer,
    "truefalse": choice.read_true_false,
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
_NO_LANGUAGE = re.compile(r"<file\b[^<>]*>[^<]*|<[^<>]*>|&\w+;|\b(?:true|false)\b", re.IGNORECASE)
# Characters that tell a language, whatever tags and files stand among them.
_ENOUGH = 1_000_000
_SEPARATOR = re.compile(r"(?<!/)/(?!/)")


def detect(data: bytes, filename: str) -> bool:
    """Return whether the first element is that of such a file."""
    del filename
    if read_root_name(data) != "quiz":
        return False
    # Pages of a site generator have elements of this name, too, with Markdown in them.
    head = data[:100].replace(b"\0", b"")  # UTF-16, too
    return b"<?xml" in head or b"<!DOCTYPE" in head or b"<question" in data


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; each question is one item, a category is among the ignored lines."""
    if not detect(data, ""):
        words = "the file's root is no <quiz>"
        return ParsedFile(errors=(FileError(1, "", "not_moodle", words),))
    text, notes = decode_xml(data)
    check_item_count(text.count("<question "))
    words = _NO_LANGUAGE.sub(" ", text[:_ENOUGH])
    language, doubts = take_language(language or detect_language(words), words)
    ignored = [*notes, *doubts]
    items, errors, reader = list[SourceItem](), list[FileError](), _FileReader(language or "en")
    for node in iterate_children(data):
        if isinstance(node, FileError):
            errors.append(node)
        elif node.tag != "question":
            ignored.append(Note("element_unknown", node.line, node.tag[:LONGEST_QUOTE]))
        elif node.get("type") == "category":
            ignored.append(reader.read_category(node))
        else:
            read_node = partial(reader.read_question, node)
            items.append(read_item(read_node, Origin(node.line, node.end_line)))
    return ParsedFile(
        items=tuple(items),
        errors=tuple(errors),
        media=reader.media,
        ignored_lines=tuple(ignored),
    )


class _FileReader:
    """Reads the questions of a file: knows the names in use, the category, the files so far."""

    def __init__(self, language: str) -> None:
        self.media: dict[str, bytes] = {}
        self._language = language
        self._names = Names()
        self._category: tuple[str, ...] = ()

    def read_category(self, node: XmlNode) -> Note:
        """Remember the category of the questions that follow."""
        path = read_raw(node.find("category")).strip()
        parts = (part.replace("//", "/").strip() for part in _SEPARATOR.split(path))
        tags = (slugify(part) for part in parts if not part.startswith("$") and part != "top")
        self._category = tuple(dict.fromkeys(filter(None, tags)))
        return Note("category_as_tags", node.line, path[:LONGEST_QUOTE])

    def read_question(self, node: XmlNode) -> SourceItem:
        """Read one question."""
        check_option_elements(node)
        question, kind = QuestionElement(node, self.media), node.get("type", "")
        parsed = None
        if kind in _READERS:
            parsed = _READERS[kind](question, self._build_head(question, kind))
        else:
            quote = question.read_value("questiontext") or question.read_value("name")
            question.note(_REFUSED.get(kind, "kind_unknown"), None, quote)
        if parsed is not None:
            _note_left_out(question)
            hints = [question.convert(hint) for hint in question.find_all("hint")]
            parsed = add_hints(parsed, self._language, hints)
            if not any(text.name == "prompt" for text in parsed.texts):
                question.note("prompt_missing")
        name = parsed.name if parsed else question.read_value("name")
        points = parse_decimal(question.read_value("defaultgrade"))
        origin = Origin(node.line, node.end_line, name=name, kind=kind, points=points)
        return build_item(origin, parsed, question.notes)

    def _build_head(self, question: QuestionElement, kind: str) -> Head:
        words = _NO_LANGUAGE.sub(" ", question.read_value("questiontext"))
        tags = (slugify(read_raw(tag)) for node in question.find_all("tags") for tag in node)
        return Head(
            question.node.line,
            self._names.assign(
                question.read_value("name"), question.read_value("idnumber"), words, kind
            ),
            self._language,
            question.read_markdown("questiontext") if kind not in _WITH_GAPS else "",
            question.read_markdown("generalfeedback"),
            tuple(dict.fromkeys([*self._category, *filter(None, tags)])),
        )


def _note_left_out(question: QuestionElement) -> None:
    """Note what a question of Moodle has and a question of ours has not."""
    if parse_decimal(question.read_value("penalty", "0")):
        question.note("penalty_left_out", None, question.read_value("penalty"))
    if question.read_value("idnumber"):
        question.note("number_left_out", None, question.read_value("idnumber"))
