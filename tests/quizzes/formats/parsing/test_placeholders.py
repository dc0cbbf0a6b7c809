"""Gaps are words that their text does not have, until it is Markdown."""

from quizzes.formats.parsing.placeholders import free_word, marked, standing, within_formula


def test_a_word_is_free_in_all_texts():
    assert free_word(["a", "b"]) == "Gapword"
    assert free_word(iter(["Gapword", "Gapwordx here"])) == "Gapwordxx"


def test_words_become_marks():
    word = free_word([])
    assert marked(f"a {standing(word, 1)}b{standing(word, 12)}", word) == "a [[gap-1]]b[[gap-12]]"


def test_a_gap_in_a_formula_is_seen():
    assert within_formula(r"\(x = Gapword1Z\)", "Gapword")
    assert not within_formula(r"\(x\) Gapword1Z", "Gapword")
