"""Authors with a real mouse: however long a text is, the next press reaches its target."""

from typing import Any

import pytest
from django.core.management import call_command
from playwright.sync_api import Locator, Page, expect

from grading.kinds import KINDS
from quizzes.bank.models import Draft, Question
from quizzes.document import QuestionDocument
from tests.factories import create_bank, create_question, option_ids
from tests.journeys.mouse import drag, press, press_twice, write
from tools.paths import ROOT

pytestmark = pytest.mark.browser

FEEDBACK = "It reads the file before it is written: look at the order of both calls once more."
LISTING = "```python\n" + "\n".join(f"call({number})  # step {number}" for number in range(8))
FORMULA = r"$$" + " + ".join(rf"\frac{{x^{{{n}}}}}{{{n}!}}" for n in range(1, 30)) + "$$"
LINES = [f"Line {number} of the question." for number in range(60)]
TEXTS = {
    "14 lines, feedback of 80 characters": ("\n".join(LINES[:14]), FEEDBACK),
    "60 lines, feedback of 500 characters": ("\n".join(LINES), FEEDBACK * 6),
    "a listing": (f"What does this print?\n\n{LISTING}\n```\n", f"{LISTING}\n```"),
    "a wide formula": (f"What is the sum?\n\n{FORMULA}\n\nChoose one.", FORMULA),
}
EVERY_KIND = ROOT / "fixtures" / "banks" / "every-kind-once.yaml"


@pytest.fixture
def into(transactional_db, users):
    return create_bank(users)


def field(page: Page, name: str) -> Locator:
    return page.locator(f"[name='{name}']")


def send(page: Page, button: str) -> None:
    """Press a button of the bar with the mouse, and wait for the page that answers."""
    with page.expect_navigation():
        press(page.locator(f".actions button[name={button}]"))


def draft(name: str) -> QuestionDocument:
    return QuestionDocument.from_json(Draft.objects.get(question__name=name).data)


def begin(page: Page, kind: str) -> None:
    page.goto(f"/admin/bank/question/add/?kind={kind}")
    field(page, "q-bank").select_option("bank")
    write(field(page, "q-name"), "new")


def open_tables(page: Page) -> None:
    """Open the tables that are seldom used."""
    for table in page.locator("details.rowset").all():
        if table.get_attribute("open") is None:
            press(table.locator("summary"))


def write_everywhere(page: Page, text: str) -> dict[str, str]:
    """Put a text before what each box holds; return the texts by the names of the boxes."""
    texts: dict[str, str] = {}
    for box in page.locator(".authoring textarea:visible").all():
        name = box.get_attribute("name") or ""
        if "reading_link" in name:  # an address, not words
            continue
        texts[name] = f"{text}\n{box.input_value()}".strip()
        write(box, texts[name])
    return texts


def expect_texts(page: Page, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        expect(field(page, name)).to_have_value(text)


@pytest.mark.parametrize("texts", TEXTS)
def test_a_choice_is_written_with_the_mouse_and_published(visit, users, into, texts):
    prompt, feedback = TEXTS[texts]
    page = visit(users.instructor)
    begin(page, "single_choice")
    write(field(page, "q-words_prompt_en"), prompt)
    press(field(page, "options-0-field_right"))
    for number, text in enumerate(("this", "that")):
        write(field(page, f"options-{number}-words_options_en"), text)
        write(field(page, f"options-{number}-feedback_options_en"), feedback)
    press(page.locator("[data-add]").first)
    write(field(page, "options-2-words_options_en"), "another")
    write(field(page, "options-2-feedback_options_en"), feedback)
    send(page, "_publish")
    question = Question.objects.get(name="new")
    assert question.current is not None
    written = draft("new")
    assert written.words["en"]["prompt"] == prompt
    assert list(written.feedback["en"]["options"].values()) == [feedback] * 3
    assert written.key == {"right": option_ids(question, "a")}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_begun_with_the_mouse_and_saved_as_a_draft(visit, users, into, kind):
    page = visit(users.instructor)
    begin(page, kind)
    for add in page.locator("[data-add]:visible").all():
        press(add)
    texts = write_everywhere(page, FEEDBACK)
    send(page, "_save")
    assert page.url.endswith(f"/{Question.objects.get(name='new').pk}/change/")
    written = draft("new")
    assert written.kind == kind
    assert written.words["en"]["prompt"] == FEEDBACK
    expect_texts(page, {name: text for name, text in texts.items() if name.startswith("q-")})
    for texts_by_language in (written.words, written.feedback):
        for parts in texts_by_language.values():
            rows = [rows for rows in parts.values() if not isinstance(rows, str)]
            assert all(text.startswith(FEEDBACK) for row in rows for text in row.values())


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_changed_with_the_mouse_and_published(visit, users, into, kind):
    call_command("load_bank", str(EVERY_KIND), group=users.group.name)
    question = Question.objects.get(current__kind=kind)
    page = visit(users.instructor)
    page.goto(f"/admin/bank/question/{question.pk}/change/")
    open_tables(page)
    texts = write_everywhere(page, FEEDBACK * 6)
    for tick in page.locator(".authoring .question-rows .tick input:visible").all():
        before = tick.is_checked()
        press(tick)
        assert tick.is_checked() is not before
        press(tick)
    send(page, "_publish")
    expect_texts(page, texts)
    question.refresh_from_db()
    assert question.current is not None
    assert question.current.number == 2


def test_a_row_that_was_just_named_can_be_ticked_in_another_table(visit, users, into):
    question = create_question(into, "many")
    page = visit(users.instructor)
    page.goto(f"/admin/bank/question/{question.pk}/change/")
    open_tables(page)
    table = page.locator("[data-table=combination_feedback]")
    press(table.locator("[data-add]"))
    ticks = table.locator("[data-row]:visible .several input")
    write(field(page, "options-0-words_options_en"), f"first: {FEEDBACK}")
    press(ticks.first)
    expect(ticks.first).to_be_checked()
    expect(ticks.first).to_be_focused()
    write(field(page, "options-1-words_options_en"), f"second: {FEEDBACK}")
    press(ticks.nth(1))
    write(table.locator("[data-row]:visible textarea").first, FEEDBACK)
    send(page, "_save")
    combinations: Any = draft("many").key["combination_feedback"]
    assert [row["chosen"] for row in combinations] == [option_ids(question, "a", "b")]


def test_enter_in_a_field_saves_the_draft_and_publishes_nothing(visit, users, into):
    question = create_question(into, "many")
    page = visit(users.instructor)
    page.goto(f"/admin/bank/question/{question.pk}/change/")
    for name, value in (("q-tags", "one, two"), ("q-note", "why")):
        write(field(page, name), value)
        with page.expect_navigation():
            page.keyboard.press("Enter")
        assert sorted(question.tags.values_list("name", flat=True)) == ["one", "two"]
        expect(page.get_by_text("The draft is saved.")).to_be_visible()
    assert question.versions.count() == 1


def test_a_double_click_saves_a_new_question_once(visit, users, into):
    page = visit(users.instructor)
    begin(page, "essay")
    write(field(page, "q-words_prompt_en"), FEEDBACK)
    press_twice(page.locator(".actions button[name=_save]"))
    expect(page.get_by_text("The draft is saved.")).to_be_visible()
    assert Question.objects.count() == 1


def test_a_row_is_dragged_over_long_ones_to_its_place(visit, users, into):
    question = create_question(into, "many")
    page = visit(users.instructor)
    page.goto(f"/admin/bank/question/{question.pk}/change/")
    for number in range(4):
        write(field(page, f"options-{number}-feedback_options_en"), FEEDBACK * (1 + number))
    handles = page.locator("[data-table=options] [data-handle]")
    drag(handles.nth(1), handles.first)
    keys = page.locator("[data-table=options] [data-name]")
    expect(keys).to_have_text(["b", "a", "c", "d"])
    send(page, "_save")
    expect(keys).to_have_text(["b", "a", "c", "d"])
    options: Any = draft("many").content["options"]
    assert [row["id"] for row in options] == option_ids(question, *"bacd")
