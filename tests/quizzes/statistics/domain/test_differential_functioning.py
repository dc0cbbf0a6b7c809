"""DIF: published tables, definitions, and questions planted in simulated exams."""

import math
import random
from collections import Counter
from fractions import Fraction

import pytest

from quizzes.statistics.domain.attempt_record import AttemptRecord
from quizzes.statistics.domain.cautions import Caution
from quizzes.statistics.domain.differential_functioning import (
    DifClass,
    Stratum,
    classify_delta,
    classify_effect,
    compute_cumulative_odds,
    compute_mantel,
    compute_mantel_haenszel_odds,
    compute_mean_difference,
    measure_dif,
)
from quizzes.statistics.domain.frequencies import NotCounted
from quizzes.statistics.domain.option_measures import Certainty
from quizzes.statistics.domain.purification import (
    ResponsePatterns,
    build_strata,
    measure_all_dif,
    scale_patterns,
)
from tests.quizzes.statistics.domain.attempt_samples import build_attempt, simulate_languages

RIGHT, WRONG, HALF = Fraction(1), Fraction(0), Fraction(1, 2)


def stratum(a, b, c, d):
    """Return a level from right and wrong of the reference group, right and wrong of the focal."""
    return Stratum({RIGHT: a, WRONG: b}, {RIGHT: c, WRONG: d})


def dif(strata):
    return measure_dif(strata)


def cumulative_odds(strata):
    return compute_cumulative_odds(strata)


def all_dif(patterns):
    return measure_all_dif(patterns, "en", "es")


BERKELEY = [
    stratum(512, 313, 89, 19),
    stratum(353, 207, 17, 8),
    stratum(120, 205, 202, 391),
    stratum(138, 279, 131, 244),
    stratum(53, 138, 94, 299),
    stratum(22, 351, 24, 317),
]
"""Admissions at Berkeley, 1973, men and women by department (Bickel, Hammel and O'Connell 1975)."""


def test_the_admissions_at_berkeley_have_their_published_mantel_haenszel_figures():
    measures = dif(BERKELEY)
    assert measures.chi_square == pytest.approx(1.4269, abs=5e-5)
    assert measures.p_value == pytest.approx(0.2323, abs=5e-5)
    assert measures.odds_ratio == pytest.approx(0.9046968, abs=5e-8)
    interval = measures.odds_ratio_interval
    assert (interval.low, interval.high) == pytest.approx((0.7719074, 1.0603298), abs=5e-8)
    assert measures.delta == pytest.approx(-2.35 * math.log(0.9046968), abs=1e-6)
    assert measures.dif_class == DifClass.NEGLIGIBLE
    assert measures.certainty == Certainty.POSSIBLE
    assert (measures.reference_n, measures.focal_n) == (2691, 1835)


def test_one_table_has_the_odds_ratio_and_woolfs_error():
    odds = compute_mantel_haenszel_odds([stratum(30, 10, 20, 20)])
    assert odds.logarithm == pytest.approx(math.log(3))
    assert odds.error == pytest.approx(math.sqrt(1 / 30 + 1 / 10 + 1 / 20 + 1 / 20))


def test_mantel_without_correction_is_mantel_haenszel_without_correction():
    (a, b, c, d), n = (30, 10, 20, 20), 80
    expected = (a - (a + b) * (a + c) / n) ** 2 / (
        (a + b) * (c + d) * (a + c) * (b + d) / n**2 / (n - 1)
    )
    assert compute_mantel([stratum(a, b, c, d)], Fraction(0)) == pytest.approx(expected)


def test_a_level_with_one_learner_of_each_language_adds_no_division_by_zero():
    measures = dif([stratum(1, 0, 1, 0), *BERKELEY])
    assert measures.odds_ratio == pytest.approx(0.9046968, abs=5e-8)
    assert dif([stratum(1, 0, 0, 0)]) is None


def test_the_cumulative_odds_ratio_of_two_credits_is_the_common_odds_ratio():
    cumulative = cumulative_odds(BERKELEY)
    common = compute_mantel_haenszel_odds(BERKELEY)
    assert cumulative.logarithm == pytest.approx(common.logarithm)
    assert cumulative.error == pytest.approx(common.error, rel=0.01)


def test_the_cumulative_odds_ratio_is_that_of_all_cuts():
    reference, focal = (
        Counter({WRONG: 3, HALF: 5, RIGHT: 9}),
        Counter({WRONG: 6, HALF: 4, RIGHT: 2}),
    )
    cuts = [
        sum(n for credit, n in reference.items() if credit > cut)
        * sum(n for credit, n in focal.items() if credit <= cut)
        for cut in (WRONG, HALF)
    ]
    inverse = [
        sum(n for credit, n in reference.items() if credit <= cut)
        * sum(n for credit, n in focal.items() if credit > cut)
        for cut in (WRONG, HALF)
    ]
    odds = cumulative_odds([Stratum(reference, focal)])
    assert math.exp(odds.logarithm) == pytest.approx(sum(cuts) / sum(inverse))


def test_the_error_of_the_cumulative_odds_ratio_is_how_much_it_varies():
    rng = random.Random(8)
    logarithms, errors = [], []
    for _ in range(400):
        strata = [
            Stratum(
                Counter(rng.choices((WRONG, HALF, RIGHT), (3, 4, 3), k=8)),
                Counter(rng.choices((WRONG, HALF, RIGHT), (3, 4, 3), k=8)),
            )
            for _level in range(12)
        ]
        odds = cumulative_odds(strata)
        logarithms.append(odds.logarithm)
        errors.append(odds.error)
    spread = math.sqrt(sum(logarithm**2 for logarithm in logarithms) / 400)
    assert sum(errors) / 400 == pytest.approx(spread, rel=0.1)


def test_the_standardised_mean_difference_is_weighted_by_the_focal_group():
    strata = [stratum(5, 5, 1, 9), stratum(8, 2, 24, 6)]
    difference, error = compute_mean_difference(strata)
    assert difference == pytest.approx(10 / 40 * (0.1 - 0.5))
    variances = [
        n_r * n_f * m * (n_r + n_f - m) / (n_r + n_f) ** 2 / (n_r + n_f - 1)
        for n_r, n_f, m in ((10, 10, 6), (10, 30, 32))
    ]
    weights = [(10 / 40) * (1 / 10 + 1 / 10), (30 / 40) * (1 / 10 + 1 / 30)]
    assert error == pytest.approx(
        math.sqrt(sum(w**2 * v for w, v in zip(weights, variances, strict=True)))
    )


@pytest.mark.parametrize(
    ("delta", "error", "p_value", "dif_class"),
    [
        (-2.5, 0.5, 0.001, "C"),
        (2.5, 0.5, 0.001, "C"),
        (-1.7, 0.5, 0.001, "B"),
        (-1.4, 0.1, 0.001, "B"),
        (-0.99, 0.1, 0.001, "A"),
        (-2.5, 0.5, 0.05, "A"),
        (None, None, 0.001, "C"),
    ],
)
def test_the_classes_are_those_of_ets(delta, error, p_value, dif_class):
    assert classify_delta(delta, error, p_value) == dif_class


@pytest.mark.parametrize(
    ("effect", "p_value", "dif_class"),
    [(0.3, 0.01, "C"), (-0.2, 0.01, "B"), (0.17, 0.01, "A"), (0.3, 0.05, "A")],
)
def test_the_classes_of_partial_credit_are_those_of_the_effect_size(effect, p_value, dif_class):
    assert classify_effect(effect, p_value) == dif_class


def test_a_question_that_one_language_never_solves_is_large_without_a_finite_ratio():
    measures = dif([stratum(20, 5, 0, 25), stratum(25, 3, 0, 20)])
    assert (measures.odds_ratio, measures.delta, measures.odds_ratio_interval) == (None, None, None)
    assert (measures.dif_class, measures.is_harder_in_focal) == (DifClass.LARGE, True)
    assert measures.certainty == Certainty.VERY_LIKELY


def build_patterns(attempts):
    patterns = ResponsePatterns()
    for attempt in attempts:
        patterns.add(attempt)
    return patterns


def test_learners_are_matched_by_number_right_with_the_question_itself():
    marks = [1, 1, 0, 1, 0]
    patterns = build_patterns([build_attempt(marks), build_attempt(marks, "es")])
    scaled = scale_patterns(patterns.rows, "en")
    everything = frozenset(f"q{place:02}" for place in range(5))
    assert build_strata(scaled, everything)["q00"] == [Stratum({RIGHT: 1}, {RIGHT: 1})]
    levels = {}
    for place in (2, 3):
        anchor = everything - {f"q{place:02}"}
        doubled = scale_patterns(
            build_patterns(
                [build_attempt(marks), build_attempt(marks, "es"), build_attempt([1] * 5)]
            ).rows,
            "en",
        )
        levels[place] = build_strata(doubled, anchor)[f"q{place:02}"]
    assert [len(strata) for strata in levels.values()] == [2, 2]


def test_partial_credit_and_unequal_worth_are_rounded_to_as_many_levels_as_questions():
    rng = random.Random(3)
    attempts = [
        build_attempt(
            [rng.choice((0, HALF, Fraction(1, 3), -HALF, 1)) for _ in range(6)],
            points=[Fraction(n) for n in (1, 2, 3, 1, 2, HALF)],
        )
        for _ in range(300)
    ]
    patterns = build_patterns(attempts)
    names = frozenset(f"q{place:02}" for place in range(6))
    strata = build_strata(scale_patterns(patterns.rows, "en"), names)["q00"]
    assert 4 < len(strata) <= 7
    assert sum(stratum.sizes[0] for stratum in strata) == 300


def flag_rates(rng, sets, *, impact, planted):
    """Return the share of planted questions and of others that are flagged."""
    flags = {True: [0, 0], False: [0, 0]}
    for _ in range(sets):
        attempts = simulate_languages(
            rng, questions=20, learners=200, impact=impact, planted=planted, logits=1.2
        )
        report = all_dif(build_patterns(attempts))
        for place in range(20):
            counts = flags[place in planted]
            counts[0] += f"q{place:02}" in report.flagged
            counts[1] += 1
    return [flagged / n if n else None for flagged, n in (flags[True], flags[False])]


def test_planted_effects_are_flagged_and_others_are_not_though_groups_differ_in_ability():
    power, false = flag_rates(random.Random(9), 8, impact=0.5, planted=(4, 11))
    assert power >= 0.9
    assert false <= 0.05


def test_a_flagged_question_leaves_the_matching_score():
    attempts = simulate_languages(
        random.Random(10), questions=12, learners=300, planted=(3,), logits=2.0
    )
    report = all_dif(build_patterns(attempts))
    assert "q03" in report.flagged
    assert "q03" not in report.anchor
    assert report.stages > 1
    assert report.measures["q03"].is_harder_in_focal
    assert report.measures["q03"].dif_class == DifClass.LARGE
    assert report.measures["q03"].delta < -1.5


def test_partial_credit_is_compared_by_mantel():
    rng = random.Random(11)
    attempts = []
    for language in ("en", "es"):
        for _ in range(250):
            ability = rng.random()
            marks = [
                Fraction(
                    sum(
                        rng.random() < ability - (0.25 if language == "es" and q == 2 else 0)
                        for _ in "12"
                    ),
                    2,
                )
                for q in range(10)
            ]
            attempts.append(build_attempt(marks, language))
    measures = all_dif(build_patterns(attempts)).measures["q02"]
    assert measures.is_partial
    assert measures.dif_class == DifClass.LARGE
    assert measures.mean_difference_interval.high < 0
    assert measures.odds_ratio_interval.low > 1


def test_too_few_learners_or_common_questions_are_refused_with_the_reason():
    few = simulate_languages(random.Random(1), questions=8, learners=49)
    report = all_dif(build_patterns(few))
    assert (report.measures, report.cautions) == ({}, (Caution.ONE_LANGUAGE,))
    assert (report.reference_n, report.focal_n) == (49, 49)
    enough = simulate_languages(random.Random(1), questions=8, learners=60)
    short = [
        AttemptRecord(attempt.language, 1, attempt.score, attempt.maximum, attempt.responses[:4])
        for attempt in enough
    ]
    report = all_dif(build_patterns(short))
    assert report.cautions == (Caution.FEW_COMMON_QUESTIONS,)


def test_a_drawn_question_is_matched_by_the_questions_that_all_have():
    attempts = simulate_languages(
        random.Random(2), questions=11, learners=400, planted=(10,), logits=2.5
    )
    drawn = [
        AttemptRecord(
            attempt.language,
            1,
            attempt.score,
            attempt.maximum,
            attempt.responses[: 10 + place % 2],
        )
        for place, attempt in enumerate(attempts)
    ]
    report = all_dif(build_patterns(drawn))
    assert report.measures["q10"].reference_n + report.measures["q10"].focal_n <= 400
    assert "q10" in report.flagged
    assert "q10" not in report.anchor


def test_patterns_return_to_what_they_were_and_refuse_strangers():
    attempts = simulate_languages(random.Random(1), questions=8, learners=5)
    patterns, before = build_patterns(attempts), build_patterns(attempts)
    patterns.add(build_attempt([HALF] * 8))
    assert patterns != before
    patterns.remove(build_attempt([HALF] * 8))
    assert patterns == before
    with pytest.raises(NotCounted):
        patterns.remove(build_attempt([HALF] * 8))
