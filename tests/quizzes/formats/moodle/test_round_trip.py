"""What is written reads back as the same questions, as far as the format can tell."""

from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from quizzes.document import find_problems
from quizzes.formats import moodle
from quizzes.formats.builders import build_strict_comparison
from quizzes.formats.contract import ImportStatus, ParsedQuestion
from quizzes.formats.moodle.choice import PARTLY_RIGHT_FROM
from tests.quizzes.imports import questions as any_

BEGINS = (Fraction(1), PARTLY_RIGHT_FROM, Fraction(0))
SHARES = (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1))
EXACT: list[dict[str, Any]] = [build_strict_comparison(case=case) for case in (True, False)]

MADE = st.one_of(
    any_.banded(any_.singles(), BEGINS),
    any_.banded(any_.multiples(), BEGINS),
    any_.banded(any_.multiples(SHARES), BEGINS),
    any_.truths(),
    *(any_.short_texts(**folding) for folding in EXACT),
    any_.numerics(("none", "optional", "required")),
    any_.banded(any_.matchings(), BEGINS),
    any_.banded(any_.orderings(("exact_place", "adjacent_pairs", "all_or_nothing")), BEGINS),
    any_.clozes(comparisons=EXACT),
    any_.essays(),
)


@settings(max_examples=300, deadline=None)
@given(MADE)
def test_out_and_in_again_is_the_same_question(question: ParsedQuestion):
    written = moodle.write(any_.parcel(question), language="en")
    assert written.warnings == ()
    (item,) = moodle.read(written.data, language="en").items
    assert item.question is not None
    assert any_.same(item.question) == any_.same(question)
    assert (item.status, item.notes) == (ImportStatus.IMPORTED, ())
    assert find_problems(any_.item(item.question)) == find_problems(any_.item(question)) == ()


@settings(max_examples=20, deadline=None)
@given(st.lists(any_.singles(), max_size=5, unique_by=lambda question: question.name))
def test_many_questions_keep_their_order_and_points(questions):
    written = moodle.write(any_.parcel(*questions), language="en")
    back = moodle.read(written.data, language="en")
    assert [question.name for question in back.questions] == [
        question.name for question in questions
    ]
    assert moodle.write(back, language="en").data == written.data


@settings(max_examples=50, deadline=None)
@given(st.one_of(any_.flashcards(), any_.short_texts(), any_.clozes()))
def test_what_the_format_cannot_hold_is_told(question):
    written = moodle.write(any_.parcel(question), language="en")
    codes = {loss.code for loss in written.warnings}
    if question.kind == "flashcard":
        assert codes == {"kind_not_held"}
    elif question.tables.get("accepted"):
        assert codes == {"comparison_stricter"}
