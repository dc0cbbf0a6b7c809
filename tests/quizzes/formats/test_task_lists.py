"""Boxes that say what is done, under a title that does not ask: not imported unless a person asks.

Lists of questions without a question mark stay questions.
"""

import pytest

from quizzes.formats.contract import ImportStatus, SourceItem
from quizzes.imports.parse import parse_upload
from tests.quizzes.formats.text_items import list_codes, list_options

CLEAN = {ImportStatus.IMPORTED, ImportStatus.REPAIRED}


def read(text: str) -> tuple[SourceItem, ...]:
    return parse_upload(text.encode(), "page.md", language="en").items


@pytest.mark.parametrize(
    "page",
    [
        "# Plan\n\n- [x] Buy bread\n- [ ] Buy milk\n",
        "# Plan\n\n- [x] Buy bread\n- [x] Buy milk\n",
        "## Acceptance criteria:\n\n- [x] Tests pass\n- [x] Docs are written\n",
        "## Step status\n\n- [x] a) Schema\n- [x] b) Pages\n- [ ] c) Tests\n",
        "## Task 3: Write the reader\n\n- [x] Tests\n- [x] Code\n- [ ] Docs\n",
        "**Week 1**\n\n- [x] Read the manual\n- [x] Meet the team\n",
        "### Player\n- [x] Moves left\n- [x] Jumps\n### Door\n- [x] Opens\n- [ ] Shuts\n",
        "**State of our house now:**\n- [x] Roof\n- [ ] Door\n\n## Walls\n- [x] East\n- [x] West\n",
        (
            "## Improve the speed of all pages\n- [x] Measure\n- [ ] Cache\n\n"
            "## Repair the login of the application\n- [ ] Find out\n- [x] Mend\n"
        ),
        (
            "## Mejorar la velocidad de las páginas\n- [x] Medir\n- [ ] Guardar\n\n"
            "## Revisar el acceso de la aplicación\n- [ ] Buscar\n- [x] Arreglar\n"
        ),
        "State of the servers\n- (x) first\n- ( ) second\n- ( ) third\n",
        "## Status\n\n( ) open\n(x) in progress\n( ) done\n",
        "## Locks\n\n- ✅ a) Shared\n- ✅ b) Several\n- c) Ordered\n",
        "# Plan\n\n## Kitchen\n- [x] Bread\n- [ ] Milk\n\n## Garden\n- [ ] Grass\n- [x] Roses\n",
        "## Step 1: Buy all\n- [x] Bread\n- [ ] Milk\n\n## Step 2: Cut it\n- [x] Cut\n- [ ] Go\n",
        "1. Set-up\n   - [x] Install\n   - [x] Configure\n2. Run\n   - [x] Start\n   - [ ] Stop\n",
    ],
)
def test_a_list_of_tasks_is_for_a_person_and_not_imported_by_default(page):
    items = read(page)
    assert items
    for item in items:
        assert (item.status, item.is_damaged) == (ImportStatus.REVIEW, True)
        assert "task_list" in list_codes(item)


def test_a_list_of_tasks_beside_questions_is_for_a_person():
    question = "## {}\n\n- [ ] Tajo\n- [x] Ebro\n\n"
    page = "".join(question.format(ask) for ask in ("Which is longer?", "Which is wider?"))
    *questions, tasks = read(f"{page}## Before the next lesson\n\n- [x] Read it\n- [x] Run it\n")
    assert {question.status for question in questions} <= CLEAN
    assert list_codes(tasks) == ["task_list"]


@pytest.mark.parametrize("heading", ["## Rivers", "# Plan", "**Rivers**", "## x = 2"])
@pytest.mark.parametrize(
    "options",
    [
        "A) Ebro\nB) Tajo\n\nAnswer: B\n",
        "1. Ebro\n2. **Tajo**\n",
        "- Ebro\n- Tajo\n\n**Answer:** Tajo\n",
    ],
)
def test_options_with_a_key_in_words_are_no_tasks(heading, options):
    (item,) = read(f"{heading}\n\n{options}")
    assert item.status in CLEAN
    assert list_options(item) == [("Ebro", False), ("Tajo", True)]


@pytest.mark.parametrize(
    "page",
    [
        "## A long river is\n- [x] Tajo\n- [ ] Ebro\n\n## And wide is\n- [ ] Ebro\n- [x] Po\n",
        "## The Tajo is long\n- [x] True\n- [ ] False\n",
        "## Rivers of Spain, as far as they apply:\n- [x] Ebro\n- [x] Duero\n- [ ] Po\n",
        "## Select all that apply\n- [x] Ebro\n- [x] Duero\n",
        "## In Spain flows the ____\n- [x] Ebro\n- [ ] Po\n",
        "### Question 1\n\nRivers of Spain\n\n- [x] Ebro\n- [x] Duero\n- [ ] Po\n",
        "The Tajo flows into\n- [ ] the Ebro\n- [x] the sea\n",
    ],
)
def test_a_question_without_a_question_mark_stays_one(page):
    items = read(page)
    assert items
    assert {item.status for item in items} <= CLEAN


@pytest.mark.parametrize(
    "page",
    [
        "Status of water at 20 degrees?\n- (x) liquid\n- ( ) solid\n",
        "Which is it:\n- (x) liquid\n- ( ) solid\n",
        "The longest river\n- (x) Tajo\n- ( ) Ebro\n",
        (
            "## Longest river of the peninsula\n- [x] Tajo\n- [ ] Ebro\n\n"
            "## Highest peak of the peninsula\n- [ ] Aneto\n- [x] Mulhacén\n"
        ),
    ],
)
def test_boxes_of_one_choice_and_titles_that_name_no_work_are_questions(page):
    assert {item.status for item in read(page)} <= CLEAN
