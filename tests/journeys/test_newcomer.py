"""A newcomer on a phone: feedback in one tap, a first result, failing, practice, a certificate."""

import re
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Locator, Page, expect

from quizzes.attempts.models import Attempt
from quizzes.bank.services import set_tags
from quizzes.practice.sample_question import SAMPLE_TAG
from quizzes.publishing.models import Quiz
from tests.factories import create_bank, create_question, create_quiz
from tests.journeys.conftest import at_work
from tests.journeys.test_accessible import fits
from tests.users import PASSWORD

pytestmark = pytest.mark.browser

QUESTIONS = ("one", "two", "three")
WRONG, RIGHT = 0, 1
"""Options by their place: b is right in every question."""


@pytest.fixture
def graded_quiz(transactional_db, users) -> Quiz:
    """A quiz that anyone may take, its practice, and the question of the first page."""
    bank = create_bank(users)
    sample = create_question(bank, "sample", right="a", kind="single_choice")
    set_tags(question=sample, names=[SAMPLE_TAG], by=None)
    type(bank).objects.filter(pk=bank.pk).update(group=None, owner=None)
    questions = [create_question(bank, name, right="b", kind="single_choice") for name in QUESTIONS]
    for question in questions:
        set_tags(question=question, names=["Topic"], by=None)
    graded = create_quiz(
        users, questions, shuffle_options=False, practice_shows_keys=True, gives_certificates=True
    )
    practice = create_quiz(
        users, questions, slug="practice", mode="practice", shuffle_options=False
    )
    for quiz in (graded, practice):
        quiz.assignments.all().delete()
    Quiz.objects.filter(pk=graded.pk).update(audience="anyone")
    Quiz.objects.filter(pk=practice.pk).update(audience="signed_in")
    return graded


class Taps:
    """Counts the taps on a page, and the seconds that they took."""

    def __init__(self, page: Page) -> None:
        self.page, self.count, self._began = page, 0, monotonic()

    def tap(self, target: str | Locator) -> None:
        """Tap on the first element that a selector names."""
        (self.page.locator(target) if isinstance(target, str) else target).first.tap()
        self.count += 1

    def stop(self) -> tuple[int, float]:
        """Return the taps and seconds so far."""
        return self.count, monotonic() - self._began


def take(taps: Taps, places: tuple[int, ...]) -> None:
    """Take the quiz from its page on, with these options, to its result."""
    page = taps.page
    taps.tap("form[action$='/start'] button")
    page.wait_for_url("**/attempts/*/")
    at_work(page)
    for slot, place in enumerate(places):
        taps.tap(page.locator(f"fieldset[data-slot='{slot}'] label").nth(place))
    taps.tap("button[value=review].button")
    page.wait_for_url("**/review")
    taps.tap("form[data-submit] button")
    page.wait_for_url("**/result")


def practise(taps: Taps) -> None:
    """Follow the result to the practice, and answer until every question was met."""
    page = taps.page
    taps.tap(".next-steps a[href^='/quizzes/practice/practice/']")
    page.wait_for_url(re.compile(r"/practice/\?missed="))
    for number, _ in enumerate(QUESTIONS):
        taps.tap("button[value=next]")
        page.wait_for_selector("button[value=check]")
        if number == 0:
            taps.tap(page.locator(".options label").nth(WRONG))
            taps.tap("button[value=check]")
            page.wait_for_selector(".practice-verdict")
        taps.tap(page.locator(".options label").nth(RIGHT))
        taps.tap("button[value=check]")
        page.wait_for_selector("ol.answers")


def sign_up(taps: Taps) -> None:
    """Make an account from the feedback on, and come to the page of the quiz."""
    page = taps.page
    taps.tap(".landing .actions a")
    page.fill("input[name=email]", "newcomer@example.org")
    page.fill("input[name=password1]", PASSWORD)
    taps.tap("main button[type=submit]")
    page.wait_for_selector(".menu")
    page.goto("/")
    taps.tap("a[href='/quizzes/quiz/']")


def find_gap(page: Page, upper: str, lower: str) -> float:
    """Return how many pixels are between two elements, one above the other."""
    above, below = (page.locator(selector).bounding_box() for selector in (upper, lower))
    assert above
    assert below
    return below["y"] - above["y"] - above["height"]


def make_certificate(taps: Taps) -> None:
    """Make a certificate from the result on that everybody may see."""
    assert find_gap(taps.page, ".next-steps", ".certificate-link") >= 8
    taps.tap(".certificate-link a")
    taps.tap("[name=is_public]")
    taps.tap(".profile form .button-main")
    taps.page.wait_for_url("**/certificates/*/")


def verify(page: Page, address: str, path: Path) -> None:
    """See by its address and by the signature of its file that a certificate holds."""
    page.goto(address)
    expect(page.locator(".receipt-sentence.is-right")).to_be_visible()
    with page.expect_download() as download:
        page.locator(".certificate-page a[download]").click()
    download.value.save_as(path)
    page.goto("/receipts/")
    page.set_input_files("input[type=file]", path)
    page.locator("main form button[type=submit]").click()
    expect(page.locator(".receipt-sentence.is-right").first).to_be_visible()
    expect(page.locator(".receipt-sentence.is-wrong")).to_have_count(0)


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_newcomer_comes_from_the_first_page_to_a_certificate(
    visit, graded_quiz, accessible, language, tmp_path
):
    page = visit(width=360, has_touch=True, is_mobile=True, locale=f"{language}-MX")
    page.goto("/")
    assert page.locator("html").get_attribute("lang") == language
    taps = Taps(page)
    taps.tap(".landing-question button")
    expect(page.locator("ol.answers")).to_contain_text("sample")
    assert taps.stop()[0] == 1
    accessible(page, "feedback")

    taps = Taps(page)
    sign_up(taps)
    take(taps, (RIGHT, WRONG, WRONG))
    expect(page.locator(".verdict-percent")).to_contain_text("33")
    count, seconds = taps.stop()
    assert count == 9
    assert seconds < 60
    accessible(page, "result")
    fits(page, "result")

    page.goto("/quizzes/quiz/")
    take(taps, (WRONG, RIGHT, WRONG))
    expect(page.locator(".verdict-percent")).to_contain_text("33")
    practise(taps)
    accessible(page, "practice")
    fits(page, "practice")

    page.goto("/quizzes/quiz/")
    take(taps, (RIGHT, RIGHT, RIGHT))
    expect(page.locator(".verdict-percent")).to_contain_text("100")
    make_certificate(taps)
    accessible(page, "certificate")
    fits(page, "certificate")
    verify(visit(width=360, locale=language), page.url, tmp_path / "certificate.json")
    assert Attempt.objects.count() == 3
