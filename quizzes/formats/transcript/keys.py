"""What is right, as far as the page itself tells; where it does not, nothing is. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from quizzes.formats.contract import Note
from quizzes.formats.parsing.instructions import asks_for_all
from quizzes.formats.transcript.sheet import LONGEST_QUOTE, Choice, Draft, told_right
from quizzes.formats.transcript.words import CHOSEN, RIGHT, WRONG

_EMPTIES = "☐○◯□Oo0"


@dataclass(frozen=True, slots=True)
class Key:
    """Which options are right, None where the page does not tell; and how that was found."""

    many: bool
    right: Sequence[bool] | None
    notes: tuple[Note, ...] = ()


def key(draft: Draft, *, full_page: bool) -> Key:
    """Find the key of a question; `full_page`: the page says that all was right."""
    told = sum(map(is_taken, draft.options))
    many = told > 1 or asks_for_all(" ".join(draft.stem))
    full = draft.earned == draft.of if draft.of else full_page or _all_said_right(draft)
    if many:
        return _many(draft, full=full)
    return _one(draft, full=full)


def is_taken(choice: Choice) -> bool:
    """Tell whether an option is marked as chosen."""
    return bool(choice.mark) and choice.mark in CHOSEN + RIGHT + WRONG


def _empty(choice: Choice) -> bool:
    return bool(choice.mark) and choice.mark in _EMPTIES


def _all_said_right(draft: Draft) -> bool:
    said = [draft.said, *(one.said for one in draft.options)]
    return True in said and False not in said


def _note(code: str, choice: Choice) -> Note:
    return Note(code, choice.line, choice.text[:LONGEST_QUOTE])


def _many(draft: Draft, *, full: bool) -> Key:
    """In a question marked right, what is marked or said to be right is, and nothing else."""
    right = [is_taken(one) or told_right(one) for one in draft.options]
    if not full or not any(right):
        return Key(many=True, right=None)
    lost = [one for one in draft.options if not one.mark]
    codes = ("mark_lost" if told_right(one) else "mark_lost_not_chosen" for one in lost)
    return Key(True, right, tuple(map(_note, codes, lost)))  # noqa: FBT003  many


def _one(draft: Draft, *, full: bool) -> Key:
    taken = [one for one in draft.options if is_taken(one)]
    left = [one for one in draft.options if not _empty(one)]
    lost = [one for one in draft.options if not one.mark]
    if not full:
        return _other(draft, taken)
    if taken:
        notes = tuple(_note("mark_lost_not_chosen", one) for one in lost)
        return Key(many=False, right=[one in taken for one in draft.options], notes=notes)
    if len(left) != 1 or len(draft.options) == 1:
        return Key(many=False, right=None)
    notes = (_note("mark_resolved", left[0]),)
    return Key(many=False, right=[one is left[0] for one in draft.options], notes=notes)


def _other(draft: Draft, taken: Sequence[Choice]) -> Key:
    """Of two options, one of which was chosen and is wrong, the other is right."""
    if len(draft.options) != 2 or len(taken) != 1 or draft.earned:  # noqa: PLR2004  two options
        return Key(many=False, right=None)
    if draft.of is None and taken[0].said is not False:
        return Key(many=False, right=None)
    right = [one is not taken[0] for one in draft.options]
    return Key(many=False, right=right, notes=(_note("right_is_the_other", taken[0]),))
