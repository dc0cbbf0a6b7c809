"""Copies of a block: references within it lead into the copy, others stay, nothing is twice."""

import pytest
from django.db import connection

from accounts.models import Group, Membership, Role, User
from bench.copied_rows import copy_block, find_block, mark
from quizzes.attempts.models import Attempt, QuizGrade
from quizzes.results.models import Grading, Result
from tests.attempt_helpers import finish, save_choice, start
from tests.factories import create_bank, create_question, create_quiz

pytestmark = pytest.mark.django_db


@pytest.fixture
def enrolled(users):
    """Two learners of a class that was there before them."""
    group = Group.objects.create(name="Before")
    before = mark([User, Membership])
    for name in ("ann", "bob"):
        person = User.objects.create_user(f"{name}@example.org", name=name)
        Membership.objects.create(group=group, user=person, role=Role.LEARNER)
    return group, find_block(before)


def test_references_within_the_block_lead_into_the_copy_and_others_stay(enrolled):
    group, block = enrolled
    copy_block(block, range(1, 4))
    members = Membership.objects.filter(group=group).select_related("user").order_by("pk")
    assert [member.user.email for member in members] == [
        *("ann@example.org", "bob@example.org"),
        *("ann-1@example.org", "bob-1@example.org"),
        *("ann-2@example.org", "bob-2@example.org"),
        *("ann-3@example.org", "bob-3@example.org"),
    ]
    assert {member.user.name for member in members} == {"ann", "bob"}
    numbers = [member.change_number for member in members]
    assert len({member.uuid for member in members}) == len(set(numbers)) == len(members)


def test_copies_go_on_where_the_last_ones_ended_and_new_rows_come_after_them(enrolled):
    group, block = enrolled
    copy_block(block, range(1, 2))
    copy_block(block, range(2, 60))
    assert Membership.objects.filter(group=group).count() == 2 * 60
    person = User.objects.create_user("later@example.org", name="later")
    Membership.objects.create(group=group, user=person, role=Role.LEARNER)
    assert person == User.objects.order_by("pk").last()


def test_triggers_are_back_once_the_copies_are_written(enrolled):
    _, block = enrolled
    copy_block(block, range(1, 2))
    with connection.cursor() as cursor:
        cursor.execute("SHOW session_replication_role")
        assert cursor.fetchone() == ("origin",)


def test_an_attempt_is_copied_with_its_learner_its_grade_and_its_result(users):
    quiz = create_quiz(users, [create_question(create_bank(users), "rivers")], audience="signed_in")
    before = mark([User, QuizGrade, Attempt, Grading, Result])
    person = User.objects.create_user("ann@example.org", name="Ann")
    attempt = start(quiz, person)
    save_choice(attempt, 0, "a")
    finish(attempt)
    copy_block(find_block(before), range(1, 2))
    copy = Attempt.objects.get(learner__email="ann-1@example.org")
    assert copy.quiz_grade.learner == copy.learner != person
    assert copy.quiz_grade.attempt == copy
    assert copy.quiz == attempt.quiz
    assert copy.result.grading.attempt == copy
    assert copy.result.grading.learner == copy.learner


def test_a_model_without_new_rows_is_named(users):
    with pytest.raises(ValueError, match=r"nothing to copy of accounts\.User"):
        find_block(mark([User]))
