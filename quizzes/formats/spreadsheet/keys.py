"""What a row says that is the same in every language: its kind, its key, its weights."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from grading.json_types import Json
from grading.kinds import KINDS
from quizzes.formats.builders import Accepted, Number
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.formats.spreadsheet.answers import Answers, answers
from quizzes.formats.spreadsheet.entries import entries
from quizzes.formats.spreadsheet.kinds import HELD, kind_of, options_of, weights_of
from quizzes.formats.spreadsheet.numerals import number
from quizzes.formats.spreadsheet.record import Record
from quizzes.formats.spreadsheet.settings import settings


@dataclass(frozen=True, slots=True)
class Told:
    """A row without its words. `right` None: which of true and false is right is not known."""

    kind: str
    answers: Answers = field(default_factory=Answers)
    right: bool | None = None
    turned: bool = False  # the first option says false
    weights: Mapping[str, Fraction] = field(default_factory=dict)
    accepted: tuple[Accepted, ...] = ()
    numbers: tuple[Number, ...] = ()
    scoring_method: str = ""
    fields: Mapping[str, Json] = field(default_factory=dict)
    pinned: frozenset[str] = frozenset()


def told(record: Record) -> Told | str:
    """Read it; what is odd is noted of the record. A kind that no row can hold: its word."""
    kind = kind_of(record)
    if kind not in HELD:
        return kind
    found = _READERS[kind](record, Told(kind)) if kind in _READERS else Told(kind)
    scoring_method = record.cell("scoring_method").lower()
    if scoring_method and scoring_method not in KINDS[kind].scoring_methods:
        record.note("scoring_method_unknown", scoring_method)
        scoring_method = ""
    fields, pinned, others = settings(kind, record.cell("settings"))
    for one in others:
        record.note("setting_unreadable", one)
    return replace(found, scoring_method=scoring_method, fields=fields, pinned=pinned)


def _choice(record: Record, found: Told) -> Told:
    options, weights = options_of(record), weights_of(record)
    if len(weights) < len(record.letters("weight")):
        cells = (record.cell("weight", one) for one in record.letters("weight"))
        record.note("weight_unreadable", "; ".join(cells))
    key = answers(record.cell("correct"), options)
    if key.code == "key_unknown" and weights:
        least = 0 if found.kind == "multiple_choice" else Fraction(99, 100)
        right = (one for one, value in weights.items() if value > least and one in options)
        key = Answers(frozenset(right))
        key = key if key.right else Answers(code="key_unknown")
    if key.code:
        record.note(key.code, record.cell("correct"))
    if len(options) < 2:  # noqa: PLR2004  a choice
        record.note("too_few_options")
    if found.kind == "single_choice" and len(key.right) > 1:
        record.note("several_right_options", record.cell("correct"))
    if key.none and found.kind == "single_choice":
        record.note("key_unknown", record.cell("correct"))
    return replace(found, answers=key, weights=weights)


def _truth(record: Record, found: Told) -> Told:
    options, cell = options_of(record), record.cell("correct")
    turned = any(parse_boolean(one) is False for one in options.get("a", ()))
    right = parse_boolean(cell)
    if right is None and cell:
        letters = answers(cell, options or {"a": [], "b": []}).right
        right = (letters == {"a"}) != turned if len(letters) == 1 else None
    if right is None:
        record.note("answer_unknown" if cell else "key_unknown", cell)
    return replace(found, right=right, turned=turned)


def _short(record: Record, found: Told) -> Told:
    every = [Accepted(one.text, one.credit) for one in entries(record.cell("correct"))]
    _credited(record, [one.credit for one in every])
    return replace(found, accepted=tuple(every))


def _numeric(record: Record, found: Told) -> Told:
    every = list[Number]()
    for one in entries(record.cell("correct")):
        read = number(one.text)
        if read is None:
            record.note("number_unreadable", one.text)
        else:
            every.append(replace(read, credit=one.credit))
    _credited(record, [one.credit for one in every])
    return replace(found, numbers=tuple(every))


def _credited(record: Record, credits_: list[Fraction]) -> None:
    if max(credits_, default=0) != 1:
        record.note("key_unknown", record.cell("correct"))


def _essay(record: Record, found: Told) -> Told:
    if record.cell("correct"):
        record.note("solution_left_out", record.cell("correct"))
    elif not record.cell("kind"):
        record.note("key_unknown")
    return found


_READERS: Mapping[str, Callable[[Record, Told], Told]] = {
    "single_choice": _choice,
    "multiple_choice": _choice,
    "true_false": _truth,
    "short_text": _short,
    "numeric": _numeric,
    "essay": _essay,
}
