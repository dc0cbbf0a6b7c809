"""Quiz versions in plain values, read once."""

from fractions import Fraction

import pytest

from quizzes.publishing.models import Quiz, QuizVersion
from quizzes.publishing.selectors import (
    effective_scoring_method,
    load_quiz_uuid,
    load_quiz_version,
)
from tests.factories import create_bank, create_question, create_quiz

pytestmark = pytest.mark.django_db


def current(of: Quiz) -> QuizVersion:
    return QuizVersion.objects.get(quiz=of)


def test_an_edition_is_read_once_and_kept(users, a_quiz, counted):
    quiz_version = current(a_quiz)
    with counted() as first:
        loaded = load_quiz_version(quiz_version)
    with counted() as second:
        assert load_quiz_version(quiz_version) is loaded
    assert len(first) == 2
    assert second == []


def test_places_hold_what_may_be_drawn_in_order(users, a_quiz, questions):
    quiz_version = load_quiz_version(current(a_quiz))
    assert [place.candidates[0].question for place in quiz_version.items] == [
        str(question.uuid) for question in questions
    ]
    assert {(place.draw, place.points) for place in quiz_version.items} == {(1, Fraction(1))}
    assert (quiz_version.maximum, quiz_version.threshold, quiz_version.question_count) == (
        Fraction(3),
        Fraction(4, 5),
        3,
    )


def test_scoring_methods_are_named_once_each(users, a_quiz):
    assert load_quiz_version(current(a_quiz)).scoring_methods == (
        "right_minus_wrong",
        "all_or_nothing",
    )


def test_a_quizs_own_scoring_method_rules_over_multiple_choice_alone(users, questions):
    quiz_version = load_quiz_version(
        current(create_quiz(users, questions, scoring_method="halves"))
    )
    assert quiz_version.scoring_methods == ("halves", "all_or_nothing")
    many, single, _ = (place.candidates[0] for place in quiz_version.items)
    assert effective_scoring_method(many, quiz_version.policies) == "halves"
    assert effective_scoring_method(single, quiz_version.policies) == "all_or_nothing"


def test_the_number_of_queries_does_not_grow_with_the_questions(users, counted):
    into = create_bank(users)
    quiz_version = current(create_quiz(users, [create_question(into, f"q{n}") for n in range(12)]))
    with counted() as queries:
        load_quiz_version(quiz_version)
    assert len(queries) == 2


def test_a_quiz_is_found_by_its_short_name(a_quiz):
    assert load_quiz_uuid("quiz") == a_quiz.uuid
    assert load_quiz_uuid("another") is None
