"""Grading by learner: every question of an attempt on one page, and the next learner beside it."""

import pytest

from accounts.models import Membership, Role
from quizzes.attempts.models import Attempt
from quizzes.results.models import ManualGrade, Result
from quizzes.results.neighbour_attempts import find_neighbour_attempts
from tests.attempt_helpers import later, start, take_quiz
from tests.essay_factory import attempt_with_essay, create_essay
from tests.factories import create_quiz
from tests.quizzes.instructor.results.test_admin import override_page, page_of
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def author(users):
    return logged_in_client(users.instructor)


@pytest.fixture
def attempts(users, a_quiz) -> list[Attempt]:
    """One of the learner, then two of the other learner."""
    return [
        take_quiz(a_quiz, users.learner, {0: "ab", 1: "a"}),
        take_quiz(a_quiz, users.other_learner, {1: "b"}),
        take_quiz(a_quiz, users.other_learner, {1: "a"}, later(hours=9)),
    ]


def test_every_question_has_its_answer_key_score_and_forms_in_place(author, attempts):
    closed = author.get(page_of(attempts[0])).content.decode()
    assert 'name="points"' not in closed
    assert 'href="?mark"' in closed
    text = author.get(f"{page_of(attempts[0])}?mark").content.decode()
    assert text.count('name="points"') == text.count('name="comment"') == 3
    assert text.count("<details") == text.count("open>") == 3
    for number in (1, 2, 3):
        assert f'action="{override_page(attempts[0], number)}?mark"' in text
    assert "right, not chosen" in text


def test_a_score_and_a_comment_in_place_lead_back_to_their_question(author, attempts):
    address = f"{override_page(attempts[0], 2)}?mark"
    back = f"{page_of(attempts[0])}?mark#question-2"
    form = {"points": "0.5", "reason": "A slip", "seen": "0"}
    assert author.post(address, form)["Location"] == back
    page = author.get(f"{page_of(attempts[0])}?mark")
    question = page.context["questions"][1]
    assert (question.is_overridden, question.earned, question.computed) == (
        True,
        "0.5",
        "0 of 1 point",
    )
    assert page.context["seen"] == 1
    assert author.post(address, {"comment": "Read it again."})["Location"] == back
    page = author.get(f"{page_of(attempts[0])}?mark")
    assert [question.own_comment for question in page.context["questions"]] == [
        "",
        "Read it again.",
        "",
    ]
    form = {"withdraw": "1", "reason": "It was none", "seen": page.context["seen"]}
    assert author.post(address, form)["Location"] == back
    assert Result.objects.get(attempt=attempts[0]).grading.manual_grades_read == 3


def test_marked_meanwhile_the_form_in_place_saves_nothing(author, attempts):
    form = {"points": "0.5", "reason": "A slip", "seen": "0"}
    author.post(f"{override_page(attempts[0], 1)}?mark", form)
    answer = author.post(f"{override_page(attempts[0], 2)}?mark", form)
    assert answer.status_code == 409
    assert f'href="{page_of(attempts[0])}?mark#question-2"' in answer.content.decode()
    assert ManualGrade.objects.count() == 1


def test_the_newest_attempt_of_the_next_learner_is_a_click_away(author, users, attempts):
    first = author.get(f"{page_of(attempts[0])}?mark")
    assert first.context["neighbours"].previous is None
    assert f'href="{page_of(attempts[2])}?mark"' in first.content.decode()
    for attempt in attempts[1:]:
        page = author.get(page_of(attempt))
        neighbours = page.context["neighbours"]
        assert (neighbours.previous, neighbours.following) == (attempts[0], None)
        assert f'href="{page_of(attempts[0])}"' in page.content.decode()


def test_neighbours_are_those_whom_one_oversees_and_never_staff_or_oneself(
    users, attempts, a_quiz, questions
):
    def list_neighbours(viewer):
        neighbours = find_neighbour_attempts(attempt=attempts[0], viewer=viewer)
        return [neighbours.previous, neighbours.following]

    take_quiz(a_quiz, users.instructor, {})
    Membership.objects.create(group=users.group, user=users.stranger, role=Role.LEARNER)
    start(a_quiz, users.stranger)
    take_quiz(create_quiz(users, questions, slug="other"), users.stranger, {})
    assert list_neighbours(users.instructor) == [None, attempts[2]]
    assert list_neighbours(users.administrator) == [None, attempts[2]]
    assert list_neighbours(users.outsider) == [None, None]
    Membership.objects.filter(user=users.other_learner).update(role=Role.ASSISTANT)
    assert list_neighbours(users.other_learner) == [None, None]


def test_an_essay_leads_to_its_rubric_and_has_no_form_in_place(author, users, questions):
    essay = create_essay(questions[0].bank)
    quiz = create_quiz(users, [essay], slug="essays")
    attempt = attempt_with_essay(quiz, users.learner)
    page = author.get(f"{page_of(attempt)}?mark")
    [link] = [
        line.split('"')[1]
        for line in page.content.decode().splitlines()
        if f"/admin/results/manualgrade/{quiz.uuid}/{essay.uuid}/" in line and "<a" in line
    ]
    assert 'name="points"' not in page.content.decode()
    levels = {"level-idea": "idea-2", "level-form": "form-1"}
    assert author.get(link).status_code == 200
    assert author.post(link, levels).status_code == 302
    graded = author.get(f"{page_of(attempt)}?mark").content.decode()
    assert link in graded
    assert 'name="points"' not in graded
    assert author.get(override_page(attempt, 1)).status_code == 404


def test_who_may_not_replace_scores_has_no_forms(users, attempts, a_quiz):
    staff = take_quiz(a_quiz, users.instructor, {})
    page = logged_in_client(users.administrator).get(f"{page_of(staff)}?mark")
    assert page.context["is_marking"] is False
    assert 'name="points"' not in page.content.decode()
    assert logged_in_client(users.outsider).get(f"{page_of(attempts[0])}?mark").status_code in {
        302,
        404,
    }


def test_more_questions_and_learners_ask_no_more_often(author, users, attempts, questions, counted):
    short = take_quiz(create_quiz(users, questions[:1], slug="short"), users.learner, {})
    for attempt in (short, attempts[0]):
        author.get(f"{page_of(attempt)}?mark")
    with counted() as few:
        author.get(f"{page_of(short)}?mark")
    with counted() as many:
        author.get(f"{page_of(attempts[0])}?mark")
    assert len(many) == len(few) <= 24
