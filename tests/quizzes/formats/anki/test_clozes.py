"""What a note covers is parted from the rest once, and is a gap where it can be typed."""

import pytest

from quizzes.formats.anki.clozes import (
    ClozeDeletion,
    build_gaps,
    render_hidden,
    render_revealed,
    split_cloze,
)


@pytest.mark.parametrize(
    ("field", "pieces"),
    [
        ("plain }} {{x}}", ["plain ", "}}", " {{x", "}}"]),
        ("{{c1::a}}", [ClozeDeletion("a")]),
        ("x {{c12::a::h::i}} y", ["x ", ClozeDeletion("a", "h::i"), " y"]),
        (r"{{c1::\frac{a}{b}}}", [ClozeDeletion(r"\frac{a}{b"), "}"]),
        ("{{c1::a {{c2::b}} c}}", [ClozeDeletion("a b c", nested=True)]),
        ("{{c1::open", ["{{c1::", "open"]),
        ("{{c1::open {{c2::b}}", ["{{c1::", "open ", ClozeDeletion("b")]),
    ],
)
def test_a_field_is_cut_at_what_is_covered(field, pieces):
    assert split_cloze(field) == pieces
    if not any(isinstance(piece, ClozeDeletion) for piece in pieces):
        assert render_revealed(pieces) == field


def test_a_card_shows_marks_or_the_hints():
    pieces = split_cloze("The {{c1::Tajo}} at {{c2::Lisbon::city}}")
    assert render_hidden(pieces) == "The […] at [city]"
    assert render_revealed(pieces) == "The Tajo at Lisbon"


def test_gaps_are_words_that_the_text_does_not_have():
    cloze = build_gaps(split_cloze("Gapword {{c1::<b>a</b>&nbsp;b}} {{c2::2*3::sum}}"))
    assert cloze is not None
    assert cloze.html == "Gapword Gapwordx1Z Gapwordx2Z (sum)"
    assert cloze.placeholder == "Gapwordx"
    assert [gap.accepted[0].text for gap in cloze.gaps] == ["a b", r"2\*3"]


@pytest.mark.parametrize(
    "field",
    [
        "{{c1::}}",
        "{{c1::a {{c2::b}}}}",
        "{{c1::<img src=a.png>}}",
        r"{{c1::\(x\)}}",
        "{{c1::[$]x[/$]}}",
        "{{c1::" + "long " * 20 + "}}",
        r"\(x = {{c1::2}}\)",
        "{{c1::a}}" * 101,
    ],
)
def test_what_nobody_could_type_makes_no_gaps(field):
    assert build_gaps(split_cloze(field)) is None


def test_deep_nests_end():
    [first, *others] = split_cloze("{{c1::" * 10_000 + "a" + "}}" * 10_000)
    assert isinstance(first, ClozeDeletion)
    assert first.nested
    assert set(others) == {"}}"}
