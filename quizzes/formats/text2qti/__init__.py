"""text2qti Markdown, from which others make QTI: read and written. Its programs are never run."""

import re
from fractions import Fraction
from functools import partial

from quizzes.formats.contract import (
    LONGEST_QUOTE,
    FileMetadata,
    Note,
    ParsedFile,
    SourceItem,
)
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.languages import decode_text
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.percentages import parse_decimal
from quizzes.formats.parsing.reading_limits import check_item_count
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.text2qti.parts import Part, split_parts
from quizzes.formats.text2qti.question_builder import ANSWERS, FEEDBACK, OPTIONS, QuestionBuilder
from quizzes.formats.text2qti.writing import write

__all__ = ["detect", "extensions", "name", "read", "write"]

name = "text2qti"
extensions = ("txt", "md")

_QUESTION = re.compile(rb"^\d{1,9}\.[ \t]+\S", re.MULTILINE)
_TEXTS = FEEDBACK | OPTIONS | {"question"}
_NEAR = 3
"""Settings so many lines apart are not of one question: a comment stands between them."""
_ANSWER = re.compile(
    rb"^(?:\*[A-Za-z]\)[ \t]+\S|\[\*\][ \t]+\S|=[ \t]+[-\[\d.]|_{3,}[ \t]*$|Quiz title:)",
    re.MULTILINE,
)


def detect(data: bytes, filename: str) -> bool:
    """Return whether a file has a numbered question and an answer at the margin."""
    start = data[:200_000].replace(b"\r\n", b"\n")
    is_named = filename.lower().endswith(extensions)
    return is_named and bool(_QUESTION.search(start) and _ANSWER.search(start))


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Return a parsed file; titles of its parts, settings and comments are ignored lines."""
    text, language, notes = decode_text(data, language)
    quiz = _QuizReader(language or "en", notes)
    parts = list(split_parts(text))
    check_item_count(sum(part.type == "question" for part in parts))
    for part in parts:
        quiz.read(part)
    quiz.end_question()
    metadata = FileMetadata(quiz.title, quiz.language)
    return ParsedFile(items=tuple(quiz.items), metadata=metadata, ignored_lines=tuple(notes))


class _QuizReader:
    """Reads the parts of a file in their order."""

    def __init__(self, language: str, ignored_lines: list[Note]) -> None:
        self.language, self.ignored_lines = language, ignored_lines
        self.items: list[SourceItem] = []
        self.title = ""
        self._names = Names()
        self._question: QuestionBuilder | None = None
        self._strays: list[Part] = []  # lines at the margin below the last part
        self._next_title = ""
        self._next_points: Fraction | None = None
        self._settings = range(0)  # lines of the settings right above the next question
        self._in_group = False
        self._group_points: Fraction | None = None
        self._shuffle = True

    def read(self, part: Part) -> None:
        """Read one part."""
        question = self._question
        if part.type in {"setting", "question", "group", "run", "fence"}:
            self.end_question()
        if part.type == "setting":
            self._read_setting(part)
        elif part.type == "question":
            points = self._next_points or self._group_points
            title = self._next_title
            line = self._settings.start or part.line
            self._question = QuestionBuilder(
                part, title, points, self._shuffle, self._in_group, line
            )
            self._next_title, self._next_points, self._settings = "", None, range(0)
        elif part.type == "group":
            self._in_group, self._group_points = part.mark == "GROUP", None
        elif part.type == "fence":
            return
        elif part.type == "run":
            origin = Origin(part.line, part.end_line)
            called = self._names.assign(f"program on line {part.line}")
            note = Note("run_by_program", part.line, part.text[:LONGEST_QUOTE])
            self.items.append(build_item(origin.with_name(called, "program"), None, [note]))
        elif question and part.type in FEEDBACK | ANSWERS:
            question.join(self._strays)
            self._strays = []
            question.parts.append(part)
        elif question and part.type == "stray" and question.last.type in _TEXTS:
            self._strays.append(part)
        else:
            self._ignore(part)

    def _read_setting(self, part: Part) -> None:
        is_next = self._settings and part.line - self._settings.stop < _NEAR
        self._settings = range(self._settings.start if is_next else part.line, part.line + 1)
        match part.mark:
            case "Quiz title":
                self.title = part.text
            case "Title":
                self._next_title = part.text
            case "Points":
                self._next_points = parse_decimal(part.first)
            case "points per question":
                self._group_points = parse_decimal(part.first)
            case "shuffle answers":
                self._shuffle = part.first.strip() != "false"
            case _:
                self._ignore(part)

    def _ignore(self, part: Part) -> None:
        code = "setting_left_out" if part.type == "setting" else "belongs_to_no_item"
        quote = f"{part.mark}: {part.first}" if part.mark else part.first
        self.ignored_lines.append(Note(code, part.line, quote.strip()[:LONGEST_QUOTE]))

    def end_question(self) -> None:
        """End the question that is being read."""
        question = self._question
        while question and self._strays and self._strays[0].line == question.last.end_line + 1:
            question.join([self._strays.pop(0)])
        for part in self._strays:
            self._ignore(part)
        self._strays, self._question = [], None
        if question:
            build = partial(question.build, self._names, self.language)
            self.items.append(read_item(build, question.origin))
