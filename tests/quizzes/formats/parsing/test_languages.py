"""A language is told by its words, and where they tell nothing, it is not guessed."""

import time

import pytest

from quizzes.formats.parsing.languages import detect_certain_language, detect_language

TOLD = {
    "en": [
        "Which of the following is true?",
        "True or false: the sum of the angles in a triangle is 180 degrees.",
        "What does this program print when it is run?",
        "When is the best time to plant a tree?",
    ],
    "es": [
        "¿Cuál de las siguientes es la capital del Perú?",
        "Verdadero o falso: el agua hierve a los cien grados.",
        "La suma de los ángulos de un triángulo es de 180 grados.",
        "¡Así es! Los metales conducen el calor.",
    ],
    "pt": [
        "Qual das seguintes é a capital do Brasil?",
        "Verdadeiro ou falso: a água não ferve a cem graus.",
        "Os metais são bons condutores e não se partem com o calor.",
    ],
    "fr": [
        "Laquelle des villes suivantes est la capitale de la France ?",
        "Vrai ou faux : les métaux ne sont pas dans ce tableau.",
        "Quelle est la somme des angles du triangle ?",
    ],
    "de": [
        "Welche der folgenden Städte ist die Hauptstadt?",
        "Wahr oder falsch: die Summe der Winkel ist nicht immer gleich.",
        "Was wird mit dem Wasser, wenn es kocht?",
    ],
}
CASES = [(language, text) for language, texts in TOLD.items() for text in texts]


@pytest.mark.parametrize(("language", "text"), CASES)
def test_a_sentence_tells_its_language(language, text):
    assert detect_language(text) == language


@pytest.mark.parametrize(("language", "text"), CASES)
def test_shouting_and_marks_change_nothing(language, text):
    assert detect_language(f"1. ☐ **{text.upper()}** ✓") == language


@pytest.mark.parametrize("text", ["", "   ", "GPU", "3 + 4 = 7", "tf.data", "la", "北京", "👍" * 9])
def test_what_tells_nothing_is_not_guessed(text):
    assert detect_language(text) == ""


@pytest.mark.parametrize("text", ["A\nB\na o e\nA or B, do as you do", "What do I do as a boss?"])
def test_letters_of_options_and_small_words_are_no_portuguese(text):
    assert detect_language(text) in {"", "en"}


def test_of_a_part_of_a_file_more_is_asked():
    assert detect_language("¿Qué es?") == "es"
    assert detect_certain_language("¿Qué es?") == ""
    assert (
        detect_certain_language("¿Cuál de las siguientes es la capital que no tiene mar?") == "es"
    )
    assert detect_certain_language("the of and to is that in el la los de") == ""


def test_two_languages_in_equal_parts_are_not_guessed():
    assert detect_language("the of and to with is\nder die das und zu ist") == ""


def test_a_long_text_is_read_in_no_time():
    begun = time.process_time()
    assert detect_language("the " * 2_000_000) == "en"
    assert time.process_time() - begun < 1


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Какой город столица России?", "ru"),
        ("この川の名前は何ですか", "ja"),
        ("Jaka jest stolica Polski i kiedy powstała?", "pl"),
        ("Qual è la capitale d'Italia e quando è stata fondata la città di Roma?", "it"),
        ("Welke stad is de hoofdstad van Nederland?", "nl"),
        ("Wie heißt die Hauptstadt, und wann wurde sie gegründet?", "de"),
    ],
)
def test_languages_of_all_scripts_are_named(text, language):
    assert detect_language(text) == language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("日本の首都は? {=Tokyo ~Osaka ~Kyoto}", "ja"),
        ("首都は?\n- [x] Tokyo\n- [ ] Osaka\n- [ ] Kyoto", "ja"),
        ("ما هي عاصمة مصر؟ {=Cairo ~Giza ~Luxor}", "ar"),
        ("عاصمة مصر؟\nA. Cairo\nB. Giza\nANSWER: A", "ar"),
        ("대한민국의 수도는? {=Seoul ~Busan}", "ko"),
        ("Πρωτεύουσα; {=Athens ~Patra}", "el"),
        ("پایتخت ایران؟ {=Tehran ~Shiraz}", "fa"),
        ("Яка столиця України? {=Kyiv ~Lviv}", "uk"),
    ],
)
def test_a_short_prompt_with_latin_options_has_the_language_of_its_script(text, language):
    assert detect_language(text) == language


@pytest.mark.parametrize(
    ("text", "languages"),
    [
        ("What does собака mean? {=dog ~cat}", {"en", ""}),
        ("What is the capital of 日本? {=Tokyo ~Osaka}", {"en", ""}),
        ("¿Qué quiere decir собака? {=el perro ~el gato}", {"es", ""}),
    ],
)
def test_a_word_in_another_script_gives_a_sentence_no_language(text, languages):
    assert detect_language(text) in languages


@pytest.mark.parametrize("text", ["\x00\x01", "\ud800 lone", "\u202e\u0000 x", "🙂" * 50, ""])
def test_no_text_is_too_strange_to_be_looked_at(text):
    assert detect_language(text) in {"", "en"}


SHORT = {
    "ru": ["Что такое переменная?", "Столица Франции?", "Что выведет print('the end of it')?"],
    "it": [
        "Quale dei seguenti è un numero primo?",
        "Per quale motivo si usa un indice in una tabella?",
        "Cos'è un puntatore?",
        "Qual è la capitale della Francia?",
        "Cosa stampa questo codice?\n```\nif x is not None and y or z: print('for the')\n```",
    ],
    "pt": ["Qual é a capital da França?"],
    "nl": ["Wat is een variabele?", "Hoeveel is twee plus twee?"],
    "gl": ["Cal é a capital de Francia?"],
    "he": ["מהו משתנה?"],
    "bg": ["Какво е променлива?"],
    "en": ["Who wrote Hamlet?", "When did Rome fall?", "What is the value of λ and of Ω in this?"],
    "es": ["¿Qué es una variable?", "Capital de Francia"],
}


@pytest.mark.parametrize(
    ("language", "text"), [(code, text) for code, texts in SHORT.items() for text in texts]
)
@pytest.mark.parametrize(
    "shape",
    ["{}", "1. {}\nA) x\nB) y\nAnswer: B\n", "# {}\n- [x] True\n- [ ] False", "{}\nTrue\nFalse"],
)
def test_a_short_question_is_of_its_language_or_of_none(language, text, shape):
    assert detect_language(shape.format(text)) in {language, ""}


@pytest.mark.parametrize(
    "piece", ["<pre>", "<code>", "```", "~~~", "`", "answer", "\n", "- \n", "true ", "answer\n"]
)
def test_what_is_repeated_without_end_is_looked_at_once(piece):
    begun = time.process_time()
    detect_language(piece * 20_000)
    assert time.process_time() - begun < 1
