"""Headings are known in both languages, however they are written."""

import pytest

from quizzes.formats.spreadsheet.column_aliases import COLUMN_ALIASES
from quizzes.formats.spreadsheet.columns import Column, count_columns, parse_header, write_heading


def parts(*cells: str) -> list[tuple[str, str, str] | None]:
    columns = map(parse_header(cells).get, range(len(cells)))
    return [(column.part, column.letter, column.language) if column else None for column in columns]


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
    assert parts(cell) == [expected]


def test_two_columns_of_one_kind_are_told_apart_by_their_words():
    assert parts("Question", "Pregunta", "Option A", "Opción A") == [
        ("question", "", "en"),
        ("question", "", "es"),
        ("option", "a", "en"),
        ("option", "a", "es"),
    ]


def test_a_second_column_of_the_same_is_not_parts():
    assert parts("Question", "Question", "Tags", "Tags") == [
        ("question", "", "en"),
        None,
        ("tags", "", ""),
        None,
    ]


def test_a_header_asks_for_a_question_and_something_beside_it():
    assert count_columns(("Question", "Correct", "Owner")) == 2
    assert count_columns(("Question", "A", "B")) == 3
    assert count_columns(("Type", "Pregunta")) == 2
    assert not count_columns(("Question", "Points"))
    assert not count_columns(("Option A", "Option B", "Correct"))
    assert not count_columns(())


@pytest.mark.parametrize("spoken", ["en", "es"])
@pytest.mark.parametrize("part", COLUMN_ALIASES)
def test_every_heading_that_is_written_is_read(part, spoken):
    for letter in ("", "j"):
        column = parse_header([write_heading(Column(part, letter), spoken)]).get(0)
        lettered = part in {"option", "weight", "feedback", "unchosen"}
        if bool(letter) == lettered:
            assert column
            assert (column.part, column.letter, column.language) == (part, letter, "")


def test_headings_are_written_as_words():
    assert write_heading(Column("option", "c", "es"), "es") == "opción C (es)"
    assert write_heading(Column("unchosen", "a", "en"), "en") == "if not chosen A (en)"
    assert write_heading(Column("explanation", "", "en"), "es") == "explicación (en)"


def test_no_word_means_two_things_but_feedback():
    parts_by_word: dict[str, str] = {}
    for part, both in COLUMN_ALIASES.items():
        for word in " ".join(both).split():
            twice = {"answer", "respuesta", "feedback", "retroalimentacion"}
            assert parts_by_word.get(word, part) == part or word in twice
            parts_by_word[word] = part


def test_a_column_is_a_value():
    assert Column("tags") == Column("tags")
