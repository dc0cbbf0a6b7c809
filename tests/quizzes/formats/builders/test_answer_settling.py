"""What counts of typed answers, gaps and pairs, and what is doubtful about them."""

from fractions import Fraction

import pytest

from quizzes.formats.builders import Accepted, Gap, Number, Option
from quizzes.formats.builders.answer_settling import (
    SourceMatching,
    SourcePair,
    settle_credits,
    settle_gap,
    settle_matching,
    settle_pairs,
    settle_texts,
)

HALF, NOTHING = Fraction(1, 2), Fraction(0)


def codes(notes):
    return [(note.code, note.line) for note in notes]


def test_the_first_answer_of_two_alike_counts_and_a_star_is_for_all_others():
    answers = [
        Accepted("Iron"),
        Accepted("iron", HALF, line=3),
        Accepted("", line=4),
        Accepted("*", NOTHING, "Look again"),
    ]
    accepted, otherwise, notes = settle_texts(answers, line=2)
    assert (accepted, otherwise) == ([answers[0]], "Look again")
    assert codes(notes) == [("duplicate_answer_left_out", 3), ("answer_empty", 4)]
    assert len(settle_texts(answers, line=2, case=True)[0]) == 2


@pytest.mark.parametrize(
    ("answers", "credit", "expected"),
    [
        ([Number("3"), Number("4", credit=-HALF, line=5)], [1, -HALF], []),
        ([Number("3"), Number("4", credit=-3 * HALF, line=5)], [1, -1], [("negative_credit", 5)]),
        ([Accepted("a", HALF)], [HALF], [("key_unknown", 2)]),
        ([], [], [("key_unknown", 2)]),
    ],
)
def test_no_answer_costs_more_than_all_and_one_must_earn_everything(answers, credit, expected):
    settled, notes = settle_credits(answers, line=2)
    assert ([answer.credit for answer in settled], codes(notes)) == (credit, expected)


@pytest.mark.parametrize(
    ("gap", "expected"),
    [
        (Gap("g", options=[Option("a", right=True), Option("b", right=False)]), []),
        (Gap("g", options=[Option("a", weight=HALF)]), ["key_unknown"]),
        (
            Gap("g", options=[Option("a", weight=Fraction(1)), Option("b", weight=-HALF)]),
            [],
        ),
        (Gap("g", options=[Option("a", right=True)] * 2), ["several_right_options"]),
        (Gap("g", accepted=[Accepted("a")]), []),
        (Gap("g", numbers=[Number("3", credit=HALF)]), ["key_unknown"]),
        (Gap("g"), ["key_unknown"]),
    ],
)
def test_a_gap_has_one_right_option_or_an_answer_that_earns_everything(gap, expected):
    assert [note.code for note in settle_gap(gap, line=2)[1]] == expected


def test_a_pair_has_a_right_side_and_without_a_left_one_distracts():
    pairs = [
        SourcePair("a", "1", 3, ""),
        SourcePair("", "2", 4, ""),
        SourcePair("b", " ", 5, "b ->"),
    ]
    assert settle_pairs(pairs, line=2)[:2] == ([("a", "1")], ["2"])
    notes = settle_pairs(pairs, line=2)[2]
    assert codes(notes) == [("pair_incomplete", 5), ("too_few_pairs", 2)]
    assert settle_pairs([*pairs[:1], SourcePair("b", "2", 3, "")], line=2)[2] == []


LEFTS, RIGHTS = {"a": "France", "b": "Peru"}, {"1": "Paris", "2": "Lima", "3": ""}


@pytest.mark.parametrize(
    ("points", "options", "expected"),
    [
        ([("a", "1", 1), ("b", "2", 1)], {}, ({"a": "1", "b": "2"}, "per_pair")),
        (
            [("a", "1", 1), ("b", "2", 1)],
            {"together": True},
            ({"a": "1", "b": "2"}, "all_or_nothing"),
        ),
        (
            [("a", "1", 2), ("b", "2", 2)],
            {"default": Fraction(-2)},
            ({"a": "1", "b": "2"}, "right_minus_wrong"),
        ),
        ([("a", "1", 2), ("b", "2", 2)], {"default": Fraction(-1)}, ({"a": "1", "b": "2"}, None)),
        ([("a", "1", 2), ("b", "2", 1)], {"together": True}, ({"a": "1", "b": "2"}, None)),
        ([("a", "1", 1), ("a", "2", -1), ("b", "2", 1)], {}, ({"a": "1", "b": "2"}, None)),
        ([("a", "1", 1), ("a", "2", 1), ("b", "2", 1)], {}, ({"b": "2"}, "per_pair")),
        ([("a", "1", 1), ("b", "3", 1)], {}, ({"a": "1"}, "per_pair")),
        ([], {}, ({}, "per_pair")),
    ],
)
def test_pairs_that_earn_alike_are_the_key_and_what_is_missing_is_told(points, options, expected):
    earned = [(left, right, Fraction(amount)) for left, right, amount in points]
    settled, notes = settle_matching(SourceMatching(LEFTS, RIGHTS, earned, **options), line=2)
    assert (settled.key, settled.scoring_method) == expected
    assert codes(notes) == ([] if len(settled.key) == len(LEFTS) else [("key_unknown", 2)])


@pytest.mark.parametrize(
    ("points", "default", "expected"),
    [
        ([("a", "1", 2), ("b", "2", 1)], 0, ([2, 1], "per_pair")),
        ([("a", "1", "33.3"), ("b", "2", "33.4")], 0, ([], "per_pair")),
        ([("a", "1", 2), ("b", "2", 1)], -1, ([2, 1], None)),
        (
            [
                *(("a", "1", 2), ("a", "2", -2), ("a", "3", -2)),
                *(("b", "2", 1), ("b", "1", -1), ("b", "3", -1)),
            ],
            0,
            ([2, 1], "right_minus_wrong"),
        ),
    ],
)
def test_pairs_earn_what_their_file_says_beside_each_other(points, default, expected):
    earned = [(left, right, Fraction(amount)) for left, right, amount in points]
    source = SourceMatching(LEFTS, RIGHTS, earned, Fraction(default))
    settled, _ = settle_matching(source, line=2)
    assert (list(settled.points), settled.scoring_method) == expected
