"""Where a formula is one, and how it is set."""

from xml.etree.ElementTree import Element

import pytest

from quizzes.lib.markup import render
from quizzes.lib.markup.formulas import MAX_TEX, FormulaUnreadable, _written, to_mathml

X = '<math display="inline"><mrow><mi>x</mi></mrow></math>'


def mathml(tex):
    return to_mathml(tex, display=False)


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("$x$", X),
        ("$x$ is 5", f"{X} is 5"),
        ("5 is $x$", f"5 is {X}"),
        ("($x$), **$x$**", f"({X}), <strong>{X}</strong>"),
        ("¿$x$?", f"¿{X}?"),
        ("$5, but $x$", f"$5, but {X}"),
    ],
)
def test_dollars_around_tex_are_a_formula(source, html):
    assert render(source, inline=True) == html


@pytest.mark.parametrize(
    "source",
    [
        "$5 and $6",
        "from $5 to $10, or $ 7",
        "5$ y 6$",
        "US$5 and US$6",
        "a $ b $ c",
        r"\$x\$",
        "only one $x",
        "$",
        "$$",
        "$$$$",
        "$$ $$",
        "$x $",
    ],
)
def test_money_and_lone_dollars_stay_text(source):
    assert "<math" not in render(source)


def test_dollars_in_code_stay_code():
    assert render("`$x$`", inline=True) == "<code>$x$</code>"
    assert "<math" not in render("    $$\n    x\n    $$\n\n```\n$x$\n```")


def test_an_escaped_dollar_inside_does_not_end_the_formula():
    assert "<mi>$</mi>" in render(r"$x\$y$")


@pytest.mark.parametrize("source", ["$$x$$", "$$\nx\n$$", "$$ x\n$$", "- a\n\n  $$\n  x\n  $$"])
def test_double_dollars_are_a_block(source):
    assert '<math display="block"><mrow><mi>x</mi></mrow></math>' in render(source)


def test_double_dollars_inside_a_sentence_are_a_block_too():
    assert '<math display="block">' in render("so $$x$$ holds", inline=True)


@pytest.mark.parametrize("source", ["- $$a\n- b\n- c$$", "$$a\n\nb$$", "> $$a\n\nb$$", "$$a$$ $$"])
def test_an_open_block_swallows_nothing(source):
    assert '<math display="block"><mrow><mi>a</mi><mo>' not in render(source)
    for word in source.replace("$", " ").replace("-", " ").replace(">", " ").split():
        assert word in render(source)


def test_a_block_that_never_closes_is_text():
    html = render("$$a\n" + "b\n" * 150)
    assert html.startswith("<p>$$a\nb\n")


def test_an_element_that_is_not_listed_is_refused():
    with pytest.raises(FormulaUnreadable, match="unknown element maction"):
        _written(Element("maction"))


def test_text_in_a_formula_is_escaped():
    html = mathml(r"\text{<b> & 'ñ'}")
    assert "<mtext>&lt;b&gt;\u00a0&amp;\u00a0'ñ'</mtext>" in html


@pytest.mark.parametrize(
    ("tex", "part"),
    [
        (r"\frac{1}{2}", "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>"),
        (r"a \pm b", "<mo>±</mo>"),
        (r"a \sim b", "<mo>\u223c</mo>"),
        (r"\neg a", "<mo>¬</mo>"),
        (r"\mathrm{d}x", '<mi mathvariant="normal">d</mi>'),
        (r"\log x", '<mi>log</mi><mspace width="0.167em"></mspace><mi>x</mi>'),
        (r"2\sin x", '<mn>2</mn><mspace width="0.167em"></mspace><mi>sin</mi>'),
        (r"\log_2 x", '</msub><mspace width="0.167em"></mspace><mi>x</mi>'),
        (r"\log(x)", '<mi>log</mi><mo stretchy="false">(</mo>'),
        (r"\operatorname{softmax}(z)", "<mi>softmax</mi>"),
        (r"\hat{y}", "<mo>\u02c6</mo>"),
        (r"3{,}14", '<mo lspace="0em" rspace="0em">,</mo>'),
        (r"\color{red}{x}", '<mstyle mathcolor="red">'),
        (r"\begin{matrix}1&\\2&3\end{matrix}", "<mn>1</mn>"),
        (r"\begin{matrix}1&2\\3&\end{matrix}", "<mn>3</mn>"),
    ],
)
def test_formulas_are_set_as_in_tex(tex, part):
    assert part in mathml(tex)


@pytest.mark.parametrize(
    ("tex", "reason"),
    [
        (r"\frac{1}", "missing part of mfrac"),
        (r"\frac", "NoAvailableTokensError"),
        (r"x^", "MissingSuperScriptOrSubscriptError"),
        (r"\left( x", "ExtraLeftOrMissingRightError"),
        (r"\left", "StopIteration"),
        (r"{x", "unbalanced braces"),
        (r"x}", "unbalanced braces"),
        (r"}x{", "unbalanced braces"),
        (r"\foo{x}", r"unknown command \foo"),
        (r"\href{https://e.example}{x}", r"refused command \href"),
        (r"\def\a{b}\a", r"refused command \def"),
        ("{" * 31 + "}" * 31, "nested too deeply"),
        ("x" * (MAX_TEX + 1), "too long"),
        ("", "NoAvailableTokensError"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_reason(tex, reason):
    with pytest.raises(FormulaUnreadable, match="^" + reason.replace("\\", r"\\") + "$"):
        mathml(tex)


def test_an_unreadable_formula_is_shown_as_written():
    html = render(r"so $\frac{<1>}$ is", inline=True)
    assert html == r'so <code class="tex-error">\frac{&lt;1&gt;}</code> is'


def test_braces_that_are_written_out_need_no_partner():
    assert "<mo" in mathml(r"\{ x")


def test_names_that_begin_like_refused_ones_are_read():
    assert "<mo" in mathml(r"\leftarrow \left( x \right)")
