"""Notes that Anki exported are read column by column, and cards are written for it."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzes.formats import FORMATS, anki_tsv
from quizzes.formats.builders import Head, build_essay, build_flashcard
from quizzes.formats.contract import ImportStatus, ParsedFile, ParsedQuestion
from quizzes.formats.detection import detect_format
from quizzes.imports.parse import parse_upload
from quizzes.lib.errors import Invalid
from tests.quizzes.imports import wordings as made
from tests.quizzes.imports.wordings import parcel, same

NOTES = Path(__file__).parents[3] / "fixtures/formats/anki/notes.txt"
HEAD = Head(1, "q", "en", "What?")


def read(text: str) -> ParsedFile:
    return anki_tsv.read(text.encode(), language="en")


def said(question: ParsedQuestion) -> dict[str, str]:
    return {text.name: words["en"] for text, words in question.texts.items()}


def test_every_note_has_a_verdict_with_its_lines():
    parcel = anki_tsv.read(NOTES.read_bytes(), language="en")
    assert [
        (item.line, item.end_line, item.status, [note.code for note in item.notes])
        for item in parcel.items
    ] == [
        (5, 5, "imported", []),
        (6, 7, "imported", []),
        (9, 9, "needs_review", ["gaps_at_once", "media_elsewhere"]),
        (10, 10, "needs_review", ["back_missing"]),
        (11, 11, "needs_review", ["prompt_missing"]),
    ]


def test_columns_are_what_the_headers_say():
    first, second, gaps, *_ = anki_tsv.read(NOTES.read_bytes(), language="en").questions
    assert first.tags == ("castile", "north")
    assert said(first) == {
        "prompt": "**Duero**",
        "back": "Soria, *Urbión*",
        "explanation": "More",
    }
    assert said(second) == {"prompt": "Two lines", "back": 'a "quoted" word'}
    assert gaps.kind == "cloze"
    assert said(gaps) == {"prompt": "The [[gap-1]] (river) meets the sea at [[gap-2]]."}
    assert [row.values["text"] for row in gaps.tables["accepted"]] == ["Tajo", "Lisbon"]


def test_plain_text_and_other_separators_are_read_as_said():
    parcel = read("#separator:Semicolon\n#html:false\n<b>;1\n")
    assert said(parcel.questions[0]) == {"prompt": r"\<b>", "back": "1"}
    assert said(read("#separator:?\na\tb").questions[0]) == {"prompt": "a", "back": "b"}


def test_what_nobody_could_type_stays_a_card():
    [item] = read("#html:true\nIts law is {{c1::\\(a^2\\)}}.\tFrom 1900\n").items
    assert (item.kind, [note.code for note in item.notes]) == ("flashcard", ["cloze_as_card"])
    assert item.question is not None
    assert said(item.question) == {
        "prompt": r"Its law is \[…\].",
        "back": "Its law is $a^2$.",
        "explanation": "From 1900",
    }


def test_formulas_and_lines_of_plain_text_come_in():
    assert said(read("#html:true\n[$]x^2[/$]\tb\tc\td").questions[0]) == {
        "prompt": "$x^2$",
        "back": "b",
        "explanation": "c\\\nd",
    }
    plain = read('#html:false\n"a\n\nb"\t2 * 3\tc\td').questions[0]
    assert said(plain) == {"prompt": "a\n\nb", "back": r"2 \* 3", "explanation": "c\\\nd"}


def test_the_language_is_detected_or_unknown():
    assert anki_tsv.read(b"#html:true\n1\t2").ignored_lines[0].code == "language_unknown"


def test_it_is_claimed_by_its_headers():
    assert anki_tsv.detect(NOTES.read_bytes(), "notes.txt")
    assert not anki_tsv.detect(b"a\tb", "notes.txt")
    assert not anki_tsv.detect(NOTES.read_bytes(), "notes.md")


TAGS = st.lists(made.names, max_size=3, unique=True).map(tuple)
PLAIN = made.heads(made.words, made.words, TAGS)


@settings(deadline=None)
@given(made.parcels(made.cards(PLAIN, made.words, made.words)))
def test_out_then_in_is_the_same(parcel):
    written = anki_tsv.write(parcel, language="en")
    assert written.warnings == ()
    again = anki_tsv.read(written.data, language="en").questions
    assert [same(question, named=False) for question in again] == [
        same(question, named=False) for question in parcel.questions
    ]


def test_markup_comes_back():
    card = build_flashcard(Head(1, "q", "en", "**a** $x$"), "- b\n- c\n\n```python\nd = 1\n```")
    again = anki_tsv.read(anki_tsv.write(parcel([card]), language="en").data, language="en")
    assert said(again.questions[0]) == said(card)


def test_what_it_cannot_hold_is_told():
    for question, language, code in (
        (build_essay(HEAD), "en", "kind_not_held"),
        (build_flashcard(HEAD, "x"), "es", "language_missing"),
        (build_flashcard(HEAD, "![x](media:x.png)"), "en", "media_left_out"),
    ):
        losses = anki_tsv.write(parcel([question]), language=language).warnings
        assert [loss.code for loss in losses] == [code]


def test_hostile_files_answer_at_once():
    assert read('#html:true\n"' + "a" * 300_000).items
    assert read("#html:true\n" + "{{c1::" * 30_000 + "\tx").items
    many = "".join(f"{n}{{{{c1::\tx\n" for n in range(2000))
    assert len(read(f"#html:true\n{many}").items) == 2000


@pytest.mark.parametrize(
    ("name", "text", "fronts"),
    [
        ("a.txt", "dog\tperro\ncat\tgato\n", ["dog", "cat"]),
        ("a.tsv", "dog\tperro\ta pet\ncat\tgato\tanother\n", ["dog", "cat"]),
        ("a.txt", 'dog,perro\ncat,gato\n\n"one, two","uno, dos"\n', ["dog", "cat", "one, two"]),
        ("a.csv", "dog, perro\ncat, gato\nred, rojo\n", ["dog", "cat", "red"]),
        ("a.csv", "a < b;less\na > b;more\na = b;the same\n", ["a < b", "a > b", "a = b"]),
        ("a.tsv", "<b>dog</b>\tperro\ncat\tgato\n", ["**dog**", "cat"]),
    ],
)
def test_cards_without_a_header_are_asked_about_or_are_for_a_person(name, text, fronts):
    """Two columns may be something else, and are asked about; more are looked at item by item."""
    is_asked = text.count("\t") < 2 * len(fronts)
    if is_asked:
        with pytest.raises(Invalid) as error:
            parse_upload(text.encode(), name)
        assert error.value.detail["formats"] == ("anki-tsv", "csv")
    parsed_file = parse_upload(text.encode(), name, format_="anki-tsv" if is_asked else "")
    status = ImportStatus.IMPORTED if is_asked else ImportStatus.REVIEW
    assert [item.status for item in parsed_file.items] == [status] * len(fronts)
    assert {note.code for item in parsed_file.items for note in item.notes} == (
        set() if is_asked else {"cards_without_header"}
    )
    prompts = [said(question)["prompt"] for question in parsed_file.questions]
    assert [re.sub(r"\\(.)", r"\1", prompt) for prompt in prompts] == fronts
    assert all(said(question)["back"] for question in parsed_file.questions)
    assert parsed_file.remainder == ()
    assert all(item.remainder == () for item in parsed_file.items)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "The dog, it runs.\nThe cat, it sleeps.\nThe cow, it eats.\n"),
        ("a.txt", "dog,perro\ncat,gato\n"),  # as name and address of two people
        ("a.txt", "dog\tperro\n\tgato\n"),
        ("a.csv", "1,2,3\n4,5,6\n7,8,9\n"),
        ("a.txt", "dog\tperro\n"),
    ],
)
def test_what_has_not_two_columns_throughout_is_no_file_of_cards(name, text):
    assert detect_format(text.encode(), name) is None


def test_a_sheet_with_a_header_is_no_file_of_cards():
    text = b"Question,Answer\nWho?,Ann\nWhen?,Now\nWhere?,Here\n"
    assert detect_format(text, "a.csv") is FORMATS["csv"]


@pytest.mark.parametrize("end", ["txt", "tsv", "csv"])
@pytest.mark.parametrize("separator", ["\t", ";", ","])
@pytest.mark.parametrize(
    "odd", ["alone", 'an "open quote', '"an open quote{}back', "{}only a back"]
)
def test_an_odd_line_far_below_is_for_a_person_and_spoils_no_other(end, separator, odd):
    rows = [f"the front {number:24}{separator}back {number}" for number in range(1000)]
    assert len("\n".join(rows[:900])) > 30_000
    rows[900] = odd.format(separator)
    parsed_file = parse_upload("\n".join(rows).encode(), f"cards.{end}", language="en")
    others = [item for item in parsed_file.items if item.line != 901]
    assert len(parsed_file.items) == 1000
    assert [(item.line, item.end_line) for item in others] == [
        (line, line) for line in range(1, 1001) if line != 901
    ]
    assert all(item.question for item in others)
    assert [said(question)["back"] for item in others if (question := item.question)] == [
        f"back {number}" for number in range(1000) if number != 900
    ]
    (item,) = (item for item in parsed_file.items if item.line == 901)
    assert item.status not in {ImportStatus.IMPORTED, ImportStatus.REPAIRED}
    assert {note.line for note in item.notes} == {901}
