"""Codes become sentences, exact numbers become figures."""

import re
from fractions import Fraction

import pytest
from django.utils import translation

from grading import contract
from grading.choice import ledger
from grading.contract import ItemScore
from grading.kinds import KINDS
from grading.partial_credit import HALVES_MIN_OPTIONS, SCORING_METHODS
from quizzes.presentation import formatting
from quizzes.presentation.messages import attempts as messages
from quizzes.presentation.messages.attempts import describe_reason
from quizzes.publishing.models import RevealMoment
from quizzes.publishing.policies import Policies, RevealPolicy
from tests.grading.examples import all_examples, readable


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Fraction(8), "8"),
        (Fraction(0), "0"),
        (Fraction(79, 3), "26 1/3"),
        (Fraction(2, 3), "2/3"),
        (Fraction(-1, 3), "−1/3"),
        (Fraction(-4, 3), "−1 1/3"),
        (Fraction(-2), "−2"),
        (Fraction(2, 25), "0.08"),
        (Fraction(-2, 25), "−0.08"),
        (Fraction(1, 2), "0.5"),
        (Fraction(1, 37), "1/37"),
        (Fraction(1, 16), "0.0625"),
        (Fraction(1, 100_000), "1/100000"),
    ],
)
def test_figures_are_exact(value, expected):
    with translation.override("en"):
        assert formatting.format_points(value) == expected


def test_figures_follow_the_language():
    with translation.override("es"):
        assert formatting.format_points(Fraction(2, 25)) == "0,08"
        assert formatting.format_percent(Fraction(799, 1000)) == "79,9\N{NO-BREAK SPACE}%"
        assert formatting.format_score_percent("33.33") == "33,33\N{NO-BREAK SPACE}%"
    with translation.override("en"):
        assert formatting.format_percent(Fraction(799, 1000)) == "79.9%"
        assert formatting.format_score_percent("33.33") == "33.33%"


def test_shares_carry_their_sign():
    texts = [formatting.format_signed_fraction(Fraction(n, 3)) for n in (1, 0, -1)]
    assert texts == ["+1/3", "0", "−1/3"]


def test_every_scoring_method_has_a_sentence():
    names = {name for kind in KINDS.values() for name in kind.scoring_methods} | set(
        SCORING_METHODS
    )
    assert all(messages.describe_scoring_method(name).endswith(".") for name in names)
    assert messages.describe_scoring_method("unknown") == ""


def test_every_reason_of_a_ledger_has_words():
    lines = [ledger.REASONS[key] for key in ledger.REASONS]
    rules = ["not_all_right", "not_below_zero", "not_above_one", "first_error", "second_error"]
    codes = [*lines, *rules, ledger.START, "too_many_errors", "not_chosen"]
    codes += [contract.UNANSWERED, contract.WITHDRAWN]
    assert len(HALVES_MIN_OPTIONS) == 2
    for code in codes:
        assert describe_reason(code) != code


@pytest.mark.parametrize("example", readable(all_examples()), ids=str)
def test_every_line_that_an_example_earns_has_words(example):
    for scoring_method in example.scoring_methods:
        score = KINDS[example.kind].score(
            example.content, example.key, example.source["answer"], scoring_method
        )
        for line in score.ledger if isinstance(score, ItemScore) else ():
            assert describe_reason(line.reason) != line.reason


def test_what_is_unknown_is_still_said_in_a_sentence():
    assert messages.describe_refusal("something_new").endswith(".")
    assert messages.describe_format_error("something_new").endswith(".")


def test_reveal_is_told_moment_by_moment_and_names_everything_once():
    sentences = messages.describe_reveal(RevealPolicy())
    assert len(sentences) == 2
    text = " ".join(sentences)
    assert all(text.count(str(name)) == 1 for name in messages.REVEALED.values())


CLOSING = "12 May 2027, 18:00 CEST"


def test_the_effect_of_a_reveal_policy_names_the_closing_and_what_is_never_shown():
    reveal = RevealPolicy(feedback="never", key="after_close", explanation="after_pass")
    assert messages.describe_reveal_effect(Policies(reveal=reveal), CLOSING) == [
        "Learners see at once: their score, what was right and wrong, hints and where to read on.",
        "Learners see once they have passed: the explanations.",
        f"Learners see after {CLOSING}, when the last window closes: the right answers.",
        "Learners never see feedback on the answers they chose.",
    ]


def test_the_effect_says_that_a_quiz_without_a_closing_never_shows_what_waits_for_it():
    reveal = RevealPolicy(key="after_close")
    assert messages.describe_reveal_effect(Policies(reveal=reveal), "")[-2:] == [
        "Learners never see the right answers.",
        "A window of this quiz has no closing time, so it never closes for everyone.",
    ]


@pytest.mark.parametrize(
    ("max_attempts", "closing", "sentence"),
    [
        (None, "", "Learners see once they have passed or given up: {}."),
        (2, "", "Learners see once they have passed, used their last attempt or given up: {}."),
        (
            2,
            CLOSING,
            (
                "Learners see once they have passed, used their last attempt or given up, and "
                f"everyone else after {CLOSING}, when the last window closes: {{}}."
            ),
        ),
    ],
)
def test_after_the_last_attempt_is_what_it_comes_to_in_this_quiz(max_attempts, closing, sentence):
    sentences = messages.describe_reveal_effect(Policies(max_attempts=max_attempts), closing)
    assert sentences[-1] == sentence.format("the right answers, the explanations")


def test_the_effect_says_that_feedback_is_of_all_answers():
    reveal = RevealPolicy(all_options=True)
    assert (
        "feedback on all answers" in messages.describe_reveal_effect(Policies(reveal=reveal), "")[0]
    )


def test_every_moment_has_words():
    for moment in RevealMoment.values:
        assert messages.describe_reveal(RevealPolicy(score=moment))


@pytest.mark.parametrize(("language", "verb"), [("en", " you (never )?see"), ("es", "verás")])
def test_every_moment_is_a_sentence_with_a_verb(language, verb):
    with translation.override(language):
        for moment in RevealMoment.values:
            for sentence in messages.describe_reveal(RevealPolicy(score=moment)):
                assert re.search(verb, f" {sentence.lower()}")


@pytest.mark.parametrize(
    ("language", "single", "part", "many"),
    [
        ("en", "0 of 1 point", "0.25 of 0.5 points", "1 of 2 points"),
        ("es", "0 de 1 punto", "0,25 de 0,5 puntos", "1 de 2 puntos"),
    ],
)
def test_points_are_counted_by_the_number_they_are_of(language, single, part, many):
    with translation.override(language):
        assert formatting.format_earned_points(Fraction(0), Fraction(1)) == single
        assert formatting.format_earned_points(Fraction(1, 4), Fraction(1, 2)) == part
        assert formatting.format_earned_points(Fraction(1), Fraction(2)) == many


@pytest.mark.parametrize(
    ("policies", "sentences"),
    [
        (Policies(), ["At most 3 attempts in 8 hours"]),
        (Policies(window_attempts=1, window_hours=1), ["At most 1 attempt in 1 hour"]),
        (Policies(window_attempts=None), []),
        (Policies(window_attempts=None, cooldown_minutes=30), ["30 minutes between two attempts"]),
    ],
)
def test_the_pace_of_attempts_is_said_in_words(policies, sentences):
    assert messages.describe_attempt_limits(policies) == sentences
