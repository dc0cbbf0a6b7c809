"""What is right, as far as the page itself says; where it does not, nothing is. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from quizzes.formats.contract import LONGEST_QUOTE, Note
from quizzes.formats.parsing.instructions import asks_for_all
from quizzes.formats.transcript.page_reader import PageOption, PageQuestion
from quizzes.formats.transcript.vocabulary import CHOSEN, RIGHT, WRONG

_EMPTY = "☐○◯□Oo0"


@dataclass(frozen=True, slots=True)
class PageKey:
    """Which options are right, None where the page does not say; and how that was found."""

    many: bool
    right: list[bool] | None = None
    notes: tuple[Note, ...] = ()


def find_key(question: PageQuestion, *, has_full_grade: bool) -> PageKey:
    """Return the key of a question; `full_page`: the grade says that all was right."""
    options = question.options
    chosen = [option for option in options if is_chosen(option)]
    verdicts = {question.right, *(option.right for option in options)}
    is_full = has_full_grade or (True in verdicts and False not in verdicts)
    if question.points:
        is_full = question.earned == question.points
    many = len(chosen) > 1 or asks_for_all(" ".join(question.stem))
    unmarked = [option for option in options if not option.mark]
    codes = (
        "mark_lost" if many and _is_said_right(option) else "mark_lost_not_chosen"
        for option in unmarked
    )
    if many:
        # In a question marked right, what is marked or said to be right is, and nothing else.
        right = [is_chosen(option) or _is_said_right(option) for option in options]
        if not is_full or not any(right):
            return PageKey(many=True)
        return PageKey(many=True, right=right, notes=tuple(map(_note, codes, unmarked)))
    if not is_full:
        return _find_other(question, chosen)
    if chosen:
        return _build_single(options, chosen[0], *map(_note, codes, unmarked))
    left = [option for option in options if not option.mark or option.mark not in _EMPTY]
    if len(left) != 1 or len(options) == 1:
        return PageKey(many=False)
    return _build_single(options, left[0], _note("mark_resolved", left[0]))


def is_chosen(option: PageOption) -> bool:
    """Return whether an option is marked as chosen."""
    return bool(option.mark) and option.mark in CHOSEN + RIGHT + WRONG


def _is_said_right(option: PageOption) -> bool:
    return (bool(option.mark) and option.mark in RIGHT) or option.right is True


def _note(code: str, option: PageOption) -> Note:
    return Note(code, option.line, option.text[:LONGEST_QUOTE])


def _build_single(options: Iterable[PageOption], right: PageOption, *notes: Note) -> PageKey:
    return PageKey(many=False, right=[option is right for option in options], notes=notes)


def _find_other(question: PageQuestion, chosen: list[PageOption]) -> PageKey:
    """Return that of two options, one of which was chosen and is wrong, the other is right."""
    others = [option for option in question.options if option not in chosen]
    if len(others) != 1 or len(chosen) != 1 or question.earned:
        return PageKey(many=False)
    if question.points is None and chosen[0].right is not False:
        return PageKey(many=False)
    return _build_single(question.options, others[0], _note("right_is_the_other", chosen[0]))
