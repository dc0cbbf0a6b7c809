"""A star in an accepted answer: the sign in code, any text in words, whatever the format."""

from fractions import Fraction

import pytest

from quizzes.formats import WRITERS
from quizzes.formats.builders import Accepted, Gap, Head, build_cloze, build_short_text
from tests.quizzes.formats.test_end_blanks import HELD, write_and_read
from tests.quizzes.imports.sample_answers import credit

KEY = r"SELECT * FROM t -- C:\\*"
OTHERS = (r"SELECT a FROM t -- C:\\*", r"SELECT * FROM t -- C:\*", r"SELECT * FROM t -- C:*")
HEAD = Head(1, "q", "en", "Which statement?")


@pytest.mark.parametrize("format_", WRITERS)
@pytest.mark.parametrize("sort", ["code", "exact_text"])
def test_a_literal_star_is_the_sign_wherever_it_goes(format_, sort):
    questions, codes = write_and_read(format_, build_short_text(HEAD, [Accepted(KEY)], sort=sort))
    assert ("kind_not_held" in codes) is (format_ not in HELD)
    assert "wildcard_left_out" not in codes
    for question in questions:
        assert credit(question, {"text": KEY}) == 1
        assert [text for text in OTHERS if credit(question, {"text": text})] == []


@pytest.mark.parametrize("format_", WRITERS)
def test_a_star_that_stands_for_any_text_does_so_or_is_told_of(format_):
    accepted = [Accepted("exact"), Accepted("New *")]
    questions, codes = write_and_read(format_, build_short_text(HEAD, accepted))
    for question in questions:
        takes_any = credit(question, {"text": "New York"}) == 1
        assert takes_any is ("wildcard_left_out" not in codes)


@pytest.mark.parametrize("format_", WRITERS)
def test_each_gap_has_its_own_stars(format_):
    """One gap is code, one is words: each text is escaped by its own gap's rule."""
    gaps = [
        Gap("a", accepted=[Accepted("x * y")], comparison={"sort": "code"}),
        Gap("b", accepted=[Accepted(r"p \* q")], comparison={"sort": "words"}),
    ]
    head = Head(1, "q", "en", "Type [[a]] and [[b]].")
    questions, _codes = write_and_read(format_, build_cloze(head, gaps))
    for question in questions:
        ids = [row.name for row in question.tables["gaps"]]
        right = dict(zip(ids, ({"text": "x * y"}, {"text": "p * q"}), strict=True))
        assert credit(question, {"gaps": right}) == 1
        for name, text in zip(ids, ("x 1 y", "p 1 q"), strict=True):
            assert credit(question, {"gaps": {**right, name: {"text": text}}}) == Fraction(1, 2)
