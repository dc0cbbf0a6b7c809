"""Formats for programs: what is read and written, under names that people know."""

import pytest

from quizzes.formats import FORMATS, WRITERS
from quizzes.presentation.messages.imports import FORMAT_LABELS
from tests.quizzes.api.programs import program

pytestmark = pytest.mark.django_db


def test_every_format_is_listed_with_what_it_can(users):
    items = program(users.instructor, "authoring").get("formats", lang="en").json()["items"]
    assert [format_["name"] for format_ in items] == list(FORMATS)
    assert {format_["name"] for format_ in items if format_["writes"]} == set(WRITERS)
    assert all(format_["reads"] for format_ in items)
    moodle = next(format_ for format_ in items if format_["name"] == "moodle-xml")
    assert moodle == {
        "name": "moodle-xml",
        "label": "Moodle XML",
        "reads": True,
        "writes": True,
        "endings": ["xml"],
    }


def test_every_format_has_a_name_for_people():
    assert set(FORMATS) <= set(FORMAT_LABELS)


def test_the_list_asks_for_the_token_alone(users, counted):
    client = program(users.instructor, "authoring")
    client.get("me")
    with counted() as queries:
        client.get("formats")
    assert len(queries) == 1
