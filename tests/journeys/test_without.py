"""Without a mouse; without scripts."""

import pytest
from playwright.sync_api import expect

from quizzes.attempts.models import Attempt, Response, State
from tests.journeys.conftest import all_saved, option, start

pytestmark = pytest.mark.browser


def press(page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def tab_to(page, selector: str, most: int = 80) -> None:
    for _ in range(most):
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"the keyboard does not reach {selector}")


def test_the_keyboard_alone_suffices(visit, cast, bilingual):
    page = visit(cast.learner)
    page.goto("/quizzes/quiz/")
    tab_to(page, "form[action$='/start'] button")
    press(page, "Enter")
    page.wait_for_selector("form[data-autosave]")
    press(page, "n", "1", "2", "3")
    assert [option(page, 0, place).is_checked() for place in range(5)] == [True] * 3 + [False] * 2
    press(page, "n", "4", "f")
    assert page.locator("#q-1 [data-none]").is_checked()
    assert page.locator("#q-1").get_attribute("data-flagged") == "true"
    assert page.locator("[data-voice]").inner_text().strip()
    press(page, "n", "2", "n", "2", "n", "1", "ArrowDown", "ArrowDown")
    assert option(page, 4, 2).is_checked()
    press(page, "p")
    expect(page.locator("#q-3")).to_be_focused()
    press(page, "?")
    expect(page.locator("dialog[data-help]")).to_be_visible()
    press(page, "Escape")
    expect(page.locator("dialog[data-help]")).not_to_be_visible()
    all_saved(page)
    tab_to(page, "button[value=review].button")
    press(page, "Enter")
    page.wait_for_url("**/review")
    tab_to(page, "form[data-submit] button")
    press(page, "Enter")
    page.wait_for_url("**/result")
    assert "100" in page.locator(".verdict-percent").inner_text()


def test_a_digit_takes_a_single_choice_back_and_keys_can_be_turned_off(visit, cast, bilingual):
    page = visit(cast.learner)
    start(page)
    page.locator("#q-2").focus()
    press(page, "2")
    assert option(page, 2, 1).is_checked()
    press(page, "2")
    assert page.locator("#q-2 [data-no-answer]").is_checked()
    press(page, "?")
    page.locator("[data-keys]").uncheck()
    page.keyboard.press("Escape")
    press(page, "2")
    assert not option(page, 2, 1).is_checked()


def test_focus_is_never_hidden_beneath_the_bars_of_a_phone(visit, cast, bilingual):
    page = visit(cast.learner, 360)
    start(page)
    for _ in range(40):
        page.keyboard.press("Tab")
        hidden = page.evaluate(
            """() => {
                const box = document.activeElement.getBoundingClientRect();
                const inside = document.activeElement.closest(".rail, .phone-map, header");
                if (inside || !box.height || box.height > innerHeight / 2) return "";
                const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
                const top = document.elementFromPoint(x, y);
                return top?.closest(".rail, .phone-map") ? document.activeElement.outerHTML : "";
            }"""
        )
        assert hidden == ""


@pytest.mark.parametrize("width", [1280, 360])
def test_the_whole_story_works_without_scripts(visit, cast, bilingual, width):
    page = visit(cast.learner, width, java_script_enabled=False)
    page.goto("/quizzes/quiz/")
    page.locator("form[action$='/start'] button").click()
    page.wait_for_url("**/attempts/*/")
    for place in (0, 1, 2):
        option(page, 0, place).check()
    option(page, 2, 1).check()
    page.locator("#q-2 [data-flag]").check()
    page.locator("header button[value=es]").click()
    assert page.locator("html").get_attribute("lang") == "es"
    assert option(page, 0, 2).is_checked()
    assert page.locator("#q-2 [data-flag]").is_checked()
    page.locator("#q-1 [data-none]").check()
    option(page, 3, 1).check()
    page.locator("button.save-now").click()
    assert Response.objects.count() == 4
    page.locator("#q-4 [data-no-answer]").check()
    page.locator("button[value=review].button").click()
    assert page.locator("[data-answered=true]").count() == 4
    page.locator("form[data-submit] button").click()
    page.wait_for_url("**/result")
    assert "80" in page.locator(".verdict-percent").inner_text()
    assert Attempt.objects.get().state == State.GRADED
    assert page.locator("details.why").count() == 5


def test_without_scripts_an_older_page_is_told_what_was_answered_elsewhere(visit, cast, bilingual):
    one = visit(cast.learner)
    two = visit(cast.learner, java_script_enabled=False)
    address = start(one)
    two.goto(address)
    option(one, 2, 1).check()
    all_saved(one)
    option(two, 2, 2).check()
    option(two, 3, 0).check()
    two.locator("button.save-now").click()
    assert "Option c" in two.locator("#q-2 .errorlist").inner_text()
    assert option(two, 2, 1).is_checked()
    assert option(two, 3, 0).is_checked()
    assert two.locator(".errorlist:not(:empty)").count() == 1
