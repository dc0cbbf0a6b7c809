"""Our Markdown is written as plain HTML, which reads back as the same."""

import pytest

from quizzes.lib.html_conversion import html_to_markdown, to_html
from quizzes.lib.markup import MAX_CHARACTERS, render

TEXTS = {
    "words": "One *two* **three** `four` ~~five~~",
    "breaks": "One\\\ntwo\n\nthree",
    "lists": "- one\n- two\n  1. three\n  2. four",
    "listings": "```python\ndef f():\n    return '<b>'\n```",
    "tables": "| a | b |\n| :--- | ---: |\n| `x\\|y` | $\\vert x\\vert$ |",
    "formulas": "If $x < 2$ then\n\n$$\\frac{a}{b} & c$$",
    "quotations": "> one\n>\n> two",
    "headings": "# One\n\n## Two\n\n---",
    "links": "[one](https://two.three/four)",
    "what is no markup": "\\# one\n\n1\\. two\n\n\\*three\\* \\[\\[gap\\]\\] 5 < 6 \\$7",
}


@pytest.mark.parametrize("name", TEXTS)
def test_out_and_in_again_shows_the_same(name):
    text = TEXTS[name]
    back, notes = html_to_markdown(to_html(text))
    assert render(back) == render(text)
    assert notes == ()
    assert html_to_markdown(to_html(back)) == (back, ())


def test_it_is_plain():
    assert to_html("a **b** $x<y$") == r"<p>a <strong>b</strong> \(x&lt;y\)</p>"
    assert to_html("a **b**", inline=True) == "a <strong>b</strong>"
    assert to_html("# One") == "<h3>One</h3>"
    assert to_html("$$\nx\n$$") == r"<p>\[x\]</p>"


def test_addresses_of_media_become_those_of_the_file():
    html = to_html("![A map](media:map.png)", address=lambda path: path.replace("media:", "files/"))
    assert html == '<p><img src="files/map.png" alt="A map" /></p>'


def test_a_text_too_large_to_be_shown_stays_plain():
    assert to_html("<" * (MAX_CHARACTERS + 1)).startswith("<p>&lt;&lt;")
