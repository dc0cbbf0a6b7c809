"""Headings are known in both languages, however they are written."""

import pytest

from quizzes.formats.spreadsheet.columns import Column, fits, heading, headings
from quizzes.formats.spreadsheet.headwords import WORDS


def known(*cells: str) -> list[tuple[str, str, str] | None]:
    found = headings(cells)
    every = (found.get(at) for at in range(len(cells)))
    return [(one.part, one.letter, one.language) if one else None for one in every]


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("Question", ("question", "", "")),
        ("PREGUNTA", ("question", "", "")),
        ("  enunciado ", ("question", "", "")),
        ("Question (EN)", ("question", "", "en")),
        ("Question [fr]", ("question", "", "fr")),
        ("question_text_es", ("question", "", "es")),
        ("Pregunta en español", None),
        ("Pregunta español", ("question", "", "es")),
        ("Opción B (es)", ("option", "b", "es")),
        ("opcion 2", ("option", "b", "")),
        ("Option3", ("option", "c", "")),
        ("OptionD", ("option", "d", "")),
        ("Answer 10", ("option", "j", "")),
        ("Answer Option 1", ("option", "a", "")),
        ("C", ("option", "c", "")),
        ("z", None),
        ("Option 27", None),
        ("Option", None),
        ("Correct answer(s)", ("correct", "", "")),
        ("Respuesta correcta", ("correct", "", "")),
        ("Correct (en)", ("correct", "", "")),
        ("Feedback", ("explanation", "", "")),
        ("Feedback A", ("feedback", "a", "")),
        ("Option A feedback (en)", ("feedback", "a", "en")),
        ("Retroalimentación opción C", ("feedback", "c", "")),
        ("Peso B", ("weight", "b", "")),
        ("Weight", None),
        ("If not chosen A (es)", ("unchosen", "a", "es")),
        ("Topic", ("tags", "", "")),
        ("Tipo de pregunta", ("kind", "", "")),
        ("Respuesta a la pregunta", None),
        ("", None),
        ("(en)", None),
        ("Which river is the longest of all that flow through the peninsula?", None),
    ],
)
def test_a_heading_says_what_its_column_holds(cell, expected):
    assert known(cell) == [expected]


def test_two_columns_of_one_kind_are_told_apart_by_their_words():
    assert known("Question", "Pregunta", "Option A", "Opción A") == [
        ("question", "", "en"),
        ("question", "", "es"),
        ("option", "a", "en"),
        ("option", "a", "es"),
    ]


def test_a_second_column_of_the_same_is_not_known():
    assert known("Question", "Question", "Tags", "Tags") == [
        ("question", "", "en"),
        None,
        ("tags", "", ""),
        None,
    ]


def test_a_header_asks_for_a_question_and_something_beside_it():
    assert fits(("Question", "Correct", "Owner")) == 2
    assert fits(("Question", "A", "B")) == 3
    assert fits(("Type", "Pregunta")) == 2
    assert not fits(("Question", "Points"))
    assert not fits(("Option A", "Option B", "Correct"))
    assert not fits(())


@pytest.mark.parametrize("spoken", ["en", "es"])
@pytest.mark.parametrize("part", WORDS)
def test_every_heading_that_is_written_is_read(part, spoken):
    for letter in ("", "j"):
        column = headings([heading(part, letter, "", spoken=spoken)]).get(0)
        lettered = part in {"option", "weight", "feedback", "unchosen"}
        if bool(letter) == lettered:
            assert column
            assert (column.part, column.letter, column.language) == (part, letter, "")


def test_headings_are_written_as_words():
    assert heading("option", "c", "es", spoken="es") == "opción C (es)"
    assert heading("unchosen", "a", "en", spoken="en") == "if not chosen A (en)"
    assert heading("explanation", "", "en", spoken="es") == "explicación (en)"


def test_no_word_means_two_things_but_feedback():
    held: dict[str, str] = {}
    for part, both in WORDS.items():
        for word in " ".join(both).split():
            twice = {"answer", "respuesta", "feedback", "retroalimentacion"}
            assert held.get(word, part) == part or word in twice
            held[word] = part


def test_a_column_is_a_value():
    assert Column("tags") == Column("tags")
