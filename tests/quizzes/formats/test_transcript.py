"""Result pages tell what was right; what they do not tell, nobody guesses."""

from fractions import Fraction

import pytest

from quizzes.formats import transcript
from quizzes.formats.contract import ImportStatus, ParsedFile, SourceItem
from tests.quizzes.formats.text_items import (
    FIXTURES,
    SEEDS,
    assert_fast,
    get_text,
    list_codes,
    list_texts,
    with_seeds,
)
from tests.quizzes.formats.text_items import (
    list_options_with_feedback as list_options,
)
from tests.quizzes.imports.questions import item

IN, P, V, R = (
    ImportStatus.IMPORTED,
    ImportStatus.REPAIRED,
    ImportStatus.REVIEW,
    ImportStatus.REFUSED,
)


def own(name: str) -> ParsedFile:
    return transcript.read((FIXTURES / "transcript" / name).read_bytes())


def seed(number: str) -> bytes:
    return next(SEEDS.glob(f"{number}_*.txt")).read_bytes()


def page(text: str, language: str = "en") -> ParsedFile:
    return transcript.read(text.encode(), language=language)


def verdicts(parcel: ParsedFile) -> list[ImportStatus]:
    return [item.status for item in parcel.items]


def right(item: SourceItem) -> list[str]:
    return [text for text, is_right, _ in list_options(item) if is_right]


class TestMarked:
    def test_every_question_has_its_verdict(self):
        parcel = own("marked-en.txt")
        assert verdicts(parcel) == [IN, IN, P, P, P, R]
        assert [item.points for item in parcel.items] == [1] * 6
        assert [(item.line, item.end_line) for item in parcel.items][:2] == [(8, 19), (21, 36)]

    def test_the_page_tells_its_title_grade_and_pass_mark(self):
        metadata = own("marked-en.txt").metadata
        assert (metadata.title, metadata.language) == ("Week 2: Rivers and seas", "en")
        assert (metadata.grade, metadata.pass_threshold) == (Fraction(3, 4), Fraction(7, 10))

    def test_what_is_said_to_an_answer_goes_with_it(self):
        first, second, *_ = own("marked-en.txt").items
        explanation = "Water follows `gravity()`.\n\nIt always has."
        assert list_options(first) == [("True", False, ""), ("False", True, explanation)]
        assert get_text(first) == "True or false: rivers flow **uphill**."
        assert list_options(second) == [
            ("The Baltic", True, "Yes: brackish, but a sea."),
            ("Lake Como", False, ""),
            ("The Aegean\\\nwith its islands", True, ""),
        ]

    def test_options_on_one_line_are_parted_and_code_is_kept(self):
        third = own("marked-en.txt").items[2]
        assert list_codes(third) == ["options_run_together"]
        assert right(third) == ["print(length(river))"]
        assert "```\ndef length(river):\n    return river.length\n```" in get_text(third)

    def test_of_two_options_the_other_is_right(self):
        fourth, fifth = own("marked-en.txt").items[3:5]
        assert right(fourth) == ["In the Mediterranean"]
        assert list_codes(fourth) == ["right_is_the_other"]
        assert list_options(fourth)[0][2] == "Look at the map again."
        assert fifth.question
        assert fifth.question.kind == "true_false"
        assert right(fifth) == ["True"]

    def test_without_options_there_is_no_question(self):
        parcel = own("marked-en.txt")
        assert list_codes(parcel.items[5]) == ["options_missing"]
        assert parcel.ignored_lines[-1].quote == "Keep Learning"


class TestTabbed:
    def test_lost_marks_are_found_where_the_page_tells(self):
        parcel = own("tabbed-es.txt")
        assert verdicts(parcel) == [P, P, V]
        assert parcel.metadata.language == "es"
        assert [list_codes(item) for item in parcel.items] == [
            ["mark_resolved"],
            ["mark_lost_not_chosen", "mark_lost"],
            ["stem_damaged", "letter_as_mark", "key_unknown"],
        ]
        assert [right(item) for item in parcel.items] == [
            ["Verdadero"],
            ["El Egeo", "El Báltico"],
            [],
        ]

    def test_a_damaged_stem_is_quoted_and_has_no_key(self):
        third = own("tabbed-es.txt").items[2]
        assert third.notes[0].quote == "El río más largo de form"
        assert [text for text, *_ in list_options(third)] == [
            "El Nilo",
            "El Amazonas",
            "El Tajo",
        ]
        assert get_text(third, "explanation") == "Eso es lo que dice el mapa."

    def test_a_line_that_strayed_in_is_noise(self):
        assert [
            (ignored_line.line, ignored_line.code)
            for ignored_line in own("tabbed-es.txt").ignored_lines
        ] == [(12, "belongs_to_no_item")]

    def test_in_portuguese_o_is_a_word(self):
        parcel = page("1.\tQual é?\t1 / 1 ponto\n\tO rio\t\n\t✓ A serra\t\n", "pt")
        assert list_options(parcel.items[0]) == [
            ("O rio", False, ""),
            ("A serra", True, ""),
        ]


class TestCrammed:
    def test_sentences_part_options_and_a_person_looks(self):
        parcel = own("crammed-en.txt")
        assert verdicts(parcel) == [V, V, V]
        assert parcel.metadata.title == "Rivers"
        first, second, _ = parcel.items
        assert list_options(first) == [
            ("It ends in the Alps.", False, ""),
            ("It is a lake.", False, ""),
            ("It ends in a delta.", True, "Deltas are common."),
            ("It is long", True, "Very long."),
        ]
        assert right(second) == ["Ice", "Steam"]

    def test_a_listing_with_options_of_a_lost_question_is_listed(self):
        third = own("crammed-en.txt").items[2]
        assert list_codes(third) == ["stem_missing", "key_unknown"]
        assert list_options(third) == [
            ("```\nopen(river)\n```", False, ""),
            ("```\nriver = find('Nile')\nopen_all(river)\n```", False, ""),
        ]

    def test_a_question_in_a_line_ends_with_its_mark_of_interrogation(self):
        text = "GRADE 100% 1. Which is a river? ☐ The Alps. ✓ The Nile. 2. No options here ✓"
        first, second = page(text).items
        assert right(first) == ["The Nile."]
        assert (second.status, list_codes(second)[-1]) == (R, "options_missing")

    def test_a_listing_without_questions_is_noise(self):
        assert page("```\nx = 1\n```\n").ignored_lines[0].quote == "x = 1"


LANGUAGES = {
    "en": ("1 / 1 point", "Correct", "Incorrect", "True", "False"),
    "es": ("1 / 1 punto", "Correcto", "Incorrecto", "Verdadero", "Falso"),
    "pt": ("1 / 1 ponto", "Correto", "Incorreto", "Verdadeiro", "Falso"),
    "fr": ("1 / 1 point", "Correct", "Incorrect", "Vrai", "Faux"),
    "de": ("1 / 1 Punkt", "Richtig", "Falsch", "Richtig", "Falsch"),
}


@pytest.mark.parametrize(("language", "words"), LANGUAGES.items(), ids=LANGUAGES)
class TestLanguages:
    def test_a_page_is_read_in_each(self, language, words):
        points, correct, _, true, false = words
        text = f"1. A b c.\n\n{points}\n\n○ {false}\n✓ {true}\n\n✓ {correct}\n\nWhy.\n"
        item = page(text, language).items[0]
        # True and false have a kind of their own, and its order.
        assert list_options(item) == [(true, True, "Why."), (false, False, "")]

    def test_what_was_wrong_is_not_the_key(self, language, words):
        points, _, wrong, *_ = words
        text = f"1. A b c.\n\n{points.replace('1', '0', 1)}\n\n☒ x\n\n✗ **{wrong}**\n\n☐ y\n☐ z\n"
        item = page(text, language).items[0]
        assert (right(item), list_codes(item)) == ([], ["key_unknown"])


GRADES = {
    "CALIFICACIÓN 90 %": Fraction(9, 10),
    "Nota 87,5%": Fraction(7, 8),
    "NOTE 100 %": Fraction(1),
    "Bewertung: 50%": Fraction(1, 2),
}


@pytest.mark.parametrize(("line", "grade"), GRADES.items())
def test_grades_are_read_in_each_language(line, grade):
    assert page(f"{line}\n\n1. Q?\n\n1 / 1 point\n\n☐ a\n☒ b\n").metadata.grade == grade


def test_without_points_or_grade_the_verdict_tells():
    yes = page("1. Q?\n\n☐ a\n☒ b\n\n✓ Correct\n").items[0]
    no = page("1. Q?\n\n☐ a\n☒ b\n").items[0]
    other = page("1. Q?\n\n☐ a\n☒ b\n\n✗ Incorrect\n").items[0]
    assert (right(yes), right(no), right(other)) == (["b"], [], ["a"])


def test_a_verdict_before_any_option_explains_all():
    item = page("1. Pick all that apply.\n\n1/1 point\n\nCorrect\n\nWell.\n\n☒ a\n☐ b\n").items[0]
    assert (right(item), get_text(item, "explanation")) == (["a"], "Well.")


def test_partly_right_says_nothing_of_the_rest():
    text = "1. Select all that apply.\n\n0.5 / 1 point\n\n☒ a\n\n✓ **Correct**\n\n☐ b\n\n"
    item = page(f"{text}You didn’t select all the correct answers\n").items[0]
    assert (right(item), list_codes(item), item.points) == ([], ["key_unknown"], Fraction(1))


def test_two_lost_marks_tell_nothing_and_a_taken_one_tells_all():
    lost = page("1. Q?\n\n1 / 1 point\n\n☐ a\n\nb\n\nc\n").items[0]
    item = page("1. Q?\n\n1 / 1 point\n\n☐ a\n\nb\n\n☒ c\n").items[0]
    assert (right(lost), list_codes(lost)) == ([], ["key_unknown"])
    assert (right(item), list_codes(item)) == (["c"], ["mark_lost_not_chosen"])


def test_code_goes_where_it_stands():
    code = "```\nx = 1\n```"
    text = f"1. Q?\n\n1/1 point\n\n☐ a\n\n{code}\n\n☒ b\n\n✓ Correct\n\nAs:\n\n{code}\n"
    assert list_options(page(text).items[0]) == [
        (f"a\n\n{code}", False, ""),
        ("b", True, f"As:\n\n{code}"),
    ]


def test_a_sentence_may_begin_with_correct():
    assert right(page("1. Q?\n\n1/1 point\n\n○ Leave it\n✓ Correct the error\n").items[0]) == [
        "Correct the error"
    ]


def test_an_unknown_language_is_told():
    parcel = transcript.read("1. 3 + 4 =\n\n1/1 point\n\n☐ 6\n☒ 7\n".encode())
    assert parcel.metadata.language == "en"
    assert parcel.ignored_lines[-1].code == "language_unknown"


def test_questions_may_be_called_so():
    parcel = page(
        "Question 1\nWhat?\n1/1 point\n☐ a\n☒ b\n\n**Pregunta 2.** ¿Q?\n1/1 punto\n☒ c\n☐ d"
    )
    assert [get_text(item) for item in parcel.items] == ["What?", "¿Q?"]


def test_only_the_first_points_and_the_next_number_count():
    text = " 1. Q ✓ a 2. b? 2. B?\n\n1/1 point\n0/5 points\n☐ a\n☒ b\n"
    items = page(text).items
    assert [item.points for item in items] == [None, 1]


def test_nothing_is_read_from_nothing():
    assert transcript.read(b"").items == ()
    assert page("1 / 1 point\nCorrect\n").ignored_lines[0].quote == "1 / 1 point"


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        ("1. Q?\n1 / 1 point\n☐ a", True),
        ("1.\tQ\t1/1 punto\nx", True),
        ("1. Q?\n☐ a", False),
        ("- [x] a\n- [ ] b", False),
    ],
)
def test_pages_are_claimed_by_points_and_marks(text, claimed):
    assert transcript.detect(text.encode(), "a.txt") is claimed
    assert not transcript.detect(text.encode(), "a.xml")


@pytest.mark.parametrize(
    "text",
    [
        "1. Q? " + "☐ a " * 400_000,
        "1 / 1 point\n" * 30_000,
        " " * 3_000_000 + "1.",
        "1. " + "Correct. " * 100_000,
        "```\n" + "{\\tt a" * 300_000,
        "1. x " + "*a " * 300_000,
        "1. Q?\n" + "\n".join(f"{n}. Q{n}?\n1/1 point\n☐ a\n☒ b" for n in range(1, 5_000)),
    ],
    ids=range(7),
)
def test_large_pages_are_read_in_seconds(text):
    assert_fast(transcript.read, text, 10)


@with_seeds
class TestSeeds:
    def test_000_is_read_whole(self):
        parcel = transcript.read(seed("000"))
        assert (parcel.metadata.language, parcel.ignored_lines) == ("en", ())
        assert verdicts(parcel) == [IN, IN, IN, IN, P, P]
        assert [list_codes(item) for item in parcel.items[4:]] == [["options_run_together"]] * 2
        assert [item.points for item in parcel.items] == [1] * 6
        positions = [
            [n for n, option in enumerate(list_options(f)) if option[1]] for f in parcel.items
        ]
        assert positions == [[1], [0, 2, 3], [0], [1], [0], [3]]
        assert [len(list_options(item)) for item in parcel.items] == [2, 4, 2, 2, 2, 4]
        for source_item in parcel.items:
            assert [bool(feedback) for _, _, feedback in list_options(source_item)] == [
                is_right for _, is_right, _ in list_options(source_item)
            ]

    def test_001_is_mended_where_it_tells_and_reviewed_where_not(self):
        parcel = transcript.read(seed("001"))
        assert (
            parcel.metadata.language,
            [ignored_line.line for ignored_line in parcel.ignored_lines],
        ) == (
            "es",
            [25],
        )
        assert verdicts(parcel) == [P, P, IN, P, P, V]
        assert [list_codes(item) for item in parcel.items] == [
            ["mark_resolved"],
            ["mark_lost_not_chosen", "mark_lost"],
            [],
            ["mark_resolved"],
            ["mark_resolved"],
            ["stem_damaged", "letter_as_mark", "key_unknown"],
        ]
        positions = [
            [n for n, option in enumerate(list_options(f)) if option[1]] for f in parcel.items
        ]
        assert positions == [[1], [0, 2, 3], [0], [1], [0], []]
        assert parcel.items[5].notes[0].quote == get_text(parcel.items[5])

    def test_both_are_the_same_quiz_but_for_the_key_of_the_last(self):
        first, two = (transcript.read(seed(number)) for number in ("000", "001"))
        for here_, there in zip(first.questions[:5], two.questions[:5], strict=True):
            assert item(here_).content == item(there, "es").content
            assert item(here_).key == item(there, "es").key

    def test_002_tells_three_questions_and_the_code_of_a_lost_one(self):
        parcel = transcript.read(seed("002"))
        assert (parcel.metadata.grade, parcel.metadata.pass_threshold) == (
            Fraction(1),
            Fraction(4, 5),
        )
        assert verdicts(parcel) == [V] * 4
        assert [len(list_options(item)) for item in parcel.items] == [4, 2, 4, 3]
        assert [len(right(item)) for item in parcel.items] == [2, 2, 3, 0]
        assert list_codes(parcel.items[3]) == ["stem_missing", "key_unknown"]
        assert all(text.startswith("```\n") for text, *_ in list_options(parcel.items[3]))
        assert [ignored_line.line for ignored_line in parcel.ignored_lines] == [
            3,
            5,
            7,
            9,
            12,
            14,
            18,
            44,
            45,
        ]


@pytest.mark.parametrize(
    ("file", "language", "words", "rights"),
    [
        ("verdade-pt.txt", "pt", ["Verdadeiro", "Falso"], ["true", "false"]),
        ("vrai-fr.txt", "fr", ["Vrai", "Faux"], ["true"]),
        ("wahr-de.txt", "de", ["Wahr", "Falsch"], ["true"]),
    ],
)
def test_true_and_false_are_known_in_each_language_and_keep_its_words(
    file, language, words, rights
):
    parcel = own(file)
    assert (parcel.metadata.language, verdicts(parcel)) == (language, [IN] * len(rights))
    for question, name in zip(parcel.questions, rights, strict=True):
        assert question.kind == "true_false"
        assert [row.name for row in question.rows if row.values["right"]] == [name]
        texts = [next(iter(row.texts.values()))[language] for row in question.rows]
        assert texts == words


def test_questions_whose_numbers_are_headings_keep_their_listings():
    text = """## 2. What is that?

```
x
```

1 / 1 point

● a

```
y
```

○ b

✓ Correct

### Question 3
What is printed?

1 / 1 point

○ c
● d
✓ Correct
"""
    items = transcript.read(text.encode(), language="en").items
    texts = [list_texts(item.question) for item in items]
    assert texts == [
        ["What is that?\n\n```\nx\n```", "a\n\n```\ny\n```", "b"],
        ["What is printed?", "c", "d"],
    ]
