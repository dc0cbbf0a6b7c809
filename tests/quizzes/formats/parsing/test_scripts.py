"""A text too short for more is in the language that most write in its script, told."""

import pytest

from quizzes.formats.parsing.languages import decode_text
from quizzes.formats.parsing.scripts import guess_language
from quizzes.imports.parse import parse_upload
from quizzes.presentation.messages.import_notes import describe_note

WORDS = [
    ("Столица?", "ru"),
    ("Да", "ru"),
    ("Столиця Україна", "uk"),
    ("Ўсё", "be"),
    ("Ъгъл", "bg"),
    ("Ђак", "sr"),
    ("Ѓум", "mk"),
    ("Өндөг", "mn"),
    ("Қала", "kk"),
    ("Білім және ғылым", "kk"),
    ("Што такое ўмова і кніга?", "be"),
    ("北京", "zh"),
    ("首都？", "zh"),
    ("漢字とは", "ja"),
    ("ネコ", "ja"),
    ("수도", "ko"),
    ("שלום", "he"),
    ("كم", "ar"),
    ("چند", "fa"),
    ("کہاں", "ur"),
    ("पता", "hi"),
    ("Τι;", "el"),
    ("ქარ", "ka"),
    ("Ի՞նչ", "hy"),
    ("ไหน", "th"),
    ("কী?", "bn"),
    ("என்ன", "ta"),
    ("మీరు", "te"),
    ("ምን?", "am"),
]
GIFT = "::q::{0} {{={1} ~{2}}}\n"
FILES = {
    "quiz.md": "1. {0}\n- [ ] {1}\n- [x] {2}\n",
    "quiz.aiken": "{0}\nA. {1}\nB. {2}\nANSWER: B\n",
    "quiz.gift": GIFT,
    "quiz.csv": "question;option 1;option 2;correct\n{0};{1};{2};2\n",
    "quiz.xml": (
        '<quiz><question type="multichoice"><name><text>q</text></name><questiontext>'
        "<text>{0}</text></questiontext><single>true</single>"
        '<answer fraction="0"><text>{1}</text></answer>'
        '<answer fraction="100"><text>{2}</text></answer></question></quiz>'
    ),
}


@pytest.mark.parametrize(("text", "language"), WORDS)
def test_a_word_in_a_script_of_its_own_is_in_a_language_of_that_script(text, language):
    assert guess_language(text) == language


@pytest.mark.parametrize("text", ["", "12", "Which is it: π?", "Quel est le nom de Ω?", "α + by"])
def test_latin_letters_and_numbers_tell_no_language(text):
    assert guess_language(text) == ""


def test_that_a_language_was_taken_by_its_script_is_told():
    _, language, notes = decode_text("Да?".encode())
    assert (language, [note.code for note in notes]) == ("ru", ["language_by_script"])
    assert notes[0].detail == {"language": "ru"}
    assert "Russian" in describe_note(notes[0])
    assert decode_text("Какой город является столицей?".encode())[1:] == ("ru", [])
    assert decode_text("Да?".encode(), "bg")[1:] == ("bg", [])


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    ("prompt", "first", "second", "language"),
    [
        ("Столица?", "Рим", "Киев", "ru"),
        ("Какой город является столицей?", "Рим", "Киев", "ru"),
        ("中国的首都是哪里？", "上海", "北京", "zh"),
        ("Ποια;", "Ρώμη", "Αθήνα", "el"),
        ("عاصمة؟", "بيروت", "دمشق", "ar"),
        ("राजधानी?", "पुणे", "दिल्ली", "hi"),
        ("בירה?", "חיפה", "אילת", "he"),
    ],
)
def test_no_reader_takes_a_text_in_another_script_for_english(
    name, prompt, first, second, language
):
    parsed_file = parse_upload(FILES[name].format(prompt, first, second).encode(), name)
    assert [question.languages for question in parsed_file.questions] == [{language}]
    codes = {note.code for note in parsed_file.ignored_lines}
    assert "language_unknown" not in codes
    assert parsed_file.metadata.language in {language, ""}
