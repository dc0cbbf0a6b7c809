"""What grades at quizzes come to in a course: exact, recomputed each time, never stored. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

ALL, BEST, WITHOUT_LOWEST = "all", "best", "without_lowest"
EXCLUDED, ZERO = "excluded", "zero"
HUNDRED: Final = Fraction(100)


@dataclass(frozen=True, slots=True)
class CategoryRule:
    """A part of a total: its weight, its quizzes by primary key, and how many of them count."""

    name: str
    weight: Fraction
    quizzes: tuple[int, ...]
    counted: str = ALL
    number: int = 0


@dataclass(frozen=True, slots=True)
class GradeRule:
    """How a total is made. `threshold`: the share from which it is a pass."""

    categories: tuple[CategoryRule, ...]
    missing: str
    threshold: Fraction
    is_published: bool = False

    @property
    def quizzes(self) -> frozenset[int]:
        """All quizzes that count."""
        return frozenset(quiz for category in self.categories for quiz in category.quizzes)


def compute_category_share(
    category: CategoryRule, shares: Mapping[int, Fraction], missing: str
) -> Fraction | None:
    """Return the mean of those shares that count; None where none does.

    `shares` are by quiz. Each quiz counts the same, whatever its points.
    """
    counted = [shares[quiz] for quiz in category.quizzes if quiz in shares]
    if missing == ZERO:
        counted += [Fraction()] * (len(category.quizzes) - len(counted))
    counted.sort(reverse=True)
    counted = counted[: _count_quizzes(category, len(counted))]
    return sum(counted, Fraction()) / len(counted) if counted else None


def _count_quizzes(category: CategoryRule, available: int) -> int:
    """Return how many of so many count: of some, at least the best one."""
    if category.counted == BEST:
        return min(category.number, available)
    if category.counted == WITHOUT_LOWEST:
        return max(available - category.number, min(available, 1))
    return available


def compute_total_share(
    rule: GradeRule, shares: Mapping[int, Fraction]
) -> tuple[Fraction | None, Sequence[Fraction | None]]:
    """Return the share that the categories come to by their weights, and that of each category.

    Weights count as parts of the sum of those categories that have a share; None where none has.
    """
    by_category = [
        compute_category_share(category, shares, rule.missing) for category in rule.categories
    ]
    weighted = [
        (category.weight, share)
        for category, share in zip(rule.categories, by_category, strict=True)
        if share is not None
    ]
    weights = sum((weight for weight, _ in weighted), Fraction())
    if not weights:
        return None, by_category
    return sum((weight * share for weight, share in weighted), Fraction()) / weights, by_category
