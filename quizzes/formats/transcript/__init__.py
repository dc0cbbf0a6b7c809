"""Result pages of graded quizzes, copied as text: what is right is what the page says was right."""

import re
from functools import partial

from quizzes.formats.contract import FileMetadata, Note, ParsedFile, SourceItem
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.languages import detect_language
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.source_items import Origin
from quizzes.formats.transcript.made import made
from quizzes.formats.transcript.rows import rows
from quizzes.formats.transcript.sheet import Draft, Sheet
from quizzes.formats.transcript.texts import is_ended
from quizzes.formats.transcript.words import MARK, POINTS, is_chrome, verdict

name = "transcript"
extensions = ("txt", "md")

_TABBED = re.compile(r"^\d{1,3}\.\t", re.MULTILINE)
_CLAIMED = 100_000


def detect(data: bytes, filename: str) -> bool:
    """Tell a result page by points that were earned, and marks or tabs as pages have them."""
    if not filename.lower().endswith(extensions):
        return False
    text, _ = decode(data[:_CLAIMED])
    return bool(POINTS.search(text) and (MARK.search(text) or _TABBED.search(text)))


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a page; its menu and what strayed into it are noise."""
    text, notes = decode(data)
    known = language or detect_language(text)
    sheet = Sheet(tabbed=_TABBED.search(text) is not None)
    sheet.take(rows(text, letters=known != "pt"))  # where O is a word
    if not known:
        sheet.noise.append(Note("language_unknown", 1))
    title = _title(sheet)
    names, spoken = Names(), known or "en"
    ended = sum(is_ended(one.stem[-1]) for one in sheet.drafts if one.stem)

    def read_draft(draft: Draft) -> SourceItem:
        named = _named(draft, names)
        return made(draft, named, spoken, full_page=sheet.grade == 1, ended=ended)

    found = tuple(
        read_item(partial(read_draft, draft), Origin(draft.line, draft.last))
        for draft in sheet.drafts
    )
    metadata = FileMetadata(title, spoken, sheet.grade, sheet.pass_threshold)
    return ParsedFile(items=found, metadata=metadata, ignored_lines=(*notes, *sheet.noise))


def _named(draft: Draft, names: Names) -> str:
    return names.name(" ".join(draft.stem), f"question on line {draft.line}")


def _title(sheet: Sheet) -> str:
    """Take the last line above the questions that is no word of the page, if it has a grade."""
    if sheet.grade is None or not sheet.drafts:
        return ""
    first = sheet.drafts[0].line
    titles = [
        one
        for one in sheet.noise
        if one.line < first and not is_chrome(one.quote) and not verdict(MARK.sub("", one.quote))
    ]
    if titles:
        sheet.noise.remove(titles[-1])
    return titles[-1].quote if titles else ""
