"""Short texts: the first accepted answer that matches counts; what almost did is noted."""

import time
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.contract import LedgerLine, Problem
from grading.kinds import KINDS
from grading.short_text.structure import RULE_PARTS
from tests.cpu_time import measure_cpu
from tests.grading.strategies import JSON

kind: Any = KINDS["short_text"]
SCORING_METHOD = "accepted_answers"
WORDS = st.text("abAB \u00e1.*\\", min_size=1, max_size=8)
CREDITS = st.sampled_from([[0, 1], [1, 3], [1, 2], [1, 1]])


def row(text, id_=None, credit=(1, 1), pattern=False):
    return {"id": id_ or text, "text": text, "credit": list(credit), "pattern": pattern}


def key(*rows):
    return {"accepted": list(rows)}


def check(given_key, **comparison):
    problems = kind.validate(comparison, given_key, SCORING_METHOD)
    return [(problem.where, problem.code) for problem in problems]


def mark(given_key, text, **comparison):
    return kind.score(comparison, given_key, {"text": text}, SCORING_METHOD)


def test_the_first_answer_that_matches_counts():
    item_mark = mark(key(row("a*", credit=(1, 2)), row("ab")), "ab")
    assert item_mark.credit == Fraction(1, 2)
    assert item_mark.ledger == (
        LedgerLine("a*", chosen=True, right=True, earned=Fraction(1, 2), reason="accepted_partly"),
    )
    assert item_mark.reasons == ("partial_credit", "accepted_partly")


def test_an_answer_known_to_be_wrong_earns_nothing_but_its_feedback():
    item_mark = mark(key(row("right"), row("wrong", credit=(0, 1))), "Wrong!")
    assert item_mark.ledger == (
        LedgerLine("wrong", chosen=True, right=False, earned=Fraction(0), reason="known_wrong"),
    )
    assert item_mark.reasons == ("no_credit", "known_wrong")


def test_what_matches_nothing_calls_up_what_is_said_otherwise():
    item_mark = mark(key(row("right")), "something else")
    assert item_mark.ledger == (
        LedgerLine(
            "otherwise", chosen=True, right=False, earned=Fraction(0), reason="not_accepted"
        ),
    )
    assert item_mark.reasons == ("no_credit", "not_accepted")


def test_what_was_not_answered_calls_up_nothing():
    mark = kind.score({}, key(row("right")), None, SCORING_METHOD)
    assert [(line.part, line.chosen, line.reason) for line in mark.ledger] == [
        ("otherwise", False, "unanswered")
    ]


@pytest.mark.parametrize(
    ("comparison", "accepted", "text"),
    [
        ({}, row("photosynthesis"), "fotosynthesis"),
        ({"case": "counted"}, row("Paris"), "paris"),
        ({}, row("m\u00e1s"), "mas"),
        ({"accents": "ignored"}, row("ma\u00f1ana"), "manana"),
        ({}, row("ice cream"), "icecream"),
        ({}, row("U.S.A."), "USA"),
        ({"sort": "exact_text"}, row("Paris"), "Paris "),
        ({"case": "counted"}, row("Par*"), "paris"),
        ({"case": "counted"}, row("Par(is)?", pattern=True), "PARIS"),
        ({}, row("Paris", credit=(1, 2)), "Parris"),
    ],
)
def test_a_near_miss_is_noted_and_never_credited(comparison, accepted, text):
    item_mark = mark(key(row("entirely other"), accepted), text, **comparison)
    assert item_mark.credit == 0
    assert item_mark.reasons == ("no_credit", "not_accepted", "near_miss")


@pytest.mark.parametrize(
    ("accepted", "text"),
    [
        (row("Paris"), "Marseille"),
        (row("cat"), "car"),
        (row("Lyon", credit=(0, 1)), "Lyons"),
        (row("phot*"), "foto"),
        (row("photos?", pattern=True), "fotos"),
    ],
)
def test_other_words_short_words_wrong_words_and_wildcards_have_no_near_miss(accepted, text):
    assert "near_miss" not in mark(key(row("entirely other"), accepted), text).reasons


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        ({}, ("accepted", "nothing_accepted")),
        ({"accepted": None}, ("accepted", "nothing_accepted")),
        ({"accepted": [7]}, ("accepted", "row_without_id")),
        ({"accepted": [{"id": "", "text": "a"}]}, ("accepted", "row_without_id")),
        ({"accepted": [{"id": "a"}]}, ("accepted.a", "text_missing")),
        (key(row("a"), row("b", "a")), ("accepted.a", "duplicate_id")),
        (key(row("", "a")), ("accepted.a", "text_missing")),
        (key(row(" ", "a")), ("accepted.a", "text_missing")),
        (key(row("", "a", pattern=True)), ("accepted.a", "text_missing")),
        (key(row("...", "a")), ("accepted.a", "empty_after_folding")),
        (key(row("a\0", "a")), ("accepted.a", "text_unreadable")),
        (key(row("a\ufdd0", "a")), ("accepted.a", "text_unreadable")),
        (key(row("a" * 501, "a")), ("accepted.a", "text_too_long")),
        (key(row("a" * 501, "a", pattern=True)), ("accepted.a", "text_too_long")),
        (key(row("(?=a)", "a", pattern=True)), ("accepted.a", "pattern_unsupported")),
        (key(row("(a", "a", pattern=True)), ("accepted.a", "pattern_malformed")),
        (key(row("(a{99}){99}", "a", pattern=True)), ("accepted.a", "pattern_too_large")),
        (key(row("a", credit=(3, 2))), ("accepted.a", "credit_out_of_range")),
        (key(row("a", credit=(-3, 2))), ("accepted.a", "credit_out_of_range")),
        (key(row("a", credit=(1, 10**7))), ("accepted.a", "credit_out_of_range")),
        (key({"id": "a", "text": "a", "credit": 1}), ("accepted.a", "credit_is_no_ratio")),
        (key({"id": "a", "text": "a", "pattern": 1}), ("accepted.a", "not_true_or_false")),
        (key(row("a", credit=(1, 2))), ("accepted", "no_plain_full_credit")),
        (key(row("a+", pattern=True)), ("accepted", "no_plain_full_credit")),
        (key(row("*")), ("accepted", "no_plain_full_credit")),
        (key(row("a", credit=(1, 2)), row("a*")), ("accepted", "no_plain_full_credit")),
        (key(*[row(f"w{n}") for n in range(101)]), ("accepted", "too_many_accepted")),
        (
            key(row("a"), *[row(f"x{n}b{{200}}", pattern=True) for n in range(8)]),
            ("accepted", "patterns_too_large"),
        ),
    ],
)
def test_what_keeps_it_from_being_published_is_named_at_its_place(broken, problem):
    assert problem in check(broken)


@pytest.mark.parametrize("name", ["sort", "case", "accents", "spaces", "punctuation", "typography"])
def test_a_sort_or_switch_that_there_is_not_is_named(name):
    assert check(key(row("a")), **{name: "yes"}) == [(name, "unknown_choice")]


def test_an_accent_alone_is_nothing_where_accents_do_not_count():
    problem = ("accepted.a", "empty_after_folding")
    assert problem in check(key(row("\u0301", "a")), accents="ignored")


@pytest.mark.parametrize("name", RULE_PARTS)
def test_no_accepted_answer_has_the_name_of_a_line_of_the_ledger(name):
    assert check(key(row("a", name))) == [(f"accepted.{name}", "reserved_id")]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (row("Paris", "1"), row("PARIS!", "2")),
        (row("*is", "1", credit=(1, 2)), row("Paris", "2")),
        (row("par(is)?", "1", pattern=True), row("Par", "2")),
        (row("P*s", "1"), row("p*S", "2")),
        (row("a+", "1", pattern=True), row("a+", "2", pattern=True)),
    ],
)
def test_an_answer_that_an_earlier_one_takes_away_is_named_with_it(earlier, later):
    problems = kind.validate({}, key(row("entirely other"), earlier, later), SCORING_METHOD)
    assert problems == (Problem("accepted.2", "never_reached", {"by": earlier["text"]}),)


def test_stars_of_another_shape_are_not_taken_for_the_same():
    assert check(key(row("plain"), row("a*b"), row("a*"), row("a+", pattern=True))) == []


def test_the_place_of_a_problem_in_a_pattern_is_told_from_one():
    problems = kind.validate({}, key(row("ab(?=c)", "p", pattern=True)), SCORING_METHOD)
    assert Problem("accepted.p", "pattern_unsupported", {"at": 4}) in problems


@pytest.mark.parametrize(
    ("rows", "model"),
    [
        ([row("half", credit=(1, 2)), row("Full"), row("Too")], "Full"),
        ([row("fu+ll", pattern=True), row("Fuel.")], "Fuel."),
        ([row("col*r"), row("colour it")], "colour it"),
        ([row("New *York", "1")], "New York"),
        ([row(r"a\*b\\c")], r"a*b\c"),
    ],
)
def test_the_model_answer_is_words_that_earn_everything(rows, model):
    assert check(key(*rows)) == []
    assert kind.correct_answer({}, key(*rows)) == {"text": model}


def test_a_key_without_a_model_answer_is_no_checked_key():
    with pytest.raises(ValueError, match="no_plain_full_credit"):
        kind.correct_answer({}, key(row("a+", pattern=True)))


@pytest.mark.parametrize("broken", [{}, {"accepted": [{"id": "a"}]}])
def test_marking_by_an_unchecked_key_is_refused(broken):
    with pytest.raises(ValueError, match="unchecked"):
        mark(broken, "a")


def test_marking_by_an_unchecked_comparison_is_refused():
    with pytest.raises(ValueError, match="unchecked"):
        mark(key(row("a")), "a", case=1)


@pytest.mark.parametrize("answer", [{}, {"text": 1}, "a", {"chosen": []}])
def test_an_answer_of_another_form_is_refused(answer):
    with pytest.raises(ValueError, match="canonical"):
        kind.score({}, key(row("a")), answer, SCORING_METHOD)


def test_there_is_nothing_to_put_in_an_order():
    assert kind.shufflable_ids({}) == ()
    assert kind.public_view({}, []).parts == {"maximum": 500}
    with pytest.raises(ValueError, match="no parts"):
        kind.public_view({}, ["a"])


def test_a_taker_is_told_how_an_answer_is_compared_and_nothing_of_the_key():
    parts = kind.public_view({"sort": "code", "case": "ignored"}, []).parts
    assert parts["comparison"] == {"sort": "code", "case": "ignored"}


def test_content_and_key_are_stored_as_the_shape_says():
    stored, comparison = key(row("a")), {"sort": "code", "case": "ignored", "spaces": "collapsed"}
    assert kind.schema.dump(kind.schema.load(comparison, stored)) == (comparison, stored)


@given(st.lists(st.tuples(WORDS, CREDITS, st.booleans()), max_size=4), WORDS)
def test_whatever_passes_its_check_can_be_marked_and_has_a_model_answer(drawn, text):
    rows = [
        row(words, f"r{n}", credit, pattern) for n, (words, credit, pattern) in enumerate(drawn)
    ]
    given_key = key(*rows)
    if check(given_key) == []:
        model = kind.correct_answer({}, given_key)
        assert kind.parse({}, model) == model
        assert kind.score({}, given_key, model, SCORING_METHOD).credit == 1
        assert 0 <= mark(given_key, text).credit <= 1


@given(JSON, JSON)
def test_reading_and_checking_survive_any_json(content, raw):
    kind.parse({}, raw)
    kind.validate(
        {}, content if isinstance(content, dict) else {"accepted": content}, SCORING_METHOD
    )
    kind.validate(
        {"sort": raw, "case": raw},
        {"accepted": [{"id": "a", "text": raw, "credit": content}]},
        SCORING_METHOD,
    )


def test_a_hundred_answers_of_many_stars_hang_nobody():
    rows = [row(f"{n}" + "*a" * 100 + "b", f"r{n}") for n in range(99)]
    begun = time.process_time()
    mark(key(row("plain"), *rows), "a" * 500)
    assert time.process_time() - begun < 1


def test_thousands_of_different_answers_are_marked_in_a_second():
    """Ten thousand, on a machine of its own; a third of it leaves room for a busy one."""
    given_key = key(row("photosynthesis"), row("respir*", credit=(1, 2)), row("chlorophyll"))

    def mark_all() -> None:
        for n in range(3_000):
            mark(given_key, f"photo{n}synthesi")

    assert measure_cpu(mark_all) < 1


def test_a_kind_with_one_scoring_method_knows_no_other():
    assert kind.validate({}, key(row("a")), "all_or_nothing") == (
        Problem("scoring_method", "unknown_scoring_method", {"scoring_method": "all_or_nothing"}),
    )


# QTI's map_response for single strings: the entry that matches says the score, the default else.
# A case-sensitive entry beside others that are not is said with case that counts, and patterns.
MAPPED = key(
    row("Hello", credit=(1, 1)),
    row("[wW][oO][rR][lL][dD]", "world", credit=(1, 2), pattern=True),
    row("*", "default", credit=(1, 4)),
)


@pytest.mark.parametrize(
    ("response", "score"),
    [("Hello", 4), ("hello", 1), ("world", 2), ("WORLD", 2), ("World", 2), ("else", 1), (None, 0)],
)
def test_a_mapped_response_scores_as_its_entry_says(response, score):
    assert check(MAPPED, case="counted") == []
    answer = kind.parse({}, {"text": response})
    assert kind.score({"case": "counted"}, MAPPED, answer, SCORING_METHOD).credit * 4 == score


@pytest.mark.parametrize(("response", "score"), [("PhotoSynthesis", 1), ("unknown", 0)])
def test_a_mapping_that_does_not_mind_case_takes_any(response, score):
    answer = kind.parse({}, {"text": response})
    assert kind.score({}, key(row("photosynthesis")), answer, SCORING_METHOD).credit == score
