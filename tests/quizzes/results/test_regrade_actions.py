"""Dropping a question, full credit for it, and reverting a regrade: preview and commit agree."""

import random
from fractions import Fraction

import pytest

from quizzes.lib.errors import Invalid, Refused
from quizzes.results.models import Grading, RegradeAction, RegradePolicy
from quizzes.results.point_rules import PointRules, sum_points
from quizzes.results.regrade_counts import count_regrade
from quizzes.results.regrading import continue_regrades
from quizzes.results.selectors import load_report
from quizzes.statistics.models import QuizVersionStatistics
from quizzes.statistics.tasks import update_statistics
from tests.attempt_helpers import take_quiz
from tests.essay_factory import attempt_with_essay, create_essay, grade_essay, levels
from tests.factories import NOW, create_question, create_quiz
from tests.regrade_helpers import commit, correct_key, find_differences, preview, read_scores

BY_KEY, KEEP, FULL_CREDIT = (
    RegradePolicy.BY_KEY,
    RegradePolicy.KEEP_BETTER,
    RegradePolicy.FULL_CREDIT,
)
DROP, FULL, REVERT = RegradeAction.DROP, RegradeAction.FULL, RegradeAction.REVERT
pytestmark = pytest.mark.django_db


@pytest.fixture
def questions(into):
    return [create_question(into, f"q{n}", right="a", kind="single_choice") for n in range(4)]


@pytest.fixture
def quiz(users, questions):
    return create_quiz(users, questions, pass_percent=50, window_attempts=None)


def list_scores(quiz):
    return list(read_scores(quiz).values())


def apply(quiz, question, users, policy, action, reverts=None, **more):
    """Commit and apply a rule; what its preview said must come out."""
    expected = preview(quiz, question, policy, action, reverts, **more)
    commit(quiz, question, users, policy, action=action, reverts=reverts, **more)
    assert continue_regrades(now=NOW).failed == 0
    after = read_scores(quiz)
    for pk, score in expected.items():
        assert score is not None
        assert after[pk] == (score.total, score.maximum, score.passed)
    count = Grading.objects.count()
    assert continue_regrades(now=NOW) == (0, 0, 0)
    assert Grading.objects.count() == count
    assert find_differences() == []


def test_a_dropped_question_counts_for_nobody(users, quiz, questions):
    take_quiz(quiz, users.learner, {0: "a", 1: "a"})
    take_quiz(quiz, users.learner, {0: "b", 1: "a"})
    apply(quiz, questions[0], users, BY_KEY, DROP)
    assert list_scores(quiz) == [(1, 3, False), (1, 3, False)]


def test_a_drop_by_which_nobody_goes_down_still_counts_for_whom_it_helps(users, quiz, questions):
    take_quiz(quiz, users.learner, {0: "a", 1: "a"})
    take_quiz(quiz, users.learner, {0: "b", 1: "a", 2: "a"})
    counts = count_regrade(quiz=quiz, question=questions[0], viewer=users.instructor, action=DROP)
    assert [(row.policy, row.rise, row.fall, row.stay) for row in counts.policies] == [
        (KEEP, 1, 0, 1),
        (BY_KEY, 1, 1, 0),
    ]
    apply(quiz, questions[0], users, KEEP, DROP)
    assert list_scores(quiz) == [(2, 4, True), (2, 3, True)]


def test_full_credit_for_a_question_reaches_every_version(users, quiz, questions):
    take_quiz(quiz, users.learner, {0: "b"})
    correct_key(questions[0], "c")
    take_quiz(quiz, users.learner, {0: "b"})
    apply(quiz, questions[0], users, FULL_CREDIT, FULL)
    assert list_scores(quiz) == [(1, 4, False), (1, 4, False)]


def test_a_reverted_regrade_gives_back_what_was(users, quiz, questions):
    take_quiz(quiz, users.learner, {0: "a", 1: "a"})
    take_quiz(quiz, users.learner, {0: "b", 1: "a"})
    before = list_scores(quiz)
    apply(quiz, questions[0], users, BY_KEY, DROP)
    assert list_scores(quiz) != before
    apply(quiz, questions[0], users, BY_KEY, REVERT, reverts=1)
    assert list_scores(quiz) == before
    correct_key(questions[0], "b")
    apply(quiz, questions[0], users, BY_KEY, RegradeAction.KEY)
    apply(quiz, questions[0], users, BY_KEY, REVERT, reverts=3)
    assert list_scores(quiz) == before
    with pytest.raises(Refused, match="nothing_to_revert"):
        commit(quiz, questions[0], users, BY_KEY, action=REVERT, reverts=1)
    apply(quiz, questions[0], users, BY_KEY, RegradeAction.KEY)
    assert list_scores(quiz) != before


@pytest.mark.parametrize(
    ("policy", "more", "code"),
    [
        (FULL_CREDIT, {"action": DROP}, "policy_unknown"),
        (KEEP, {"action": FULL}, "policy_unknown"),
        (BY_KEY, {"action": REVERT}, "reverts_unknown"),
        (BY_KEY, {"action": DROP, "reverts": 1}, "reverts_unknown"),
    ],
)
def test_what_is_no_rule_is_refused(users, quiz, questions, policy, more, code):
    take_quiz(quiz, users.learner)
    with pytest.raises(Invalid, match=code):
        commit(quiz, questions[0], users, policy, **more)


def test_only_a_rule_of_the_question_can_be_reverted(users, quiz, questions):
    take_quiz(quiz, users.learner)
    commit(quiz, questions[0], users, KEEP, action=DROP)
    for question, number in ((questions[1], 1), (questions[0], 2)):
        with pytest.raises(Refused, match="nothing_to_revert"):
            commit(quiz, question, users, BY_KEY, action=REVERT, reverts=number)


def test_the_result_and_the_statistics_have_the_points_after_a_drop(users, quiz, questions):
    attempt = take_quiz(quiz, users.learner, {0: "a", 1: "a"})
    apply(quiz, questions[0], users, BY_KEY, DROP)
    report = load_report(attempt=attempt.uuid, viewer=users.learner, language="en", now=NOW)
    assert [item.manifest_slot.points for item in report.questions] == [0, 1, 1, 1]
    assert [item.earned for item in report.questions] == [0, 1, 0, 0]
    assert report.regrades[0].after.maximum == 3
    update_statistics()
    assert QuizVersionStatistics.objects.get().report


def test_marks_by_persons_stay_and_decide_whom_a_drop_helps(users, into, questions):
    essay = create_essay(into, "essay")
    quiz = create_quiz(users, [essay, questions[0]], slug="written", window_attempts=None)
    attempt = attempt_with_essay(quiz, users.learner)
    apply(quiz, questions[0], users, KEEP, DROP)
    grade_essay(attempt, users.instructor, levels(1, 1))
    assert find_differences() == []
    before = list(Grading.objects.latest("number").item_results.values_list("credit_numerator"))
    apply(quiz, essay, users, KEEP, DROP)
    newest = Grading.objects.latest("number")
    assert list(newest.item_results.values_list("credit_numerator")) == before


def test_the_best_of_several_spared_questions_count():
    ones = [Fraction(1)] * 4
    credits_by_slot = [Fraction(1), Fraction(1, 2), Fraction(0), None]
    drops = {0: "keep_better", 1: "keep_better", 2: "keep_better"}
    assert list_points(credits_by_slot, ones, drops) == [1, 0, 0, 1]
    assert list_points(credits_by_slot, ones, {**drops, 3: "by_key"}) == [1, 0, 0, 0]
    assert not any(list_points(credits_by_slot, ones, dict.fromkeys(range(4), "by_key")))
    nothing = [Fraction(0)] * 2
    assert sum(list_points(nothing, ones[:2], dict.fromkeys(range(2), "keep_better"))) == 1


def list_points(credits_by_slot, points, drops):
    return [*sum_points(credits_by_slot, points, PointRules(drops)).points]


def test_random_rules_come_to_what_was_previewed_and_lower_nobody_who_is_spared(users, into):
    chance = random.Random(39)
    questions = [create_question(into, f"r{n}", right="ab") for n in range(3)]
    quiz = create_quiz(users, questions, slug="random", points=2, window_attempts=None)
    for _ in range(6):
        chosen = {n: "".join(chance.sample("abcd", chance.randint(1, 3))) for n in range(3)}
        take_quiz(quiz, users.learner, chosen)
    steps = [(DROP, KEEP), (FULL, FULL_CREDIT), (DROP, KEEP), (DROP, BY_KEY), (REVERT, BY_KEY)]
    for number, (action, policy) in enumerate(steps, 1):
        before = read_scores(quiz)
        question = questions[number % 3] if action != REVERT else questions[1]
        apply(quiz, question, users, policy, action, reverts=4 if action == REVERT else None)
        if policy == KEEP:
            for pk, (total, maximum, _) in read_scores(quiz).items():
                assert total / maximum >= before[pk][0] / before[pk][1]
