"""Tables whose rows name no columns: text of another format in their cells, and two columns."""

import csv
from io import StringIO

import pytest

from quizzes.formats.contract import ImportStatus, ParsedFile
from quizzes.formats.detection import find_evidence
from quizzes.imports.parse import parse_upload
from quizzes.lib.errors import Invalid
from quizzes.presentation.messages.imports import describe_file_error
from tests.quizzes.imports.workbooks import workbook

GIFT = (
    "::long::Which river is long? {=Ebro ~Tajo#no}",
    "::banks::So it has two banks? {T}",
    "::count::How many banks has it? {#2}",
)
GIFT_OF_LINES = ("Which river is long? {\n=Ebro#yes\n~Tajo\n}", "It has banks.\n{T}")
AIKEN = (
    *("Which river is long?", "A. Ebro", "B. Tajo", "ANSWER: A"),
    *("Which river is short?", "A. Ebro", "B. Tajo", "ANSWER: B"),
)
CHECKLIST = (
    *("Which river is long?", "- [x] Ebro", "- [ ] Tajo"),
    *("Which river is short?", "- [ ] Ebro", "- [x] Tajo"),
)
KINDS = {
    GIFT: ["single_choice", "true_false", "numeric"],
    GIFT_OF_LINES: ["single_choice", "true_false"],
    AIKEN: ["single_choice"] * 2,
    CHECKLIST: ["single_choice"] * 2,
}


def column(*cells: str) -> bytes:
    return workbook({"Preguntas": [[cell] for cell in cells]})


def quoted(*cells: str) -> bytes:
    stream = StringIO()
    csv.writer(stream, quoting=csv.QUOTE_ALL).writerows([cell] for cell in cells)
    return stream.getvalue().encode()


def kinds(parsed_file: ParsedFile) -> list[str]:
    assert not parsed_file.errors
    assert not parsed_file.remainder
    return [item.kind for item in parsed_file.items if item.status == ImportStatus.IMPORTED]


@pytest.mark.parametrize(("write", "filename"), [(column, "a.xlsx"), (quoted, "a.csv")])
@pytest.mark.parametrize("cells", [GIFT, GIFT_OF_LINES, AIKEN, CHECKLIST], ids=range(4))
def test_text_of_a_format_in_the_cells_of_a_table_is_read(write, filename, cells):
    parsed_file = parse_upload(write(*cells), filename)
    assert kinds(parsed_file) == KINDS[cells]
    assert [note.code for note in parsed_file.ignored_lines][:1] == ["text_in_cells"]


def test_a_format_that_somebody_names_is_read_from_cells_too():
    assert kinds(parse_upload(column(*GIFT), "a.xlsx", format_="gift")) == KINDS[GIFT]


def test_scores_of_text_in_cells_are_compared():
    parsed_file = parse_upload(column(*GIFT), "a.xlsx")
    assert all(item.comparison and item.comparison.compared for item in parsed_file.items)


def test_the_column_with_the_text_is_read_and_each_cell_beside_it_is_noted():
    rows = [[number, cell] for number, cell in enumerate(GIFT, start=1)]
    parsed_file = parse_upload(workbook({"Preguntas": rows}), "a.xlsx")
    assert kinds(parsed_file) == KINDS[GIFT]
    assert [item.name for item in parsed_file.items] == ["long", "banks", "count"]
    beside = [note.quote for note in parsed_file.ignored_lines if note.code == "cell_beside_text"]
    assert beside == ["1", "2", "3"]


def test_several_sheets_with_text_are_read():
    sheets = {"A": [[GIFT[0]]], "B": [[GIFT[1]], [GIFT[2]]]}
    assert kinds(parse_upload(workbook(sheets), "a.xlsx")) == KINDS[GIFT]


def test_more_rows_than_the_sample_are_read():
    cells = [f"::q{n}::Which river is number {n}? {{=Ebro {n} ~Tajo {n}}}" for n in range(450)]
    parsed_file = parse_upload(column(*cells), "a.xlsx")
    assert len(kinds(parsed_file)) == 450


@pytest.mark.parametrize("before", [[], [["", ""]]])
def test_text_of_no_format_is_refused_with_the_reason_and_its_cell(before):
    rows = [*before, ["", "Rivers are long and wide."], ["", "Some of them."]]
    (error,) = parse_upload(workbook({"Preguntas": rows}), "a.xlsx").errors
    where = f"B{1 + len(before)}"
    assert (error.code, error.where, error.line) == ("text_in_sheet", where, 1 + len(before))
    sentence = describe_file_error({"code": error.code, "where": error.where})
    assert where in sentence
    assert "in no known format" in sentence


CARDS = "river\trío\nhouse\tcasa\nsun\tsol\n"


@pytest.mark.parametrize(
    ("data", "filename"),
    [
        (CARDS.encode(), "a.tsv"),
        (CARDS.encode(), "a.txt"),
        (CARDS.replace("\t", ",").encode(), "a.csv"),
        (CARDS.replace("\t", ";").encode(), "a.csv"),
        (workbook({"A": [line.split("\t") for line in CARDS.splitlines()]}), "a.xlsx"),
    ],
    ids=range(5),
)
def test_two_columns_without_headings_are_asked_about(data, filename):
    evidence = find_evidence(data, filename)
    assert [(each.format_.name, each.kinds) for each in evidence] == [
        ("anki-tsv", ("flashcard",)),
        ("csv", ("short_text",)),
    ]
    assert {(each.read_items, each.items, each.lines) for each in evidence} == {(3, 3, 3)}
    assert {each.unexplained_lines for each in evidence} == {0}
    with pytest.raises(Invalid) as error:
        parse_upload(data, filename)
    assert error.value.code == "format_ambiguous"
    assert kinds(parse_upload(data, filename, format_="anki-tsv")) == ["flashcard"] * 3
    as_questions = parse_upload(data, filename, format_="csv")
    assert kinds(as_questions) == ["short_text"] * 3
    assert as_questions.ignored_lines[0].code == "columns_named"


def test_a_file_of_cards_that_says_so_is_not_asked_about():
    (evidence,) = find_evidence(b"#separator:tab\n" + CARDS.encode(), "a.txt")
    assert evidence.format_.name == "anki-tsv"
    (evidence,) = find_evidence(b"question\tcorrect\n" + CARDS.encode(), "a.tsv")
    assert evidence.format_.name == "csv"
