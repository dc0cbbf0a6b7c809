"""The first minute of a stranger: a quiz without an account, its result, an account after it."""

import pytest
from playwright.sync_api import expect

from quizzes.attempts.models import Attempt
from tests.factories import open_to_anyone
from tests.journeys.conftest import all_saved, at_work, option, submit
from tests.users import PASSWORD

pytestmark = pytest.mark.browser


def test_a_stranger_takes_a_quiz_and_keeps_the_result(visit, bilingual, accessible):
    open_to_anyone(bilingual)
    page = visit(width=360, color_scheme="dark")
    page.goto("/")
    page.locator(".landing-quiz button").click()
    page.wait_for_url("**/attempts/*/")
    at_work(page)
    option(page, 2, 1).check()
    all_saved(page)
    submit(page)
    accessible(page, "result")
    percent = page.locator(".verdict-percent").inner_text().split()[0]
    page.get_by_role("link", name="Show them").click()
    page.wait_for_url("**/#own-results")
    expect(page.locator("#own-results")).to_contain_text(percent)
    accessible(page, "first page")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("link", name="Make an account and keep them").click()
    page.fill("input[name=email]", "new@example.org")
    page.fill("input[name=password1]", PASSWORD)
    page.locator("main button[type=submit]").click()
    page.get_by_role("link", name="Keep the results").click()
    page.wait_for_url("**/guest/keep")
    accessible(page, "keep")
    page.get_by_role("button", name="Yes, keep them in my account").click()
    expect(page.get_by_role("region", name="Done without an account")).to_contain_text(percent)
    assert Attempt.objects.get().learner.kept_by is not None
