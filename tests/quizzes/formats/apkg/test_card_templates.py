"""Templates are written out with the fields of a note."""

import pytest

from quizzes.formats.apkg.card_templates import (
    find_conditions,
    find_fields,
    render_template,
    strip_front,
)

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
    assert render_template(template, VALUES, NOTHING) == text


def test_fields_are_left_out_where_they_stand_elsewhere():
    assert render_template("{{Front}}{{Back}}", VALUES, frozenset({"Front"})) == "B"


def test_fields_are_known_with_their_filters():
    assert [
        (field.name, field.filters) for field in find_fields("{{a}}{{#b}}{{type:cloze:c}}{{/b}}")
    ] == [
        ("a", ()),
        ("c", ("type", "cloze")),
    ]
    assert find_conditions("{{#a}}{{b}}{{/a}}{{^ c }}") == {"a", "c"}


def test_a_back_begins_below_its_line():
    assert strip_front("{{Front}}<HR class='x' id=answer>{{Back}}") == "{{Back}}"
    assert strip_front("{{Front}}<hr>{{Back}}") == "{{Front}}<hr>{{Back}}"
