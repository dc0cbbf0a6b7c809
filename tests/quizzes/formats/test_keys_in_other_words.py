"""Keys as pages of several languages write them: below options, in folded boxes, at the end."""

import pytest

from quizzes.formats.contract import ImportStatus, ParsedFile
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_options

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}
OPTIONS = "- A. Duero\n- B. Nilo\n- C. Volga\n"


def read(text: str) -> ParsedFile:
    return parse_upload(text.encode(), "quiz.md", language="en")


def list_right(parsed_file: ParsedFile) -> list[list[str]]:
    """Return the right options of each question."""
    return [
        [text for text, is_right in list_options(item) if is_right] for item in parsed_file.items
    ]


@pytest.mark.parametrize(
    "key",
    [
        "- *(Gợi ý đáp án: **B**. Nó chảy về phía bắc.)*",
        "*(Gợi ý đáp án: B)*",
        "- *(Answer: **B**. It flows to the north.)*",
        "- (Respuesta correcta: B)",
        "**答案：B。** 因为它在非洲。",
        "答案：B，因为它在非洲。",
        "**正解：B。**",
    ],
)
def test_a_key_in_brackets_or_before_a_wide_sign(key):
    text = f"#### Question 1: Which river is in Africa?\n{OPTIONS}{key}\n"
    (item,) = read(text).items
    assert item.status in CLEAN
    assert list_options(item) == [("Duero", False), ("Nilo", True), ("Volga", False)]
    assert get_text(item, "explanation").count("(") == get_text(item, "explanation").count(")")


def test_boxes_below_the_folded_key_of_boxes_with_letters_are_not_of_them():
    text = (
        "### 3. Rivers\n\n**Which one is in Africa?**\n\n- [ ] A. Duero\n- [ ] B. Nile\n"
        "\n<details>\n<summary>See the solution</summary>\n\n**答案：B。** It is.\n\n</details>\n\n"
        "- [ ] I can name three rivers.\n- [ ] I can draw one.\n"
    )
    (item,) = read(text).items
    assert item.status in CLEAN
    assert list_options(item) == [("Duero", False), ("Nile", True)]


@pytest.mark.parametrize(
    ("title", "word"),
    [
        ("Risposte alle domande", "Risposta corretta"),
        ("Risposte", "Risposta"),
        ("Soluzioni dei quiz", "Risposta esatta"),
        ("Answers to the questions", "Correct answer"),
        ("Réponses aux questions", "Réponse correcte"),
        ("Antworten auf die Fragen", "Richtige Antwort"),
    ],
)
@pytest.mark.parametrize("key", ["**{word}: {letter})** It is so.", "{word}: {letter}. It is so."])
def test_keys_at_the_end_with_their_word_beside_each_number(title, word, key):
    options = "    a) Duero\n    b) Nile\n    c) Volga\n\n"
    questions = "".join(f"{at}. **Which one is number {at}?**  \n{options}" for at in (1, 2, 3))
    keys = "".join(
        f"{at}. {key.format(word=word, letter=letter)}\n" for at, letter in enumerate("bca", 1)
    )
    rest = "### Exercises\n- **Exercise 1**: Draw one.\n"
    parsed_file = read(f"### Rivers\n\n{questions}### {title}\n{keys}\n{rest}")
    assert list_right(parsed_file) == [["Nile"], ["Volga"], ["Duero"]]
    assert [item.status in CLEAN for item in parsed_file.items] == [True] * 3
    assert get_text(parsed_file.items[0], "explanation") == "It is so."


@pytest.mark.parametrize(
    "title", ["<b>Click to see the answer key & the notes of the tour</b>", "Key with a long title"]
)
def test_the_title_of_the_box_of_a_key_is_accounted_for(title):
    text = (
        "Which river is in Africa?\n\nA. Duero\nB. Nile\nC. Volga\n\n"
        f"<details>\n<summary>{title}</summary>\n\n**Answer: B (the Nile)**\n\n"
        "**Why (in short):**\nIt is.\n</details>\n"
    )
    (item,) = read(text).items
    assert (item.remainder, item.status in CLEAN) == ((), True)


@pytest.mark.parametrize("sign", ["·", "•", "|", "—", "/"])
@pytest.mark.parametrize(
    "key",
    ["> **Réponse : B —** il coule vers le nord.", "**Réponse : B —** il coule vers le nord."],
)
def test_signs_between_options_that_share_a_line_are_no_part_of_them(sign, key):
    options = f" {sign} ".join(["A. Duero", "B. Nil", "C. Volga"])
    text = "".join(f"**Q{at}.** Quel fleuve coule ?\n{options}\n{key}\n\n" for at in (1, 2))
    parsed_file = read(f"## QCM\n\n{text}")
    assert [list_options(item) for item in parsed_file.items] == [
        [("Duero", False), ("Nil", True), ("Volga", False)]
    ] * 2
    assert [item.status in CLEAN for item in parsed_file.items] == [True, True]
    assert get_text(parsed_file.items[0], "explanation").strip("> ") == "il coule vers le nord."


def test_a_list_of_tasks_above_lettered_questions_is_none_of_them():
    tasks = "## Checklist\n\n- [ ] Draw a map.\n- [ ] Name a river.\n\n"
    questions = "".join(
        f"**Q{at}.** Which one is long?\n{OPTIONS}> **Answer: B**\n\n" for at in (1, 2)
    )
    parsed_file = read(tasks + questions)
    assert list_right(parsed_file) == [["Nilo"], ["Nilo"]]


@pytest.mark.parametrize("sign", [")", "."])
@pytest.mark.parametrize(
    "heads", ["## {}. About rivers", "## {}. About rivers\n\n1. Long\n2. Wide"]
)
@pytest.mark.parametrize("is_below", [True, False])
def test_options_may_share_the_line_of_their_numbered_question(sign, heads, is_below):
    chapters = "".join(f"{heads.format(at)}\n\nThe Nile is long.\n\n" for at in (1, 2))
    below = ["\n**Answer: b**\n\n" if is_below else "  \n"] * 3
    pages = "".join(
        f"{at}. River {at} is: a{sign} Duero b{sign} Nile c{sign} Volga{key}"
        for at, key in enumerate(below, 1)
    )
    keys = "" if is_below else "\n**Answers:** 1-b, 2-b, 3-b\n"
    items = read(f"# Rivers\n\n{chapters}## 3. Questions\n\n{pages}{keys}").items
    assert [(get_text(item), list_options(item)) for item in items] == [
        (f"River {at} is:", [("Duero", False), ("Nile", True), ("Volga", False)])
        for at in (1, 2, 3)
    ]
    assert [item.status in CLEAN for item in items] == [True] * 3


def test_steps_whose_parts_share_a_line_are_no_questions():
    text = "1. Prepare: a) read b) draw\n2. Build: a) cut b) glue\n\nWhich is long?\n"
    items = read(f"{text}\nA. Duero\nB. Nile\n\nAnswer: B\n").items
    rights = [[is_right for _, is_right in list_options(item)] for item in items]
    assert rights == [[False, True]]


@pytest.mark.parametrize("title", ["**Puntaje:**", "**Scoring**", "__Score guide:__"])
def test_a_list_of_what_a_score_means_holds_no_keys(title):
    options = "\n\na) Duero\nb) Nile\nc) Volga\n\n---\n\n"
    pages = "".join(f"### {at}. Which one is number {at}?{options}" for at in (1, 2, 3))
    keys = "".join(f"{at}. **{letter})** It is\n" for at, letter in enumerate("bca", 1))
    scale = f"{title}\n- 3-4 right: fine\n- 1-2 right: read it again\n"
    rest = "## Exercise\n\nDraw a map.\n"
    box = f"<details>\n<summary>See the answers</summary>\n\n{keys}\n{scale}\n</details>\n"
    parsed_file = read(f"{pages}## Answers\n\n{box}\n---\n\n{rest}")
    assert list_right(parsed_file) == [["Nile"], ["Volga"], ["Duero"]]
    assert [item.status in CLEAN for item in parsed_file.items] == [True] * 3
    assert [get_text(item, "explanation") for item in parsed_file.items] == ["It is"] * 3


@pytest.mark.parametrize("label", ["**Q{}:**", "Q{}."])
def test_the_letter_a_with_a_colon_answers_a_numbered_question(label):
    options = "- A) Duero\n- B) Nile\n- C) Volga\n**A:** B\n\n"
    pages = "".join(f"{label.format(at)} Which is long?\n{options}" for at in (1, 2))
    parsed_file = read(f"# Rivers\n\n{pages}{label.format(3)} Which is wide?\n**A:** Amazon\n")
    assert [item.status in CLEAN for item in parsed_file.items] == [True] * 3
    assert [list_options(item)[1] for item in parsed_file.items[:2]] == [("Nile", True)] * 2


def test_a_question_that_repeats_its_boxes_on_one_line_very_often_is_no_fault():
    (item,) = read(
        f"1. Which is long?{'   [ ] A) Nile' * 5_000}\n\n- [x] Nile\n- [ ] Volga\n"
    ).items
    assert "fault" not in {note.code for note in item.notes}
