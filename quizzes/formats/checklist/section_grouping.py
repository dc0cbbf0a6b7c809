"""The questions of a section, by the runs of options in it. Pure."""

import re
from collections.abc import Container, Sequence

from quizzes.formats.checklist.checklist_question import ChecklistQuestion
from quizzes.formats.checklist.explanations import dedent_lines
from quizzes.formats.checklist.introductions import (
    find_bold_prompt,
    find_end_of_boxes,
    find_entry_of_list,
    find_introduction,
    find_label_of_list,
)
from quizzes.formats.checklist.joined_options import join_options, repeats_options, tick_repeated
from quizzes.formats.checklist.line_types import ChecklistLine, LineType
from quizzes.formats.checklist.lines_below import (
    add_below,
    are_parted_by_rules,
    find_end_at_rule,
    find_lines_between,
    find_next,
    is_listing_of_option,
)
from quizzes.formats.checklist.numbered_lines import (
    find_next_question,
    split_at_numbers,
    split_open_questions,
)
from quizzes.formats.checklist.option_runs import LETTERED, OptionRun, judges, unite_runs
from quizzes.formats.checklist.paragraphs import (
    Lines,
    ends_details,
    explains_question,
    find_details,
    find_end_of_quiz,
    has_content,
    has_paragraphs,
    is_entry_of_list,
    is_lead_paragraph,
    split_paragraphs,
)
from quizzes.formats.checklist.section_runs import SectionRuns, is_numbered, skip_introduction
from quizzes.formats.checklist.sections import ChecklistSection, is_question_text
from quizzes.formats.contract import LONGEST_QUOTE, Note
from quizzes.formats.parsing.instructions import asks_for_words

_BREAKS = re.compile(r"(?:[ ]?<br ?/?>)+$", re.IGNORECASE)
_POINTS = re.compile(
    r"(?<![ ])[ ]?[(\[]\d{1,3}[ ]?(?:p|pt|pts|points?|puntos?|pontos?|punkte?|punti)?\.?[)\]]"
    r"[*_ ]{0,3}$",
    re.IGNORECASE,
)
"""The points of a question, at its end."""


class SectionGrouping:
    """The questions of a section, and the lines of it that belong to none.

    `one_each`: each heading of the file is above one question. `counting` are the levels of
    headings that count questions with options.
    """

    def __init__(self, parts: SectionRuns, *, one_each: bool, counting: Container[int]) -> None:
        self.questions: list[ChecklistQuestion] = []
        self.left: Lines = []
        section, tail = parts.section, parts.tail
        parts.runs = runs = unite_runs(parts.runs)
        end = find_introduction(section, runs) or find_end_of_boxes(section, runs)
        if end := end or find_bold_prompt(section, runs):
            self.left += runs[0].above[:end]
            runs[0].above = runs[0].above[end:]
        self._is_numbered = is_numbered(parts, one_each=one_each)
        self._one_each = one_each or section.is_question or section.own
        if self._is_numbered:
            first = skip_introduction(parts)
            self.left += runs[0].above[: len(runs[0].above) - len(first)]
            runs[0].above = first
        self._are_stems_short = all(_is_stem_short(run) for run in runs)
        self._are_parted = are_parted_by_rules(runs, tail)
        for run in runs:
            self._add_run(section, run)
        if runs:
            self._close(section, tail)
        elif section.heading and _asks_without_options(section, counting):
            self.questions.append(ChecklistQuestion(section.heading, stem=section.body))
        else:
            stems, left = split_open_questions(section.body)
            self._add_without_options(stems)
            self.left = [section.heading, *left] if section.heading else left

    def _add_run(self, section: ChecklistSection, run: OptionRun) -> None:
        """Begin another question with options, or add them to the question before."""
        above = run.above
        doubts: list[Note] = []
        if self.questions:
            before = self.questions[-1]
            above, doubts = self._skip_explanation(before, above)
            if not any(line.has_words for line in above) and repeats_options(before, run):
                tick_repeated(before, run)
                return
            if not self._begins_question(before, run, above):
                join_options(before, run)
                return
            explanation = run.above[: len(run.above) - len(above)]
            owns = self._are_parted and not self._is_numbered
            self.left += add_below(before, explanation, owns=owns, goes_on=True)
        *earlier, stem = split_at_numbers(above) if self._is_numbered else [above]
        self._add_without_options(earlier)
        if end := find_label_of_list(stem, run):
            self.left += stem[:end]
            stem = dedent_lines(stem[end:])
        elif end := find_entry_of_list(stem, run):
            self.left += stem[:end]
            stem = stem[end:]
        question = ChecklistQuestion(None, section.own, self._is_numbered, stem, run.options)
        question.notes += doubts
        self.questions.append(question)

    def _add_without_options(self, stems: Sequence[Lines]) -> None:
        self.questions += (ChecklistQuestion(None, is_numbered=True, stem=stem) for stem in stems)

    def _close(self, section: ChecklistSection, tail: Lines) -> None:
        """Assign the lines below the last options, and the heading."""
        heading = section.heading
        with_options = [question for question in self.questions if question.options]
        is_single = len(with_options) == 1 and heading is not None
        owns = (self._one_each or is_single) and not self._is_numbered
        if self._is_numbered:
            start = find_next_question(tail, with_options[-1].number)
            further = split_at_numbers(tail[start:], first=False)
            tail = [*tail[:start], *further[0]]
            self._add_without_options(further[1:])
        goes_on = any(has_paragraphs(question.below) for question in with_options)
        left = add_below(with_options[-1], tail, owns=owns, goes_on=goes_on)
        for paragraph in split_paragraphs(left):
            words = [line for line in paragraph if not line.is_empty]
            if words and all(map(_is_open_question, words)):
                self.questions += (ChecklistQuestion(None, stem=[line]) for line in words)
            else:
                self.left += paragraph
        if heading and not self._is_numbered and (is_single or section.is_question or section.own):
            self.questions[0].heading = heading
            self.questions[0].own = section.own
        elif heading:
            self.left.insert(0, heading)

    def _begins_question(self, before: ChecklistQuestion, run: OptionRun, above: Lines) -> bool:
        """Return whether options with these lines above them begin another question."""
        words = [line for line in above if line.has_words]
        if not words:
            return not self._one_each and any(line.type is LineType.RULE for line in above)
        first = next(line for line in above if not line.is_empty)
        if self._is_numbered and first.type is LineType.NUMBER:
            return True
        if len(before.options) == 1 or len(run.options) == 1:
            return False
        if not self._one_each:
            return True
        has_key = any(option.line.is_ticked for option in run.options)
        if not has_key and not before.ticked and _begins_letters(before, run):
            return True
        texts = [_POINTS.sub("", _BREAKS.sub("", line.text)) for line in words]
        asks = any(map(is_question_text, texts[-2:])) or any(text.endswith("?") for text in texts)
        asks = asks or judges(run)
        return bool(before.ticked) and has_key and asks

    def _skip_explanation(
        self, before: ChecklistQuestion, above: Lines
    ) -> tuple[Lines, list[Note]]:
        """Return the lines above options without those that explain the question before.

        Also a note where a paragraph between may be of the one or the other.
        """
        numbers = [place for place, line in enumerate(above) if line.type is LineType.NUMBER]
        if self._is_numbered and numbers:
            start = find_next_question(above, before.number)
            return above[numbers[0] if start == len(above) else start :], []
        if self._are_parted and (end := find_end_at_rule(above)):
            return above[end:], []
        end_line, explains, doubts = find_end_of_quiz(above), False, list[Note]()
        paragraphs = split_paragraphs([line for line in above if line.line > end_line])
        is_lead = in_details = False
        rule = 0
        rules = [line.line for line in above if line.type is LineType.RULE]
        last_end = max((at for at, each in enumerate(paragraphs) if ends_details(each)), default=-1)
        for place, paragraph in enumerate(paragraphs):
            is_last = paragraph is paragraphs[-1]
            goes_on = paragraph[0].type is LineType.CODE or (
                (is_entry_of_list(paragraph) or is_lead) and not is_last
            )
            starts = explains_question(paragraph)
            if starts:
                rule = find_next(rules, paragraph[0].line)
            is_above_rule = paragraph[0].line < rule
            if in_details or starts or (explains and (goes_on or is_above_rule)):
                explains = True
            elif explains and not rule and (rest := find_lines_between(paragraphs[place:])):
                asks = any(is_question_text(line.text) for line in paragraphs[-1])
                if self._are_stems_short and asks:
                    end_line = rest[-1].line
                else:
                    quote = rest[0].lines[0].strip()[:LONGEST_QUOTE]
                    doubts.append(Note("explanation_or_prompt", rest[0].line, quote))
                break
            elif not is_listing_of_option(before, paragraph):
                break
            end_line = paragraph[-1].line
            is_lead = starts and is_lead_paragraph(paragraph)
            tags = find_details(paragraph)
            in_details = (tags[-1] == "" if tags else in_details) and place < last_end
        return [line for line in above if line.line > end_line], doubts


def _is_open_question(line: ChecklistLine) -> bool:
    """Return whether a line below all options asks, or tells to answer in own words."""
    return line.asks or asks_for_words(line.text)


def _is_stem_short(run: OptionRun) -> bool:
    """Return whether one paragraph is all that is above options, or explains those above it."""
    paragraphs = [each for each in split_paragraphs(run.above) if any(map(has_content, each))]
    return len(paragraphs) <= 1 or explains_question(paragraphs[0])


def _asks_without_options(section: ChecklistSection, counting: Container[int]) -> bool:
    """Return whether a section without options is a question; a number alone may count chapters."""
    heading = section.heading
    if heading is None or section.own or not section.is_question:
        return False
    counts = heading.type is not LineType.HEADING or heading.counted or section.level in counting
    return counts or heading.text.rstrip(" *_`").endswith(("?", "？"))


def _begins_letters(question: ChecklistQuestion, run: OptionRun) -> bool:
    """Return whether the letters of options count from A anew below those of a question."""
    firsts = [each.options[0].line.text.strip() for each in (question, run)]
    letters = [match[1].lower() for text in firsts if (match := LETTERED.match(text))]
    return letters == ["a", "a"]
