"""A template that asks for what is not there any more fails the tests of its page."""

from types import SimpleNamespace

from django.template.loader import render_to_string

ROW = {
    **dict.fromkeys(("intro_url", "lang", "title", "pass_mark", "waiting"), ""),
    **dict.fromkeys(
        ("opens_at", "next_opens_at", "closes_at", "attempts_left", "best_percent"), None
    ),
    "questions": 1,
    "is_practice": False,
    "passed": False,
}


def test_a_renamed_attribute_is_noticed(failed_lookups):
    render_to_string("partials/quiz_row.html", {"quiz": SimpleNamespace(**ROW)})
    assert not failed_lookups
    row = {("heading" if name == "title" else name): text for name, text in ROW.items()}
    render_to_string("partials/quiz_row.html", {"quiz": SimpleNamespace(**row)})
    assert failed_lookups == {("partials/quiz_row.html", "quiz.title")}
    failed_lookups.clear()  # else this test would fail by the fixture that every page's test has
