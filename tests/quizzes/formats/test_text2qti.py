"""text2qti Markdown is read by its grammar, and written so as to read back the same."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.formats import text2qti
from quizzes.formats.builders import (
    Accepted,
    Head,
    Number,
    Option,
    SourceChoice,
    add_score_feedback,
    build_choice,
    build_essay,
    build_flashcard,
    build_numeric,
    build_short_text,
    build_strict_comparison,
    escape_wildcards,
)
from quizzes.formats.contract import FileMetadata, ImportStatus
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import (
    CORPORA,
    FIXTURES,
    assert_fast,
    list_codes,
    list_texts,
    with_corpora,
)
from tests.quizzes.imports.questions import (
    heads,
    multiples,
    parcel,
    plain,
    same,
    singles,
    truths,
)
from tests.quizzes.imports.wordings import decimals

HEAD = Head(1, "q", "en", "What?")


class TestQuirks:
    quirks = text2qti.read((FIXTURES / "text2qti" / "quirks.txt").read_bytes())

    def test_every_item_has_its_verdict(self):
        assert [
            (item.kind, item.status.value[:3], list_codes(item)) for item in self.quirks.items
        ] == [
            ("multiple_choice", "imp", []),
            ("single_choice", "nee", ["several_right_options"]),
            ("true_false", "imp", []),
            ("numeric", "imp", []),
            ("numeric", "nee", ["number_unreadable"]),
            ("numeric", "imp", []),
            ("short_text", "nee", ["answers_of_two_kinds"]),
            ("", "ref", ["options_missing"]),
            ("single_choice", "ref", ["options_missing"]),
            ("essay", "rep", ["solution_left_out", "picture_missing"]),
            ("program", "ref", ["run_by_program"]),
            ("single_choice", "rep", ["group_draws"]),
            ("numeric", "nee", ["number_unreadable"]),
        ]

    def test_title_points_feedback_and_further_lines_are_kept(self):
        first = self.quirks.items[0]
        assert self.quirks.metadata.title == "Rivers and seas"
        assert (first.name, first.points, first.line, first.end_line) == (
            "seas",
            Fraction(3, 2),
            8,  # its title and points above it are read with it
            21,
        )
        assert first.question
        texts = [words["en"] for words in first.question.texts.values()]
        assert texts == ["Which are seas?\n\n```python\nsea = 1\n```", "Seas are salt."]
        bands = [row.texts for row in first.question.tables["score_feedback"]]
        assert [next(iter(band.values()))["en"] for band in bands] == ["All found.", "Look again."]
        assert first.question.fields["shuffle"] is False
        assert self.quirks.items[11].points == 2

    def test_margins_in_per_cent_are_numbers(self):
        fourth, sixth = (self.quirks.items[n].question for n in (3, 5))
        assert fourth
        assert sixth
        values = fourth.tables["numbers"][0].values
        assert (values["value"], values["margin"]) == ("1000", "50")
        assert sixth.tables["numbers"][0].values["value"] == "0.2"

    def test_comments_and_strays_are_noise(self):
        assert [ignored_line.line for ignored_line in self.quirks.ignored_lines] == [3, 4, 66]


@st.composite
def written_answers(draw):
    head = draw(heads())
    words = [
        Accepted(escape_wildcards(text)) for text in draw(st.lists(plain, min_size=1, unique=True))
    ]
    number = draw(
        st.sampled_from([Number("2.5"), Number("2", "absolute", "0.5"), Number("1", "range", "4")])
    )
    exact = Number(draw(decimals.map(lambda text: text.rstrip("0").rstrip(".") or "0")))
    return draw(
        st.sampled_from(
            [
                build_short_text(head, words, **build_strict_comparison(case=False)),
                build_numeric(head, [number]),
                build_numeric(head, [exact]),
                build_essay(head),
            ]
        )
    )


@given(st.one_of(singles(), multiples(), truths(), written_answers()), st.booleans())
def test_what_is_written_is_read_back(question, banded):
    question = replace(question, tags=())
    if "shuffle" in question.fields:
        question = replace(question, fields={**question.fields, "shuffle": True})
    if banded:
        question = add_score_feedback(
            question, "en", {Fraction(1): "Well\n\ndone", Fraction(0): "No"}
        )
    written = text2qti.write(parcel(question), language="en")
    assert written.warnings == ()
    back = text2qti.read(written.data, language="en")
    assert [item.status for item in back.items] == [ImportStatus.IMPORTED]
    assert same(back.questions[0]) == same(question)


@pytest.mark.parametrize(
    "number", [Number("2.5"), Number("2", "absolute", "0.5"), Number("1", "range", "4")]
)
def test_bounds_of_numbers_are_kept(number):
    question = build_numeric(HEAD, [number])
    back = text2qti.read(text2qti.write(parcel(question), language="en").data, language="en")
    assert back.questions[0].tables["numbers"][0].values == question.tables["numbers"][0].values


@pytest.mark.parametrize("text", ["x +- 1", "1 +- _", "[a, 2]", "", "1e1234"])
def test_what_is_no_number_needs_review(text):
    item = text2qti.read(f"1.  Q?\n=   {text or 'none'}\n".encode(), language="en").items[0]
    assert (item.status, list_codes(item)) == (ImportStatus.REVIEW, ["number_unreadable"])


LOST = {
    "kind_not_held": build_flashcard(HEAD, "back"),
    "language_missing": build_essay(replace(HEAD, language="es")),
    "tags_left_out": build_essay(replace(HEAD, tags=("a",))),
    "setting_left_out": build_numeric(HEAD, [Number("2", "relative", "0.1")]),
    "rows_left_out": build_numeric(HEAD, [Number("2"), Number("3")]),
    "pattern_left_out": build_short_text(HEAD, [Accepted("a"), Accepted("b*", pattern=True)]),
    "share_not_offered": build_short_text(HEAD, [Accepted("a"), Accepted("b", Fraction(1, 2))]),
    "score_feedback_left_out": add_score_feedback(
        build_essay(HEAD), "en", {Fraction(1, 2): "Half"}
    ),
    "shuffle_left_out": build_choice(
        HEAD, SourceChoice([Option("a", right=True), Option("b")], many=False, shuffle=False)
    ),
}
LOST["score_feedback_left_out"] = add_score_feedback(
    LOST["shuffle_left_out"], "en", {Fraction(1, 2): "Half"}
)


@pytest.mark.parametrize(("code", "question"), LOST.items(), ids=LOST)
def test_what_it_cannot_hold_is_told(code, question):
    losses = text2qti.write(parcel(question), language="en").warnings
    assert code in [loss.code for loss in losses]


def test_title_and_points_are_written():
    item = replace(parcel(build_essay(HEAD)).items[0], points=Fraction(5, 2))
    data = text2qti.write(
        replace(parcel(), items=(item,), metadata=FileMetadata("T")), language="en"
    ).data
    assert data == b"Quiz title: T\n\nTitle: q\nPoints: 2.5\n1.  What?\n____\n"
    assert text2qti.read(data).items[0].points == Fraction(5, 2)


def test_an_unknown_language_is_told_and_nothing_is_nothing():
    assert text2qti.read(b"1.  3?\n*a) 3\nb) 4\n").ignored_lines[0].code == "language_unknown"
    assert text2qti.read(b"").items == ()


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("1. Q\n*a) x\n", True),
        ("1. Q\r\n[*] x\r\n", True),
        ("1. Q\n- [x] a", False),
        ("a) b", False),
    ],
)
def test_a_file_is_claimed_by_question_and_answer(text, claimed):
    assert text2qti.detect(text.encode(), "a.txt") is claimed


@pytest.mark.parametrize(
    "text", ["1.  Q\n" + "*a) x\n" * 50_000, "1.  Q\n" + " \n" * 500_000, "1.  Q\n=   1e999999999"]
)
def test_large_files_are_read_in_seconds(text):
    assert_fast(text2qti.read, text, 5)


@with_corpora
def test_the_published_examples_are_read():
    file = next((CORPORA / "text2qti").rglob("readme-examples.txt"))
    items = text2qti.read(file.read_bytes()).items
    assert [item.kind for item in items] == [
        "single_choice",
        "multiple_choice",
        "numeric",
        "numeric",
        "numeric",
        "short_text",
        "essay",
        "upload",
        "true_false",
        "true_false",
    ]
    assert [item.status for item in items if item.status is not ImportStatus.IMPORTED] == [
        ImportStatus.REFUSED,
        ImportStatus.REPAIRED,
        ImportStatus.REPAIRED,
    ]


AT_THE_MARGIN = """1.  What?
```
a) of a listing
```
a)  one
more

```
code
```
*b) two

# Heading

2.  Last?
a)  x
*b) y
lazy
"""


def test_lines_at_the_margin_stay_with_the_text_above_them_and_are_told():
    parcel_ = text2qti.read(AT_THE_MARGIN.encode(), language="en")
    texts = [list_texts(question) for question in parcel_.questions]
    assert texts == [
        ["What?\n```\na) of a listing\n```", "one\nmore\n\n```\ncode\n```", "two"],
        ["Last?", "x", "y\nlazy"],
    ]
    assert [item.status for item in parcel_.items] == [ImportStatus.REPAIRED] * 2
    assert [note.line for item in parcel_.items for note in item.notes] == [2, 6, 8, 18]
    assert [note.quote for note in parcel_.ignored_lines] == ["# Heading"]


def test_a_listing_at_the_margin_without_an_end_swallows_no_question():
    for rest in ("", "\n2.  Next?\na)  x\n*b) y\n```\n"):
        data = f"1.  What?\n```\na)  one\n*b) two\n{rest}".encode()
        items = text2qti.read(data, language="en").items
        assert [item.kind for item in items][:1] == ["single_choice"]
        assert len(items) == 1 + bool(rest)


def test_fences_of_a_manual_are_around_its_questions_not_in_them():
    text = (
        "Words before.\n\n```\n1.  What?\na)  this\n*b) that\n```\n\nWords between.\n\n"
        "```\n2.  Who?\n*a) she\nb)  he\n```\n\nWords after, at length.\n"
    )
    items = text2qti.read(text.encode(), language="en").items
    assert [(item.line, item.end_line) for item in items] == [(4, 6), (12, 14)]
    assert [
        [row.texts[next(iter(row.texts))]["en"] for row in item.question.rows]
        for item in items
        if item.question
    ] == [
        ["this", "that"],
        ["she", "he"],
    ]


def test_the_title_of_a_question_is_its_name_and_nothing_is_left_over():
    text = (
        "Title: One river\n1. Which?\na) x\n*b) y\n\nTitle: Another\n2. Which now?\na) x\n*b) y\n"
    )
    parsed_file = parse_upload(text.encode(), "x.txt", language="en")
    assert [each.name for each in parsed_file.questions] == ["one-river", "another"]
    assert (parsed_file.remainder, parsed_file.ignored_lines) == ((), ())
