"""Markdown checklists: a stem, then `- [x]` for what is right and `- [ ]` for what is not.

Ours also know `- (x)` where only one is right, quotations below as feedback and explanation, and
settings in a comment.
"""

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType

from quizzes.formats.checklist.box_spellings import spell_boxes
from quizzes.formats.checklist.checklist_question import note_ignored
from quizzes.formats.checklist.line_grouping import group_questions
from quizzes.formats.checklist.line_types import ChecklistLine, LineType, is_option
from quizzes.formats.checklist.question_builder import build_question, is_multiple_choice_page
from quizzes.formats.checklist.right_tails import find_right_tails
from quizzes.formats.checklist.task_lists import (
    PageLists,
    find_lone_answers,
    find_task_lists,
)
from quizzes.formats.checklist.writing import write
from quizzes.formats.contract import FileMetadata, Note, ParsedFile
from quizzes.formats.parsing.code_fences import find_code_lines
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.failures import read_blocks
from quizzes.formats.parsing.languages import decode_text
from quizzes.formats.parsing.numbered_prompts import head_numbered_prompts
from quizzes.formats.parsing.reading_limits import check_item_count, has_too_many_options

__all__ = ["detect", "extensions", "name", "read", "read_checklist", "write"]

name = "checklist"
extensions = ("md", "txt", "markdown")

_BOX = re.compile(
    r"^[ \t]{0,12}(?:[-*+]|\d{1,3}[.)]|[A-Za-z][.)])[ \t]{0,4}"
    r"(?:\[[ xX✓✔✅*]\ufe0f?\](?![(\[:])|\([ xX*]\)[ \t])",
    re.MULTILINE,
)
_BARE_TICK = re.compile(
    r"^[ \t]{0,12}(?:[\[(] [\])][ \t`][^\n]{0,500}(?<!\S))?"
    r"(?:\[[xX✓✔]\]|\([xX*•]\))(?:[ \t]+\S|`|$)",
    re.MULTILINE,
)
_BARE_BOX = re.compile(r"^[ \t]{0,12}(?:\[ \]|\( \))(?:[ \t]+\S|`|$)", re.MULTILINE)


def detect(data: bytes, filename: str) -> bool:
    """Return whether a file has an option with a box, or without bullets one of each sort."""
    start = spell_boxes(decode(data[:200_000])[0])
    has_box = _BOX.search(start) or (_BARE_TICK.search(start) and _BARE_BOX.search(start))
    return filename.lower().endswith(extensions) and has_box is not None


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Return the questions; text between them that belongs to none is among the ignored lines."""
    text, language, notes = decode_text(data, language)
    parsed_file = read_checklist(spell_boxes(text), language or "en")
    return replace(parsed_file, ignored_lines=(*notes, *parsed_file.ignored_lines))


def _find_option_spans(lines: Sequence[str]) -> list[range]:
    """Return the places of options that follow each other, but for what is indented or empty.

    More of them than a file may hold questions: LimitExceeded, before anything dear is done.
    """
    spans: list[range] = []
    is_over = True
    code_lines = find_code_lines(lines)
    for place, (line, is_code) in enumerate(zip(lines, code_lines, strict=True)):
        begins_option = is_option(line)
        if begins_option and not is_code:
            start = place if is_over else spans.pop().start
            spans.append(range(start, place + 1))
            check_item_count(len(spans), place + 1)
            is_over = False
        elif not begins_option and line.strip() and not line.startswith((" ", "\t")):
            is_over = True
    return spans


def read_checklist(
    text: str,
    language: str,
    reasons: Mapping[int, str] = MappingProxyType({}),
    no_tasks: Container[int] = (),
) -> ParsedFile:
    """Return the questions of a text; `reasons` explain them, by the line of the first option.

    `no_tasks` are the lines of first options whose list is no list of tasks.
    """
    notes: list[Note] = []
    lines = text.split("\n")
    head_numbered_prompts(lines, _find_option_spans(lines), len(lines))
    questions, left = group_questions("\n".join(lines))
    for question in questions:
        first = question.options[0].line.line if question.options else 0
        question.reason = reasons.get(first, "")
    title = _find_title(left, text)
    left += [comment for question in questions for comment in question.comments]
    notes += [note for line in left if line is not title for note in note_ignored(line)]
    readable = [each for each in questions if not has_too_many_options(len(each.options))]
    page = PageLists(
        several=is_multiple_choice_page(readable),
        tasks=find_task_lists(readable, no_tasks),
        lone_answers=find_lone_answers(readable),
        right_tails=find_right_tails(readable),
    )
    build = partial(build_question, page=page)
    items = read_blocks(build, questions, language)
    metadata = FileMetadata(title.text if title else "", language)
    return ParsedFile(items=tuple(items), metadata=metadata, ignored_lines=tuple(notes))


def _find_title(left: Sequence[ChecklistLine], text: str) -> ChecklistLine | None:
    """Return the heading that is the title of the file."""
    first = next((line for line in left if line.type is LineType.HEADING), None)
    is_title = text.lstrip().startswith("# ") and first is not None and first.mark == "#"
    return first if is_title else None
