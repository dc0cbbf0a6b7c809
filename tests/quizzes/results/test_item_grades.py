"""The item level of a gradebook: every answer of a class, exactly, and nothing of others."""

from fractions import Fraction

import pytest

from accounts.models import Membership, Role
from quizzes.attempts.models import Assignment
from quizzes.lib.errors import NotFound
from quizzes.results.item_grades import (
    list_asked_questions,
    list_class_attempts,
    list_item_quizzes,
    load_item_grades,
)
from tests.attempt_helpers import finish, start, take_quiz
from tests.essay_factory import attempt_with_essay, create_essay
from tests.factories import create_bank, create_question, create_quiz
from tests.query_counts import statements

pytestmark = pytest.mark.django_db


@pytest.fixture
def bank(users):
    return create_bank(users)


def class_attempts(users, *quizzes, viewer=None):
    viewer = viewer or users.instructor
    return list_class_attempts(group=users.group, quizzes=quizzes, viewer=viewer)


def test_every_answer_is_there_with_its_exact_credit(users, bank):
    several = create_question(bank, "several", right="abc", options="abcd")
    quiz = create_quiz(users, [several, create_question(bank, "one", right="a")], points=2)
    attempt = take_quiz(quiz, users.learner, {0: "ab"})
    first, second = load_item_grades(class_attempts(users, quiz))[attempt.pk]
    assert (first.slot, first.question, first.credit, first.points) == (
        0,
        several.uuid,
        Fraction(2, 3),
        Fraction(2),
    )
    assert first.answer is not None
    assert len(first.answer["chosen"]) == 2
    assert (second.answer, second.credit) == (None, Fraction(0))


def test_what_waits_for_a_person_has_no_credit(users, bank):
    quiz = create_quiz(users, [create_essay(bank)])
    attempt = attempt_with_essay(quiz, users.learner)
    [item] = load_item_grades(class_attempts(users, quiz))[attempt.pk]
    assert item.credit is None


def test_questions_stand_in_the_order_of_the_quiz_however_each_was_asked(users, bank):
    questions = [create_question(bank, f"q{n}", right="a") for n in range(6)]
    quiz = create_quiz(users, questions[::-1], shuffle_questions=True)
    for learner in (users.learner, users.other_learner):
        take_quiz(quiz, learner, {0: "a"})
    questions_asked = list_asked_questions(class_attempts(users, quiz))
    assert [row.uuid for row in questions_asked] == [question.uuid for question in questions[::-1]]


def test_an_attempt_of_staff_of_another_class_or_of_who_left_is_not_among_them(users, bank):
    quiz = create_quiz(users, [create_question(bank, "q", right="a")])
    Membership.objects.create(user=users.administrator, group=users.group, role=Role.LEARNER)
    take_quiz(quiz, users.administrator, {0: "a"})
    left = take_quiz(quiz, users.learner, {0: "a"})
    assert [row.pk for row in class_attempts(users, quiz)] == [left.pk]
    assert not class_attempts(users, quiz, viewer=users.outsider)
    Membership.objects.filter(user=users.learner).delete()
    assert not class_attempts(users, quiz)


def test_answers_are_hidden_from_who_is_asked_the_same_just_now(users, bank):
    question = create_question(bank, "shared", right="a")
    quiz = create_quiz(users, [question], slug="overseen")
    Membership.objects.create(group=users.group, user=users.outsider, role=Role.ASSISTANT)
    Membership.objects.filter(group=users.other_group).update(role=Role.LEARNER)
    other_quiz = create_quiz(users, [question], slug="own")
    Assignment.objects.filter(quiz=other_quiz).delete()
    other_quiz.group = users.other_group
    other_quiz.save()
    Assignment.objects.create(quiz=other_quiz, group=users.other_group)
    own = start(other_quiz, users.outsider)
    assert list_item_quizzes(group=users.group, viewer=users.outsider) == ()
    finish(own)
    assert list_item_quizzes(group=users.group, viewer=users.outsider) == (quiz,)


def test_only_who_oversees_the_class_asks_for_its_quizzes(users):
    for person in (users.outsider, users.learner, users.stranger):
        with pytest.raises(NotFound):
            list_item_quizzes(group=users.group, viewer=person)


def test_more_attempts_and_questions_cost_no_more_queries(users, bank):
    questions = [create_question(bank, f"q{n}", right="a") for n in range(4)]
    small = create_quiz(users, questions[:1], slug="small")
    large = create_quiz(users, questions, slug="large")
    counts = []
    take_quiz(small, users.learner, {0: "a"})
    for learner in (users.learner, users.other_learner):
        take_quiz(large, learner, {0: "a"})
    for quiz in (small, large, small, large):
        with statements() as queries:
            attempts = class_attempts(users, quiz)
            list_asked_questions(attempts)
            load_item_grades(attempts)
        counts.append(len(queries))
    assert counts[2] == counts[3] <= 5
