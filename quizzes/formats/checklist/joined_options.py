"""Options that go on with a question above them, or repeat its own with ticks. Pure."""

from collections.abc import Sequence
from dataclasses import replace

from quizzes.formats.checklist.checklist_question import ChecklistOption, ChecklistQuestion
from quizzes.formats.checklist.line_types import ChecklistLine, LineType
from quizzes.formats.checklist.option_runs import LETTERED, OptionRun, has_key_of_its_own, is_keyed
from quizzes.formats.checklist.paragraphs import DETAILS, split_paragraphs
from quizzes.formats.checklist.sections import EXPLAINS
from quizzes.formats.contract import LONGEST_QUOTE, Note

_MOST_OPTIONS = 60
_FEWEST_REPEATED = 3


def join_options(question: ChecklistQuestion, run: OptionRun) -> None:
    """Add options to a question, and the lines above them to the option before."""
    box = next((line for line in run.above if DETAILS.search(line.text)), None)
    if box and _lacks_ticks(question):  # what is in a box of its own may be no option, but the key
        question.notes.append(Note("text_among_options", box.line, box.text[:LONGEST_QUOTE]))
    if has_key_of_its_own(question.options, run):
        first = next(line for line in run.above if line.type is not LineType.BLANK)
        quote = first.lines[0].strip()[:LONGEST_QUOTE]
        question.notes.append(Note("text_among_options", first.line, quote))
    for paragraph in split_paragraphs(run.above):
        words = next((line for line in paragraph if line.has_words), None)
        if paragraph[0].type is LineType.QUOTE or (words and EXPLAINS.match(words.text)):
            question.below += paragraph
            continue
        question.options[-1].below += paragraph
        if words:
            quote = words.lines[0].strip()[:LONGEST_QUOTE]
            question.notes.append(Note("text_among_options", words.line, quote))
    question.options += run.options


def find_second_list(options: Sequence[ChecklistOption]) -> list[Note]:
    """Return a note where options are two lists or more with a key each, a blank line between.

    Or words that begin with a capital, which may ask.

    Options that all stand apart are one list; so are two groups of which one has no key.
    """
    lists: list[list[ChecklistOption]] = []
    for before, option in zip([None, *options], options, strict=False):
        if before is None or any(_parts_lists(line, before) for line in before.below):
            lists.append([])
        lists[-1].append(option)
    if len(lists) < 2 or not all(map(is_keyed, lists)):  # noqa: PLR2004 (two are compared)
        return []
    first = lists[1][0].line
    return [Note("several_keyed_lists", first.line, first.lines[0].strip()[:LONGEST_QUOTE])]


def _parts_lists(line: ChecklistLine, option: ChecklistOption) -> bool:
    """Return whether a line below an option may end its list."""
    begins = line.text[:1].isupper() and line.indent <= option.line.indent + 1
    return line.type is LineType.BLANK or (line.type is LineType.TEXT and begins)


def repeats_options(question: ChecklistQuestion, run: OptionRun) -> bool:
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
    letter = LETTERED.match(text)
    return letter[1].lower() if letter else text


def tick_repeated(question: ChecklistQuestion, run: OptionRun) -> None:
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
