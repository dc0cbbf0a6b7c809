"""Composing a quiz in a browser: with a real mouse in few presses, and by keyboard alone."""

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from quizzes.bank.services import set_tags
from quizzes.publishing.models import Quiz, Section, Slot
from tests.factories import create_bank, create_question
from tests.journeys.conftest import speak
from tests.journeys.mouse import drag, press, write

pytestmark = pytest.mark.browser

MOST_PRESSES = 25


@pytest.fixture
def bank(transactional_db, users):
    into = create_bank(users)
    for number in range(1, 6):
        create_question(into, f"fixed-{number}")
    for number in range(1, 4):
        set_tags(question=create_question(into, f"pool-{number}"), names=["pool"], by=None)
    return into


def rows(page: Page) -> Locator:
    return page.locator("[data-rows] > .composer-row")


def totals(page: Page) -> Locator:
    return page.locator(".quiz-totals")


def list_stored(quiz: Quiz) -> list[str]:
    slots = Slot.objects.filter(section__quiz=quiz).order_by("section__position", "position")
    return [f"{slot} × {slot.points.normalize():f}" for slot in slots]


def test_a_quiz_of_six_with_a_draw_is_made_and_published_in_few_presses(visit, users, bank):
    presses = 0

    def tap(target: Locator) -> None:
        nonlocal presses
        presses += 1
        press(target)

    page = visit(users.instructor)
    page.goto("/admin/publishing/quiz/add/")
    write(page.locator("[name=title_en]"), "Six questions")
    write(page.locator("[name=slug]"), "six")
    page.locator("[name=group]").select_option(str(users.group.pk))
    presses += 3
    with page.expect_navigation():
        tap(page.locator("[name=_save]"))
    tap(page.locator(".composer-add [value='find:1']").first)
    expect(page.locator("[data-picker]")).to_be_visible()
    write(page.locator("[name=find-text]"), "fixed")
    presses += 1
    page.keyboard.press("Enter")
    ticks = page.locator("[name=pick]")
    expect(ticks).to_have_count(5)
    for number in range(5):
        tap(ticks.nth(number))
    expect(page.locator("[data-picked]")).to_have_text("5 ticked")
    tap(page.locator("[data-pick]"))
    expect(rows(page)).to_have_count(5)
    page.locator("[name=new-bank]").select_option(str(bank.pk))
    page.locator("[name=new-tag]").select_option(label="pool")
    presses += 2
    tap(page.locator("[value=draw]"))
    expect(rows(page).last).to_contain_text("draws 1 of the 3 tagged pool")
    expect(totals(page)).to_contain_text("6 questions")
    drag(rows(page).last.locator("[data-handle]"), rows(page).first.locator(".row-prompt"))
    presses += 1
    with page.expect_navigation():
        tap(page.locator("[value=publish]"))
    with page.expect_navigation():
        tap(page.locator("[value=show_later]"))
    quiz = Quiz.objects.get(slug="six")
    assert quiz.current is not None
    assert quiz.current.question_count == 6
    assert list_stored(quiz)[0] == "1 × Bank (pool) × 1"
    assert presses < MOST_PRESSES


def test_two_questions_are_ticked_never_to_come_together(visit, users, bank, accessible):
    quiz = Quiz.objects.create(slug="pair", title={"en": "Pair"}, group=users.group)
    section = Section.objects.create(quiz=quiz, position=1)
    Slot.objects.create(section=section, pool_bank=bank, draw=8)
    page = visit(users.instructor)
    page.goto(f"/admin/publishing/quiz/{quiz.pk}/questions/")
    expect(page.locator("[data-enemies]")).to_be_hidden()
    press(page.locator("[value='find-here']"))
    ticks = page.locator("[name=pick]")
    expect(ticks).to_have_count(8)
    press(ticks.nth(0))
    press(page.locator("[value='separate']"))
    expect(page.locator("[data-picked]")).to_have_text("Tick two questions or more.")
    press(ticks.nth(1))
    press(page.locator("[value='separate']"))
    expect(page.locator("[data-enemies] li")).to_contain_text("fixed-1 · fixed-2")
    expect(page.locator("[data-part='problems']")).to_contain_text("only 7 can be")
    expect(page.locator("[name=enemies-removed]")).to_be_focused()
    accessible(page, "a pair that never comes together")
    write(rows(page).locator("[name$=-draw]"), "7")
    expect(page.locator("[data-part='problems'] li")).to_have_count(0)
    with page.expect_navigation():
        press(page.locator("[value=save]"))
    expect(page.locator("[data-enemies] li")).to_contain_text("fixed-1 · fixed-2")


def test_the_search_stays_in_its_place_when_results_come(visit, users, bank):
    quiz = Quiz.objects.create(slug="still", title={"en": "Still"}, group=users.group)
    page = visit(users.instructor)
    page.goto(f"/admin/publishing/quiz/{quiz.pk}/questions/")
    waiting: list[Route] = []
    page.route("**/questions/", lambda route: waiting.append(route))  # noqa: PLW0108  takes no built-in
    with page.expect_request("**/questions/"):
        page.locator(".composer-add [value='find:1']").click()
    search = page.locator("[name=find-text]")
    expect(search).to_be_focused()
    before = search.bounding_box()
    waiting[0].continue_()
    expect(page.locator("[name=pick]")).to_have_count(8)
    assert search.bounding_box() == before


def test_rows_are_ordered_changed_and_removed_by_keyboard_alone(visit, users, bank, accessible):
    quiz = Quiz.objects.create(slug="keys", title={"en": "Keys"}, group=users.group)
    page = visit(users.instructor, 768)
    speak(page, "es")
    page.goto(f"/admin/publishing/quiz/{quiz.pk}/questions/")
    page.locator(".composer-add [value='find:1']").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[name=find-text]")).to_be_focused()
    page.keyboard.type("fixed-2")
    page.keyboard.press("Enter")
    expect(page.locator("[name=pick]")).to_have_count(1)
    page.locator("[name=find-text]").fill("")
    page.keyboard.press("Enter")
    expect(page.locator("[name=pick]")).to_have_count(8)
    accessible(page, "the search")
    for number in range(3):
        page.locator("[name=pick]").nth(number).focus()
        page.keyboard.press("Space")
    page.locator("[data-pick]").focus()
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(3)
    down = rows(page).first.locator("[data-move='1']")
    down.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("[data-status]")).to_have_text("Ahora es el número 3 de 3.")
    expect(rows(page).last.locator("[data-move='1']")).to_be_focused()
    rows(page).first.locator("[name$=-points]").focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("2,5")
    expect(totals(page)).to_contain_text("4,5")
    removal = rows(page).nth(1).locator("[name=remove]")
    removal.focus()
    page.keyboard.press("Space")
    expect(totals(page)).to_contain_text("2 preguntas")
    page.keyboard.press("Space")
    expect(totals(page)).to_contain_text("3 preguntas")
    page.keyboard.press("Space")
    accessible(page, "the composer")
    page.locator("[value=save]").focus()
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert list_stored(quiz) == ["fixed-2 × 2.5", "fixed-1 × 1"]
