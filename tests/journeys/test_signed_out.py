"""Who is signed out meanwhile is told so, signs in, and everything is sent without a touch."""

import pytest
from playwright.sync_api import Page, expect

from quizzes.attempts.models import Response
from tests.journeys.conftest import Line, all_saved, look_over, option, sign_in, start
from tests.users import PASSWORD

pytestmark = pytest.mark.browser

WORDS = "[data-save-words]"


def sign_in_beside(page: Page, email: str) -> None:
    """Sign in in the tab that the page opens for it."""
    with page.expect_popup() as opened:
        page.locator("[data-sign-in=signed_out]").click()
    tab = opened.value
    tab.fill("input[name=login]", email)
    tab.fill("input[name=password]", PASSWORD)
    tab.locator("form:has(input[name=password]) button[type=submit]").click()
    tab.wait_for_url("**/attempts/*/")
    tab.close()


def test_without_any_cookie_the_page_leads_to_signing_in_and_sends_after_it(
    visit, users, bilingual, accessible
):
    page = visit(users.learner)
    start(page)
    page.context.clear_cookies()
    option(page, 2, 1).check()
    expect(page.locator(WORDS)).to_have_text("Signed out, your answers are kept on this device")
    accessible(page)
    sign_in_beside(page, users.learner.email)
    all_saved(page)
    assert Response.objects.count() == 1


def test_a_token_that_is_gone_holds_nothing_up(visit, users, bilingual):
    page = visit(users.learner)
    start(page)
    page.context.clear_cookies(name="csrftoken")
    option(page, 2, 1).check()
    all_saved(page)
    assert Response.objects.count() == 1


def test_while_somebody_else_is_signed_in_nothing_is_sent_or_refused(
    visit, users, bilingual, live_server
):
    page = visit(users.learner)
    start(page)
    sign_in(page.context, users.other_learner, live_server.url)
    option(page, 2, 1).check()
    expect(page.locator(WORDS)).to_contain_text("Somebody else is signed in")
    expect(page.locator("[data-sign-in=other_person]")).to_be_visible()
    expect(page.locator("#q-2 [data-error]")).to_be_empty()
    sign_in(page.context, users.learner, live_server.url)
    all_saved(page)
    assert Response.objects.count() == 1


def test_the_review_page_says_signed_out_too(visit, users, bilingual, accessible):
    page = visit(users.learner)
    address = start(page)
    Line(page)
    with page.expect_event("requestfailed"):  # it is written down by then
        option(page, 2, 1).check()
    page.unroute_all()
    page.context.set_offline(True)
    page.close()
    other = page.context.new_page()
    other.route("**/save", lambda route: route.abort())
    other.context.set_offline(False)
    other.goto(f"{address}review")
    other.context.clear_cookies()
    other.unroute_all()
    other.locator("form[data-submit] button").click()
    notice = other.locator("[data-signed-out]")
    expect(notice).to_be_visible()
    expect(other.locator("[data-unsent]")).to_be_hidden()
    expect(notice).to_be_focused()  # the submission has ended by then
    accessible(other)
    sign_in_beside(other, users.learner.email)
    other.wait_for_selector("[data-answered=true]")
    assert Response.objects.count() == 1


def test_an_old_token_of_the_review_page_does_not_stop_the_submission(
    visit, users, bilingual, live_server
):
    page = visit(users.learner)
    start(page)
    look_over(page)
    page.context.add_cookies([{"name": "csrftoken", "value": "c" * 32, "url": live_server.url}])
    page.locator("form[data-submit] button").click()
    page.wait_for_url("**/result")


def test_without_any_cookie_the_review_page_leads_to_signing_in_and_back(visit, users, bilingual):
    page = visit(users.learner)
    address = start(page)
    look_over(page)
    page.context.clear_cookies()
    page.locator("form[data-submit] button").click()
    page.wait_for_url("**/accounts/login/**")
    page.fill("input[name=login]", users.learner.email)
    page.fill("input[name=password]", PASSWORD)
    page.locator("form:has(input[name=password]) button[type=submit]").click()
    page.wait_for_url(f"{address}review")
