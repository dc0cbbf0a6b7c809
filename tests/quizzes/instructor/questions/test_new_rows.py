"""New rows get names, and whatever names a row that is there again follows it to its id."""

from hypothesis import given
from hypothesis import strategies as st

from grading.kinds import KINDS
from grading.schema import FieldType
from quizzes.instructor.questions.form_data import QuestionFormData, RowFormData
from quizzes.instructor.questions.new_rows import complete_new_rows

PAIRS, CHOICE, CLOZE = (KINDS[kind].schema for kind in ("matching", "multiple_choice", "cloze"))


def form_data(**tables: list[RowFormData]) -> QuestionFormData:
    return QuestionFormData("", "", "en", tables=tables)


def names(named: QuestionFormData) -> list[str]:
    return [row.name for row in named.rows()]


def test_each_table_counts_its_own_and_the_first_in_letters():
    rights, lefts = [RowFormData("1"), RowFormData("2")], [RowFormData("3"), RowFormData("4")]
    named = complete_new_rows(form_data(rights=rights, lefts=lefts), PAIRS, {})
    assert names(named) == ["a", "b", "l1", "l2"]


def test_a_name_that_is_typed_is_kept_if_it_is_free_in_all_tables():
    rights = [RowFormData("id-1"), RowFormData("1", name="dog")]
    lefts = [RowFormData("2", name="dog"), RowFormData("3", name="a")]
    named = complete_new_rows(form_data(rights=rights, lefts=lefts), PAIRS, {"id-1": "a"})
    assert names(named) == ["a", "dog", "l1", "l2"]


@given(st.lists(st.sampled_from(["", "a", "b", "o1", "other"]), max_size=60))
def test_no_two_rows_have_one_name(typed):
    rows = [RowFormData(str(number), name=name) for number, name in enumerate(typed)]
    named = names(complete_new_rows(form_data(options=rows), CHOICE, {}))
    assert len(set(named)) == len(typed)
    assert all(named)


def test_a_mark_names_its_row_and_a_name_marks_it():
    gaps = [
        RowFormData("1", values={"placeholder": "The Town"}),
        RowFormData("2", values={"placeholder": " "}),
    ]
    named = complete_new_rows(form_data(gaps=gaps), CLOZE, {}).tables["gaps"]
    assert [row.name for row in named] == ["the-town", "a"]
    assert [row.values["placeholder"] for row in named] == ["The Town", "a"]


def test_a_row_with_the_name_of_one_that_was_removed_is_that_row():
    rights = [RowFormData("1", name="dog"), RowFormData("id-2")]
    lefts = [
        RowFormData(str(number), values={"goes_with": id_})
        for number, id_ in enumerate(("1", "id-2", "gone", ""), start=2)
    ]
    existing = {"id-2": "cat", "id-3": "dog"}
    named = complete_new_rows(form_data(rights=rights, lefts=lefts), PAIRS, existing)
    assert [row.id for row in named.tables["rights"]] == ["id-3", "id-2"]
    assert [row.values["goes_with"] for row in named.tables["lefts"]] == [
        *("id-3", "id-2", "gone", "")
    ]


def test_rows_that_are_named_together_follow_too():
    options = [RowFormData("1", name="a"), RowFormData("2")]
    combinations = [RowFormData("3", values={"chosen": ("1", "2")})]
    named = complete_new_rows(
        form_data(options=options, combination_feedback=combinations), CHOICE, {"id": "a"}
    )
    assert named.tables["combination_feedback"][0].values["chosen"] == ("id", "2")


def test_a_row_is_named_by_rows_of_later_tables_alone():
    """So the ids of all rows that a row names are known before it is read."""
    for kind in KINDS.values():
        earlier: set[str] = set()
        for table in kind.schema.tables:
            for field in table.fields:
                if field.type in {FieldType.ROW, FieldType.ROWS}:
                    assert field.choices[0] in earlier
            earlier.add(table.name)
