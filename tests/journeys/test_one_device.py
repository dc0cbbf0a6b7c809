"""One device at a time: another one continues, the first keeps what it has and says so."""

import pytest
from playwright.sync_api import Page, expect

from quizzes.attempts.models import Attempt, Response, SaveStatus
from tests.factories import create_bank, create_question, create_quiz
from tests.journeys.conftest import all_saved, start

pytestmark = pytest.mark.browser


@pytest.fixture
def quiz(transactional_db, users):
    into = create_bank(users)
    questions = [create_question(into, name, right="ab") for name in ("first", "second", "third")]
    return create_quiz(users, questions, one_device=True)


def choose(page: Page, number: int = 0) -> None:
    page.locator("fieldset[data-slot] .option input").nth(number).check()


def go_on_here(page: Page) -> None:
    page.get_by_role("button", name="Continue here").click()
    page.wait_for_selector("form[data-autosave]")


@pytest.mark.parametrize("width", [360, 1280])
def test_an_attempt_goes_on_elsewhere_and_comes_back_with_all_that_was_given(
    visit, users, quiz, accessible, width
):
    first, second = visit(users.learner, width), visit(users.learner, width)
    start(first)
    choose(first)
    all_saved(first)
    tab = first.context.new_page()  # the same device
    tab.goto(first.url)
    tab.wait_for_selector("form[data-autosave]")
    tab.close()
    second.goto(first.url)
    expect(second.get_by_role("heading", level=1)).to_contain_text("open on another device")
    expect(second.locator("fieldset[data-slot]")).to_have_count(0)
    accessible(second)
    go_on_here(second)
    choose(first, 1)
    words = first.locator("[data-save-words]")
    expect(words).to_contain_text("went on on another device")
    accessible(first)
    assert Response.objects.count() == 1
    first.locator("[data-save-help] a", has_text="Continue here").click()
    go_on_here(first)
    all_saved(first)
    assert Response.objects.filter(status=SaveStatus.ACCEPTED).count() == 2
    assert Attempt.objects.get().device_changes == 2


def test_what_a_device_kept_offline_meets_what_was_answered_elsewhere(visit, users, quiz):
    first, second = visit(users.learner, 1280), visit(users.learner, 1280)
    start(first)
    first.route("**/save", lambda route: route.abort())
    choose(first, 1)
    expect(first.locator("[data-save-words]")).to_contain_text("Waiting")
    second.goto(first.url)
    go_on_here(second)
    choose(second)
    all_saved(second)
    first.unroute("**/save")
    first.reload()
    go_on_here(first)
    expect(first.locator(".conflict")).to_be_visible()
    assert not Response.objects.filter(status=SaveStatus.LATE).exists()
    assert Response.objects.filter(status=SaveStatus.ACCEPTED).count() == 1
