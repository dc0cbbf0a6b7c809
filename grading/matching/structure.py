"""The content and key of a question of pairs, read from JSON together with what is wrong."""

from collections.abc import Iterator
from dataclasses import dataclass

from grading.contract import Problem
from grading.json_types import Content, Json, Key

LEFTS = "lefts"
RIGHTS = "rights"
PAIRS = "pairs"
RULE_PARTS = ("all_or_nothing", "floor")
"""Names of the ledger's lines for rules; what no part may be called."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The ids of both sides in the author's order; `shuffle`: of the rights."""

    lefts: tuple[str, ...]
    rights: tuple[str, ...]
    shuffle: bool


def load_content(content: Content) -> Sides:
    """Read content that has passed its check; else ValueError."""
    question, problems = parse_content(content)
    if problems:
        raise ValueError(f"unchecked content: {problems[0].code} at {problems[0].where}")
    return question


def load_pairs(key: Key) -> dict[str, str]:
    """Read a key that has passed its check, the right of each left; else ValueError."""
    pairs = parse_key(key)
    if pairs is None:
        raise ValueError("unchecked key: the pairs are no object of ids")
    return pairs


def parse_content(content: Content) -> tuple[Sides, tuple[Problem, ...]]:
    """Read what can be read, and name what cannot; ids are unique over both sides."""
    problems: list[Problem] = []
    seen_ids: set[str] = set()
    lefts = tuple(_ids(content, LEFTS, seen_ids, problems))
    rights = tuple(_ids(content, RIGHTS, seen_ids, problems))
    shuffle = content.get("shuffle", True)
    if not isinstance(shuffle, bool):
        problems.append(Problem("shuffle", "not_true_or_false", {"field": "shuffle"}))
    return Sides(lefts, rights, shuffle is not False), tuple(problems)


def parse_key(key: Key) -> dict[str, str] | None:
    """Read the pairs; None where they are no object of ids."""
    pairs = key.get(PAIRS, {})
    return parse_pairs(pairs)


def parse_pairs(stored: Json) -> dict[str, str] | None:
    """Read left → right, both ids; None for anything else."""
    if not isinstance(stored, dict):
        return None
    pairs = {left: right for left, right in stored.items() if isinstance(right, str)}
    return pairs if len(pairs) == len(stored) else None


def _ids(content: Content, side: str, seen_ids: set[str], problems: list[Problem]) -> Iterator[str]:
    listed = content.get(side)
    if not isinstance(listed, list):
        problems.append(Problem(side, "side_is_no_list", {}))
        return
    for position, entry in enumerate(listed):
        id_ = entry.get("id") if isinstance(entry, dict) else None
        if not isinstance(id_, str) or not id_:
            problems.append(Problem(side, "row_without_id", {"position": position}))
            continue
        if id_ in seen_ids:
            problems.append(Problem(f"{side}.{id_}", "duplicate_id", {}))
        if id_ in RULE_PARTS:
            problems.append(Problem(f"{side}.{id_}", "reserved_id", {}))
        seen_ids.add(id_)
        yield id_
