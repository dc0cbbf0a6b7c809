"""Schemas load a question into fields and rows, and dump it again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.kinds import KINDS
from grading.schema import (
    Field,
    FieldType,
    QuestionData,
    QuestionRow,
    QuestionSchema,
    Table,
    Text,
    TextSlot,
)
from tests.grading.examples import all_examples
from tests.grading.strategies import JSON

STEPS = QuestionSchema(
    texts=(Text("prompt", required=True), Text("back", is_feedback=True)),
    fields=(
        Field("shuffle", FieldType.FLAG, default=True),
        Field("limit", FieldType.COUNT, secret=True),
    ),
    tables=(
        Table("steps", (Field("costs", FieldType.RATIO, secret=True),), order_key="order"),
        Table("gaps", (Field("kind", FieldType.LINE),), placeholder_in="prompt"),
        Table(
            "notes",
            (Field("from", FieldType.RATIO, default=[0, 1]),),
            (Text("notes", is_feedback=True),),
            secret=True,
        ),
    ),
)


@pytest.mark.parametrize("example", all_examples(), ids=str)
def test_what_is_laid_out_and_put_together_says_the_same(example):
    schema = KINDS[example.kind].schema
    content, key = schema.dump(schema.load(example.content, example.key))
    kind = KINDS[example.kind]
    assert kind.correct_answer(content, key) == kind.correct_answer(example.content, example.key)
    assert schema.load(content, key) == schema.load(example.content, example.key)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@given(content=st.dictionaries(st.text(max_size=9), JSON), key=st.dictionaries(st.text(), JSON))
def test_any_draft_can_be_laid_out(kind, content, key):
    question = kind.schema.load(content, key)
    assert set(question.tables) == {table.name for table in kind.schema.tables}


def test_a_secret_order_leaves_the_content_without_it():
    rows = (QuestionRow("b", {"costs": [1, 2]}), QuestionRow("a", {"costs": None}))
    content, key = STEPS.dump(QuestionData(tables={"steps": rows}))
    assert content["steps"] == [{"id": "a"}, {"id": "b"}]
    assert key == {"order": ["b", "a"], "costs": {"b": [1, 2]}}
    assert STEPS.load(content, key).tables["steps"] == rows


def test_a_row_that_the_secret_order_forgot_comes_last():
    question = STEPS.load({"steps": [{"id": "a"}, {"id": "b"}]}, {"order": ["b", 7]})
    assert [row.id for row in question.tables["steps"]] == ["b", "a"]


def test_rows_of_a_secret_table_stand_in_the_key_alone():
    question = QuestionData({"limit": 3}, {"notes": (QuestionRow("n", {"from": [1, 2]}),)})
    content, key = STEPS.dump(question)
    assert content == {"shuffle": True, "steps": [], "gaps": []}
    assert key == {"order": [], "limit": 3, "notes": [{"id": "n", "from": [1, 2]}]}


def test_a_marked_row_keeps_its_mark():
    content, key = STEPS.dump(
        QuestionData(tables={"gaps": (QuestionRow("g", {"placeholder": "1"}),)})
    )
    assert content["gaps"] == [{"id": "g", "placeholder": "1"}]
    assert STEPS.load(content, key).tables["gaps"][0].values["placeholder"] == "1"


def test_places_name_every_text_and_who_may_see_it():
    slots = list(STEPS.iter_text_slots(STEPS.load({}, {"notes": [{"id": "n"}]})))
    assert slots == [
        TextSlot("prompt", "", required=True, is_feedback=False),
        TextSlot("back", "", required=False, is_feedback=True),
        TextSlot("notes", "n", required=False, is_feedback=True),
    ]
    assert [slot.path for slot in slots] == ["prompt", "back", "notes.n"]


def test_rows_are_named_over_all_tables():
    assert STEPS.list_row_ids(
        {"steps": [{"id": "a"}], "gaps": ["x", {}]}, {"notes": [{"id": "n"}]}
    ) == (
        "a",
        "n",
    )


GAPS = QuestionSchema(
    texts=(Text("prompt", required=True),),
    tables=(
        Table(
            "gaps",
            texts=(Text("hints", is_feedback=True),),
            placeholder_in="prompt",
            reveals_key=True,
        ),
        Table("notes", texts=(Text("notes", is_feedback=True),)),
    ),
)


def test_placeholders_are_those_of_their_text_that_have_a_mark():
    content = {
        "gaps": [{"id": "a", "placeholder": "one"}, {"id": "b", "placeholder": ""}],
        "notes": [],
    }
    assert GAPS.map_placeholders(content, "prompt") == {"one": "a"}
    assert GAPS.map_placeholders(content, "explanation") == {}


def test_parts_that_reveal_the_key_are_those_of_such_tables():
    assert GAPS.list_key_revealing_parts() == {"hints"}


def test_parts_of_secret_rows_are_not_public():
    assert STEPS.list_public_parts() == frozenset()
    assert KINDS["single_choice"].schema.list_public_parts() == {"options", "unchosen"}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_row_of_words_belongs_to_one_table_of_a_kind(kind):
    parts = [(text.name, text.is_feedback) for table in kind.schema.tables for text in table.texts]
    assert len(parts) == len(set(parts))
