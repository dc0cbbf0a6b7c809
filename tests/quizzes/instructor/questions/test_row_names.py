"""New rows get names and, once saved, ids; whatever names them follows."""

from hypothesis import given
from hypothesis import strategies as st

from grading.kinds import KINDS
from quizzes.instructor.questions.form_data import QuestionFormData, RowFormData
from quizzes.instructor.questions.row_names import (
    assign_row_names,
    build_temporary_id,
    is_temporary_id,
    keep_temporary_ids,
    renumber_temporary_ids,
    resolve_row_ids,
)

PAIRS, CHOICE, CLOZE = (KINDS[kind].schema for kind in ("matching", "multiple_choice", "cloze"))


def authored(**tables: list[RowFormData]) -> QuestionFormData:
    return QuestionFormData("", "", "en", tables=tables)


def names(made: QuestionFormData) -> list[str]:
    return [row.name for row in made.rows()]


def test_each_table_counts_its_own_and_the_first_in_letters():
    rights = [RowFormData("new-rights-0"), RowFormData("new-rights-1")]
    lefts = [RowFormData("new-lefts-0"), RowFormData("new-lefts-1")]
    made = assign_row_names(authored(rights=rights, lefts=lefts), PAIRS, {})
    assert names(made) == ["a", "b", "l1", "l2"]


def test_a_name_that_is_typed_is_kept_if_it_is_free_in_all_tables():
    rights = [RowFormData("id-1"), RowFormData("new-rights-1", name="dog")]
    lefts = [RowFormData("new-lefts-0", name="dog"), RowFormData("new-lefts-1", name="a")]
    made = assign_row_names(
        authored(rights=rights, lefts=lefts), PAIRS, {"id-1": "a", "gone": "dog"}
    )
    assert names(made) == ["a", "dog", "l1", "l2"]


@given(st.lists(st.sampled_from(["", "a", "b", "o1", "other"]), max_size=60))
def test_no_two_rows_have_one_name(typed):
    rows = [RowFormData(f"new-options-{n}", name=name) for n, name in enumerate(typed)]
    made = names(assign_row_names(authored(options=rows), CHOICE, {}))
    assert len(set(made)) == len(typed)
    assert all(made)


def test_a_mark_names_its_row_and_a_name_marks_it():
    gaps = [
        RowFormData("new-gaps-0", values={"placeholder": "The Town"}),
        RowFormData("new-gaps-1", values={"placeholder": " "}),
    ]
    made = assign_row_names(authored(gaps=gaps), CLOZE, {}).tables["gaps"]
    assert [row.name for row in made] == ["the-town", "a"]
    assert [row.values["placeholder"] for row in made] == ["The Town", "a"]


def test_what_names_a_row_follows_it_to_its_id():
    rights = [RowFormData("new-rights-3"), RowFormData("id-2")]
    lefts = [
        RowFormData("new-lefts-0", values={"goes_with": named})
        for named in ("new-rights-3", "id-2", "new-rights-9", "")
    ]
    made = resolve_row_ids(authored(rights=rights, lefts=lefts), PAIRS, {"new-rights-3": "id-3"})
    assert [row.id for row in made.tables["rights"]] == ["id-3", "id-2"]
    assert [row.values["goes_with"] for row in made.tables["lefts"]] == ["id-3", "id-2", "", ""]


def test_rows_named_together_lose_only_those_that_are_not_there():
    rows = [
        RowFormData(
            "new-combination_feedback-0",
            values={"chosen": ("new-options-1", "id", "new-options-2")},
        )
    ]
    kept = keep_temporary_ids(["new-options-1", "id"])
    made = resolve_row_ids(authored(combination_feedback=rows), CHOICE, kept)
    assert made.tables["combination_feedback"][0].values["chosen"] == ("new-options-1", "id")


def test_on_a_page_drawn_again_new_rows_are_called_by_their_lines():
    rows = [RowFormData("id-1"), RowFormData("new-options-7"), RowFormData("new-options-2")]
    assert renumber_temporary_ids(authored(options=rows)) == {
        "new-options-7": build_temporary_id("options", "1"),
        "new-options-2": build_temporary_id("options", "2"),
    }
    assert is_temporary_id(build_temporary_id("options", "1"))
    assert not is_temporary_id("0c1e6f5e-new")
