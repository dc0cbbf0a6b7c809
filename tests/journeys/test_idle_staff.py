"""Who teaches and was signed out meanwhile loses nothing of a form: it waits in its page."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, Route, expect

from accounts.models import Session, User
from quizzes.bank.models import Bank
from quizzes.lib import clock
from tests.factories import create_bank
from tests.journeys.conftest import sign_in
from tests.journeys.mouse import press, write
from tests.users import PASSWORD, Users

pytestmark = pytest.mark.browser

LONG = "What this bank is for, and for whom. " * 40


@pytest.fixture
def bank(transactional_db, users: Users) -> Bank:
    return create_bank(users)


@pytest.fixture
def page(visit, users: Users, bank: Bank, settings) -> Page:
    """The form of a bank, opened by its instructor where staff who are idle are signed out."""
    settings.STAFF_IDLE_MINUTES = 60
    opened: Page = visit(users.instructor)
    opened.clock.install()
    opened.goto(f"/admin/bank/bank/{bank.pk}/change/")
    return opened


def leave_idle(person: User, *, minutes: int) -> None:
    """Have the sessions of a person unused for so long."""
    seen_at = clock.now() - timedelta(minutes=minutes)
    Session.objects.filter(user=person).update(last_seen_at=seen_at)


def description(page: Page):
    return page.locator("[name=description_en]")


def save(page: Page) -> None:
    press(page.locator("[name=_continue]"))


def sign_in_in_tab(tab: Page, person: User) -> None:
    """Sign in in another tab, and close it."""
    if not tab.url.startswith("http"):
        tab.goto("/accounts/login/?next=/admin/")
    tab.fill("input[name=login]", person.email)
    tab.fill("input[name=password]", PASSWORD)
    tab.locator("form:has(input[name=password]) button[type=submit]").click()
    tab.wait_for_url("**/admin/")
    tab.close()


def sign_in_beside(page: Page, person: User) -> None:
    """Sign in in the tab that the notice opens, and come back."""
    with page.expect_popup() as opened:
        page.locator("dialog[data-signed-out] a").click()
    sign_in_in_tab(opened.value, person)
    page.bring_to_front()
    page.evaluate("dispatchEvent(new Event('focus'))")  # a headless window always has it


def test_a_form_that_is_sent_too_late_waits_and_is_saved_after_signing_in_again(
    page, users, bank, accessible
):
    write(description(page), LONG)
    leave_idle(users.instructor, minutes=61)
    save(page)
    notice = page.locator("dialog[data-signed-out]")
    expect(notice).to_be_visible()
    accessible(page)
    sign_in_beside(page, users.instructor)
    expect(notice).to_be_hidden()
    expect(description(page)).to_have_value(LONG)
    with page.expect_navigation():
        save(page)
    bank.refresh_from_db()
    assert bank.description["en"] == LONG.strip()


@pytest.mark.parametrize("is_told", [True, False])
def test_a_notice_that_was_closed_or_never_shown_leaves_the_form_a_token_that_counts(
    page, users, bank, is_told
):
    write(description(page), LONG)
    leave_idle(users.instructor, minutes=61)
    if is_told:
        save(page)
        press(page.locator("dialog[data-signed-out] button"))
    sign_in_in_tab(page.context.new_page(), users.instructor)
    with page.expect_navigation():
        save(page)
    bank.refresh_from_db()
    assert bank.description["en"] == LONG.strip()


def test_a_button_that_is_made_anew_meanwhile_still_sends_its_form(page, users, bank):
    write(description(page), LONG)

    def replace_button(route: Route) -> None:
        page.evaluate(
            "document.querySelectorAll('[name=_continue]').forEach("
            "(button) => button.replaceWith(button.cloneNode(true)))"
        )
        route.continue_()

    page.route("**/session", replace_button)
    with page.expect_navigation():
        save(page)
    bank.refresh_from_db()
    assert bank.description["en"] == LONG.strip()
    assert page.url.endswith("/change/")


def test_whoever_types_is_not_idle(page, users):
    leave_idle(users.instructor, minutes=59)
    page.clock.fast_forward(59 * 60 * 1000)
    with page.expect_response("**/session"):
        description(page).press_sequentially("a")
    assert clock.now() - Session.objects.get(user=users.instructor).last_seen_at < timedelta(
        minutes=5
    )


def test_who_comes_back_and_types_is_told_at_once(page, users):
    leave_idle(users.instructor, minutes=61)
    page.clock.fast_forward(61 * 60 * 1000)
    description(page).press_sequentially("a")
    expect(page.locator("dialog[data-signed-out]")).to_be_visible()
    expect(description(page)).to_have_value("a")


def test_a_form_is_not_sent_in_the_name_of_somebody_else(page, users, bank, live_server):
    write(description(page), LONG)
    sign_in(page.context, users.administrator, live_server.url)
    save(page)
    expect(page.locator("[data-trouble=other_person]")).to_be_visible()
    sign_in(page.context, users.instructor, live_server.url)
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.locator("dialog[data-signed-out]")).to_be_hidden()
    with page.expect_navigation():
        save(page)
    bank.refresh_from_db()
    assert bank.description["en"] == LONG.strip()
