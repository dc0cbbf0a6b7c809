"""The sides of a note become a card, or a text with gaps."""

from quizzes.formats.anki import CardSides, FieldReader, build_question
from quizzes.formats.builders import Head
from quizzes.formats.contract import ParsedQuestion


def build(sides: CardSides) -> tuple[ParsedQuestion, dict[str, str], list[tuple[str, str]]]:
    """Return the question, its texts, and its notes."""
    reader = FieldReader(1)
    question = build_question(Head(1, "q", "en", ""), sides, reader)
    texts = {text.name: by_language["en"] for text, by_language in question.texts.items()}
    return question, texts, [(note.code, note.quote) for note in reader.notes]


def test_two_sides_are_a_card():
    question, texts, notes = build(CardSides("<b>a</b>", "b", "c", "<p>d</p>"))
    assert question.kind == "flashcard"
    assert texts == {"prompt": "**a**", "back": "b", "hint": "c", "explanation": "d"}
    assert notes == []


def test_what_is_covered_is_a_gap_and_what_stands_behind_explains():
    question, texts, notes = build(CardSides("The {{c1::Tajo}}", "long", "", "wide"))
    assert question.kind == "cloze"
    assert texts == {"prompt": "The [[gap-1]]", "explanation": "long\n\nwide"}
    assert notes == [("gaps_at_once", "")]


def test_what_cannot_be_typed_is_shown_on_the_back():
    question, texts, notes = build(CardSides(r"The {{c1::\(x\)}}", "long"))
    assert question.kind == "flashcard"
    assert texts == {"prompt": r"The \[…\]", "back": "The $x$", "explanation": "long"}
    assert notes == [("cloze_as_card", "")]


def test_where_nothing_may_be_covered_braces_are_words():
    _, texts, _ = build(CardSides("{{c1::a}}", "b", is_cloze=False))
    assert texts["prompt"] == "{{c1::a}}"


def test_a_side_without_words_is_noted_with_those_of_the_other():
    assert build(CardSides("<i>a</i>", " "))[2] == [("back_missing", "a")]
    assert build(CardSides("<br>", "b"))[2] == [("prompt_missing", "b")]
