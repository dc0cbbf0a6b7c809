"""What stands above options and belongs to no question: titles, lists, boxes. Pure."""

from collections.abc import Sequence

from quizzes.formats.checklist.line_types import LineType
from quizzes.formats.checklist.option_runs import LISTED, OptionRun
from quizzes.formats.checklist.paragraphs import Lines, ends_details, find_details
from quizzes.formats.checklist.sections import ChecklistSection, is_question_text
from quizzes.formats.parsing.instructions import asks_for_words
from quizzes.formats.parsing.labels import WORD


def find_introduction(section: ChecklistSection, runs: Sequence[OptionRun]) -> int:
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


def find_label_of_list(stem: Lines, run: OptionRun) -> int:
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


def find_entry_of_list(stem: Lines, run: OptionRun) -> int:
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


def find_bold_prompt(section: ChecklistSection, runs: Sequence[OptionRun]) -> int:
    """Return how many lines stand above the bold line that asks first on a page.

    None unless such a line is all that stands above the options of each other question.
    """
    is_title = section.heading is None or (section.heading.mark == "#" and not section.is_question)
    filled = [[line for line in run.above if not line.is_empty] for run in runs]
    if not is_title or len(runs) <= 1 or not all(map(_asks_in_bold, filled)):
        return 0
    above, *others = filled
    shows = any(line.type not in LISTED or "?" in line.text for line in above[:-1])
    if shows or any(len(lines) > 1 for lines in others):
        return 0
    return runs[0].above.index(above[-1])


def _asks_in_bold(lines: Lines) -> bool:
    """Return whether the last of some lines asks, and is all bold."""
    text = lines[-1].text.strip() if lines else ""
    is_bold = text[:2] == text[-2:] == "**" and "**" not in text[2:-2]
    return is_bold and "?" in text


def find_end_of_boxes(section: ChecklistSection, runs: Sequence[OptionRun]) -> int:
    """Return how many lines are boxes that fold above the one that has the first options.

    None of them asks.
    """
    above = runs[0].above if runs and not section.is_question else []
    ends = [at for at, line in enumerate(above) if ends_details([line])]
    end = ends[-1] + 1 if ends else 0
    opens = any(tag == "" for tag in find_details(above[end:]))
    asks = any("?" in line.text or "？" in line.text for line in above[:end])
    has_words = any(line.has_words and line.text[:1] != "<" for line in above[end:])
    return end if opens and has_words and not asks else 0
