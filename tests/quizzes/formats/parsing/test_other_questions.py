"""Questions in another form that stand in a prompt: which lines they are, and what follows."""

import pytest

from quizzes.formats import FORMATS
from quizzes.formats.contract import ImportStatus
from quizzes.formats.detection import find_evidence, weigh
from quizzes.formats.parsing.other_questions import OtherQuestions
from quizzes.imports.parse import parse_upload

BOXES = """1. Which are prime?

- [x] two
- [ ] four

2. Which are even?

- [ ] one
- [x] two
"""
AIKEN = """What is the capital of Peru?
A. Lima
B. Quito
ANSWER: A

What is the capital of Chile?
A. Lima
B. Santiago
ANSWER: B
"""
OPTIONS = "A. Lima\nB. Quito\nANSWER: A\n"


def find_lines(format_: str, text: str) -> list[list[int]]:
    lines = text.split("\n")
    items = FORMATS[format_].read(text.encode()).items
    questions = OtherQuestions(lines, format_)
    return [questions.find_lines(item) for item in items]


def test_boxes_above_the_options_are_lines_of_other_questions():
    assert find_lines("aiken", f"{BOXES}\n{AIKEN}") == [[1, 3, 4, 6, 8, 9], []]


def test_lettered_options_with_their_key_are_too():
    assert find_lines("checklist", f"{AIKEN}\n{BOXES}")[0] == [*range(1, 5), *range(6, 10)]


@pytest.mark.parametrize(
    ("format_", "text"),
    [
        ("aiken", f"Which box is open?\n- [ ] one\n- [ ] two\n{OPTIONS}"),
        ("aiken", f"What does it print?\n```\n- [x] done\n```\n{OPTIONS}"),
        (
            "checklist",
            "Which are right?\n\nA. Lima is in Peru.\nB. Quito is.\n\n- [x] A\n- [ ] B\n",
        ),
        ("checklist", BOXES),
        ("aiken", AIKEN),
    ],
)
def test_without_a_key_they_may_be_what_is_asked_about(format_, text):
    assert not any(find_lines(format_, text))


@pytest.mark.parametrize(
    ("format_", "text"),
    [("aiken", f"{BOXES}\n{AIKEN}"), ("checklist", f"{AIKEN}\n{BOXES}")],
)
def test_such_a_question_is_for_a_person_to_look_at(format_, text):
    parsed_file = parse_upload(text.encode(), filename="a.txt", format_=format_)
    first, *others = parsed_file.items
    assert first.status is ImportStatus.REVIEW
    assert {note.line for note in parsed_file.ignored_lines} == set(find_lines(format_, text)[0])
    assert not first.remainder
    assert {item.status for item in others} == {ImportStatus.IMPORTED}


@pytest.mark.parametrize("format_", ["aiken", "checklist"])
@pytest.mark.parametrize("text", [f"{BOXES}\n{AIKEN}", f"{AIKEN}\n{BOXES}"])
def test_no_format_makes_all_of_a_file_of_two(format_, text):
    evidence = weigh(FORMATS[format_], text.encode())
    assert evidence.unexplained_lines >= 4
    assert evidence.readable_items <= 2


def test_of_a_file_with_as_many_of_each_the_format_that_reads_all_is_taken():
    text = f"{BOXES}\n{AIKEN}".encode()
    (evidence,) = find_evidence(text, "a.txt")
    assert evidence.readable_items == 4
    statuses = {item.status for item in parse_upload(text, "a.txt").items}
    assert statuses == {ImportStatus.IMPORTED}


def test_of_a_file_with_as_many_of_each_that_none_reads_whole_a_person_is_asked():
    cards = "Q: What is the capital of Peru?\nA: Lima\n\nQ: What is it of Chile?\nA: Santiago\n"
    names = {each.format_.name for each in find_evidence(f"{BOXES}\n{cards}".encode(), "a.txt")}
    assert {"flashcards", "checklist"} <= names


def test_lines_below_the_last_question_are_refused_by_name():
    evidence = weigh(FORMATS["aiken"], f"{AIKEN}\n{BOXES}".encode())
    assert (evidence.read_items, evidence.items) == (2, 3)
    assert evidence.unexplained_lines == len(BOXES.split("\n")) - BOXES.count("\n\n") - 1
