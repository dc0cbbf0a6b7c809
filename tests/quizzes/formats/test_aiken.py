"""Aiken is read line by line, and what is written is read back as it was."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from quizzes.formats import aiken
from quizzes.formats.builders import (
    Head,
    Option,
    SourceChoice,
    build_choice,
    build_essay,
    build_true_false,
)
from tests.quizzes.imports import wordings as made
from tests.quizzes.imports.wordings import parcel, same

QUIRKS = Path(__file__).parents[3] / "fixtures/formats/aiken/quirks.txt"
HEAD = Head(1, "q", "en", "Which?")
RIGHT, WRONG = Option("a", right=True), Option("b")


def test_every_item_has_a_verdict_with_its_reasons():
    parcel = aiken.read(QUIRKS.read_bytes().replace(b"\n", b"\r\n"), language="en")
    assert [
        (item.line, item.end_line, item.status, [note.code for note in item.notes])
        for item in parcel.items
    ] == [
        (1, 5, "imported", []),
        (7, 12, "repaired", ["line_joined"]),
        (14, 16, "needs_review", ["key_unknown"]),
        (18, 21, "needs_review", ["answer_unknown"]),
        (23, 28, "imported", []),
        (30, 32, "needs_review", ["too_few_options"]),
        (34, 37, "imported", []),
        (39, 39, "refused", ["description_only"]),
    ]


def test_options_and_key_are_those_of_the_file():
    second = aiken.read(QUIRKS.read_bytes(), language="en").questions[1]
    assert [list(row.texts.values()) for row in second.tables["options"]] == [
        [{"en": "Duero\\\n(Douro)"}],
        [{"en": "Tajo"}],
    ]
    assert [row.values["right"] for row in second.tables["options"]] == [True, False]
    assert [row.line for row in second.tables["options"]] == [9, 11]


def test_several_letters_make_a_multiple_choice_and_a_strange_one_is_told():
    several = aiken.read(QUIRKS.read_bytes(), language="en").questions[4]
    assert several.kind == "multiple_choice"
    [item] = aiken.read(b"Q?\nA. a\nB. b\nANSWER: A, Z", language="en").items
    assert [note.code for note in item.notes] == ["answer_unknown"]
    assert item.question
    assert [row.values["right"] for row in item.question.tables["options"]] == [True, False]


def test_the_language_is_detected_or_unknown():
    assert aiken.read(b"Q?\nA. 1\nB. 2\nANSWER: B").ignored_lines[0].code == "language_unknown"


def test_it_is_claimed_by_its_answer_line():
    assert aiken.detect(QUIRKS.read_bytes(), "a.TXT")
    assert not aiken.detect(b"A. one\nB. two", "a.txt")
    assert not aiken.detect(QUIRKS.read_bytes(), "a.pdf")


PLAIN = made.heads(made.escapes, made.NOTHING)
OPTION = made.options(made.escapes, made.NOTHING)


@settings(deadline=None)
@given(made.parcels(made.single_choices(PLAIN, OPTION)))
def test_out_then_in_is_the_same(parcel):
    written = aiken.write(parcel, language="en")
    assert written.warnings == ()
    again = aiken.read(written.data, language="en").questions
    assert [same(question, named=False) for question in again] == [
        same(question, named=False) for question in parcel.questions
    ]


@pytest.mark.parametrize(
    ("question", "language", "codes"),
    [
        (build_essay(HEAD), "en", {"kind_not_held"}),
        (build_true_false(HEAD, right=True), "es", {"language_missing"}),
        (
            build_choice(HEAD, SourceChoice([RIGHT] + [WRONG] * 30, many=False)),
            "en",
            {"too_many_options"},
        ),
        (
            build_choice(
                Head(1, "q", "en", "*a*\n\nb", "So"), SourceChoice([RIGHT, WRONG], many=False)
            ),
            "en",
            {"lines_left_out", "markup_left_out", "text_left_out"},
        ),
        (build_choice(HEAD, SourceChoice([WRONG, WRONG], many=False)), "en", set()),
    ],
)
def test_what_it_cannot_hold_is_told(question, language, codes):
    losses = aiken.write(parcel([question]), language=language).warnings
    assert {loss.code for loss in losses} == codes


def test_hostile_files_answer_at_once():
    assert len(aiken.read(b"Q\nA. a\n\n" * 3000).items) == 3000
    assert aiken.read(b"A. \n" * 100_000).items
