"""A pass that is certain by memorising is published by nobody who did not decide so."""

from fractions import Fraction
from typing import Any

import pytest

from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.presentation.messages.memorised_pass import describe_remedy
from quizzes.publishing import services
from quizzes.publishing.memorised_pass import (
    LEARNERS,
    NEARLY_CERTAIN,
    MemorisedPassUndecided,
    change_draft,
    find_undecided_pass,
)
from quizzes.publishing.models import Quiz, QuizVersion, Section, Slot
from quizzes.publishing.planned_version import plan_quiz_version
from tests.factories import NOW, create_bank, create_question

pytestmark = pytest.mark.django_db

LATER: dict[str, Any] = {
    "reveal_correctness": "after_last_attempt",
    "reveal_feedback": "after_last_attempt",
}
PRACTISED = LATER | {"practice_shows_keys": True}


def draft(users, *, kind: str = "multiple_choice", count: int = 4, pool: int = 1, **fields) -> Quiz:
    """A quiz that draws `count` questions from `pool` times as many; with 1, all stand fixed."""
    bank = create_bank(users)
    right = "ab" if kind == "multiple_choice" else "a"
    questions = [
        create_question(bank, f"q{number}", right=right, kind=kind)
        for number in range(count * pool)
    ]
    quiz = Quiz.objects.create(slug="draft", title={"en": "A draft"}, group=users.group, **fields)
    section = Section.objects.create(quiz=quiz)
    if pool > 1:
        Slot.objects.create(section=section, pool_bank=bank, draw=count)
    else:
        for position, question in enumerate(questions):
            Slot.objects.create(section=section, position=position, question=question)
    return quiz


def ask(quiz: Quiz) -> MemorisedPassUndecided | None:
    planned, problems = plan_quiz_version(quiz)
    assert not problems
    return find_undecided_pass(quiz, planned)


def test_a_default_quiz_of_fixed_questions_asks_with_remedies_that_are_enough(users):
    quiz = draft(users)
    undecided = ask(quiz)
    assert undecided is not None
    assert undecided.memorised.to_json() == {
        "attempt": 2,
        "passing": "1.000",
        "disclosure": "parts",
    }
    assert undecided.passing[1:] == (1.0,) * 4
    later, fewer = undecided.remedies
    assert (later.code, later.settings) == ("show_later", LATER)
    assert (fewer.code, fewer.settings) == ("limit_attempts", {"max_attempts": 1})
    assert (len(later.passing), len(fewer.passing)) == (5, 1)
    for remedy in undecided.remedies:
        assert max(remedy.passing) < NEARLY_CERTAIN
        assert ask(change_draft(quiz, remedy.settings)) is None


@pytest.mark.parametrize(
    ("fields", "attempt"),
    [
        ({"pool": 2, "reveal_key": "after_submit"}, 3),
        ({"pool": 4, "reveal_key": "after_submit"}, 5),
        ({"pool": 4, "reveal_key": "after_submit", "max_attempts": 4}, None),
        ({"kind": "single_choice"}, 4),
        ({"kind": "single_choice", "max_attempts": 3, "pass_percent": 100}, None),
        # By lot half of them are right the second time: nearly all pass, though none for certain.
        ({"kind": "single_choice", "count": 12, "max_attempts": 3, "pass_percent": 25}, 2),
        ({"attempt_grade_policy": "first"}, None),
        ({"mode": "practice"}, None),
        ({"max_attempts": 1, "reveal_key": "after_submit"}, None),
        ({"pass_percent": 0}, None),
        (LATER, None),
        # Who is a guest for an attempt, or for the last one, is another guest after it.
        ({"audience": "anyone", "max_attempts": 1}, 2),
        ({"audience": "anyone", "attempt_grade_policy": "first"}, 2),
        ({"audience": "anyone", "max_attempts": 3} | LATER, 2),
        ({"audience": "anyone"} | LATER, None),
        (PRACTISED, 1),
        (PRACTISED | {"max_attempts": 1}, 1),
    ],
)
def test_what_is_certain_within_the_attempts_that_a_quiz_allows(users, fields, attempt):
    undecided = ask(draft(users, **fields))
    assert (undecided and undecided.memorised.attempt) == attempt


def test_practice_that_shows_right_answers_is_the_first_thing_to_change(users):
    undecided = ask(draft(users, **PRACTISED))
    assert undecided is not None
    (remedy,) = undecided.remedies
    assert (remedy.code, remedy.settings) == ("hide_in_practice", {"practice_shows_keys": False})


def test_no_limit_of_attempts_is_a_remedy_where_guests_take_a_quiz(users):
    undecided = ask(draft(users, audience="anyone", max_attempts=1))
    assert undecided is not None
    (remedy,) = undecided.remedies
    assert (remedy.code, remedy.settings) == ("show_later", LATER | {"max_attempts": None})
    assert "Do not limit attempts" in describe_remedy(remedy.settings)


def test_a_remedy_changes_all_that_makes_a_pass_certain(users):
    undecided = ask(draft(users, practice_shows_keys=True))
    assert undecided is not None
    assert [remedy.code for remedy in undecided.remedies] == ["show_later", "limit_attempts"]
    for remedy in undecided.remedies:
        assert remedy.settings["practice_shows_keys"] is False


def test_no_key_is_read_for_the_figures(users, django_assert_num_queries):
    quiz = draft(users)
    planned, _problems = plan_quiz_version(quiz)
    with django_assert_num_queries(0):
        assert find_undecided_pass(quiz, planned) is not None


def test_so_many_questions_that_simulating_takes_long_are_measured_exactly(users, monkeypatch):
    monkeypatch.setattr("quizzes.publishing.memorising.MOST_STEPS", LEARNERS)
    undecided = ask(draft(users))
    assert undecided is not None
    assert (undecided.memorised.attempt, undecided.memorised.passing) == (2, 1.0)
    assert undecided.passing == ()
    assert [remedy.passing for remedy in undecided.remedies] == [(), ()]


def test_who_decides_is_kept_with_the_version_and_in_the_log(users):
    quiz = draft(users)
    for accepted in (None, 3):
        with pytest.raises(MemorisedPassUndecided) as raised:
            services.publish(quiz=quiz, by=users.instructor, now=NOW, accepted_attempt=accepted)
        assert raised.value.detail == {"attempt": 2}
    assert not QuizVersion.objects.exists()
    version = services.publish(quiz=quiz, by=users.instructor, now=NOW, accepted_attempt=2)
    figure = {"attempt": 2, "passing": "1.000", "disclosure": "parts"}
    assert (version.accepted_pass, version.published_by) == (figure, users.instructor)
    event = AuditEvent.objects.get(code=AuditCode.QUIZ_PUBLISHED)
    assert event.after == {"version": 1, "memorised_pass_accepted": figure}
    # Without a change nothing is published, so nothing is asked.
    assert services.publish(quiz=quiz, by=users.instructor, now=NOW) == version


def test_what_is_not_certain_is_published_without_a_question(users):
    version = services.publish(quiz=draft(users, **LATER), by=users.instructor, now=NOW)
    assert version.accepted_pass is None
    assert version.threshold == Fraction(4, 5)
