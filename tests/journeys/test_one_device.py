"""One device at a time: another one continues, the first keeps what it has and says so."""

import pytest
from playwright.sync_api import Page, expect

from quizzes.attempts.models import Attempt, Response, SaveStatus
from tests.factories import create_bank, create_question, create_quiz
from tests.journeys.conftest import all_saved, held, hold, let_go, start

pytestmark = pytest.mark.browser


@pytest.fixture
def quiz(transactional_db, users):
    into = create_bank(users)
    questions = [create_question(into, name, right="ab") for name in ("first", "second", "third")]
    return create_quiz(users, questions, one_device=True)


def choose(page: Page, number: int = 0) -> None:
    page.locator("fieldset[data-slot] .option input").nth(number).check()


def go_on_here(page: Page, name: str = "Continue here") -> None:
    page.get_by_role("button", name=name).click()
    page.wait_for_selector("form[data-autosave]")


def expect_moved(page: Page) -> None:
    """Wait for the notice, the one thing that can be done where the attempt was taken away."""
    expect(page.get_by_role("alert")).to_contain_text("open on another device")
    expect(page.locator("main .button-main:visible")).to_have_text(["Continue here"])
    expect(page.locator("fieldset[data-slot] .option input").first).to_be_disabled()


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
    hold(first)  # on its way when the attempt moves
    choose(first, 1)
    held(first)
    go_on_here(second)
    let_go(first)
    expect_moved(first)
    expect(first.locator("[data-save-words]")).to_have_text("Your answers are kept on this device")
    accessible(first)
    assert Response.objects.count() == 1
    first.locator("button[name=switch][value=es]").click()
    expect(first.get_by_role("heading", level=1)).to_contain_text("abierto en otro dispositivo")
    go_on_here(first, "Seguir aquí")
    all_saved(first)
    assert Response.objects.filter(status=SaveStatus.ACCEPTED).count() == 2
    assert Attempt.objects.get().device_changes == 2


def test_an_idle_device_learns_of_it_when_it_is_looked_at_and_so_do_its_tabs_of_the_way_back(
    visit, users, quiz
):
    first, second = visit(users.learner), visit(users.learner)
    start(first)
    tab = first.context.new_page()
    tab.goto(first.url)
    tab.wait_for_selector("form[data-autosave]")
    second.goto(first.url)
    go_on_here(second)
    for page in (first, tab):
        page.evaluate("dispatchEvent(new Event('focus'))")
        expect_moved(page)
    go_on_here(first)
    choose(first)
    all_saved(first)
    tab.evaluate("dispatchEvent(new Event('focus'))")
    expect(tab.locator("fieldset[data-slot] .option input").first).to_be_enabled()
    expect(tab.locator("fieldset[data-slot] .option input").first).to_be_checked()


def test_what_waits_for_an_attempt_elsewhere_holds_up_no_other(visit, users, quiz):
    create_quiz(users, [create_question(create_bank(users), "own", right="ab")], slug="other")
    first, second = visit(users.learner), visit(users.learner)
    address = start(first)
    hold(first)
    choose(first)
    held(first)
    second.goto(address)
    go_on_here(second)
    let_go(first)
    expect_moved(first)
    start(first, "other")
    choose(first)
    all_saved(first)
    assert Response.objects.get().attempt.quiz.slug == "other"


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
