"""The content and key of a question of pairs, read from JSON together with what is wrong."""

from collections.abc import Mapping
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
MAX_POINTS = 1000
"""What one pair may count beside the others, at most."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The ids of both sides in the author's order; `shuffle`: of the rights.

    `points`: what the pair of each left counts beside the others. `lower_bound` is the least that
    an answer may earn.
    """

    lefts: tuple[str, ...]
    rights: tuple[str, ...]
    shuffle: bool
    points: tuple[int, ...]
    lower_bound: Fraction = ZERO

    @property
    def shares(self) -> dict[str, Fraction]:
        """Return the part of all points that the pair of each left counts."""
        total = sum(self.points)
        return {left: Fraction(n, total) for left, n in zip(self.lefts, self.points, strict=True)}


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
    listed_lefts, listed_rights = (
        list(rows.read(content.get(side), side)) for side in (LEFTS, RIGHTS)
    )
    lefts, rights = (tuple(id_ for id_, _ in side) for side in (listed_lefts, listed_rights))
    points = tuple(_read_points(id_, fields, problems) for id_, fields in listed_lefts)
    shuffle = read_flag(content, "shuffle", "shuffle", problems, default=True)
    lower_bound = read_lower_bound(content, problems)
    return Sides(lefts, rights, shuffle, points, lower_bound), tuple(problems)


def _read_points(id_: str, fields: Mapping[str, Json], problems: list[Problem]) -> int:
    points = fields.get("points", 1)
    if type(points) is int and 1 <= points <= MAX_POINTS:
        return points
    detail = {"maximum": MAX_POINTS}
    problems.append(Problem(f"{LEFTS}.{id_}", "pair_points_out_of_range", detail))
    return 1


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
