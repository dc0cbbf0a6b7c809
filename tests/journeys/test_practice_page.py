"""A practised question on its page: what is typed stays, and a try is one try on a bad network."""

import pytest
from playwright.sync_api import Page, expect

from quizzes.attempts.models import Assignment
from quizzes.lib import clock
from quizzes.lib.cpu_limit import TookTooLong
from quizzes.practice import services
from quizzes.practice.models import PracticeTry
from tests.factories import create_bank, create_question, create_quiz
from tests.journeys.conftest import Line, all_saved, option, sign_in, speak, start
from tests.journeys.test_offline import READ_STORED, list_stored
from tests.short_text_factory import create_short_text
from tools.processes import wait_until

pytestmark = pytest.mark.browser

ADDRESS = "/quizzes/practice/practice/"
DRAFT = f"{ADDRESS}draft"
READY = "form[data-practice][data-ready]"
FIELD = ".practice-form input[type=text]"
CHECK = "button[value=check]"
VERDICT = ".practice-verdict"
WAITING = "[data-waiting]"


@pytest.fixture
def practice(transactional_db, users):
    """A practice of one question whose answer is typed."""
    question = create_short_text(create_bank(users))
    return create_quiz(users, [question], slug="practice", mode="practice")


@pytest.fixture
def page(visit, users, practice) -> Page:
    """The page of its first question, on a phone."""
    page: Page = visit(users.learner, 360)
    page.goto(ADDRESS)
    page.locator("button[value=next]").click()
    page.wait_for_selector(READY)
    return page


def type_answer(page: Page, text: str) -> None:
    """Type letter by letter, and wait until the device has it all."""
    page.locator(FIELD).press_sequentially(text)
    assert wait_until(lambda: text in page.evaluate(READ_STORED), seconds=10)


def test_what_was_typed_and_not_checked_is_there_after_a_reload(page, accessible):
    type_answer(page, "Valencia")
    page.reload()
    page.wait_for_selector(READY)
    expect(page.locator(FIELD)).to_have_value("Valencia")
    accessible(page)
    page.locator(CHECK).click()
    expect(page.locator(VERDICT)).to_contain_text("Not right yet")
    page.wait_for_selector(READY)
    expect(page.locator(FIELD)).to_have_value("Valencia")  # as it was checked, to be mended
    assert list_stored(page) == []
    assert [row.answer["text"] for row in PracticeTry.objects.all()] == ["Valencia"]


def test_signing_out_leaves_nothing_that_was_typed(page):
    type_answer(page, "Valencia")
    page.locator(".menu summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_selector("a.sign-in")
    assert list_stored(page) == []


def test_the_next_person_on_the_device_finds_nothing_that_was_typed(page, users, live_server):
    type_answer(page, "Valencia")
    sign_in(page.context, users.other_learner, live_server.url)
    page.goto(ADDRESS)
    assert wait_until(lambda: list_stored(page) == [], seconds=10)
    page.locator("button[value=next]").click()
    page.wait_for_selector(READY)
    expect(page.locator(FIELD)).to_have_value("")


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "No network. Your answer waits"), ("es", "Sin conexión. Tu")]
)
def test_a_try_without_a_network_is_checked_by_itself_once_there_is_one(
    page, accessible, language, sentence
):
    speak(page, language)
    page.reload()
    page.wait_for_selector(READY)
    type_answer(page, "Valencia")
    page.context.set_offline(True)
    page.locator(CHECK).click()
    expect(page.locator(WAITING)).to_contain_text(sentence)
    page.locator(CHECK).click()  # again and again
    accessible(page)
    assert not PracticeTry.objects.exists()
    page.context.set_offline(False)
    expect(page.locator(VERDICT)).to_be_visible()
    assert PracticeTry.objects.count() == 1


def test_a_try_that_waits_is_sent_from_whatever_page_is_opened_next(page):
    line = Line(page)
    type_answer(page, "Valencia")
    page.locator(CHECK).click()
    expect(page.locator(WAITING)).to_be_visible()
    line.up = True
    with page.expect_response("**/save"):
        page.goto("/")
    assert PracticeTry.objects.count() == 1
    page.goto(ADDRESS)
    expect(page.locator(VERDICT)).to_contain_text("Not right yet")


def test_a_try_whose_reply_is_lost_costs_no_second_one(page):
    line = Line(page, lose_receipts=True)
    type_answer(page, "Valencia")
    page.locator(CHECK).click()
    expect(page.locator(WAITING)).to_be_visible()
    assert PracticeTry.objects.count() == 1
    line.up = True
    expect(page.locator(VERDICT)).to_contain_text("Not right yet")
    expect(page.locator(".practice-form")).to_contain_text("Try 2 of 3, worth 1/2")
    assert PracticeTry.objects.count() == 1


def test_a_try_over_one_of_another_tab_is_not_counted(page):
    other = page.context.new_page()
    other.goto(ADDRESS)
    other.wait_for_selector(READY)
    other.locator(FIELD).fill("Sevilla")
    other.locator(CHECK).click()
    expect(other.locator(VERDICT)).to_be_visible()
    page.locator(FIELD).fill("Valencia")
    page.locator(CHECK).click()
    expect(page.locator(VERDICT)).to_be_visible()
    assert [row.answer["text"] for row in PracticeTry.objects.all()] == ["Sevilla"]


def test_a_try_at_which_the_server_fails_is_kept_and_holds_up_no_attempt(page, users, accessible):
    questions = [create_question(create_bank(users, "exam"), "own", right="ab")]
    create_quiz(users, questions, slug="exam")
    line = Line(page, status=500)
    type_answer(page, "Valencia")
    page.locator(CHECK).click()
    expect(page.locator("[data-failing]")).to_contain_text("The site has a fault")
    expect(page.locator(WAITING)).to_be_hidden()
    accessible(page)
    other = page.context.new_page()
    other.route("**/practice/save", lambda route: route.fulfill(status=500))
    start(other, "exam")
    option(other, 0, 1).check()
    all_saved(other)
    other.close()
    assert not PracticeTry.objects.exists()
    line.up = True
    expect(page.locator(VERDICT)).to_be_visible()
    assert PracticeTry.objects.count() == 1


def test_a_try_that_takes_too_long_says_so_and_is_checked_again_at_once(
    page, accessible, monkeypatch
):
    def run_too_long(_compute, *, seconds):
        monkeypatch.undo()
        raise TookTooLong(seconds)

    monkeypatch.setattr(services, "run_limited", run_too_long)
    type_answer(page, "Valencia")
    page.locator(CHECK).click()
    expect(page.locator("[data-error]")).to_contain_text("Checking this answer took too long.")
    expect(page.locator(FIELD)).to_be_focused()
    accessible(page)
    page.locator(FIELD).fill("Sevilla")
    page.locator(CHECK).click()
    expect(page.locator(VERDICT)).to_contain_text("Not right yet")
    assert [row.answer["text"] for row in PracticeTry.objects.all()] == ["Sevilla"]


def test_a_try_at_a_practice_that_has_closed_waits_until_it_opens_again(page, practice):
    line = Line(page)
    type_answer(page, "Valencia")
    page.locator(CHECK).click()
    expect(page.locator(WAITING)).to_be_visible()
    Assignment.objects.filter(quiz=practice).update(closes_at=clock.now())
    line.up = True
    page.wait_for_url("**/quizzes/practice/")
    expect(page.locator("main")).to_contain_text("This quiz is closed.")
    assert not PracticeTry.objects.exists()
    Assignment.objects.filter(quiz=practice).update(closes_at=None)
    page.goto(ADDRESS)
    expect(page.locator(VERDICT)).to_contain_text("Not right yet")
    assert [row.answer["text"] for row in PracticeTry.objects.all()] == ["Valencia"]


def test_after_skipping_to_the_content_a_try_is_checked(page):
    page.locator("a.skip").focus()
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")
    page.locator(FIELD).fill("Valencia")
    page.locator(CHECK).click()
    expect(page.locator(VERDICT)).to_contain_text("Not right yet")
    page.wait_for_selector(READY)
    page.locator("a.skip").focus()
    page.keyboard.press("Enter")
    page.locator("button[value=show]").click()
    expect(page.locator("ol.answers")).to_be_visible()
    page.locator("a.skip").focus()
    page.keyboard.press("Enter")
    page.locator("button[value=next]").click()
    page.wait_for_selector(READY)
