"""What is written as QTI 1.2 reads back as the same questions, as far as it can tell."""

from dataclasses import replace
from fractions import Fraction
from math import gcd

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grading.json_types import Json
from grading.numeric.exact import parse_exact
from quizzes.document import find_problems
from quizzes.formats import qti12
from quizzes.formats.contract import ImportStatus, ParsedQuestion, ParsedRow
from quizzes.formats.parsing.numbers import format_number
from tests.quizzes.formats.qti.test_round_trip import (
    EXACT,
    OFFERED,
    SHARES,
    TYPED,
    fed_matchings,
    nothing_right,
    settled,
)
from tests.quizzes.imports import questions as any_

BEGINS = (Fraction(1), Fraction(0))
HELD = ("per_pair", "all_or_nothing")
MADE = st.one_of(
    any_.banded(any_.singles(), BEGINS),
    any_.banded(any_.multiples(), BEGINS),
    any_.banded(any_.multiples(SHARES), BEGINS),
    nothing_right(),
    any_.banded(any_.truths(), BEGINS),
    *(any_.banded(any_.short_texts(TYPED, **options), BEGINS) for options in EXACT),
    any_.banded(any_.numerics(), BEGINS),
    fed_matchings().filter(
        lambda question: question.scoring_method in HELD and bool(question.fields["shuffle"])
    ),
    any_.banded(any_.orderings(("all_or_nothing",)), BEGINS),
    any_.banded(any_.clozes(TYPED, OFFERED, EXACT), BEGINS),
    any_.essays().map(lambda question: replace(question, fields={})),
)


def plainly(row: ParsedRow) -> ParsedRow:
    """Return a row with its numbers written one way."""
    values: dict[str, Json] = {
        name: format_number(parse_exact(str(value)))
        if name in {"value", "margin"} and value
        else value
        for name, value in row.values.items()
    }
    return replace(row, values=values)


def list_comparable_parts(question: ParsedQuestion) -> object:
    """Return what two equal questions have in common there: of points only how they compare."""
    question = settled(question)
    tables = {name: tuple(map(plainly, rows)) for name, rows in question.tables.items()}
    gaps = tables.get("gaps", ())
    points = [int(str(row.values["points"])) for row in gaps]
    divisor = gcd(*points) or 1
    tables["gaps"] = tuple(
        replace(row, values={**row.values, "points": gap_points // divisor})
        for row, gap_points in zip(gaps, points, strict=True)
    )
    return any_.same(
        replace(question, tables={name: rows for name, rows in tables.items() if rows})
    )


@settings(max_examples=60, deadline=None)
@given(MADE)
def test_out_and_in_again_is_the_same_question(question):
    export = qti12.write(any_.parcel(question), language="en")
    codes = {warning.code for warning in export.warnings}
    assume(codes != {"markup_changed"})  # lists side by side
    # A third of 5/11 has no decimal; we read it back as such, other programs as 0.1515.
    assert codes <= ({"share_rounded"} if question.kind == "cloze" else set())
    (item,) = qti12.read(export.data, language="en").items
    assert item.question is not None
    assert (item.status, item.notes) == (ImportStatus.IMPORTED, ())
    assert list_comparable_parts(item.question) == list_comparable_parts(question)
    assert find_problems(any_.item(item.question)) == find_problems(any_.item(question))


@settings(max_examples=10, deadline=None)
@given(st.lists(any_.singles(), max_size=5, unique_by=lambda question: question.name))
def test_many_questions_keep_their_order_and_the_bytes_are_the_same_again(questions):
    first = qti12.write(any_.parcel(*questions), language="en")
    back = qti12.read(first.data)
    assert [question.name for question in back.questions] == [
        question.name for question in questions
    ]
    again = qti12.write(back, language="en")
    assert qti12.write(qti12.read(again.data), language="en").data == again.data
