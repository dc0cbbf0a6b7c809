"""The time left: told by the server, spoken now and then, and honest when it is over."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from quizzes.attempts.deadline_extension import extend_by_minutes
from quizzes.attempts.deadline_settings import save_accommodation
from quizzes.attempts.instructor_messages import send_message
from quizzes.attempts.models import Accommodation, Attempt, State, SubmissionReason
from quizzes.attempts.pauses import pause_attempts, resume_attempts
from quizzes.lib import clock
from tests.factories import create_bank, create_question, create_quiz
from tests.forged_rows import overwrite
from tests.journeys.conftest import again, all_saved, look_over, option, start

pytestmark = pytest.mark.browser


@pytest.fixture
def limited(transactional_db, users):
    return create_quiz(
        users,
        [create_question(create_bank(users), "one", right="ab")],
        time_limit=60,
        shuffle_options=False,
    )


def leave(seconds: float, grace: float = 10) -> None:
    ends = clock.now() + timedelta(seconds=seconds)
    cutoff_at = ends + timedelta(seconds=grace)
    overwrite(Attempt.objects.all(), deadline_at=ends, cutoff_at=cutoff_at)


def test_the_clock_follows_the_server_and_not_the_device(visit, users, limited):
    page = visit(users.learner)
    page.add_init_script("const real = Date.now; Date.now = () => real() + 86400000;")
    start(page)
    clock = page.locator("[data-timer-clock]")
    assert clock.inner_text().startswith(("59:", "1:00:"))
    leave(290)
    page.evaluate("dispatchEvent(new Event('focus'))")
    page.wait_for_selector("[data-timer-voice]:not(:empty)", state="attached")
    expect(page.locator("[data-timer-voice]")).to_contain_text("5")
    expect(clock).to_have_text(re.compile("^0?4:"))


def test_the_clock_can_be_hidden_and_stays_hidden(visit, users, limited):
    page = visit(users.learner)
    start(page)
    page.locator("[data-timer-hide]").click()
    page.reload()
    page.wait_for_selector("[data-timer][data-hidden]")
    expect(page.locator("[data-timer-hide]")).to_have_attribute("aria-pressed", "true")


def test_when_time_is_over_the_answers_are_submitted_and_that_is_said(visit, users, limited):
    page = visit(users.learner)
    start(page)
    option(page, 0, 0).check()
    all_saved(page)
    leave(1.5, grace=120)  # a busy machine may need longer than a learner's network
    option(page, 0, 1).check()
    page.evaluate("dispatchEvent(new Event('focus'))")
    page.wait_for_url("**/result")
    attempt = Attempt.objects.get()
    assert attempt.state == State.GRADED
    assert attempt.submission_reason in {SubmissionReason.SUBMITTED, SubmissionReason.EXPIRED}
    assert "100" in page.locator(".verdict-percent").inner_text()
    expect(page.locator(".verdict-text")).to_contain_text("Time ran out (")


def test_that_time_is_over_is_said_to_those_who_see(visit, users, limited, accessible):
    page = visit(users.learner)
    start(page)
    leave(1.5, grace=120)
    page.route("**/submit", lambda route: route.fulfill(status=204))  # the page stays
    page.evaluate("dispatchEvent(new Event('focus'))")
    words = page.locator("[data-timer-voice]")
    expect(words).to_have_text("Time is over. Your answers are being submitted.")
    expect(words).to_be_in_viewport(ratio=1)
    accessible(page)


def test_time_that_ends_on_the_review_page_submits_too(visit, users, limited):
    page = visit(users.learner)
    start(page)
    option(page, 0, 0).check()
    all_saved(page)
    look_over(page)
    leave(1.5, grace=120)
    page.evaluate("dispatchEvent(new Event('focus'))")
    page.wait_for_url("**/result")
    expect(page.locator(".verdict-text")).to_contain_text("Time ran out (")
    assert Attempt.objects.get().submission_reason == SubmissionReason.SUBMITTED


def test_a_submission_is_sent_once_whatever_the_clock_or_the_learner_does(visit, users, limited):
    page = visit(users.learner)
    page.add_init_script("""
        HTMLFormElement.prototype.submit = function () {
          this.dataset.sent = 1 + Number(this.dataset.sent ?? 0);
        };
    """)
    start(page)
    option(page, 0, 0).check()
    all_saved(page)
    look_over(page)
    form = page.locator("form[data-submit]")
    form.locator("button").click()
    expect(form).to_have_attribute("data-sent", "1")  # on its way, and nobody has answered yet
    submitted = {"state": State.SUBMITTED, "submission_reason": SubmissionReason.SUBMITTED}
    overwrite(Attempt.objects.all(), submitted_at=clock.now(), **submitted)
    with page.expect_response("**/clock"):
        page.evaluate("dispatchEvent(new Event('focus'))")
    form.locator("button").click()
    page.evaluate("new Promise((resolve) => setTimeout(resolve, 300))")
    expect(form).to_have_attribute("data-sent", "1", timeout=1)


def test_a_question_for_the_time_that_fails_is_asked_again(visit, users, limited):
    page = visit(users.learner)
    start(page)
    page.route("**/clock", lambda route: route.fulfill(status=503), times=1)
    leave(290)
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.locator("[data-timer-clock]")).to_contain_text("4:", timeout=15_000)


def test_an_answer_that_comes_late_does_not_undo_a_newer_one(visit, users, limited):
    page = visit(users.learner)
    start(page)
    page.add_init_script("""
        const real = window.fetch;
        let questions = 0;
        window.fetch = async (url, options) => {
          const answer = await real(url, options);
          if (String(url).endsWith("/clock") && !questions++)
            await new Promise((resolve) => addEventListener("let-go", resolve, { once: true }));
          return answer;
        };
    """)
    with page.expect_response("**/clock"):
        again(page)  # asks when it is shown; this answer is held back
    leave(290)
    page.evaluate("dispatchEvent(new Event('focus'))")
    page.evaluate("setTimeout(() => dispatchEvent(new Event('let-go')), 500)")
    expect(page.locator("[data-timer-clock]")).to_contain_text("4:")
    page.evaluate("new Promise((resolve) => setTimeout(resolve, 1000))")
    expect(page.locator("[data-timer-clock]")).to_contain_text("4:", timeout=1)


def test_more_time_that_came_in_the_last_second_is_asked_for(visit, users, limited):
    page = visit(users.learner)
    start(page)
    leave(2)
    with page.expect_response("**/clock"):
        page.evaluate("dispatchEvent(new Event('focus'))")
    leave(290)  # given after the page last asked: it must ask again before it submits
    expect(page.locator("[data-timer-clock]")).to_contain_text("4:")
    assert Attempt.objects.get().state == State.OPEN


def give_half_as_much_again(users, quiz) -> None:
    accommodation = Accommodation(quiz=quiz, learner=users.learner, time_percent=150)
    assert save_accommodation(accommodation=accommodation, by=users.instructor, now=clock.now())


def test_more_time_shows_within_15_seconds(visit, users, limited):
    page = visit(users.learner)
    page.clock.install()
    start(page)
    time_left = page.locator("[data-timer-clock]")
    expect(time_left).to_have_text(re.compile("^(59|1:00):"))
    page.wait_for_load_state("networkidle")
    give_half_as_much_again(users, limited)
    page.clock.run_for(15_000)
    expect(time_left).to_have_text(re.compile("^1:(29|30):"))


def test_more_time_shows_with_the_next_save(visit, users, limited):
    page = visit(users.learner)
    page.add_init_script("window.setInterval = () => 0")
    start(page)
    time_left = page.locator("[data-timer-clock]")
    expect(time_left).to_have_text(re.compile("^(59|1:00):"))
    page.wait_for_load_state("networkidle")
    give_half_as_much_again(users, limited)
    option(page, 0, 0).check()
    all_saved(page)
    expect(time_left).to_have_text(re.compile("^1:(29|30):"))


def give_minutes(users, minutes: int) -> None:
    extend_by_minutes(
        attempts=Attempt.objects.all(),
        minutes=minutes,
        reason="fire alarm",
        by=users.instructor,
        now=clock.now(),
    )


def test_more_time_is_announced_in_words_within_15_seconds(visit, users, limited, accessible):
    page = visit(users.learner)
    page.clock.install()
    start(page)
    announcement = page.locator("[data-timer-given][role=status]")
    expect(announcement).to_be_empty()
    page.wait_for_load_state("networkidle")
    give_minutes(users, 10)
    page.clock.run_for(15_000)
    expect(announcement).to_have_text("You have been given 10 more minutes.")
    expect(announcement).to_be_visible()
    accessible(page)


def test_more_time_given_between_two_pages_is_announced_once(visit, users, limited):
    page = visit(users.learner)
    start(page)
    option(page, 0, 0).check()
    all_saved(page)
    give_minutes(users, 1)
    look_over(page)
    announcement = page.locator("[data-timer-given]")
    expect(announcement).to_have_text("You have been given 1 more minute.")
    page.reload()
    page.wait_for_load_state("networkidle")
    expect(announcement).to_be_empty()


def test_five_minutes_are_announced_again_after_more_time(visit, users, limited):
    page = visit(users.learner)
    start(page)
    leave(290)
    page.evaluate("dispatchEvent(new Event('focus'))")
    voice = page.locator("[data-timer-voice]")
    expect(voice).to_have_text("5 minutes left")
    give_minutes(users, 10)
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.locator("[data-timer-given]")).to_contain_text("10 more minutes")
    leave(590)
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(voice).to_have_text("10 minutes left")


def test_what_comes_after_the_end_is_told_to_be_late(visit, users, limited):
    page = visit(users.learner)
    start(page)
    leave(-60)
    option(page, 0, 0).check()
    page.wait_for_url("**/result")
    assert Attempt.objects.get().submission_reason == SubmissionReason.EXPIRED
    expect(page.locator(".verdict-text")).to_contain_text("so your saved answers were submitted")


def pause(users) -> None:
    attempts, by = Attempt.objects.all(), users.instructor
    pause_attempts(attempts=attempts, minutes=30, reason="Fire alarm", by=by, now=clock.now())


def test_a_pause_and_its_end_are_said_within_15_seconds_and_time_stands_between(
    visit, users, limited, accessible
):
    page = visit(users.learner)
    page.clock.install()
    start(page)
    time_left = page.locator("[data-timer-clock]")
    notice = page.locator("[data-timer-pause][role=status]")
    expect(time_left).to_have_text(re.compile("^(59|1:00):"))
    expect(notice).to_be_empty()
    page.wait_for_load_state("networkidle")
    pause(users)
    page.clock.run_for(15_000)
    expect(notice).to_contain_text("Your instructor has paused the quiz. The time stands still")
    accessible(page)
    standing = time_left.inner_text()
    option(page, 0, 0).check()
    page.clock.run_for(90_000)
    assert time_left.inner_text() == standing
    all_saved(page)
    expect(page.locator("[data-timer-given]")).to_be_empty()
    resume_attempts(attempts=Attempt.objects.all(), by=users.instructor, now=clock.now())
    page.clock.run_for(15_000)
    expect(notice).to_have_text("The pause is over. The time goes on.")
    expect(page.locator("[data-timer-given]")).to_be_empty()


def test_a_pause_in_the_last_second_keeps_the_page_from_submitting(visit, users, limited):
    page = visit(users.learner)
    start(page)
    leave(2)
    with page.expect_response("**/clock"):
        page.evaluate("dispatchEvent(new Event('focus'))")
    pause(users)
    expect(page.locator("[data-timer-pause]")).to_contain_text("paused")
    assert Attempt.objects.get().state == State.OPEN


def test_a_quiz_without_a_limit_says_that_it_is_paused_with_the_next_save(visit, users, a_quiz):
    page = visit(users.learner)
    page.add_init_script("window.setInterval = () => 0")
    start(page)
    page.wait_for_load_state("networkidle")
    pause(users)
    option(page, 0, 0).check()
    all_saved(page)
    expect(page.locator("[data-timer-pause]")).to_contain_text("paused")


def write(users, text: str) -> None:
    send_message(attempts=Attempt.objects.all(), text=text, by=users.instructor, now=clock.now())


def test_a_message_shows_within_15_seconds_is_said_once_and_stays(
    visit, users, limited, accessible
):
    page = visit(users.learner)
    page.clock.install()
    start(page)
    section = page.locator("[data-messages]")
    voice = page.locator("[data-messages-voice][role=status]")
    expect(section).to_be_hidden()
    page.wait_for_load_state("networkidle")
    write(users, "Question 1: <em>two</em> are right.")
    page.clock.run_for(15_000)
    expect(section).to_contain_text("Question 1: <em>two</em> are right.")
    expect(section).to_be_in_viewport()
    expect(voice).to_have_text("Message from your instructor: Question 1: <em>two</em> are right.")
    accessible(page)
    section.get_by_role("button").click()
    expect(section.get_by_role("button")).to_be_hidden()
    page.reload()
    page.wait_for_load_state("networkidle")
    expect(section).to_contain_text("two")
    expect(voice).to_be_empty()


def test_a_message_shows_with_the_next_save_and_on_the_review_page(visit, users, a_quiz):
    page = visit(users.learner)
    page.add_init_script("window.setInterval = () => 0")
    start(page)
    page.wait_for_load_state("networkidle")
    write(users, "Speak softly.")
    option(page, 0, 0).check()
    all_saved(page)
    expect(page.locator("[data-messages]")).to_contain_text("Speak softly.")
    look_over(page)
    expect(page.locator("[data-messages]")).to_contain_text("Speak softly.")
