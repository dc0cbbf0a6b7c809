"""Ordering: what holds for every order looked for, every answer and every scoring_method."""

from dataclasses import dataclass
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.contract import InvalidAnswer
from grading.kinds import KINDS
from tests.grading.strategies import JSON

kind: Any = KINDS["ordering"]
SCORING_METHOD = pytest.mark.parametrize("scoring_method", kind.scoring_methods)


def content_of(ids):
    return {"items": [{"id": id_} for id_ in sorted(ids)]}


def marked(answer, scoring_method, looked_for="abcde", content=None):
    content = content or content_of(looked_for)
    return kind.score(content, {"order": list(looked_for)}, {"order": list(answer)}, scoring_method)


def ledger(answer, scoring_method, looked_for="abcde"):
    lines = marked(answer, scoring_method, looked_for).ledger
    return [(line.part, str(line.earned), line.reason) for line in lines]


@dataclass(frozen=True)
class Drawn:
    """An order looked for, one that was given, and the scoring method it is marked by."""

    looked_for: tuple[str, ...]
    answer: tuple[str, ...]
    scoring_method: str

    @property
    def content(self):
        return content_of(self.looked_for)

    @property
    def key(self):
        return {"order": list(self.looked_for)}

    def mark(self, answer=None):
        return marked(answer or self.answer, self.scoring_method, self.looked_for)


@st.composite
def drawn(draw, scoring_methods=kind.scoring_methods):
    ids = "abcdefg"[: draw(st.integers(2, 7))]
    orders = st.permutations(ids).map(tuple)
    return Drawn(draw(orders), draw(orders), draw(st.sampled_from(scoring_methods)))


ANY = drawn()


def test_a_share_for_each_item_in_its_place_is_the_default():
    assert kind.scoring_methods == (
        "exact_place", "all_or_nothing", "adjacent_pairs", "longest_run", "absolute_position",
    )  # fmt: skip


@given(ANY)
def test_what_is_drawn_passes_the_check(question):
    assert kind.validate(question.content, question.key, question.scoring_method) == ()


@given(ANY)
def test_a_credit_lies_between_nothing_and_everything_and_the_ledger_adds_up_to_it(question):
    mark = question.mark()
    assert 0 <= mark.credit <= 1
    assert sum(line.earned for line in mark.ledger) == mark.credit


@given(ANY)
def test_the_ledger_begins_with_one_line_for_every_item_in_the_learners_order(question):
    """Not in the right one: the order of lines would tell the key."""
    lines = question.mark().ledger
    assert tuple(line.part for line in lines[: len(question.answer)]) == question.answer
    assert {line.chosen for line in lines[len(question.answer) :]} <= {None}


@given(ANY)
def test_only_the_order_looked_for_earns_everything(question):
    assert (question.mark().credit == 1) == (question.answer == question.looked_for)


@given(ANY)
def test_in_the_order_looked_for_every_item_is_right(question):
    mark = question.mark(question.looked_for)
    assert {line.right for line in mark.ledger} == {True}
    assert mark.reasons == ("full_credit",)


@given(drawn(scoring_methods=("exact_place", "all_or_nothing", "absolute_position")))
def test_to_change_two_neighbours_about_that_stand_wrongly_to_each_other_never_hurts(question):
    """By places, that is, but for those that stand in theirs."""
    given_, before = question.answer, question.mark()
    places = {id_: at for at, id_ in enumerate(question.looked_for)}
    right = {line.part for line in before.ledger if line.right}
    for at in range(len(given_) - 1):
        later, sooner = given_[at], given_[at + 1]
        if places[later] > places[sooner] and not right & {later, sooner}:
            better = (*given_[:at], sooner, later, *given_[at + 2 :])
            assert question.mark(better).credit >= before.credit


@given(ANY)
def test_what_an_item_earns_never_tells_more_than_whether_it_is_right(question):
    """Two items that are both right, or both wrong, earn the same, but for who begins a run."""
    lines = [line for line in question.mark().ledger if line.chosen]
    assert {line.earned for line in lines if not line.right} <= {0}
    begins = lines[0].part if question.scoring_method == "adjacent_pairs" else None
    assert len({line.earned for line in lines if line.right and line.part != begins}) <= 1


@given(ANY)
def test_how_the_items_are_stored_never_changes_anything(question):
    stored = {"items": question.content["items"][::-1]}
    assert kind.shufflable_ids(stored) == kind.shufflable_ids(question.content)
    other = marked(question.answer, question.scoring_method, question.looked_for, stored)
    assert other == question.mark()


@given(ANY)
def test_what_is_read_is_canonical_and_reading_it_again_changes_nothing(question):
    places = {id_: at for at, id_ in enumerate(question.answer, 1)}
    answer = kind.parse(question.content, {"places": places})
    assert answer == {"order": list(question.answer)} == kind.parse(question.content, answer)


@given(ANY)
def test_the_model_answer_earns_everything(question):
    answer = kind.correct_answer(question.content, question.key)
    assert kind.parse(question.content, answer) == answer
    assert question.mark(tuple(answer["order"])).credit == 1


@given(ANY)
def test_a_question_of_an_order_is_stored_just_as_its_shape_says(question):
    loaded = kind.schema.load(question.content, question.key)
    assert kind.schema.dump(loaded) == (question.content, question.key)


@SCORING_METHOD
def test_unanswered_earns_nothing_and_its_lines_tell_no_order(scoring_method):
    mark = kind.score(content_of("abc"), {"order": list("cab")}, None, scoring_method)
    assert (mark.credit, mark.reasons) == (0, ("unanswered",))
    assert [(line.part, line.chosen, line.reason) for line in mark.ledger] == [
        (id_, False, "unanswered") for id_ in "abc"
    ]


IDS: Any = st.lists(st.sampled_from("abcx"), max_size=4)
PLACES: Any = st.dictionaries(st.sampled_from("abcx"), st.integers(-1, 5) | JSON)


@given(JSON | st.fixed_dictionaries({"order": IDS | JSON}) | st.builds(dict, places=PLACES | JSON))
def test_reading_never_raises_whatever_is_sent(raw):
    content = content_of("abc")
    read = kind.parse(content, raw)
    assert read is None or isinstance(read, InvalidAnswer) or kind.parse(content, read) == read


@given(JSON, JSON | IDS, st.text(max_size=5))
def test_checking_never_raises_whatever_the_draft_holds(items, order, scoring_method):
    assert kind.validate({"items": items}, {"order": order}, scoring_method)
    if isinstance(items, dict):
        assert kind.validate(items, items, scoring_method)


def test_an_order_and_places_at_once_are_not_read():
    read = kind.parse(content_of("ab"), {"order": ["a", "b"], "places": {"a": 1, "b": 2}})
    assert (read.code, read.detail) == ("unknown_field", {"where": "answer"})


@pytest.mark.parametrize(
    ("raw", "code", "where"),
    [
        ({"order": "ab"}, "not_a_list", "order"),
        ({"places": ["a", "b"]}, "not_an_object", "places"),
        ({"places": {"c": 1}}, "unknown_item", "places"),
        ({"places": {"a": True}}, "not_a_place", "places.a"),
        ({"places": {"a": 0}}, "not_a_place", "places.a"),
        ({"places": {"a": "1"}}, "not_a_place", "places.a"),
        ({"sequence": []}, "unknown_field", "answer"),
    ],
)
def test_what_cannot_be_read_says_why_and_where(raw, code, where):
    read = kind.parse(content_of("ab"), raw)
    assert (read.code, read.detail) == (code, {"where": where})


def test_no_place_at_all_is_no_answer():
    assert kind.parse(content_of("ab"), {"places": {}}) is None
    assert kind.parse(content_of("ab"), {}) is None


@pytest.mark.parametrize(
    ("items", "order", "problem"),
    [
        ([{"id": "a"}], ["a"], ("items", "too_few_items", {"minimum": 2, "found": 1})),
        ([{"id": "a"}, {"id": "b"}, {}], ["a", "b"],
         ("items", "row_without_id", {"position": 2})),
        ([{"id": "a"}, {"id": "b"}, {"id": "a"}], ["a", "b"], ("items.a", "duplicate_id", {})),
        ([{"id": "a"}, {"id": "distance"}], ["a", "distance"],
         ("items.distance", "reserved_id", {})),
        ([{"id": "a"}, {"id": "b"}], ["a", "b", "a"], ("key", "order_is_no_order", {})),
        ([{"id": "a"}, {"id": "b"}], "ab", ("key", "order_is_no_order", {})),
        ([{"id": "a"}, {"id": "b"}], ["a", 2], ("key", "order_is_no_order", {})),
        ([{"id": "a"}, {"id": "b"}], ["a", "b", "c"], ("key", "unknown_item", {"item": "c"})),
        ([{"id": "a"}, {"id": "b"}], ["b"], ("items.a", "not_in_order", {})),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_draft_is_named_at_its_place(items, order, problem):
    problems = kind.validate({"items": items}, {"order": order}, "exact_place")
    assert [(problem.where, problem.code, dict(problem.detail)) for problem in problems] == [
        problem
    ]


def test_a_draft_without_anything_lacks_items_and_order():
    assert [(problem.where, problem.code) for problem in kind.validate({}, {}, "exact_place")] == [
        ("items", "items_are_no_list"),
        ("items", "too_few_items"),
        ("key", "order_is_no_order"),
    ]


def test_no_item_keeps_its_place_and_each_is_presented_once():
    content = content_of("abc")
    assert kind.shufflable_ids(content) == (("a", False), ("b", False), ("c", False))
    assert kind.public_view(content, ["c", "a", "b"]).parts == {"items": ["c", "a", "b"]}
    for order in (["a", "b"], ["a", "b", "b", "c"], ["a", "b", "d"]):
        with pytest.raises(ValueError, match="every item"):
            kind.public_view(content, order)


TABLE = {
    #        exact  all  adjacent  run   absolute
    "abc": ("1",   "1",  "1",    "1",    "1"),
    "acb": ("1/3", "0",  "0",    "0",    "1/2"),
    "bac": ("1/3", "0",  "0",    "0",    "1/2"),
    "bca": ("0",   "0",  "1/2",  "1/2",  "0"),
    "cab": ("0",   "0",  "1/2",  "1/2",  "0"),
    "cba": ("1/3", "0",  "0",    "0",    "0"),
    "abcd": ("1",  "1",  "1",    "1",    "1"),
    "abdc": ("1/2", "0", "1/3",  "1/3",  "3/4"),
    "acdb": ("1/4", "0", "1/3",  "1/3",  "1/2"),
    "bcda": ("0",  "0",  "2/3",  "2/3",  "1/4"),
    "cdab": ("0",  "0",  "2/3",  "1/3",  "0"),
    "badc": ("0",  "0",  "0",    "0",    "1/2"),
    "dcba": ("0",  "0",  "0",    "0",    "0"),
}  # fmt: skip
"""Worked by hand from the definitions, for the order of the alphabet."""


@pytest.mark.parametrize("answer", TABLE)
def test_an_answer_earns_what_the_definitions_say(answer):
    looked_for = "".join(sorted(answer))
    scores = tuple(
        str(marked(answer, scoring_method, looked_for).credit)
        for scoring_method in kind.scoring_methods
    )
    assert scores == TABLE[answer]


@pytest.mark.parametrize("looked_for", ["ab", "abcde", "bdaec"])
def test_marks_agree_with_match_correct_of_an_order_interaction(looked_for):
    """QTI: the response matches the correct one, each at its place, or it scores nothing."""
    for answer in permutations(looked_for):
        expected = 1 if answer == tuple(looked_for) else 0
        assert marked(answer, "all_or_nothing", looked_for).credit == expected


def test_the_greatest_distance_there_can_be_earns_nothing_by_absolute_position():
    assert (
        min(
            marked(permutation, "absolute_position").credit for permutation in permutations("abcde")
        )
        == 0
    )


@pytest.mark.parametrize(
    ("scoring_method", "lines"),
    [
        ("exact_place", [
            ("a", "1/5", "in_place"), ("b", "1/5", "in_place"), ("e", "0", "out_of_place"),
            ("c", "0", "out_of_place"), ("d", "0", "out_of_place"),
        ]),
        ("all_or_nothing", [
            ("a", "1/5", "in_place"), ("b", "1/5", "in_place"), ("e", "0", "out_of_place"),
            ("c", "0", "out_of_place"), ("d", "0", "out_of_place"),
            ("all_or_nothing", "-2/5", "not_all_right"),
        ]),
        ("adjacent_pairs", [
            ("a", "0", "follows_rightly"), ("b", "1/4", "follows_rightly"),
            ("e", "0", "follows_wrongly"), ("c", "0", "follows_wrongly"),
            ("d", "1/4", "follows_rightly"),
        ]),
        ("longest_run", [
            ("a", "1/8", "in_run"), ("b", "1/8", "in_run"), ("e", "0", "outside_run"),
            ("c", "0", "outside_run"), ("d", "0", "outside_run"),
        ]),
        ("absolute_position", [
            ("a", "1/5", "in_place"), ("b", "1/5", "in_place"), ("e", "0", "out_of_place"),
            ("c", "0", "out_of_place"), ("d", "0", "out_of_place"),
            ("distance", "4/15", "by_distance"),
        ]),
    ],
)  # fmt: skip
def test_the_ledger_tells_what_each_item_earned(scoring_method, lines):
    assert ledger("abecd", scoring_method) == lines


def test_distances_may_take_what_an_item_in_its_place_earned():
    assert ledger("cba", "absolute_position", "abc")[-2:] == [
        ("a", "0", "out_of_place"),
        ("distance", "-1/3", "by_distance"),
    ]


def test_where_nothing_is_in_its_place_all_or_nothing_needs_no_rule():
    assert [part for part, _, _ in ledger("bcdea", "all_or_nothing")] == list("bcdea")


def test_the_reasons_begin_with_the_verdict_and_name_each_cause_once():
    assert marked("abecd", "absolute_position").reasons == (
        "partial_credit", "out_of_place", "by_distance",
    )  # fmt: skip
    assert marked("edcba", "longest_run").reasons == ("no_credit", "outside_run")


@SCORING_METHOD
def test_an_item_withdrawn_since_the_answer_leaves_and_the_others_move_up(scoring_method):
    mark = marked("axbcde", scoring_method)
    assert (mark.credit, mark.reasons) == (1, ("full_credit", "withdrawn"))
    (line,) = (line for line in mark.ledger if line.part == "x")
    assert (line.chosen, line.right, line.earned, line.reason) == (True, None, 0, "withdrawn")


@pytest.mark.parametrize(
    ("scoring_method", "credit"),
    [
        ("exact_place", "4/5"),
        ("all_or_nothing", "0"),
        ("adjacent_pairs", "1/2"),
        ("longest_run", "1/4"),
        ("absolute_position", "4/5"),
    ],
)
def test_an_item_that_is_new_since_the_answer_has_no_place_and_earns_nothing(
    scoring_method, credit
):
    mark = marked("abde", scoring_method)
    assert str(mark.credit) == credit
    assert "not_placed" in mark.reasons
    (line,) = (line for line in mark.ledger if line.part == "c")
    assert (line.chosen, line.right, line.earned) == (False, None, 0)


@SCORING_METHOD
def test_no_order_that_lacks_items_earns_less_than_nothing(scoring_method):
    for size in range(1, 6):
        for answer in permutations("abcde", size):
            assert marked(answer, scoring_method).credit >= 0


@SCORING_METHOD
def test_an_answer_of_which_nothing_is_left_earns_nothing(scoring_method):
    mark = marked("xyz", scoring_method)
    assert (mark.credit, mark.reasons) == (0, ("unanswered", "withdrawn"))


@pytest.mark.parametrize(
    "answer",
    [{"order": []}, {"order": ["a", 1]}, {"order": ["a", "a"]}, {}, {"order": "a"}, "a", 0],
)
def test_only_a_canonical_answer_is_marked(answer):
    with pytest.raises(ValueError, match="canonical"):
        kind.score(content_of("ab"), {"order": ["a", "b"]}, answer, "exact_place")


def test_content_and_key_that_did_not_pass_their_check_are_not_marked():
    with pytest.raises(ValueError, match="unchecked content"):
        kind.score({}, {"order": ["a", "b"]}, None, "exact_place")
    with pytest.raises(ValueError, match="unchecked key"):
        kind.score(content_of("ab"), {}, None, "exact_place")
