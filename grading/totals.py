"""From marks to totals, pass decisions and quiz grades; the one place that rounds, for display."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from grading.json_types import Content, Key, ratio_from_json
from grading.schema import FieldType, QuestionSchema

ATTEMPT_GRADE_POLICIES = ("highest", "latest", "first", "average")
"""How several attempts at one quiz become one quiz grade."""


def add_points(items: Iterable[tuple[Fraction, Fraction | int]]) -> Fraction:
    """Return the total of pairs of (credit, points of the item), exactly; never below zero.

    Items may cost points, of those that others earned and no more.
    """
    return max(Fraction(), add_products(items))


def add_products(items: Iterable[tuple[Fraction, Fraction | int]]) -> Fraction:
    """Return the sum of the products of pairs, exactly.

    Numerators are added by denominator, and reduced once: few denominators occur in an attempt,
    and a sum of fractions one by one takes several times as long.
    """
    numerators: dict[int, int] = {}
    for factor, other in items:
        denominator = factor.denominator * other.denominator
        product = factor.numerator * other.numerator
        numerators[denominator] = numerators.get(denominator, 0) + product
    common = lcm(*numerators)
    numerator = sum(part * (common // denominator) for denominator, part in numerators.items())
    return Fraction(numerator, common)


def compute_share(total: Fraction | int, maximum: Fraction | int) -> Fraction:
    """Return the part of the maximum that was reached; 0 where there was nothing to reach."""
    return Fraction(total) / maximum if maximum else Fraction()


def is_passed(total: Fraction | int, maximum: Fraction | int, threshold: Fraction) -> bool:
    """Decide on the unrounded total; where there was nothing to reach, nobody passes."""
    return maximum > 0 and total >= threshold * maximum


def format_decimal(value: Fraction | int, places: int = 6) -> str:
    """Write a number with at most so many decimals, cut off towards zero, never rounded up.

    Trailing zeros go, the separator is a point: `1/2` is "0.5", `2/3` is "0.666666", `8` is "8".
    """
    scaled = int(abs(Fraction(value)) * 10**places)
    integer, rest = divmod(scaled, 10**places)
    decimals = f"{rest:0{places}d}".rstrip("0") if rest else ""
    sign = "-" if value < 0 and scaled else ""
    return f"{sign}{integer}.{decimals}" if decimals else f"{sign}{integer}"


def format_percent(total: Fraction | int, maximum: Fraction | int, threshold: Fraction) -> str:
    """Write what was reached in per cent, without the sign, with at most two decimals.

    Cut off, so that no failed attempt looks like the pass mark; where the pass mark itself has more
    than two decimals, a failed attempt is shown below the pass mark *as shown*.
    """
    hundredths = int(compute_share(total, maximum) * 10_000)
    if not is_passed(total, maximum, threshold):
        hundredths = min(hundredths, max(0, int(threshold * 10_000) - 1))
    return format_decimal(Fraction(hundredths, 100), 2)


def denominator_lcm(schema: QuestionSchema, content: Content, key: Key) -> int:
    """Return the least common denominator of all parts that the author of a question wrote.

    What an answer earns is made of these and of counts of rows, which are small; so it says how
    many digits an exact total may come to need. Content and key have passed their checks.
    """
    question = schema.load(content, key)
    ratios = [
        question.fields[field.name] for field in schema.fields if field.type == FieldType.RATIO
    ]
    for table in schema.tables:
        names = [field.name for field in table.fields if field.type == FieldType.RATIO]
        ratios += [row.values[name] for row in question.tables[table.name] for name in names]
    return lcm(*(ratio_from_json(ratio).denominator for ratio in ratios if ratio is not None))


@dataclass(frozen=True, slots=True)
class AttemptOutcome:
    """What one graded attempt came to; `number` counts a learner's attempts at a quiz from 1."""

    number: int
    total: Fraction
    maximum: Fraction
    threshold: Fraction

    @property
    def share(self) -> Fraction:
        """The part of the maximum that was reached."""
        return compute_share(self.total, self.maximum)

    @property
    def passed(self) -> bool:
        """Whether this attempt, taken alone, passes."""
        return is_passed(self.total, self.maximum, self.threshold)


@dataclass(frozen=True, slots=True)
class QuizOutcome:
    """What a learner's attempts at a quiz come to together; `numbers` are those that count."""

    total: Fraction
    maximum: Fraction
    passed: bool
    numbers: tuple[int, ...]


def compute_quiz_outcome(policy: str, outcomes: Sequence[AttemptOutcome]) -> QuizOutcome | None:
    """Apply a policy to graded attempts in any order; None while there are none.

    Attempts may differ in maximum, so the highest is the one with the greatest share; among equal
    shares one that passes, then the earliest; it is a pass if any attempt is, for a later version
    may ask for more. An average is the mean share of the latest attempt's maximum, compared with
    its pass mark. An unknown policy: ValueError.
    """
    if policy not in ATTEMPT_GRADE_POLICIES:
        raise ValueError(f"no such policy: {policy}")
    if not outcomes:
        return None
    if policy == "average":
        return _average(outcomes)
    counted = {"highest": _highest, "latest": _latest, "first": _first}[policy](outcomes)
    passed = counted.passed
    if policy == "highest":
        passed = any(outcome.passed for outcome in outcomes)
    return QuizOutcome(counted.total, counted.maximum, passed, (counted.number,))


def _highest(outcomes: Sequence[AttemptOutcome]) -> AttemptOutcome:
    return max(outcomes, key=lambda outcome: (outcome.share, outcome.passed, -outcome.number))


def _latest(outcomes: Sequence[AttemptOutcome]) -> AttemptOutcome:
    return max(outcomes, key=lambda outcome: outcome.number)


def _first(outcomes: Sequence[AttemptOutcome]) -> AttemptOutcome:
    return min(outcomes, key=lambda outcome: outcome.number)


def _average(outcomes: Sequence[AttemptOutcome]) -> QuizOutcome:
    latest = _latest(outcomes)
    mean = sum((outcome.share for outcome in outcomes), Fraction()) / len(outcomes)
    reached = mean * latest.maximum
    decision = is_passed(reached, latest.maximum, latest.threshold)
    numbers = tuple(sorted(outcome.number for outcome in outcomes))
    return QuizOutcome(reached, latest.maximum, decision, numbers)
