"""HTML of other programs becomes Markdown that shows the same, and what is lost is told."""

import re
import time
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.lib.html_conversion import blocks, html_to_markdown
from quizzes.lib.markup import markup_warnings, render

PAIRS = {
    "paragraphs": ("<p>a</p>\n<p>b", "a\n\nb"),
    "nested paragraphs": ("<p>\n<p>a</p>\n</p>", "a"),
    "a break": ("a<br/>b<br>", "a\\\nb"),
    "two breaks are a paragraph": ("a<br><br>b", "a\n\nb"),
    "emphasis": ("<b>a</b>b <i> c </i>d <s>e</s>", "**a**b *c* d ~~e~~"),
    "emphasis in itself": ("<b>a <strong>b</strong></b>", "**a b**"),
    "emphasis at punctuation": ("a<b>(x)</b>y", "&#97;**(x)**&#121;"),
    "emphasis side by side": ("<b>a</b><b>b</b>", "**a**&#8203;**b**"),
    "emphasis over a break": ("<b>a<br><br>b</b>", "**a**\n\n**b**"),
    "emphasis of nothing": ("a<b> </b>b", "a b"),
    "emphasis round a block": ("<b><p>a</p></b>", "a"),
    "code": ("<code>a*b</code> <tt>`x</tt><kbd> </kbd>", "`a*b` `` `x ``"),
    "a listing": ("<pre>\nif a:\n    b<br>c\n</pre>", "```\nif a:\n    b\nc\n```"),
    "a listing's language": ('<pre><code class="lang-sql">x</code></pre>', "```sql\nx\n```"),
    "its language, said otherwise": ('<pre class="brush: java;">x</pre>', "```java\nx\n```"),
    "its language as data": ('<pre data-language="sql">x</pre>', "```sql\nx\n```"),
    "a fence within a listing": ("<pre>```\nx</pre>", "````\n```\nx\n````"),
    "an empty listing": ("<pre> </pre>a", "a"),
    "a list": ("<ul><li> a </li><li>b</ul>", "- a\n- b"),
    "a list in a list": ("<ul><li>a<ol start=3><li>b<li>c</ol></ul>", "- a\n  3. b\n  4. c"),
    "a list of paragraphs": ("<ol><li><p>a</p><p>b</p></li><li>c</ol>", "1. a\n\n   b\n\n2. c"),
    "a list without items": ("<ul>a <b>b</b><li>c</ul><ol></ol>", "- a **b**\n- c"),
    "a quotation": ("<blockquote><p>a</p>b</blockquote><blockquote></blockquote>", "> a\n>\n> b"),
    "headings": ("<h3>a<br>b</h3><h1>c</h1><h6>d</h6><h2> </h2>", "# a b\n\n# c\n\n#### d"),
    "a rule": ("a<hr>b", "a\n\n---\n\nb"),
    "terms": ("<dl><dt>a<dd>b</dl>", "**a**\n\nb"),
    "a link": ("<a href='https://a.b/(c)'>d <b>e</b></a>", "[d **e**](https://a.b/%28c%29)"),
    "links to nowhere": ("<a name=x>a</a> <a href=#y>b</a> <a href='http://c'> </a>", "a b"),
    "a table": (
        "<table><tr><th>a<th align=right>b<tr><td>1|2<td style='text-align: right'>3</table>",
        "| a | b |\n| --- | ---: |\n| 1&#124;2 | 3 |",
    ),
    "a table without a head": (
        "<table><tbody><tr><td>a</td><td><code>x|y</code></td></tr></tbody></table>",
        "|  |  |\n| --- | --- |\n| a | `x\\|y` |",
    ),
    "a table's caption": (
        "<table><caption>c</caption><tr><th>a</table><table><tr></table>",
        "c\n\n| a |\n| --- |",
    ),
    "blocks in a cell": (
        "<table><tr><th><div><p>a</p><p>b<br>c</p></div></th></tr></table>",
        "| a b c |\n| --- |",
    ),
    "what stands between cells": (
        "<table>a<tbody><tr>b<col><td>c<tr><td></tbody><td></table>",
        "ab\n\n|  |\n| --- |\n| c |\n|  |",
    ),
    "more rows than cells": (
        "<table><tr><tr><td>c<td></table>",
        "|  |  |\n| --- | --- |\n| c |  |",
    ),
    "raised and lowered": ("H<sub>2</sub>O x<sup>n</sup>", "H₂O xⁿ"),
    "raised as formulas": ("e<sup>k</sup> 5<sup>th</sup>", r"e$^{k}$ &#53;$^{\text{th}}$"),
    "raised, but marked": ("a<sub><b>2</b></sub>", "a**2**"),
    "raised, but no words": ("a<sub>*</sub>", r"a\*"),
    "formulas": (r"a \(x^2\) b \[y\] c $$z$$ $5", r"a $x^2$ b $$y$$ c $$z$$ \$5"),
    "a formula between digits": (r"3\(x\)4s\(y\)s", "&#51;$x$&#52;s$y$s"),
    "a formula of lines": ("\\[\na &amp;= b \\\\[2pt]\n% no\nc\n\\]", r"$$a &= b \\[2pt] c$$"),
    "a formula with a dollar": (r"\(\text{\$}5\)", r"$$\text{\$}5$$"),
    "no formulas": (r"\( \( $$ \( \) a\\(b", None),
    "a formula of Canvas": (
        '<p>is <img class="equation_image" alt="x" data-equation-content="\\frac{1}{2}"> or</p>',
        r"is $\frac{1}{2}$ or",
    ),
    "an older formula of Canvas": (
        '<img class="a equation_image" src="/equation_images/%255Csqrt%257Bx%257D?s=1">',
        r"$\sqrt{x}$",
    ),
    "the words of a formula of Canvas": ('<img class="equation_image" alt="LaTeX: y_1">', "$y_1$"),
    "formulas in a cell": (
        r"<table><tr><th>\(|x\|\)</table>",
        "| $\\vert x\\Vert$ |\n| --- |",
    ),
    "a formula in a script": ('<script type="math/tex; mode=display">x</script>', "$$x$$"),
    "MathML that carries TeX": (
        '<math display="block"><mi>x</mi><annotation encoding="x-tex">x^2</annotation></math>',
        "$$x^2$$",
    ),
    "MathML with other words": ('<math alttext="x^3"><mi>x</mi></math>', "$x^3$"),
    "what would be markup": ("* a # b\n<p># c</p><p>1. d</p>", "\\* a # b\n\n\\# c\n\n1\\. d"),
    "characters by name": ("a&nbsp;b &lt;b&gt; &amp;amp;&copy; ", "a\u00a0b \\<b> \\&amp;©"),
    "blanks": ("  a \n\t b&nbsp; c ", "a b c"),
    "what says nothing": ("<!-- a --><?b c?><!DOCTYPE d><span>&nbsp;</span><wbr>", ""),
    "an address in angles": ("<http://a.b&gt; <a@b.cc&gt;", "\\<http://a.b> \\<a@b.cc>"),
    "tags that are none": ("a < b <3 <c d", "a < b <3 \\<c d"),
    "open comments": ("a<!-- b", "a"),
    "quotes left open": ("<a title=it's href='http://x.y'>k</a>", "[k](http://x.y)"),
    "our own marks": ("a\ue000\ue001\ue002\ue003b", "ab"),
    "closing what is not open": ("a</b></p></td>b", "ab"),
    "a paragraph in a cell": ("<table><tr><th>a</p></b>b</table>", "| a b |\n| --- |"),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_a_page_becomes_markdown(name):
    html, expected = PAIRS[name]
    text, notes = html_to_markdown(html)
    if expected is not None:
        assert text == expected
    assert notes == ()
    assert not [warning for warning in markup_warnings(text) if warning.code != "link_unsafe"]


MATHML = {
    "<mfrac><mi>a</mi><mn>2</mn></mfrac>": r"\frac{a}{2}",
    "<msup><mi>x</mi><mn>2</mn></msup><mo>×</mo><mi>sin</mi>": r"{x}^{2} \times  \mathrm{sin}",
    "<msub><mi>x</mi><mn>1</mn></msub>": "{x}_{1}",
    "<msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup>": "{∫}_{0}^{1}",
    "<msqrt><mi>a</mi><mi>b</mi></msqrt>": r"\sqrt{a b}",
    "<mroot><mi>a</mi><mn>3</mn></mroot>": r"\sqrt[3]{a}",
    "a_b<mi>x</mi> <none/>": r"\text{a\_b} x",
    "<mrow><mtext>if 5%</mtext><mrow/></mrow>": r"\text{if 5\%}",
    "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd>"
    "</mtr></mtable>": r"\begin{matrix}1 & 2 \\ 3\end{matrix}",
}


@pytest.mark.parametrize(("html", "tex"), MATHML.items())
def test_simple_mathml_becomes_tex_and_is_told(html, tex):
    text, notes = html_to_markdown(f"<math>{html}</math>")
    assert " ".join(text.split()) == f"${' '.join(tex.split())}$"
    assert [note.code for note in notes] == ["formula_from_mathml"]
    assert markup_warnings(text) == ()


LOSSES = {
    "<script>alert(1)</script>a": ("a", "element_dropped", "alert(1)"),
    "<SCRIPT>if (a</b) c</script x>a": ("a", "element_dropped", "if (a</b) c"),
    "<iframe src='http://x.y'></iframe>a": ("a", "element_dropped", "http://x.y"),
    "a<textarea>b": ("a", "element_dropped", "b"),
    "<img src='http://x.y/z.png' alt='A [b]'>": ("A \\[b\\]", "picture_elsewhere", "http://x.y/z.png"),
    "<video><source src='v.mp4'>words</video>": ("words", "media_elsewhere", "v.mp4"),
    "<a href='javascript:x()'>a</a>": ("a", "link_dropped", "javascript:x()"),
    "the <u>one</u>": ("the *one*", "underline_as_emphasis", "one"),
    "<table><tr><th colspan=2>a<tr><td>b<td>c</table>": (
        "| a |  |\n| --- | --- |\n| b | c |", "table_simplified", "abc"
    ),
    "<table><tr><th>a<th>b<tr><td colspan=2>c</table>": (
        "| a | b |\n| --- | --- |\n| c |  |", "table_simplified", "abc"
    ),
}  # fmt: skip


@pytest.mark.parametrize("html", LOSSES)
def test_what_cannot_be_kept_is_noted(html):
    text, notes = html_to_markdown(html)
    expected, code, quote = LOSSES[html]
    assert text == expected
    assert [(note.code, note.quote) for note in notes] == [(code, quote)]


def test_styles_are_no_loss_and_a_loss_is_told_once():
    text, notes = html_to_markdown("<style>p {}</style><img src=x><img src=x>a")
    assert (text, len(notes)) == ("a", 1)


def test_media_of_the_file_are_shown_by_their_names():
    def find_media(address: str) -> str:
        return {"a b.png": "a-b.png", "v.mp4": "v.mp4"}.get(address, "")

    html = '<p><img alt="x &lt; y" src="a b.png"> <audio src="v.mp4" title="Speech"></audio></p>'
    text, notes = html_to_markdown(html, find_media)
    assert (text, notes) == ("![x < y](media:a-b.png) ![Speech](media:v.mp4)", ())


def test_a_text_that_never_ends_is_cut_and_told():
    text, notes = html_to_markdown("<b>" * blocks.MOST_CHARACTERS)
    assert len(text) <= 2 * blocks.MOST_CHARACTERS
    assert [note.code for note in notes] == ["text_cut"]
    _, notes = html_to_markdown(f'<img src="data:image/png;base64,{"A" * blocks.MOST_CHARACTERS}">')
    assert [note.code for note in notes] == ["picture_elsewhere"]


@pytest.mark.parametrize(
    "piece",
    ["<", "<a ", '<a "', "<a '\"", "<a x='", "<!--", "<!", "<b>", "<p>", "</p>", "<table>", "<td>",
     r"\(", r"\[", "$$", "\\", "&", "&#", "<script>", "<ul><li>", "<b>x</b>", "`", "<br>", "<pre>",
     "<a x=1 ", "data:", " ", "<math>", "<sup>", "<u>", "<mi>"],
)  # fmt: skip
def test_hostile_pages_are_read_in_linear_time(piece):
    begun = time.process_time()
    html_to_markdown(piece * (50_000 // len(piece)))
    assert time.process_time() - begun < 3


@given(st.text("ab<>/&;!\\()[]$|`* \n#-1.", max_size=60))
def test_any_text_written_as_html_shows_as_itself(text):
    html = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if any(mark in text for mark in (r"\(", r"\[", "$$")):
        return
    words = unescape(re.sub(r"<[^>]*>", "", render(html_to_markdown(f"<p>{html}</p>")[0])))
    assert " ".join(words.split()) == " ".join(text.split())


TAGS = "p b i br ul li ol td tr table th pre code a sub math mi div h3 blockquote u".split()


@given(
    st.lists(
        st.one_of(
            st.sampled_from([f"<{tag}>" for tag in TAGS] + [f"</{tag}>" for tag in TAGS]),
            st.sampled_from(["one", " ", "(x)", "\\(", "y\\)", "2", "-", "\n", "|", "*"]),
        ),
        max_size=25,
    )
)
def test_no_page_is_too_broken_to_be_read(pieces):
    text, _ = html_to_markdown("".join(pieces))
    assert ("one" in unescape(text)) == ("one" in pieces)
