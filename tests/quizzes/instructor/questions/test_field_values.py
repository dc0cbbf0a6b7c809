"""What a control holds and what it means: each value comes back as it was, typed or untouched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.json_types import ratio_to_json
from grading.schema import Field, FieldType
from quizzes.instructor.questions.field_values import format_value, parse_value, update_value

RATIO, COUNT, LINE = (
    Field(type_.value, type_) for type_ in (FieldType.RATIO, FieldType.COUNT, FieldType.LINE)
)
FLAG = Field("flag", FieldType.FLAG, default=False)
ROWS = Field("rows", FieldType.ROWS, default=[], choices=("options",))

JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
FIELDS = st.sampled_from([RATIO, COUNT, LINE, FLAG, ROWS])


@given(st.fractions(max_denominator=99_999, min_value=-900, max_value=900))
def test_a_ratio_comes_back_exactly(value):
    assert parse_value(RATIO, format_value(RATIO, ratio_to_json(value))) == ratio_to_json(value)


@given(st.integers(min_value=0, max_value=999_999_999))
def test_a_count_comes_back(value):
    assert parse_value(COUNT, format_value(COUNT, value)) == value


@given(st.text(alphabet=st.characters(codec="utf-8"), min_size=1).map(str.strip).filter(bool))
def test_a_line_comes_back(value):
    assert parse_value(LINE, format_value(LINE, value)) == value


@given(st.booleans(), st.lists(st.text()))
def test_ticks_and_named_rows_come_back(flag, ids):
    assert parse_value(FLAG, format_value(FLAG, flag)) is flag
    assert parse_value(ROWS, format_value(ROWS, ids)) == ids


@given(FIELDS, JUNK)
def test_a_control_that_nobody_touched_changes_nothing(field, value):
    assert update_value(field, format_value(field, value), value) == value


@pytest.mark.parametrize(
    ("field", "typed", "value"),
    [
        (RATIO, " 1 / 3 ", [1, 3]),
        (RATIO, "33,5 %", [67, 200]),
        (RATIO, "80\N{NO-BREAK SPACE}%", [4, 5]),
        (RATIO, "", None),
        (RATIO, "1/0", "1/0"),
        (RATIO, "9" * 40, "9" * 40),
        (COUNT, " 7 ", 7),
        (COUNT, "-7", "-7"),
        (COUNT, "٣", "٣"),
        (COUNT, "1" * 10, "1" * 10),
        (LINE, "  a word ", "a word"),
        (LINE, "   ", None),
    ],
)
def test_what_is_typed_is_read_or_kept_as_it_is(field, typed, value):
    assert parse_value(field, typed) == value
