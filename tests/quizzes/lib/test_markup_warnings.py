"""What the admin tells an author about a text."""

import pytest

from quizzes.lib.markup import (
    MAX_CHARACTERS,
    MarkupWarning,
    MarkupWarningCode,
    markup_warnings,
    render,
)
from quizzes.lib.markup.budget import MAX_COLOURED, MAX_FORMULAS
from quizzes.lib.markup.parser import MAX_NESTING


def test_a_good_text_has_no_problems():
    assert (
        markup_warnings("$x$, `y`, [z](https://e.example) ![a](/media/b).\n\n```python\nx\n```\n")
        == ()
    )
    assert markup_warnings("") == ()


@pytest.mark.parametrize(
    ("source", "code", "line", "detail"),
    [
        ("a\n\nb $\\foo$", MarkupWarningCode.FORMULA_UNREADABLE, 3, r"unknown command \foo: \foo"),
        ("a\nb\nc $x^$", MarkupWarningCode.FORMULA_UNREADABLE, 3, None),
        ("$$\n\\frac{1}\n$$", MarkupWarningCode.FORMULA_UNREADABLE, 1, None),
        ("- a\n- b\n\n  $x^$", MarkupWarningCode.FORMULA_UNREADABLE, 4, None),
        ("| a |\n|---|\n| $x^$ |", MarkupWarningCode.FORMULA_UNREADABLE, 3, None),
        ("a\n\n```Klingon x\nq\n```", MarkupWarningCode.LANGUAGE_UNKNOWN, 3, "klingon"),
        ("![a](https://e.example/x)", MarkupWarningCode.PICTURE_NOT_OWN, 1, "https://e.example/x"),
        ("a  \n[x](javascript:y)", MarkupWarningCode.LINK_UNSAFE, 2, "javascript:y"),
        ("[x](/a)", MarkupWarningCode.LINK_UNSAFE, 1, "/a"),
        ("x\n" * 2000 + "|" * 6, MarkupWarningCode.TABLES_TOO_LARGE, 1, "> 10000"),
        ("[" * 1001, MarkupWarningCode.TOO_MANY_BRACKETS, 1, "> 1000"),
        ("x" * (MAX_CHARACTERS + 1), MarkupWarningCode.TOO_LARGE, 1, "20001 > 20000"),
    ],
)
def test_a_problem_is_named_with_its_line(source, code, line, detail):
    (problem,) = markup_warnings(source)
    assert (problem.code, problem.line) == (code, line)
    assert detail is None or problem.detail == detail


def test_problems_come_in_order_of_lines():
    warnings = markup_warnings("[x](y)\n\n$x^$\n\n```klingon\n```\n\n![a](b)")
    assert [problem.line for problem in warnings] == [1, 3, 5, 8]


def test_a_problem_can_be_read_by_a_person():
    problem = MarkupWarning(MarkupWarningCode.LINK_UNSAFE, 4, "x:y")
    assert str(problem) == "line 4: link_unsafe: x:y"


@pytest.mark.parametrize("depth", range(1, 30))
def test_words_that_the_parser_drops_are_always_reported(depth):
    for opening in ("> ", "- "):
        source = opening * depth + "word"
        if "word" not in render(source):
            assert markup_warnings(source)[0].code == MarkupWarningCode.NESTED_TOO_DEEPLY


def test_reasonable_nesting_is_no_problem():
    assert markup_warnings("- " * (MAX_NESTING // 2 - 2) + "x") == ()
    assert markup_warnings("> " * (MAX_NESTING - 4) + "x") == ()


def test_formulas_beyond_the_budget_are_reported():
    (problem,) = markup_warnings("$x$\n" * (MAX_FORMULAS + 1))
    assert (problem.code, problem.line) == (MarkupWarningCode.TOO_MANY_FORMULAS, MAX_FORMULAS + 1)


def test_listings_beyond_the_budget_are_reported():
    (problem,) = markup_warnings("```sql\n" + "SELECT 1;\n" * (MAX_COLOURED // 9) + "```")
    assert (problem.code, problem.detail) == (MarkupWarningCode.LISTING_TOO_LONG, "sql")


def test_plain_listings_have_no_budget():
    for fence in ("", "text", "output"):
        assert (
            markup_warnings(f"```{fence}\n" + "a few words\n" * (MAX_COLOURED // 9) + "```") == ()
        )
