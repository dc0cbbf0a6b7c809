"""A file of two languages: each question gets its own, and what tells nothing is said to."""

from dataclasses import replace

from grading.schema import Text
from quizzes.formats.builders import Head, build_true_false
from quizzes.formats.contract import Note, ParsedQuestion
from quizzes.imports import parse
from quizzes.imports.language_assignment import assign_languages
from tests.quizzes.imports.parcels import asked, found, parcel, refused

SPANISH = "¿Cuál de las siguientes es la capital de la región que no tiene mar?"
MIXED = """Which of the following is the capital of the country that has no sea? {=a ~b}

¿Cuál de las siguientes es la capital de la región que no tiene mar? {=uno ~dos}

True or false: the sum of the angles in a triangle is 180. {T}
"""


def languages(question: ParsedQuestion) -> set[str]:
    codes = [
        *question.texts.values(),
        *(texts for row in question.rows for texts in row.texts.values()),
    ]
    return {language for texts in codes for language in texts}


def test_each_question_of_a_mixed_file_has_its_own_language():
    read = parse.parse_upload(MIXED.encode(), "mixed.gift")
    assert [languages(question) for question in read.questions] == [{"en"}, {"es"}, {"en"}]
    notes = [[note.code for note in item.notes] for item in read.items]
    assert notes == [[], ["language_of_item"], []]
    assert read.items[1].notes[0].detail == {"language": "es"}


def test_who_names_a_language_is_believed():
    read = parse.parse_upload(MIXED.encode(), "mixed.gift", language="en")
    assert [languages(question) for question in read.questions] == [{"en"}] * 3


def test_rows_and_feedback_go_along():
    question = asked(prompt=SPANISH, explanation="Porque es la que no tiene mar.")
    (moved,) = assign_languages(parcel(question)).questions
    assert languages(moved) == {"es"}
    assert moved.texts[Text("prompt", required=True)] == {"es": SPANISH}


def test_true_and_false_are_said_in_the_language_of_the_question():
    question = build_true_false(Head(1, "t", "en", SPANISH), right=True)
    (moved,) = assign_languages(parcel(question)).questions
    assert [next(iter(row.texts.values())) for row in moved.rows] == [
        {"es": "Verdadero"},
        {"es": "Falso"},
    ]


def test_few_words_move_nothing():
    file = parcel(asked(prompt="La Paz"), asked("rios", prompt="Which of the rivers is that?"))
    assert assign_languages(file) == file


def test_a_file_that_tells_nothing_says_so_once():
    file = parcel(asked(prompt="3 + 4", options=("7", "8")))
    assigned = assign_languages(file)
    assert [note.code for note in assigned.ignored_lines] == ["language_unknown"]
    assert assign_languages(assigned) == assigned


def test_what_a_format_doubts_already_is_left_to_it():
    doubted = replace(found(asked(prompt=SPANISH)), notes=(Note("language_doubtful", 1),))
    assert assign_languages(parcel(doubted)).items == (doubted,)


def test_questions_of_several_languages_and_no_questions_stay_as_they_are():
    both = replace(asked(), texts={Text("prompt", required=True): {"en": "3", "es": "3"}})
    for file in (parcel(both), parcel(refused())):
        assert assign_languages(file) == file
