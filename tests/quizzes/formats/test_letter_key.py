"""A line that names a letter tells what is right; one that names none tells nothing."""

import pytest

from quizzes.formats import letter_key
from tests.quizzes.formats.text_items import (
    CORPORA,
    FIXTURES,
    assert_fast,
    get_text,
    list_codes,
    list_options,
    list_texts,
    with_corpora,
)


class TestQuirks:
    quirks = letter_key.read((FIXTURES / "letter_key" / "quirks.txt").read_bytes())

    def test_every_item_has_its_verdict(self):
        outcomes = [(item.status.value, list_codes(item)) for item in self.quirks.items]
        assert outcomes == [
            ("imported", []),
            ("imported", []),
            ("imported", []),
            ("needs_review", ["key_unknown"]),
            ("needs_review", ["letter_unknown", "key_unknown"]),
            ("needs_review", ["letter_twice", "key_unknown"]),
            ("refused", ["options_missing"]),
        ]
        assert [ignored_line.line for ignored_line in self.quirks.ignored_lines] == [1]

    def test_options_keep_their_lines_and_the_rest_explains(self):
        first = self.quirks.items[0]
        assert list_options(first)[1] == ("The Nile\n   of Egypt", True)
        assert get_text(first) == "Which river is longest?"
        assert get_text(first, "explanation") == "It is in the atlas."

    def test_options_on_one_line_are_parted(self):
        second = self.quirks.items[1]
        assert second.kind == "multiple_choice"
        assert list_options(second) == [("ice", True), ("steam", True), ("sand", False)]

    def test_listings_are_no_questions_and_wrappers_go(self):
        third = self.quirks.items[2]
        assert list_options(third) == [("`1`", True), ("`2`", False)]
        assert get_text(third).endswith("A) not an option\n```")
        assert get_text(third, "explanation") == "Because."

    def test_without_a_known_letter_nothing_is_right(self):
        assert not any(right for item in self.quirks.items[3:6] for _, right in list_options(item))


WORDS = ["Respuesta: B", "Resposta: B", "Réponse : B", "**Antwort: B**", "Answer: (b)"]


@pytest.mark.parametrize("answer", WORDS)
def test_answers_are_named_in_five_languages(answer):
    item = letter_key.read(f"1. Q?\nA) x\nB) y\n{answer}\n".encode(), language="en").items[0]
    assert list_options(item) == [("x", False), ("y", True)]


def test_an_unknown_language_is_told_and_nothing_is_nothing():
    assert letter_key.read(b"1. 3?").ignored_lines[0].code == "language_unknown"
    assert letter_key.read(b"").items == ()


@pytest.mark.parametrize(
    ("text", "claimed"),
    [("A) x\nB) y\nAnswer: B", True), ("A) x\nB) y", False), ("Answer: B", False)],
)
def test_a_file_is_claimed_by_options_and_an_answer(text, claimed):
    assert letter_key.detect(text.encode(), "a.txt") is claimed
    assert not letter_key.detect(text.encode(), "a.csv")


@pytest.mark.parametrize(
    "text", ["1. Q\n" + "A) x\n" * 50_000, "1. Q\nA) " + "B) x " * 200_000, "<p>" * 500_000]
)
def test_large_files_are_read_in_seconds(text):
    assert_fast(letter_key.read, text, 5)


@with_corpora
def test_the_corpus_has_two_questions_with_their_keys():
    items = letter_key.read(next((CORPORA / "letter-key").rglob("*.md")).read_bytes()).items
    assert [[right for _, right in list_options(item)] for item in items] == [
        [True, False, False],
        [False, True],
    ]


HEADED = """#### Q1. What is the output of this code?

```py
1. print
```

A. one

```
deep
```

B. two

Answer: B

For two reasons:

1. One
2. Two

## Question 2
What is this?

A) x
B) y

**Answer:** A

**Question 3: Which?**
A) x
B) y

Answer: B

4. Which now?
A) x
B) y

Answer: B
"""


def test_labels_and_headings_begin_questions_and_lists_of_reasons_none():
    items = letter_key.read(HEADED.encode(), language="en").items
    assert [get_text(item).split("\n")[0] for item in items] == [
        "What is the output of this code?",
        "What is this?",
        "Which?",
        "Which now?",
    ]
    assert list_texts(items[0].question)[:2] == [
        "What is the output of this code?\n\n```py\n1. print\n```",
        "For two reasons:\n\n1. One\n2. Two",
    ]
    assert list_options(items[0]) == [("one\n\n```\ndeep\n```", False), ("two", True)]
    assert [[right for _, right in list_options(item)] for item in items[1:]] == [
        [True, False],
        [False, True],
        [False, True],
    ]
