"""What keeps a question of pairs from being published, each problem at its field."""

from collections.abc import Iterator

from grading.contract import Problem, check_scoring_method
from grading.json_types import Content, Key
from grading.matching.structure import LEFTS, RIGHTS, Sides, parse_content, parse_key

MINIMUM = 2


def validate(
    content: Content, key: Key, method: str, *, methods: tuple[str, ...]
) -> tuple[Problem, ...]:
    """Return all problems."""
    sides, content_problems = parse_content(content)
    return (
        *content_problems,
        *_counts(sides),
        *_pairs(sides, key),
        *check_scoring_method(method, methods),
    )


def _counts(sides: Sides) -> Iterator[Problem]:
    for side, ids in ((LEFTS, sides.lefts), (RIGHTS, sides.rights)):
        if len(ids) < MINIMUM:
            detail = {"minimum": MINIMUM, "found": len(ids)}
            yield Problem(side, f"too_few_{side}", detail)


def _pairs(sides: Sides, key: Key) -> Iterator[Problem]:
    pairs = parse_key(key)
    if pairs is None:
        yield Problem("key", "pairs_are_no_pairs", {})
        return
    for left in sorted(pairs.keys() - set(sides.lefts)):
        yield Problem("key", "unknown_left", {"left": left})
    for left in sides.lefts:
        if left not in pairs:
            yield Problem(f"{LEFTS}.{left}", "goes_with_nothing", {})
        elif pairs[left] not in sides.rights:
            yield Problem(f"{LEFTS}.{left}", "goes_with_unknown", {})
