"""Sounds and LaTeX of Anki's fields are what any page could have; tags are ours."""

import pytest

from quizzes.formats.anki import FieldReader, parse_tags, read_words
from quizzes.formats.contract import Note


def to_html(field: str) -> str:
    reader = FieldReader(1)
    html = reader.to_html(field)
    assert reader.notes == []
    return html


@pytest.mark.parametrize(
    ("field", "html"),
    [
        ("no marks at all", "no marks at all"),
        ("a [note] b", "a [note] b"),
        ("[sound:a b.mp3]", '<audio src="a b.mp3"></audio>'),
        ("[$]x < y[/$]", r"\(x &lt; y\)"),
        ("[$$]a&lt;b[/$$]", r"\[a&lt;b\]"),
        ("[latex]$x^2$[/latex]", r"\(x^2\)"),
        ("[latex]$$x^2$$[/latex]", r"\[x^2\]"),
        (r"[latex]\[x\][/latex]", r"\[x\]"),
        (r"[latex]\begin{math}x\end{math}[/latex]", r"\(x\)"),
        (r"[latex]\begin{equation*}x<br>y\end{equation*}[/latex]", "\\[x\ny\\]"),
        ("[$]a[/$] and [$]b[/$]", r"\(a\) and \(b\)"),
        ("[$]never closed", "[$]never closed"),
        ("closed [/$] only", "closed [/$] only"),
        ("[$]a [latex] b[/$]", r"\(a [latex] b\)"),
        ("[$]a[/latex]b[/$]", r"\(a[/latex]b\)"),
    ],
)
def test_marks_of_anki_become_html(field, html):
    assert to_html(field) == html


def test_latex_that_is_no_formula_stays_and_is_noted():
    reader = FieldReader(7)
    html = reader.to_html(r"[latex]\emph{a} <b>$x$</b><br>end[/latex]")
    assert html == "\\emph{a} $x$<br>end"
    assert reader.notes == [Note("latex_as_text", 7, "\\emph{a} $x$\nend")]


def test_tags_are_parted_by_blanks_and_those_of_the_program_itself_stay_out():
    assert parse_tags(" North::Cold leech año Año marked ") == ("north-cold", "ano")


def test_words_are_what_is_left_without_markup():
    assert read_words("<b>a</b>&nbsp;b<br>[sound:x.mp3] &lt;") == "a b <"
