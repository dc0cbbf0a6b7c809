"""Gaps are words that their text does not have, until it is Markdown."""

from quizzes.formats.parsing.placeholders import (
    build_placeholder,
    find_free_word,
    is_in_formula,
    restore_marks,
)


def test_a_word_is_free_in_all_texts():
    assert find_free_word(["a", "b"]) == "Gapword"
    assert find_free_word(iter(["Gapword", "Gapwordx here"])) == "Gapwordxx"


def test_words_become_marks():
    word = find_free_word([])
    assert (
        restore_marks(f"a {build_placeholder(word, 1)}b{build_placeholder(word, 12)}", word)
        == "a [[gap-1]]b[[gap-12]]"
    )


def test_a_gap_in_a_formula_is_seen():
    assert is_in_formula(r"\(x = Gapword1Z\)", "Gapword")
    assert not is_in_formula(r"\(x\) Gapword1Z", "Gapword")
