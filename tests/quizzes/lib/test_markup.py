"""What an author writes and what a reader sees."""

import pytest

from quizzes.lib.markup import render


def test_paragraphs_emphasis_and_lists_become_html():
    html = render("A **bold** and *slanted* ~~struck~~ word\n\n3. three\n4. four")
    assert "<p>A <strong>bold</strong> and <em>slanted</em> <s>struck</s> word</p>" in html
    assert '<ol start="3">' in html


def test_inline_gives_no_paragraph():
    assert render("a *b*", inline=True) == "a <em>b</em>"


def test_the_same_text_gives_the_same_bytes():
    source = "# T\n\n$x^2$ `a` [l](https://e.example)\n\n```python\nx = 1\n```\n"
    assert len({render(source) for _ in range(5)}) == 1


def test_an_author_heading_stays_below_those_of_the_page():
    assert render("# One\n\n###### Six") == "<h3>One</h3>\n<h6>Six</h6>\n"


def test_an_empty_text_is_empty():
    assert render("") == ""
    assert render("", inline=True) == ""


@pytest.mark.parametrize(
    "words",
    [
        "¿Cuál de estas opciones es correcta? ¡Ninguna!",
        "El niño pingüino añadió «camión» y “coração”",
        "Ελληνικά, русский, 日本語, हिन्दी",
        "👩🏽‍🔬 🏳️‍🌈 🇪🇸 😀",
        "العربية: اختر الإجابة الصحيحة",
        "עברית עם abc באמצע",
        "e\u0301 n\u0303 a\u0308 combined marks",
        "50\u2009% of 1\u202f000 – 3 × 10⁻³ ≤ π…",
    ],
)
def test_every_language_comes_through_whole(words):
    assert render(words) == f"<p>{words}</p>\n"
    assert render(words, inline=True) == words
    assert f"<code>{words}</code>" in render(f"```\n{words}\n```")
    formula = render(f"$\\text{{{words}}}$")
    assert f"<mtext>{words}</mtext>" in formula.replace("&nbsp;", " ")


def test_html_is_shown_as_written():
    assert render("a <b>x</b> &amp; y", inline=True) == "a &lt;b&gt;x&lt;/b&gt; &amp; y"


def test_half_a_surrogate_pair_becomes_the_replacement_sign():
    assert render("a\ud800b", inline=True) == "a\ufffdb"


def test_control_characters_cannot_pass_for_the_gaps_of_a_page():
    assert render("a\x02rest\x03 b &#2;\tc", inline=True) == "a\ufffdrest\ufffd b \ufffd\tc"


@pytest.mark.parametrize("number", ["D800", "2", "FFFFFF"])
def test_a_formula_cannot_name_what_is_no_character(number):
    html = render(rf"$\text{{&#x{number};}}$")
    assert "tex-error" in html
    assert html.encode().isascii()


def test_code_is_coloured_by_class_names_and_can_be_scrolled_by_keyboard():
    html = render("```python\ndef f():\n    return 1\n```")
    assert html.startswith('<pre class="code" tabindex="0"><code class="language-python">')
    assert '<span class="k">def</span>' in html
    assert "style" not in html


@pytest.mark.parametrize(
    ("fence", "name"), [("Python", "python"), ("c++", "cpp"), ("C#", "csharp"), ("js x=1", "js")]
)
def test_a_language_is_named_in_letters(fence, name):
    assert f'<code class="language-{name}">' in render(f"```{fence}\nx\n```")


@pytest.mark.parametrize("fence", ["", "text", "klingon", 'py"onload=x'])
def test_code_of_no_known_language_is_plain_and_escaped(fence):
    html = render(f"```{fence}\na < b & c\n```")
    assert html == '<pre class="code" tabindex="0"><code>a &lt; b &amp; c</code></pre>\n'


def test_indented_code_is_plain():
    assert "<code>x = 1</code>" in render("    x = 1\n")


def test_leading_blanks_and_empty_lines_of_code_are_kept():
    assert "<code>  a\n\n  b</code>" in render("```\n  a\n\n  b\n```")
    assert '<code class="language-sql">\n\n    ' in render("```sql\n\n\n    SELECT\n```").replace(
        '<span class="w">', ""
    ).replace("</span>", "")


@pytest.mark.parametrize("url", ["https://e.example/a?b=1&c=2", "http://e.example", "mailto:a@b.c"])
def test_a_safe_link_opens_without_a_way_back(url):
    html = render(f"[x]({url})", inline=True)
    assert html == f'<a href="{url.replace("&", "&amp;")}" rel="noopener noreferrer">x</a>'


@pytest.mark.parametrize("url", ["javascript:x", "data:,x", "//e.example", "/accounts/", "#x", ""])
def test_of_any_other_link_only_the_words_remain(url):
    assert render(f"a [**x** y]({url}) b", inline=True) == "a <strong>x</strong> y b"


def test_a_safe_link_after_an_unsafe_one_stays():
    html = render("[a](x:y) [b](https://e.example)", inline=True)
    assert html == 'a <a href="https://e.example" rel="noopener noreferrer">b</a>'


@pytest.mark.parametrize("url", ["/media/a/b-1.png", "/static/img/x.svg", "/media/a%20b.png"])
def test_an_own_picture_is_shown(url):
    html = render(f'![a "b" <c>]({url} "t")', inline=True)
    assert html == f'<img src="{url}" alt="a &quot;b&quot; &lt;c&gt;" title="t">'


@pytest.mark.parametrize(
    "url", ["https://e.example/x.png", "//e.example/x", "x.png", "/media/../x", "data:image/png;,"]
)
def test_a_foreign_picture_is_its_alternative_text(url):
    assert render(f"![the *red* curve $x$]({url})", inline=True) == "the red curve x"


def test_a_table_scrolls_and_its_columns_are_aligned_by_class():
    html = render("|a|b|c|\n|:-|-:|-|\n|1|2|3|")
    assert html.startswith('<div class="table-scroll" tabindex="0"><table>')
    assert '<th scope="col" class="align-left">a</th>' in html
    assert '<td class="align-right">2</td>' in html
    assert "<td>3</td>" in html


def test_reference_links_are_not_read():
    assert render("[a]\n\n[a]: https://e.example") == "<p>[a]</p>\n<p>[a]: https://e.example</p>\n"
