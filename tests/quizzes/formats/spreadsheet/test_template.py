"""The template reads back whole, and says how it is filled in."""

from io import BytesIO

import pytest
from openpyxl import load_workbook

from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.formats.detection import detect_format
from quizzes.formats.spreadsheet import template
from quizzes.formats.spreadsheet.kinds import KINDS_IN_ROWS, write_kind

MADE = [
    (template.write_template_workbook, "questions.xlsx", language) for language in ("en", "es")
] + [(template.write_template_csv, "questions.csv", language) for language in ("en", "es")]


def found(make, filename: str, language: str) -> tuple[SourceItem, ...]:
    data = make(language)
    format_ = detect_format(data, filename)
    assert format_
    parcel = format_.read(data)
    assert parcel.errors == ()
    assert {note.code for note in parcel.ignored_lines} <= {"sheet_without_header"}
    return parcel.items


@pytest.mark.parametrize(("make", "filename", "language"), MADE)
def test_the_template_reads_back_without_a_word(make, filename, language):
    every = found(make, filename, language)
    assert [item.kind for item in every] == ["single_choice", "multiple_choice", "numeric"]
    assert {item.status for item in every} == {ImportStatus.IMPORTED}
    assert [item.notes for item in every] == [(), (), ()]
    for item in every:
        assert item.question
        spoken = {lang for texts in item.question.texts.values() for lang in texts}
        assert spoken == {"en", "es"}


def test_the_same_questions_are_in_every_form():
    texts = [
        [sorted(item.question.texts.values(), key=str) for item in found(*text) if item.question]
        for text in MADE
    ]
    assert all(text == texts[0] for text in texts)


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_guide_names_columns_and_kinds_as_the_sheet_does(language):
    spanish = language == "es"
    labels = [row[spanish] for row in template.read_template_table("guide")]
    kinds = [write_kind(kind, language) for kind in KINDS_IN_ROWS]
    assert labels[-len(kinds) :] == kinds
    columns = " ".join(labels[: -len(kinds)]).lower()
    sheet = load_workbook(BytesIO(template.write_template_workbook(language))).worksheets[0]
    for cell in sheet[1]:
        assert str(cell.value).split(" ")[0] in columns


def test_the_guide_is_the_second_sheet_in_both_languages():
    book = load_workbook(BytesIO(template.write_template_workbook("es")))
    assert book.sheetnames == ["Preguntas", "Instrucciones"]
    assert [book["Instrucciones"][f"{column}1"].value for column in "BC"] == [
        "How to fill in this sheet",
        "Cómo rellenar esta hoja",
    ]


def test_the_kinds_are_offered():
    sheet = load_workbook(BytesIO(template.write_template_workbook("en")))["Questions"]
    offered = {
        str(validation.sqref): validation.formula1
        for validation in sheet.data_validations.dataValidation
    }
    [kinds] = [formula for formula in offered.values() if "single choice" in formula]
    assert kinds.strip('"').split(",") == [write_kind(kind, "en") for kind in KINDS_IN_ROWS]
    assert len(kinds) < 255  # or spreadsheets refuse it


def test_the_template_is_the_same_whenever_it_is_made():
    assert template.write_template_workbook("en") == template.write_template_workbook("en")
