"""One question at a time, as the quiz asks or its taker prefers: buttons, keys, map, swipe."""

import pytest
from playwright.sync_api import Page, expect

from tests.factories import create_bank, create_question, create_quiz
from tests.journeys.conftest import again, all_saved, look_over, start

pytestmark = pytest.mark.browser

PHONE = 360
"""CSS pixels."""

SWIPE = """([across, along]) => {
    const questions = document.querySelector(".questions");
    const touch = (x, y) => new Touch({ identifier: 1, target: questions, clientX: x, clientY: y });
    const at = [touch(200, 300)];
    questions.dispatchEvent(new TouchEvent("touchstart", { touches: at, changedTouches: at }));
    const end = [touch(200 + across, 300 + along)];
    questions.dispatchEvent(new TouchEvent("touchend", { changedTouches: end }));
}"""


@pytest.fixture
def one_a_page(transactional_db, users):
    into = create_bank(users)
    questions = [create_question(into, name, right="ab") for name in ("first", "second", "third")]
    return create_quiz(users, questions, one_question_a_page=True)


def list_seen(page: Page) -> list[str]:
    """Return the numbers of the questions that can be seen."""
    seen = page.locator("fieldset[data-slot]").filter(visible=True)
    return [fieldset.get_attribute("data-number") or "" for fieldset in seen.all()]


def list_main_buttons(page: Page) -> list[str]:
    """Return what the buttons of the rail do that are drawn as the main one."""
    buttons = page.locator(".rail-actions .button-main").filter(visible=True)
    return [button.inner_text().split("\n")[-1].strip() for button in buttons.all()]


def step(page: Page, words: str) -> None:
    page.get_by_role("button", name=words).click()


@pytest.mark.parametrize("width", [PHONE, 1280])
def test_a_quiz_may_ask_for_one_question_a_page(visit, users, one_a_page, accessible, width):
    page = visit(users.learner, width)
    start(page)
    assert list_seen(page) == ["1"]
    expect(page.get_by_role("button", name="Previous question")).to_be_disabled()
    expect(page.get_by_text("One question at a time")).to_have_count(0)
    assert list_main_buttons(page) == ["Next question"]
    page.locator("fieldset:visible .option input").first.check()
    all_saved(page)
    step(page, "Next question")
    assert list_seen(page) == ["2"]
    assert page.evaluate("document.activeElement.dataset.number") == "2"
    page.keyboard.press("n")
    assert list_seen(page) == ["3"]
    expect(page.get_by_role("button", name="Next question")).to_be_disabled()
    assert list_main_buttons(page) == ["Review and submit"]
    page.keyboard.press("p")
    page.keyboard.press("p")
    assert list_seen(page) == ["1"]
    accessible(page)
    look_over(page)
    page.locator("a[href$='#q-2']").first.click()
    page.wait_for_selector("form[data-autosave]")
    assert list_seen(page) == ["3"]


def test_who_prefers_one_question_chooses_it_and_has_it_next_time(visit, users, bilingual):
    page = visit(users.learner, PHONE, has_touch=True)
    start(page)
    assert len(list_seen(page)) == 5
    page.locator(".phone-map summary").click()
    page.locator(".phone-map [data-one-question-choice] input").check()
    assert len(list_seen(page)) == 1
    again(page)
    assert list_seen(page) == ["1"]
    page.evaluate(SWIPE, [-120, 10])
    assert list_seen(page) == ["2"]
    page.evaluate(SWIPE, [-120, 100])  # along as much as across: somebody scrolls
    page.evaluate(SWIPE, [-30, 0])  # not far enough
    assert list_seen(page) == ["2"]
    page.evaluate(SWIPE, [120, 0])
    assert list_seen(page) == ["1"]
    page.locator(".phone-map summary").click()
    page.locator(".phone-map [data-map-link='3']").click()
    # The browser tells of another part of the page when it comes to it.
    expect(page.locator("fieldset[data-slot='3']")).to_be_visible()
    assert list_seen(page) == ["4"]
    page.locator(".phone-map [data-one-question-choice] input").uncheck()
    assert len(list_seen(page)) == 5


def test_without_scripts_all_questions_stand_on_the_page(visit, users, one_a_page):
    page = visit(users.learner, PHONE, java_script_enabled=False)
    page.goto("/quizzes/quiz/")
    page.locator("form[action$='/start'] button").click()
    assert list_seen(page) == ["1", "2", "3"]
