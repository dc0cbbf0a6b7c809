"""Every finding is shown somewhere on the page, at the nearest control there is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.kinds import KINDS
from quizzes.instructor.questions.error_placement import PAGE, candidate_controls, place_notes
from quizzes.presentation.draft_notes import Note

CLOZE, CHOICE, PAIRS = (KINDS[kind].schema for kind in ("cloze", "multiple_choice", "matching"))

PARTS = (
    "words",
    "feedback",
    "key",
    "content",
    "en",
    "es",
    "prompt",
    "options",
    "score_feedback",
    "a",
    "",
)
WHERE = st.lists(st.sampled_from(PARTS) | st.text(max_size=5), min_size=1, max_size=5).map(".".join)


def near(where: str, shape, *controls: str) -> str:
    (control,) = place_notes([Note(where, "wrong", "wrong", blocks=True)], shape, set(controls))
    return control


@pytest.mark.parametrize(
    ("where", "control"),
    [
        ("kind", "form.kind"),
        ("shuffle", "field.shuffle"),
        ("words.en.prompt", "text.words_prompt.en"),
        ("words.es", "text.words_prompt.es"),
        ("feedback.en.explanation", "text.feedback_explanation.en"),
        ("words.es.options.a", "row.a.words_options.es"),
        ("feedback.es.unchosen.a", "row.a.feedback_unchosen.es"),
        ("options.a", "row.a"),
        ("options.a.weight", "row.a.weight"),
        ("weights.a", "row.a.weight"),
        ("key.weights.a", "row.a.weight"),
        ("options", "table.options"),
        ("right", "table.options"),
        ("key", "table.options"),
        ("content", "table.options"),
        ("combination_feedback.a", "row.a"),
    ],
)
def test_a_finding_is_at_its_own_control(where, control):
    assert near(where, CHOICE, control, PAGE) == control


@pytest.mark.parametrize(
    ("where", "controls", "control"),
    [
        ("words.en.options.gone", ("table.options", PAGE), "table.options"),
        ("words.en.options.a", ("row.a", "table.options"), "row.a"),
        ("options.gone", ("table.options", PAGE), "table.options"),
        ("options.a.pinned", ("row.a", PAGE), "row.a"),
        ("words.fr.prompt", (PAGE,), PAGE),
        ("nowhere.at.all", ("table.options", PAGE), PAGE),
        ("", ("table.options", PAGE), PAGE),
    ],
)
def test_what_has_no_control_of_its_own_is_at_the_nearest(where, controls, control):
    assert near(where, CHOICE, *controls) == control


def test_other_kinds_find_theirs_by_the_same_names():
    assert near("pairs.a", PAIRS, "row.a.goes_with", "table.lefts") == "row.a.goes_with"
    assert near("pairs", PAIRS, "table.rights", "table.lefts") == "table.lefts"
    assert near("numbers.a.margin", CLOZE, "row.a.margin", "row.a") == "row.a.margin"
    assert near("order", KINDS["ordering"].schema, "table.items") == "table.items"
    short_text = KINDS["short_text"].schema
    assert near("case", short_text, "field.case", "table.accepted") == "field.case"


@given(st.lists(WHERE, max_size=8), st.sampled_from(sorted(KINDS)))
def test_none_is_lost_whatever_it_is_called(paths, kind):
    notes = [Note(where, "wrong", str(n), blocks=True) for n, where in enumerate(paths)]
    schema = KINDS[kind].schema
    controls = {"form.kind", "table.options", "row.a", "text.words_prompt.en"}
    places = place_notes(notes, schema, controls)
    assert sorted(note.text for listed in places.values() for note in listed) == sorted(
        note.text for note in notes
    )
    assert set(places) <= controls | {PAGE}
    assert all(
        isinstance(home, str) for where in paths for home in candidate_controls(where, schema)
    )
