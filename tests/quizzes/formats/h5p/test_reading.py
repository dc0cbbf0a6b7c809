"""Contents of H5P are read piece by piece; what is no question of ours is named with its place."""

from fractions import Fraction
from typing import Any

import pytest

from grading.kinds import KINDS
from quizzes.formats import FORMATS, h5p
from quizzes.formats.contract import ParsedFile, ParsedQuestion, SourceItem
from quizzes.formats.detection import detect_format
from quizzes.formats.parsing.packages import write_zip
from quizzes.imports import source_excerpts
from quizzes.presentation.messages.import_notes import NOTES
from tests.quizzes.formats.h5p import packages
from tests.quizzes.imports.questions import item

SET, COLUMN = packages.fixture("set"), packages.fixture("column")


def said(question: ParsedQuestion | None) -> dict[str, str]:
    assert question is not None
    return {text.name: next(iter(words.values())) for text, words in question.texts.items()}


def rows(question: ParsedQuestion | None, table: str) -> list[dict[str, str]]:
    """Give what is said in the rows of a table, by the text's name and whether it is told."""
    assert question is not None
    return [
        {
            f"{text.name}{' told' * text.is_feedback}": next(iter(words.values()))
            for text, words in r.texts.items()
        }
        for r in question.tables.get(table, ())
    ]


def only(library: str, **params: Any) -> SourceItem:
    [item] = h5p.read(packages.package(library, params)).items
    return item


def codes(item: SourceItem) -> list[str]:
    return [note.code for note in item.notes]


def listed(parcel: ParsedFile) -> list[tuple[object, ...]]:
    return [
        (item.line, item.end_line, item.name, item.kind, item.status, codes(item))
        for item in parcel.items
    ]


def test_every_piece_of_a_set_has_a_verdict_with_its_lines():
    assert listed(h5p.read(SET)) == [
        (8, 39, "longest-river", "single_choice", "imported", ["hint_left_out"]),
        (
            *(40, 56, "which-of-them-reach-the-atlantic", "multiple_choice", "repaired"),
            ["right_from_a_share", "band_goes_on"],
        ),
        (57, 65, "the-ebro-flows-east", "true_false", "imported", []),
        (66, 78, "mouths", "cloze", "repaired", ["tip_shown", "spelling_counts"]),
        (79, 86, "none-of-them", "multiple_choice", "repaired", ["none_is_right"]),
        (
            *(87, 91, "Put the names where they belong", "H5P.DragText", "refused"),
            ["kind_unknown"],
        ),
    ]
    assert {item.archive_path for item in h5p.read(SET).items} == {"content/content.json"}


def test_a_column_is_taken_apart_and_what_asks_nothing_is_named():
    parcel = h5p.read(COLUMN)
    assert [row[2:] for row in listed(parcel)] == [
        ("Texto", "H5P.AdvancedText", "refused", ["no_question"]),
        ("que-rio-pasa-por-soria", "single_choice", "imported", []),
        ("y-por-zaragoza", "single_choice", "needs_review", ["too_few_options"]),
        ("La desembocadura", "H5P.InteractiveVideo", "refused", ["kind_unknown", "content_within"]),
        ("el-tajo-es-el-mas-largo", "true_false", "imported", []),
        ("sin-clave", "H5P.TrueFalse", "refused", ["key_unknown"]),
    ]
    video = parcel.items[3].notes
    assert video[0].quote == "H5P.InteractiveVideo content[2] La desembocadura"
    assert video[1].quote == "H5P.MultiChoice 1.16, H5P.Text 1.1"


def test_the_package_tells_title_language_and_pass_mark():
    metadata = h5p.read(SET).metadata
    assert (metadata.title, metadata.language) == ("Rivers of the peninsula", "en")
    assert metadata.pass_threshold == Fraction(5, 8)
    metadata = h5p.read(COLUMN).metadata
    assert (metadata.title, metadata.language, metadata.pass_threshold) == (
        "Una página",
        "es",
        None,
    )


def test_what_was_set_for_the_whole_is_told_with_its_place():
    noise = [(note.code, note.line, note.quote) for note in h5p.read(SET).ignored_lines]
    assert noise == [
        ("setting_left_out", 2, "introPage"),
        ("group_draws", 4, "poolSize"),
        ("setting_left_out", 6, "endGame.overallFeedback"),
    ]


def test_a_choice_brings_its_feedback_bands_and_picture():
    parcel = h5p.read(SET)
    question = parcel.items[0].question
    [name] = parcel.media
    assert parcel.media[name] == packages.PICTURE
    assert said(question)["prompt"] == (
        f'![A river, its "bend" & banks](media:{name})\n\nWhich river is the **longest**?'
    )
    assert rows(question, "options") == [
        {"options": "Tajo", "options told": "Yes, 1007\N{NO-BREAK SPACE}km"},
        {"options": "Duero", "options told": "That is the third", "unchosen told": "Rightly left"},
        {"options": "Ebro, $x^2$"},
    ]
    assert question is not None
    assert question.fields["shuffle"] is False
    assert [row.values["from"] for row in question.tables["score_feedback"]] == [[0, 1], [1, 2]]


def test_words_between_stars_are_gaps():
    question = h5p.read(SET).items[3].question
    assert said(question)["prompt"] == (
        "Where do they end?\n\nThe Tajo ends at [[gap-1]] (a capital).\n\n"
        r"The Duero ends at [[gap-2]], 2 \* 3 steps from here."
    )
    assert question is not None
    accepted = [(row.values["gap"], row.values["text"]) for row in question.tables["accepted"]]
    assert accepted == [
        ("gap-1", "Lisbon"),
        ("gap-1", "Lisboa"),
        ("gap-2", "Porto"),
        ("gap-2", "O/Porto"),
    ]
    strict = {
        "sort": "words",
        "spaces": "counted",
        "punctuation": "counted",
        "typography": "counted",
    }
    for row in question.tables["gaps"]:
        assert row.values.items() > strict.items()
        assert "case" not in row.values


def test_what_is_imported_can_be_published():
    for parcel in (h5p.read(SET), h5p.read(COLUMN)):
        for source_item in parcel.items:
            if source_item.question and source_item.status != "needs_review":
                document = item(source_item.question, parcel.metadata.language)
                kind = KINDS[document.kind]
                assert kind.validate(document.content, document.key, document.scoring_method) == ()


def test_every_code_has_its_sentence():
    for parcel in (h5p.read(SET), h5p.read(COLUMN)):
        codes = {note.code for item in parcel.items for note in item.notes}
        assert codes | {note.code for note in parcel.ignored_lines} <= NOTES.keys()


def test_packages_are_claimed_by_what_they_hold():
    assert detect_format(SET, "x.zip") is FORMATS["h5p"]
    assert detect_format(b"PK broken", "x.h5p") is FORMATS["h5p"]
    assert not h5p.detect(b"PK broken", "x.zip")
    assert not h5p.detect(write_zip([("imsmanifest.xml", b"<manifest/>")]), "x.zip")
    assert not h5p.detect(b"{}", "x.h5p")


@pytest.mark.parametrize(
    ("said_", "words", "language", "noise"),
    [
        ("en", "What is the name of the river?", "en", []),
        ("ES-mx", "¿Cuál es el nombre del río?", "es", []),
        ("und", "¿Cuál es el nombre del río?", "es", []),
        ("und", "1 + 1", "", ["language_unknown"]),
        ("en", "¿Cuál es el nombre del río?", "en", ["language_doubtful"]),
    ],
)
def test_the_language_is_what_the_package_says(said_, words, language, noise):
    data = packages.package("H5P.TrueFalse", {"question": words, "correct": "true"}, language=said_)
    parcel = h5p.read(data)
    assert parcel.metadata.language == language
    assert [note.code for note in parcel.ignored_lines] == noise
    assert h5p.read(data, language="fr").metadata.language == "fr"


@pytest.mark.parametrize("share", ["a", -1, 101, True, None])
def test_a_pass_mark_that_is_none_is_none(share):
    parcel = h5p.read(packages.package("H5P.QuestionSet", {"passPercentage": share}))
    assert parcel.metadata.pass_threshold is None
    assert parcel.items == ()


def test_names_are_made_of_titles_and_words():
    params = {"question": "<p>Is it &amp; wet?</p>", "correct": "true"}
    assert (
        h5p.read(packages.package("H5P.TrueFalse", params, title="")).items[0].name == "is-it-wet"
    )
    assert only("H5P.TrueFalse", **params).name == "t"
    assert only("H5P.Unknown").name == "T"
    assert h5p.read(packages.package("H5P.Unknown", {}, title="")).items[0].name == "H5P.Unknown"


def test_a_content_on_one_line_is_laid_out_and_its_items_have_lines():
    content = {
        "library": "H5P.TrueFalse",
        "params": {"question": "Is it wet, año?", "correct": "true"},
    }
    data = packages.package(
        "H5P.QuestionSet", {"questions": [content, {**content, "library": "H5P.X"}]}
    )
    first, second = h5p.read(data).items
    assert (first.line, first.end_line, second.line) == (3, 9, 10)
    excerpt = source_excerpts.item_excerpt(source_excerpts.line_source(data, h5p.name), first)
    assert excerpt.startswith("    {\n")
    assert "Is it wet, año?" in excerpt


def test_a_content_of_many_lines_is_shown_as_it_stands():
    lines = source_excerpts.line_source(SET, h5p.name)
    content = (packages.FIXTURES / "set/content/content.json").read_text(encoding="utf-8")
    assert lines("content/content.json") == content.split("\n")
    for data in (b"PK", write_zip([("h5p.json", b"{}")]), packages.raw(b"{}", b"{")):
        assert source_excerpts.line_source(data, h5p.name)("content/content.json") == []
    assert lines("h5p.json") == []
