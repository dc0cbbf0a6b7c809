"""Files with questions of two formats: read whole, asked about, or told line by line."""

from itertools import permutations

import pytest

from quizzes.formats import FORMATS
from quizzes.formats.contract import ImportStatus, ParsedFile
from quizzes.formats.detection import PLAIN, WHOLE_BYTES, find_evidence, weigh
from quizzes.imports.parse import parse_evidence, parse_upload
from tests.cpu_time import measure_growth

CAPITALS = [
    ("Peru", "Lima", "Quito"),
    ("Chile", "Santiago", "Arica"),
    ("France", "Paris", "Lyon"),
    ("Spain", "Madrid", "Vigo"),
    ("Italy", "Rome", "Turin"),
    ("Japan", "Tokyo", "Osaka"),
]
HEADS = {"csv": "question,option a,option b,correct\n", "anki-tsv": "#separator:tab\n#html:true\n"}
QUESTIONS = {
    "aiken": "{ask}\nA. {right}\nB. {wrong}\nANSWER: A\n\n",
    "anki-tsv": "{ask}\t{right}\n",
    "checklist": "### {ask}\n\n- [x] {right}\n- [ ] {wrong}\n\n",
    "csv": "{ask},{right},{wrong},a\n",
    "flashcards": "Q: {ask}\nA: {right}\n\n",
    "gift": "{ask} {{={right} ~{wrong}}}\n\n",
    "letter_key": "{number}. {ask}\n\na) {wrong}\nb) {right}\n\nAnswer: b\n\n",
    "text2qti": "{number}. {ask}\n*a) {right}\nb) {wrong}\n\n",
    "transcript": "{number}. {ask}\n\n1 / 1 point\n\n- ☐ {wrong}\n- ☒ {right}\n\n✓ **Correct**\n\n"
    "It is {right}.\n\n",
}
RATIOS = [(1, 1), (3, 3), (5, 1), (1, 5)]


def write(format_: str, begin: int, end: int) -> str:
    """Return questions about some of the capitals in one format."""
    questions = (
        QUESTIONS[format_].format(
            ask=f"What is the capital of {country}?", right=right, wrong=wrong, number=number
        )
        for number, (country, right, wrong) in enumerate(CAPITALS[begin:end], start=begin + 1)
    )
    return HEADS.get(format_, "") + "".join(questions).rstrip("\n") + "\n\n"


def is_named(parsed_file: ParsedFile, country: str, lines: list[str]) -> bool:
    """Return whether a question about a country is read alone, or its lines are told."""
    numbers = {number for number, line in enumerate(lines, start=1) if country in line}
    others = {name for name, _, _ in CAPITALS} - {country}
    for item in parsed_file.items:
        texts = (
            [text for texts in item.question.all_texts for text in texts.values()]
            if item.question
            else []
        )
        is_alone = not any(other in text for text in texts for other in others)
        if any(country in text for text in texts) and is_alone:
            return True
        span = range(item.line, item.end_line + 1)
        if item.status is ImportStatus.REFUSED and numbers.intersection(span):
            return True
    notes = (*parsed_file.ignored_lines, *parsed_file.remainder)
    return numbers <= {note.line for note in notes}


def test_every_format_of_plain_text_is_in_the_table():
    assert QUESTIONS.keys() == PLAIN
    for format_ in QUESTIONS:
        (evidence,) = find_evidence(write(format_, 0, 3).encode(), "x")
        assert (evidence.format_.name, evidence.read_items) == (format_, 3)
        assert evidence.unexplained_lines == 0


@pytest.mark.parametrize("ratio", RATIOS, ids=lambda ratio: "{}-to-{}".format(*ratio))
@pytest.mark.parametrize(("first", "second"), list(permutations(sorted(QUESTIONS), 2)))
def test_no_question_of_a_mixed_file_vanishes(first, second, ratio):
    text = write(first, 0, ratio[0]) + write(second, ratio[0], sum(ratio))
    evidence = find_evidence(text.encode(), "x")
    assert evidence, "no known format"
    if len(evidence) == 1:
        parsed_file = parse_evidence(text.encode(), evidence[0])
        lines = text.split("\n")
        lost = [
            name for name, _, _ in CAPITALS[: sum(ratio)] if not is_named(parsed_file, name, lines)
        ]
        assert not lost


ASKED = [("aiken", "gift"), ("gift", "aiken"), ("checklist", "gift"), ("transcript", "checklist")]


@pytest.mark.parametrize(("first", "second"), ASKED)
@pytest.mark.parametrize("count", [1, 3])
def test_of_as_many_questions_of_each_a_person_is_asked(first, second, count):
    text = write(first, 0, count) + write(second, count, 2 * count)
    evidence = find_evidence(text.encode(), "notes.txt")
    assert len(evidence) > 1
    assert len({first, second} & {each.format_.name for each in evidence}) >= min(count, 2)
    assert all(each.read_items == count and each.unexplained_lines for each in evidence)


@pytest.mark.parametrize("format_", ["aiken", "gift"])
def test_whoever_chooses_one_reads_its_questions_and_is_told_of_the_others(format_):
    text = write("gift", 0, 3) + write("aiken", 3, 6)
    parsed_file = parse_upload(text.encode(), "x", format_=format_)
    assert len(parsed_file.questions) == 3
    assert not any(item.remainder for item in parsed_file.items)
    assert all(str(each.texts).count("capital") == 1 for each in parsed_file.questions)


def test_a_question_that_stood_in_another_is_left_out_and_named():
    text = write("gift", 0, 1) + write("aiken", 1, 6)
    (evidence,) = find_evidence(text.encode(), "x")
    first, *others = parse_evidence(text.encode(), evidence).items
    assert (first.line, first.status) == (3, ImportStatus.REVIEW)
    assert [(note.code, note.line) for note in first.notes] == [("other_question_left_out", 1)]
    assert not first.is_damaged
    assert {item.status for item in others} == {ImportStatus.IMPORTED}
    parsed_file = parse_evidence(text.encode(), evidence)
    assert [(note.code, note.line) for note in parsed_file.ignored_lines] == [
        ("questions_of_other_format", 1),
        ("question_of_other_format", 1),
    ]


ABOUT = {
    "GIFT beside its question": (
        "aiken",
        "What does this ask? Lima is big.{T}\nA. true\nB. a number\nANSWER: A\n",
    ),
    "GIFT below a colon": (
        "aiken",
        "A teacher writes:\n\nWhat is Lima? {=a ~b}\n\nWhich is it?\nA. one\nB. two\nANSWER: A\n",
    ),
    "GIFT in a listing": (
        "checklist",
        "### What is it?\n\n```\nWhat is Lima? {=a ~b}\n```\n\nChoose.\n\n- [x] a\n- [ ] b\n",
    ),
    "GIFT in a cell": (
        "csv",
        'question,option a,option b,correct\n"What does ""x {=a ~b}"" make?",GIFT,Aiken,a\n',
    ),
    "Aiken in GIFT": (
        "gift",
        "Which is it?\nA. Lima\nB. Quito\nANSWER\\: A\n{=Aiken ~GIFT}\n",
    ),
    "a program": (
        "checklist",
        "### What does it print?\n\nif (x) {\n  return 1;\n}\n\n- [x] a\n- [ ] b\n\n> Not `{T}`.\n",
    ),
}


@pytest.mark.parametrize("name", ABOUT)
def test_a_question_about_a_format_is_not_of_it(name):
    format_, text = ABOUT[name]
    (evidence,) = find_evidence(text.encode(), "x.txt")
    parsed_file = parse_evidence(text.encode(), evidence)
    assert evidence.format_.name == format_
    assert {item.status for item in parsed_file.items} == {ImportStatus.IMPORTED}
    assert not parsed_file.ignored_lines


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), [*ASKED, ("csv", "gift"), ("text2qti", "flashcards")])
def test_the_time_of_a_mixed_file_grows_with_its_size(first, second):
    def weigh_both(times: int) -> None:
        data = (write(first, 0, 3) * times + write(second, 3, 6) * times).encode()
        for name in (first, second):
            weigh(FORMATS[name], data)

    n, double, fourfold = measure_growth(weigh_both, (50, 100, 200))
    assert double < 3 * n
    assert fourfold < 6 * n


def test_of_a_long_file_the_beginning_is_weighed():
    pairs = write("gift", 0, 1) + write("aiken", 1, 2)
    data = (pairs * (WHOLE_BYTES // len(pairs) + 1)).encode()
    evidence = find_evidence(data, "x")
    assert {each.format_.name for each in evidence} >= {"aiken", "gift"}
    assert evidence[0].lines < data.count(b"\n") / 2
