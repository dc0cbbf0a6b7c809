"""What keeps a list of accepted answers from being published, each problem at its row."""

from collections.abc import Iterator

from grading.contract import Problem
from grading.json_types import Content, Json, Key
from grading.lower_bound import read_lower_bound
from grading.short_text.automaton import MAX_STATES, compile_pattern
from grading.short_text.folding import STAR, Folding
from grading.short_text.parsing import MAXIMUM, parse_text
from grading.short_text.pattern import PatternError
from grading.short_text.row_matching import find_match
from grading.short_text.scoring import find_correct_answer
from grading.short_text.structure import AcceptedText, Rows, parse_folding, parse_rows
from grading.short_text.wildcard import encode_stars, fold_key

WHERE = "accepted"
"""The table, and where a problem of all its rows is."""

MAX_ROWS = 100
"""The most accepted answers of one question or gap."""


def validate(content: Content, key: Key) -> tuple[Problem, ...]:
    """Return all problems of accepted answers and of how they are compared."""
    folding, folding_problems = parse_folding(content)
    bound_problems: list[Problem] = []
    read_lower_bound(content, bound_problems)
    return (*folding_problems, *bound_problems, *_check_rows(key.get(WHERE, []), folding))


def _check_rows(listed: Json, folding: Folding) -> tuple[Problem, ...]:
    rows, row_problems = parse_rows(listed)
    if len(rows) > MAX_ROWS:
        return (Problem(WHERE, "too_many_accepted", {"maximum": MAX_ROWS, "found": len(rows)}),)
    text_problems = tuple(problem for row in rows for problem in _of_text(row, folding))
    if row_problems or text_problems:
        return (*row_problems, *text_problems)
    return (*_of_states(rows, folding), *_of_reach(rows, folding))


def _of_text(row: AcceptedText, folding: Folding) -> Iterator[Problem]:
    where = f"accepted.{row.id}"
    if STAR in row.text or not isinstance(parse_text(row.text), str | None):
        long = len(row.text) > MAXIMUM
        yield Problem(where, "text_too_long" if long else "text_unreadable", {})
    elif row.pattern:
        try:
            compile_pattern(row.text, folding)
        except PatternError as refused:
            yield Problem(where, refused.code, {"at": refused.at + 1})
        if not row.text:
            yield Problem(where, "text_missing", {})
    elif not row.text.strip():
        yield Problem(where, "text_missing", {})
    elif not fold_key(row.text, folding):
        yield Problem(where, "empty_after_folding", {})


def _of_states(rows: Rows, folding: Folding) -> Iterator[Problem]:
    """Check that all patterns together are not too large for one answer."""
    states = sum(compile_pattern(row.text, folding).states for row in rows if row.pattern)
    if states > 2 * MAX_STATES:
        yield Problem(WHERE, "patterns_too_large", {})


def _of_reach(rows: Rows, folding: Folding) -> Iterator[Problem]:
    for place, row in enumerate(rows):
        earlier = _earlier(rows[:place], row, folding)
        if earlier is not None:
            yield Problem(f"accepted.{row.id}", "never_reached", {"by": earlier.text})
    if not rows:
        yield Problem(WHERE, "nothing_accepted", {})
    elif find_correct_answer(rows, folding) is None:
        yield Problem(WHERE, "no_plain_full_credit", {})


def _earlier(before: Rows, row: AcceptedText, folding: Folding) -> AcceptedText | None:
    """Find an earlier answer that takes all that this one would."""
    if row.pattern:
        return next(
            (earlier for earlier in before if earlier.pattern and earlier.text == row.text), None
        )
    key = fold_key(row.text, folding)
    if STAR in key:
        same = (
            earlier
            for earlier in before
            if not earlier.pattern and fold_key(earlier.text, folding) == key
        )
        return next(same, None)
    return find_match(before, folding, encode_stars(row.text, folding))
