"""The rubric of a key, read from JSON together with what is wrong with it."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from grading.contract import Problem
from grading.json_types import Json, Key

SHARE = "share"
UNANSWERED = "unanswered"
RULE_PARTS = frozenset({SHARE, UNANSWERED})
"""Names of the ledger's lines for rules: what no row may be called."""

MIN_LEVELS = 2
MAX_POINTS = 10_000
GRADERS = (1, 2)


@dataclass(frozen=True, slots=True)
class Level:
    """One step of a criterion, and the points it is worth within the rubric."""

    id: str
    points: int


@dataclass(frozen=True, slots=True)
class Criterion:
    """What an answer is looked at for, with its levels in the author's order."""

    id: str
    levels: tuple[Level, ...]

    @property
    def best(self) -> int:
        """The points of its best level."""
        return max((level.points for level in self.levels), default=0)


@dataclass(frozen=True, slots=True)
class Rubric:
    """How persons mark: by these criteria, or by a share at will where there are none.

    `graders`: how many must have marked an answer, each without knowing of the other.
    """

    criteria: tuple[Criterion, ...]
    graders: int = 1

    @property
    def maximum(self) -> Fraction:
        """The sum of the best levels, in points of the rubric."""
        return Fraction(sum(criterion.best for criterion in self.criteria))


def load_rubric(key: Key) -> Rubric:
    """Read the rubric of a key that has passed its check; else ValueError."""
    key_rubric, problems = parse_key(key)
    if problems:
        raise ValueError(f"unchecked key: {problems[0].code} at {problems[0].where}")
    return key_rubric


def parse_key(key: Key) -> tuple[Rubric, tuple[Problem, ...]]:
    """Read what can be read, and name what cannot; never raises."""
    problems: list[Problem] = []
    seen_ids: set[str] = set()
    criterion_ids = [id_ for id_, _ in _rows(key, "criteria", seen_ids, problems)]
    levels: dict[str, list[Level]] = {id_: [] for id_ in criterion_ids}
    for id_, row in _rows(key, "levels", seen_ids, problems):
        _level(id_, row, levels, problems)
    criteria = tuple(Criterion(id_, tuple(of)) for id_, of in levels.items())
    problems.extend(problem for criterion in criteria for problem in _weighed(criterion))
    return Rubric(criteria, _markers(key, problems)), tuple(problems)


def _rows(
    key: Key, table: str, seen_ids: set[str], problems: list[Problem]
) -> Iterator[tuple[str, dict[str, Json]]]:
    listed = key.get(table, [])
    if not isinstance(listed, list):
        problems.append(Problem(table, "rows_are_no_list", {}))
        return
    for position, entry in enumerate(listed):
        row = entry if isinstance(entry, dict) else {}
        id_ = row.get("id")
        if not isinstance(id_, str) or not id_:
            problems.append(Problem(table, "row_without_id", {"position": position}))
        elif id_ in seen_ids:
            problems.append(Problem(f"{table}.{id_}", "duplicate_id", {}))
        elif id_ in RULE_PARTS:
            problems.append(Problem(f"{table}.{id_}", "reserved_id", {}))
        else:
            seen_ids.add(id_)
            yield id_, row


def _level(
    id_: str, row: dict[str, Json], levels: dict[str, list[Level]], problems: list[Problem]
) -> None:
    criterion, points = row.get("criterion"), row.get("points")
    if not isinstance(criterion, str) or criterion not in levels:
        problems.append(Problem(f"levels.{id_}", "level_without_criterion", {}))
    elif type(points) is not int or not 0 <= points <= MAX_POINTS:
        problems.append(Problem(f"levels.{id_}", "points_out_of_range", {"maximum": MAX_POINTS}))
    else:
        levels[criterion].append(Level(id_, points))


def _weighed(criterion: Criterion) -> Iterator[Problem]:
    where, count = f"criteria.{criterion.id}", len(criterion.levels)
    if count < MIN_LEVELS:
        yield Problem(where, "too_few_levels", {"minimum": MIN_LEVELS, "found": count})
    elif not criterion.best:
        yield Problem(where, "criterion_earns_nothing", {})


def _markers(key: Key, problems: list[Problem]) -> int:
    graders = key.get("graders", 1)
    if type(graders) is int and graders in GRADERS:
        return graders
    problems.append(Problem("graders", "graders_out_of_range", {"maximum": GRADERS[-1]}))
    return 1
