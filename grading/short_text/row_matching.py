"""Which accepted answer a text is: each of them prepared once for all answers that are compared."""

from collections.abc import Callable, Iterator
from functools import lru_cache

from grading.short_text.automaton import compile_pattern
from grading.short_text.distance import is_typo
from grading.short_text.folding import LOOSEST, STAR, Folding, fold, fold_letters
from grading.short_text.structure import AcceptedText, Rows
from grading.short_text.wildcard import encode_stars, matches_wildcard

Test = Callable[[str], bool]


def find_match(rows: Rows, folding: Folding, text: str) -> AcceptedText | None:
    """Return the first accepted answer that the text is; None where it is none of them."""
    words, letters = fold(text, folding), " ".join(fold_letters(text, folding).split())
    for row, test in zip(rows, _tests(rows, folding), strict=True):
        if test(letters if row.pattern else words):
            return row
    return None


def is_near_miss(rows: Rows, folding: Folding, text: str) -> bool:
    """Return whether a text that matches nothing was almost right.

    It differs from an answer that earns something by slips of the keyboard, or only in what the
    author said counts.
    """
    worthy = tuple(row for row in rows if row.credit > 0)
    if folding != LOOSEST and find_match(worthy, LOOSEST, text):
        return True
    folded = fold(text, folding)
    return any(is_typo(folded, meant) for meant in _words(worthy, folding))


def comparison_key(row: AcceptedText, folding: Folding) -> str:
    """Return an accepted answer folded, with `STAR` for its wildcards."""
    return fold(encode_stars(row.text), folding)


@lru_cache(maxsize=512)
def _tests(rows: Rows, folding: Folding) -> tuple[Test, ...]:
    return tuple(_test(row, folding) for row in rows)


def _test(row: AcceptedText, folding: Folding) -> Test:
    if row.pattern:
        return compile_pattern(row.text, folding).matches
    key = comparison_key(row, folding)
    return lambda text: matches_wildcard(key, text)


@lru_cache(maxsize=512)
def _words(rows: Rows, folding: Folding) -> tuple[str, ...]:
    return tuple(_plain(rows, folding))


def _plain(rows: Rows, folding: Folding) -> Iterator[str]:
    for row in rows:
        key = comparison_key(row, folding)
        if not row.pattern and STAR not in key:
            yield key
