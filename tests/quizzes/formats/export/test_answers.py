"""What options earn and how gaps are called, as writers of several formats need it."""

from dataclasses import replace
from fractions import Fraction

import pytest

from quizzes.formats.builders import Gap, Head, Option, SourceChoice, build_choice, build_cloze
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.export import ExportTracker
from quizzes.formats.export.answers import list_gaps, list_options
from quizzes.formats.export.option_weights import compute_option_credits

HEAD = Head(1, "q", "en", "Which?")
OPTIONS = [Option("a", right=True), Option("b", right=True), Option("c")]


def track(question: ParsedQuestion) -> ExportTracker:
    return ExportTracker(question, "en")


@pytest.mark.parametrize(
    ("many", "earned"),
    [(True, ["1/2", "1/2", "-1/2"]), (False, ["1", "1", "0"])],
)
def test_each_option_earns_its_part(many, earned):
    tracker = track(build_choice(HEAD, SourceChoice(OPTIONS, many=many)))
    assert [str(credit) for credit in compute_option_credits(tracker).values()] == earned


def test_an_option_without_a_weight_earns_nothing():
    options = [Option("a", right=True), Option("b", weight=Fraction(1, 3))]
    question = build_choice(HEAD, SourceChoice(options, many=True, scoring_method="option_weights"))
    assert [*compute_option_credits(track(question)).values()] == [0, Fraction(1, 3)]


def test_none_of_these_is_the_last_option_and_right_where_no_other_is():
    options = [Option("a"), Option("b")]
    *others, last = list_options(
        track(build_choice(HEAD, SourceChoice(options, many=True, none_apply=True)))
    )
    assert [option.credit for option in others] == [-1, -1]
    assert (last.text, last.credit) == ("None of these", Fraction(1))
    assert last.is_right
    assert last.is_pinned


def test_a_gap_is_named_by_its_mark_or_by_its_number():
    head = replace(HEAD, prompt="[[a]] [[b c]] [[gap_2]]")
    gaps = [
        Gap(mark, options=OPTIONS, points=at) for at, mark in enumerate(["a", "b c", "gap_2"], 1)
    ]
    named = list_gaps(track(build_cloze(head, gaps)), str.isidentifier)
    assert [gap.name for gap in named] == ["a", "gap_2_", "gap_2"]
    assert [gap.share for gap in named] == [Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)]
