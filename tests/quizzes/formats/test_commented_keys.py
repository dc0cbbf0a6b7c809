"""Keys that comment on each option: no option is right because words stand beside it."""

from itertools import product

import pytest

from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_codes, list_options

TITLES = ["Answers:", "**Answers:**", "**Answer:**", "### Answer", "Respuestas:", "Antworten:"]
TITLES += ["Réponses :", "Respostas:"]
LABELS = ["A)", "(A)", "**(A)**", "A.", "**A.**"]
COMMENTS = [
    "- {0}) is {1}",
    "- **({0})** is {1}",
    "- **({0}) Said {1}** — so it is.",
    "{0}) is {1}",
]
COMMENTS += ["- {0}: {1}", "**({0})** is {1}", "- `{0}` → {1}", "- {0}. {2} — {1}"]
TEXTS = ["Ebro", "Tajo", "Duero", "Miño", "Júcar"]
SAYINGS = ["fine", "bad, by far", "short of it", "fine again", "old"]
LETTERS = "ABCDE"


def read(text: str) -> tuple[SourceItem, ...]:
    return parse_upload(text.encode(), "quiz.md", language="en").items


def write(title: str, label: str, comment: str, options: int, questions: int = 1) -> str:
    lists = "\n".join(f"{label.replace('A', LETTERS[at])} {TEXTS[at]}" for at in range(options))
    key = "\n".join(comment.format(LETTERS[at], SAYINGS[at], TEXTS[at]) for at in range(options))
    return "\n".join(
        f"### Question {number}\n\nWhich is river {number}?\n\n{lists}\n\n{title}\n\n{key}\n"
        for number in range(1, questions + 1)
    )


def list_bare(item: SourceItem) -> list[tuple[str, bool]]:
    """Return the options without the letters that the explanation names."""
    return [
        (text.removeprefix(f"{LETTERS[at]}) "), is_right)
        for at, (text, is_right) in enumerate(list_options(item))
    ]


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("comment", COMMENTS)
def test_comments_on_all_options_are_no_key(title, comment):
    for label, options, questions in product(LABELS[::2], (2, 4), (1, 4)):
        items = read(write(title, label, comment, options, questions))
        assert len(items) == questions
        for number, item in enumerate(items, start=1):
            assert item.status is ImportStatus.REVIEW
            assert "key_unknown" in list_codes(item)
            assert get_text(item) == f"Which is river {number}?"
            assert list_bare(item) == [(text, False) for text in TEXTS[:options]]
            assert SAYINGS[1] in get_text(item, "explanation")


JUDGED = {
    "correct": ("Incorrect", "Correct", "Incorrect"),
    "is correct": ("is incorrect", "is correct", "is wrong"),
    "signs": ("❌", "✅", "❌"),
    "Spanish": ("Incorrecta", "Correcta", "Incorrecta"),
    "Spanish sentence": ("es incorrecta", "es correcta", "no es correcta"),
    "German": ("falsch", "richtig", "falsch"),
    "French": ("incorrecte", "correcte", "incorrecte"),
    "Portuguese": ("incorreta", "correta", "incorreta"),
}
ENTRIES = ["- {0}) {1}", "- **{0})** {1}: so it is", "- {0}) {1} - so it is", "- **{0}:** {1}."]


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("sayings", JUDGED)
def test_words_that_judge_each_option_are_a_key(sayings, entry):
    key = "\n".join(map(entry.format, LETTERS, JUDGED[sayings]))
    for questions in (1, 4):
        items = read(
            "\n".join(
                f"### Question {number}\n\nWhich is river {number}?\n\nA) Ebro\nB) Tajo\nC) Duero"
                f"\n\n**Answer:**\n\n{key}\n"
                for number in range(questions)
            )
        )
        assert [list_bare(item) for item in items] == [
            [("Ebro", False), ("Tajo", True), ("Duero", False)]
        ] * questions
        assert {item.status for item in items} <= {ImportStatus.IMPORTED, ImportStatus.REPAIRED}


@pytest.mark.parametrize(
    "prompt",
    [
        "Which is not correct?",
        "Which one is INCORRECT?",
        "All are right except:",
        "¿Cuál no es correcta?",
        "¿Cuál es la opción incorrecta?",
        "Welche ist falsch?",
        "Laquelle est incorrecte ?",
        "Qual não é correta?",
    ],
)
def test_a_judgement_is_no_key_where_the_wrong_one_is_looked_for(prompt):
    text = f"1. {prompt}\n\nA) Ebro\nB) Tajo\n\n**Answer:**\n\n- A) is correct\n- B) is incorrect\n"
    (item,) = read(text)
    assert item.status is ImportStatus.REVIEW
    assert not any(is_right for _, is_right in list_options(item))


def test_a_list_that_judges_only_some_options_is_no_key():
    text = (
        "1. Which?\n\nA) Ebro\nB) Tajo\nC) Duero\n\n**Answer:**\n\n- A) is wrong\n- B) is wrong\n"
    )
    (item,) = read(text)
    assert item.status is ImportStatus.REVIEW


@pytest.mark.parametrize("sign", ["✓", "✅", "(correct)"])
def test_signs_behind_some_comments_are_no_key(sign):
    key = f"- A) Valid, as shown. {sign}\n- B) Two are too many.\n- C) Valid, as shown. {sign}"
    (item,) = read(f"1. Which fails?\n\nA) Ebro\nB) Tajo\nC) Duero\n\n**Answers:**\n\n{key}\n")
    assert item.status is ImportStatus.REVIEW


@pytest.mark.parametrize("key", ["- A\n- C", "- A) Ebro\n- C) Duero", "- A) Ebro: long\n- C) wide"])
def test_a_list_of_some_options_is_their_key(key):
    text = f"1. Which two?\n\nA) Ebro\nB) Tajo\nC) Duero\n\n**Answers:**\n\n{key}\n"
    (item,) = read(text)
    assert list_bare(item) == [("Ebro", True), ("Tajo", False), ("Duero", True)]
