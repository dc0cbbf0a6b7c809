"""Moodle XML is read item by item: each has its verdict, and what was mended or lost is told."""

import time
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from quizzes.document import find_problems
from quizzes.formats import moodle
from quizzes.formats.builders import build_strict_comparison
from quizzes.formats.contract import ImportStatus, ParsedFile, ParsedQuestion, ParsedRow, SourceItem
from tests.quizzes.imports.questions import item

PROJECT = Path(__file__).parents[4]
QUIRKS = PROJECT / "fixtures/formats/moodle/quirks.xml"
CORPUS = PROJECT.parent / "shared/corpora"

ASKED = b"<questiontext><text>%b</text></questiontext>"
IMPORTED, REPAIRED, REVIEW, REFUSED = ImportStatus

EXPECTED: dict[str, tuple[ImportStatus, set[str]]] = {
    "one-of-three": (IMPORTED, {"penalty_left_out", "number_left_out"}),
    "thirds-and-sixths": (IMPORTED, set()),
    "one-of-three-2": (REPAIRED, {"weights_made_whole"}),
    "nothing-right": (REVIEW, {"key_unknown", "weight_unreadable"}),
    "two-right-of-one": (REVIEW, {"several_right_options", "option_empty"}),
    "several-none-right": (REVIEW, {"key_unknown", "too_few_options"}),
    "out-of-reach": (REVIEW, {"full_credit_out_of_reach"}),
    "a-statement": (IMPORTED, set()),
    "unknown-truth": (REVIEW, {"key_unknown"}),
    "a-word": (REVIEW, {"duplicate_answer_left_out", "answer_empty"}),
    "a-word-that-costs": (REVIEW, {"score_below_zero", "key_unknown"}),
    "a-number": (IMPORTED, set()),
    "no-numbers": (
        REVIEW,
        {
            "number_unreadable",
            "answer_empty",
            "key_unknown",
            "unit_unreadable",
            "penalty_unreadable",
        },
    ),
    "units-that-are-not-asked-for": (IMPORTED, set()),
    "pairs": (IMPORTED, set()),
    "one-pair": (REVIEW, {"pair_incomplete", "too_few_pairs"}),
    "an-order": (IMPORTED, set()),
    "part-of-an-order": (
        REVIEW,
        {"too_few_items", "part_of_items_asked", "grading_nearly_the_same"},
    ),
    "gaps": (IMPORTED, set()),
    "odd-gaps": (
        REVIEW,
        {
            "gap_points_changed",
            "several_right_options",
            "number_unreadable",
            "gap_catch_all_left_out",
            "key_unknown",
            "answer_empty",
            "gap_unreadable",
            "score_below_zero",
        },
    ),
    "Several in a gap": (REFUSED, {"gap_of_several_answers"}),
    "No gaps": (REFUSED, {"no_gaps"}),
    "missing-words": (IMPORTED, set()),
    "words-to-drag": (REVIEW, {"gap_unreadable"}),
    "No words to drag": (REFUSED, {"no_gaps"}),
    "an-essay": (IMPORTED, {"notes_for_markers_left_out", "template_left_out"}),
    "files-for-an-essay": (REVIEW, {"files_asked_for", "prompt_missing"}),
    "pictures-dos-x": (
        REVIEW,
        {
            "picture_elsewhere",
            "picture_without_words",
            "file_unreadable",
            "languages_mixed",
            "element_dropped",
        },
    ),
    "markdown-with-tags": (REVIEW, {"tags_in_markdown", "picture_elsewhere"}),
    "Read this": (REFUSED, {"no_question"}),
    "By formula": (REFUSED, {"marked_by_rule"}),
    "Any": (REFUSED, {"drawn_at_random"}),
    "Across": (REFUSED, {"kind_unknown"}),
    "Of no type": (REFUSED, {"kind_unknown"}),
}


@pytest.fixture(scope="module")
def quirks() -> ParsedFile:
    return moodle.read(QUIRKS.read_bytes())


def at(quirks: ParsedFile, name: str) -> SourceItem:
    return next(item for item in quirks.items if item.name == name)


def of(quirks: ParsedFile, name: str) -> ParsedQuestion:
    question = at(quirks, name).question
    assert question is not None
    return question


def said(texts: Any) -> dict[str, str]:
    return {text.name: words["en"] for text, words in texts.items()}


def unfit(question: ParsedQuestion) -> list[str]:
    """Name what keeps it from being published; that its files are not ours yet, does not."""
    (language, *_) = {code for text in question.texts.values() for code in text}
    problems = (problem.code for problem in find_problems(item(question, language)))
    return sorted({code for code in problems if code != "media_malformed"})


def rows(question: ParsedQuestion, table: str, *values: str) -> list[tuple[Any, ...]]:
    return [tuple(row.values[name] for name in values) for row in question.tables[table]]


def words(row: ParsedRow) -> list[str]:
    return [text["en"] for text in row.texts.values()]


def test_every_item_has_the_verdict_that_it_deserves(quirks):
    outcomes = {
        item.name: (item.status, {note.code for note in item.notes}) for item in quirks.items
    }
    assert outcomes == EXPECTED
    assert sum(quirks.counts().values()) == len(quirks.items) == len(EXPECTED)


def test_lines_are_those_of_the_file(quirks):
    lines = QUIRKS.read_text(encoding="utf-8").splitlines()
    for source_item in quirks.items:
        assert lines[source_item.line - 1].startswith("<question")
        assert lines[source_item.end_line - 1].endswith("</question>")
        assert all(
            source_item.line <= note.line <= source_item.end_line for note in source_item.notes
        )
        assert all(len(note.quote) <= 200 for note in source_item.notes)


def test_what_is_no_question_is_told_beside(quirks):
    assert [(note.code, note.quote) for note in quirks.ignored_lines] == [
        ("category_as_tags", "$course$/top/Rivers of Spain/Upper and//or lower"),
        ("element_unknown", "extra"),
    ]


@pytest.mark.parametrize(
    "name", [name for name, (verdict, _) in EXPECTED.items() if verdict in {IMPORTED, REPAIRED}]
)
def test_what_came_in_whole_can_be_published(quirks, name):
    assert unfit(of(quirks, name)) == []


def test_a_choice_keeps_key_points_words_and_tags(quirks):
    question = of(quirks, "one-of-three")
    assert at(quirks, "one-of-three").points == Fraction(5, 2)
    assert (question.kind, question.scoring_method) == ("single_choice", "all_or_nothing")
    assert said(question.texts) == {
        "prompt": "Which **river** flows through Soria?",
        "explanation": "The map shows it.",
    }
    assert question.tags == ("rivers-of-spain", "upper-and-or-lower", "geografia-de-espana")
    assert rows(question, "options", "right") == [(True,), (False,), (False,)]
    assert [words(row) for row in question.tables["options"]] == [
        ["Duero", "Yes"],
        ["Ebro & Tajo"],
        ["Miño"],
    ]
    assert question.fields["shuffle"] is False
    assert [(row.values["from"], *words(row)) for row in question.tables["score_feedback"]] == [
        ([1, 1], "All right"),
        ([1, 1000], "Partly"),
        ([0, 1], "Look again"),
    ]


def test_rounded_shares_are_what_was_meant(quirks):
    question = of(quirks, "thirds-and-sixths")
    assert rows(question, "options", "weight") == [([1, 3],), ([2, 3],), ([-1, 6],)]
    assert of(quirks, "one-of-three-2").scoring_method == "right_minus_wrong"
    assert rows(of(quirks, "out-of-reach"), "options", "weight") == [([1, 2],), ([0, 1],)]


def test_files_are_kept_once_and_shown_by_their_name(quirks):
    text = said(of(quirks, "thirds-and-sixths").texts)["prompt"]
    (name,) = (file for file in quirks.media if file.startswith("a-map"))
    assert text == f"Which *two*? ![A map](media:{name}) $x^2$"
    assert quirks.media[name] == b"hello"
    assert sorted(file.partition("-")[0] for file in quirks.media) == ["a", "b", "file"]


@pytest.mark.parametrize("name", ["nothing-right", "unknown-truth"])
def test_where_the_key_is_unknown_nothing_is_right(quirks, name):
    assert {right for (right,) in rows(of(quirks, name), "options", "right")} == {False}


def test_several_right_options_of_a_single_choice_stay_marked_for_the_reviewer(quirks):
    options = rows(of(quirks, "two-right-of-one"), "options", "right")
    assert [right for (right,) in options].count(True) == 2


def test_plain_text_and_lines_show_as_they_are(quirks):
    assert said(of(quirks, "one-of-three-2").texts)["prompt"].startswith("A \\*name\\*")
    assert said(of(quirks, "a-statement").texts)["prompt"] == "The Duero ends\\\nin *Porto*."


def test_accepted_words_keep_wildcards_and_what_is_said_otherwise(quirks):
    question = of(quirks, "a-word")
    assert rows(question, "accepted", "text", "credit") == [
        ("Fe", [1, 1]),
        ("Fe* \\* C:\\\\x", [1, 2]),
    ]
    assert said(question.texts)["otherwise"] == "It is Latin."
    assert question.fields == build_strict_comparison(case=True)


def test_numbers_keep_tolerances_and_units(quirks):
    question = of(quirks, "a-number")
    (first, second) = question.tables["numbers"]
    assert first.values == {
        "value": "8.97",
        "tolerance": "absolute",
        "margin": "0.01",
        "credit": [1, 1],
    }
    assert second.values == {"value": "0.5e2", "tolerance": "exact", "credit": [1, 2]}
    assert question.fields == {"unit": "required", "unit_credit": [9, 10]}
    assert rows(question, "units", "symbol", "factor") == [("m", "1"), ("cm", "1/100")]
    assert said(question.texts)["otherwise"] == "No"
    assert of(quirks, "units-that-are-not-asked-for").fields == {"unit": "none"}


def test_a_right_without_a_left_distracts(quirks):
    question = of(quirks, "pairs")
    assert [words(row) for row in question.tables["rights"]] == [
        ["Spain \\*"],
        ["Portugal"],
        ["France"],
    ]
    assert rows(question, "lefts", "goes_with") == [("right-1",), ("right-2",)]
    assert (question.fields, len(question.tables["score_feedback"])) == ({"shuffle": False}, 1)
    assert words(of(quirks, "one-pair").tables["rights"][0]) == ["**Spain**"]


def test_an_order_is_graded_as_there(quirks):
    assert of(quirks, "an-order").scoring_method == "adjacent_pairs"
    assert of(quirks, "part-of-an-order").scoring_method == "exact_place"


def test_gaps_stand_where_they_stood(quirks):
    question = of(quirks, "gaps")
    assert said(question.texts)["prompt"] == (
        "\\[\\[gap-1\\]\\] The [[gap-1]] is [[gap-2]] km long and ends in [[gap-3]].\n\n"
        "|  |\n| --- |\n| [[gap-4]] |"
    )
    assert rows(question, "gaps", "kind", "points") == [
        ("single_choice", 2),
        ("numeric", 1),
        ("short_text", 1),
        ("short_text", 1),
    ]
    assert [(row.values["right"], *words(row)) for row in question.tables["options"]] == [
        (True, "Duero", "Yes"),
        (False, "*Ebro*", "No"),
        (False, "Ta}jo"),
    ]
    assert rows(question, "numbers", "value", "credit") == [("897", [1, 1]), ("900", [1, 2])]
    assert rows(question, "accepted", "text", "credit") == [
        ("Porto", [0, 1]),
        ("O Porto", [1, 1]),
        ("Opo*&co", [1, 2]),
        ("x", [1, 1]),
    ]


def test_missing_words_are_chosen_among_those_of_their_group(quirks):
    question = of(quirks, "missing-words")
    assert said(question.texts)["prompt"] == "The [[gap-1]] is **[[gap-2]]** than the [[gap-3]]."
    assert [
        (row.values["gap"], row.values["right"], *words(row)) for row in question.rows[3:9]
    ] == [
        ("gap-1", True, "Duero"),
        ("gap-1", False, "Miño"),
        ("gap-2", True, "longer"),
        ("gap-2", False, "shorter"),
        ("gap-3", False, "Duero"),
        ("gap-3", True, "Miño"),
    ]
    assert len(question.tables["score_feedback"]) == 1


@pytest.mark.parametrize(
    ("kind", "text", "verdict"),
    [("cloze", b"{1:SA:=a}", REVIEW), ("gapselect", b"[[1]]", REFUSED)],
)
def test_more_gaps_than_a_question_can_have_are_told(kind, text, verdict):
    data = b"<quiz><question type='%b'>" % kind.encode() + ASKED % (text * 101)
    (item,) = moodle.read(data + b"</question></quiz>").items
    assert item.status == verdict
    assert "too_many_gaps" in {note.code for note in item.notes}


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.decode().encode("utf-16"),
        lambda data: data.decode().replace("UTF-8", "windows-1252").encode("cp1252"),
    ],
    ids=["bom", "crlf", "utf-16", "windows-1252"],
)
def test_a_file_is_the_same_however_it_is_saved(quirks, change):
    again = moodle.read(change(QUIRKS.read_bytes()))
    assert (again.items, again.media, again.ignored_lines) == (
        quirks.items,
        quirks.media,
        quirks.ignored_lines,
    )


def test_the_same_file_is_read_the_same(quirks):
    assert moodle.read(QUIRKS.read_bytes()) == quirks


def test_a_language_is_told_detected_or_said_to_be_unknown():
    quiz = b"<quiz><question type='essay'>" + ASKED + b"</question></quiz>"
    spanish = "El río que pasa por la ciudad de Soria es uno de los más largos de España".encode()
    for data, language, expected, noise in (
        (quiz % spanish, "", "es", []),
        (quiz % spanish, "fr", "fr", []),
        (quiz % b"42", "", "en", ["language_unknown"]),
    ):
        parcel = moodle.read(data, language=language)
        assert [set(text) for text in parcel.questions[0].texts.values()] == [{expected}]
        assert [note.code for note in parcel.ignored_lines] == noise


def test_the_letters_of_a_picture_are_no_words():
    picture = b"<file name='a.png' encoding='base64'>" + b" of the is to in " * 9_000 + b"</file>"
    words = "El río que pasa por la ciudad de Soria es uno de los más largos de España".encode()
    text = b"<questiontext format='html'>" + picture + b"<text>" + words + b"</text></questiontext>"
    parcel = moodle.read(b"<quiz><question type='essay'>" + text + b"</question></quiz>")
    assert set(next(iter(parcel.questions[0].texts.values()))) == {"es"}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "not_moodle"),
        (b"<html/>", "not_moodle"),
        (b"PK\x03\x04", "not_moodle"),
        (b"<quiz><question></quiz>", "not_xml"),
        (b"<!DOCTYPE quiz [<!ENTITY a 'b'>]><quiz/>", "doctype"),
    ],
)
def test_what_is_no_such_file_stays_out_whole(data, code):
    assert [trouble.code for trouble in moodle.read(data).errors] == [code]


def test_what_stood_before_a_break_is_still_shown():
    parcel = moodle.read(b"<quiz><question type='random'/><question></quiz>")
    assert (len(parcel.items), len(parcel.errors)) == (1, 1)


@pytest.mark.parametrize(
    "text",
    [
        "{1:MC:" * 20_000,
        "{1:MC:=" + "~a" * 50_000 + "}",
        "{1:SA:=a#}" * 5_000,
        "{1:SA:=" + "\\" * 100_000,
        "{" * 100_000,
    ],
)
def test_hostile_gaps_are_read_at_once(text):
    data = b"<quiz><question type='cloze'>" + ASKED % text.encode() + b"</question></quiz>"
    begun = time.process_time()
    assert len(moodle.read(data).items) == 1
    assert time.process_time() - begun < 5


def test_answers_of_a_gap_have_an_end_and_that_is_told():
    text = b"{1:MC:=" + b"~a" * 200 + b"}"
    (item,) = moodle.read(
        b"<quiz><question type='cloze'>" + ASKED % text + b"</question></quiz>"
    ).items
    assert "gap_answers_left_out" in {note.code for note in item.notes}
    assert item.question is not None
    assert len(item.question.tables["options"]) == 100


CORPORA: dict[str, Counter[ImportStatus]] = {
    # Pictures without words for those who cannot see them: told, and a problem of the question.
    "dist3_.xml": Counter({REPAIRED: 10}),
    "P25_SAI_CFA11S123_.xml": Counter({REPAIRED: 10}),
    # A cell over two columns.
    "3EdSAIFIISesion2P27.xml": Counter({REPAIRED: 10}),
}


def test_every_item_of_the_corpora_is_accounted_for():
    if not CORPUS.is_dir():
        return
    index = (CORPUS / "INDEX.tsv").read_text(encoding="utf-8").splitlines()
    files = [line.split("\t") for line in index if line.startswith("moodle-xml\t")]
    assert len(files) == 10
    for _, path, _, _, _, _, items, *_ in files:
        data = (CORPUS / path).read_bytes()
        parcel = moodle.read(data)
        assert parcel.errors == ()
        expected = CORPORA.get(Path(path).name, Counter({IMPORTED: int(items)}))
        assert Counter(item.status for item in parcel.items) == expected, path
        assert sum(parcel.counts().values()) == int(items), path
        assert {note.code for note in parcel.ignored_lines} == {"category_as_tags"}
        right = [
            row for question in parcel.questions for row in question.rows if row.values.get("right")
        ]
        assert len(right) == data.count(b'fraction="100"'), path
        gaps = [row for question in parcel.questions for row in question.tables.get("gaps", ())]
        assert len(gaps) == data.count(b":NUMERICAL:"), path
        for question in parcel.questions:
            assert unfit(question) in ([], ["alt_missing"])


def test_a_big_bank_is_read_in_moments():
    source = (QUIRKS.read_bytes().partition(b'<question type="multichoice">')[2]).partition(
        b"</question>"
    )[0]
    data = (
        b"<quiz>"
        + (b"<question type='multichoice'>" + source + b"</question>") * 1_000
        + b"</quiz>"
    )
    begun = time.process_time()
    parcel = moodle.read(data)
    assert time.process_time() - begun < 10
    assert len({question.name for question in parcel.questions}) == 1_000
