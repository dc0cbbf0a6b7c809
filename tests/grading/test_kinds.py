"""Every kind of the register tests itself by its examples; a new kind is found here by its name."""

import json
from collections.abc import Mapping

import pytest

from grading.contract import InvalidAnswer, ItemScore, NeedsManualGrading, PublicQuestion
from grading.kinds import KINDS
from tests.grading.examples import EXAMPLES, all_examples, examples, readable

ALL = all_examples()
READABLE = readable(ALL)
LEFT = [example for example in READABLE if example.shows == "needs_manual_grading"]
MARKED = [example for example in READABLE if example.shows != "needs_manual_grading"]
SOLVED = [
    example for example in ALL if KINDS[example.kind].correct_answer(example.content, example.key)
]
KIND = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
EACH = pytest.mark.parametrize("example", ALL, ids=str)
EACH_READABLE = pytest.mark.parametrize("example", READABLE, ids=str)
EACH_MARKED = pytest.mark.parametrize("example", MARKED, ids=str)


def mark(example, scoring_method):
    kind = KINDS[example.kind]
    return kind.score(example.content, example.key, example.source["answer"], scoring_method)


def listings(value):
    """Give the texts of each list within a JSON value."""
    if isinstance(value, Mapping):
        value = list(value.values())
    elif isinstance(value, list):
        yield [text for text in value if isinstance(text, str)]
    for part in value if isinstance(value, list) else ():
        yield from listings(part)


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_is_registered_under_its_own_name(name):
    assert KINDS[name].name == name


def test_every_kind_has_examples_and_every_file_of_examples_a_kind():
    assert {path.stem for path in EXAMPLES.glob("*.json")} == set(KINDS)


@KIND
def test_the_examples_of_a_kind_show_every_outcome(kind):
    example_outcomes = {example.shows for example in examples(kind.name)}
    outcomes = {"correct", "incorrect"} if kind.schema.graded else {"ungraded"}
    if kind.name not in {example.kind for example in SOLVED}:
        outcomes = {"needs_manual_grading"}
    # Of two options one earns all the points; what the other does to them is nothing, or a cost.
    has_parts = len(kind.scoring_methods) > 1 and kind is not KINDS["true_false"]
    partly = {"partially_correct"} if has_parts else set()
    assert outcomes | partly | {"format_error", "unanswered"} <= example_outcomes
    assert example_outcomes <= outcomes | {"partially_correct", "format_error", "unanswered"}


@KIND
def test_the_examples_of_a_kind_use_each_of_its_scoring_methods(kind):
    used = {
        scoring_method
        for example in examples(kind.name)
        for scoring_method in example.scoring_methods
    }
    assert used == set(kind.scoring_methods)


@KIND
def test_the_names_of_a_kinds_examples_tell_them_apart(kind):
    names = [str(example) for example in examples(kind.name)]
    assert len(names) == len(set(names))


@EACH
def test_the_question_of_an_example_has_no_problems(example):
    for scoring_method in example.scoring_methods:
        assert KINDS[example.kind].validate(example.content, example.key, scoring_method) == ()


@EACH
def test_an_unknown_scoring_method_is_a_problem_of_every_kind(example):
    problems = KINDS[example.kind].validate(example.content, example.key, "by_lot")
    assert ("scoring_method", "unknown_scoring_method") in {
        (problem.where, problem.code) for problem in problems
    }


@EACH
def test_an_example_is_read_as_it_says(example):
    read = KINDS[example.kind].parse(example.content, example.raw)
    if example.shows == "format_error":
        assert isinstance(read, InvalidAnswer)
        assert (read.code, read.detail["where"]) == (
            example.source["format_error"],
            example.source["where"],
        )
    else:
        assert read == example.source["answer"]
        assert (read is None) == (example.shows == "unanswered")


@EACH_READABLE
def test_a_canonical_answer_is_read_as_itself(example):
    answer = example.source["answer"]
    assert KINDS[example.kind].parse(example.content, answer) == answer


@EACH_MARKED
def test_an_example_earns_what_it_says_under_each_scoring_method(example):
    assert {
        scoring_method: mark(example, scoring_method).credit
        for scoring_method in example.scoring_methods
    } == example.scores


@EACH_MARKED
def test_an_example_shows_what_its_marks_say(example):
    default, *others = (
        example.scores[scoring_method] for scoring_method in example.scoring_methods
    )
    outcomes = {
        "correct": {default, *others} == {1},
        "partially_correct": any(0 < mark < 1 for mark in (default, *others)),
        "incorrect": default <= 0,
        "unanswered": {default, *others} == {0},
        "ungraded": {default, *others} == {0},
    }
    assert outcomes[example.shows]


@EACH_MARKED
def test_a_mark_survives_the_way_through_json(example):
    for scoring_method in example.scoring_methods:
        item_mark = mark(example, scoring_method)
        assert ItemScore.from_json(json.loads(json.dumps(item_mark.to_json()))) == item_mark


@EACH_MARKED
def test_an_unanswered_question_says_so(example):
    for scoring_method in example.scoring_methods:
        is_unanswered = mark(example, scoring_method).reasons == ("unanswered",)
        assert is_unanswered == (example.shows == "unanswered")


@pytest.mark.parametrize("example", LEFT, ids=str)
def test_what_no_machine_may_mark_is_left_to_a_person(example):
    for scoring_method in example.scoring_methods:
        assert mark(example, scoring_method) == NeedsManualGrading(
            example.source["needs_manual_grading"]
        )
    assert KINDS[example.kind].correct_answer(example.content, example.key) == {}


@pytest.mark.parametrize("example", SOLVED, ids=str)
def test_the_model_answer_is_canonical_and_earns_everything_there_is(example):
    kind = KINDS[example.kind]
    answer = kind.correct_answer(example.content, example.key)
    assert kind.parse(example.content, answer) == answer
    for scoring_method in example.scoring_methods:
        mark = kind.score(example.content, example.key, answer, scoring_method)
        assert isinstance(mark, ItemScore)
        assert mark.credit == (1 if kind.schema.graded else 0)


@EACH_MARKED
def test_a_kind_for_study_calls_nothing_right_or_wrong(example):
    for scoring_method in example.scoring_methods:
        reasons = mark(example, scoring_method).reasons
        assert (reasons == ("ungraded",)) == (example.shows == "ungraded")
        if not KINDS[example.kind].schema.graded:
            assert mark(example, scoring_method).ledger == ()


@EACH
def test_what_is_presented_names_every_part_in_the_order_asked_for(example):
    kind = KINDS[example.kind]
    order = [id_ for id_, _ in kind.shufflable_ids(example.content)][::-1]
    presented = kind.public_view(example.content, order)
    assert isinstance(presented, PublicQuestion)
    assert presented.kind == example.kind
    listed = [[id_ for id_ in ids if id_ in order] for ids in listings(presented.parts)]
    assert sorted(id_ for ids in listed for id_ in ids) == sorted(order)
    assert all(ids == sorted(ids, key=order.index) for ids in listed)


@EACH
def test_presenting_and_reading_never_ask_for_the_key(example):
    """The verbs have no parameter for it; what they give is JSON, and holds no word of it."""
    kind = KINDS[example.kind]
    order = [id_ for id_, _ in kind.shufflable_ids(example.content)]
    text = json.dumps(dict(kind.public_view(example.content, order).parts))
    assert not any(word in text for word in ('"right"', "weight", '"key"', "scoring_method"))


@EACH_MARKED
def test_nothing_chosen_that_earns_is_called_wrong(example):
    for scoring_method in example.scoring_methods:
        for line in mark(example, scoring_method).ledger:
            if line.chosen and line.earned > 0:
                assert line.right is not False, line
                assert "wrong" not in line.reason, line
