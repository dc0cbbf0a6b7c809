"""A practised question on its page: what is typed stays, and a try is one try on a bad network."""

import os
import signal
from contextlib import suppress
from functools import partial

import pytest
from playwright.sync_api import Error, Page, expect

from accounts.models import Session, User
from quizzes.attempts.models import Assignment
from quizzes.lib import clock
from quizzes.lib.cpu_limit import TookTooLong
from quizzes.practice import services
from quizzes.practice.models import PracticeTry
from quizzes.web.views import offline
from tests.factories import create_bank, create_question, create_quiz
from tests.faults.devices import find_process
from tests.journeys.conftest import Line, all_saved, option, sign_in, speak, start
from tests.journeys.test_accessible import fits, skip_to_content
from tests.journeys.test_offline import READ_STORED, WAIT_FOR_WORKER, list_stored
from tests.quizzes.web.test_secrecy import alone_with, mask, twin
from tests.short_text_factory import create_short_text
from tests.users import PASSWORD
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


@pytest.fixture
def stored(visit, users, practice) -> Page:
    """The page of its first question, which is on the device."""
    page: Page = visit(users.learner, 360, service_workers="allow")
    begin(page)
    return page


def begin(page: Page, address: str = ADDRESS) -> None:
    """Begin a practice, and wait until its first question is on the device."""
    page.goto(address)
    page.locator("button[value=next]").click()
    page.wait_for_selector(READY)
    page.evaluate(WAIT_FOR_WORKER)
    assert wait_until(lambda: address in list_stored(page), seconds=20)


def open_offline(page: Page) -> None:
    """Open the page of the practice without a network."""
    page.context.set_offline(True)
    page.goto(ADDRESS)
    page.wait_for_selector(READY)


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


def end_session(page: Page) -> None:
    """Let the session end while the page is open: the site asks to sign in."""
    Session.objects.all().delete()
    page.goto(ADDRESS)
    page.wait_for_selector("input[name=password]")


def sign_in_again(page: Page, person: User) -> None:
    page.fill("[name=login]", person.email)
    page.fill("[name=password]", PASSWORD)
    with page.expect_navigation():
        page.keyboard.press("Enter")


def test_what_was_typed_is_there_when_its_person_signs_in_after_the_session_ended(stored, users):
    type_answer(stored, "Valencia")
    end_session(stored)
    sign_in_again(stored, users.learner)
    stored.wait_for_selector(READY)
    expect(stored.locator(FIELD)).to_have_value("Valencia")
    stored.locator(".menu summary").click()
    stored.get_by_role("button", name="Sign out").click()
    stored.wait_for_selector("a.sign-in")
    assert "Valencia" not in stored.evaluate(READ_STORED)


def test_it_is_not_there_for_another_person_who_signs_in_then(stored, users):
    type_answer(stored, "Valencia")
    end_session(stored)
    sign_in_again(stored, users.other_learner)
    assert wait_until(lambda: "Valencia" not in stored.evaluate(READ_STORED), seconds=10)
    stored.locator("button[value=next]").click()
    stored.wait_for_selector(READY)
    expect(stored.locator(FIELD)).to_have_value("")
    end_session(stored)
    sign_in_again(stored, users.learner)
    stored.wait_for_selector(READY)
    expect(stored.locator(FIELD)).to_have_value("")


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
    skip_to_content(page)
    page.locator(FIELD).fill("Valencia")
    page.locator(CHECK).click()
    expect(page.locator(VERDICT)).to_contain_text("Not right yet")
    page.wait_for_selector(READY)
    skip_to_content(page)
    page.locator("button[value=show]").click()
    expect(page.locator("ol.answers")).to_be_visible()
    skip_to_content(page)
    page.locator("button[value=next]").click()
    page.wait_for_selector(READY)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "No network: hints, and what is right"), ("es", "Sin conexión")],
)
def test_a_question_opens_again_without_a_network_with_what_was_typed(
    stored, accessible, language, sentence
):
    speak(stored, language)
    stored.reload()
    stored.wait_for_selector(READY)
    type_answer(stored, "Valencia")
    open_offline(stored)
    expect(stored.locator(FIELD)).to_have_value("Valencia")
    expect(stored.locator("[data-no-network]")).to_contain_text(sentence)
    accessible(stored)
    fits(stored, "practice without a network")
    stored.locator("button[value=show]").click()
    expect(stored.locator(FIELD)).to_have_value("Valencia")
    stored.locator(CHECK).click()
    expect(stored.locator(WAITING)).to_be_visible()
    stored.reload()
    stored.wait_for_selector(READY)
    expect(stored.locator(FIELD)).to_have_value("Valencia")
    expect(stored.locator(WAITING)).to_be_visible()
    page = stored.url
    stored.goto("/attempts/")
    stored.locator("[data-stored-pages] a").first.click()
    stored.wait_for_url(page)
    stored.wait_for_selector(READY)
    stored.context.set_offline(False)
    expect(stored.locator(VERDICT)).to_be_visible()
    assert [row.answer["text"] for row in PracticeTry.objects.all()] == ["Valencia"]


def test_who_leaves_the_page_without_a_network_arrives_though_the_browser_says_online(stored):
    open_offline(stored)
    stored.goto("/attempts/")
    link = stored.locator("[data-stored-pages] a").first
    expect(link).to_be_visible()
    link.evaluate("link => { link.click(); dispatchEvent(new Event('online')); }")
    stored.wait_for_url(f"**{ADDRESS}")
    stored.wait_for_selector(READY)


def test_a_question_opens_offline_after_the_browser_was_killed(
    browser_type, browser_type_launch_args, users, practice, live_server, tmp_path
):
    options = {**browser_type_launch_args, "locale": "en-GB", "base_url": live_server.url}
    context = browser_type.launch_persistent_context(tmp_path, **options)
    sign_in(context, users.learner, live_server.url)
    page = context.new_page()
    begin(page)
    type_answer(page, "Valencia")
    os.kill(find_process(tmp_path), signal.SIGKILL)
    with suppress(Error):
        context.close()
    context = browser_type.launch_persistent_context(tmp_path, **options)
    page = context.new_page()
    open_offline(page)
    expect(page.locator(FIELD)).to_have_value("Valencia")
    page.locator(CHECK).click()
    expect(page.locator(WAITING)).to_be_visible()
    sign_in(context, users.learner, live_server.url)
    context.set_offline(False)
    expect(page.locator(VERDICT)).to_be_visible()
    assert [row.answer["text"] for row in PracticeTry.objects.all()] == ["Valencia"]
    context.close()


def test_a_deploy_in_between_leaves_the_question_on_the_device(stored, monkeypatch):
    type_answer(stored, "Valencia")
    build = offline._build_worker

    def build_other(*args):
        return build(*args).replace('DEPLOY = "', 'DEPLOY = "other-')

    monkeypatch.setattr(offline, "_build_worker", build_other)
    stored.goto("/")
    names = "() => caches.keys()"
    assert wait_until(
        lambda: any(name.startswith("static-other-") for name in stored.evaluate(names)), seconds=20
    )
    open_offline(stored)
    expect(stored.locator(FIELD)).to_have_value("Valencia")


def test_a_try_that_is_checked_from_another_page_is_on_the_stored_one(stored):
    line = Line(stored)
    type_answer(stored, "Valencia")
    stored.locator(CHECK).click()
    expect(stored.locator(WAITING)).to_be_visible()
    line.up = True
    with stored.expect_response("**/save"):
        stored.goto("/")
    assert wait_until(lambda: "Not right yet" in stored.evaluate(READ_STORED), seconds=20)
    open_offline(stored)
    expect(stored.locator(VERDICT)).to_contain_text("Not right yet")


def test_a_question_that_is_over_is_on_the_device_no_more(stored):
    assert ADDRESS in list_stored(stored)
    stored.locator("button[value=show]").click()
    expect(stored.locator("ol.answers")).to_be_visible()
    assert wait_until(lambda: list_stored(stored) == [], seconds=10)
    stored.context.set_offline(True)
    stored.goto(ADDRESS)
    expect(stored.get_by_role("heading", name="You are offline")).to_be_visible()


def test_a_practice_that_one_may_no_longer_take_is_on_the_device_no_more(stored, practice):
    Assignment.objects.filter(quiz=practice).update(closes_at=clock.now())
    stored.goto(ADDRESS)
    expect(stored.locator("main")).to_contain_text("This quiz is closed.")
    assert wait_until(lambda: ADDRESS not in list_stored(stored), seconds=10)


def test_who_is_next_on_the_device_finds_no_question(stored, users, live_server):
    type_answer(stored, "Valencia")
    sign_in(stored.context, users.other_learner, live_server.url)
    stored.goto("/")
    assert wait_until(lambda: list_stored(stored) == [], seconds=10)
    stored.context.set_offline(True)
    stored.goto(ADDRESS)
    expect(stored.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(stored.locator("[data-stored-pages] a")).to_have_count(0)


def test_an_attempt_that_is_opened_takes_away_what_was_said_of_its_questions(visit, users):
    question = twin(create_bank(users), "same", "a", kind="single_choice")
    create_quiz(users, [question], slug="practice", mode="practice", shuffle_options=False)
    page = visit(users.learner, service_workers="allow")
    begin(page)
    option(page, 0, 1).check()
    page.locator(CHECK).click()
    expect(page.locator(VERDICT)).to_contain_text("Not right yet")
    assert wait_until(lambda: "Not right yet" in page.evaluate(READ_STORED), seconds=10)
    create_quiz(users, [question], slug="exam")
    start(page, "exam")
    assert wait_until(lambda: "Not right yet" not in page.evaluate(READ_STORED), seconds=20)


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("is_live", [True, False])
def test_a_stored_question_is_the_same_whatever_is_right(
    visit, users, bilingual, language, is_live
):
    """The key flip, before a try; of a live question after it, too."""
    texts = []
    for number, right in enumerate("ab"):
        question = twin(create_bank(users, f"bank-{number}"), "same", right, kind="single_choice")
        slug = ("one", "two")[number]
        quiz = create_quiz(users, [question], slug=slug, mode="practice", shuffle_options=False)
        learner = alone_with(quiz, number)
        if is_live:
            exam = create_quiz(users, [question], slug=f"exam-{slug}")
            exam.assignments.create(group=learner.memberships.get().group)
        page = visit(learner, service_workers="allow")
        speak(page, language)
        begin(page, f"/quizzes/{slug}/practice/")
        option(page, 0, 0).check()
        draft = f"/quizzes/{slug}/practice/draft"
        assert wait_until(partial(is_stored, page, draft), seconds=10)
        text = page.evaluate(READ_STORED)
        if is_live:
            page.locator(CHECK).click()
            expect(page.locator("ol.answers")).to_be_visible()
            assert wait_until(partial(is_nothing_stored, page), seconds=10)
            text += page.evaluate(READ_STORED)
        texts.append(mask(text.replace(f"/{slug}/", "/quiz/").replace(f"exam-{slug}", "exam")))
        assert "only here" not in texts[-1]
    assert texts[0] == texts[1]


def is_stored(page: Page, path: str) -> bool:
    return path in list_stored(page)


def is_nothing_stored(page: Page) -> bool:
    return not list_stored(page)
