"""What keeps a list of accepted answers from being published, each problem at its row."""

from collections.abc import Iterator

from grading.contract import Problem
from grading.json_types import Json, Key
from grading.texts.automaton import MAX_STATES, automaton
from grading.texts.folding import STAR, Folding
from grading.texts.marking import model_text
from grading.texts.matching import first_match, key_of
from grading.texts.pattern import PatternRefused
from grading.texts.reading import MAXIMUM, read_text
from grading.texts.structure import Accepted, Rows, read_folding, read_rows
from grading.texts.wildcard import mark_stars

MOST = 100
"""The most accepted answers of one question or gap."""


def check(listed: Json, key: Key, where: str = "accepted") -> tuple[Problem, ...]:
    """Return all problems of accepted answers and of the key's four fields of folding.

    `where` is what a problem of the list as a whole stands at.
    """
    folding, folding_problems = read_folding(key)
    return (*folding_problems, *check_rows(listed, folding, where))


def check_rows(listed: Json, folding: Folding, where: str = "accepted") -> tuple[Problem, ...]:
    """Return all problems of accepted answers alone."""
    rows, of_rows = read_rows(listed)
    if len(rows) > MOST:
        return (Problem(where, "too_many_accepted", {"maximum": MOST, "found": len(rows)}),)
    of_texts = tuple(problem for row in rows for problem in _of_text(row, folding))
    if of_rows or of_texts:
        return (*of_rows, *of_texts)
    return (*_of_states(rows, folding, where), *_of_reach(rows, folding, where))


def _of_text(row: Accepted, folding: Folding) -> Iterator[Problem]:
    where = f"accepted.{row.id}"
    if STAR in row.text or not isinstance(read_text(row.text), str | None):
        long = len(row.text) > MAXIMUM
        yield Problem(where, "text_too_long" if long else "text_unreadable", {})
    elif row.pattern:
        try:
            automaton(row.text, folding)
        except PatternRefused as refused:
            yield Problem(where, refused.code, {"at": refused.at + 1})
        if not row.text:
            yield Problem(where, "text_missing", {})
    elif not row.text.strip():
        yield Problem(where, "text_missing", {})
    elif not key_of(row, folding):
        yield Problem(where, "empty_after_folding", {})


def _of_states(rows: Rows, folding: Folding, where: str) -> Iterator[Problem]:
    """Check that all patterns together are not too large for one answer."""
    states = sum(automaton(row.text, folding).states for row in rows if row.pattern)
    if states > 2 * MAX_STATES:
        yield Problem(where, "patterns_too_large", {})


def _of_reach(rows: Rows, folding: Folding, where: str) -> Iterator[Problem]:
    for place, row in enumerate(rows):
        earlier = _earlier(rows[:place], row, folding)
        if earlier is not None:
            yield Problem(f"accepted.{row.id}", "never_reached", {"by": earlier.text})
    if not rows:
        yield Problem(where, "nothing_accepted", {})
    elif model_text(rows, folding) is None:
        yield Problem(where, "no_plain_full_credit", {})


def _earlier(before: Rows, row: Accepted, folding: Folding) -> Accepted | None:
    """Find an earlier answer that takes all that this one would."""
    if row.pattern:
        return next(
            (earlier for earlier in before if earlier.pattern and earlier.text == row.text), None
        )
    key = key_of(row, folding)
    if STAR in key:
        same = (
            earlier for earlier in before if not earlier.pattern and key_of(earlier, folding) == key
        )
        return next(same, None)
    return first_match(before, folding, mark_stars(row.text))
