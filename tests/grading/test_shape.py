"""Shapes lay a question out as fields and rows, and put it together again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.kinds import KINDS
from grading.shape import (
    Field,
    Holds,
    Layout,
    Place,
    Row,
    Shape,
    Table,
    Text,
    lay_out,
    places,
    public_parts,
    put_together,
    row_ids,
)
from tests.grading.examples import all_examples
from tests.grading.strategies import JSON

STEPS = Shape(
    texts=(Text("prompt", required=True), Text("back", told=True)),
    fields=(Field("shuffle", Holds.FLAG, default=True), Field("limit", Holds.COUNT, secret=True)),
    tables=(
        Table("steps", (Field("costs", Holds.RATIO, secret=True),), order="order"),
        Table("gaps", (Field("kind", Holds.LINE),), marked="prompt"),
        Table(
            "notes",
            (Field("from", Holds.RATIO, default=[0, 1]),),
            (Text("notes", told=True),),
            secret=True,
        ),
    ),
)


@pytest.mark.parametrize("example", all_examples(), ids=str)
def test_what_is_laid_out_and_put_together_says_the_same(example):
    shape = KINDS[example.kind].shape
    content, key = put_together(shape, lay_out(shape, example.content, example.key))
    kind = KINDS[example.kind]
    assert kind.solution(content, key) == kind.solution(example.content, example.key)
    assert lay_out(shape, content, key) == lay_out(shape, example.content, example.key)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@given(content=st.dictionaries(st.text(max_size=9), JSON), key=st.dictionaries(st.text(), JSON))
def test_any_draft_can_be_laid_out(kind, content, key):
    laid = lay_out(kind.shape, content, key)
    assert set(laid.tables) == {table.name for table in kind.shape.tables}


def test_a_secret_order_leaves_the_content_without_it():
    rows = (Row("b", {"costs": [1, 2]}), Row("a", {"costs": None}))
    content, key = put_together(STEPS, Layout(tables={"steps": rows}))
    assert content["steps"] == [{"id": "a"}, {"id": "b"}]
    assert key == {"order": ["b", "a"], "costs": {"b": [1, 2]}}
    assert lay_out(STEPS, content, key).tables["steps"] == rows


def test_a_row_that_the_secret_order_forgot_comes_last():
    laid = lay_out(STEPS, {"steps": [{"id": "a"}, {"id": "b"}]}, {"order": ["b", 7]})
    assert [row.id for row in laid.tables["steps"]] == ["b", "a"]


def test_rows_of_a_secret_table_stand_in_the_key_alone():
    layout = Layout({"limit": 3}, {"notes": (Row("n", {"from": [1, 2]}),)})
    content, key = put_together(STEPS, layout)
    assert content == {"shuffle": True, "steps": [], "gaps": []}
    assert key == {"order": [], "limit": 3, "notes": [{"id": "n", "from": [1, 2]}]}


def test_a_marked_row_keeps_its_mark():
    content, key = put_together(STEPS, Layout(tables={"gaps": (Row("g", {"mark": "1"}),)}))
    assert content["gaps"] == [{"id": "g", "mark": "1"}]
    assert lay_out(STEPS, content, key).tables["gaps"][0].values["mark"] == "1"


def test_places_name_every_text_and_who_may_see_it():
    found = list(places(STEPS, {}, {"notes": [{"id": "n"}]}))
    assert found == [
        Place("prompt", "", required=True, told=False),
        Place("back", "", required=False, told=True),
        Place("notes", "n", required=False, told=True),
    ]
    assert [place.path for place in found] == ["prompt", "back", "notes.n"]


def test_rows_are_named_over_all_tables():
    assert row_ids(
        STEPS, {"steps": [{"id": "a"}], "gaps": ["x", {}]}, {"notes": [{"id": "n"}]}
    ) == (
        "a",
        "n",
    )


def test_parts_of_secret_rows_are_not_public():
    assert public_parts(STEPS) == frozenset()
    assert public_parts(KINDS["single_choice"].shape) == {"options", "unchosen"}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_row_of_words_belongs_to_one_table_of_a_kind(kind):
    parts = [(text.name, text.told) for table in kind.shape.tables for text in table.texts]
    assert len(parts) == len(set(parts))
