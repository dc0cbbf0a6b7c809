"""The rubric of a key, read from JSON together with what is wrong with it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from grading.contract import UNANSWERED, Problem
from grading.json_types import Json, Key
from grading.parsing import RowReader, require_valid

SHARE = "share"
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
    return require_valid(parse_key(key))


def parse_key(key: Key) -> tuple[Rubric, tuple[Problem, ...]]:
    """Read what can be read, and name what cannot; never raises."""
    problems: list[Problem] = []
    rows = RowReader(problems, RULE_PARTS, skip_repeated=True)
    levels: dict[str, list[Level]] = {
        id_: [] for id_, _ in rows.read(key.get("criteria", []), "criteria")
    }
    for id_, row in rows.read(key.get("levels", []), "levels"):
        _level(id_, row, levels, problems)
    criteria = tuple(Criterion(id_, tuple(its_levels)) for id_, its_levels in levels.items())
    problems.extend(problem for criterion in criteria for problem in _check_levels(criterion))
    return Rubric(criteria, _read_graders(key, problems)), tuple(problems)


def _level(
    id_: str, row: Mapping[str, Json], levels: dict[str, list[Level]], problems: list[Problem]
) -> None:
    criterion, points = row.get("criterion"), row.get("points")
    if not isinstance(criterion, str) or criterion not in levels:
        problems.append(Problem(f"levels.{id_}", "level_without_criterion", {}))
    elif type(points) is not int or not 0 <= points <= MAX_POINTS:
        problems.append(Problem(f"levels.{id_}", "points_out_of_range", {"maximum": MAX_POINTS}))
    else:
        levels[criterion].append(Level(id_, points))


def _check_levels(criterion: Criterion) -> Iterator[Problem]:
    where, count = f"criteria.{criterion.id}", len(criterion.levels)
    if count < MIN_LEVELS:
        yield Problem(where, "too_few_levels", {"minimum": MIN_LEVELS, "found": count})
    elif not criterion.best:
        yield Problem(where, "criterion_earns_nothing", {})


def _read_graders(key: Key, problems: list[Problem]) -> int:
    graders = key.get("graders", 1)
    if type(graders) is int and graders in GRADERS:
        return graders
    problems.append(Problem("graders", "graders_out_of_range", {"maximum": GRADERS[-1]}))
    return 1
