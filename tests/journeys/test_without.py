"""Without a mouse; without scripts."""

import pytest
from playwright.sync_api import expect

from quizzes.attempts.models import Attempt, Response, State
from tests.journeys.conftest import (
    MODULES,
    all_saved,
    at_work,
    follow,
    look_over,
    option,
    start,
    submit,
)

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


def test_the_keyboard_alone_suffices(visit, users, bilingual):
    page = visit(users.learner)
    page.goto("/quizzes/quiz/")
    tab_to(page, "form[action$='/start'] button")
    press(page, "Enter")
    at_work(page)
    press(page, "n", "1", "2", "3")
    for place in range(5):
        expect(option(page, 0, place)).to_be_checked(checked=place < 3)
    press(page, "n", "4", "f")
    expect(page.locator("#q-1 [data-none]")).to_be_checked()
    expect(page.locator("#q-1")).to_have_attribute("data-flagged", "true")
    expect(page.locator("[data-voice]")).not_to_be_empty()
    press(page, "n", "2", "n", "2", "n", "1", "ArrowDown", "ArrowDown")
    expect(option(page, 4, 2)).to_be_checked()
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


def test_a_digit_takes_a_single_choice_back_and_keys_can_be_turned_off(visit, users, bilingual):
    page = visit(users.learner)
    start(page)
    page.locator("#q-2").focus()
    press(page, "2")
    expect(option(page, 2, 1)).to_be_checked()
    press(page, "2")
    expect(page.locator("#q-2 [data-no-answer]")).to_be_checked()
    press(page, "?")
    page.locator("[data-keys]").uncheck()
    page.keyboard.press("Escape")
    press(page, "2")
    assert not option(page, 2, 1).is_checked()


def test_focus_is_never_hidden_beneath_the_bars_of_a_phone(visit, users, bilingual):
    page = visit(users.learner, 360)
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
def test_the_whole_story_works_without_scripts(visit, users, bilingual, width):
    page = visit(users.learner, width, java_script_enabled=False)
    page.goto("/quizzes/quiz/")
    page.locator("form[action$='/start'] button").click()
    page.wait_for_url("**/attempts/*/")
    for place in (0, 1, 2):
        option(page, 0, place).check()
    option(page, 2, 1).check()
    page.locator("#q-2 [data-flag]").check()
    follow(page, "header button[value=es]")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(option(page, 0, 2)).to_be_checked()
    expect(page.locator("#q-2 [data-flag]")).to_be_checked()
    page.locator("#q-1 [data-none]").check()
    option(page, 3, 1).check()
    follow(page, "button.save-now")
    assert Response.objects.count() == 4
    page.locator("#q-4 [data-no-answer]").check()
    look_over(page)
    expect(page.locator("[data-answered=true]")).to_have_count(4)
    submit(page)
    assert "80" in page.locator(".verdict-percent").inner_text()
    assert Attempt.objects.get().state == State.GRADED
    assert page.locator("details.why").count() == 5


def test_without_scripts_an_older_page_is_told_what_was_answered_elsewhere(visit, users, bilingual):
    page = visit(users.learner)
    two = visit(users.learner, java_script_enabled=False)
    address = start(page)
    two.goto(address)
    option(page, 2, 1).check()
    all_saved(page)
    option(two, 2, 2).check()
    option(two, 3, 0).check()
    follow(two, "button.save-now")
    expect(two.locator("#q-2 .errorlist")).to_contain_text("Option c")
    expect(option(two, 2, 1)).to_be_checked()
    expect(option(two, 3, 0)).to_be_checked()
    expect(two.locator(".errorlist:not(:empty)")).to_have_count(1)


def test_all_modules_of_an_attempt_are_named_in_its_head(visit, users, bilingual):
    page = visit(users.learner)
    start(page)
    fetched = page.evaluate(
        "performance.getEntriesByType('resource').map(entry => new URL(entry.name).pathname)"
    )
    preloaded = page.locator("link[rel=modulepreload]").evaluate_all(
        "links => links.map(link => new URL(link.href).pathname)"
    )
    modules = {path for path in fetched if MODULES.search(path)}
    others = {f"/static/web/js/{name}.js" for name in ("device", "time-zone", "file-worker")}
    assert len(modules) > 10
    assert modules - set(preloaded) <= others
