"""The lines below options, or between two questions, and which of them explain. Pure."""

from bisect import bisect_right
from collections.abc import Sequence

from quizzes.formats.checklist.checklist_question import ChecklistQuestion
from quizzes.formats.checklist.line_types import LineType
from quizzes.formats.checklist.option_runs import LISTED, OptionRun
from quizzes.formats.checklist.paragraphs import (
    Lines,
    explains_question,
    find_details,
    find_end_of_quiz,
    is_entry_of_list,
    is_lead_paragraph,
    split_paragraphs,
)
from quizzes.formats.checklist.sections import is_question_text
from quizzes.formats.parsing.instructions import asks_for_words


def are_parted_by_rules(runs: Sequence[OptionRun], tail: Lines) -> bool:
    """Return whether rules part all questions: two at least, one of which may end the page."""
    parted = [any(line.type is LineType.RULE for line in run.above) for run in runs[1:]]
    ends = any(line.type is LineType.RULE for line in tail)
    return bool(parted) and all(parted) and len(parted) + ends > 1


def find_end_at_rule(above: Lines) -> int:
    """Return how many lines above options end with a rule below words that do not ask; or 0."""
    place = next((at for at, line in enumerate(above) if line.type is LineType.RULE), 0)
    words = [line.text for line in above[:place] if line.has_words]
    is_over = any(line.has_words for line in above[place:])
    asks = any(is_question_text(text) or asks_for_words(text) for text in words)
    return place + 1 if words and is_over and not asks else 0


def find_next(numbers: Sequence[int], after: int) -> int:
    """Return the first of sorted numbers that is above another; 0 where there is none."""
    place = bisect_right(numbers, after)
    return numbers[place] if place < len(numbers) else 0


def find_lines_between(paragraphs: Sequence[Lines]) -> Lines:
    """Return the lines between an explanation and a prompt that may go on with it.

    None of them asks, or leads up to a listing or figure.
    """
    *between, _ = paragraphs
    rest = [line for paragraph in between for line in paragraph]
    shows = any(line.type not in {*LISTED, LineType.BLANK} for line in rest)
    asks = any(is_question_text(line.text) for line in rest if line.has_words)
    return [] if shows or asks else rest


def is_listing_of_option(question: ChecklistQuestion, paragraph: Lines) -> bool:
    """Return whether a listing or picture below the last option is its own, as the others' are."""
    *others, last = question.options
    type_ = paragraph[0].type
    if type_ not in {LineType.CODE, LineType.FIGURE} or last.has_below(type_):
        return False
    is_listing = type_ is LineType.CODE
    return (is_listing and not last.line.text) or any(option.has_below(type_) for option in others)


def add_below(
    question: ChecklistQuestion, tail: Lines, *, owns: bool, goes_on: bool = False
) -> Lines:
    """Add the lines below its options to a question; return those that belong to none.

    `goes_on`: paragraphs below one that explains do so, too, up to a rule.
    """
    left: Lines = []
    in_details = explains = is_lead = False
    end = find_end_of_quiz(tail)
    rules = [line.line for line in tail if line.type is LineType.RULE]
    last = 0
    for paragraph in split_paragraphs(tail):
        is_code = paragraph[0].type is LineType.CODE
        is_parted = 0 < find_next(rules, last) < paragraph[0].line
        starts = explains_question(paragraph)
        continues = goes_on and not is_parted
        explains = starts or (explains and (continues or is_lead or is_entry_of_list(paragraph)))
        if is_listing_of_option(question, paragraph) and not question.below:
            question.options[-1].below.append(paragraph[0])
            rest = paragraph[1:]
            question.below += rest if owns or any(not line.is_empty for line in rest) else []
        elif owns or in_details or is_code or explains or paragraph[0].line < end:
            question.below += paragraph
        else:
            left += paragraph
        last, is_lead = paragraph[0].line, starts and is_lead_paragraph(paragraph)
        tags = find_details(paragraph)
        in_details = tags[-1] == "" if tags else in_details
    return left
