"""Answers to a question are graded one after the other by keyboard, and all at once by mouse."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from quizzes.results.models import ManualGrade
from tests.attempt_helpers import take_quiz
from tests.factories import create_bank, create_question, create_quiz
from tests.journeys.mouse import press

pytestmark = pytest.mark.browser


@pytest.fixture
def answers(transactional_db, users) -> str:
    """The page of a question that two learners have answered."""
    question = create_question(create_bank(users), "single", right="b", kind="single_choice")
    quiz = create_quiz(users, [question])
    for learner in (users.learner, users.other_learner):
        take_quiz(quiz, learner, {0: "a"})
    return f"/admin/attempts/attempt/answers/{quiz.uuid}/{question.uuid}/"


def test_after_each_score_the_next_answer_waits_with_its_points_chosen(visit, users, answers):
    page = visit(users.instructor)
    page.goto(answers)
    page.get_by_role("link", name="Change the score of Learner").press("Enter")
    points = page.locator("[name=points]")
    expect(points).to_be_focused()
    page.keyboard.type("0.5")
    page.keyboard.press("Tab")
    page.keyboard.type("Half of it")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("is saved")).to_be_visible()
    expect(points).to_be_focused()
    expect(page.locator("[name=reason]")).to_have_value("Half of it")
    page.keyboard.type("0.25")
    page.keyboard.press("Enter")
    expect(page.locator("tbody .mark")).to_have_count(2)
    assert urlsplit(page.url).path == answers
    marks = ManualGrade.objects.order_by("attempt").values_list("share_denominator", "comment")
    assert list(marks) == [(2, "Half of it"), (4, "Half of it")]


def test_one_press_chooses_all_answers_of_the_page_for_one_score(visit, users, answers):
    page = visit(users.instructor)
    page.goto(answers)
    choose_all = page.get_by_label("Choose all on this page")
    press(choose_all)
    expect(page.locator("tbody input:checked")).to_have_count(2)
    page.locator("tbody input").first.uncheck()
    expect(choose_all).not_to_be_checked()
    press(choose_all)
    page.locator("[name=points]").fill("1")
    page.locator("[name=reason]").fill("Nobody could know that")
    press(page.get_by_role("button", name="Save the scores"))
    expect(page.get_by_text("2 scores are saved")).to_be_visible()
    assert ManualGrade.objects.filter(comment="Nobody could know that").count() == 2
