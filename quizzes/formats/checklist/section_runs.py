"""The options of a section in runs, and whether numbers count its questions. Pure."""

from dataclasses import dataclass

from quizzes.formats.checklist.line_types import LineType
from quizzes.formats.checklist.option_runs import LETTERED, OptionRun, find_runs
from quizzes.formats.checklist.paragraphs import Lines
from quizzes.formats.checklist.sections import ChecklistSection, is_question_text


@dataclass(slots=True)
class SectionRuns:
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


def find_section_runs(section: ChecklistSection) -> SectionRuns:
    """Return the options of a section in runs, and whether numbers above them count from 1 on."""
    runs, tail = find_runs(section.body)
    numbers = [[line.number for line in run.above if line.type is LineType.NUMBER] for run in runs]
    firsts = [several[0] for several in numbers if several]
    counted = len(firsts) > 1 and firsts == [*range(1, len(numbers) + 1)]
    return SectionRuns(section, runs, tail, counted)


def has_several(parts: SectionRuns) -> bool:
    """Return whether a section has several questions: words above its runs, or numbers."""
    asks_again = any(line.has_words for run in parts.runs[1:] for line in run.above)
    return asks_again or is_numbered(parts, one_each=False)


def is_numbered(parts: SectionRuns, *, one_each: bool) -> bool:
    """Return whether numbered lines begin the questions of a section."""
    section = parts.section
    first = next((line for line in skip_introduction(parts) if not line.is_empty), None)
    is_question = section.labelled or (one_each and section.is_question)
    if (section.own and not parts.counted) or (is_question and not parts.is_chapter):
        return False
    if first is None or first.type is not LineType.NUMBER:
        return False
    numbers = [line.number for line in parts.runs[0].above if line.type is LineType.NUMBER]
    return len(numbers) == 1 or numbers[1] != numbers[0] + 1


def skip_introduction(parts: SectionRuns) -> Lines:
    """Return the lines above the first options, from the number on that the next ones go on from.

    What is above it introduces the page, unless it has lettered options: then it asks.
    """
    above = parts.runs[0].above if parts.runs else []
    place = next((at for at, line in enumerate(above) if line.type is LineType.NUMBER), 0)
    asks = any(LETTERED.match(line.text) for line in above[:place])
    return above[place:] if parts.counted and not asks else above
