"""Lines below an option that explain the answer: they are no part of the option's text. Pure."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from quizzes.formats.checklist.checklist_question import ChecklistOption, ChecklistQuestion
from quizzes.formats.checklist.line_types import ChecklistLine, LineType, measure_indent
from quizzes.formats.checklist.markdown_texts import unquote
from quizzes.formats.checklist.sections import is_explanation, is_link, is_title

_LEAD = (
    r"[\W_]*(?:(?:yes|no|sí|oui|ja|sorry|lo siento)[,.!][ ]+)?"
    r"(?:(?:that(?:[’']s|[ ]is)|this[ ]is|it[ ]is|it[’']s|you(?:[’']re|[ ]are)|esto?[ ]es|es"
    r"|das[ ]ist|c[’']est|è|isso[ ]é)[ ]+)?"
)
_JUDGED_WRONG = re.compile(
    rf"{_LEAD}(?:(?:not|no[ ]es|nicht|pas|non[ ]è|não[ ]é|no[ ]está)[ ]+(?:quite|correct[ao]?|right"
    r"|richtig|exact|corrett[ao]|corret[ao])|incorrect[ao]?|incorret[ao]|wrong|falsch|faux|sbagliat[ao]"
    r"|errad[ao])(?!\w)",
    re.IGNORECASE,
)
_JUDGED_RIGHT = re.compile(
    rf"{_LEAD}(?:correct[ao]?|right|richtig|exact(?:ly|o|amente)?|corrett[ao]|corret[ao]"
    r"|well[ ]done|muy[ ]bien|bien[ ]hecho|bravo|cierto)(?!\w)",
    re.IGNORECASE,
)
_NO_WORDS = frozenset({LineType.BLANK, LineType.CODE, LineType.COMMENT})


def split_off_explanations(question: ChecklistQuestion) -> None:
    """Move lines that explain the answer from the only option that has some below the options.

    Where several options have some, each is the feedback of its option.
    """
    if question.own:  # written by us: its quotations are feedback
        return
    places = [_find_explanation(option) for option in question.options]
    explained = [at for at, place in enumerate(places) if place is not None]
    if not explained:
        return
    option = question.options[explained[0]]
    is_alone = len(explained) == 1 and (
        option is question.options[-1] or (option.line.is_ticked and question.ticked == 1)
    )
    if is_alone and (place := places[explained[0]]) is not None:
        question.below[:0] = _open_entry(dedent_lines(option.below[place:]))
        option.below[place:] = []
        return
    for option, place in zip(question.options, places, strict=True):
        if place is not None:
            option.below[place:] = _quote(_open_entry(dedent_lines(option.below[place:])))


def give_last_feedback(question: ChecklistQuestion) -> None:
    """Move the quotation below the last option to it, where each other option has one.

    What stands apart below it explains the answer, as those do not, and so does "Explanation: …".
    """
    if question.own or len(question.options) <= 1:
        return
    *others, last = question.options
    has_own = [option.has_below(LineType.QUOTE) for option in others]
    if last.has_below(LineType.QUOTE) or not all(has_own):
        return
    blank = list(takewhile(lambda line: line.type is LineType.BLANK, question.below))
    quoted = list(takewhile(lambda line: line.type is LineType.QUOTE, question.below[len(blank) :]))
    is_apart = bool(blank) or _ends_blank(last)
    if not quoted or (is_apart and not all(map(_ends_blank, others))):
        return
    if not _explains(unquote(quoted[0].lines)[0].strip()):
        last.below += quoted
        question.below = question.below[len(blank) + len(quoted) :]


def tick_judged_options(question: ChecklistQuestion) -> None:
    """Tick the options of a list without ticks that their feedback calls right.

    That of each option must call it right or wrong, and not all the same.
    """
    if question.own or "none_apply" in question.settings or len(question.options) <= 1:
        return
    if question.ticked:
        return
    judged = [_judge(option) for option in question.options]
    if {*judged} == {True, False}:
        for option, is_right in zip(question.options, judged, strict=True):
            if is_right:
                option.line = replace(option.line, mark="[x]")


def _judge(option: ChecklistOption) -> bool | None:
    """Return whether the quotation below an option calls it right; None where it says neither."""
    quoted = next((line for line in option.below if line.type is LineType.QUOTE), None)
    quoted = quoted or next(
        (line for line in option.below if line.lines[0].lstrip().startswith(">")), None
    )
    words = unquote(quoted.lines[:1])[0] if quoted else ""
    if _JUDGED_WRONG.match(words):
        return False
    return True if _JUDGED_RIGHT.match(words) else None


def _ends_blank(option: ChecklistOption) -> bool:
    """Return whether an empty line is the first below an option."""
    return bool(option.below) and option.below[0].type is LineType.BLANK


def _find_explanation(option: ChecklistOption) -> int | None:
    """Return the place of the first line below an option that explains the answer."""
    return next(
        (
            place
            for place, line in enumerate(option.below)
            if line.type not in _NO_WORDS and _explains(line.lines[0].strip())
        ),
        None,
    )


def _explains(text: str) -> bool:
    if text.startswith(">") and is_link(text):
        return False
    return is_explanation(text) or (text.startswith(("#", "**", "__")) and is_title(text))


def _open_entry(lines: list[ChecklistLine]) -> list[ChecklistLine]:
    """Return lines without the bullet of a list entry that is all they are."""
    first, *others = lines
    is_list = any(line.type is LineType.BULLET and not line.indent for line in others)
    if first.type is not LineType.BULLET or is_list:
        return lines
    return [replace(first, lines=(first.text,), type=LineType.TEXT), *others]


def _quote(lines: Sequence[ChecklistLine]) -> list[ChecklistLine]:
    """Return lines as a quotation, which is the feedback of the option above it."""
    last = max(at for at, line in enumerate(lines) if line.type is not LineType.BLANK)
    return [
        line
        if line.type is LineType.QUOTE or at > last
        else replace(line, lines=tuple(f"> {text}" for text in line.lines), type=LineType.QUOTE)
        for at, line in enumerate(lines)
    ]


def dedent_lines(lines: Sequence[ChecklistLine]) -> list[ChecklistLine]:
    """Return lines without the margin that all of them have."""
    margin = min(line.indent for line in lines if line.type is not LineType.BLANK)
    return [
        replace(line, lines=tuple(_take_off(text, margin) for text in line.lines)) for line in lines
    ]


def _take_off(text: str, margin: int) -> str:
    """Return a line with so many blanks less at its begin, or without any."""
    return text.expandtabs(4)[min(margin, measure_indent(text)) :]
