"""The paragraphs around options, and which of them explain a question. Pure."""

import re

from quizzes.formats.checklist.line_types import ChecklistLine, LineType
from quizzes.formats.checklist.sections import EXPLAINS, is_explanation, is_question_text, is_title
from quizzes.formats.parsing.key_lines import is_key_line, is_key_title

DETAILS = re.compile(r"<(/?)details\b", re.IGNORECASE)
_ENTRIES = frozenset({LineType.NUMBER, LineType.BULLET})
Lines = list[ChecklistLine]


def has_content(line: ChecklistLine) -> bool:
    """Return whether a line is not empty."""
    return not line.is_empty


def has_paragraphs(below: Lines) -> bool:
    """Return whether what explains a question has several paragraphs that are no title."""
    return sum(not is_lead_paragraph(paragraph) for paragraph in split_paragraphs(below)) > 1


def is_lead_paragraph(paragraph: Lines) -> bool:
    """Return whether a paragraph is a title above the words that explain: "**Reasoning:**"."""
    words = [line for line in paragraph if not line.is_empty]
    return len(words) == 1 and is_title(words[0].text)


def ends_details(paragraph: Lines) -> bool:
    """Return whether a box that folds ends in a paragraph."""
    return "/" in find_details(paragraph)


def find_details(paragraph: Lines) -> list[str]:
    """Return of each tag of a box that folds whether it ends: "/", or ""."""
    return [tag for line in paragraph for text in line.lines for tag in DETAILS.findall(text)]


def is_entry_of_list(paragraph: Lines) -> bool:
    """Return whether a paragraph begins with an entry of a list, and does not ask."""
    asks = any(is_question_text(line.text) for line in paragraph)
    return paragraph[0].type in _ENTRIES and not asks


def split_paragraphs(lines: Lines) -> list[Lines]:
    """Return lines by paragraphs, each with the blank lines below it; rules are left out."""
    paragraphs: list[Lines] = []
    ended = True
    for line in lines:
        is_end = line.type in {LineType.BLANK, LineType.RULE}
        if not is_end and (ended or line.type is LineType.QUOTE):
            paragraphs.append([])
        if paragraphs and line.type is not LineType.RULE:
            paragraphs[-1].append(line)
        ended = is_end or "</details>" in line.text.lower()
    return paragraphs


def find_end_of_quiz(lines: Lines) -> int:
    """Return the number of the line `</quiz>`, above which all is the question's; else 0."""
    return next((line.line for line in lines if line.text.lower() == "</quiz>"), 0)


def explains_question(paragraph: Lines) -> bool:
    """Return whether a paragraph begins what explains the question above it."""
    if paragraph[0].type is LineType.QUOTE:
        return True
    words = [line.text for line in paragraph if line.type is not LineType.BLANK]
    title = paragraph[0].lines[0].strip()
    is_lead = words[0].rstrip(" *_").endswith(":")
    is_lead = is_lead and (is_explanation(title) or is_key_title(title))
    asking = words[1:] if is_lead else words  # "Explanation: two reasons:" is above a list
    if any(is_question_text(text) and not is_title(text) for text in asking):
        return False
    is_bracketed = words[0].startswith("(") and words[-1].rstrip().endswith(")")
    first = paragraph[0].lines[0].strip()
    if is_bracketed or EXPLAINS.match(first) is not None:
        return True
    return is_explanation(first) or is_key_line(first)
