"""The whole story, as a learner lives it."""

import pytest
from playwright.sync_api import expect

from quizzes.attempts.models import Attempt, Response, State
from tests.journeys.conftest import all_saved, at_work, follow, look_over, option, start, submit

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [1280, 360])
def test_a_learner_takes_a_quiz_and_switches_language_half_way(visit, users, bilingual, width):
    page = visit(users.learner, width)
    page.goto("/")
    page.get_by_role("link", name="A quiz").click()
    start(page)
    assert page.locator("html").get_attribute("lang") == "en"
    option(page, 0, 0).check()
    option(page, 0, 1).check()
    option(page, 2, 1).check()
    all_saved(page)
    follow(page, "header button[value=es]")
    page.wait_for_selector("html[lang=es]")
    at_work(page)
    assert "¿Pregunta many?" in page.locator("#q-0").inner_text()
    assert option(page, 0, 0).is_checked()
    assert option(page, 0, 1).is_checked()
    assert not option(page, 0, 2).is_checked()
    assert option(page, 2, 1).is_checked()
    option(page, 0, 2).check()
    option(page, 1, 3).check()
    option(page, 3, 1).check()
    option(page, 4, 2).check()
    look_over(page)
    expect(page.locator("[data-answered=true]")).to_have_count(5)
    submit(page)
    assert page.locator("html").get_attribute("lang") == "es"
    assert "100" in page.locator(".verdict-percent").inner_text()
    assert "Aviso a many" in page.locator("#question-1").inner_text()
    attempt = Attempt.objects.get()
    assert attempt.state == State.GRADED
    assert attempt.quiz_grade.passed
    assert set(Response.objects.values_list("language", flat=True)) == {"en", "es"}
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
