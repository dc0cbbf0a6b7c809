"""Templates say what is front, back, hint and explanation of a card."""

import pytest

from quizzes.formats.apkg.card_layout import MAX_LAYOUT_LENGTH, CardLayout, build_layout
from quizzes.formats.apkg.collection import NoteType


def build(front: str, back: str, *, cloze: bool = False, at: int = 0) -> CardLayout:
    return build_layout(NoteType("Any", ("Front", "Back"), ((front, back),), cloze), at)


def test_hints_and_explanations_stand_apart():
    layout = build("{{Front}}{{hint:Help}}{{type:Back}}", "{{FrontSide}}{{Back}}{{Explicación}}")
    assert layout.hints == ("Help",)
    assert layout.explanations == ("Explicación",)
    assert layout.not_shown == {"Help", "Back"}
    assert layout.codes == ("typed_as_card",)


def test_what_a_text_with_gaps_shows_behind_explains_it():
    layout = build("{{cloze:Text}}", "{{cloze:Text}}{{Source}}", cloze=True, at=7)
    assert layout.explanations == ("Source",)
    assert layout.is_cloze
    assert layout.codes == ()


@pytest.mark.parametrize(
    ("front", "code"),
    [
        ("{{Front}}<script>x</script>", "card_by_program"),
        ("{{Front}}" + "x" * MAX_LAYOUT_LENGTH, "layout_left_out"),
    ],
)
def test_of_what_is_not_written_out_the_fields_come_in(front, code):
    layout = build(front, "{{Front}}{{Back}}")
    assert layout.codes == (code,)
    assert (layout.front, layout.back) == ("<div>{{Front}}</div>", "<div>{{Back}}</div>")


def test_without_templates_the_order_of_fields_tells():
    layout = build_layout(NoteType("Any", ("a", "b", "c", "d")), 0)
    assert (layout.front, layout.back) == ("<div>{{a}}</div>", "<div>{{b}}</div>")
    assert layout.explanations == ("c", "d")


def test_pictures_with_parts_covered_are_known_by_their_type():
    assert build_layout(NoteType("Image Occlusion Enhanced+"), 0).is_occlusion
    assert build_layout(NoteType("x", occlusion=True), 0).is_occlusion
    assert not build_layout(NoteType("x"), 0).is_occlusion
