"""A text in every language: what is required of it is said before it is sent."""

import re

import pytest

from quizzes.instructor.translated_field import TranslatedField, language_names, summarize
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

DESCRIBED = re.compile(r'name="(title|description)_[a-z]+"[^>]*aria-describedby="([^"]*)"')


def test_a_new_bank_says_which_texts_are_required_in_one_language(users):
    html = logged_in_client(users.instructor).get("/admin/bank/bank/add/").content.decode()
    described = DESCRIBED.findall(html)
    assert [name for name, _ in described] == ["title"] * len(language_names())
    (hint_id,) = {ids.split()[-1] for _, ids in described}
    assert re.search(rf'id="{hint_id}"[^>]*>Required in at least one language\.<', html)


def test_a_text_that_may_be_empty_says_nothing():
    field = TranslatedField(label="Introduction", required=False)
    assert "Required" not in field.widget.render("intro", {}, {"id": "id_intro"})


def test_the_beginning_of_a_text_with_gaps_shows_them_as_gaps():
    assert summarize("Water freezes at [[freezes]] degrees, *not* [[1]].") == (
        "Water freezes at ____ degrees, not [[1]]."
    )
