"""Templates say what is front, back, hint and explanation of a card."""

import pytest

from quizzes.formats.apkg.layouts import LONGEST, Layout, layout
from quizzes.formats.apkg.schemas import NoteType
from quizzes.formats.apkg.templates import after_answer, asked, rendered, shown

VALUES = {"Front": "F", "Back": "B", "Empty": " "}
NOTHING = frozenset[str]()


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("<p>{{Front}}</p>", "<p>F</p>"),
        ("{{Front}}{{Front}}", "F"),
        ("{{ text:Front }} {{Unknown}}", "F "),
        ("{{FrontSide}}{{Tags}}{{!words}}{{=x=}}{{tts en_US:Front}}", ""),
        ("{{#Front}}a{{/Front}}{{^Front}}b{{/Front}}c", "ac"),
        ("{{#Empty}}a{{Back}}{{/Empty}}{{^Empty}}b{{/Empty}}{{Back}}", "bB"),
        ("{{#Front}}{{#Empty}}a{{/Front}}b{{/Empty}}c", "c"),
        ("{{#Empty}}never closed {{Front}}", ""),
        ("{{/Front}}{{Front", "{{Front"),
    ],
)
def test_a_template_is_written_out_with_each_field_once(template, text):
    assert rendered(template, VALUES, NOTHING) == text


def test_fields_are_left_out_where_they_stand_elsewhere():
    assert rendered("{{Front}}{{Back}}", VALUES, frozenset({"Front"})) == "B"


def test_fields_are_known_with_their_filters():
    assert [(one.name, one.filters) for one in shown("{{a}}{{#b}}{{type:cloze:c}}{{/b}}")] == [
        ("a", ()),
        ("c", ("type", "cloze")),
    ]
    assert asked("{{#a}}{{b}}{{/a}}{{^ c }}") == {"a", "c"}


def test_a_back_begins_below_its_line():
    assert after_answer("{{Front}}<HR class='x' id=answer>{{Back}}") == "{{Back}}"
    assert after_answer("{{Front}}<hr>{{Back}}") == "{{Front}}<hr>{{Back}}"


def laid(front: str, back: str, *, cloze: bool = False, at: int = 0) -> Layout:
    return layout(NoteType("Any", ("Front", "Back"), ((front, back),), cloze), at)


def test_hints_and_explanations_stand_apart():
    made = laid("{{Front}}{{hint:Help}}{{type:Back}}", "{{FrontSide}}{{Back}}{{Explicación}}")
    assert made.hints == ("Help",)
    assert made.explaining == ("Explicación",)
    assert made.apart == {"Help", "Back"}
    assert made.codes == ("typed_as_card",)


def test_what_a_text_with_gaps_shows_behind_explains_it():
    made = laid("{{cloze:Text}}", "{{cloze:Text}}{{Source}}", cloze=True, at=7)
    assert made.explaining == ("Source",)
    assert made.covers
    assert made.codes == ()


@pytest.mark.parametrize(
    ("front", "code"),
    [
        ("{{Front}}<script>x</script>", "card_by_program"),
        ("{{Front}}" + "x" * LONGEST, "layout_left_out"),
    ],
)
def test_of_what_is_not_written_out_the_fields_come_in(front, code):
    made = laid(front, "{{Front}}{{Back}}")
    assert made.codes == (code,)
    assert (made.front, made.back) == ("<div>{{Front}}</div>", "<div>{{Back}}</div>")


def test_without_templates_the_order_of_fields_tells():
    made = layout(NoteType("Any", ("a", "b", "c", "d")), 0)
    assert (made.front, made.back) == ("<div>{{a}}</div>", "<div>{{b}}</div>")
    assert made.explaining == ("c", "d")


def test_pictures_with_parts_covered_are_known_by_their_type():
    assert layout(NoteType("Image Occlusion Enhanced+"), 0).occluded
    assert layout(NoteType("x", occlusion=True), 0).occluded
    assert not layout(NoteType("x"), 0).occluded
