"""The sides of a note become a card, or a text with gaps."""

from quizzes.formats.anki import Sides, question_of
from quizzes.formats.builders import Head
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.html import to_markdown


def made(sides: Sides) -> tuple[ParsedQuestion, dict[str, str], list[tuple[str, str]]]:
    """Give the question, what it says, and what was noted."""
    notes: list[tuple[str, str]] = []
    head = Head(1, "q", "en", "")
    question = question_of(
        head, sides, lambda html: to_markdown(html)[0], lambda *note: notes.append(note)
    )
    return question, {text.name: one["en"] for text, one in question.texts.items()}, notes


def test_two_sides_are_a_card():
    question, said, notes = made(Sides("<b>a</b>", "b", "c", "<p>d</p>"))
    assert question.kind == "flashcard"
    assert said == {"prompt": "**a**", "back": "b", "hint": "c", "explanation": "d"}
    assert notes == []


def test_what_is_covered_is_a_gap_and_what_stands_behind_explains():
    question, said, notes = made(Sides("The {{c1::Tajo}}", "long", "", "wide"))
    assert question.kind == "cloze"
    assert said == {"prompt": "The [[gap-1]]", "explanation": "long\n\nwide"}
    assert notes == [("gaps_at_once", "")]


def test_what_cannot_be_typed_is_shown_on_the_back():
    question, said, notes = made(Sides(r"The {{c1::\(x\)}}", "long"))
    assert question.kind == "flashcard"
    assert said == {"prompt": r"The \[…\]", "back": "The $x$", "explanation": "long"}
    assert notes == [("cloze_as_card", "")]


def test_where_nothing_may_be_covered_braces_are_words():
    _, said, _ = made(Sides("{{c1::a}}", "b", covers=False))
    assert said["prompt"] == "{{c1::a}}"


def test_a_side_without_words_is_noted_with_those_of_the_other():
    assert made(Sides("<i>a</i>", " "))[2] == [("back_missing", "a")]
    assert made(Sides("<br>", "b"))[2] == [("prompt_missing", "b")]
