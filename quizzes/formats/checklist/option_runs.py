"""Options that follow each other, and the lines that belong to each. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from quizzes.formats.checklist.checklist_question import ChecklistOption
from quizzes.formats.checklist.line_types import ChecklistLine, LineType
from quizzes.formats.checklist.paragraphs import Lines
from quizzes.formats.checklist.sections import is_explanation, is_question_text
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.parsing.key_lines import is_key_line

LETTERED = re.compile(r"\(?([A-Ja-j])[.)][ \t]")
_DETACHED = frozenset(
    {LineType.NUMBER, LineType.QUOTE, LineType.RULE, LineType.COMMENT, LineType.LABEL}
)
_BULLETS, _OPENINGS = frozenset("-*+"), frozenset("[(")
LISTED = frozenset({LineType.NUMBER, LineType.BULLET, LineType.TEXT})


@dataclass(slots=True)
class OptionRun:
    """Options that follow each other, and the lines above them at the margin."""

    above: Lines
    options: list[ChecklistOption] = field(default_factory=list)

    @property
    def indent(self) -> int:
        """Return how far its first option is indented."""
        return self.options[0].line.indent


def find_runs(body: Sequence[ChecklistLine]) -> tuple[list[OptionRun], Lines]:
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
    begins = is_keyed(others.options) and (breaks_off or judges(others))
    return begins and is_keyed(run.options)


def _is_option_below(body: Sequence[ChecklistLine], place: int) -> bool:
    """Return whether the next line is an option."""
    return place + 1 < len(body) and body[place + 1].type is LineType.OPTION


def _leaves_list(line: ChecklistLine, run: OptionRun) -> bool:
    """Return whether a line is an entry of the list that the options are a list within."""
    return line.type is LineType.BULLET and line.indent + 1 < run.indent


def _lacks_text(option: ChecklistOption, line: ChecklistLine, *, after_blank: bool) -> bool:
    """Return whether a line is the text of an option that has none, or goes on with it."""
    if option.line.text.strip(" :.") or line.type not in LISTED or is_explanation(line.text):
        return False
    return not after_blank or all(other.type is LineType.BLANK for other in option.below)


def unite_runs(runs: Sequence[OptionRun]) -> list[OptionRun]:
    """Return runs, those joined between which there are only listings, figures or quotations.

    Two that have a key each stay apart: what is between them may be the second one's stem.
    """
    united: list[OptionRun] = []
    for run in runs:
        ends = any(line.has_words or line.type is LineType.RULE for line in run.above)
        if ends or not united or has_key_of_its_own(united[-1].options, run):
            united.append(run)
        else:
            united[-1].options[-1].below += run.above
            united[-1].options += run.options
    return united


def judges(run: OptionRun) -> bool:
    """Return whether options with a key are "true" and "false": a statement stands above them."""
    truths = [parse_boolean(option.line.text) for option in run.options]
    is_pair = len(truths) == 2 and {*truths} == {True, False}  # noqa: PLR2004 (a pair)
    return is_pair and any(option.line.is_ticked for option in run.options)


def has_key_of_its_own(options: Sequence[ChecklistOption], run: OptionRun) -> bool:
    """Return whether a run of options, below others with a key, may be another question's."""
    return is_keyed(options) and is_keyed(run.options)


def is_keyed(options: Sequence[ChecklistOption]) -> bool:
    """Return whether there are several options, and one has a tick."""
    return len(options) > 1 and any(option.line.is_ticked for option in options)
