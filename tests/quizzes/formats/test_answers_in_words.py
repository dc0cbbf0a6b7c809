"""Questions without options whose key is in words: typed, true or false, or an essay."""

from itertools import product

import pytest

from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_codes, list_options

LABELS = [
    "### Question {0}\n\n",
    "### Q{0}. ",
    "{0}. ",
    "**Q{0}:** ",
    "**{0}.** ",
    "## Pregunta {0}\n",
]
KEYS = [
    "**Answer:** {0}",
    "Answer: {0}",
    "**Respuesta:** {0}",
    "**Antwort:** {0}",
    "**Réponse :** {0}",
    "**Resposta:** {0}",
    "**Answer:**\n\n{0}",
    "<details>\n<summary>Answer</summary>\n\n{0}\n\n</details>",
    "<details><summary>Show answer</summary>\n{0}\n</details>",
    "> **Answer:** {0}",
]
LONG = "It carries water, and more than other rivers of that land."
COUNTS = (1, 2, 4)


def read(text: str) -> tuple[SourceItem, ...]:
    return parse_upload(text.encode(), "quiz.md", language="en").items


def write(count: int, label: str, key: str, asks: str = "Which river is number {0}?") -> str:
    return "\n\n".join(
        f"{label.format(at)}{asks.format(at)}\n\n{key}\n" for at in range(1, count + 1)
    )


def list_accepted(item: SourceItem) -> list[object]:
    assert item.question
    return [row.values["text"] for row in item.question.tables["accepted"]]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("label", LABELS)
def test_a_key_of_a_word_is_typed(label, key):
    for count, word in product((2, 4), ("Ebro", "42", "Río Tajo")):
        items = read(write(count, label, key.format(word)))
        assert [get_text(item) for item in items] == [
            f"Which river is number {at}?" for at in range(1, count + 1)
        ]
        assert [(item.kind, list_accepted(item)) for item in items] == [
            ("short_text", [word])
        ] * count
        assert {(item.status, item.remainder) for item in items} == {(ImportStatus.IMPORTED, ())}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("label", LABELS)
def test_a_key_of_a_sentence_explains_an_essay(label, key):
    for count in (2, 4):
        items = read(write(count, label, key.format(LONG)))
        assert [get_text(item) for item in items] == [
            f"Which river is number {at}?" for at in range(1, count + 1)
        ]
        assert {(item.kind, get_text(item, "explanation")) for item in items} == {("essay", LONG)}
        assert {(item.status, item.remainder) for item in items} == {(ImportStatus.IMPORTED, ())}


@pytest.mark.parametrize(
    "asks", ["Why {0}?", "How does {0} flow?", "¿Por qué {0}?", "Explain {0}."]
)
def test_what_asks_for_reasons_is_an_essay(asks):
    items = read(write(2, LABELS[0], "**Answer:** Because", asks))
    assert [item.kind for item in items] == ["essay"] * 2


@pytest.mark.parametrize("word", ["Ebro, Tajo", "Ebro or Tajo", "Ebro/Tajo", "Ebro (long)"])
def test_a_key_of_several_words_is_an_essay(word):
    assert {item.kind for item in read(write(2, LABELS[0], f"**Answer:** {word}"))} == {"essay"}


@pytest.mark.parametrize(
    ("word", "is_true"), [("True", True), ("False", False), ("**Falso**", False)]
)
def test_true_and_false_are_a_statement(word, is_true):
    items = read(write(2, LABELS[0], f"**Answer:** {word}", "Water {0} is wet."))
    assert {item.kind for item in items} == {"true_false"}
    assert [right for _, right in list_options(items[0])] == [is_true, not is_true]


def test_code_is_compared_sign_by_sign():
    for item in read(write(2, LABELS[0], "**Answer:** `a != b*`")):
        assert item.question
        assert item.question.fields["sort"] == "code"
        assert list_accepted(item) == [r"a != b\*"]


@pytest.mark.parametrize("key", ["B", "**B**", "A and C", "B) Tajo", "B — it is"])
@pytest.mark.parametrize("form", KEYS[:2] + KEYS[7:9])
def test_a_letter_without_options_is_refused_by_name(form, key):
    items = read(write(2, LABELS[0], form.format(key)))
    assert [list_codes(item) for item in items] == [["options_missing"]] * 2


@pytest.mark.parametrize("entry", ["A) {0}", "- {0}", "[ ] {0}"])
def test_what_lists_options_is_no_question_to_be_typed(entry):
    options = "\n".join(map(entry.format, ("Ebro", "Tajo", "Duero")))
    for item in read(write(2, LABELS[0], f"{options}\n\n**Answer:** Nile")):
        assert item.kind != "short_text"
        assert item.status not in {ImportStatus.IMPORTED, ImportStatus.REPAIRED}


@pytest.mark.parametrize("entry", ["{1}. {0}", "- {0}", "A) {0}"])
def test_a_sentence_below_a_list_answers_no_open_question(entry):
    options = "\n".join(entry.format(text, at) for at, text in enumerate(("Ebro", "Tajo"), 1))
    for item in read(write(2, LABELS[0], f"{options}\n\n**Answer:** {LONG}")):
        assert item.status not in {ImportStatus.IMPORTED, ImportStatus.REPAIRED}


@pytest.mark.parametrize("label", LABELS[:4])
def test_questions_with_and_without_options_stand_side_by_side(label):
    options = "A) Here\nB) There\n\n**Answer:** B"
    text = "".join(
        write(1, label.replace("{0}", str(at)), key)
        for at, key in enumerate((options, "**Answer:** Ebro", options, f"**Answer:** {LONG}"), 1)
    )
    items = read(text.replace("number 1", "number"))
    assert [item.kind for item in items] == [
        "single_choice",
        "short_text",
        "single_choice",
        "essay",
    ]
    assert list_options(items[0]) == list_options(items[2]) == [("Here", False), ("There", True)]
    assert {item.status for item in items} == {ImportStatus.IMPORTED}


@pytest.mark.parametrize("count", COUNTS)
def test_short_marks_above_boxes_are_questions_of_their_own(count):
    asks = "".join(
        f"{at}. **Q: Can it, number {at}?**\n   - **A**: {LONG}\n\n" for at in range(1, count + 1)
    )
    boxes = "## Check\n\n1. **Which?**\n   - [ ] a) one\n   - [x] b) two\n"
    items = read(f"## Words\n\n{asks}{boxes}")
    assert [item.kind for item in items] == ["essay"] * count + ["single_choice"]
    assert get_text(items[0]) == "Can it, number 1?"
    assert get_text(items[0], "explanation") == LONG


def test_prose_about_answers_is_no_quiz():
    text = "# Notes\n\nThe answer is blue.\n\n## Answer\n\nIt is so.\n"
    with pytest.raises(Exception, match="format_unknown"):
        read(text)


@pytest.mark.parametrize(
    ("asks", "word", "is_true"),
    [
        ("True or False: water is wet.", "**True** — it is so.", True),
        ("Water is dry. (True/False)", "False. It is so.", False),
        ("Verdadero o falso: el agua es seca.", "**Falso**, it is so.", False),
        ("Richtig oder falsch: Wasser ist nass.", "Richtig - it is so.", True),
    ],
)
def test_a_statement_keeps_the_reason_of_its_key(asks, word, is_true):
    for item in read(
        write(3, "{0}. ", f"<details>\n<summary>Answer</summary>\n\n{word}\n</details>", asks)
    ):
        assert item.kind == "true_false"
        assert [right for _, right in list_options(item)] == [is_true, not is_true]
        assert get_text(item, "explanation").lower() == "it is so."


def test_true_behind_other_words_is_no_key_of_a_statement():
    items = read(write(2, "{0}. ", "**Answer:** True love waits for all of us.", "What is told?"))
    assert {item.kind for item in items} == {"essay"}


BOXED = "<details>\n<summary>{0}</summary>\n\n{1}\n\n*Reason:* it is so.\n</details>"


@pytest.mark.parametrize("title", ["Show answer", "Answer", "Ver respuesta", "Lösung"])
@pytest.mark.parametrize("key", ["**B) There.**", "B", "**B**", "**B) There** — of course."])
def test_options_and_words_have_their_keys_in_boxes_alike(key, title):
    listed = f"- A) Here\n- B) There\n\n{BOXED.format(title, key)}"
    for label in ("**{0}.** ", "### Question {0}\n\n", "{0}. "):
        text = "\n---\n\n".join(
            write(1, label.replace("{0}", str(at)), each)
            for at, each in enumerate((BOXED.format(title, LONG), listed) * 2, start=1)
        )
        items = read(text)
        assert [item.kind for item in items] == ["essay", "single_choice"] * 2
        assert (
            list_options(items[1]) == list_options(items[3]) == [("Here", False), ("There", True)]
        )
        assert {item.status for item in items} == {ImportStatus.IMPORTED}
        assert "it is so" in get_text(items[1], "explanation")
        assert get_text(items[1], "explanation").count("**") % 2 == 0
