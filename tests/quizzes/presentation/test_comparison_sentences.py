"""What learners read of how typed answers are compared, and whether it is so."""

from fractions import Fraction

import pytest
from django.utils.translation import override

from grading.short_text.row_matching import find_match
from grading.short_text.sorts import SORTS
from grading.short_text.structure import AcceptedText
from quizzes.presentation.messages.comparison import describe_comparison

SENTENCE_SIGNS = ("¿{}", "¡{}", "{}.", "{},", "{};", "{}:", "{}!", "{}?")
OTHER_SIGNS = ('"{}"', "'{}'", "({})", "[{}]", "-{}", "{}%", "#{}", "{}/", "*{}")


def accepts(sort: str, text: str) -> bool:
    row = AcceptedText("a", "river", Fraction(1))
    return find_match((row,), SORTS[sort], text) is row


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("content", [{"sort": "words"}, {"sort": "words", "accents": "ignored"}])
def test_the_signs_that_do_not_count_around_words_are_those_that_learners_read(content, language):
    with override(language):
        sentence = describe_comparison(content)
    for form in SENTENCE_SIGNS:
        assert accepts("words", form.format("River"))
        assert form.format("") in sentence
    for form in OTHER_SIGNS:
        assert not accepts("words", form.format("river"))
        assert set(form.format("")).isdisjoint(sentence)


@pytest.mark.parametrize("sort", ["code", "formula", "exact_text"])
def test_every_sign_counts_in_the_other_sorts(sort):
    for form in (*SENTENCE_SIGNS, *OTHER_SIGNS):
        assert not accepts(sort, form.format("river"))
