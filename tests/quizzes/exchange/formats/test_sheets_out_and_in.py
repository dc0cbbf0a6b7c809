"""Questions written as a sheet are read back as they were, from text and from workbooks."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzes.exchange.contract import Verdict
from quizzes.exchange.formats import FORMATS, WRITERS
from tests.quizzes.exchange import questions as rich
from tests.quizzes.exchange import wordings as worded

NAMES = ("csv", "xlsx")


RICH = (
    rich.singles(),
    rich.multiples(),
    rich.multiples(weights=(Fraction(1, 2), Fraction(2, 31), Fraction(1, 3), Fraction(0))),
    rich.truths(),
    rich.short_texts(),
    rich.numerics(),
    rich.matchings(),
    rich.orderings(("exact_place", "adjacent_pairs")),
    rich.essays(),
    rich.flashcards(),
)
WORDED = (
    worded.single_choices(),
    worded.multiple_choices(),
    worded.weighted_choices(),
    worded.truths(),
    worded.short_texts(),
    worded.numbers(),
    worded.essays(),
    worded.cards(),
)


@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None, max_examples=150)
@given(question=st.one_of(*RICH, *WORDED), language=st.sampled_from(["en", "es"]))
def test_out_then_in_is_the_same(name, question, language):
    written = WRITERS[name].write(rich.parcel(question), language=language)
    assert written.losses == ()
    [found] = FORMATS[name].read(written.data).found
    assert found.question
    assert rich.same(found.question) == rich.same(question)
    assert found.verdict == Verdict.IMPORTED
