"""Cards typed as text are read with all their lines, and written so that they come back."""

from pathlib import Path

import pytest
from hypothesis import assume, given, settings

from quizzes.formats import FORMATS, flashcards
from quizzes.formats.builders import Head, build_essay, build_flashcard
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.detection import detect_format
from tests.quizzes.imports import wordings as made
from tests.quizzes.imports.wordings import parcel, same

PROJECT = Path(__file__).parents[3]
QUIRKS = PROJECT / "fixtures/formats/flashcards/quirks.txt"
SEEDS = PROJECT.parent / "shared/seeds"
HEAD = Head(1, "q", "en", "What?")


def said(question: ParsedQuestion | None) -> dict[str, str]:
    assert question
    return {text.name: next(iter(words.values())) for text, words in question.texts.items()}


def test_a_question_on_its_line_begins_a_card():
    read = flashcards.read(QUIRKS.read_bytes())
    assert (read.metadata.title, read.metadata.language) == ("Rivers: flashcards", "es")
    assert [note.quote for note in read.ignored_lines] == ["3. Rivers: flashcards", "of Castile"]
    assert [(item.line, item.end_line, item.status) for item in read.items] == [
        (3, 6, "imported"),
        (7, 7, "needs_review"),
        (8, 9, "imported"),
    ]
    assert said(read.items[0].question) == {
        "prompt": "¿Dónde nace el Duero?",
        "back": "En los Picos de Urbión,\\\nen Soria.",
        "hint": "mira al norte.",
    }
    assert [note.code for note in read.items[1].notes] == ["back_missing"]


def test_lines_with_marks_make_cards_of_any_words():
    read = flashcards.read(b"Q: Two\nlines\nA: One? No.\n\nTwo.\nQ:\nA: x", language="en")
    assert [item.status for item in read.items] == ["imported", "needs_review"]
    assert said(read.questions[0]) == {"prompt": "Two\\\nlines", "back": "One? No.\n\nTwo."}
    assert [note.code for note in read.items[1].notes] == ["prompt_missing"]


def test_a_file_without_cards_is_noise():
    read = flashcards.read(b"1. Flashcards\n\n")
    assert read.items == ()
    assert [note.code for note in read.ignored_lines] == ["language_unknown", "text_before_cards"]


WORDS = ("Flashcards", "Tarjetas de ríos", "flash cards for rivers")


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize(
    "options",
    [
        "- [x] Volga\n- [ ] Rhine\n",
        "* [X] Volga\n* [ ] Rhine\n",
        "- (x) Volga\n- ( ) Rhine\n",
        "[*] Volga\n[ ] Rhine\n",
        "1. [ ] Volga\n2. [x] Rhine\n",
        "☑ Volga\n☐ Rhine\n",
        "A. Volga\nB. Rhine\nCorrect answer: A\n",
        "a) Volga\nb) Rhine\nAnswer: a\n",
    ],
)
def test_a_quiz_of_choices_is_not_cards_whatever_its_words(words, options):
    quiz = "".join(f"{n}. Which river?\n\n{options}\n" for n in range(1, 87))
    data = f"# {words}\n\n{quiz}".encode()
    assert not flashcards.detect(data, "quiz.md")
    assert not flashcards.detect(data, "quiz.txt")


@pytest.mark.parametrize("words", WORDS)
def test_a_checklist_that_says_it_is_cards_is_read_as_a_checklist(words):
    items = "".join(
        f"#### Q{n}. Which river is number {n}?\n\n- [x] Volga\n- [ ] Rhine\n\n"
        for n in range(1, 87)
    )
    data = f"# {words}\n\n{items}".encode()
    form = detect_format(data, "quiz.md")
    assert form is FORMATS["checklist"]
    assert {question.kind for question in form.read(data).questions} == {"single_choice"}
    assert len(form.read(data).questions) == 86


def test_a_box_far_below_still_makes_a_quiz():
    filled = "Was it?\nYes, it was.\n" * 7000
    assert flashcards.detect(f"Tarjetas\n\n{filled}".encode(), "cards.txt")
    assert not flashcards.detect(f"Tarjetas\n\n{filled}☑ año\n{filled}".encode(), "cards.txt")


def test_a_word_below_the_first_question_is_no_title():
    assert not flashcards.detect(b"Which are best?\nFlashcards, by far.\n", "study.txt")
    assert flashcards.detect(b"My flashcards\nWhich are best?\nFew.\n", "study.txt")


def test_one_line_that_begins_like_an_option_does_not_make_a_quiz():
    assert flashcards.detect(b"Flashcards\nWho wrote it?\nA. Smith did.\n", "study.txt")


def test_it_is_claimed_by_its_title_or_its_marks():
    assert flashcards.detect(QUIRKS.read_bytes(), "cards.txt")
    assert flashcards.detect(b"Q: a\nA: b", "cards.md")
    assert not flashcards.detect(b"What?\nThat.", "cards.txt")
    assert not flashcards.detect(b"Q: a\nA: b", "cards.pdf")


def test_the_document_of_18_cards_is_read_whole():
    if not SEEDS.is_dir():
        return
    [path] = SEEDS.glob("004*.txt")
    read = flashcards.read(path.read_bytes())
    assert flashcards.detect(path.read_bytes(), path.name)
    assert read.metadata.title == "Model Building Flashcards"
    assert read.metadata.language == "en"
    assert read.counts() == {"imported": 18, "repaired": 0, "needs_review": 0, "refused": 0}
    strategies = said(read.questions[4])
    assert strategies["back"].count("\n") == 4
    assert strategies["hint"] == "Monkeys Climb More Than Pandas."
    assert "hint" not in said(read.questions[5])
    lines = [line for line in path.read_text().splitlines() if line.strip()]
    covered = sum(item.end_line - item.line + 1 for item in read.items)
    assert covered + 1 == len(lines)


PLAIN = made.heads(made.escapes, made.NOTHING)


@settings(deadline=None)
@given(made.parcels(made.cards(PLAIN, made.escapes, made.escapes)))
def test_out_then_in_is_the_same(parcel):
    written = flashcards.write(parcel, language="en")
    # A line that looks like "A:" cannot be said here; that it is told has a test of its own.
    assume({loss.code for loss in written.warnings} != {"line_like_a_mark"})
    assert written.warnings == ()
    again = flashcards.read(written.data, language="en").questions
    assert [same(question, named=False) for question in again] == [
        same(question, named=False) for question in parcel.questions
    ]


def test_what_it_cannot_hold_is_told():
    def lost(question: ParsedQuestion, language: str = "en") -> list[str]:
        losses = flashcards.write(parcel([question]), language=language).warnings
        return [loss.code for loss in losses]

    assert lost(build_essay(HEAD)) == ["kind_not_held"]
    assert lost(build_flashcard(HEAD, "x"), "es") == ["language_missing"]
    assert lost(build_flashcard(HEAD, "Q: x")) == ["line_like_a_mark"]
    assert lost(build_flashcard(HEAD, "*x*")) == ["markup_left_out"]


def test_hostile_files_answer_at_once():
    assert flashcards.read(b"Q" * 100_000 + b"\n" * 100_000).items == ()
