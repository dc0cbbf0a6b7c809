"""The layer of marks by persons, as every grading reads it."""

from fractions import Fraction

import pytest

from quizzes.results.grading_recomputation import verify
from quizzes.results.manual_grades import NO_MANUAL_GRADES, load_manual_grades
from tests.essay_factory import (
    attempt_with_essay,
    create_essay,
    essay_document,
    grade_essay,
    levels,
)
from tests.factories import create_bank, create_quiz, publish_change

pytestmark = pytest.mark.django_db


@pytest.fixture
def question(users):
    return create_essay(create_bank(users), graders=2)


@pytest.fixture
def written(users, question):
    return attempt_with_essay(create_quiz(users, [question]), users.learner)


def test_of_nobody_there_is_nothing_to_ask_for(written, counted):
    with counted() as queries:
        assert load_manual_grades(written.pk, 0) is NO_MANUAL_GRADES
    assert queries == []
    assert load_manual_grades(written.pk) == NO_MANUAL_GRADES


def test_marks_are_read_by_slot_in_their_order_all_or_the_first_so_many(users, written):
    grade_essay(written, users.instructor, levels(0, 0), comment="Poor")
    grade_essay(written, users.administrator, levels(2, 1))
    grades = load_manual_grades(written.pk)
    assert (grades.count, set(grades.by_slot)) == (2, {0})
    assert [(grade.number, grade.purpose, grade.graders) for grade in grades.by_slot[0]] == [
        (1, "first", 2),
        (2, "second", 2),
    ]
    assert [grade.score.credit for grade in grades.by_slot[0]] == [0, 1]
    assert grades.by_slot[0][0].comment == "Poor"
    [first] = load_manual_grades(written.pk, 1).by_slot[0]
    assert first.number == 1


def test_levels_come_in_the_authors_order_whatever_a_database_makes_of_it(users, written):
    grade_essay(written, users.instructor, {"form": "form-1", "idea": "idea-1"})
    [judged] = load_manual_grades(written.pk).by_slot[0]
    assert list(judged.levels.items()) == [("idea", "idea-1"), ("form", "form-1")]


def test_a_share_has_no_levels(users):
    attempt = attempt_with_essay(
        create_quiz(users, [create_essay(create_bank(users), criteria={})]), users.learner
    )
    grade_essay(attempt, users.instructor, Fraction(1, 3))
    [judged] = load_manual_grades(attempt.pk).by_slot[0]
    assert judged.levels == {}
    assert judged.score.credit == Fraction(1, 3)


def test_a_later_key_changes_nothing_of_what_a_person_gave(users, question, written):
    grade_essay(written, users.instructor, levels(1, 0))
    before = load_manual_grades(written.pk)
    publish_change(
        question, key=essay_document("why", {"idea": (0, 1, 9), "form": (0, 1)}, graders=1).key
    )
    assert load_manual_grades(written.pk) == before
    grade_essay(written, users.administrator, levels(1, 0))
    assert [grade.score.credit for grade in load_manual_grades(written.pk).by_slot[0]] == [
        Fraction(2, 5)
    ] * 2
    assert [differences for _, differences in verify([written]) if differences] == []
