"""The questions of a checklist, from the sections of its lines. Pure."""

from dataclasses import replace

from quizzes.formats.checklist.checklist_question import ChecklistQuestion
from quizzes.formats.checklist.code_blocks import split_lines
from quizzes.formats.checklist.explanations import (
    give_last_feedback,
    split_off_explanations,
    tick_judged_options,
)
from quizzes.formats.checklist.joined_options import find_second_list
from quizzes.formats.checklist.line_types import LineType
from quizzes.formats.checklist.paragraphs import Lines
from quizzes.formats.checklist.section_grouping import SectionGrouping
from quizzes.formats.checklist.section_runs import find_section_runs, has_several
from quizzes.formats.checklist.sections import EXPLAINS, is_question_text, split_sections
from quizzes.formats.parsing.labels import split_number
from quizzes.formats.parsing.reading_limits import has_too_many_options


def group_questions(text: str) -> tuple[list[ChecklistQuestion], Lines]:
    """Return the questions of a file, and the lines that belong to none."""
    sections = [
        find_section_runs(section)
        for section in split_sections(_open_quoted_questions(list(split_lines(text))))
    ]
    headed = [each for each in sections if each.section.heading and each.section.has_options]
    several = [
        each
        for each in headed
        if (each.is_chapter or not each.section.is_question) and has_several(each)
    ]
    one_each = len(headed) > 1 and 2 * len(several) < len(headed)
    counting = {
        each.section.level for each in headed if each.section.labelled and not each.is_chapter
    }
    groupings = [SectionGrouping(each, one_each=one_each, counting=counting) for each in sections]
    questions = [question for grouping in groupings for question in grouping.questions]
    for question in questions:
        if has_too_many_options(len(question.options)):
            continue
        give_last_feedback(question)
        tick_judged_options(question)
        split_off_explanations(question)
        if not question.notes:  # else it is for a person to look at anyway
            question.notes += find_second_list(question.options)
    return questions, [line for grouping in groupings for line in grouping.left]


def _open_quoted_questions(lines: Lines) -> Lines:
    """Return lines in which a quotation that asks, right above an option, is no quotation."""
    following = LineType.BLANK  # of the next line that is not empty
    opened: Lines = []
    for line in reversed(lines):
        if line.type is LineType.QUOTE and following is LineType.OPTION:
            text = line.text.lstrip("> \t")
            words = replace(line, type=LineType.TEXT, lines=(text,), text=text)
            if (number := split_number(text)) and number[1]:
                words = replace(words, type=LineType.NUMBER, number=number[0], text=number[1])
            asks = is_question_text(text) or (words.number and "?" in text)
            asks = asks and not EXPLAINS.match(text)
            opened.append(words if asks else line)
        else:
            opened.append(line)
        following = following if line.type is LineType.BLANK else line.type
    return opened[::-1]
