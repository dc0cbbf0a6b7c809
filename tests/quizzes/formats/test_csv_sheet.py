"""Questions in tables of text: what people write, row by row, with its verdict."""

import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from quizzes.formats import FORMATS, WRITERS, csv_sheet
from quizzes.formats.contract import ImportStatus, ParsedFile, SourceItem
from quizzes.formats.detection import detect_format
from quizzes.presentation.messages.import_notes import NOTES

PROJECT = Path(__file__).parents[3]
OWN = PROJECT / "fixtures/formats/sheet"
FILES = ("open-quote.csv", "quirks.csv", "spain.csv", "unicode.txt")


def parcel(name: str) -> ParsedFile:
    return csv_sheet.read((OWN / name).read_bytes())


def one(header: str, row: str, **more: Any) -> SourceItem:
    [item] = csv_sheet.read(f"{header}\n{row}\n".encode(), **{"language": "en", **more}).items
    return item


def codes(item: SourceItem) -> set[str]:
    return {note.code for note in item.notes}


def words(item: SourceItem, table: str) -> list[dict[str, str]]:
    assert item.question
    return [
        dict(texts)
        for row in item.question.tables[table]
        for text, texts in row.texts.items()
        if not text.is_feedback
    ]


def right(item: SourceItem) -> list[str]:
    assert item.question
    return [row.name for row in item.question.tables["options"] if row.values["right"]]


@pytest.mark.parametrize("name", FILES)
def test_a_sheet_is_claimed_and_every_note_has_its_sentence(name):
    assert detect_format((OWN / name).read_bytes(), name) is FORMATS["csv"]
    parsed_file = parcel(name)
    notes = [
        *parsed_file.ignored_lines,
        *(note for item in parsed_file.items for note in item.notes),
    ]
    assert {note.code for note in notes} <= NOTES.keys()
    assert sum(parsed_file.counts().values()) == len(parsed_file.items)
    for item in parsed_file.items:
        assert bool(item.notes) == (item.status != ImportStatus.IMPORTED)
        assert (item.question is None) == (item.status == ImportStatus.REFUSED)


SPAIN = {
    "rio-largo": ("single_choice", "imported", Fraction(3, 2), 4, 4),
    "que-paises-banan-el-danubio-y-el-rin-a-la-vez-marca-todas": (
        "multiple_choice",
        "imported",
        2,
        5,
        6,
    ),
    "altura": ("numeric", "imported", 1, 7, 7),
    "capital": ("short_text", "imported", 1, 8, 8),
    "isla": ("true_false", "imported", Fraction(1, 2), 9, 9),
    "y-esta-que": ("single_choice", "needs_review", 1, 10, 10),
    "parejas": ("matching", "imported", 2, 11, 11),
    "orden": ("ordering", "imported", 1, 12, 12),
    "huecos": ("cloze", "refused", None, 13, 13),
    "ensayo": ("essay", "imported", 5, 15, 15),
    "cuanto-vale-un-tercio-con-dos-decimales": ("numeric", "imported", 1, 16, 16),
}


def test_a_file_as_excel_saves_it_in_spain_is_read_line_by_line():
    parsed_file = parcel("spain.csv")
    outcomes = {f.name: (f.kind, f.status, f.points, f.line, f.end_line) for f in parsed_file.items}
    assert outcomes == SPAIN
    assert parsed_file.metadata.language == "es"
    assert [note.code for note in parsed_file.ignored_lines] == [
        "read_as_windows_1252",
        "row_before_header",
        "column_unknown",
        "row_not_read",
    ]
    accepted = parsed_file.items[3].question
    assert accepted
    assert [dict(row.values)["text"] for row in accepted.tables["accepted"]] == [
        "Camberra",
        "Canberra",
        "Sídney; no",
    ]


QUIRKS = {
    3: ("multiple_choice", {"a", "c"}, set()),
    4: ("single_choice", {"b"}, set()),
    5: ("single_choice", {"c"}, set()),
    6: ("single_choice", set(), {"answer_ambiguous"}),
    7: ("single_choice", {"b"}, set()),
    10: ("single_choice", set(), {"answer_ambiguous"}),
    11: ("single_choice", set(), {"answer_unknown"}),
    12: ("multiple_choice", set(), set()),
    13: ("single_choice", {"a"}, {"prompt_missing"}),
    14: ("true_false", {"true"}, set()),
    15: ("single_choice", {"b"}, set()),
    16: ("single_choice", {"b"}, set()),
}


def test_what_people_write_is_understood_or_left_to_a_person():
    parsed_file = parcel("quirks.csv")
    outcomes = {item.line: (item.kind, set(right(item)), codes(item)) for item in parsed_file.items}
    assert outcomes == QUIRKS
    first = parsed_file.items[0].question
    assert first
    assert first.tags == ("numbers", "prime-numbers")
    weights = [dict(row.values)["weight"] for row in first.tables["options"]]
    assert weights == [[1, 3], [-1, 2], [2, 3], [-1, 2]]
    assert len({item.name for item in parsed_file.items}) == len(parsed_file.items)


def test_plain_words_show_as_they_were_typed():
    item = parcel("quirks.csv").items[1]
    assert item.question
    [prompt] = [t for text, t in item.question.texts.items() if text.name == "prompt"]
    assert prompt["en"] == "What is 2 * 3 * 4 in snake_case?".replace("*", r"\*")
    assert words(item, "options")[2] == {"en": r"\`24\`"}
    laid_out = one("Question,Format,Correct", "What is **this**?,markdown,it")
    assert laid_out.question
    assert next(iter(laid_out.question.texts.values()))["en"] == "What is **this**?"


def test_both_languages_of_a_row_become_one_question():
    items = parcel("unicode.txt").items
    assert words(items[0], "options") == [
        {"en": "Bilbao", "es": "Bilbao"},
        {"en": "Almería", "es": "Almería"},
    ]
    assert [(item.status, codes(item)) for item in items] == [
        ("imported", set()),
        ("needs_review", {"translation_missing"}),
        ("needs_review", {"translation_missing"}),
        ("imported", set()),
    ]
    assert words(items[2], "options")[0] == {"en": "The egg", "es": "El huevo"}


def test_languages_that_differ_in_their_parts_are_told():
    header = "Kind,Question (en),Question (es),Option A (en),Option A (es),B (en),B (es)"
    row = "matching,Pairs,Parejas,a => 1,a => uno,b => 1,b => dos"
    item = one(header, row)
    assert codes(item) == {"languages_differ"}
    assert words(item, "rights") == [{"en": "1"}]


def test_a_quote_left_open_costs_one_row():
    parsed_file = parcel("open-quote.csv")
    assert [(item.line, item.status) for item in parsed_file.items] == [
        (2, "imported"),
        (3, "imported"),
        (4, "needs_review"),
        (5, "imported"),
        (6, "repaired"),
    ]
    assert codes(parsed_file.items[4]) == {"name_twice"}
    assert parsed_file.items[4].name == "four-2"


@pytest.mark.parametrize(
    ("header", "row", "kind", "expected"),
    [
        ("Question,Correct", "Is it?,true", "true_false", set()),
        ("Question,Correct", "Is it?,Verdadero", "true_false", set()),
        ("Question,Correct", "How many?,12 ± 1", "numeric", set()),
        ("Question,Correct", "Who?,Ann", "short_text", set()),
        ("Question,Correct", "Why?,", "essay", {"key_unknown"}),
        ("Kind,Question,Correct", "essay,Why?,", "essay", set()),
        ("Kind,Question,Correct", "essay,Why?,Because", "essay", {"solution_left_out"}),
        ("Kind,Question,Correct", "true/false,Is it?,maybe", "true_false", {"answer_unknown"}),
        ("Kind,Question,Correct", "true/false,Is it?,B", "true_false", set()),
        ("Kind,Question,Correct", "true/false,Is it?,", "true_false", {"key_unknown"}),
        ("Kind,Question,Correct", "number,How many?,ten", "numeric", None),
        ("Kind,Question,Correct", "number,How many?,5=50%", "numeric", {"key_unknown"}),
        ("Kind,Question,Correct", "flashcard,Front,Back", "flashcard", set()),
        ("Kind,Question,Correct", "flashcard,Front,", "flashcard", {"back_missing"}),
        ("Kind,Question,A,B", "order,Which first?,one,", "ordering", {"too_few_items"}),
        ("Question,A,B", "Pairs?,a => 1,b -> 2", "matching", set()),
        ("Kind,Question,A,B", "match,Pairs?,a => 1,b", "matching", {"pair_incomplete"}),
        ("Kind,Question,A,B", "match,Pairs?,a => 1,=> 2", "matching", {"too_few_pairs"}),
        ("Question,A,B,Correct", "Which?,x,y,", "single_choice", {"key_unknown"}),
        ("Question,A,B,Correct", "Which?,x,,A", "single_choice", {"too_few_options"}),
        ("Kind,Question,A,B,Correct", "single,Which?,x,y,AB", "single_choice", None),
        ("Kind,Question,A,B,Correct", "single,Which?,x,y,none", "single_choice", None),
        ("Question,A,B,Weight A,Weight B", "Which?,x,y,50,50", "multiple_choice", set()),
        ("Question,A,B,Weight A,Weight B", "Which?,x,y,100,25", "single_choice", set()),
        ("Question,A,B,Correct,Weight A", "Which?,x,y,A,much", "single_choice", None),
        ("Kind,Question,A,B,Weight A", "multiple,Which?,x,y,-50", "multiple_choice", None),
    ],
)
def test_a_row_is_the_kind_it_says_or_looks_like(header, row, kind, expected):
    item = one(header, row)
    assert item.kind == kind
    if expected is not None:
        assert codes(item) == expected
        assert (item.status == ImportStatus.REVIEW) == bool(expected - {"solution_left_out"})
    else:
        assert item.status == ImportStatus.REVIEW


def test_a_kind_that_is_none_is_refused_with_its_word():
    item = one("Kind,Question,Correct", "hotspot,Where?,here")
    assert (item.status, item.kind, codes(item)) == ("refused", "hotspot", {"kind_unknown"})


def test_true_and_false_may_stand_in_either_order():
    turned = one("Question,A,B,Correct,Feedback A", "Is it?,False,True,B,No")
    assert right(turned) == ["true"]
    assert turned.question
    outcomes = [
        next((t["en"] for text, t in row.texts.items() if text.is_feedback), "")
        for row in turned.question.tables["options"]
    ]
    assert outcomes == ["", "No"]


def test_what_is_rare_stands_among_the_settings():
    header = "Kind,Question,A,B,Correct,Settings,Scoring"
    item = one(header, "multiple choice,Which?,x,y,A,shuffle=no; Pinned=B,halves")
    assert item.question
    assert item.question.fields["shuffle"] is False
    assert [row.values["pinned"] for row in item.question.tables["options"]] == [False, True]
    assert item.question.scoring_method == "halves"
    odd = one(header, "multiple choice,Which?,x,y,A,shuffle=perhaps; size=3,best")
    assert codes(odd) == {"setting_unreadable", "scoring_method_unknown"}
    essay = one("Kind,Question,Settings", "essay,Why?,minimum_words=30; maximum_words=many")
    assert essay.question
    assert essay.question.fields["minimum_words"] == 30
    assert codes(essay) == {"setting_unreadable"}
    units = one("Kind,Question,Correct,Settings", "number,How?,1,unit=optional; unit_credit=50%")
    assert units.question
    assert units.question.fields["unit_credit"] == [1, 2]


@pytest.mark.parametrize(
    ("header", "row", "quotes"),
    [
        (
            "Any other answer",
            "multiple choice,Which?,x,y,A,Look again",
            {"any other answer (en): Look again"},
        ),
        (
            "Any other answer",
            "true or false,So?,,,true,Look again",
            {"any other answer (en): Look again"},
        ),
        ("If not chosen A", "matching,Which?,x -> 1,y -> 2,,no", {"if not chosen A (en): no"}),
        ("Weight A", "matching,Which?,x -> 1,y -> 2,,50%", {"weight A: 50%"}),
        ("C", "true or false,So?,True,False,true,Perhaps", {"option C (en): Perhaps"}),
        ("Feedback C", "short text,Who?,,,Ann;Eva,no", {"feedback C (en): no"}),
        ("C", "short text,Who?,x,,Ann,z", {"option A (en): x", "option C (en): z"}),
        ("Feedback A", "essay,Why?,,,,Because", {"feedback A (en): Because"}),
        ("Feedback A", "flashcard,Who?,Ann,,,Yes", {"feedback A (en): Yes"}),
        ("C", "flashcard,Who?,Ann,Eva,Bob,", {"option B (en): Eva", "correct: Bob"}),
        ("C", 'ordering,In order?,x,y,"B, A",z', {"correct: B, A"}),
    ],
)
def test_a_cell_that_the_kind_has_no_place_for_is_told_and_looked_at(header, row, quotes):
    item = one(f"Kind,Question,A,B,Correct,{header}", row)
    assert item.question is not None
    notes = {note.quote for note in item.notes if note.code == "cell_left_out"}
    assert (notes, item.status) == (quotes, ImportStatus.REVIEW)


def test_a_hint_beside_what_is_no_card_is_told():
    item = one("Kind,Question,A,B,Correct,Hint", "single choice,Which?,x,y,A,Look up")
    assert item.question is not None
    assert [(note.code, note.quote) for note in item.notes] == [("hint_left_out", "Look up")]
    assert item.status == ImportStatus.IMPORTED


def test_points_that_are_no_number_are_told():
    assert codes(one("Question,Correct,Points", "Who?,Ann,many")) == {"points_unreadable"}
    assert one("Question,Correct,Points", "Who?,Ann,0.5").points == Fraction(1, 2)


def test_a_second_header_speaks_of_the_rows_below_it():
    text = "Question,Correct\nWho?,Ann\nRespuesta,Pregunta\nEva,¿Quién?\n"
    items = csv_sheet.read(text.encode(), language="en").items
    assert [item.name for item in items] == ["who", "quien"]


def test_a_language_that_nothing_tells_is_said_to_be_unknown():
    assert csv_sheet.read(b"Question,Correct\nX?,y\n").ignored_lines[-1].code == "language_unknown"
    assert csv_sheet.read(b"Question (fr),Correct\nX?,y\n").metadata.language == "fr"


@pytest.mark.parametrize(
    ("data", "filename"),
    [
        (b"Question,Correct\n", "a.md"),
        (b"#separator:tab\nQuestion\tCorrect\n", "a.txt"),
        (b"name,mail\nAna,a@b.c\n", "a.csv"),
        (b"Question: who?\nA. Ann\nB. Bob\nANSWER: A\n", "a.txt"),
        (b"", "a.csv"),
    ],
)
def test_what_is_no_sheet_of_questions_is_not_claimed(data, filename):
    assert detect_format(data, filename) is not FORMATS["csv"]


def test_without_a_header_nothing_is_read_and_that_is_told():
    parsed_file = csv_sheet.read(b"name,mail\nAna,a@b.c\n")
    assert (parsed_file.items, [note.code for note in parsed_file.ignored_lines]) == (
        (),
        ["sheet_without_header"],
    )


def test_a_large_file_is_read_a_megabyte_in_a_moment():
    row = (
        b'single choice,"Which of the words of this question is the right one, and why?",'
        + b",".join([b"a rather long option with words"] * 6)
    )
    data = b"Kind,Question,A,B,C,D,E,F,Correct\n" + (row + b",A\n") * 5_000
    assert len(data) > 1_250_000
    began = time.process_time()
    assert len(csv_sheet.read(data).items) == 5_000
    assert time.process_time() - began < 20
    assert "csv" in WRITERS
