"""Texts made to hurt: each ends soon, within bounds, or is refused by name."""

import time

import pytest

from quizzes.lib.markup import (
    MAX_CHARACTERS,
    MarkupTooLarge,
    fragments,
    markup_warnings,
    plain,
    render,
)
from quizzes.lib.markup.budget import MAX_COLOURED, MAX_FORMULAS

SECONDS = 2.0
FULL = MAX_CHARACTERS

UNITS = [
    "[",
    "![",
    "*",
    "_",
    "`",
    "<",
    "&",
    "~",
    "|",
    ">",
    "$",
    "$$",
    "$$$$",
    "(",
    "](",
    "[]",
    "\\",
    '"',
    "*a ",
    "**a ",
    "a* ",
    "*a_ ",
    "~~a ",
    "***a ",
    "*a**b_c__",
    "[a](",
    "![a](",
    "[a](<b",
    "[[a](b)",
    '[a](b "',
    "[a](" + "(" * 30,
    "`a ``b ",
    "|a|b|\n|-|-|\n",
    "|\n",
    "> ",
    "- ",
    "1. ",
    "- > ",
    "- a\n",
    "a\n\n",
    "# \n",
    "\n",
    "  ",
    "\t- a\n",
    "```\n",
    "```py\n",
    "~~~\n",
    "---\n",
    "    a\n",
    "[a]: x\n\n",
    "<a ",
    "<http://a.b>",
    "&#x1;",
    "$a",
    "$a\\",
    "\\$",
    "$$a\n\n",
    "$$a\n# h\n",
    "- $$a\n",
    "$x$ ",
    "$$x$$ ",
    "$\\frac{1}{2}$ ",
    "\x00",
    "\ud800",
    "🙂",
]


def seconds(function, source):
    """Measure this process's own time, so that a busy machine cannot fail the test."""
    begin = time.process_time()
    function(source)
    return time.process_time() - begin


@pytest.mark.parametrize("unit", UNITS)
def test_one_thing_repeated_ends_soon(unit):
    source = (unit * (FULL // len(unit) + 1))[:FULL]
    assert seconds(render, source) < SECONDS
    assert seconds(markup_warnings, source) < SECONDS


SHAPES = {
    "quotes 5,000 deep": "> " * 5000 + "x",
    "lists 5,000 deep": "- " * 5000 + "x",
    "stairs of lists": "\n".join(" " * (2 * i) + "- x" for i in range(210)),
    "emphasis 9,000 deep": "*a " * 9000 + "b* " * 7000,
    "a table of 4,000 cells": "|a|b|\n|-|-|\n" + "|1|2|\n" * 2000,
    "a table of 2 million cells": "|" + "a|" * 300 + "\n|" + "-|" * 300 + "\n" + "|a\n" * 15000,
    "one address named often": "[a]: /" + "x" * 20000 + "\n\n" + "[a] " * 6000,
    "braces": "$" + "{" * 900 + "}" * 900 + "$",
    "fractions": "$" + r"\frac{" * 29 + "1" + "}{2}" * 29 + "$",
    "delimiters": "$" + r"\left(" * 150 + "x" + r"\right)" * 150 + "$",
    "roots": "$" + r"\sqrt " * 280 + "x$",
    "primes": "$x" + "'" * 1900 + "$",
    "cells": r"$\begin{matrix}" + "a&" * 900 + r"\end{matrix}$",
    "definitions": r"$\def\a{xx}\def\b{\a\a}\def\c{\b\b}\c$",
    "different formulas": " ".join(rf"$x_{{{i}}}+\frac{{a}}{{b}}$" for i in range(1900)),
    "long formulas": " ".join("$" + r"\alpha+" * 250 + f"x{i}$" for i in range(26)),
    "empty lines in Java": "```java\n" + "\n" * 40000 + "```",
    "one long line of make": "```make\n" + "a(b " * 10000 + "\n```",
    "many listings": "```c\nint a;//\n```\n" * 2800,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_hostile_shape_ends_soon_and_stays_small(shape):
    source = SHAPES[shape][:FULL]
    assert seconds(render, source) < SECONDS
    assert seconds(markup_warnings, source) < SECONDS
    assert len(render(source)) < 40 * FULL


@pytest.mark.parametrize("function", [render, plain, fragments])
def test_a_text_that_is_too_long_is_refused(function):
    function("x" * MAX_CHARACTERS)
    with pytest.raises(MarkupTooLarge, match="20001 characters; 20000 are allowed") as caught:
        function("x" * (MAX_CHARACTERS + 1))
    assert isinstance(caught.value, ValueError)
    assert caught.value.length == MAX_CHARACTERS + 1


def test_formulas_beyond_the_budget_are_shown_as_written():
    html = render("$x$ " * (MAX_FORMULAS + 1), inline=True)
    assert html.count("<math") == MAX_FORMULAS
    assert html.endswith('<code class="tex-error">x</code> ')


def test_listings_beyond_the_budget_keep_their_words_without_colours():
    line = "return 1  # one\n"
    long = "```python\n" + line * (MAX_COLOURED // len(line)) + "```\n"
    assert "<span" in render(long)
    html = render(long + "\n```python\nreturn 2\n```\n")
    assert html.endswith('<code class="language-python">return 2</code></pre>\n')


def test_what_nobody_writes_as_code_is_not_coloured():
    for code in ("\n" * 300 + "return", "x" * 500, "ab" * 201):
        assert "<span" not in render(f"```python\n{code}\n```")
