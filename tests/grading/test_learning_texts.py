"""Hints, and which texts may come before the key, of a question of any kind."""

import pytest

from grading.kinds import KINDS
from grading.learning_texts import EarlyTexts, find_early_texts
from grading.schema import QuestionData, QuestionRow

CHOICE = KINDS["multiple_choice"].schema
GRADED = [kind for kind in KINDS.values() if kind.schema.graded]


def test_hints_keep_their_order_and_safe_texts_are_named_by_row_or_text():
    rows = [QuestionRow("a", {"right": True, "safe": True}), QuestionRow("b", {"right": False})]
    hints = [QuestionRow("h2"), QuestionRow("h1")]
    content, key = CHOICE.dump(
        QuestionData({"explanation_safe": True}, {"options": rows, "hints": hints})
    )
    early = find_early_texts(CHOICE, content, key)
    assert early == EarlyTexts(("h2", "h1"), frozenset({"a", "explanation"}))
    assert early.is_explanation_safe
    assert "h1" not in str(content)
    assert "safe" not in str(content)


@pytest.mark.parametrize("kind", GRADED, ids=lambda kind: kind.name)
def test_what_nobody_called_safe_leaves_no_trace(kind):
    rows = {table.name: [QuestionRow("x", {"safe": False})] for table in kind.schema.tables}
    fields = {field.name: field.default for field in kind.schema.fields}
    content, key = kind.schema.dump(QuestionData(fields, rows))
    assert "safe" not in f"{content} {key}"
    assert find_early_texts(kind.schema, content, key) == EarlyTexts(("x",))


@pytest.mark.parametrize("kind", GRADED, ids=lambda kind: kind.name)
def test_every_graded_kind_has_hints_a_link_and_a_safe_explanation(kind):
    names = {part.name for part in (*kind.schema.texts, *kind.schema.fields, *kind.schema.tables)}
    assert names >= {"hints", "reading_link", "explanation_safe"}


def test_a_safe_flag_says_nothing_of_what_is_right():
    (options,) = [table for table in CHOICE.tables if table.name == "options"]
    assert [field.name for field in options.key_fields] == ["right", "weight"]
