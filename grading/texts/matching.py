"""Which accepted answer a text is: each of them prepared once for all answers that are compared."""

from collections.abc import Callable, Iterator
from functools import lru_cache

from grading.texts.automaton import automaton
from grading.texts.distance import is_slip
from grading.texts.folding import LOOSEST, STAR, Folding, fold, fold_letters
from grading.texts.structure import Accepted, Rows
from grading.texts.wildcard import mark_stars, matches

Test = Callable[[str], bool]


def first_match(rows: Rows, folding: Folding, text: str) -> Accepted | None:
    """Return the first accepted answer that the text is; None where it is none of them."""
    words, letters = fold(text, folding), " ".join(fold_letters(text, folding).split())
    for row, test in zip(rows, _tests(rows, folding), strict=True):
        if test(letters if row.pattern else words):
            return row
    return None


def is_near(rows: Rows, folding: Folding, text: str) -> bool:
    """Return whether a text that matches nothing was almost right.

    It differs from an answer that earns something by slips of the keyboard, or only in what the
    author said counts.
    """
    worthy = tuple(row for row in rows if row.credit > 0)
    if folding != LOOSEST and first_match(worthy, LOOSEST, text):
        return True
    folded = fold(text, folding)
    return any(is_slip(folded, meant) for meant in _words(worthy, folding))


def key_of(row: Accepted, folding: Folding) -> str:
    """Return an accepted answer folded, with `STAR` for its wildcards."""
    return fold(mark_stars(row.text), folding)


@lru_cache(maxsize=512)
def _tests(rows: Rows, folding: Folding) -> tuple[Test, ...]:
    return tuple(_test(row, folding) for row in rows)


def _test(row: Accepted, folding: Folding) -> Test:
    if row.pattern:
        return automaton(row.text, folding).matches
    key = key_of(row, folding)
    return lambda text: matches(key, text)


@lru_cache(maxsize=512)
def _words(rows: Rows, folding: Folding) -> tuple[str, ...]:
    return tuple(_plain(rows, folding))


def _plain(rows: Rows, folding: Folding) -> Iterator[str]:
    for row in rows:
        key = key_of(row, folding)
        if not row.pattern and STAR not in key:
            yield key
