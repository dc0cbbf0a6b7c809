"""What nobody changed stands as it was written, defaults left out and all."""

from hypothesis import given
from hypothesis import strategies as st

from quizzes.instructor.questions.merge_unchanged import merge_unchanged

PLAIN = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 2) | st.lists(st.integers(0, 1)))


@given(PLAIN, PLAIN.filter(bool))
def test_nothing_changed_changes_nothing(read, raw):
    assert merge_unchanged(read, read, raw) == raw


@given(PLAIN, PLAIN, PLAIN)
def test_whatever_changed_is_there_as_it_is_now(new, was, raw):
    merged = merge_unchanged(new, was, raw)
    assert all(merged[name] == value for name, value in new.items() if value != was.get(name))


def test_what_was_never_written_is_written_out_whole():
    assert merge_unchanged({"right": []}, {"right": []}, {}) == {"right": []}


def test_a_row_that_nobody_touched_keeps_what_it_left_out_and_what_no_page_shows():
    raw = {"options": [{"id": "a", "more": 1}, {"id": "b"}], "other": True}
    was = {"options": [{"id": "a", "pinned": False}, {"id": "b", "pinned": False}]}
    new = {"options": [{"id": "b", "pinned": True}, {"id": "a", "pinned": False}, {"id": "c"}]}
    assert merge_unchanged(new, was, raw) == {
        "options": [{"id": "b", "pinned": True}, {"id": "a", "more": 1}, {"id": "c"}],
        "other": True,
    }


def test_what_is_taken_away_is_gone():
    assert merge_unchanged(
        {"a": 1}, {"a": 1, "weights": {"x": 2}}, {"a": 1, "weights": {"x": 2}}
    ) == {"a": 1}


def test_rows_that_cannot_be_read_are_no_rows():
    raw = {"options": ["b", {"id": 3}, {"id": "a", "x": 1}]}
    merged = merge_unchanged({"options": [{"id": "a", "y": 1}]}, {"options": [{"id": "a"}]}, raw)
    assert merged == {"options": [{"id": "a", "x": 1, "y": 1}]}
