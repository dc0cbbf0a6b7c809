"""While somebody takes a graded quiz, attempts of others at its bank show them no key."""

import pytest
from django.urls import reverse

from accounts.models import Membership, Role
from quizzes.attempts.models import Assignment, Attempt
from quizzes.lib.errors import NotFound
from quizzes.results import grading_queue
from quizzes.results.selectors import load_report
from tests.attempt_helpers import finish, start, take_quiz
from tests.essay_factory import attempt_with_essay, create_essay
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.quizzes.api.programs import program
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def bank(users):
    """A bank that the outsider, who assists in the class, is asked of in another class."""
    Membership.objects.create(group=users.group, user=users.outsider, role=Role.ASSISTANT)
    return create_bank(users)


@pytest.fixture
def question(bank):
    return create_question(bank, "shared", right="b", kind="single_choice")


@pytest.fixture
def overseen(users, question) -> Attempt:
    """An attempt of a learner that the assistant oversees."""
    return take_quiz(create_quiz(users, [question], slug="overseen"), users.learner, {0: "b"})


@pytest.fixture
def own_attempt(users, question) -> Attempt:
    """The attempt that the assistant has open, as a learner of another class."""
    quiz = create_quiz(users, [question], slug="own")
    Assignment.objects.filter(quiz=quiz).delete()
    quiz.group = users.other_group
    quiz.save()
    Membership.objects.filter(group=users.other_group, user=users.outsider).delete()
    Membership.objects.create(group=users.other_group, user=users.outsider, role=Role.LEARNER)
    Assignment.objects.create(quiz=quiz, group=users.other_group)
    attempt = start(quiz, users.outsider)
    assert not attempt.is_staff_attempt
    return attempt


def load(attempt: Attempt, viewer):
    return load_report(attempt=attempt.uuid, viewer=viewer, language="en", now=NOW)


def test_the_report_of_somebody_else_is_hidden_until_one_s_own_attempt_ends(
    users, overseen, own_attempt
):
    with pytest.raises(NotFound):
        load(overseen, users.outsider)
    finish(own_attempt)
    assert load(overseen, users.outsider).questions[0].solution is not None


def test_no_page_and_no_program_shows_it_meanwhile(users, overseen, own_attempt):
    browser = logged_in_client(users.outsider)
    pages = [
        f"/admin/attempts/attempt/{overseen.pk}/change/",
        f"/admin/attempts/attempt/{overseen.pk}/score/1/",
        reverse("result", args=[overseen.uuid]),
    ]
    assert {page: browser.get(page).status_code for page in pages} == dict.fromkeys(pages, 404)
    client = program(users.outsider)
    assert client.get(f"results/{overseen.uuid}").status_code == 404
    finish(own_attempt)
    assert client.get(f"results/{overseen.uuid}").status_code == 200
    assert {page: browser.get(page).status_code for page in pages[:2]} == dict.fromkeys(
        pages[:2], 200
    )


def test_others_who_oversee_and_the_learner_still_see_it(users, overseen, own_attempt):
    for person in (users.instructor, users.administrator, users.learner):
        assert load(overseen, person).questions


def test_an_attempt_at_another_bank_hides_nothing(users, own_attempt):
    other = create_question(create_bank(users, "other"), "other", right="a", kind="single_choice")
    attempt = take_quiz(create_quiz(users, [other], slug="elsewhere"), users.learner, {0: "a"})
    assert load(attempt, users.outsider).questions


def test_essays_of_the_bank_wait_until_one_s_own_attempt_ends(users, bank, question, own_attempt):
    quiz = create_quiz(users, [create_essay(bank)], slug="essays")
    attempt_with_essay(quiz, users.learner)
    assert grading_queue.load_queue(users.outsider) == []
    assert len(grading_queue.load_queue(users.instructor)) == 1
    finish(own_attempt)
    assert len(grading_queue.load_queue(users.outsider)) == 1
