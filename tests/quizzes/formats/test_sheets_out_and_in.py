"""Questions written as a sheet are read back as they were, from text and from workbooks."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzes.formats import FORMATS, WRITERS, builders
from quizzes.formats.builders import Accepted, Head, Number
from quizzes.formats.builders.languages import has_same_structure, merge_languages
from quizzes.formats.contract import ImportStatus, ParsedQuestion
from tests.quizzes.imports import questions as rich
from tests.quizzes.imports import wordings as worded

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
    assert written.warnings == ()
    [item] = FORMATS[name].read(written.data).items
    assert item.question
    assert rich.same(item.question) == rich.same(question)
    assert item.status == ImportStatus.IMPORTED


HEAD = Head(1, "q", "en", "Which?")


def lost(question: ParsedQuestion, name: str = "csv") -> set[str]:
    return {
        loss.code for loss in WRITERS[name].write(rich.parcel(question), language="en").warnings
    }


@pytest.mark.parametrize(
    ("question", "codes"),
    [
        (
            builders.build_cloze(HEAD, [builders.Gap("g", accepted=[Accepted("a")])]),
            {"kind_not_held"},
        ),
        (builders.build_ordering(HEAD, [f"item {n}" for n in range(27)]), {"too_many_options"}),
        (builders.build_matching(HEAD, [("a => b", "1"), ("c", "2")]), {"arrow_left_out"}),
        (
            builders.build_short_text(HEAD, [Accepted("a"), Accepted("b+", pattern=True)]),
            {"pattern_left_out"},
        ),
        (
            builders.build_numeric(HEAD, [Number("3"), Number("4", "digits", "2")]),
            {"tolerance_left_out"},
        ),
        (
            builders.build_numeric(HEAD, [Number("3")], unit="required", units={"m": "1"}),
            {"rows_left_out", "setting_left_out"},
        ),
        (replace(builders.build_essay(HEAD), name="Not a slug"), {"name_changed"}),
    ],
)
def test_what_no_row_can_hold_is_told(question, codes):
    assert lost(question) == lost(question, "xlsx") == codes


def test_both_languages_stand_side_by_side_and_come_back():
    english = builders.build_essay(HEAD)
    spanish = builders.build_essay(replace(HEAD, language="es", prompt="¿Cuál?"))
    question = merge_languages(english, spanish)
    assert has_same_structure(english, spanish)
    written = WRITERS["csv"].write(rich.parcel(question), language="es")
    assert written.warnings == ()
    assert "pregunta (es);pregunta (en)" in written.data.decode("utf-8-sig")
    [item] = FORMATS["csv"].read(written.data).items
    assert item.question
    assert rich.same(item.question) == rich.same(question)
