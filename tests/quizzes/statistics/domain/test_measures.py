"""Measures of quizzes, questions and options: published values, definitions, and hard cases."""

import json
import random
from fractions import Fraction

import pytest

from quizzes.statistics.domain.cautions import Caution
from quizzes.statistics.domain.option_measures import Certainty, OptionRemark, measure_options
from quizzes.statistics.domain.question_measures import (
    assign_groups,
    compute_effective_weights,
    measure_question,
)
from quizzes.statistics.domain.quiz_measures import measure_quiz
from quizzes.statistics.domain.states import AnswerState, QuizState
from tests.quizzes.statistics.domain.attempt_samples import (
    OPTIONS,
    build_attempt,
    build_state,
    draw_attempts,
)
from tests.quizzes.statistics.domain.recomputation import find_differences
from tools.paths import ROOT

HALF = Fraction(1, 2)
MARKS = [
    [1, 1, 1, 1],
    [1, 1, 1, 0],
    [1, 1, 0, HALF],
    [1, 0, 1, 0],
    [HALF, 1, 0, 0],
    [0, 0, 0, HALF],
]
VECTORS = ROOT.parent / "shared/vectors/item_statistics.json"


def quiz_measures(state):
    """Return the measures of a quiz, as they are."""
    return measure_quiz(state, HALF)


def measure(state):
    """Return the measures of a question, as they are."""
    return measure_question(state)


def measure_all(state):
    """Return the measures of a quiz and of its questions, with effective weights."""
    measures = {name: measure(state.select_answers(name)) for name in state.questions}
    return quiz_measures(state), list(compute_effective_weights(measures).values())


def test_six_attempts_have_the_classical_statistics():
    quiz, questions = measure_all(build_state(build_attempt(marks) for marks in MARKS))
    assert [question.facility for question in questions] == [
        Fraction(3, 4),
        Fraction(2, 3),
        HALF,
        Fraction(1, 3),
    ]
    assert [question.efficiency for question in questions] == pytest.approx([1, 4 / 13, 1 / 3, 0.1])
    assert [question.discrimination.value for question in questions] == pytest.approx(
        [0.668153104781061, 0.266076042095097, 0.292770021884560, 0.073274330544731], abs=1e-12
    )
    assert sum(question.effective_weight for question in questions) == pytest.approx(1)
    assert (quiz.scores.mean, quiz.scores.median, quiz.scores.skewness) == (2.25, 2.25, 0)
    assert quiz.scores.variance == Fraction(59, 40)
    assert quiz.reliability.coefficient == Fraction(272, 531)
    assert quiz.reliability.standard_error == pytest.approx(0.848200709999965, abs=1e-12)


@pytest.mark.skipif(not VECTORS.exists(), reason="the shared vectors are not on this machine")
def test_the_shared_vectors_hold():
    vectors = json.loads(VECTORS.read_text())
    quiz, questions = measure_all(build_state(build_attempt(m) for m in vectors["marks"]))
    percents = {
        "facility_percent": [question.facility for question in questions],
        "sd_percent": [question.sd for question in questions],
        "discrimination_percent": [question.discrimination.value for question in questions],
        "efficiency_percent": [question.efficiency for question in questions],
        "effective_weight_percent": [question.effective_weight for question in questions],
    }
    for name, figures in percents.items():
        rounded = [round(100 * float(figure), 4) for figure in figures]
        assert rounded == pytest.approx(vectors["items"][name], abs=1e-9), name
    alpha = quiz.reliability.coefficient
    measured = {
        "mean": quiz.scores.mean,
        "median": quiz.scores.median,
        "sd": quiz.scores.sd,
        "skewness": quiz.scores.skewness,
        "kurtosis": quiz.scores.kurtosis,
        "consistency_percent": 100 * alpha,
        "error_ratio_percent": 100 * float(1 - alpha) ** 0.5,
        "standard_error": quiz.reliability.standard_error,
    }
    for name, figure in measured.items():
        digits = 4 if "percent" in name else 6
        assert round(float(figure), digits) == pytest.approx(vectors["quiz"][name], abs=1e-9), name


def test_the_definitions_say_the_same_on_random_sets():
    rng = random.Random(12)
    for _ in range(200):
        attempts = draw_attempts(rng)
        state = build_state(attempts)
        quiz, questions = measure_all(state)
        options = [
            measure_options(state.select_answers(question), OPTIONS, ["a"])
            for question in state.questions
        ]
        assert list(find_differences(attempts, quiz, questions, options)) == []


def test_a_quiz_that_nobody_took_has_no_figures_and_says_why():
    quiz = quiz_measures(QuizState())
    assert (quiz.scores, quiz.histogram, quiz.pass_decision) == (None, (), None)
    assert quiz.reliability.cautions == (Caution.NO_ATTEMPTS,)
    assert measure_question(AnswerState()) is None
    assert measure_options(AnswerState(), OPTIONS, ["a"]) == ()


@pytest.mark.parametrize(
    ("marks", "caution"),
    [
        ([[1, 0]], Caution.TOO_FEW_ATTEMPTS),
        ([[1, 0], [0, 1]], Caution.NO_VARIATION),
        ([[1], [0]], Caution.ONE_QUESTION),
    ],
)
def test_a_reliability_that_cannot_be_is_refused_with_the_reason(marks, caution):
    reliability = quiz_measures(build_state(build_attempt(row) for row in marks)).reliability
    assert (reliability.coefficient, reliability.cautions) == (None, (caution,))


def test_one_attempt_has_a_mean_and_no_interval():
    quiz, (question, _second) = measure_all(build_state([build_attempt([1, 0])]))
    assert (quiz.scores.mean, quiz.scores.interval, quiz.scores.sd) == (1, None, None)
    assert question.discrimination.cautions == (Caution.TOO_FEW_ATTEMPTS,)
    assert question.efficiency is None


def test_the_histogram_has_every_bar_and_a_full_score_in_the_last():
    quiz, _questions = measure_all(build_state(build_attempt(marks) for marks in MARKS))
    assert len(quiz.histogram) == 20
    assert sum(bar.count for bar in quiz.histogram) == 6
    assert (quiz.histogram[-1].count, quiz.histogram[-1].high) == (1, 1)
    assert quiz.histogram[10].low == HALF
    assert quiz.scores.passed == 4


def drawn_attempts(*, points=1):
    rng = random.Random(5)
    for learner in range(60):
        questions = rng.sample(range(12), 4)
        ability = learner / 60
        marks = [0] * 12
        for question in questions:
            marks[question] = int(rng.random() < ability)
        attempt = build_attempt(marks, points=[Fraction(1), Fraction(points)] * 6)
        responses = tuple(attempt.responses[question] for question in sorted(questions))
        maximum = sum((response.points for response in responses), Fraction())
        yield type(attempt)("en", 1, attempt.score, maximum, responses)


def test_drawn_questions_have_the_coefficient_of_lords_error():
    attempts = list(drawn_attempts())
    reliability = quiz_measures(build_state(attempts)).reliability
    assert Caution.DRAWN_QUESTIONS in reliability.cautions
    scores = [attempt.score for attempt in attempts]
    mean = sum(scores) / 60
    variance = sum((score - mean) ** 2 for score in scores) / 59
    error = sum(score * (4 - score) / 3 for score in scores) / 60
    assert reliability.coefficient == 1 - error / variance


def test_drawn_questions_of_unequal_worth_have_no_reliability():
    quiz = quiz_measures(build_state(drawn_attempts(points=2)))
    assert quiz.reliability.coefficient is None
    assert quiz.reliability.cautions == (Caution.UNEQUAL_DRAWS,)
    assert quiz.scores.cautions == (Caution.DIFFERENT_MAXIMA,)
    assert quiz.scores.maximum == 1
    assert quiz.pass_decision is None


def test_decisions_at_the_pass_mark_are_surer_the_farther_learners_are_from_it():
    rng = random.Random(6)
    attempts = [
        build_attempt([int(rng.random() < learner / 200) for _ in range(20)])
        for learner in range(200)
    ]
    decision = quiz_measures(build_state(attempts)).pass_decision
    assert decision.pass_score == 10
    assert decision.n == 200
    assert decision.estimate_failure(10) == 0.5
    assert decision.estimate_failure(10 + decision.standard_error) == pytest.approx(0.158655254)
    assert 0.85 < decision.consistency < 1
    assert 0.5 < decision.kappa < decision.consistency
    assert decision.uncertain == sum(
        abs(attempt.score - 10) <= decision.standard_error for attempt in attempts
    )


def test_a_question_that_falls_as_totals_rise_has_no_effective_weight():
    marks = [[1, 0, 0], [1, 0, 0], [0, 1, 1], [0, 1, 1]]
    _quiz, questions = measure_all(build_state(build_attempt(row) for row in marks))
    assert questions[0].effective_weight is None
    assert Caution.NEGATIVE_COVARIANCE in questions[0].cautions
    assert [question.effective_weight for question in questions[1:]] == [0.5, 0.5]


def test_a_partial_facility_has_students_interval_and_one_of_zero_and_one_wilsons():
    _quiz, questions = measure_all(build_state(build_attempt(marks) for marks in MARKS))
    wilson, student = questions[1].facility_interval, questions[0].facility_interval
    assert (wilson.low, wilson.high) == pytest.approx((0.299993, 0.903229), abs=1e-6)
    assert (student.low, student.high) == pytest.approx((0.75 - 2.570582 * 0.170783, 1), abs=1e-5)


def test_equal_totals_stay_in_one_group():
    assert assign_groups({Fraction(n): 1 for n in range(6)}) == dict(
        zip(map(Fraction, range(6)), (0, 0, 1, 1, 2, 2), strict=True)
    )
    assert assign_groups({Fraction(1): 5}) == {1: 1}
    assert assign_groups({Fraction(0): 8, Fraction(1): 1, Fraction(2): 1}) == {0: 1, 1: 2, 2: 2}


def exam(key_of_last, learners=120):
    """Return attempts at six questions; good learners choose `b` at the last, whatever the key."""
    rng = random.Random(7)
    for learner in range(learners):
        ability = learner / learners
        chosen = ["a" if rng.random() < ability else rng.choice("bc") for _ in range(5)]
        last = "b" if rng.random() < ability else rng.choice("ac")
        marks = [int(option == "a") for option in chosen] + [int(last == key_of_last)]
        yield build_attempt(marks, choices=[frozenset({option}) for option in [*chosen, last]])


def test_a_wrong_key_and_the_option_that_is_right_are_named_with_how_sure():
    state = build_state(exam(key_of_last="a", learners=400)).select_answers("q05")
    options = {measures.option: measures for measures in measure_options(state, OPTIONS, ["a"])}
    assert options["a"].remarks == (
        (OptionRemark.KEY_AVOIDED_BY_GOOD_LEARNERS, Certainty.VERY_LIKELY),
    )
    assert options["b"].remarks == (
        (OptionRemark.DISTRACTOR_CHOSEN_BY_GOOD_LEARNERS, Certainty.VERY_LIKELY),
    )
    assert options["d"].remarks == ((OptionRemark.DISTRACTOR_NEVER_CHOSEN, Certainty.VERY_LIKELY),)
    assert options["b"].groups[0].chosen < options["b"].groups[2].chosen


def test_a_right_key_has_no_remark():
    state = build_state(exam(key_of_last="b")).select_answers("q05")
    options = {measures.option: measures for measures in measure_options(state, OPTIONS, ["b"])}
    assert options["a"].remarks == options["b"].remarks == options["c"].remarks == ()


def test_a_few_learners_make_no_key_surely_wrong():
    state = build_state(exam(key_of_last="a", learners=6)).select_answers("q05")
    certainties = {
        certainty
        for measures in measure_options(state, OPTIONS, ["a"])
        for _remark, certainty in measures.remarks
    }
    assert Certainty.VERY_LIKELY not in certainties


def test_an_omitted_answer_counts_as_wrong_and_is_counted():
    marks = [([1, 1], "ab"), ([0, 1], ("", "b")), ([0, 0], ("", "c"))]
    state = build_state(
        build_attempt(row, choices=[frozenset(choice) for choice in choices])
        for row, choices in marks
    )
    measures = measure(state.select_answers("q00"))
    assert (measures.omitted, measures.n, measures.facility) == (2, 3, Fraction(1, 3))
    assert measures.time_quantiles[HALF] == 10


def test_a_key_that_the_best_third_passes_over_for_another_option_is_probably_wrong():
    """However the totals fall: of 400, nearly everybody chooses `b` where the key says `a`."""
    rng = random.Random(3)
    attempts = [
        build_attempt(
            [rng.randrange(2) for _ in range(5)] + [int(last == "a")],
            choices=[frozenset("a")] * 5 + [frozenset(last)],
        )
        for last in ["b"] * 340 + ["a"] * 30 + ["c"] * 30
    ]
    state = build_state(attempts).select_answers("q05")
    options = {measures.option: measures for measures in measure_options(state, OPTIONS, ["a"])}
    assert options["a"].remarks == (
        (OptionRemark.KEY_AVOIDED_BY_GOOD_LEARNERS, Certainty.VERY_LIKELY),
    )
    assert not any(
        remark == OptionRemark.KEY_AVOIDED_BY_GOOD_LEARNERS
        for measures in measure_options(state, OPTIONS, ["a", "b"])
        for remark, _certainty in measures.remarks
    )
