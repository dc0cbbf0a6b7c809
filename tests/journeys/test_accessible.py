"""Every page in every language and theme, before the eyes of axe; none wider than its window."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from accounts.models import User
from quizzes.attempts.receipt_file import load_receipt_file
from quizzes.lib import clock
from quizzes.publishing.models import Quiz, RevealMoment
from quizzes.publishing.services import publish
from quizzes.results.checkpoints import make_checkpoint
from tests.journeys.conftest import again, all_saved, at_work, option, speak, start, submit

pytestmark = pytest.mark.browser


def fits(page, where: str) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 320)])
def test_axe_finds_nothing_serious(visit, users, lived_in, accessible, language, theme, width):
    attempt, opened = lived_in
    page = visit(users.learner, width, color_scheme=theme)
    speak(page, language)
    for address in (
        "/",
        "/quizzes/quiz/",
        "/quizzes/ended/",
        f"/attempts/{opened.uuid}/",
        f"/attempts/{opened.uuid}/review",
        f"/attempts/{attempt.uuid}/result",
        "/attempts/",
        "/profile/",
        "/accounts/2fa/",
        "/accounts/2fa/totp/activate/",
        "/accounts/2fa/webauthn/add/",
        "/profile/devices/",
        "/profile/notifications/",
        "/profile/tokens/",
        "/receipts/",
        "/accounts/logout/",
        "/nowhere/",
    ):
        page.goto(address)
        assert page.locator("html").get_attribute("lang") == language
        accessible(page, address)
        fits(page, address)


def test_the_states_of_a_page_are_accessible_too(visit, users, lived_in, accessible):
    _, opened = lived_in
    wide, two = visit(users.learner), visit(users.learner, 360, color_scheme="dark")
    for page in (wide, two):
        again(page, f"/attempts/{opened.uuid}/")
    option(wide, 0, 1).check()
    wide.locator("[data-flag]").check()
    all_saved(wide)
    accessible(wide, "saved")
    option(two, 0, 2).check()
    two.wait_for_selector(".conflict")
    accessible(two, "conflict")
    two.locator(".phone-map summary").click()
    accessible(two, "map")
    wide.keyboard.press("?")
    wide.wait_for_selector("dialog[data-help][open]")
    accessible(wide, "help")
    wide.keyboard.press("Escape")
    wide.context.set_offline(True)
    option(wide, 0, 2).check()
    wide.wait_for_selector("[data-state=offline]")
    accessible(wide, "offline")
    wide.context.set_offline(False)


def test_a_stranger_meets_accessible_doors(visit, accessible, bilingual):
    page = visit(width=320)
    for address in ("/", "/accounts/signup/", "/accounts/password/reset/", "/accounts/login/code/"):
        page.goto(address)
        accessible(page, address)
        fits(page, address)


@pytest.mark.parametrize(("width", "language"), [(320, "es"), (1280, "en")])
def test_wide_listings_scroll_in_their_place(visit, transactional_db, accessible, width, language):
    call_command("load_demo", stdout=StringIO())
    quiz = Quiz.objects.get(slug="distribution-strategies-in-tensorflow")
    quiz.reveal_correctness = quiz.reveal_feedback = RevealMoment.AFTER_SUBMIT
    quiz.save()
    publish(quiz=quiz, by=None, now=clock.now())
    learner = User.objects.get(email__startswith="learner")
    page = visit(learner, width)
    speak(page, language)
    start(page, "distribution-strategies-in-tensorflow")
    fits(page, "taking")
    accessible(page, "taking")
    submit(page)
    page.locator("details.why summary").first.click()
    fits(page, "result")
    accessible(page, "result")


@pytest.mark.parametrize(
    ("theme", "width", "language"), [("light", 1280, "en"), ("dark", 360, "es")]
)
def test_the_pages_of_the_record_are_accessible(
    visit, users, lived_in, accessible, theme, width, language
):
    attempt, _ = lived_in
    checkpoint = make_checkpoint(now=clock.now())
    page = visit(users.administrator, width, color_scheme=theme)
    speak(page, language)
    page.goto("/receipts/")
    receipt = json.dumps(load_receipt_file(attempt=attempt.uuid, viewer=users.learner))
    page.fill("textarea", receipt)
    page.locator(".receipt-form button").click()
    page.wait_for_selector(".receipt-sentence.is-right")
    fits(page, "receipt")
    accessible(page, "receipt")
    for address in ("/admin/results/checkpoint/", "/admin/audit/auditevent/"):
        page.goto(address)
        accessible(page, address)
        fits(page, address)
    page.goto(f"/admin/results/checkpoint/{checkpoint.pk}/change/")
    page.locator(".actions button.main").click()
    page.wait_for_selector(".panel[role=status]")
    fits(page, "checkpoint")
    accessible(page, "checkpoint")


def skip_to_content(page) -> None:
    """Follow the first link of a page; its address has a fragment then, also after a redirect."""
    page.locator("a.skip").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**#main")


def test_after_skipping_to_the_content_an_attempt_goes_on_to_its_result(visit, users, bilingual):
    page = visit(users.learner)
    page.goto("/quizzes/quiz/")
    skip_to_content(page)
    page.locator("form[action$='/start'] button").click()
    at_work(page)
    skip_to_content(page)
    option(page, 2, 1).check()
    all_saved(page)
    page.locator("button[value=review].button").click()
    page.wait_for_selector("form[data-submit]")
    skip_to_content(page)
    page.locator("form[data-submit] button").click()
    page.wait_for_selector(".verdict-percent")
