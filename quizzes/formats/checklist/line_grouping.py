"""Groups the lines of a checklist into questions. Pure."""

import re
from bisect import bisect_right
from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace
from itertools import dropwhile

from quizzes.formats.checklist.checklist_question import ChecklistOption, ChecklistQuestion
from quizzes.formats.checklist.code_blocks import split_lines
from quizzes.formats.checklist.explanations import (
    dedent_lines,
    give_last_feedback,
    split_off_explanations,
    tick_judged_options,
)
from quizzes.formats.checklist.line_types import ChecklistLine, LineType
from quizzes.formats.checklist.sections import (
    EXPLAINS,
    ChecklistSection,
    is_explanation,
    is_question_text,
    is_title,
    split_sections,
)
from quizzes.formats.contract import LONGEST_QUOTE, Note
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.instructions import asks_for_words
from quizzes.formats.parsing.key_lines import is_key_line, is_key_title
from quizzes.formats.parsing.labels import WORD, split_number
from quizzes.formats.parsing.open_answers import find_key_without_options, split_open_answer
from quizzes.formats.parsing.reading_limits import has_too_many_options

_MOST_OPTIONS = 60
_FEWEST_REPEATED = 3
_LETTERED = re.compile(r"\(?([A-Ja-j])[.)][ \t]")
_BREAKS = re.compile(r"(?:[ ]?<br ?/?>)+$", re.IGNORECASE)
_POINTS = re.compile(
    r"(?<![ ])[ ]?[(\[]\d{1,3}[ ]?(?:p|pt|pts|points?|puntos?|pontos?|punkte?|punti)?\.?[)\]]"
    r"[*_ ]{0,3}$",
    re.IGNORECASE,
)
"""The points of a question, at its end."""
_DETAILS = re.compile(r"<(/?)details\b", re.IGNORECASE)
_DETACHED = frozenset(
    {LineType.NUMBER, LineType.QUOTE, LineType.RULE, LineType.COMMENT, LineType.LABEL}
)

_BULLETS, _OPENINGS = frozenset("-*+"), frozenset("[(")
_LISTED = frozenset({LineType.NUMBER, LineType.BULLET, LineType.TEXT})
_ENTRIES = frozenset({LineType.NUMBER, LineType.BULLET})

Lines = list[ChecklistLine]


@dataclass(slots=True)
class OptionRun:
    """Options that follow each other, and the lines above them at the margin."""

    above: Lines
    options: list[ChecklistOption] = field(default_factory=list)

    @property
    def indent(self) -> int:
        """Return how far its first option is indented."""
        return self.options[0].line.indent


@dataclass(slots=True)
class _SectionRuns:
    """A section with its options in runs, and the lines below the last one.

    `counted`: the lines above the runs count them from 1 on.
    """

    section: ChecklistSection
    runs: list[OptionRun]
    tail: Lines
    counted: bool

    @property
    def is_chapter(self) -> bool:
        """Return whether a heading with a number alone stands above questions that are counted."""
        heading = self.section.heading
        if heading is None or not self.counted or heading.type is not LineType.HEADING:
            return False
        return heading.labelled and not heading.counted and not is_question_text(heading.text)


def group_questions(text: str) -> tuple[list[ChecklistQuestion], Lines]:
    """Return the questions of a file, and the lines that belong to none."""
    sections = [
        _find_section_runs(section)
        for section in split_sections(_open_quoted_questions(list(split_lines(text))))
    ]
    headed = [each for each in sections if each.section.heading and each.section.has_options]
    several = [
        each
        for each in headed
        if (each.is_chapter or not each.section.is_question) and _has_several(each)
    ]
    one_each = len(headed) > 1 and 2 * len(several) < len(headed)
    counting = {each.section.level for each in headed if each.section.labelled}
    groupings = [_SectionGrouping(each, one_each=one_each, counting=counting) for each in sections]
    questions = [question for grouping in groupings for question in grouping.questions]
    for question in questions:
        if has_too_many_options(len(question.options)):
            continue
        give_last_feedback(question)
        tick_judged_options(question)
        split_off_explanations(question)
        if not question.notes:  # else it is for a person to look at anyway
            question.notes += _find_second_list(question.options)
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


def _find_section_runs(section: ChecklistSection) -> _SectionRuns:
    runs, tail = _find_runs(section.body)
    numbers = [[line.number for line in run.above if line.type is LineType.NUMBER] for run in runs]
    firsts = [several[0] for several in numbers if several]
    counted = len(firsts) > 1 and firsts == [*range(1, len(numbers) + 1)]
    return _SectionRuns(section, runs, tail, counted)


def _has_several(parts: _SectionRuns) -> bool:
    asks_again = any(line.has_words for run in parts.runs[1:] for line in run.above)
    return asks_again or _is_numbered(parts, one_each=False)


def _is_numbered(parts: _SectionRuns, *, one_each: bool) -> bool:
    """Return whether numbered lines begin the questions of a section."""
    section = parts.section
    first = next((line for line in _skip_introduction(parts) if not line.is_empty), None)
    is_question = section.labelled or (one_each and section.is_question)
    if (section.own and not parts.counted) or (is_question and not parts.is_chapter):
        return False
    if first is None or first.type is not LineType.NUMBER:
        return False
    numbers = [line.number for line in parts.runs[0].above if line.type is LineType.NUMBER]
    return len(numbers) == 1 or numbers[1] != numbers[0] + 1


def _skip_introduction(parts: _SectionRuns) -> Lines:
    """Return the lines above the first options, from the number on that the next ones go on from.

    What is above it introduces the page, unless it has lettered options: then it asks.
    """
    above = parts.runs[0].above if parts.runs else []
    place = next((at for at, line in enumerate(above) if line.type is LineType.NUMBER), 0)
    asks = any(_LETTERED.match(line.text) for line in above[:place])
    return above[place:] if parts.counted and not asks else above


def _find_introduction(section: ChecklistSection, runs: Sequence[OptionRun]) -> int:
    """Return how many lines introduce a page of several questions: those above a rule.

    None of them asks, and some words stand below the rule.
    """
    is_title = section.heading is None or (section.heading.mark == "#" and not section.is_question)
    above = runs[0].above if len(runs) > 1 and is_title else []
    rules = [at for at, line in enumerate(above) if line.type is LineType.RULE]
    if not rules or not any(line.has_words for line in above[rules[-1] :]):
        return 0
    words = [line.text for line in above[: rules[-1]] if line.has_words]
    asks = any(is_question_text(text) or asks_for_words(text) for text in words)
    return 0 if asks else rules[-1] + 1


def _find_label_of_list(stem: Lines, run: OptionRun) -> int:
    """Return the line after a list entry that is a label, "* Question", and has the options."""
    places = [
        at
        for at, line in enumerate(stem)
        if line.type is LineType.BULLET and WORD.fullmatch(line.text.strip(" *_:"))
    ]
    if not places or not any(line.has_words for line in stem[places[-1] + 1 :]):
        return 0
    label, below = stem[places[-1]], stem[places[-1] + 1 :]
    margin = min(line.indent for line in [*below, run.options[0].line] if not line.is_empty)
    return places[-1] + 1 if margin > label.indent + 1 else 0


def _find_entry_of_list(stem: Lines, run: OptionRun) -> int:
    """Return the place of the entry that has the options, below entries with lists of their own.

    0 where the entries above belong to the prompt.
    """
    entries = [
        at
        for at, line in enumerate(stem)
        if line.type is LineType.BULLET and line.indent + 1 < run.indent
    ]
    if not entries:
        return 0
    last, margin = entries[-1], stem[entries[-1]].indent
    siblings = [at for at in entries[:-1] if stem[at].indent == margin]
    goes_on = any(line.has_words and line.indent <= margin for line in stem[last + 1 :])
    if goes_on or not siblings or not is_question_text(stem[last].text):
        return 0
    lists = any(line.has_words and line.indent > margin + 1 for line in stem[siblings[0] : last])
    return last if lists else 0


def _find_bold_prompt(section: ChecklistSection, runs: Sequence[OptionRun]) -> int:
    """Return how many lines stand above the bold line that asks first on a page.

    None unless such a line is all that stands above the options of each other question.
    """
    is_title = section.heading is None or (section.heading.mark == "#" and not section.is_question)
    filled = [[line for line in run.above if not line.is_empty] for run in runs]
    if not is_title or len(runs) <= 1 or not all(map(_asks_in_bold, filled)):
        return 0
    above, *others = filled
    shows = any(line.type not in _LISTED or "?" in line.text for line in above[:-1])
    if shows or any(len(lines) > 1 for lines in others):
        return 0
    return runs[0].above.index(above[-1])


def _asks_in_bold(lines: Lines) -> bool:
    """Return whether the last of some lines asks, and is all bold."""
    text = lines[-1].text.strip() if lines else ""
    is_bold = text[:2] == text[-2:] == "**" and "**" not in text[2:-2]
    return is_bold and "?" in text


def _find_end_of_boxes(section: ChecklistSection, runs: Sequence[OptionRun]) -> int:
    """Return how many lines are boxes that fold above the one that has the first options.

    None of them asks.
    """
    above = runs[0].above if runs and not section.is_question else []
    ends = [at for at, line in enumerate(above) if _ends_details([line])]
    end = ends[-1] + 1 if ends else 0
    opens = any(tag == "" for tag in _find_details(above[end:]))
    asks = any("?" in line.text or "？" in line.text for line in above[:end])
    has_words = any(line.has_words and line.text[:1] != "<" for line in above[end:])
    return end if opens and has_words and not asks else 0


def _find_runs(body: Sequence[ChecklistLine]) -> tuple[list[OptionRun], Lines]:
    """Return the options of a section in runs, and the lines below the last one."""
    runs: list[OptionRun] = []
    above: Lines = []
    after_blank = False
    for place, each in enumerate(body):
        run = runs[-1] if runs else None
        following = body[place + 1 : place + 4]
        leads = run is not None and not above and not after_blank
        leads = leads and _leads_to_others(each, run, body, place)
        goes_on = run is not None and not above and _lacks_bullet(each, run)
        line = replace(each, type=LineType.TEXT, text=each.lines[0].strip()) if goes_on else each
        if line.type is LineType.OPTION or (
            run and not above and _lacks_box(line, run, following, after_blank=after_blank)
        ):
            if run is None or any(other.type is not LineType.BLANK for other in above):
                run = OptionRun(above)
                runs.append(run)
            run.options.append(ChecklistOption(line))
            above = []
        elif (
            run
            and not (above or leads)
            and _is_attached(line, run, following, after_blank=after_blank)
        ):
            run.options[-1].below.append(line)
        else:
            above.append(line)
        after_blank = line.type is LineType.BLANK
    return runs, above


def _lacks_box(
    line: ChecklistLine, run: OptionRun, following: Sequence[ChecklistLine], *, after_blank: bool
) -> bool:
    """Return whether a list item without a box stands where an option should."""
    if line.type is not LineType.BULLET or abs(line.indent - run.indent) > 1:
        return False
    types = (other.type for other in following if other.type is not LineType.BLANK)
    is_above_option = next(types, None) is LineType.OPTION
    text = line.lines[0].strip()
    is_apart = after_blank or _begins_list(line, run) or is_key_line(line.text)
    return is_above_option or not (is_apart or is_explanation(text))


def _lacks_bullet(line: ChecklistLine, run: OptionRun) -> bool:
    """Return whether a box alone, without a bullet, goes on with an option that has one."""
    if line.type is not LineType.OPTION or line.text:
        return False
    above, start = (each.lines[0].lstrip()[:1] for each in (run.options[-1].line, line))
    return start in _OPENINGS and above not in _OPENINGS


def _begins_list(line: ChecklistLine, run: OptionRun) -> bool:
    """Return whether an entry has another bullet than the option above, which begins a list."""
    above, bullet = (each.lines[0].lstrip()[:1] for each in (run.options[-1].line, line))
    return line.type is LineType.BULLET and above in _BULLETS and bullet != above


def _is_attached(
    line: ChecklistLine, run: OptionRun, following: Sequence[ChecklistLine], *, after_blank: bool
) -> bool:
    """Return whether a line belongs to the option above: indented, or right below it."""
    if line.type is LineType.BLANK or line.indent > run.indent + 1:
        return True
    if _leaves_list(line, run):
        return False
    if _lacks_text(run.options[-1], line, after_blank=after_blank):
        return True
    if after_blank or line.type in _DETACHED or is_explanation(line.text):
        return False
    if _begins_list(line, run) or (line.type is LineType.BULLET and is_key_line(line.text)):
        return False
    is_above_option = bool(following) and following[0].type is LineType.OPTION
    return not (is_above_option and is_question_text(line.text) and len(run.options) > 1)


def _leads_to_others(
    line: ChecklistLine, run: OptionRun | None, body: Sequence[ChecklistLine], place: int
) -> bool:
    """Return whether a line right below options with a key begins a question with its own key.

    It breaks off, as what is to be completed does, or stands above "true" and "false".
    """
    if run is None or line.type is not LineType.TEXT or line.indent > run.indent + 1:
        return False
    others = OptionRun([])
    for at in range(place + 1, len(body) if _is_option_below(body, place) else 0):
        below = body[at]
        if below.type is LineType.OPTION:
            others.options.append(ChecklistOption(below))
        elif below.type is LineType.TEXT and below.indent <= others.indent + 1:
            break
    breaks_off = line.text.rstrip(" *_`").endswith(("...", "…")) or "___" in line.text
    begins = _is_keyed(others.options) and (breaks_off or _judges(others))
    return begins and _is_keyed(run.options)


def _is_option_below(body: Sequence[ChecklistLine], place: int) -> bool:
    """Return whether the next line is an option."""
    return place + 1 < len(body) and body[place + 1].type is LineType.OPTION


def _leaves_list(line: ChecklistLine, run: OptionRun) -> bool:
    """Return whether a line is an entry of the list that the options are a list within."""
    return line.type is LineType.BULLET and line.indent + 1 < run.indent


def _lacks_text(option: ChecklistOption, line: ChecklistLine, *, after_blank: bool) -> bool:
    """Return whether a line is the text of an option that has none, or goes on with it."""
    if option.line.text.strip(" :.") or line.type not in _LISTED or is_explanation(line.text):
        return False
    return not after_blank or all(other.type is LineType.BLANK for other in option.below)


class _SectionGrouping:
    """The questions of a section, and the lines of it that belong to none.

    `one_each`: each heading of the file is above one question. `counting` are the levels of
    headings that count questions with options.
    """

    def __init__(self, parts: _SectionRuns, *, one_each: bool, counting: Container[int]) -> None:
        self.questions: list[ChecklistQuestion] = []
        self.left: Lines = []
        section, tail = parts.section, parts.tail
        parts.runs = runs = _unite_runs(parts.runs)
        end = _find_introduction(section, runs) or _find_end_of_boxes(section, runs)
        if end := end or _find_bold_prompt(section, runs):
            self.left += runs[0].above[:end]
            runs[0].above = runs[0].above[end:]
        self._is_numbered = _is_numbered(parts, one_each=one_each)
        self._one_each = one_each or section.is_question or section.own
        if self._is_numbered:
            first = _skip_introduction(parts)
            self.left += runs[0].above[: len(runs[0].above) - len(first)]
            runs[0].above = first
        self._are_stems_short = all(_is_stem_short(run) for run in runs)
        self._are_parted = _are_parted_by_rules(runs, tail)
        for run in runs:
            self._add_run(section, run)
        if runs:
            self._close(section, tail)
        elif section.heading and _asks_without_options(section, counting):
            self.questions.append(ChecklistQuestion(section.heading, stem=section.body))
        else:
            stems, left = _split_open_questions(section.body)
            self._add_without_options(stems)
            self.left = [section.heading, *left] if section.heading else left

    def _add_run(self, section: ChecklistSection, run: OptionRun) -> None:
        """Begin another question with options, or add them to the question before."""
        above = run.above
        doubts: list[Note] = []
        if self.questions:
            before = self.questions[-1]
            above, doubts = self._skip_explanation(before, above)
            if not any(line.has_words for line in above) and _repeats(before, run):
                _tick_repeated(before, run)
                return
            if not self._begins_question(before, run, above):
                _join(before, run)
                return
            explanation = run.above[: len(run.above) - len(above)]
            owns = self._are_parted and not self._is_numbered
            self.left += _add_below(before, explanation, owns=owns, goes_on=True)
        *earlier, stem = _split_at_numbers(above) if self._is_numbered else [above]
        self._add_without_options(earlier)
        if end := _find_label_of_list(stem, run):
            self.left += stem[:end]
            stem = dedent_lines(stem[end:])
        elif end := _find_entry_of_list(stem, run):
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
            start = _find_next_question(tail, with_options[-1].number)
            further = _split_at_numbers(tail[start:], first=False)
            tail = [*tail[:start], *further[0]]
            self._add_without_options(further[1:])
        goes_on = any(_has_paragraphs(question.below) for question in with_options)
        left = _add_below(with_options[-1], tail, owns=owns, goes_on=goes_on)
        for paragraph in _split_paragraphs(left):
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
        asks = asks or _judges(run)
        return bool(before.ticked) and has_key and asks

    def _skip_explanation(
        self, before: ChecklistQuestion, above: Lines
    ) -> tuple[Lines, list[Note]]:
        """Return the lines above options without those that explain the question before.

        Also a note where a paragraph between may be of the one or the other.
        """
        numbers = [place for place, line in enumerate(above) if line.type is LineType.NUMBER]
        if self._is_numbered and numbers:
            start = _find_next_question(above, before.number)
            return above[numbers[0] if start == len(above) else start :], []
        if self._are_parted and (end := _find_end_at_rule(above)):
            return above[end:], []
        end_line, explains, doubts = _find_end_of_quiz(above), False, list[Note]()
        paragraphs = _split_paragraphs([line for line in above if line.line > end_line])
        is_lead = in_details = False
        rule = 0
        rules = [line.line for line in above if line.type is LineType.RULE]
        last_end = max(
            (at for at, each in enumerate(paragraphs) if _ends_details(each)), default=-1
        )
        for place, paragraph in enumerate(paragraphs):
            is_last = paragraph is paragraphs[-1]
            goes_on = paragraph[0].type is LineType.CODE or (
                (_is_entry_of_list(paragraph) or is_lead) and not is_last
            )
            starts = _explains(paragraph)
            if starts:
                rule = _find_next(rules, paragraph[0].line)
            is_above_rule = paragraph[0].line < rule
            if in_details or starts or (explains and (goes_on or is_above_rule)):
                explains = True
            elif explains and not rule and (rest := _find_lines_between(paragraphs[place:])):
                asks = any(is_question_text(line.text) for line in paragraphs[-1])
                if self._are_stems_short and asks:
                    end_line = rest[-1].line
                else:
                    quote = rest[0].lines[0].strip()[:LONGEST_QUOTE]
                    doubts.append(Note("explanation_or_prompt", rest[0].line, quote))
                break
            elif not _is_listing_of_option(before, paragraph):
                break
            end_line = paragraph[-1].line
            is_lead = starts and _is_lead(paragraph)
            tags = _find_details(paragraph)
            in_details = (tags[-1] == "" if tags else in_details) and place < last_end
        return [line for line in above if line.line > end_line], doubts


def _are_parted_by_rules(runs: Sequence[OptionRun], tail: Lines) -> bool:
    """Return whether rules part all questions: two at least, one of which may end the page."""
    parted = [any(line.type is LineType.RULE for line in run.above) for run in runs[1:]]
    ends = any(line.type is LineType.RULE for line in tail)
    return bool(parted) and all(parted) and len(parted) + ends > 1


def _find_end_at_rule(above: Lines) -> int:
    """Return how many lines above options end with a rule below words that do not ask; or 0."""
    place = next((at for at, line in enumerate(above) if line.type is LineType.RULE), 0)
    words = [line.text for line in above[:place] if line.has_words]
    is_over = any(line.has_words for line in above[place:])
    asks = any(is_question_text(text) or asks_for_words(text) for text in words)
    return place + 1 if words and is_over and not asks else 0


def _find_next(numbers: Sequence[int], after: int) -> int:
    """Return the first of sorted numbers that is above another; 0 where there is none."""
    place = bisect_right(numbers, after)
    return numbers[place] if place < len(numbers) else 0


def _find_lines_between(paragraphs: Sequence[Lines]) -> Lines:
    """Return the lines between an explanation and a prompt that may go on with it.

    None of them asks, or leads up to a listing or figure.
    """
    *between, _ = paragraphs
    rest = [line for paragraph in between for line in paragraph]
    shows = any(line.type not in {*_LISTED, LineType.BLANK} for line in rest)
    asks = any(is_question_text(line.text) for line in rest if line.has_words)
    return [] if shows or asks else rest


def _is_open_question(line: ChecklistLine) -> bool:
    """Return whether a line below all options asks, or tells to answer in own words."""
    return line.asks or asks_for_words(line.text)


def _is_stem_short(run: OptionRun) -> bool:
    """Return whether one paragraph is all that is above options, or explains those above it."""
    paragraphs = [each for each in _split_paragraphs(run.above) if any(map(_has_content, each))]
    return len(paragraphs) <= 1 or _explains(paragraphs[0])


def _has_content(line: ChecklistLine) -> bool:
    return not line.is_empty


def _has_paragraphs(below: Lines) -> bool:
    """Return whether what explains a question has several paragraphs that are no title."""
    return sum(not _is_lead(paragraph) for paragraph in _split_paragraphs(below)) > 1


def _is_lead(paragraph: Lines) -> bool:
    """Return whether a paragraph is a title above the words that explain: "**Reasoning:**"."""
    words = [line for line in paragraph if not line.is_empty]
    return len(words) == 1 and is_title(words[0].text)


def _ends_details(paragraph: Lines) -> bool:
    """Return whether a box that folds ends in a paragraph."""
    return "/" in _find_details(paragraph)


def _find_details(paragraph: Lines) -> list[str]:
    """Return of each tag of a box that folds whether it ends: "/", or ""."""
    return [tag for line in paragraph for text in line.lines for tag in _DETAILS.findall(text)]


def _asks_without_options(section: ChecklistSection, counting: Container[int]) -> bool:
    """Return whether a section without options is a question; a number alone may count chapters."""
    heading = section.heading
    if heading is None or section.own or not section.is_question:
        return False
    counts = heading.type is not LineType.HEADING or heading.counted or section.level in counting
    return counts or heading.text.rstrip(" *_`").endswith(("?", "？"))


def _unite_runs(runs: Sequence[OptionRun]) -> list[OptionRun]:
    """Return runs, those joined between which there are only listings, figures or quotations.

    Two that have a key each stay apart: what is between them may be the second one's stem.
    """
    united: list[OptionRun] = []
    for run in runs:
        ends = any(line.has_words or line.type is LineType.RULE for line in run.above)
        if ends or not united or _has_key_of_its_own(united[-1].options, run):
            united.append(run)
        else:
            united[-1].options[-1].below += run.above
            united[-1].options += run.options
    return united


def _split_at_numbers(lines: Lines, *, first: bool = True) -> list[Lines]:
    """Split lines before each number that goes on counting; `first`: one may begin them."""
    chunks: list[Lines] = [[]]
    number = listed = 0
    for line in lines:
        if line.type is LineType.NUMBER:
            goes_on = not number or line.number == number + 1
            if not goes_on or line.number == listed + 1 > 1:
                listed = line.number  # of a list within a stem
            else:
                number, listed = line.number, 0
                if not first or len(chunks) > 1 or any(not other.is_empty for other in chunks[0]):
                    chunks.append([])
        chunks[-1].append(line)
    return chunks


def _split_open_questions(lines: Lines) -> tuple[list[Lines], Lines]:
    """Return the numbered questions with an answer below, and the lines of none."""
    stems: list[Lines] = []
    left: Lines = []
    for several in _split_at_numbers(lines):
        chunk = list(dropwhile(lambda line: line.type is LineType.BLANK, several))
        text = "\n".join(line.text if line.number else "\n".join(line.lines) for line in chunk)
        is_numbered = bool(chunk) and chunk[0].type is LineType.NUMBER
        has_answer = split_open_answer(text) or find_key_without_options(text.split("\n"))
        if is_numbered and has_answer:
            stems.append(chunk)
        else:
            left += chunk
    return stems, left


def _find_next_question(lines: Lines, before: int) -> int:
    """Return the place at which numbers go on from a question, or the end: where none does.

    A list that counts from 1 anew explains that question, up to the number that goes on.
    """
    numbered = [(at, line.number) for at, line in enumerate(lines) if line.type is LineType.NUMBER]
    if not numbered or not before or numbered[0][1] != 1:
        return numbered[0][0] if numbered else len(lines)
    listed = 0
    for at, number in numbered:
        if number == before + 1 and number != listed + 1:
            return at
        listed = number
    return next((at for at, number in reversed(numbered) if number == before + 1), len(lines))


def _is_entry_of_list(paragraph: Lines) -> bool:
    """Return whether a paragraph begins with an entry of a list, and does not ask."""
    asks = any(is_question_text(line.text) for line in paragraph)
    return paragraph[0].type in _ENTRIES and not asks


def _join(question: ChecklistQuestion, run: OptionRun) -> None:
    """Add options to a question, and the lines above them to the option before."""
    box = next((line for line in run.above if _DETAILS.search(line.text)), None)
    if box and _lacks_ticks(question):  # what is in a box of its own may be no option, but the key
        question.notes.append(Note("text_among_options", box.line, box.text[:LONGEST_QUOTE]))
    if _has_key_of_its_own(question.options, run):
        first = next(line for line in run.above if line.type is not LineType.BLANK)
        quote = first.lines[0].strip()[:LONGEST_QUOTE]
        question.notes.append(Note("text_among_options", first.line, quote))
    for paragraph in _split_paragraphs(run.above):
        words = next((line for line in paragraph if line.has_words), None)
        if paragraph[0].type is LineType.QUOTE or (words and EXPLAINS.match(words.text)):
            question.below += paragraph
            continue
        question.options[-1].below += paragraph
        if words:
            quote = words.lines[0].strip()[:LONGEST_QUOTE]
            question.notes.append(Note("text_among_options", words.line, quote))
    question.options += run.options


def _judges(run: OptionRun) -> bool:
    """Return whether options with a key are "true" and "false": a statement stands above them."""
    truths = [parse_boolean(option.line.text) for option in run.options]
    is_pair = len(truths) == 2 and {*truths} == {True, False}  # noqa: PLR2004 (a pair)
    return is_pair and any(option.line.is_ticked for option in run.options)


def _begins_letters(question: ChecklistQuestion, run: OptionRun) -> bool:
    """Return whether the letters of options count from A anew below those of a question."""
    firsts = [each.options[0].line.text.strip() for each in (question, run)]
    letters = [match[1].lower() for text in firsts if (match := _LETTERED.match(text))]
    return letters == ["a", "a"]


def _has_key_of_its_own(options: Sequence[ChecklistOption], run: OptionRun) -> bool:
    """Return whether a run of options, below others with a key, may be another question's."""
    return _is_keyed(options) and _is_keyed(run.options)


def _is_keyed(options: Sequence[ChecklistOption]) -> bool:
    """Return whether there are several options, and one has a tick."""
    return len(options) > 1 and any(option.line.is_ticked for option in options)


def _find_second_list(options: Sequence[ChecklistOption]) -> list[Note]:
    """Return a note where options are two lists or more with a key each, a blank line between.

    Or words that begin with a capital, which may ask.

    Options that all stand apart are one list; so are two groups of which one has no key.
    """
    lists: list[list[ChecklistOption]] = []
    for before, option in zip([None, *options], options, strict=False):
        if before is None or any(_parts_lists(line, before) for line in before.below):
            lists.append([])
        lists[-1].append(option)
    if len(lists) < 2 or not all(map(_is_keyed, lists)):  # noqa: PLR2004 (two are compared)
        return []
    first = lists[1][0].line
    return [Note("several_keyed_lists", first.line, first.lines[0].strip()[:LONGEST_QUOTE])]


def _parts_lists(line: ChecklistLine, option: ChecklistOption) -> bool:
    """Return whether a line below an option may end its list."""
    begins = line.text[:1].isupper() and line.indent <= option.line.indent + 1
    return line.type is LineType.BLANK or (line.type is LineType.TEXT and begins)


def _repeats(question: ChecklistQuestion, run: OptionRun) -> bool:
    """Return whether options are those of a question without ticks again, with its ticks."""
    if not any(option.line.is_ticked for option in run.options) or not _lacks_ticks(question):
        return False
    again = [*map(_name_option, run.options)]
    return "" not in again and (
        {*again} <= {*map(_name_option, question.options)} or _is_same_list(question, again)
    )


def _is_same_list(question: ChecklistQuestion, again: Sequence[str]) -> bool:
    """Return whether names of options are those of a question in their order, but for one."""
    names = [*map(_name_option, question.options)]
    if len(names) != len(again) or len(names) < _FEWEST_REPEATED:
        return False
    return sum(name != other for name, other in zip(names, again, strict=True)) == 1


def _lacks_ticks(question: ChecklistQuestion) -> bool:
    """Return whether a question has no tick; one of very many options is not looked at."""
    return len(question.options) <= _MOST_OPTIONS and not question.ticked


def _name_option(option: ChecklistOption) -> str:
    """Return the letter of an option, else its text."""
    text = option.line.text.strip()
    letter = _LETTERED.match(text)
    return letter[1].lower() if letter else text


def _tick_repeated(question: ChecklistQuestion, run: OptionRun) -> None:
    """Tick the options of a question that its solution below repeats; that explains it."""
    right = {_name_option(option) for option in run.options if option.line.is_ticked}
    ticked = {at for at, option in enumerate(run.options) if option.line.is_ticked}
    is_same = _is_same_list(question, [*map(_name_option, run.options)])
    for at, option in enumerate(question.options):
        if at in ticked if is_same else _name_option(option) in right:
            option.line = replace(option.line, mark="[x]")
    question.below += run.above
    for option in run.options:
        question.below += [option.line, *option.below]


def _split_paragraphs(lines: Lines) -> list[Lines]:
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


def _find_end_of_quiz(lines: Lines) -> int:
    """Return the number of the line `</quiz>`, above which all is the question's; else 0."""
    return next((line.line for line in lines if line.text.lower() == "</quiz>"), 0)


def _explains(paragraph: Lines) -> bool:
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


def _is_listing_of_option(question: ChecklistQuestion, paragraph: Lines) -> bool:
    """Return whether a listing or picture below the last option is its own, as the others' are."""
    *others, last = question.options
    type_ = paragraph[0].type
    if type_ not in {LineType.CODE, LineType.FIGURE} or last.has_below(type_):
        return False
    is_listing = type_ is LineType.CODE
    return (is_listing and not last.line.text) or any(option.has_below(type_) for option in others)


def _add_below(
    question: ChecklistQuestion, tail: Lines, *, owns: bool, goes_on: bool = False
) -> Lines:
    """Add the lines below its options to a question; return those that belong to none.

    `goes_on`: paragraphs below one that explains do so, too, up to a rule.
    """
    left: Lines = []
    in_details = explains = is_lead = False
    end = _find_end_of_quiz(tail)
    rules = [line.line for line in tail if line.type is LineType.RULE]
    last = 0
    for paragraph in _split_paragraphs(tail):
        is_code = paragraph[0].type is LineType.CODE
        is_parted = 0 < _find_next(rules, last) < paragraph[0].line
        starts = _explains(paragraph)
        continues = goes_on and not is_parted
        explains = starts or (explains and (continues or is_lead or _is_entry_of_list(paragraph)))
        if _is_listing_of_option(question, paragraph) and not question.below:
            question.options[-1].below.append(paragraph[0])
            rest = paragraph[1:]
            question.below += rest if owns or any(not line.is_empty for line in rest) else []
        elif owns or in_details or is_code or explains or paragraph[0].line < end:
            question.below += paragraph
        else:
            left += paragraph
        last, is_lead = paragraph[0].line, starts and _is_lead(paragraph)
        tags = _find_details(paragraph)
        in_details = tags[-1] == "" if tags else in_details
    return left
