"""Other points, another scoring method and a bonus: preview and commit agree, and all replays."""

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction

from quizzes.lib.errors import Invalid
from quizzes.results.models import RegradeAction, RegradePolicy, RegradeRule
from quizzes.results.point_rules import PointRules, sum_points
from quizzes.results.selectors import load_report
from tests.attempt_helpers import take_quiz
from tests.essay_factory import attempt_with_essay, create_essay
from tests.factories import NOW, create_question, create_quiz
from tests.quizzes.results.test_regrade_actions import apply, list_scores
from tests.regrade_helpers import commit, correct_key, find_differences, read_scores

BY_KEY, KEEP = RegradePolicy.BY_KEY, RegradePolicy.KEEP_BETTER
BONUS, POINTS, METHOD = RegradeAction.BONUS, RegradeAction.POINTS, RegradeAction.METHOD
DROP, REVERT = RegradeAction.DROP, RegradeAction.REVERT
pytestmark = pytest.mark.django_db


@pytest.fixture
def questions(into):
    return [create_question(into, f"q{n}", right="ab") for n in range(3)]


@pytest.fixture
def quiz(users, questions):
    return create_quiz(users, questions, pass_percent=50, window_attempts=None)


def test_a_question_is_worth_other_points(users, quiz, questions):
    attempt = take_quiz(quiz, users.learner, {0: "ab"})
    take_quiz(quiz, users.learner, {1: "ab"})
    apply(quiz, questions[0], users, BY_KEY, POINTS, points=Fraction(4))
    assert list_scores(quiz) == [(4, 6, True), (1, 6, False)]
    report = load_report(attempt=attempt.uuid, viewer=users.learner, language="en", now=NOW)
    assert [item.earned for item in report.questions] == [4, 0, 0]
    assert [item.manifest_slot.points for item in report.questions] == [4, 1, 1]


def test_nobody_goes_down_by_other_points(users, quiz, questions):
    take_quiz(quiz, users.learner, {0: "ab"})
    take_quiz(quiz, users.learner, {1: "ab"})
    apply(quiz, questions[0], users, KEEP, POINTS, points=Fraction(4))
    assert list_scores(quiz) == [(4, 6, True), (1, 3, False)]
    apply(quiz, questions[0], users, KEEP, POINTS, points=Fraction(1, 2))
    assert list_scores(quiz) == [(4, 6, True), (1, Fraction(5, 2), False)]
    apply(quiz, questions[0], users, BY_KEY, REVERT, reverts=1)
    assert list_scores(quiz) == [(1, 3, False), (1, Fraction(5, 2), False)]


def test_a_bonus_counts_on_top_and_never_above_the_maximum(users, quiz, questions):
    attempt = take_quiz(quiz, users.learner, {0: "ab", 1: "ab"})
    take_quiz(quiz, users.learner, {0: "ab", 1: "ab", 2: "ab"})
    take_quiz(quiz, users.learner, {})
    apply(quiz, questions[0], users, BY_KEY, BONUS)
    assert list_scores(quiz) == [(2, 2, True), (2, 2, True), (0, 2, False)]
    report = load_report(attempt=attempt.uuid, viewer=users.learner, language="en", now=NOW)
    assert [item.is_bonus for item in report.questions] == [True, False, False]
    apply(quiz, questions[0], users, BY_KEY, REVERT, reverts=1)
    assert list_scores(quiz) == [(2, 3, True), (3, 3, True), (0, 3, False)]


def test_a_quiz_of_nothing_but_bonuses_counts_as_before(users, quiz, questions):
    take_quiz(quiz, users.learner, {0: "ab"})
    for question in questions:
        apply(quiz, question, users, BY_KEY, BONUS)
    assert list_scores(quiz) == [(1, 3, False)]


def test_a_question_is_scored_by_another_method(users, quiz, questions):
    attempt = take_quiz(quiz, users.learner, {0: "a", 1: "abc"})
    assert list_scores(quiz) == [(1, 3, False)]
    apply(quiz, questions[0], users, KEEP, METHOD, scoring_method="all_or_nothing")
    assert list_scores(quiz) == [(1, 3, False)]
    apply(quiz, questions[1], users, BY_KEY, METHOD, scoring_method="coverage")
    assert list_scores(quiz) == [(Fraction(7, 6), 3, False)]
    report = load_report(attempt=attempt.uuid, viewer=users.learner, language="en", now=NOW)
    assert [item.manifest_slot.scoring_method for item in report.questions] == [
        "all_or_nothing",
        "coverage",
        "right_minus_wrong",
    ]


def test_a_key_that_is_corrected_later_is_scored_by_the_method_that_counts(users, quiz, questions):
    take_quiz(quiz, users.learner, {0: "a"})
    apply(quiz, questions[0], users, BY_KEY, METHOD, scoring_method="all_or_nothing")
    assert list_scores(quiz) == [(0, 3, False)]
    correct_key(questions[0], "ac")
    apply(quiz, questions[0], users, BY_KEY, RegradeAction.KEY)
    assert list_scores(quiz) == [(0, 3, False)]
    apply(quiz, questions[0], users, BY_KEY, REVERT, reverts=1)
    assert list_scores(quiz) == [(Fraction(1, 2), 3, False)]


def test_a_method_reaches_every_version_and_uses_the_newest_key_that_counts(users, quiz, questions):
    take_quiz(quiz, users.learner, {0: "c"})
    correct_key(questions[0], "cd")
    apply(quiz, questions[0], users, BY_KEY, RegradeAction.KEY)
    apply(quiz, questions[0], users, BY_KEY, METHOD, scoring_method="each_option")
    assert list_scores(quiz) == [(Fraction(3, 4), 3, False)]


def test_the_same_rule_again_is_the_one_that_is_there_and_other_points_are_not(
    users, quiz, questions
):
    take_quiz(quiz, users.learner, {0: "ab"})
    numbers = [
        commit(quiz, questions[0], users, KEEP, action=POINTS, points=Fraction(points)).number
        for points in (2, 2, 3)
    ]
    assert numbers == [1, 1, 2]


@pytest.mark.parametrize(
    ("action", "more", "code"),
    [
        (POINTS, {}, "points_unknown"),
        (POINTS, {"points": Fraction(0)}, "points_unknown"),
        (POINTS, {"points": Fraction(-1)}, "points_unknown"),
        (POINTS, {"points": Fraction(1, 3)}, "points_unknown"),
        (POINTS, {"points": Fraction(10_000)}, "points_unknown"),
        (DROP, {"points": Fraction(-1)}, "points_unknown"),
        (METHOD, {}, "scoring_method_unknown"),
        (METHOD, {"scoring_method": "per_pair"}, "scoring_method_unknown"),
        (METHOD, {"scoring_method": "option_weights"}, "scoring_method_unknown"),
        (POINTS, {"points": Fraction(1), "scoring_method": "halves"}, "scoring_method_unknown"),
    ],
)
def test_what_is_no_such_rule_is_refused(users, quiz, questions, action, more, code):
    take_quiz(quiz, users.learner)
    with pytest.raises(Invalid, match=code):
        commit(quiz, questions[0], users, KEEP, action=action, **more)


def test_a_question_with_one_method_has_no_other(users, into):
    question = create_essay(into, "essay")
    quiz = create_quiz(users, [question], slug="written", window_attempts=None)
    attempt_with_essay(quiz, users.learner)
    with pytest.raises(Invalid, match="scoring_method_unknown"):
        commit(quiz, question, users, KEEP, action=METHOD, scoring_method="rubric")


@pytest.mark.parametrize(
    "fields",
    [
        {"points_numerator": None},
        {"points_denominator": 0},
        {"points_numerator": 0},
        {"action": DROP},
        {"scoring_method": "halves"},
        {"action": METHOD, "points_numerator": None, "points_denominator": None},
    ],
)
def test_the_database_takes_no_rule_without_what_it_does(users, quiz, questions, fields):
    take_quiz(quiz, users.learner)
    rule = commit(quiz, questions[0], users, KEEP, action=POINTS, points=Fraction(2))
    rule.pk, rule._state.adding, rule.number = None, True, 2
    for name, value in fields.items():
        setattr(rule, name, value)
    with pytest.raises(IntegrityError, match="regrade_rule_has"), transaction.atomic():
        rule.save()


def test_the_greatest_share_of_all_worths_counts():
    """Compared with every choice of worths, one after the other."""
    chance = random.Random(12)
    for _ in range(300):
        slots = range(chance.randint(1, 4))
        earned = [Fraction(chance.randint(-2, 4), 4) for _ in slots]
        points = [Fraction(chance.randint(1, 3)) for _ in slots]
        rules = PointRules(
            {slot: chance.choice([KEEP, BY_KEY]) for slot in slots if chance.random() < 0.4},
            {
                slot: [(chance.choice([KEEP, BY_KEY]), Fraction(chance.randint(1, 4)))]
                for slot in slots
                if chance.random() < 0.4
            },
            frozenset(slot for slot in slots if chance.random() < 0.2),
        )
        result = sum_points(earned, points, rules)
        shares = [
            min(Fraction(1), max(Fraction(), total) / maximum)
            for total, maximum in list_sums(earned, points, rules)
            if maximum
        ]
        assert result.share == max(shares, default=Fraction())


def list_sums(earned, points, rules):
    choices = []
    for slot, worth in enumerate(points):
        choice = {worth}
        for policy, other in rules.points.get(slot, ()):
            choice = {*choice, other} if policy == KEEP else {other}
        if slot in rules.drops:
            choice = {*choice, Fraction()} if rules.drops[slot] == KEEP else {Fraction()}
        choices.append(choice)
    regular = [slot for slot in range(len(points)) if slot not in rules.bonuses]
    if not any(max(choices[slot]) for slot in regular):
        regular = list(range(len(points)))
    for chosen in product(*choices):
        total = sum(credit * worth for credit, worth in zip(earned, chosen, strict=True))
        yield total, sum(chosen[slot] for slot in regular)


def test_random_rules_come_to_what_was_previewed(users, quiz, questions):
    chance = random.Random(6)
    for _ in range(5):
        chosen = {n: "".join(chance.sample("abcd", chance.randint(0, 3))) for n in range(3)}
        take_quiz(quiz, users.learner, {slot: text for slot, text in chosen.items() if text})
    for _ in range(8):
        action = chance.choice([BONUS, POINTS, METHOD, DROP])
        policy = BY_KEY if action == BONUS else chance.choice([KEEP, BY_KEY])
        details: dict[str, dict[str, Any]] = {
            POINTS: {"points": Fraction(chance.randint(1, 8), 2)},
            METHOD: {"scoring_method": chance.choice(["halves", "coverage", "each_option"])},
        }
        more = details.get(action, {})
        before = read_scores(quiz)
        apply(quiz, chance.choice(questions), users, policy, action, **more)
        if policy == KEEP:
            for pk, (total, maximum, _) in read_scores(quiz).items():
                assert total / maximum >= before[pk][0] / before[pk][1]
    assert RegradeRule.objects.filter(quiz=quiz).count() > 4
    assert find_differences() == []


@pytest.mark.parametrize("points", ["1/0", "much", "-1", "10000", ""])
def test_points_of_a_command_that_are_no_number_are_a_mistake_of_its_line(quiz, points):
    arguments = ("preview_regrade", quiz.slug, "bank/corrected", "--action", "points")
    with pytest.raises(CommandError, match="is no number from 0 to 9999"):
        call_command(*arguments, f"--points={points}")
