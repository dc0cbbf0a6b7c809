"""Result pages of graded quizzes, copied as text: what is right is what the page says was right."""

import re

from quizzes.formats.contract import FileMetadata, ParsedFile, SourceItem
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.failures import read_blocks
from quizzes.formats.parsing.languages import decode_text
from quizzes.formats.parsing.naming import Names
from quizzes.formats.transcript.page_lines import read_page_lines
from quizzes.formats.transcript.page_markdown import is_ended
from quizzes.formats.transcript.page_reader import PageQuestion, PageReader
from quizzes.formats.transcript.question_builder import build_question
from quizzes.formats.transcript.vocabulary import MARK, POINTS, is_chrome, parse_verdict

name = "transcript"
extensions = ("txt", "md")

_TABBED = re.compile(r"^\d{1,3}\.\t", re.MULTILINE)
_DETECTED = 100_000


def detect(data: bytes, filename: str) -> bool:
    """Return whether a file has points that were earned, and marks or tabs as result pages do."""
    if not filename.lower().endswith(extensions):
        return False
    text, _ = decode(data[:_DETECTED])
    return bool(POINTS.search(text) and (MARK.search(text) or _TABBED.search(text)))


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Return the questions of a page; its menu and what strayed into it are ignored lines."""
    text, language, notes = decode_text(data, language)
    page = PageReader(tabbed=_TABBED.search(text) is not None)
    page.read(read_page_lines(text, letters=language != "pt"))  # where O is a word
    title = _take_title(page)
    ended = sum(is_ended(question.stem[-1]) for question in page.questions if question.stem)

    def read_question(question: PageQuestion, names: Names, language: str) -> SourceItem:
        name = names.assign(" ".join(question.stem), f"question on line {question.line}")
        is_full = page.grade == 1
        return build_question(question, name, language, has_full_grade=is_full, ended=ended)

    items = read_blocks(read_question, page.questions, language)
    metadata = FileMetadata(title, language or "en", page.grade, page.pass_threshold)
    return ParsedFile(items=items, metadata=metadata, ignored_lines=(*notes, *page.ignored_lines))


def _take_title(page: PageReader) -> str:
    """Return the last ignored line above the questions of a graded page that is not its chrome."""
    if page.grade is None or not page.questions:
        return ""
    titles = [
        note
        for note in page.ignored_lines
        if note.line < page.questions[0].line
        and not is_chrome(note.quote)
        and not parse_verdict(MARK.sub("", note.quote))
    ]
    if titles:
        page.ignored_lines.remove(titles[-1])
    return titles[-1].quote if titles else ""
