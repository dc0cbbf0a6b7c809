"""Questions that lock as one goes on: a way forward, two tabs, a connection that comes back."""

import pytest
from playwright.sync_api import Page, expect

from quizzes.attempts.models import Response, SaveStatus
from tests.factories import create_bank, create_question, create_quiz
from tests.journeys.conftest import all_saved, start

pytestmark = pytest.mark.browser


@pytest.fixture
def locking(transactional_db, users):
    into = create_bank(users)
    questions = [create_question(into, name, right="ab") for name in ("first", "second", "third")]
    return create_quiz(users, questions, one_question_a_page=True, lock_questions=True)


def choose(page: Page, number: int = 0) -> None:
    page.locator("fieldset[data-slot] .option input").nth(number).check()


def go_on(page: Page) -> None:
    with page.expect_navigation():
        page.get_by_role("button", name="Go on to question").click()
    page.wait_for_selector("form[data-autosave]")


def read_numbers(page: Page) -> list[str | None]:
    fieldsets = page.locator("fieldset[data-slot]").all()
    return [fieldset.get_attribute("data-number") for fieldset in fieldsets]


@pytest.mark.parametrize("width", [360, 1280])
def test_the_way_leads_forward_alone(visit, users, locking, accessible, width):
    page = visit(users.learner, width)
    start(page)
    assert read_numbers(page) == ["1"]
    accessible(page)
    choose(page)
    go_on(page)
    assert read_numbers(page) == ["2"]
    page.go_back()
    page.wait_for_selector("form[data-autosave]")
    assert read_numbers(page) == ["2"]
    page.keyboard.press("n")
    assert read_numbers(page) == ["2"]
    go_on(page)
    expect(page.get_by_role("button", name="Go on to question")).to_have_count(0)
    choose(page)
    all_saved(page)
    page.get_by_role("button", name="Review and submit").click()
    page.wait_for_selector("form[data-submit]")
    accessible(page)
    expect(page.locator(".review-list a")).to_have_count(1)
    page.get_by_role("button", name="Submit my answers").click()
    page.wait_for_url("**/result")
    assert Response.objects.filter(status=SaveStatus.ACCEPTED).count() == 2


def test_what_was_given_offline_and_locked_elsewhere_is_told_and_kept(visit, users, locking):
    page = visit(users.learner, 1280)
    start(page)
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("form[data-autosave]")
    page.route("**/save", lambda route: route.abort())
    choose(page, 1)
    expect(page.locator("[data-save-words]")).to_contain_text("Waiting")
    other.evaluate(
        """async () => {
            const form = document.getElementById("answers");
            const body = new FormData();
            body.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
            body.set("leave", "0");
            await fetch(form.getAttribute("action"), { method: "POST", body });
        }"""
    )
    page.unroute("**/save")
    page.evaluate("dispatchEvent(new Event('online'))")
    notice = page.get_by_role("alert").filter(has_text="Question 1 had been left")
    expect(notice.first).to_be_visible()
    assert Response.objects.get().status == SaveStatus.LOCKED
    notice.first.get_by_role("link", name="Go on where you are").click()
    page.wait_for_selector("form[data-autosave]")
    assert read_numbers(page) == ["2"]


def test_without_a_connection_the_question_stays(visit, users, locking):
    page = visit(users.learner, 1280)
    start(page)
    page.context.set_offline(True)
    choose(page)
    page.get_by_role("button", name="Go on to question").click()
    expect(page.locator("[data-save-state]")).to_be_focused()  # it says why the question stays
    expect(page.locator("[data-save-words]")).to_contain_text("Offline")
    assert read_numbers(page) == ["1"]
    page.context.set_offline(False)
    all_saved(page)
    go_on(page)
    assert read_numbers(page) == ["2"]
