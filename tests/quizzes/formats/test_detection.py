"""Which format a file is of: told by what is in it, also under another name."""

from fractions import Fraction
from io import BytesIO
from pathlib import PurePath
from zipfile import ZipFile

import pytest

from quizzes.formats import FORMATS, detection
from quizzes.formats.detection import Evidence, detect_format, detect_formats, weigh
from tests.cpu_time import measure_cpu
from tests.quizzes.imports.example_files import corpus_examples, own_examples

OWN = own_examples()
CORPUS = [example for example in corpus_examples() if detect_formats(example.data, example.name)]


@pytest.mark.parametrize("example", OWN, ids=str)
def test_every_example_is_what_it_is_whatever_its_name(example):
    for name in (example.name, PurePath(example.name).stem, "x", "x.bin"):
        assert [each.name for each in detect_formats(example.data, name)] == [example.format]


FOLDERS = {
    "aiken": {"aiken"},
    "anki": {"anki-tsv", "anki-apkg"},
    "gift": {"gift"},
    "letter-key": {"letter_key"},
    "markdown-checklist": {"checklist"},
    "moodle-xml": {"moodle-xml"},
    "olx": {"olx"},
    "qti-grading": {"qti-2", "qti-3"},
    "qti12": {"qti-1.2", "moodle-xml"},
    "qti2": {"qti-2"},
    "qti3": {"qti-3"},
    "text2qti": {"text2qti"},
}
"""What the files of a folder of the corpora are of; some hold a result or a manual of another."""


@pytest.mark.slow
@pytest.mark.parametrize("example", CORPUS, ids=lambda example: example.name)
def test_every_file_of_other_people_is_what_it_is_whatever_its_name(example):
    folder = example.name.partition("/")[0]
    (detected,) = detect_formats(example.data, example.name)
    assert detect_formats(example.data, "x") == (detected,)
    assert detected.name in FOLDERS.get(folder, FORMATS.keys())


CHOICE = "Which river is the longest of them?"
NEAR_MISSES: dict[str, tuple[str, str]] = {
    # Aiken and what looks like it.
    "aiken": (f"{CHOICE}\nA. Danube\nB. Rhine\nANSWER: A\n", "aiken"),
    "aiken with brackets": (f"{CHOICE}\nA) Danube\nB) Rhine\nANSWER: A\n", "aiken"),
    "aiken among prose": (f"Notes.\n\n{CHOICE}\nA. Danube\nB. Rhine\nANSWER: A\n", "aiken"),
    "numbered, with a letter": (f"1. {CHOICE}\nA) Danube\nB) Rhine\nAnswer: A\n", "letter_key"),
    "options without an answer": (f"{CHOICE}\nA. Danube\nB. Rhine\n", "letter_key"),
    "an answer without options": (f"{CHOICE}\nANSWER: A\n", ""),
    # GIFT and what has braces.
    "gift": (f"{CHOICE} {{=Danube ~Rhine}}\n", "gift"),
    "gift, true or false": ("The Danube is a river.{T}\n", "gift"),
    "gift, an essay": ("Why do rivers meander?{}\n", "gift"),
    "gift with a title": (f"::Rivers:: {CHOICE} {{=Danube ~Rhine}}\n", "gift"),
    "gift about check boxes": ("What is - [x]? {=done ~a list}\n\nAnd [ ]? {=a ~x}\n", "gift"),
    "gift that asks about Q: and A:": ("Q: what does it say? {=question ~answer}\n", "gift"),
    "a program in braces": ("def f():\n    return {'a': 1}\n", ""),
    "a style sheet": ("body { color: red; }\np { margin: 0 }\n", ""),
    "json": ('{"questions": [{"text": "Which?"}]}', ""),
    "a template": ("Dear {name},\n\nthank you for {thing}.\n", ""),
    # Checklists and what has boxes.
    "checklist": (f"### {CHOICE}\n- [x] Danube\n- [ ] Rhine\n", "checklist"),
    "checklist with letters": (f"### {CHOICE}\n- [x] A. Danube\n- [ ] B. Rhine\n", "checklist"),
    "checklist about answers": (f"### {CHOICE}\n- [x] ANSWER: A\n- [ ] Q: x\n", "checklist"),
    "brackets in prose": ("We met [again] in Paris [1].\n", ""),
    # Cards.
    "cards": ("Q: Which river?\nA: The Danube\n\nQ: Which lake?\nA: Garda\n", "flashcards"),
    "a dialogue": ("Anna: Who is there?\nBen: Me.\n", ""),
    # text2qti.
    "text2qti": (f"1. {CHOICE}\n*a) Danube\nb) Rhine\n", "text2qti"),
    "text2qti, a number": ("1. How many?\n=   7\n", "text2qti"),
    "a numbered list": ("1. Bread\n2. Milk\n3. Eggs\n", ""),
    # Sheets and cards of Anki as text.
    "a sheet": ("question,option a,option b,correct\nWhich?,Danube,Rhine,a\n", "csv"),
    "a sheet with tabs": ("question\toption a\toption b\tcorrect\nWhich?\ta\tb\ta\n", "csv"),
    "a sheet of addresses": ("name,street,town\nAnna,High Street 1,Ulm\n", ""),
    "notes of anki": ("#separator:tab\n#html:true\nfront\tback\n", "anki-tsv"),
    "a comment": ("# separator and html\nwords\twords\n", ""),
    # XML, packages, YAML.
    "moodle": ('<quiz><question type="essay"><name/></question></quiz>', "moodle-xml"),
    "another quiz": ("<quizzes><question/></quizzes>", ""),
    "qti 1.2": ('<questestinterop><item ident="a"/></questestinterop>', "qti-1.2"),
    "a page": ("<!DOCTYPE html><html><body><p>Which?</p></body></html>", ""),
    "open edx": ("<problem><p>Which?</p><multiplechoiceresponse/></problem>", "olx"),
    "yaml of something else": ("name: rivers\nitems:\n  - a\n  - b\n", ""),
    "prose": ("It was a dark night. What happened then? Nobody knows.\n", ""),
    "blank lines": ("\n\n\n", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", NEAR_MISSES)
@pytest.mark.parametrize("filename", ["x", "notes.txt", "notes.md", "notes.pdf"])
def test_what_looks_like_another_format_is_what_it_is(name, filename):
    text, expected = NEAR_MISSES[name]
    matches = [each.name for each in detect_formats(text.encode(), filename)]
    assert matches == [expected] * bool(expected)


AIKEN = f"{CHOICE}\nA. Danube\nB. Rhine\nANSWER: A\n\n"
BOTH = AIKEN * 2 + f"{CHOICE} {{=Danube\n~Rhine\n~Elbe\n~Po\n}}\n\n" * 2


def build_evidence(name: str, items: int) -> Evidence:
    """Return what a format makes of a text of ten lines, of which it explains all."""
    questions = FORMATS[name].read(AIKEN.encode() if name == "aiken" else b"Why?{T}").questions
    return Evidence(FORMATS[name], questions, items, Fraction(items), 10, 10)


@pytest.mark.parametrize(
    ("gift", "names"), [(10, ["gift", "aiken"]), (8, ["aiken"]), (20, ["gift"]), (0, ["aiken"])]
)
def test_a_file_that_two_formats_read_nearly_as_well_may_be_of_either(gift, names):
    evidence = [build_evidence("aiken", 9), build_evidence("gift", gift)]
    assert [each.format_.name for each in detection._select_likely(evidence)] == names


def test_the_extension_decides_between_two(monkeypatch):
    monkeypatch.setattr(detection, "NEAR", Fraction(0))
    names = [each.name for each in detect_formats(BOTH.encode(), "x.txt")]
    assert sorted(names) == ["gift", "letter_key"]  # which reads what Aiken does
    assert detect_format(BOTH.encode(), "x") is None
    assert detect_format(BOTH.encode(), "x.gift") is FORMATS["gift"]


def test_a_package_is_no_text_whatever_its_bytes_look_like():
    stream = BytesIO()
    with ZipFile(stream, "w") as archive:  # nothing is compressed
        archive.writestr("cards", "front\tback\n" * 10_000)
    assert detect_formats(stream.getvalue(), "x") == ()


def test_two_formats_that_read_the_same_are_not_asked_about():
    text = f"1. {CHOICE}\nA) Danube\nB) Rhine\nANSWER: A\n".encode()
    aiken, letter_key = (weigh(FORMATS[name], text) for name in ("aiken", "letter_key"))
    assert aiken.strength == letter_key.strength
    assert aiken.is_same_reading(letter_key)
    assert detect_format(text, "x") is FORMATS["letter_key"]  # the number is no part of the prompt


def test_the_better_reading_wins_whatever_the_order():
    gift = f"{CHOICE} {{=Danube ~Rhine}}\n\n"
    assert detect_format((gift * 20 + AIKEN).encode(), "x") is FORMATS["gift"]
    assert detect_format((gift + AIKEN * 20).encode(), "x") is FORMATS["aiken"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["aiken", "gift", "checklist", "text2qti", "cards"])
def test_the_time_grows_with_the_file(name):
    text = NEAR_MISSES[name][0] + "\n"

    def seconds(times: int) -> float:
        source = (text * times).encode()
        return measure_cpu(lambda: detect_format(source, "x"), tries=3)

    quarter, entire = seconds(250), seconds(1000)
    assert entire < 2
    assert entire / quarter < 9
