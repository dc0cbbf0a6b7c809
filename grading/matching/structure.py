"""The content and key of a question of pairs, read from JSON together with what is wrong."""

from dataclasses import dataclass
from fractions import Fraction

from grading.contract import ZERO, Problem
from grading.json_types import Content, Json, Key
from grading.lower_bound import read_lower_bound
from grading.parsing import RowReader, read_flag, require_valid

LEFTS = "lefts"
RIGHTS = "rights"
PAIRS = "pairs"
RULE_PARTS = ("all_or_nothing", "floor")
"""Names of the ledger's lines for rules; what no part may be called."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The ids of both sides in the author's order; `shuffle`: of the rights.

    `lower_bound` is the least that an answer may earn.
    """

    lefts: tuple[str, ...]
    rights: tuple[str, ...]
    shuffle: bool
    lower_bound: Fraction = ZERO


def load_content(content: Content) -> Sides:
    """Read content that has passed its check; else ValueError."""
    return require_valid(parse_content(content))


def load_pairs(key: Key) -> dict[str, str]:
    """Read a key that has passed its check, the right of each left; else ValueError."""
    pairs = parse_key(key)
    if pairs is None:
        raise ValueError("unchecked key: the pairs are no object of ids")
    return pairs


def parse_content(content: Content) -> tuple[Sides, tuple[Problem, ...]]:
    """Read what can be read, and name what cannot; ids are unique over both sides."""
    problems: list[Problem] = []
    rows = RowReader(problems, RULE_PARTS, not_a_list="side_is_no_list")
    lefts, rights = (
        tuple(id_ for id_, _ in rows.read(content.get(side), side)) for side in (LEFTS, RIGHTS)
    )
    shuffle = read_flag(content, "shuffle", "shuffle", problems, default=True)
    return Sides(lefts, rights, shuffle, read_lower_bound(content, problems)), tuple(problems)


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
