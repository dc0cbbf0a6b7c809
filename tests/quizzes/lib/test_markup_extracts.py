"""What a text says, and what its translation must keep."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzes.lib.markup import Fragments, extracts, fragments, plain


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("", ""),
        ("# Title\n\nA **bold** `code`\nand $x^2$", "Title A bold code and x^2"),
        ("a  \nb", "a b"),
        ("[x](https://e.example) ![the *alt*](https://e.example)", "x the alt"),
        ("- a\n- b\n\n> c", "a b c"),
        ("|a|b|\n|-|-|\n|1|2|", "a b 1 2"),
        ("```python\nx = 1\n```\n\n$$\ny\n$$\n\n    z", "x = 1 y z"),
        ("a <b>c</b> &amp; d \\* e", "a <b>c</b> & d * e"),
        ("¿Año? 🙂 עברית", "¿Año? 🙂 עברית"),
    ],
)
def test_plain_is_one_line_of_words(source, words):
    assert plain(source) == words


def test_fragments_come_in_order_with_repetitions():
    extracted = fragments(
        "`a` $x$ 2 `b`\n\n- `a` 1 $$y$$\n\n```python\nc = 3\n```\n\n$$\nz\n + 1\n$$"
    )
    assert extracted == Fragments(
        code_spans=("a", "b", "a"),
        formulas=("x", "y", "z + 1"),
        numbers=("2", "1"),
        listings=("c = 3\n",),
    )


def test_an_empty_text_has_no_fragments():
    assert fragments("") == Fragments((), (), ())


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("costs 5, then 6.", ["5", "6"]),
        ("3.14 and 3,14", ["3.14", "3.14"]),
        ("1,234.5 | 1.234,5 | 1\u202f234,5 | 1234.5", ["1234.5"] * 4),
        ("1,000 1.000 1\u00a0000 1000", ["1000"] * 4),
        ("1,234,567 1.234.567", ["1234567"] * 2),
        ("0.125 0,125", ["0.125"] * 2),
        ("-3 \u22123 (\u22123)", ["-3"] * 3),
        ("from 2-3, 80%, 80 %", ["2", "3", "80", "80"]),
        ("GPT2 v1.2 ResNet50", []),
        ("in 5 100 items", ["5", "100"]),
        ("10x faster, 2nd, 16:40, 24/7", ["10", "2", "16", "40", "24", "7"]),
        ("1.2.2024", ["1.2.2024"]),
        ("![8](x) `9` $10$ \\$11", ["8", "11"]),
    ],
)
def test_numbers_are_read_alike_in_every_language(words, numbers):
    assert list(fragments(words).numbers) == numbers


def test_a_faithful_translation_has_the_same_fragments():
    english = fragments("Of 1,500 images, 80% are used; `tf.data` needs $n \\le 2.5$ s (0.5 each).")
    spanish = fragments("`tf.data` usa el 80 % de 1.500 imágenes; $n  \\le 2.5$ s (0,5 cada una).")
    assert Counter(english.numbers) == Counter(spanish.numbers)
    assert english.formulas == spanish.formulas
    assert english.code_spans == spanish.code_spans


@settings(deadline=None)
@given(st.text("ab 12.,-+)(\n\r\t\x1c5é:!*`$[#&=", max_size=24))
def test_words_without_marks_are_known_without_parsing_them(text):
    assert fragments(text) == extracts._parsed(text)
    assert plain(text) == extracts._parse_words(text)


@pytest.mark.parametrize("text", ["a\r- 1", "a\r    1", "a\r1. b", "a \x1c b"])
def test_what_only_the_parser_reads_as_a_line_or_a_sign_is_parsed(text):
    assert fragments(text) == extracts._parsed(text)
    assert plain(text) == extracts._parse_words(text)


def test_plain_words_are_not_parsed(monkeypatch):
    monkeypatch.setattr(extracts, "place_tokens", pytest.fail)
    assert plain("Which of these\n flows into the sea?") == "Which of these flows into the sea?"
