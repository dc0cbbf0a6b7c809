"""Matching: what holds for every set of pairs, every answer and every scoring_method."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.contract import InvalidAnswer
from grading.kinds import KINDS
from tests.grading.strategies import JSON

kind: Any = KINDS["matching"]
LEFTS, RIGHTS = ("a", "b", "c", "d"), ("w", "x", "y", "z")
KEY: Any = {"pairs": {"a": "w", "b": "x", "c": "y", "d": "w"}}


def content_of(lefts, rights, **more):
    rows = {
        "lefts": [{"id": id_, "points": 1} for id_ in lefts],
        "rights": [{"id": id_} for id_ in rights],
    }
    return {**rows, "shuffle": True, **more}


CONTENT: Any = content_of(LEFTS, RIGHTS)


def told(pairs):
    return {"pairs": dict(zip(pairs[::2], pairs[1::2], strict=True))}


def marked(pairs, scoring_method="per_pair", key=KEY, content=CONTENT):
    return kind.score(content, key, told(pairs), scoring_method)


def ledger(pairs, scoring_method):
    lines = marked(pairs, scoring_method).ledger
    return [(line.part, str(line.earned), line.reason) for line in lines]


@dataclass(frozen=True)
class Drawn:
    """A question of pairs, what was answered, and the scoring method it is marked by."""

    content: Mapping[str, Any]
    pairs: Mapping[str, str]
    answer: Mapping[str, str]
    scoring_method: str

    def mark(self, raw_answer=None, content=None):
        answer = kind.parse(
            self.content, {"pairs": self.answer if raw_answer is None else raw_answer}
        )
        return kind.score(
            content or self.content, {"pairs": self.pairs}, answer, self.scoring_method
        )


@st.composite
def drawn(draw):
    lefts = draw(st.permutations("abcdef"[: draw(st.integers(2, 6))]))
    rights = draw(st.permutations("uvwxyz"[: draw(st.integers(2, 6))]))
    right = st.sampled_from(rights)
    given_ = draw(st.dictionaries(st.sampled_from(lefts), right))
    pairs = {left: draw(right) for left in lefts}
    return Drawn(
        content_of(lefts, rights), pairs, given_, draw(st.sampled_from(kind.scoring_methods))
    )


ANY = drawn()


def test_a_share_for_each_right_pair_is_the_default():
    assert kind.scoring_methods == ("per_pair", "all_or_nothing", "right_minus_wrong")


@given(ANY)
def test_what_is_drawn_passes_the_check(question):
    assert kind.validate(question.content, {"pairs": question.pairs}, question.scoring_method) == ()


@given(ANY)
def test_a_credit_lies_between_nothing_and_everything_and_the_ledger_adds_up_to_it(question):
    mark = question.mark()
    assert 0 <= mark.credit <= 1
    assert sum(line.earned for line in mark.ledger) == mark.credit


@given(ANY)
def test_the_ledger_begins_with_one_line_for_every_left_in_the_authors_order(question):
    lefts = [row["id"] for row in question.content["lefts"]]
    lines = question.mark().ledger[: len(lefts)]
    assert [line.part for line in lines] == lefts
    for line in lines:
        paired = line.part in question.answer
        right = question.answer[line.part] == question.pairs[line.part] if paired else None
        assert (line.chosen, line.right) == (paired, right)


@given(ANY, st.randoms(use_true_random=False))
def test_the_order_of_either_side_never_changes_the_mark(question, chance):
    turned = {
        side: chance.sample(question.content[side], len(question.content[side]))
        for side in ("lefts", "rights")
    }
    score, other = question.mark(), question.mark(content={**question.content, **turned})
    assert (other.credit, set(other.reasons)) == (score.credit, set(score.reasons))
    assert sorted(other.ledger, key=str) == sorted(score.ledger, key=str)


@given(ANY)
def test_one_more_right_pair_never_hurts(question):
    before = question.mark().credit
    for left, right in question.pairs.items():
        assert question.mark({**question.answer, left: right}).credit >= before


@given(ANY)
def test_only_what_is_exactly_right_earns_everything(question):
    assert (question.mark().credit == 1) == (question.answer == question.pairs)


@given(ANY)
def test_a_wrong_pair_costs_only_where_the_scoring_method_says_so(question):
    before = question.mark().credit
    for left in set(question.pairs) - set(question.answer):
        for right in {row["id"] for row in question.content["rights"]} - {question.pairs[left]}:
            after = question.mark({**question.answer, left: right}).credit
            assert after <= before
            assert after == before or question.scoring_method == "right_minus_wrong"


@given(ANY)
def test_unanswered_earns_nothing_whatever_the_scoring_method(question):
    mark = question.mark({})
    assert (mark.credit, mark.reasons) == (0, ("unanswered",))
    assert {line.reason for line in mark.ledger} == {"unanswered"}


@given(ANY)
def test_what_is_read_is_canonical_and_reading_it_again_changes_nothing(question):
    answer = kind.parse(question.content, {"pairs": question.answer})
    assert (answer is not None) == bool(question.answer)
    assert kind.parse(question.content, answer) == answer
    if answer:
        lefts = [row["id"] for row in question.content["lefts"]]
        assert list(answer["pairs"]) == [left for left in lefts if left in question.answer]


@given(ANY)
def test_the_model_answer_earns_everything(question):
    key = {"pairs": question.pairs}
    answer = kind.correct_answer(question.content, key)
    assert kind.parse(question.content, answer) == answer == key
    assert kind.score(question.content, key, answer, question.scoring_method).credit == 1


@given(ANY)
def test_a_question_of_pairs_is_stored_just_as_its_shape_says(question):
    loaded = kind.schema.load(question.content, {"pairs": question.pairs})
    assert kind.schema.dump(loaded) == (
        question.content,
        {"pairs": question.pairs},
    )


WEIGHED: Any = {
    **content_of((), RIGHTS),
    "lefts": [
        {"id": left, "points": points} for left, points in zip("abcd", (3, 1, 2, 4), strict=True)
    ],
}


@pytest.mark.parametrize(
    ("pairs", "scoring_method", "earned", "credit"),
    [
        ("awbxcy", "per_pair", ["3/10", "1/10", "1/5", "0"], "3/5"),
        ("awbwdw", "per_pair", ["3/10", "0", "0", "2/5"], "7/10"),
        ("awbwdw", "right_minus_wrong", ["3/10", "-1/10", "0", "2/5"], "3/5"),
        ("axbxcxdx", "right_minus_wrong", ["-3/10", "1/10", "-1/5", "-2/5", "4/5"], "0"),
        ("awbxcy", "all_or_nothing", ["3/10", "1/10", "1/5", "0", "-3/5"], "0"),
        ("awbxcydw", "all_or_nothing", ["3/10", "1/10", "1/5", "2/5"], "1"),
    ],
)
def test_each_pair_counts_its_points_beside_the_others(pairs, scoring_method, earned, credit):
    assert kind.validate(WEIGHED, KEY, scoring_method) == ()
    mark = marked(pairs, scoring_method, content=WEIGHED)
    assert [str(line.earned) for line in mark.ledger] == earned
    assert str(mark.credit) == credit


@given(ANY, st.lists(st.integers(1, 1000), min_size=6, max_size=6))
def test_what_pairs_count_never_changes_what_is_right(question, points):
    lefts = [
        {**left, "points": n} for left, n in zip(question.content["lefts"], points, strict=False)
    ]
    mark = question.mark(content={**question.content, "lefts": lefts})
    plain = question.mark()
    assert [line.right for line in mark.ledger if line.chosen] == [
        line.right for line in plain.ledger if line.chosen
    ]
    assert (mark.credit == 1) == (plain.credit == 1)


@pytest.mark.parametrize("points", [0, -1, 1001, "2", True, 1.5])
def test_points_of_a_pair_are_a_whole_number_within_bounds(points):
    lefts = [{"id": "a", "points": points}, {"id": "b"}]
    content = {**content_of((), RIGHTS), "lefts": lefts}
    (problem,) = kind.validate(content, {"pairs": {"a": "w", "b": "x"}}, "per_pair")
    assert (problem.where, problem.code) == ("lefts.a", "pair_points_out_of_range")


def test_another_scoring_method_is_an_error():
    with pytest.raises(ValueError, match="no such"):
        marked("aw", "coverage")


PARTS: Any = st.dictionaries(st.sampled_from(["pairs", "a", "b", "w", "x"]), JSON | st.just("w"))


@given(JSON | PARTS | st.fixed_dictionaries({"pairs": PARTS}))
def test_reading_never_raises_whatever_is_sent(raw):
    read = kind.parse(CONTENT, raw)
    assert read is None or isinstance(read, InvalidAnswer) or kind.parse(CONTENT, read) == read


@given(JSON | PARTS, JSON | PARTS, st.text(max_size=5))
def test_checking_never_raises_whatever_the_draft_holds(sides, pairs, scoring_method):
    assert kind.validate(
        {"lefts": sides, "rights": sides, "shuffle": sides}, {"pairs": pairs}, scoring_method
    )
    if isinstance(sides, dict):
        assert kind.validate(sides, {}, scoring_method)


def problems(content=CONTENT, key=KEY, scoring_method="per_pair"):
    all_problems = kind.validate(content, key, scoring_method)
    return [(problem.where, problem.code, dict(problem.detail)) for problem in all_problems]


@pytest.mark.parametrize(
    ("content", "key", "problem"),
    [
        (content_of("a", RIGHTS), {"pairs": {"a": "w"}},
         ("lefts", "too_few_lefts", {"minimum": 2, "found": 1})),
        (content_of("ab", "w"), {"pairs": {"a": "w", "b": "w"}},
         ("rights", "too_few_rights", {"minimum": 2, "found": 1})),
        (content_of(LEFTS, [*RIGHTS, "a"]), KEY, ("rights.a", "duplicate_id", {})),
        (content_of(LEFTS, [*RIGHTS, "floor"]), KEY, ("rights.floor", "reserved_id", {})),
        (content_of(LEFTS, [*RIGHTS, ""]), KEY, ("rights", "row_without_id", {"position": 4})),
        (content_of(LEFTS, RIGHTS, shuffle=1), KEY,
         ("shuffle", "not_true_or_false", {"field": "shuffle"})),
        (CONTENT, {"pairs": {**KEY["pairs"], "d": "v"}}, ("lefts.d", "goes_with_unknown", {})),
        (CONTENT, {"pairs": {**KEY["pairs"], "d": "c"}}, ("lefts.d", "goes_with_unknown", {})),
        (CONTENT, {"pairs": {**KEY["pairs"], "w": "w"}},
         ("key", "unknown_left", {"left": "w"})),
        (CONTENT, {"pairs": {"a": "w", "b": "x", "c": "y"}}, ("lefts.d", "goes_with_nothing", {})),
        (CONTENT, {"pairs": [["a", "w"]]}, ("key", "pairs_are_no_pairs", {})),
        (CONTENT, {"pairs": {**KEY["pairs"], "d": 4}}, ("key", "pairs_are_no_pairs", {})),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_draft_is_named_at_its_place(content, key, problem):
    assert problems(content, key) == [problem]


def test_a_draft_without_anything_lacks_both_sides():
    assert [(where, code) for where, code, _ in problems({}, {})] == [
        ("lefts", "side_is_no_list"),
        ("rights", "side_is_no_list"),
        ("lefts", "too_few_lefts"),
        ("rights", "too_few_rights"),
    ]


def test_rights_keep_their_order_where_the_author_says_so_and_lefts_always():
    assert kind.shufflable_ids(CONTENT) == tuple((id_, False) for id_ in RIGHTS)
    fixed = content_of(LEFTS, RIGHTS, shuffle=False)
    assert kind.shufflable_ids(fixed) == tuple((id_, True) for id_ in RIGHTS)
    presented = kind.public_view(CONTENT, ["z", "x", "w", "y"])
    assert presented.parts == {"lefts": list(LEFTS), "rights": ["z", "x", "w", "y"]}


def test_an_order_that_does_not_name_each_right_once_is_refused():
    for order in (["w"], ["w", "w", "x", "y"], list(LEFTS)):
        with pytest.raises(ValueError, match="every right"):
            kind.public_view(CONTENT, order)


def test_the_ledger_tells_what_became_of_each_left():
    assert ledger("awbwcy", "right_minus_wrong") == [
        ("a", "1/4", "right_pair"),
        ("b", "-1/4", "wrong_pair"),
        ("c", "1/4", "right_pair"),
        ("d", "0", "not_paired"),
    ]


def test_the_ledger_tells_which_rule_changed_the_sum():
    assert ledger("awbw", "all_or_nothing")[4:] == [("all_or_nothing", "-1/4", "not_all_right")]
    assert ledger("awbwcw", "right_minus_wrong")[4:] == [("floor", "1/4", "not_below_zero")]
    assert ledger("awbw", "right_minus_wrong")[4:] == []
    assert ledger("awbw", "per_pair")[4:] == ledger("bw", "all_or_nothing")[4:] == []


def test_the_reasons_begin_with_the_verdict_and_name_each_cause_once():
    assert marked("awbxcydw").reasons == ("full_credit",)
    assert marked("awbwcw").reasons == ("partial_credit", "not_paired", "wrong_pair")
    assert marked("bwcw", "right_minus_wrong").reasons == (
        "no_credit", "not_paired", "wrong_pair", "not_below_zero",
    )  # fmt: skip


def test_a_left_withdrawn_since_the_answer_counts_for_nothing_and_is_named():
    mark = marked("awbxcydwew", "right_minus_wrong")
    assert (mark.credit, mark.reasons) == (1, ("full_credit", "withdrawn"))
    line = mark.ledger[-1]
    assert (line.part, line.chosen, line.right, line.reason) == ("e", True, None, "withdrawn")


def test_a_right_withdrawn_since_the_answer_leaves_its_lefts_unpaired():
    mark = marked("awbvcvdw", "right_minus_wrong")
    assert mark.credit == Fraction(1, 2)
    assert [line.reason for line in mark.ledger] == [
        "right_pair", "not_paired", "not_paired", "right_pair", "withdrawn",
    ]  # fmt: skip
    assert mark.ledger[-1].part == "v"


def test_an_answer_of_which_nothing_is_left_earns_nothing():
    for pairs in ("ew", "av"):
        mark = marked(pairs, "all_or_nothing")
        assert (mark.credit, mark.reasons) == (0, ("unanswered", "withdrawn"))


@pytest.mark.parametrize(
    "answer",
    [
        {"pairs": {}},
        {"pairs": {"a": 1}},
        {"pairs": ["a"]},
        {"pairs": {"a": "w"}, "x": 1},
        {},
        "a",
        0,
    ],
)
def test_only_a_canonical_answer_is_marked(answer):
    with pytest.raises(ValueError, match="canonical"):
        kind.score(CONTENT, KEY, answer, "per_pair")


def test_content_and_key_that_did_not_pass_their_check_are_not_marked():
    with pytest.raises(ValueError, match="unchecked content"):
        kind.score({}, KEY, None, "per_pair")
    with pytest.raises(ValueError, match="unchecked key"):
        kind.score(CONTENT, {"pairs": 1}, None, "per_pair")


@pytest.mark.parametrize(
    ("pairs", "map_response", "match_correct", "bounded"),
    [
        ("awbxcydw", "1", "1", "1"),
        ("awbxcydx", "3/4", "0", "1/2"),
        ("awbxcwdx", "1/2", "0", "0"),
        ("awbwcwdx", "1/4", "0", "0"),
        ("axbwcwdx", "0", "0", "0"),
        ("awbxcy", "3/4", "0", "3/4"),
        ("dw", "1/4", "0", "1/4"),
        ("dz", "0", "0", "0"),
    ],
)
def test_marks_agree_with_response_processing_of_directed_pairs(
    pairs, map_response, match_correct, bounded
):
    """QTI: a map entry of 1/4 for each right pair, default 0; the whole set, or nothing; and a map
    whose default is -1/4 and whose lower bound is 0."""
    expected = {
        "per_pair": map_response,
        "all_or_nothing": match_correct,
        "right_minus_wrong": bounded,
    }
    assert {
        scoring_method: str(marked(pairs, scoring_method).credit)
        for scoring_method in kind.scoring_methods
    } == expected
