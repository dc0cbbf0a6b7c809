"""What is written as QTI 2.1 or 3.0 reads back as the same questions, as far as these can tell."""

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from quizzes.document import find_problems
from quizzes.formats import qti2, qti3
from quizzes.formats.builders import (
    Head,
    Option,
    SourceChoice,
    add_row_feedback,
    build_choice,
    build_short_text,
    build_strict_comparison,
)
from quizzes.formats.contract import FieldTexts, ImportStatus, ParsedQuestion, ParsedRow
from quizzes.lib.html_conversion import html_to_markdown, to_html
from tests.quizzes.imports import questions as any_

BEGINS = (Fraction(1), Fraction(1, 3), Fraction(0))
SHARES = (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1))
EXACT = [build_strict_comparison(case=case) for case in (True, False)]
TYPED = st.lists(
    st.sampled_from("iron A-b über it's x=1 <50%> {a} ~b #c & \\* C:\\dir".split()),
    min_size=1,
    max_size=3,
    unique=True,
).map(" ".join)
TYPED = TYPED.filter(lambda text: "*" not in text or "dir" not in text)  # both escape all
OFFERED = st.sampled_from("one two <three> four&five six".split())
FORMATS = pytest.mark.parametrize("format_", [qti2, qti3], ids=["qti-2", "qti-3"])
MARK = re.compile(r"\[\[([\w-]+)\]\]")


@st.composite
def nothing_right(draw) -> ParsedQuestion:
    """Choices with “none of these”, which is right if nothing else is."""
    words = draw(any_.some(any_.lines, 2))
    right = draw(st.sets(st.integers(0, len(words) - 1)))
    options = [Option(text, right=at in right, pinned=at == 0) for at, text in enumerate(words)]
    scoring_method = draw(st.sampled_from(["right_minus_wrong", "all_or_nothing"]))
    return build_choice(
        draw(any_.heads()),
        SourceChoice(options, many=True, scoring_method=scoring_method, none_apply=True),
    )


@st.composite
def fed_matchings(draw) -> ParsedQuestion:
    question = draw(any_.matchings())
    scoring_method = draw(st.sampled_from(["per_pair", "all_or_nothing", "right_minus_wrong"]))
    feedback = {row.name: draw(any_.maybe) for row in question.tables["lefts"]}
    return add_row_feedback(
        replace(question, scoring_method=scoring_method), "en", "lefts", feedback
    )


@st.composite
def otherwise(draw, strategy: st.SearchStrategy[ParsedQuestion]) -> ParsedQuestion:
    question: ParsedQuestion = draw(strategy)
    head = Head(1, "a", "en", "p", other_texts={"otherwise": draw(any_.maybe)})
    texts = build_short_text(head, []).texts
    return replace(question, texts={**texts, **question.texts})


MADE = st.one_of(
    any_.banded(any_.singles(), BEGINS),
    any_.banded(any_.multiples(), BEGINS),
    any_.banded(any_.multiples(SHARES), BEGINS),
    nothing_right(),
    any_.banded(any_.truths(), BEGINS),
    *(otherwise(any_.banded(any_.short_texts(TYPED, **options), BEGINS)) for options in EXACT),
    otherwise(any_.banded(any_.numerics(), BEGINS)),
    any_.banded(fed_matchings(), BEGINS),
    any_.banded(any_.orderings(("all_or_nothing",)), BEGINS),
    any_.banded(any_.clozes(TYPED, OFFERED, EXACT), BEGINS),
    any_.essays().map(lambda question: replace(question, fields={})),
)


def shown(markdown: str) -> str:
    """Give the text that is written when this one is shown; marks of gaps stay."""
    words = MARK.sub(r"qtimark\1qtimark", markdown)
    text, _ = html_to_markdown(to_html(words), lambda address: address.removeprefix("media:"))
    return re.sub(r"qtimark([\w-]+?)qtimark", r"[[\1]]", text)


def same_texts(texts: FieldTexts) -> FieldTexts:
    return {
        text: {language: shown(words) for language, words in words.items()}
        for text, words in texts.items()
    }


def settled(question: ParsedQuestion) -> ParsedQuestion:
    """Give a question with its texts as they are read back: shown the same, written one way."""
    tables: Mapping[str, tuple[ParsedRow, ...]] = {
        name: tuple(replace(row, texts=same_texts(row.texts)) for row in rows)
        for name, rows in question.tables.items()
    }
    wordless = question.kind == "cloze" and not question.tables.get("accepted")
    fields = {} if wordless else question.fields  # what counts in words says nothing there
    return replace(question, texts=same_texts(question.texts), tables=tables, fields=fields)


@FORMATS
@settings(max_examples=60, deadline=None)
@given(question=MADE)
def test_out_and_in_again_is_the_same_question(format_, question):
    written = format_.write(any_.parcel(question), language="en")
    assume([loss.code for loss in written.warnings] != ["markup_changed"])  # lists side by side
    assert written.warnings == ()
    (item,) = format_.read(written.data, language="en").items
    assert item.question is not None
    assert item.status is ImportStatus.IMPORTED
    assert {note.code for note in item.notes} <= {"end_blanks_ignored"}  # of words to be typed
    assert any_.same(settled(item.question)) == any_.same(settled(question))
    assert find_problems(any_.item(item.question)) == find_problems(any_.item(question))


@FORMATS
@settings(max_examples=10, deadline=None)
@given(
    questions=st.lists(any_.singles(), max_size=5, unique_by=lambda question: question.name),
)
def test_many_questions_keep_their_order_and_the_bytes_are_the_same_again(format_, questions):
    written = format_.write(any_.parcel(*questions), language="en")
    back = format_.read(written.data)
    assert [question.name for question in back.questions] == [
        question.name for question in questions
    ]
    again = format_.write(back, language="en")
    assert format_.write(format_.read(again.data), language="en").data == again.data
