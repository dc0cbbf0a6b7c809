"""Keys on a page of solutions at the end, and chapters around questions: nothing in pieces."""

import pytest

from quizzes.formats.contract import ImportStatus
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import get_text, list_options

PROMPTS = ("Which river is the longest in Spain?", "Where does the Danube end?")
OPTIONS = (("Duero", "Tajo", "Ebro"), ("In the Black Sea", "In the Baltic"))
RIGHT = (1, 0)
QUESTIONS = (
    "### Question 1\n{0}\n\nA) Duero\nB) Tajo\nC) Ebro\n\n"
    "### Question 2\n{1}\n\nA) In the Black Sea\nB) In the Baltic\n\n"
)

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}

SHAPES = {
    "solutions below headings": QUESTIONS
    + "## Answers and explanations\n\n### Question 1\n**Answer: B**\n\nIt is long:\n\n1. in Spain\n"
    "2. in Portugal\n\n```bash\n# 2. no label\n```\n\n- **A) Duero** is shorter\n"
    "- **C) Ebro** too\n\n"
    "---\n\n### Question 2\n**Answer: A**\n\nIt does.\n",
    "solutions that repeat the question": QUESTIONS
    + "## Solutions\n\n### Question 1: {0}\n**Correct answer: B) Tajo**\n\nIt is.\n\n"
    "### Question 2: {1}\n**Correct answer: A) In the Black Sea**\n\nIt does.\n",
    "bold labels in Spanish": (
        "**Pregunta 1**\n\n{0}\n\n**A)** Duero\n\n**B)** Tajo\n\n**C)** Ebro\n\n"
        "**Pregunta 2 (caso práctico)**\n\n{1}\n\n**A)** In the Black Sea\n\n"
        "**B)** In the Baltic\n\n"
        "**✅ Respuestas y justificación**\n\n**Pregunta 1**\n\n✅ **Respuesta correcta: B**\n\n"
        "**Justificación**\n\nPorque:\n\n- `es` largo\n\n**Pregunta 2**\n\n"
        "✅ **Respuesta correcta: A**\n\nPorque sí.\n"
    ),
    "a table of keys, then reasons": QUESTIONS
    + "# Answer Key\n\n| Question | Answer |\n|---|---|\n| 1 | B |\n| 2 | A |\n\n---\n\n"
    "# Explanations for Selected Questions\n\n### Question 1\n\n**Correct Answer:** B (`Tajo`)\n\n"
    "It is.\n\n### Question 2\n\n**Correct Answer:** A\n\nIt does.\n",
    "French": (
        "## Question 5\n\n{0}\n\n**Alternatives** :  \nA. Duero  \nB. Tajo  \nC. Ebro  \n\n"
        "**Solution** :  \n✅ **Réponse correcte : B. Tajo**  \n*Justification* : il l'est.  \n\n"
        "## Question 6\n\n{1}\n\n**Alternatives** :  \nA. In the Black Sea  \n"
        "B. In the Baltic  \n\n"
        "**Solution** :  \n✅ **Réponse correcte : A. In the Black Sea**  \n"
    ),
    "an arrow of angles": (
        "Q1. {0}\n\t\n\t1. Duero\n\t2. Tajo\t<<<<<--CORRECT\n\t3. Ebro\n\n"
        "Q2. {1}\n\t\n\t1. In the Black Sea  <<<<<--CORRECT \n\t2. In the Baltic\n"
    ),
    "numbered chapters": (
        "## 9. Rivers\n\n**3. Lengths:**\n- In metres\n- In miles\n\n---\n\n## 10. Practice\n\n"
        "### Question 1\n{0}\nA) Duero\nB) Tajo\nC) Ebro\n\n<details>\n"
        "<summary>Show Answer</summary>\n"
        "Answer: **B** - it is.\n</details>\n\n---\n\n### Question 2\n{1}\nA) In the Black Sea\n"
        "B) In the Baltic\n\n<details>\n<summary>Show Answer</summary>\nAnswer: **A**\n</details>\n"
    ),
    "a chapter above boxes": (
        "## 6. Knowledge check\n\n### Quiz: rivers\n\n**Instructions**: Answer both.\n\n"
        "#### Question 1\n\n**{0}**\n\n- [ ] A) Duero\n- [x] B) Tajo\n- [ ] C) Ebro\n\n"
        "#### Question 2\n\n**{1}**\n\n- [x] A) In the Black Sea\n- [ ] B) In the Baltic\n\n"
        "## Connect With Us:\n\n- A link\n"
    ),
    "entries within a box of HTML": (
        "<details>\n<summary><b>Test</b></summary>\n<p>\n\n- Q. {0}\n  - [ ] Duero\n  - [x] Tajo\n"
        "  - [ ] Ebro\n\n- Q. {1}\n  - [X] In the Black Sea\n  - [ ] In the Baltic\n  </p>\n"
        "</details>\n\n## Connect With Us:\n\n- A link\n"
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_each_question_has_its_options_and_its_key(shape):
    parsed_file = parse_upload(SHAPES[shape].format(*PROMPTS).encode(), "quiz.md")

    statuses = [(item.status in CLEAN, item.remainder) for item in parsed_file.items]
    assert statuses == [(True, ())] * len(PROMPTS)
    for item, prompt, options, right in zip(
        parsed_file.items, PROMPTS, OPTIONS, RIGHT, strict=True
    ):
        texts, keys = zip(*list_options(item), strict=True)
        assert prompt in get_text(item)
        assert all(text.endswith(option) for text, option in zip(texts, options, strict=True))
        assert list(keys) == [place == right for place in range(len(options))]


def test_reasons_of_a_page_of_solutions_explain_their_question():
    parsed_file = parse_upload(
        SHAPES["solutions below headings"].format(*PROMPTS).encode(), "quiz.md"
    )

    explanation = get_text(parsed_file.items[0], "explanation")
    assert "in Portugal" in explanation
    assert "# 2. no label" in explanation


def test_keys_of_a_page_of_solutions_that_names_no_key_for_a_number_do_not_count():
    text = QUESTIONS.format(*PROMPTS) + (
        "## Solutions\n\n### Question 1\nLook at the map.\n\n### Question 2\n**Answer: A**\n"
    )
    parsed_file = parse_upload(text.encode(), "quiz.md")

    assert parsed_file.items[0].status is ImportStatus.REVIEW


CODE_OPTIONS = {
    "round boxes above listings": (
        "?: Which prints?\n\n( )\n```ruby\nputs 1\n```\n(X) the second\n( ) the third\n",
        ["```ruby\nputs 1\n```", "the second", "the third"],
        1,
    ),
    "boxes on one line": (
        "?: Which prints?\n\n( ) `a` ( )`b` (X) all of them\n\n?: Is it?\n\n( ) True (X) False\n",
        ["`a`", "`b`", "all of them"],
        2,
    ),
    "boxes above lists": (
        (
            "#### Q1. How do you copy it?\n\n- [ ] :\n\n1. Save it.\n2. Close it.\n\n- [x] :\n\n"
            "1. Open it.\n2. Export it.\n\n[reference](https://docs.example.org/)\n\n"
            "#### Q2. Which?\n\n- [x] this\n- [ ] that\n"
        ),
        [":\n\n1. Save it.\n2. Close it.", ":\n\n1. Open it.\n2. Export it."],
        1,
    ),
}


@pytest.mark.parametrize(("text", "options", "right"), CODE_OPTIONS.values(), ids=CODE_OPTIONS)
def test_what_stands_below_or_beside_a_box_is_its_text(text, options, right):
    item = parse_upload(text.encode(), "quiz.md").items[0]

    assert (item.status, item.remainder) == (ImportStatus.IMPORTED, ())
    assert list_options(item) == [(option, at == right) for at, option in enumerate(options)]


@pytest.mark.parametrize("again", ["- [x] Tajo", "- [ ] Duero\n- [x] Tajo\n- [ ] Ebro"])
def test_a_solution_that_repeats_options_with_ticks_is_the_key(again):
    question = "### Question {}\n\nWhich?\n\n- [ ] Duero\n- [ ] Tajo\n- [ ] Ebro\n\n"
    box = f"<details>\n\t<summary>Solución</summary>\n\n{again}\n</details>\n\n"
    text = "".join(question.format(number) + box for number in (1, 2))
    for item in parse_upload(text.encode(), "quiz.md").items:
        assert (item.status, item.remainder) == (ImportStatus.IMPORTED, ())
        assert list_options(item) == [("Duero", False), ("Tajo", True), ("Ebro", False)]


@pytest.mark.parametrize(
    ("box", "status"),
    [("- [x] B. Porque nace lejos.", ImportStatus.REPAIRED), ("- [x] Duoro", ImportStatus.REVIEW)],
)
def test_a_solution_repeats_letters_or_is_looked_at(box, status):
    text = (
        "### Question 1\n\nWhich?\n\n- [ ] A. Duero\n- [ ] B. Tajo\n\n"
        f"<details>\n<summary>Answer</summary>\n\n{box}\n\n</details>\n"
    )
    (item,) = parse_upload(text.encode(), "quiz.md").items

    assert item.status is status
    if status is ImportStatus.REPAIRED:
        assert list_options(item) == [("A. Duero", False), ("B. Tajo", True)]


def test_the_same_options_below_another_question_are_that_question():
    text = (
        "Is it long?\n- [ ] Yes, it is\n- [ ] No\n\n"
        "Explain: is it wide?\n- [x] Yes, it is\n- [ ] No\n"
    )
    items = parse_upload(text.encode(), "quiz.md").items

    assert [item.status for item in items] == [ImportStatus.REVIEW, ImportStatus.IMPORTED]


def test_a_label_with_the_kind_of_its_question_begins_one():
    text = (
        "**Q1 (QCM)**  \nWhich?\n- [ ] Duero\n- [x] Tajo\n\n---\n\n"
        "**Q2 (open)**  \nName two.\n\n---\n\n**Q3 (QCM)**  \nWhich else?\n- [x] Ebro\n- [ ] Sil\n"
    )
    items = parse_upload(text.encode(), "quiz.md").items

    assert [item.status for item in items] == [
        ImportStatus.IMPORTED,
        ImportStatus.REFUSED,
        ImportStatus.IMPORTED,
    ]
