"""What is typed reaches the server: after a pause or a crash, past other tabs and mistakes."""

from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from quizzes.attempts.models import Attempt, Response, SaveStatus
from quizzes.attempts.selectors import load_attempt_view
from quizzes.lib import clock
from tests.factories import create_bank, create_question, create_quiz
from tests.journeys.conftest import (
    Line,
    again,
    all_saved,
    follow,
    held,
    hold,
    let_go,
    look_over,
    option,
    scripts_to_come,
    speak,
    start,
)
from tests.question_factory import document, publish_document, samples

pytestmark = pytest.mark.browser

TEXT, NUMBER, ESSAY, CHOICE = range(4)
STATE = "[data-save-state]"
FIRST = {
    kind: next(sample for sample in samples() if sample.kind == kind)
    for kind in ("short_text", "numeric", "essay")
}


@pytest.fixture
def typed(transactional_db, users):
    """A word, a number, an essay, and one choice beside them."""
    into = create_bank(users)
    questions = [publish_document(into, kind, document(sample)) for kind, sample in FIRST.items()]
    questions.append(create_question(into, "single", right="b", kind="single_choice"))
    return create_quiz(users, questions, shuffle_questions=False, shuffle_options=False)


def field(page, slot: int):
    return page.locator(f"#q-{slot} :is(input[type=text], textarea)")


def state(page, name: str) -> None:
    page.wait_for_selector(f"{STATE}[data-state={name}]")


def stands(users) -> list[Any]:
    attempt = Attempt.objects.get(learner=users.learner)
    return [
        head.answer
        for head in load_attempt_view(attempt=attempt.uuid, learner=users.learner).responses
    ]


def note_save(saves: list[str], url: str) -> None:
    """Note requests that save: the page also asks for its clock, some time after it is opened."""
    if url.endswith("/save"):
        saves.append(url)


def stop_the_clock(page) -> None:
    """From now on time passes in this page only as `page.clock.run_for` says."""
    page.clock.install()
    page.clock.pause_at(clock.now() + timedelta(hours=1))


def test_text_is_saved_after_a_pause_and_is_said_to_wait_until_then(visit, users, typed):
    page = visit(users.learner)
    start(page)
    stop_the_clock(page)
    saves: list[str] = []
    page.on("request", lambda request: note_save(saves, request.url))
    for part in ("Par", "is"):
        field(page, TEXT).press_sequentially(part)
        page.clock.run_for(900)
        state(page, "waiting")
    assert saves == []
    page.clock.run_for(1_500)
    all_saved(page)
    assert stands(users)[TEXT] == {"text": "Paris"}
    field(page, NUMBER).focus()  # the field says once more that it changed
    page.clock.run_for(1_500)
    all_saved(page)
    assert len(saves) == Response.objects.count() == 1
    expect(page.locator(f"#q-{TEXT}")).to_have_attribute("data-answered", "true")


def test_what_is_typed_is_saved_at_once_when_the_field_is_left(visit, users, typed):
    page = visit(users.learner)
    start(page)
    stop_the_clock(page)
    field(page, ESSAY).press_sequentially("One line.\nAnother.")
    field(page, NUMBER).focus()
    page.clock.run_for(500)
    all_saved(page)
    assert stands(users)[ESSAY] == {"text": "One line.\nAnother."}


def test_enter_keeps_what_is_typed_and_leads_nowhere(visit, users, typed):
    page = visit(users.learner)
    address = start(page)
    field(page, TEXT).press_sequentially("Paris")
    page.keyboard.press("Enter")
    all_saved(page)
    assert page.url == address
    assert page.locator("html").get_attribute("lang") == "en"
    assert field(page, TEXT).input_value() == "Paris"


def test_no_letter_and_no_digit_acts_while_somebody_types(visit, users, typed):
    page = visit(users.learner)
    start(page)
    for slot in (TEXT, NUMBER, ESSAY):
        field(page, slot).press_sequentially("1nfp?2")
        expect(field(page, slot)).to_be_focused()
        assert field(page, slot).input_value() == "1nfp?2"
        assert page.locator(f"#q-{slot}").get_attribute("data-flagged") == "false"
    page.locator(f"#q-{TEXT}").focus()
    page.keyboard.press("1")
    page.keyboard.press("f")
    assert field(page, TEXT).input_value() == "1nfp?2"
    assert page.locator(f"#q-{TEXT}").get_attribute("data-flagged") == "true"


def test_a_text_outlives_the_page_that_could_not_send_it(visit, users, typed):
    page = visit(users.learner)
    start(page)
    line = Line(page)
    with page.expect_request("**/save"):
        field(page, ESSAY).press_sequentially("Written down before the crash.")
    again(page)
    expect(field(page, ESSAY)).to_have_value("Written down before the crash.")
    assert Response.objects.count() == 0
    line.up = True
    all_saved(page)
    assert stands(users)[ESSAY] == {"text": "Written down before the crash."}


def test_what_is_said_before_the_scripts_have_come_is_an_answer_too(visit, users, typed):
    page = visit(users.learner)
    address = start(page)
    with scripts_to_come(page, address):
        field(page, TEXT).fill("Paris")
        option(page, CHOICE, 1).check()
        page.locator(f"#q-{NUMBER} [data-flag]").check()
    all_saved(page)
    answers = stands(users)
    assert answers[TEXT] == {"text": "Paris"}
    assert answers[CHOICE]["chosen"] == [option(page, CHOICE, 1).get_attribute("value")]
    assert sorted(Response.objects.values_list("slot", "flagged")) == [
        (TEXT, False),
        (NUMBER, True),
        (CHOICE, False),
    ]


def test_a_tab_shows_what_another_saved_but_never_over_what_is_being_typed(visit, users, typed):
    page = visit(users.learner)
    address = start(page)
    other = again(page.context.new_page(), address)
    field(page, TEXT).fill("Paris")
    all_saved(page)
    expect(field(other, TEXT)).to_have_value("Paris")
    hold(other)
    field(other, TEXT).fill("Lyon")
    held(other)
    field(page, TEXT).fill("Marseille")
    let_go(other)
    notice = page.locator(f"#q-{TEXT} .conflict")
    expect(notice.locator("[data-conflict-theirs]")).to_have_text("Lyon")
    expect(notice.locator("[data-conflict-ours]")).to_have_text("Marseille")
    assert stands(users)[TEXT] == {"text": "Lyon"}
    notice.locator("[data-conflict-use]").click()
    all_saved(page)
    assert stands(users)[TEXT] == {"text": "Marseille"}
    expect(field(other, TEXT)).to_have_value("Marseille")


def test_typing_on_does_not_decide_a_conflict_that_nobody_saw(visit, users, typed):
    page, two = visit(users.learner), visit(users.learner)
    address = start(page)
    again(two, address)
    field(page, ESSAY).fill("The first.")
    all_saved(page)
    hold(two)
    field(two, ESSAY).press_sequentially("The second")
    held(two)
    field(two, ESSAY).press_sequentially(", longer")  # while the first part is on its way
    let_go(two)
    notice = two.locator(f"#q-{ESSAY} .conflict")
    expect(notice.locator("[data-conflict-theirs]")).to_have_text("The first.")
    expect(notice.locator("[data-conflict-ours]")).to_have_text("The second, longer")
    assert stands(users)[ESSAY] == {"text": "The first."}
    notice.locator("[data-conflict-use]").click()
    all_saved(two)
    assert stands(users)[ESSAY] == {"text": "The second, longer"}


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_number_that_cannot_be_read_is_said_at_once_and_holds_up_nothing(
    visit, users, typed, accessible, language
):
    page = visit(users.learner)
    speak(page, language)
    address = start(page)
    page.context.set_offline(True)  # so that all three leave in one request
    field(page, TEXT).fill("Paris")
    field(page, NUMBER).fill("three")
    option(page, CHOICE, 1).check()
    state(page, "offline")
    page.context.set_offline(False)
    error = page.locator(f"#q-{NUMBER} [data-error]")
    expect(error).not_to_be_empty()
    expect(error).to_have_attribute("role", "alert")
    expect(field(page, NUMBER)).to_have_attribute("aria-invalid", "true")
    expect(field(page, NUMBER)).to_have_attribute("aria-describedby", f"e-{NUMBER} h-{NUMBER}")
    state(page, "failed")
    expect(page.locator(f"#q-{NUMBER}")).to_have_attribute("data-answered", "false")
    accessible(page, "refused")
    answers = stands(users)
    assert answers[TEXT] == {"text": "Paris"}
    assert answers[CHOICE] is not None
    assert answers[NUMBER] is None
    page.locator("button[value=review].button").click()
    expect(field(page, NUMBER)).to_be_focused()
    assert page.url == address
    message = error.inner_text()
    again(page, address)
    expect(error).to_have_text(message)  # after a reload it is said again
    expect(field(page, NUMBER)).to_have_value("three")
    field(page, NUMBER).fill("3.14")
    all_saved(page)
    expect(error).to_be_empty()
    expect(field(page, NUMBER)).to_have_attribute("aria-invalid", "false")
    assert stands(users)[NUMBER]["number"] == [157, 50]
    look_over(page)


def test_an_answer_that_cannot_be_read_keeps_nobody_from_taking_it_back(visit, users, typed):
    page = visit(users.learner)
    start(page)
    field(page, NUMBER).fill("three")
    state(page, "failed")
    field(page, NUMBER).fill("")
    all_saved(page)
    assert stands(users)[NUMBER] is None
    look_over(page)


def test_the_last_look_leads_back_to_what_cannot_be_read(visit, users, typed):
    page = visit(users.learner)
    address = start(page)
    field(page, NUMBER).fill("three")
    state(page, "failed")
    page.goto(f"{address}review")
    page.locator("form[data-submit] button").click()
    page.wait_for_url(f"{address}#q-{NUMBER}")
    assert Attempt.objects.get().submitted_at is None


def test_without_scripts_what_cannot_be_read_stays_in_its_field(visit, users, typed):
    page = visit(users.learner, java_script_enabled=False)
    page.goto("/quizzes/quiz/")
    page.locator("form[action$='/start'] button").click()
    page.wait_for_url("**/attempts/*/")
    field(page, NUMBER).fill('three "and" <a half>')
    page.locator(f"#q-{NUMBER} [data-flag]").check()
    field(page, ESSAY).fill("\n\nBegins with blank lines.\nEnds.")
    follow(page, "button.save-now")
    expect(page.locator(f"#q-{NUMBER} [data-error]")).not_to_be_empty()
    expect(field(page, NUMBER)).to_have_value('three "and" <a half>')
    expect(page.locator(f"#q-{NUMBER} [data-flag]")).to_be_checked()
    expect(page.locator(f"#q-{NUMBER}")).to_have_attribute("data-answered", "false")
    expect(field(page, ESSAY)).to_have_value("\n\nBegins with blank lines.\nEnds.")
    field(page, NUMBER).fill("3.14")
    follow(page, "button.save-now")
    expect(page.locator(".errorlist:not(:empty)")).to_have_count(0)
    slots = Response.objects.filter(status=SaveStatus.ACCEPTED).values_list("slot", flat=True)
    assert sorted(slots) == [NUMBER, ESSAY]
