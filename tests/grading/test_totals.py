"""Totals, pass decisions, what is displayed, and quiz grades: exact to the last digit."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from operator import itemgetter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.json_types import ratio_from_json
from grading.schema import Field, FieldType, QuestionSchema, Table
from grading.totals import (
    ATTEMPT_GRADE_POLICIES,
    AttemptOutcome,
    QuizOutcome,
    add_points,
    add_products,
    compute_quiz_outcome,
    compute_share,
    denominator_lcm,
    format_decimal,
    format_percent,
    is_passed,
)
from tests.grading.examples import TABLES, load, vectors
from tests.grading.strategies import FRACTIONS

EIGHTY = Fraction(4, 5)


@dataclass(frozen=True)
class Decision:
    name: str
    items: list[tuple[Fraction, Fraction]]
    threshold: Fraction
    total: Fraction
    maximum: int
    passed: bool


def own_table():
    """Spell out "13*1 20*2/3": thirteen whole credits and twenty of two thirds."""
    for case in load(TABLES / "pass_decisions.json")["cases"]:
        runs = [run.split("*") for run in case["credits"].split()]
        items = [
            (Fraction(credit), Fraction(case["points"]))
            for times, credit in runs
            for _ in range(int(times))
        ]
        threshold, total = Fraction(case["threshold"]), Fraction(case["total"])
        yield Decision(case["name"], items, threshold, total, case["maximum"], case["passed"])


def shared_table():
    for case in vectors("pass_decision.json"):
        earned = [ratio_from_json(pair) for pair in case["items"]]
        points = map(Fraction, case.get("points", [1] * len(earned)))
        items = list(zip(earned, points, strict=True))
        threshold, total = ratio_from_json(case["threshold"]), ratio_from_json(case["total"])
        yield Decision(case["name"], items, threshold, total, case["maximum"], case["passed"])


OWN = list(own_table())
SHARED = list(shared_table())


@pytest.mark.parametrize("case", OWN + SHARED, ids=lambda case: case.name)
def test_a_pass_is_decided_as_the_tables_say(case):
    reached = add_points(case.items)
    assert reached == case.total
    assert add_points((Fraction(1), points) for _, points in case.items) == case.maximum
    assert is_passed(reached, case.maximum, case.threshold) is case.passed


@pytest.mark.parametrize(
    "case", load(TABLES / "pass_decisions.json")["cases"], ids=itemgetter("name")
)
def test_a_decision_is_shown_as_our_table_says(case):
    percentage = format_percent(
        Fraction(case["total"]), case["maximum"], Fraction(case["threshold"])
    )
    assert percentage == case["percent"]


def test_our_table_holds_every_decision_of_the_shared_one():
    def facts(case):
        return sorted(case.items), case.threshold, case.total, case.maximum, case.passed

    ours = [facts(case) for case in OWN]
    assert all(facts(case) in ours for case in SHARED)


def test_nothing_adds_up_to_an_exact_nothing():
    assert add_points([]) == 0
    assert type(add_points([])) is Fraction


@given(pairs=st.lists(st.tuples(FRACTIONS, FRACTIONS | st.integers(-9, 9))))
def test_a_sum_of_products_is_exact(pairs):
    total = add_products(pairs)
    assert total == sum((factor * other for factor, other in pairs), Fraction())
    assert type(total) is Fraction


@given(st.lists(st.tuples(FRACTIONS, st.integers(1, 9))), st.randoms(use_true_random=False))
def test_the_order_of_items_never_changes_a_total(pairs, chance):
    mixed = list(pairs)
    chance.shuffle(mixed)
    assert add_points(mixed) == add_points(pairs)


@pytest.mark.parametrize("maximum", range(1, 24))
@pytest.mark.parametrize("threshold", [EIGHTY, Fraction(2, 3), Fraction(7, 10), Fraction(1)])
def test_reaching_the_pass_mark_exactly_passes_and_a_hair_less_fails(maximum, threshold):
    line = threshold * maximum
    assert is_passed(line, maximum, threshold)
    assert not is_passed(line - Fraction(1, 10**12), maximum, threshold)


def test_where_there_is_nothing_to_reach_nobody_passes():
    assert not is_passed(0, 0, Fraction(0))
    assert compute_share(0, 0) == 0
    assert format_percent(0, 0, EIGHTY) == "0"


def test_a_share_is_exact():
    assert compute_share(Fraction(79, 3), 33) == Fraction(79, 99)
    assert compute_share(1, 3) == Fraction(1, 3)


@pytest.mark.parametrize(
    ("reached", "maximum", "percentage"),
    [
        (8, 10, "80"),
        (Fraction(7999, 1000), 10, "79.99"),
        (8 - Fraction(1, 10**30), 10, "79.99"),
        (Fraction(79, 3), 33, "79.79"),
        (1, 2, "50"),
        (1, 3, "33.33"),
        (2, 3, "66.66"),
        (1, 8, "12.5"),
        (1, 1000, "0.1"),
        (1, 100_000, "0"),
        (0, 10, "0"),
        (10, 10, "100"),
    ],
)
def test_a_percentage_is_cut_off_after_two_decimals(reached, maximum, percentage):
    assert format_percent(reached, maximum, EIGHTY) == percentage


@given(FRACTIONS, st.fractions(min_value=Fraction(1, 1000), max_value=1), st.integers(1, 50))
def test_a_failed_attempt_never_looks_like_the_pass_mark(credit, threshold, maximum):
    """Neither like the mark itself nor like the mark as the same page would show it."""
    reached = credit * maximum
    percentage = Fraction(format_percent(reached, maximum, threshold))
    line = Fraction(format_percent(threshold, 1, threshold))
    assert (percentage >= line) is is_passed(reached, maximum, threshold)
    assert percentage <= 100 * credit


def test_just_below_a_pass_mark_with_many_decimals_is_shown_below_it():
    two_thirds = Fraction(2, 3)
    assert format_percent(two_thirds, 1, two_thirds) == "66.66"
    assert format_percent(two_thirds - Fraction(1, 10**9), 1, two_thirds) == "66.65"
    assert format_percent(Fraction(12, 10**5), 1, Fraction(15, 10**5)) == "0"
    assert format_percent(Fraction(1, 10**6), 1, Fraction(1, 10**5)) == "0"


@pytest.mark.parametrize(
    ("value", "places", "written"),
    [
        (Fraction(0), 6, "0"),
        (Fraction(8), 6, "8"),
        (100, 2, "100"),
        (Fraction(1, 2), 6, "0.5"),
        (Fraction(2, 3), 6, "0.666666"),
        (Fraction(79, 3), 6, "26.333333"),
        (Fraction(1, 20), 2, "0.05"),
        (Fraction(-1, 3), 6, "-0.333333"),
        (Fraction(-5, 2), 1, "-2.5"),
        (Fraction(-1, 1000), 2, "0"),
        (Fraction(999_999_999, 1_000_000_000), 6, "0.999999"),
        (Fraction(7, 2), 0, "3"),
    ],
)
def test_a_number_is_written_with_as_many_decimals_as_it_needs(value, places, written):
    assert format_decimal(value, places) == written


def test_six_places_are_the_habit():
    assert format_decimal(Fraction(1, 7)) == "0.142857"


@given(st.fractions(), st.integers(0, 9))
def test_what_is_written_never_claims_more_than_there_is(value, places):
    written = Fraction(format_decimal(value, places))
    assert abs(written) <= abs(value) < abs(written) + Fraction(1, 10**places)


def outcome(number, reached, maximum=10, threshold=EIGHTY):
    return AttemptOutcome(number, Fraction(reached), Fraction(maximum), threshold)


THREE = (outcome(1, 5), outcome(2, 9), outcome(3, 7))


@pytest.mark.parametrize("mixed", list(permutations(THREE)))
@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("highest", QuizOutcome(Fraction(9), Fraction(10), passed=True, numbers=(2,))),
        ("latest", QuizOutcome(Fraction(7), Fraction(10), passed=False, numbers=(3,))),
        ("first", QuizOutcome(Fraction(5), Fraction(10), passed=False, numbers=(1,))),
        ("average", QuizOutcome(Fraction(7), Fraction(10), passed=False, numbers=(1, 2, 3))),
    ],
)
def test_each_policy_counts_its_attempts_in_whatever_order_they_come(policy, expected, mixed):
    assert compute_quiz_outcome(policy, mixed) == expected


@pytest.mark.parametrize("policy", ATTEMPT_GRADE_POLICIES)
def test_one_attempt_is_the_quiz_grade_under_every_policy(policy):
    assert compute_quiz_outcome(policy, [THREE[1]]) == QuizOutcome(
        Fraction(9), Fraction(10), passed=True, numbers=(2,)
    )


@pytest.mark.parametrize("policy", ATTEMPT_GRADE_POLICIES)
def test_without_attempts_there_is_no_quiz_grade(policy):
    assert compute_quiz_outcome(policy, []) is None


def test_a_policy_nobody_knows_is_refused_even_without_attempts():
    with pytest.raises(ValueError, match="luckiest"):
        compute_quiz_outcome("luckiest", [])


def highest(*outcomes):
    current = compute_quiz_outcome("highest", outcomes)
    assert current is not None
    return current.numbers


def test_the_highest_is_the_greatest_share_not_the_greatest_total():
    assert highest(outcome(1, 9), outcome(2, 20, maximum=40)) == (1,)


def test_among_equal_shares_the_highest_is_one_that_passes_then_the_earliest():
    strict, lenient = outcome(1, 7), outcome(2, 7, threshold=Fraction(1, 2))
    assert highest(strict, lenient) == (2,)
    assert highest(outcome(5, 7), outcome(4, 7)) == (4,)


def test_under_highest_an_earlier_pass_stays_when_a_later_attempt_reaches_more_and_fails():
    lenient, strict = outcome(1, 7, threshold=Fraction(3, 5)), outcome(2, Fraction(15, 2))
    assert compute_quiz_outcome("highest", [strict, lenient]) == QuizOutcome(
        Fraction(15, 2), Fraction(10), passed=True, numbers=(2,)
    )
    assert compute_quiz_outcome("latest", [lenient, strict]) == QuizOutcome(
        Fraction(15, 2), Fraction(10), passed=False, numbers=(2,)
    )


def test_an_average_is_held_against_the_latest_maximum_and_pass_mark():
    current = compute_quiz_outcome(
        "average", [outcome(1, 10), outcome(2, 12, maximum=20, threshold=Fraction(9, 10))]
    )
    assert current == QuizOutcome(Fraction(16), Fraction(20), passed=False, numbers=(1, 2))


def test_an_average_of_thirds_passes_at_its_exact_value():
    thirds = [outcome(number, Fraction(reached, 3), maximum=1, threshold=Fraction(2, 3))
              for number, reached in enumerate((1, 3, 2), start=1)]  # fmt: skip
    assert compute_quiz_outcome("average", thirds) == QuizOutcome(
        Fraction(2, 3), Fraction(1), passed=True, numbers=(1, 2, 3)
    )


def test_an_outcome_knows_its_share_and_whether_it_passes():
    assert outcome(1, 8).passed
    assert not outcome(1, Fraction(79, 10)).passed
    assert outcome(1, 8).share == EIGHTY
    assert outcome(1, 0, maximum=0).share == 0


RATIO = Field("credit", FieldType.RATIO)
SHAPE = QuestionSchema(
    texts=(),
    fields=(Field("kept", FieldType.RATIO, secret=True), Field("points", FieldType.COUNT)),
    tables=(
        Table("rows", (RATIO,), secret=True),
        Table("options", (Field("weight", FieldType.RATIO, secret=True, key_name="weights"),)),
    ),
)


def test_the_fineness_of_a_question_is_the_common_denominator_of_all_its_author_wrote():
    content: Any = {"points": 7, "options": [{"id": "a"}, {"id": "b"}]}
    key: Any = {
        "kept": [1, 4],
        "rows": [{"id": "r", "credit": [5, 6]}, {"id": "s"}],
        "weights": {"b": [2, 10]},
    }
    assert denominator_lcm(SHAPE, content, key) == 60


def test_a_question_without_parts_is_not_fine_at_all():
    assert denominator_lcm(SHAPE, {}, {}) == 1
