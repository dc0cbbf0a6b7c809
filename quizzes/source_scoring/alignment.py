"""Which option of the file is which row of the question: by place, or by its words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quizzes.formats.contract import ParsedQuestion, ParsedRow
from quizzes.formats.parsing import none_of_the_above
from quizzes.formats.parsing.boolean_words import parse_boolean
from quizzes.source_scoring.rules import (
    NotComparable,
    Shape,
    SourceOption,
    SourceRules,
    SourceSlot,
    simplify_text,
)


@dataclass(frozen=True, slots=True)
class AlignedOption:
    """An option of the file with the name of its row; "" is the answer that none is right."""

    source: SourceOption
    row: str
    right: bool


@dataclass(frozen=True, slots=True)
class AlignedSlot:
    """A place to answer with its row (a gap, a left side; "" is the question itself).

    `typed` are the rows of what is accepted there; `kind` is that of what is answered.
    """

    source: SourceSlot
    kind: str
    row: str = ""
    options: tuple[AlignedOption, ...] = ()
    typed: tuple[ParsedRow, ...] = ()


def align(question: ParsedQuestion, rules: SourceRules) -> list[AlignedSlot]:
    """Return the places to answer with the rows that they became; else NotComparable."""
    if (question.kind, rules.shape) not in _SHAPES:
        raise NotComparable("answered_otherwise", question.kind)
    if rules.shape != Shape.SLOTS:
        table = question.tables.get("items" if question.kind == "ordering" else "options", ())
        return [_align_options(question, rules.slots[0], table)]
    if question.kind == "matching":
        return _align_pairs(question, rules)
    if question.kind == "cloze":
        return _align_gaps(question, rules)
    _require(len(rules.slots) == 1)
    table = question.tables.get("numbers" if question.kind == "numeric" else "accepted", ())
    return [AlignedSlot(rules.slots[0], question.kind, typed=table)]


_SHAPES = {
    *((kind, Shape.CHOICE) for kind in ("single_choice", "multiple_choice", "true_false")),
    *((kind, Shape.SLOTS) for kind in ("short_text", "numeric", "matching", "cloze")),
    ("ordering", Shape.ORDER),
}


def _align_options(
    question: ParsedQuestion, slot: SourceSlot, rows: Sequence[ParsedRow], gap: str = ""
) -> AlignedSlot:
    options, kind = list(slot.options), "single_choice" if gap else question.kind
    if question.kind == "true_false":
        by_truth = {parse_boolean(row.name): row for row in rows}
        pairs = [(option, by_truth.get(option.truth)) for option in options]
    elif question.kind == "ordering":
        pairs = _pair_by_words(options, rows)
    else:
        named = [option for option in options if option.id != none_of_the_above.IDENTIFIER]
        if len(named) != len(rows):
            named = [option for option in named if option.text.strip()]
        _require(len(named) == len(rows))
        pairs = list(zip(named, rows, strict=True))
    aligned = [
        AlignedOption(option, row.name, right=bool(row.values.get("right")))
        for option, row in pairs
        if row is not None
    ]
    _require(len(aligned) == len(rows))
    if question.kind == "multiple_choice" and question.fields.get("none_apply"):
        none = [option for option in options if option.id == none_of_the_above.IDENTIFIER]
        is_right = not any(option.right for option in aligned)
        # Without such an option, the file means it by choosing nothing.
        none = none or [SourceOption("", "")]
        aligned += [AlignedOption(option, "", right=is_right) for option in none]
    return AlignedSlot(slot, kind, gap, tuple(aligned))


def _pair_by_words(
    options: Iterable[SourceOption], rows: Iterable[ParsedRow]
) -> list[tuple[SourceOption, ParsedRow | None]]:
    """Pair options with rows of the same words, each row once."""
    by_words: dict[str, list[ParsedRow]] = {}
    for row in rows:
        by_words.setdefault(simplify_text(read_row_text(row)), []).append(row)
    pairs = []
    for option in options:
        waiting = by_words.get(simplify_text(option.text), [])
        pairs.append((option, waiting.pop(0) if waiting else None))
    return pairs


def _align_pairs(question: ParsedQuestion, rules: SourceRules) -> list[AlignedSlot]:
    lefts, rights = question.tables.get("lefts", ()), question.tables.get("rights", ())
    by_words = {simplify_text(read_row_text(row)): row.name for row in rights}
    slots = [slot for slot in rules.slots if slot.text.strip()] or list(rules.slots)
    slots = list(rules.slots) if len(rules.slots) == len(lefts) else slots
    _require(len(slots) == len(lefts) and len(by_words) == len(rights))
    aligned, named = [], dict[tuple[SourceOption, ...], list[str]]()
    for slot, left in zip(slots, lefts, strict=True):
        if slot.options not in named:  # mostly, all left sides have the same
            words = (simplify_text(option.text) for option in slot.options)
            named[slot.options] = [by_words.get(text, "") for text in words]
        names = named[slot.options]
        options = tuple(
            AlignedOption(option, name, right=name == left.values.get("goes_with"))
            for option, name in zip(slot.options, names, strict=True)
            if name
        )
        _require(bool(options))
        aligned.append(AlignedSlot(slot, "matching", left.name, options))
    return aligned


def _align_gaps(question: ParsedQuestion, rules: SourceRules) -> list[AlignedSlot]:
    gaps = question.tables.get("gaps", ())
    _require(len(gaps) == len(rules.slots))
    aligned = []
    for slot, gap in zip(rules.slots, gaps, strict=True):
        tables = {
            name: [
                row for row in question.tables.get(name, ()) if row.values.get("gap") == gap.name
            ]
            for name in ("options", "accepted", "numbers")
        }
        if slot.options:
            aligned.append(_align_options(question, slot, tables["options"], gap.name))
            continue
        kind = str(gap.values.get("kind"))
        rows = tables["numbers" if kind == "numeric" else "accepted"]
        aligned.append(AlignedSlot(slot, kind, gap.name, typed=tuple(rows)))
    return aligned


def read_row_text(row: ParsedRow) -> str:
    """Return what a row says, in the first of its languages."""
    texts = (words for text, words in row.texts.items() if not text.is_feedback)
    return next((text for words in texts for text in words.values()), "")


def _require(is_same: bool) -> None:
    if not is_same:
        raise NotComparable("options_differ")
