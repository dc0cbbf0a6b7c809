"""Long files with few questions of one format and many of another, wherever these stand."""

import os
from collections.abc import Iterable
from itertools import permutations, product

import pytest

from quizzes.formats.contract import Note, ParsedFile
from quizzes.formats.detection import find_evidence
from quizzes.imports.parse import parse_evidence, parse_upload
from tests.quizzes.formats.test_mixed_files import HEADS, QUESTIONS

PROSE = "Lorem ipsum dolor sit amet, and so on without end.\n"
FEW, MANY, LINES = 6, 250, 1150
EVERY_LAYOUT = "OCHENTA_FUZZ" in os.environ
FORMATS = sorted(QUESTIONS.keys() - {"anki-tsv"})
LAYOUTS = {
    "few first": "{few}{prose}{many}",
    "many first": "{many}{prose}{few}",
    "prose first": "{prose}{few}{prose}{many}",
    "few in the middle": "{prose}{half}{few}{rest}",
}


def write(format_: str, begin: int, count: int, above: int = 0) -> str:
    """Return so many questions in one format, each about a place of its own.

    `above`: how many there are above, on the same page.
    """
    questions = (
        QUESTIONS[format_].format(
            ask=f"What is the capital of place{number}x?",
            right=f"Right{number}",
            wrong=f"Wrong{number}",
            number=number - begin + 1 + above,
        )
        for number in range(begin, begin + count)
    )
    return HEADS.get(format_, "") + "".join(questions).rstrip("\n") + "\n\n"


def list_other_notes(parsed_file: ParsedFile) -> list[Note]:
    return [note for note in parsed_file.ignored_lines if note.code == "questions_of_other_format"]


def list_named_lines(parsed_file: ParsedFile) -> set[int]:
    """Return the lines of questions in another format that the notes of a file name."""
    named = set[int]()
    for note in list_other_notes(parsed_file):
        for span in str(note.detail["lines"]).split(", "):
            first, _, last = span.partition("–")
            named.update(range(int(first), int(last or first) + 1))
    return named


def list_alone(parsed_file: ParsedFile) -> set[int]:
    """Return the numbers of the questions that an item has for itself."""
    alone = set[int]()
    for question in parsed_file.questions:
        words = " ".join(text for texts in question.all_texts for text in texts.values())
        numbers = {int(part.partition("x")[0]) for part in words.split("place")[1:]}
        if len(numbers) == 1:
            alone |= numbers
    return alone


def list_silent(text: str, parsed_file: ParsedFile, numbers: Iterable[int]) -> list[int]:
    """Return the questions that are in no item of their own and in no such note."""
    named, alone = list_named_lines(parsed_file), list_alone(parsed_file)
    lines = text.split("\n")
    line_of = dict.fromkeys(numbers, 0)
    for line, words in enumerate(lines, start=1):
        if "place" in words:
            line_of[int(words.partition("place")[2].partition("x")[0])] = line
    return [number for number in numbers if number not in alone and line_of[number] not in named]


def list_mixtures() -> list[tuple[str, str, str]]:
    """Return every two formats with a layout: each format has each, as the few and as the many.

    All layouts of all pairs, four times as many, if OCHENTA_FUZZ asks for a long run.
    """
    layouts = list(LAYOUTS)
    pairs = permutations(range(len(FORMATS)), 2)
    return [
        (FORMATS[few], FORMATS[many], layout)
        for few, many in pairs
        for layout in (layouts if EVERY_LAYOUT else [layouts[(few + many) % len(layouts)]])
    ]


def test_each_format_stands_in_each_layout_as_the_few_and_as_the_many():
    mixtures = list_mixtures()
    assert {(few, layout) for few, _, layout in mixtures} == set(product(FORMATS, LAYOUTS))
    assert {(many, layout) for _, many, layout in mixtures} == set(product(FORMATS, LAYOUTS))
    assert {(few, many) for few, many, _ in mixtures} == set(permutations(FORMATS, 2))


@pytest.mark.slow
@pytest.mark.parametrize(("few", "many", "layout"), list_mixtures())
def test_the_format_of_most_questions_is_taken_or_asked_about_and_the_others_are_named(
    few, many, layout
):
    text = LAYOUTS[layout].format(
        prose=PROSE * LINES + "\n",
        few=write(few, 1, FEW),
        many=write(many, 101, MANY),
        half=write(many, 101, MANY // 2),
        rest=write(many, 101 + MANY // 2, MANY - MANY // 2, MANY // 2),
    )
    numbers = [*range(1, FEW + 1), *range(101, 101 + MANY)]
    evidence = find_evidence(text.encode(), "x")
    names = [each.format_.name for each in evidence]
    assert names, "no known format"
    if len(evidence) > 1:
        assert any(each.read_items >= MANY for each in evidence), names
        return
    parsed_file = parse_evidence(text.encode(), evidence[0])
    assert not list_silent(text, parsed_file, numbers), names
    assert len(parsed_file.questions) >= MANY


def lettered(count: int) -> str:
    return write("letter_key", 1000, count)


CASES = {
    "a checklist": ("checklist", 1, PROSE * 1150, 399),
    "GIFT": ("gift", 60, PROSE * 1150, 399),
    "GIFT without prose": ("gift", 500, "", 1499),
}


@pytest.mark.parametrize("name", CASES)
def test_questions_above_and_prose_do_not_hide_those_below(name):
    format_, few, prose, many = CASES[name]
    text = f"{write(format_, 1, few)}{prose}\n{lettered(many)}"
    assert len(text) > 58_000
    parsed_file = parse_upload(text.encode(), "x")
    assert list_alone(parsed_file) >= set(range(1000, 1000 + many))
    assert not list_silent(text, parsed_file, range(1, few + 1))
    if format_ == "gift":
        (note,) = list_other_notes(parsed_file)
        assert (note.line, note.detail["count"], note.detail["format"]) == (1, few, format_)


def test_a_short_file_names_the_questions_of_another_format():
    text = write("gift", 0, 2) + write("aiken", 2, 20)
    parsed_file = parse_upload(text.encode(), "x")
    (note,) = list_other_notes(parsed_file)
    assert note.detail == {"count": 2, "format": "gift", "lines": "1–3"}


def test_lines_of_questions_of_another_format_are_not_lines_of_nothing():
    text = write("letter_key", 0, 20) + write("gift", 20, 2)
    parsed_file = parse_upload(text.encode(), "x")
    codes = {note.line: note.code for note in parsed_file.ignored_lines}
    assert "belongs_to_no_item" not in codes.values()
    assert len(list_other_notes(parsed_file)) == 1


@pytest.mark.parametrize("format_", FORMATS)
def test_a_file_of_one_format_has_no_other(format_):
    parsed_file = parse_upload(write(format_, 1, 30).encode(), "x")
    assert len(parsed_file.questions) == 30
    assert not list_other_notes(parsed_file)
