"""A pass is celebrated without moving what should not move, and its certificate is printed."""

import re

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from quizzes.attempts.models import Attempt
from quizzes.certificates.models import Certificate
from quizzes.certificates.services import save_certificate
from quizzes.lib import clock
from tests.attempt_helpers import take_quiz
from tests.factories import create_bank, create_question, create_quiz

pytestmark = pytest.mark.browser

MOVING = "() => document.getAnimations().map((each) => each.animationName)"
PLACES = """() => [...document.querySelectorAll(".verdict *")].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x, y, width, height].join();
})"""


@pytest.fixture
def passed(users) -> Attempt:
    question = create_question(create_bank(users), "one", right="b", kind="single_choice")
    quiz = create_quiz(users, [question], gives_certificates=True)
    return take_quiz(quiz, users.learner, {0: "b"}, clock.now())


def certify(attempt: Attempt) -> Certificate:
    User.objects.filter(pk=attempt.learner_id).update(name="María Pérez")
    return save_certificate(
        attempt=attempt.uuid,
        learner=attempt.learner,
        now=clock.now(),
        shows_name=True,
        shows_score=True,
        is_public=True,
    )[0]


def celebrate(page: Page, attempt: Attempt) -> list[str]:
    """Open the result of a pass; return the names of what moves there."""
    page.goto(f"/attempts/{attempt.uuid}/result")
    expect(page.locator(".verdict.is-passed h1")).to_be_visible()
    expect(page.locator(".verdict-percent")).to_contain_text("100")
    names: list[str] = page.evaluate(MOVING)
    return names


def test_a_pass_moves_nothing_for_who_wants_less_motion(visit, users, passed):
    page = visit(users.learner, 360, reduced_motion="reduce")
    assert celebrate(page, passed) == []
    before = page.evaluate(PLACES)
    page.evaluate(
        "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))"
    )
    assert page.evaluate(PLACES) == before
    # The control: with motion there is something to see.
    moving = celebrate(visit(users.learner, 360, reduced_motion="no-preference"), passed)
    assert set(moving) == {"ring-fills", "verdict-rises"}


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_certificate_is_printed_by_its_button_on_one_sheet(visit, passed, language):
    certificate = certify(passed)
    page = visit(width=360, locale=f"{language}-MX")
    page.add_init_script("window.print = () => { window.printed = true; }")
    page.goto(f"/certificates/{certificate.uuid}/")
    page.locator("[data-print]").click()
    assert page.evaluate("window.printed") is True
    page.emulate_media(media="print")
    expect(page.locator("[data-print]")).to_be_hidden()
    expect(page.locator(".certificate")).to_contain_text("María Pérez")
    sheet = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", sheet)) == 1


def test_where_no_script_runs_a_sentence_says_how_to_print(visit, passed):
    certificate = certify(passed)
    page = visit(width=360, java_script_enabled=False)
    page.goto(f"/certificates/{certificate.uuid}/")
    expect(page.locator("[data-print]")).to_be_hidden()
    expect(page.locator("noscript p")).to_contain_text("print command of your browser")


def test_the_check_of_a_certificate_is_called_the_same_by_link_and_title(visit, passed):
    certificate = certify(passed)
    page = visit()
    page.goto(f"/certificates/{certificate.uuid}/")
    link = page.locator(".certificate-page a[href='/receipts/']")
    name = link.inner_text()
    link.click()
    expect(page.locator("h1")).to_have_text(name)
    assert page.title().startswith(name)
