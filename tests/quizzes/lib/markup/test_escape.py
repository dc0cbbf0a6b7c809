"""Plain text shows as itself, whatever it would mean as Markdown."""

import re
from html import unescape

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quizzes.lib.markup import render
from quizzes.lib.markup.escape import escape_markdown

TRAPS = """\
# heading|1. item|1) item|- item|+ item|* item|> quote|===|---|***|```code|~~~|~~gone~~
**bold**|_em_|__all__|snake_case|`x`|$5 and $6|$x$|$$x$$|[a](http://b)|![a](media:x)|[[gap]]
<http://a.b>|<b>|a < b|&amp;|&#65;|&c|AT&T|C:\\dir|\\*|end\\|\\\\|Oh!|a_|_|2 * 3 * 4|:--|=
x^2|#|12345678901. x|a\\_b|!|~|a~~b|~~~~|<a@b.cc>|1.|-|\\|_a b_c_ d"""


def shown(markdown: str) -> str:
    html = render(markdown)
    assert set(re.findall(r"<(\w+)", html)) <= {"p", "br"}
    return unescape(re.sub(r"<[^>]*>", "", html)).strip()


@pytest.mark.parametrize("text", re.split(r"[|\n]", TRAPS))
def test_what_would_be_markup_is_shown(text):
    assert shown(escape_markdown(text)) == text.strip()


@pytest.mark.parametrize("text", ["| a | b |\n|---|---|\n| 1 | 2 |", "a | b\n--- | ---", "x\n==="])
def test_lines_are_kept_and_are_no_table(text):
    assert shown(escape_markdown(text)) == text


def test_paragraphs_stay_apart_and_indents_are_no_code():
    assert escape_markdown("one\n\n\n    two\n three") == "one\n\ntwo\\\nthree"


@given(st.text("ab1 `*_~$[]()<>&!#|:=+-.\\;^\n", max_size=40))
@example("a\n\\\nb")
def test_any_text_shows_as_itself(text):
    squeezed = re.sub(r"[ \t]+", " ", re.sub(r"\s*\n\s*", "\n", text.strip()))
    text_again = re.sub(r"[ \t]+", " ", re.sub(r"\s*\n\s*", "\n", shown(escape_markdown(text))))
    assert text_again == squeezed


def test_a_sentence_stays_as_it_is_written():
    text = 'What is 3 - 2? Choose one (only one), e.g. snake_case: it\'s "so".'
    assert escape_markdown(text) == text
