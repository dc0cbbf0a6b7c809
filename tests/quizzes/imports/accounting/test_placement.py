"""Lines in the wrong text of their own question, and lost options whose words stand elsewhere."""

from collections import Counter
from dataclasses import replace

import pytest

from quizzes.formats import FORMATS
from quizzes.formats.contract import ImportStatus, ParsedFile, ParsedQuestion, SourceItem
from quizzes.formats.detection import detect_format
from quizzes.imports.accounting.normalization import squeeze
from quizzes.imports.accounting.placement import FORMATS_IN_ORDER, MISPLACED
from quizzes.imports.accounting.remainder import list_remainder
from tests.quizzes.formats.text_items import CORPORA, FIXTURES, SEEDS
from tools.corpora_table import list_corpus_files

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}
PAGES = {
    "aiken": "Is 3 or 5 more than 4?\nA. 3\nB. 5\nC. 4\nANSWER: B\n",
    "checklist": "### Is 3 or 5 more than 4?\n\n- [ ] 3\n- [x] 5\n- [ ] 4\n",
    "letter_key": "1. Is 3 or 5 more than 4?\n\nA. 3\nB. 5\nC. 4\n\nAnswer: B\n",
    "text2qti": "1. Is 3 or 5 more than 4?\na) 3\n*b) 5\nc) 4\n",
    "gift": "Is 3 or 5 more than 4? {\n~3\n=5\n~4\n}\n",
    "moodle-xml": (
        '<quiz><question type="multichoice"><questiontext format="html"><text>Is 3 or 5 more than'
        "4?</text></questiontext><single>true</single>\n"
        '<answer fraction="0"><text>3</text></answer>\n'
        '<answer fraction="100"><text>5</text></answer>\n'
        '<answer fraction="0"><text>4</text></answer>\n</question></quiz>'
    ),
}


def read(page: str, format_: str) -> ParsedFile:
    return FORMATS[format_].read(page.encode(), language="en")


def list_codes_left(parsed_file: ParsedFile, data: bytes, format_: str) -> list[str]:
    items = list_remainder(parsed_file, data, format_).items
    return [note.code for item in items for note in item.remainder]


def forge(item: SourceItem, question: ParsedQuestion) -> SourceItem:
    return replace(item, question=question)


def exchange_options(item: SourceItem, first: int, second: int) -> SourceItem:
    """Return an item in which two options have each other's texts; the rest stays."""
    assert item.question
    rows = list(item.question.tables["options"])
    texts = rows[first].texts, rows[second].texts
    rows[first] = replace(rows[first], texts=texts[1])
    rows[second] = replace(rows[second], texts=texts[0])
    tables = {**item.question.tables, "options": tuple(rows)}
    return forge(item, replace(item.question, tables=tables))


def drop_option(item: SourceItem, place: int) -> SourceItem:
    assert item.question
    rows = list(item.question.tables["options"])
    del rows[place]
    tables = {**item.question.tables, "options": tuple(rows)}
    return forge(item, replace(item.question, tables=tables))


@pytest.mark.parametrize("format_", PAGES)
class TestEachFormat:
    def test_nothing_is_said_of_what_is_in_its_place(self, format_):
        data = PAGES[format_].encode()
        parsed_file = read(PAGES[format_], format_)
        assert list_codes_left(parsed_file, data, format_) == []

    def test_options_with_each_others_texts_are_seen(self, format_):
        data = PAGES[format_].encode()
        parsed_file = read(PAGES[format_], format_)
        (item,) = parsed_file.items
        forged = replace(parsed_file, items=(exchange_options(item, 0, 2),))
        assert MISPLACED in list_codes_left(forged, data, format_)

    @pytest.mark.parametrize("place", [0, 2])
    def test_a_lost_option_is_seen_though_the_prompt_has_its_words(self, format_, place):
        data = PAGES[format_].encode()
        parsed_file = read(PAGES[format_], format_)
        (item,) = parsed_file.items
        forged = replace(parsed_file, items=(drop_option(item, place),))
        (checked,) = list_remainder(forged, data, format_).items
        assert MISPLACED in {note.code for note in checked.remainder}
        assert (checked.status, checked.is_damaged) == (ImportStatus.REVIEW, True)


def test_a_line_of_one_option_in_another_is_seen():
    page = (
        "### Which?\n\n- [ ] The Tajo,\n  which ends in Lisbon\n- [x] The Ebro,\n  which does not\n"
    )
    parsed_file = read(page, "checklist")
    (item,) = parsed_file.items
    assert item.question
    first, second = item.question.tables["options"]
    ((name, by_language),) = first.texts.items()
    ((_, other),) = second.texts.items()
    language = next(iter(by_language))
    rows = (
        replace(first, texts={name: {language: "The Tajo,"}}),
        replace(second, texts={name: {language: f"{other[language]}\nwhich ends in Lisbon"}}),
    )
    forged = forge(item, replace(item.question, tables={"options": rows}))
    file = replace(parsed_file, items=(forged,))
    (checked,) = list_remainder(file, page.encode(), "checklist").items
    assert [(note.code, note.line) for note in checked.remainder] == [(MISPLACED, 4)]


def test_a_line_of_the_prompt_in_an_option_is_seen():
    page = "### Q1. Look.\n\nIt ends in Lisbon.\n\n- [x] Tajo\n- [ ] Ebro\n"
    parsed_file = read(page, "checklist")
    (item,) = parsed_file.items
    assert item.question
    texts = {
        name: dict.fromkeys(by_language, "Look.")
        for name, by_language in item.question.texts.items()
    }
    first, second = item.question.tables["options"]
    longer = {
        name: {language: f"{text}\nIt ends in Lisbon." for language, text in by_language.items()}
        for name, by_language in first.texts.items()
    }
    tables = {"options": (replace(first, texts=longer), second)}
    forged = forge(item, replace(item.question, texts=texts, tables=tables))
    file = replace(parsed_file, items=(forged,))
    assert list_codes_left(file, page.encode(), "checklist") == [MISPLACED]


UNSEEN = {
    ("quirks.md", 19),
    ("quirks.gift", 5),
    ("library.xml", 33),
    ("open-quote.csv", 2),
    ("open-quote.csv", 3),
    ("quirks.xlsx", 2),
    ("marked-en.txt", 38),
    ("all_canvas_simple_1.2.xml", 11),
    ("all_canvas_simple_1.2.xml", 516),
    ("test_qti_1.2.zip", 8),
    ("i00f37ac2af026e5a607e4a5d9a70b1d5.xml", 59),
    ("000_4cd37438d9c81207.txt", 70),
}
"""Files and lines of items whose options' words stand near them once more: in a key cell, in
feedback, in metadata of one letter, on a page that shows the solution."""


def list_exchangeable(item: SourceItem) -> list[int]:
    """Return the places of options whose words differ from those of all others."""
    assert item.question
    rows = item.question.tables.get("options", ())
    words = [
        squeeze("".join(text for texts in row.texts.values() for text in texts.values()))
        for row in rows
    ]
    return [at for at, text in enumerate(words) if text and words.count(text) == 1]


def test_exchanged_options_are_seen_in_every_reader_and_corpus():
    """Each clean choice question that shares no line with another, of every file there is."""
    seen, unseen = Counter[str](), set[tuple[str, int]]()
    for file in [
        *list_corpus_files(FIXTURES),
        *list_corpus_files(CORPORA),
        *list_corpus_files(SEEDS),
    ]:
        data = file.read_bytes()
        file_format = detect_format(data, file.name)
        if file_format is None or file_format.name not in FORMATS_IN_ORDER:
            continue
        parsed_file = file_format.read(data, language="en")
        mutants = list(parsed_file.items)
        for number, item in enumerate(parsed_file.items):
            question = item.question
            if question is None or question.kind not in {"single_choice", "multiple_choice"}:
                continue
            places = list_exchangeable(item)
            if item.status in CLEAN and len(places) > 1:
                mutants[number] = exchange_options(item, places[0], places[-1])
        before = list_remainder(parsed_file, data, file_format.name).items
        after = list_remainder(replace(parsed_file, items=tuple(mutants)), data, file_format.name)
        for item, mutant, checked in zip(before, mutants, after.items, strict=True):
            if mutant is item or item.status not in CLEAN or mutant in parsed_file.items:
                continue
            if checked.remainder:
                seen[file_format.name] += 1
            else:
                unseen.add((file.name, item.line))
    assert seen.keys() >= {"aiken", "checklist", "csv", "gift", "letter_key", "moodle-xml"}
    assert unseen <= UNSEEN
    assert sum(seen.values()) > 10 * len(unseen)
