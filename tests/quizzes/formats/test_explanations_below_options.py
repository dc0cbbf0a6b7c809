"""What explains an answer below its options: no text of an option, and none of the next prompt."""

import pytest

from quizzes.formats import checklist
from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import (
    assert_fast,
    get_text,
    list_codes,
    list_options,
    list_options_with_feedback,
)

RIVERS = [("Ebro", False), ("Duero", False), ("Tajo", True)]
CITIES = [("Vigo", False), ("Madrid", True)]
LISTS = {
    "boxes": ("- [ ] Ebro\n- [ ] Duero\n- [x] Tajo\n", "- [ ] Vigo\n- [x] Madrid\n"),
    "ticks": ("- Ebro\n- Duero\n- Tajo ✅\n", "- Vigo\n- Madrid ✅\n"),
    "bold": ("- Ebro\n- Duero\n- **Tajo**\n", "- Vigo\n- **Madrid**\n"),
    "letters": ("A) Ebro\nB) Duero\nC) Tajo\nAnswer: C\n", "A) Vigo\nB) Madrid\nAnswer: B\n"),
}


def read(text: str) -> tuple[SourceItem, ...]:
    return parse_upload(text.encode(), "quiz.md", language="en").items


def read_both(options: str, explanation: str, *, number: bool) -> tuple[SourceItem, ...]:
    first, second = LISTS[options]
    prompts = ["1. Which river?", "2. Which city?"] if number else ["Which river?", "Which city?"]
    return read(
        f"{prompts[0]}\n{first}{explanation.format('It has 1,007 km.')}\n\n"
        f"{prompts[1]}\n{second}{explanation.format('It has three airports.')}\n"
    )


def check_both(items: tuple[SourceItem, ...]) -> None:
    assert [list_options(item) for item in items] == [RIVERS, CITIES]
    assert [get_text(item) for item in items] == ["Which river?", "Which city?"]
    assert "It has 1,007 km." in get_text(items[0], "explanation")
    assert "It has three airports." in get_text(items[1], "explanation")
    assert {item.status for item in items} <= {ImportStatus.IMPORTED, ImportStatus.REPAIRED}


@pytest.mark.parametrize("number", [True, False])
@pytest.mark.parametrize("options", LISTS)
@pytest.mark.parametrize(
    "explanation",
    [
        "  **Reasoning:** {}",
        "    **Explanation**: {}",
        "  *Rationale:* {}",
        "  _Why:_ {}",
        "  Reason: {}",
        "  - **Reasoning:** {}",
        "  > **Begründung:** {}",
        "\n  *Explicación:* {}",
        "\n    Justification: {}",
        "\n*Explanation:* {}",
        "\n_Reasoning:_ {}",
        "\nReasoning: {}",
        "- **Reasoning:** {}",
        "**Erklärung.** {}",
        "**Explanation** {}",
        "Explanation - {}",
        "💡 Discussion: {}",
        "(Explicación: {})",
        "**Why?** {}",
        "Why this is right: {}",
        "Explanation of the answer: {}",
        "**Reasoning:**\n\n{}",
        "### Reasoning\n\n{}",
        "\n### Discussion\n\n{}",
        "\n<details>\n<summary>Explanation</summary>\n\n{}\n\nMore of it.\n\n</details>",
    ],
)
def test_words_below_the_last_option_explain_the_answer(options, explanation, number):
    check_both(read_both(options, explanation, number=number))


@pytest.mark.parametrize("number", [True, False])
@pytest.mark.parametrize("options", LISTS)
def test_a_reason_goes_on_in_the_next_paragraph(options, number):
    items = read_both(options, "\n**Reasoning:** {}\n\nMaps show it, too.", number=number)
    check_both(items)
    explanations = [get_text(item, "explanation") for item in items]
    assert all(text.endswith("\n\nMaps show it, too.") for text in explanations)


def test_a_reason_goes_on_up_to_a_rule():
    boxes = LISTS["boxes"]
    items = read(
        f"See the map.\n\nWhich river?\n\n{boxes[0]}\nReason: It is long.\n\nMaps show it.\n\n"
        f"---\n\nA state has one.\n\nWhich city?\n\n{boxes[1]}"
    )
    assert get_text(items[0], "explanation") == "Reason: It is long.\n\nMaps show it."
    assert get_text(items[1]) == "A state has one.\n\nWhich city?"


@pytest.mark.parametrize("prompt", ["Which city?", "Choose the capital."])
def test_a_paragraph_that_may_explain_or_ask_is_for_a_person(prompt):
    boxes = LISTS["boxes"]
    items = read(
        f"See the map.\n\nWhich river?\n\n{boxes[0]}\nReason: It is long.\n\nMaps show it.\n\n"
        f"{prompt}\n\n{boxes[1]}"
    )
    assert [list_codes(item) for item in items] == [[], ["explanation_or_prompt"]]
    assert items[1].status is ImportStatus.REVIEW


def test_a_paragraph_that_leads_up_to_a_listing_is_of_the_prompt():
    boxes = LISTS["boxes"]
    items = read(
        f"Which river?\n\n{boxes[0]}\nReason: It is long.\n\nSee this.\n\n```\nx = 1\n```\n\n"
        f"Which city?\n\n{boxes[1]}"
    )
    assert get_text(items[1]) == "See this.\n\n```\nx = 1\n```\n\nWhich city?"
    assert get_text(items[0], "explanation") == "Reason: It is long."


def test_words_below_several_options_are_the_feedback_of_each():
    (item,) = read(
        "Which river?\n- [ ] Ebro\n  **Explanation:** No.\n- [x] Tajo\n  *Why:* It is long.\n\n"
        "      x = 1\n"
    )
    assert list_options_with_feedback(item) == [
        ("Ebro", False, "**Explanation:** No."),
        ("Tajo", True, "*Why:* It is long.\n\n    x = 1"),
    ]
    assert get_text(item, "explanation") == ""


def test_words_below_the_only_right_option_explain_the_answer():
    (item,) = read("Which river?\n- [x] Tajo\n  Reason: It is long.\n- [ ] Ebro\n")
    assert list_options(item) == [("Tajo", True), ("Ebro", False)]
    assert get_text(item, "explanation") == "Reason: It is long."


def test_a_line_with_a_reason_among_boxes_is_for_a_person():
    (item,) = read("Which river?\n- [ ] Ebro\n- Reason: long\n- [x] Tajo\n")
    assert list_codes(item) == ["box_missing"]


@pytest.mark.parametrize(
    "piece",
    ["Reason: it is.\n\n", "Reason: it is.\n\n---\n\n", "<details>\n\nIt is.\n\n</details>\n\n"],
)
def test_many_reasons_are_read_in_a_time_that_grows_with_them(piece):
    question = "Which river?\n- [ ] Ebro\n- [x] Tajo\n\n"
    assert_fast(checklist.read, question + piece * 4000 + question, 2)
