"""Challenging a question and answering it: whose it is, what it may say, and when."""

from uuid import UUID, uuid4

import pytest

from accounts.models import Membership, Role, User
from quizzes.attempts.models import Assignment, Attempt
from quizzes.audit.models import AuditEvent
from quizzes.challenges.models import Challenge
from quizzes.challenges.selectors import (
    count_waiting_challenges,
    find_own_challenge,
    list_challenged_questions,
    list_overseen_challenges,
)
from quizzes.challenges.services import MAX_COMMENT, answer_challenges, challenge_question
from quizzes.events.models import Event
from quizzes.lib.errors import Conflict, Invalid, NotFound, Refused
from quizzes.privacy.person_erasure import erase_person
from quizzes.results.reveal import EVERYTHING, NOTHING, Visibility
from tests.attempt_helpers import finish, start, take_quiz
from tests.factories import NOW, create_bank, create_question, create_quiz, option_ids
from tests.users import Users

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempt(users: Users, a_quiz) -> Attempt:
    return take_quiz(a_quiz, users.learner, {0: "ab", 1: "a"})


def challenge(attempt: Attempt, learner: User, slot: int = 1, **fields) -> Challenge:
    defaults = {"reason": "key", "comment": "The book says a.", "language": "en", "now": NOW}
    return challenge_question(
        attempt=attempt.uuid, slot=slot, learner=learner, **{**defaults, **fields}
    )


def answer(by: User, *challenges: Challenge, **fields) -> list[Challenge]:
    defaults = {"verdict": "declined", "answer": "See page 12.", "now": NOW}
    return answer_challenges(
        challenges=[row.uuid for row in challenges], by=by, **{**defaults, **fields}
    )


def test_a_learner_challenges_a_question_of_their_own_attempt(users, attempt, questions):
    option = UUID(option_ids(questions[1], "a")[0])
    row = challenge(attempt, users.learner, option=option)
    assert (row.version.question, row.option) == (questions[1], option)
    report = find_own_challenge(
        attempt=attempt.uuid, slot=1, learner=users.learner, visible=NOTHING
    )
    assert report is not None
    assert (report.comment, report.is_answered, report.answer) == ("The book says a.", False, "")


def test_once_a_question(users, attempt):
    challenge(attempt, users.learner)
    with pytest.raises(Conflict, match="challenged_before"):
        challenge(attempt, users.learner)
    challenge(attempt, users.learner, slot=0)
    assert Challenge.objects.count() == 2


def test_nobody_challenges_an_attempt_of_another(users, attempt):
    for person in (users.other_learner, users.instructor, users.administrator):
        with pytest.raises(NotFound):
            challenge(attempt, person)


@pytest.mark.parametrize("slot", [-1, 3])
def test_a_slot_that_is_not_there(users, attempt, slot):
    with pytest.raises(NotFound):
        challenge(attempt, users.learner, slot=slot)


def test_not_before_it_is_graded(users, a_quiz):
    with pytest.raises(Refused, match="challenge_before_grading"):
        challenge(start(a_quiz, users.learner), users.learner)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"reason": "angry"}, "challenge_reason_unknown"),
        ({"comment": " \0 "}, "challenge_comment_length"),
        ({"comment": "x" * (MAX_COMMENT + 1)}, "challenge_comment_length"),
        ({"option": UUID(int=1)}, "challenge_option_unknown"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_is_kept(users, attempt, fields, code):
    with pytest.raises(Invalid, match=code):
        challenge(attempt, users.learner, **fields)
    assert not Challenge.objects.exists()


def test_what_can_be_challenged_says_nothing_of_the_key(users, attempt, questions):
    """A right option and a wrong one are taken alike, as is a question that was answered right."""
    for slot, question in enumerate(questions[:2]):
        for name in ("a", "b"):
            option = UUID(option_ids(question, name)[0])
            row = challenge(attempt, users.learner, slot=slot, option=option)
            assert row.verdict == ""
            row.delete()


def test_an_answer_is_read_once_the_key_is_shown_or_if_it_is_called_safe(users, attempt):
    row = challenge(attempt, users.learner)
    answer(users.instructor, row)
    for visible, text in (
        (NOTHING, ""),
        (Visibility(score=True, correctness=True, feedback=True, explanation=True), ""),
        (Visibility(key=True), "See page 12."),
        (EVERYTHING, "See page 12."),
    ):
        report = find_own_challenge(
            attempt=attempt.uuid, slot=1, learner=users.learner, visible=visible
        )
        assert report is not None
        assert (report.is_answered, report.answer) == (True, text)
        assert bool(report.verdict) == bool(text)
    answer(users.instructor, row, safe_before_key=True, verdict="accepted")
    report = find_own_challenge(
        attempt=attempt.uuid, slot=1, learner=users.learner, visible=NOTHING
    )
    assert report is not None
    assert (report.verdict, report.answer) == ("accepted", "See page 12.")


def test_all_challenges_of_a_question_are_answered_together(users, a_quiz, attempt):
    other = take_quiz(a_quiz, users.other_learner, {1: "a"})
    rows = [challenge(attempt, users.learner), challenge(other, users.other_learner)]
    assert count_waiting_challenges(users.instructor) == 2
    (question,) = list_challenged_questions(users.instructor)
    assert (question.waiting, question.total) == (2, 2)
    answered = answer(users.instructor, *rows, verdict="accepted")
    assert {row.answered_by for row in answered} == {users.instructor}
    assert count_waiting_challenges(users.instructor) == 0
    assert Event.objects.filter(kind="challenge_answered").count() == 2
    event = AuditEvent.objects.filter(code="challenge_answered").latest("pk")
    assert (event.before, event.after) == (
        {"verdict": ""},
        {"verdict": "accepted", "safe_before_key": False},
    )


def test_if_one_is_not_theirs_none_is_answered(users, a_quiz, attempt, questions):
    row = challenge(attempt, users.learner)
    elsewhere = create_bank(users, "elsewhere")
    other = create_quiz(users, [create_question(elsewhere, "x")], slug="other")
    Membership.objects.create(group=users.other_group, user=users.stranger, role=Role.LEARNER)
    Assignment.objects.create(quiz=other, group=users.other_group)
    foreign = challenge(take_quiz(other, users.stranger, {0: "a"}), users.stranger, slot=0)
    assert set(list_overseen_challenges(users.outsider)) == {foreign}
    with pytest.raises(NotFound):
        answer(users.outsider, foreign, row)
    with pytest.raises(NotFound):
        answer_challenges(
            challenges=[uuid4()], by=users.outsider, verdict="accepted", answer="x", now=NOW
        )
    assert not Challenge.objects.exclude(verdict="").exists()


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"verdict": ""}, "verdict_missing"),
        ({"verdict": "maybe"}, "verdict_missing"),
        ({"answer": " "}, "challenge_answer_length"),
        ({"answer": "x" * (MAX_COMMENT + 1)}, "challenge_answer_length"),
    ],
)
def test_an_answer_needs_a_verdict_and_words(users, attempt, fields, code):
    row = challenge(attempt, users.learner)
    with pytest.raises(Invalid, match=code):
        answer(users.instructor, row, **fields)


def test_who_has_an_attempt_open_on_the_same_bank_reads_no_challenges(users, a_quiz, attempt):
    """Learners write here what they take for right."""
    challenge(attempt, users.learner)
    Membership.objects.create(group=users.group, user=users.outsider, role=Role.LEARNER)
    opened = start(a_quiz, users.outsider)
    assert not opened.is_staff_attempt
    Membership.objects.create(group=users.other_group, user=users.learner, role=Role.LEARNER)
    Assignment.objects.create(quiz=a_quiz, group=users.other_group)
    assert list_overseen_challenges(users.outsider).count() == 0
    finish(opened)
    assert list_overseen_challenges(users.outsider).count() == 1


def test_nobody_answers_their_own(users, a_quiz):
    own = take_quiz(a_quiz, users.instructor, {1: "a"})
    row = challenge(own, users.instructor)
    with pytest.raises(NotFound):
        answer(users.instructor, row)
    answer(users.administrator, row)


def test_an_erasure_takes_what_was_said(users, attempt):
    challenge(attempt, users.learner)
    erase_person(person=users.learner, by=users.administrator, now=NOW)
    assert not Challenge.objects.exists()
