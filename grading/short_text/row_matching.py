"""Which accepted answer a text is: each of them prepared once for all answers that are compared."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from grading.short_text.automaton import compile_pattern
from grading.short_text.distance import is_typo
from grading.short_text.folding import (
    COLLAPSED,
    COUNTED,
    IGNORED,
    STAR,
    Folding,
    fold,
    fold_letters,
    fold_text,
)
from grading.short_text.structure import AcceptedText, Rows
from grading.short_text.wildcard import encode_stars, fold_key, list_variants, matches_wildcard


@dataclass(frozen=True, slots=True)
class FoldedAnswer:
    """An answer as each form of accepted answer compares it.

    `text` with plain keys; `words` with keys that have wildcards; `forms` with patterns, which may
    ask for what does not count: blanks, and punctuation at the ends.
    """

    text: str
    words: str
    forms: tuple[str, ...]


Test = Callable[[FoldedAnswer], bool]


def find_match(
    rows: Rows, folding: Folding, text: str, number: Fraction | None = None
) -> AcceptedText | None:
    """Return the first accepted answer that the text is; None where it is none of them.

    `number` is what the text was understood as, where it is compared by value.
    """
    answer = fold_answer(text, folding, number)
    for row, test in zip(rows, _tests(rows, folding), strict=True):
        if test(answer):
            return row
    return None


@lru_cache(maxsize=4096)
def fold_answer(text: str, folding: Folding, number: Fraction | None = None) -> FoldedAnswer:
    """Return an answer folded for all that it may be compared with."""
    words, letters = fold_text(text, folding), fold_letters(text, folding)
    forms = dict.fromkeys((letters, words))
    if not folding.has_counted_ends:
        forms[letters.strip()] = None
    if folding.spaces != COUNTED:
        forms[" ".join(letters.split())] = None
    plain = fold(text, folding) if number is None else str(number)
    return FoldedAnswer(plain, words, tuple(forms))


def is_spelled_out(row: AcceptedText, folding: Folding) -> bool:
    """Return whether an accepted answer takes its own words alone: no star, no pattern."""
    return not row.pattern and STAR not in encode_stars(row.text, folding)


def is_near_miss(rows: Rows, folding: Folding, text: str, number: Fraction | None = None) -> bool:
    """Return whether a text that matches nothing was almost right.

    It differs from an answer that earns something by slips of the keyboard, in its punctuation, or
    only in what the author said counts.
    """
    worthy = tuple(row for row in rows if row.credit > 0)
    loosest = loosen(folding)
    if folding != loosest and find_match(worthy, loosest, text, number):
        return True
    folded, bare = fold_text(text, folding), _remove_signs(fold_text(text, loosest))
    if bare and bare in (_remove_signs(meant) for meant in _words(worthy, loosest)):
        return True
    return any(is_typo(folded, meant) for meant in _words(worthy, folding))


def loosen(folding: Folding) -> Folding:
    """Return the loosest comparison of the same sort."""
    return replace(
        folding,
        case=False,
        accents=False,
        spaces=IGNORED,
        punctuation=False,
        typography=False,
        as_typed=False,
    )


def _remove_signs(text: str) -> str:
    return "".join(filter(str.isalnum, text))


@lru_cache(maxsize=512)
def _tests(rows: Rows, folding: Folding) -> tuple[Test, ...]:
    return tuple(_test(row, folding) for row in rows)


def _test(row: AcceptedText, folding: Folding) -> Test:
    if row.pattern:
        automaton = compile_pattern(row.text, folding)
        return lambda answer: any(automaton.matches(form) for form in answer.forms)
    key = fold_key(row.text, folding)
    if STAR not in key:
        return lambda answer: answer.text == key
    variants, is_collapsed = list_variants(key, folding), folding.spaces == COLLAPSED
    return lambda answer: any(
        matches_wildcard(variant, answer.words, is_collapsed=is_collapsed) for variant in variants
    )


@lru_cache(maxsize=512)
def _words(rows: Rows, folding: Folding) -> tuple[str, ...]:
    return tuple(_plain(rows, folding))


def _plain(rows: Rows, folding: Folding) -> Iterator[str]:
    for row in rows:
        key = fold_key(row.text, folding)
        if not row.pattern and STAR not in key:
            yield key
