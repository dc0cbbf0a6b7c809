"""The other pages of the admin with a real mouse and long texts: what is pressed happens."""

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts.models import Group, Role
from quizzes.attempts.models import Accommodation, Assignment
from quizzes.bank.models import Bank, Draft, Question, Waiver
from quizzes.imports import importer
from quizzes.imports.models import ImportJob
from quizzes.lib import clock
from quizzes.results.grading_queue import build_attempt_token
from quizzes.results.models import ManualGrade
from tests.attempt_helpers import finish
from tests.attempt_helpers import start as start_attempt
from tests.essay_factory import attempt_with_essay, create_essay
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.journeys.mouse import press, press_twice, write
from tests.quizzes.matching.quiz import english, spanish
from tests.short_text_factory import attempt_with_text as answer
from tests.short_text_factory import create_short_text

pytestmark = pytest.mark.browser

FEEDBACK = "It reads the file before it is written: look at the order of both calls once more."
PAINTED_ELEMENT = """(element) => new Promise((painted) => {
    requestAnimationFrame(() => requestAnimationFrame(() => painted(element.isConnected)));
})"""
"""Whether an element is still in the page two frames later."""

LONG = "\n".join(f"Line {number}: {FEEDBACK}" for number in range(60))


@pytest.fixture
def into(transactional_db, users) -> Bank:
    return create_bank(users)


def field(page: Page, name: str) -> Locator:
    return page.locator(f"[name='{name}']")


def follow(target: Locator) -> None:
    """Press a target that leads to another page, and wait until that one is there."""
    with target.page.expect_navigation():
        press(target)


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def test_a_bank_is_described_at_length_and_saved(visit, users, into):
    page = visit(users.instructor)
    page.goto("/admin/bank/bank/add/")
    for name in ("title_en", "title_es"):
        write(field(page, name), "A new bank")
    for name in ("description_en", "description_es"):
        write(field(page, name), LONG)
    write(field(page, "slug"), "new")
    field(page, "group").select_option(str(users.group.pk))
    follow(field(page, "_continue"))
    bank = Bank.objects.get(slug="new")
    assert bank.description == {"en": LONG, "es": LONG}
    write(field(page, "description_en"), FEEDBACK)
    follow(field(page, "_save"))
    bank.refresh_from_db()
    assert bank.description["en"] == FEEDBACK


def test_the_settings_of_a_quiz_are_changed_and_it_is_published(visit, users, into):
    quiz = create_quiz(users, [create_question(into, "first")])
    page = visit(users.instructor)
    page.goto(f"/admin/publishing/quiz/{quiz.pk}/change/")
    for name in ("intro_en", "intro_es"):
        write(field(page, name), LONG)
    press(field(page, "shuffle_options"))
    follow(field(page, "_publish"))
    follow(page.locator("[value=show_later]"))
    quiz.refresh_from_db()
    assert quiz.reveal_correctness == "after_last_attempt"
    assert quiz.intro == {"en": LONG, "es": LONG}
    assert quiz.shuffle_options is False
    assert quiz.current is not None
    assert quiz.current.number == 2


def test_enter_in_a_field_of_a_quiz_saves_it_and_publishes_nothing(visit, users, into):
    quiz = create_quiz(users, [create_question(into, "first")])
    page = visit(users.instructor)
    page.goto(f"/admin/publishing/quiz/{quiz.pk}/change/")
    write(field(page, "title_en"), "Another title")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    quiz.refresh_from_db()
    assert quiz.title["en"] == "Another title"
    assert quiz.current is not None
    assert quiz.current.number == 1


def test_a_file_is_uploaded_chosen_from_and_committed(visit, users, into, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    listing = "\n".join(f"call({number})" for number in range(60))
    items = [f"{n}. Which of these runs {n}?\n\n```python\n{listing}\n```\n" for n in (1, 2, 3)]
    text = "\n".join(f"{item}\n- [x] first\n- [ ] second {FEEDBACK}\n" for item in items)
    page = visit(users.instructor)
    page.goto("/admin/imports/importjob/add/")
    field(page, "bank").select_option(str(into.pk))
    field(page, "file").set_input_files(
        {"name": "a.md", "mimeType": "text/markdown", "buffer": text.encode()}
    )
    press_twice(button(page, "Show the preview"))
    assert ImportJob.objects.count() == 1
    ticks = field(page, "item")
    expect(ticks).to_have_count(3)
    press(ticks.nth(1))
    expect(ticks.nth(1)).not_to_be_checked()
    expect(page.locator("[data-chosen]")).to_have_text("2")
    follow(button(page, "Import the selection"))
    expect(page.get_by_text("2 questions were chosen.")).to_be_visible()
    assert Question.objects.count() == 2


def test_two_questions_are_joined_after_an_option_was_changed(visit, users, into):
    for parcel in (english(), spanish()):
        importer.run_import(bank=into, parsed_file=parcel, by=None, now=NOW)
    page = visit(users.instructor)
    page.goto(f"/admin/matching/pairdecision/bank/{into.pk}/")
    pair = page.locator("form.match-form").first
    name = pair.locator("[name=absorb]").input_value()
    press(pair.locator("summary"))
    expect(pair.locator("select").first).to_be_visible()
    follow(pair.locator("[name=merge]"))
    assert Question.objects.get(name=name).retired_at is not None


def test_a_finding_is_let_stand(visit, users, into):
    question = create_question(into, "pays", right="abcd")
    page = visit(users.instructor)
    page.goto(f"/admin/bank/bank/{into.pk}/checks/")
    follow(page.locator(".rule-list a").first)
    follow(page.locator(".finding-list button").first)
    assert Waiver.objects.get().question == question


def test_an_essay_is_marked_by_its_rubric_with_a_long_comment(visit, users, into):
    quiz = create_quiz(users, [create_essay(into)], points=5)
    attempt = attempt_with_essay(quiz, users.learner, LONG[:4000])
    question = attempt.manifest["slots"][0]["question"]
    page = visit(users.instructor)
    page.goto(
        f"/admin/results/manualgrade/{quiz.uuid}/{question}/{build_attempt_token(attempt.uuid)}/"
    )
    write(field(page, "comment"), LONG[:1500])
    press(page.locator("[value=idea-2]"))
    press(page.locator("[value=form-1]"))
    write(field(page, "comment"), FEEDBACK * 6)
    press_twice(button(page, "Save and next"))
    mark = ManualGrade.objects.get()
    assert mark.comment == FEEDBACK * 6
    assert mark.levels == {"idea": "idea-2", "form": "form-1"}


def test_what_a_learner_wrote_is_accepted(visit, users, into):
    question = create_short_text(into)
    quiz = create_quiz(users, [question], window_attempts=None)
    answer(quiz, users.learner, "Lyon")
    page = visit(users.instructor)
    page.goto(f"/admin/results/itemresult/question/{question.pk}/")
    follow(page.get_by_role("link", name="Accept “Lyon”"))
    write(field(page, "credit"), "1/2")
    follow(button(page, "Accept this answer"))
    accepted = Draft.objects.get(question=question).data["key"]["accepted"]
    assert "Lyon" in [answer["text"] for answer in accepted]


def test_a_group_gets_a_person_more(visit, users, into):
    page = visit(users.administrator)
    page.goto(f"/admin/accounts/group/{users.group.pk}/change/")
    write(field(page, "name"), "A class with a longer name")
    row = users.group.memberships.count()
    write(field(page, f"memberships-{row}-user"), users.stranger.email)
    field(page, f"memberships-{row}-role").select_option(Role.LEARNER)
    press_twice(field(page, "_save"))
    assert Group.objects.get(pk=users.group.pk).name == "A class with a longer name"
    assert users.group.memberships.filter(user=users.stranger, role=Role.LEARNER).exists()


def test_a_quiz_is_assigned_and_a_person_gets_more_time(visit, users, into):
    quiz = create_quiz(users, [create_question(into, "first")])
    Assignment.objects.all().delete()
    page = visit(users.instructor)
    page.goto(f"/admin/attempts/assignment/add/?quiz={quiz.pk}")
    field(page, "group").select_option(str(users.group.pk))
    follow(field(page, "_save"))
    assert Assignment.objects.get().quiz == quiz
    page.goto(f"/admin/attempts/accommodation/add/?quiz={quiz.pk}")
    field(page, "learner").select_option(str(users.learner.pk))
    write(field(page, "time_percent"), "150")
    write(field(page, "reason"), FEEDBACK)
    press_twice(field(page, "_save"))
    accommodation = Accommodation.objects.get()
    assert (accommodation.time_percent, accommodation.reason) == (150, FEEDBACK)


def test_a_link_of_the_quiz_progress_is_pressed_while_the_rows_are_read(visit, users, into):
    quiz = create_quiz(users, [create_question(into, "first")])
    quiz.assignments.update(closes_at=clock.now())  # whoever comes now is let in late
    page = visit(users.instructor)
    page.goto(f"/admin/attempts/attempt/progress/{quiz.uuid}/")
    rows = page.locator("[data-progress-rows]")
    before = rows.locator(":scope > *").first.element_handle()
    box = page.locator(f"a[href*='/late/{users.learner.uuid}/']").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    with page.expect_response(lambda response: "?rows" in response.url) as read:
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    read.value.finished()
    assert page.evaluate(PAINTED_ELEMENT, before)
    with page.expect_navigation(url="**/late/**"):
        page.mouse.up()


def test_the_buttons_of_the_quiz_progress_say_for_whom_they_are(visit, users, into):
    quiz = create_quiz(users, [create_question(into, "first")], time_limit=60)
    for learner in (users.learner, users.other_learner):
        start_attempt(quiz, learner, clock.now())
    page = visit(users.instructor)
    page.goto(f"/admin/attempts/attempt/progress/{quiz.uuid}/")
    more, resume = (
        page.locator("[data-progress-action]").first,
        page.locator("[formaction*=resume]"),
    )
    expect(more).to_have_text("Give more time for all 2 in it…")
    expect(resume).to_have_text("End the pause")  # nobody is paused
    page.locator("[name=attempt]").first.check()
    expect(more).to_have_text("Give more time for the one chosen…")
    page.locator("[data-progress-all]").click()
    expect(more).to_have_text("Give more time for the 2 chosen…")
    with page.expect_navigation():
        press(more)
    expect(page.locator(".ask .main")).to_have_text("Give more time for the 2 chosen")


def test_who_is_chosen_and_hands_in_does_not_become_everybody(visit, users, into):
    quiz = create_quiz(users, [create_question(into, "first")], time_limit=60)
    learners = (users.learner, users.other_learner)
    started = [start_attempt(quiz, learner, clock.now()) for learner in learners]
    page = visit(users.instructor)
    page.goto(f"/admin/attempts/attempt/progress/{quiz.uuid}/")
    more = page.locator("[data-progress-action]").first
    boxes = page.locator("[name=attempt]")
    page.locator(f"[name=attempt][value='{started[0].pk}']").check()
    finish(started[0], clock.now())
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(boxes).to_have_count(1)
    expect(more).to_have_text("Give more time for the one chosen…")
    follow(more)
    expect(page.get_by_text("None of those you chose is in it any more")).to_be_visible()
    expect(more).to_have_text("Give more time for the only one in it…")


def test_rows_that_came_while_the_mouse_was_down_are_there_once_it_is_up(visit, users, into):
    quiz = create_quiz(users, [create_question(into, "first")])
    page = visit(users.instructor)
    page.goto(f"/admin/attempts/attempt/progress/{quiz.uuid}/")
    page.evaluate("document.querySelector('[data-progress-rows]').firstElementChild.id = 'old'")
    page.mouse.move(1, 1)
    page.mouse.down()
    with page.expect_response(lambda response: "?rows" in response.url) as read:
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    read.value.finished()
    expect(page.locator("#old")).to_have_count(1)
    page.mouse.up()
    expect(page.locator("#old")).to_have_count(0)


def press_and_release(page: Page) -> None:
    page.mouse.down()
    page.mouse.up()


def open_menu(page: Page) -> None:
    """Press the other button: the menu of the browser takes its release for itself."""
    page.mouse.down(button="right")


def open_menu_by_main_button(page: Page) -> None:
    """Press the main button and the control key, which opens the menu on some systems."""
    page.mouse.down()
    page.evaluate("document.body.dispatchEvent(new MouseEvent('contextmenu', {bubbles: true}))")


@pytest.mark.parametrize("act", [press_and_release, open_menu, open_menu_by_main_button])
def test_the_rows_of_the_quiz_progress_are_new_where_nothing_is_pressed(visit, users, into, act):
    quiz = create_quiz(users, [create_question(into, "first")])
    page = visit(users.instructor)
    page.goto(f"/admin/attempts/attempt/progress/{quiz.uuid}/")
    page.mouse.move(1, 1)
    act(page)
    page.evaluate("document.querySelector('[data-progress-rows]').firstElementChild.id = 'old'")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#old")).to_have_count(0)
