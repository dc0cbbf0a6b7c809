"""What stands behind right options alone would show a learner the key."""

import pytest

from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_options

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}


def read(*questions: str) -> tuple[SourceItem, ...]:
    return parse_upload("\n".join(questions).encode(), "quiz.md", language="en").items


def write(right: str, wrong: str = "Volga") -> str:
    return f"### Which river is in Africa?\n\n- [ ] Duero\n- [x] {right}\n- [ ] {wrong}\n"


def list_texts(item: SourceItem) -> list[str]:
    return [text for text, _ in list_options(item)]


@pytest.mark.parametrize("tail", ["(*)", "*(Nepravdepodobne)*", "**(to'g'ri)**", "[key]", "(ok)"])
def test_what_ends_the_right_options_of_most_questions_alone_is_dropped(tail):
    items = read(write(f"Nile {tail}"), write(f"B) Congo {tail}"), write("Niger"))
    assert [list_texts(item)[1] for item in items] == ["Nile", "B) Congo", "Niger"]
    assert all(item.status in CLEAN and not item.remainder for item in items)


def test_what_several_right_options_of_a_question_share_is_dropped_from_each():
    question = "### Which are long?\n\n- [x] Nile (*)\n- [x] Congo (*)\n- [ ] Tinto\n"
    items = read(question, question)
    assert [list_texts(item) for item in items] == [["Nile", "Congo", "Tinto"]] * 2


@pytest.mark.parametrize(
    "questions",
    [
        [write("Nile (Egypt)"), write("Congo")],
        [write("Nile (Egypt)"), write("Congo (Zaire)")],
        [write("Nile (long)"), write("Congo (long)", wrong="Volga (long)")],
        [write("Nile (long)"), write("Congo (long)"), *[write("Niger")] * 3],
    ],
)
def test_remarks_of_an_author_stay(questions):
    items = read(*questions)
    assert list_texts(items[0])[1].endswith(")")


@pytest.mark.parametrize("key", ["b) Nile.**", "b) Nile**", "B. Nile:**"])
def test_the_text_of_the_option_in_a_bold_key_is_no_explanation(key):
    options = "   a) Duero   b) Nile   c) Volga\n"
    text = f"1. **Which one is in Africa?**\n{options}   **Answer: {key} It flows to the north.\n"
    (item, _) = read(text, text.replace("1.", "2."))
    assert get_text(item, "explanation") == "It flows to the north."


@pytest.mark.parametrize(
    ("mark", "label"), [("**", ""), ("**", "B) "), ("__", ""), ("==", ""), ("==", "B) ")]
)
def test_marks_around_the_right_options_alone_are_dropped(mark, label):
    right = f"{mark}{label}Nile{mark}"
    labels = ["A) ", "C) "] if label else ["", ""]
    text = f"### Which is long?\n\n- [ ] {labels[0]}Tinto\n- [x] {right}\n- [ ] {labels[1]}Odra\n"
    (item,) = read(text)
    assert list_options(item) == [("Tinto", False), ("Nile", True), ("Odra", False)]
    assert item.status in CLEAN


def test_bold_that_wrong_options_have_too_stays():
    text = "### Which is long?\n\n- [ ] **Tinto**\n- [x] **Nile**\n- [ ] Odra\n"
    (item,) = read(text)
    assert list_texts(item) == ["**Tinto**", "**Nile**", "Odra"]
    (item,) = read("### Which is long?\n\n- [ ] Tinto\n- [x] the **Nile**\n- [ ] Odra\n")
    assert list_texts(item)[1] == "the **Nile**"
