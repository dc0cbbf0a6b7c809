"""What keeps a question of pairs from being published, each problem at its field."""

from collections.abc import Iterator

from grading.contract import Content, Key, Problem
from grading.pairs.structure import LEFTS, RIGHTS, Sides, read_content, read_key

MINIMUM = 2


def check(
    content: Content, key: Key, scheme: str, *, schemes: tuple[str, ...]
) -> tuple[Problem, ...]:
    """Name all problems."""
    found, of_content = read_content(content)
    return (*of_content, *_counts(found), *_pairs(found, key), *_scheme(scheme, schemes))


def _counts(found: Sides) -> Iterator[Problem]:
    for side, ids in ((LEFTS, found.lefts), (RIGHTS, found.rights)):
        if len(ids) < MINIMUM:
            detail = {"minimum": MINIMUM, "found": len(ids)}
            yield Problem(side, f"too_few_{side}", detail)


def _pairs(found: Sides, key: Key) -> Iterator[Problem]:
    pairs = read_key(key)
    if pairs is None:
        yield Problem("key", "pairs_are_no_pairs", {})
        return
    for left in sorted(pairs.keys() - set(found.lefts)):
        yield Problem("key", "unknown_left", {"left": left})
    for left in found.lefts:
        if left not in pairs:
            yield Problem(f"{LEFTS}.{left}", "goes_with_nothing", {})
        elif pairs[left] not in found.rights:
            yield Problem(f"{LEFTS}.{left}", "goes_with_unknown", {})


def _scheme(scheme: str, schemes: tuple[str, ...]) -> Iterator[Problem]:
    if scheme not in schemes:
        yield Problem("scheme", "unknown_scheme", {"scheme": scheme})
