"""The link to read on: one text with one https address."""

from dataclasses import replace

import pytest

from quizzes.document.reading_link import find_link_problems
from tests.quizzes.document.test_question import CARD


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("[Chapter 3](https://example.org/3#a)", None),
        ("", None),
        ("[Chapter 3](http://example.org)", "reading_link_unsafe"),
        ("[Chapter 3](javascript:alert)", "reading_link_unsafe"),
        ("[Chapter 3](data:text/html,x)", "reading_link_unsafe"),
        ("https://example.org", "reading_link_malformed"),
        ("See [it](https://example.org), please", "reading_link_malformed"),
        ('[it](https://example.org "onload")', "reading_link_malformed"),
    ],
)
def test_a_link_is_a_text_with_a_safe_address(written, code):
    item = replace(CARD, feedback={"en": {"reading_link": written}})
    problems = list(find_link_problems(item, "en"))
    assert [problem.code for problem in problems] == ([code] if code else [])
    assert all(problem.where == "feedback.en.reading_link" for problem in problems)
