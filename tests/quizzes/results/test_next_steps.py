"""What comes after a result: giving up further attempts to see what is right."""

from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction
from django.urls import reverse

from quizzes.attempts import services
from quizzes.attempts.giving_up import give_up
from quizzes.attempts.models import QuizGrade
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib.errors import NotFound, Refused
from quizzes.lib.hash_chain import format_time
from quizzes.publishing.models import RevealMoment
from quizzes.results.next_steps import gains_by_giving_up
from tests.attempt_helpers import later, report_on, start, take_quiz
from tests.factories import NOW, create_quiz
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


def test_who_gives_up_sees_the_key_and_begins_no_other_attempt(users, a_quiz):
    attempt = take_quiz(a_quiz, users.learner, {0: "d"})
    before = report_on(attempt)
    assert gains_by_giving_up(before)
    assert before.questions[0].solution is None
    first = give_up(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    again = give_up(quiz=a_quiz.uuid, learner=users.learner, now=NOW + timedelta(hours=1))
    assert first.gave_up_at == again.gave_up_at == NOW
    after = report_on(attempt)
    assert after.questions[0].solution is not None
    assert after.questions[0].explanation
    assert not gains_by_giving_up(after)
    with pytest.raises(Refused, match="gave_up"):
        services.start(quiz=a_quiz.uuid, learner=users.learner, now=later(days=9))
    assert services.start(quiz=a_quiz.uuid, learner=users.other_learner, now=NOW).number == 1


def test_only_who_has_a_graded_attempt_open_to_better_gives_up(users, a_quiz):
    with pytest.raises(NotFound):
        give_up(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    take_quiz(a_quiz, users.learner, {0: "d"})
    start(a_quiz, users.learner)
    with pytest.raises(Refused, match="attempt_open"):
        give_up(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    passing = take_quiz(a_quiz, users.other_learner, {0: "abc", 1: "b", 2: "b"})
    assert not gains_by_giving_up(report_on(passing))
    with pytest.raises(Refused, match="passed_already"):
        give_up(quiz=a_quiz.uuid, learner=users.other_learner, now=NOW)


def test_the_database_takes_nothing_back(users, a_quiz):
    take_quiz(a_quiz, users.learner, {0: "d"})
    give_up(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    with pytest.raises(DatabaseError), transaction.atomic():
        QuizGrade.objects.filter(learner=users.learner).update(gave_up_at=None)


def test_the_page_says_what_it_means_and_asks_first(users, a_quiz):
    attempt = take_quiz(a_quiz, users.learner, {0: "d"})
    client = logged_in_client(users.learner)
    address, result = (reverse(name, args=[attempt.uuid]) for name in ("give_up", "result"))
    assert address in client.get(result).content.decode()
    assert "give up all further attempts" in client.get(address).content.decode()
    assert QuizGrade.objects.get(learner=users.learner).gave_up_at is None
    assert client.post(address)["Location"] == result
    assert QuizGrade.objects.get(learner=users.learner).gave_up_at is not None
    text = client.get(result).content.decode()
    assert address not in text
    assert "Because" in text
    assert client.get(address)["Location"] == result


def test_nobody_else_finds_the_page(users, a_quiz):
    address = reverse("give_up", args=[take_quiz(a_quiz, users.learner, {0: "d"}).uuid])
    for person in (users.other_learner, users.instructor, users.stranger):
        assert logged_in_client(person).get(address).status_code == 404
        assert logged_in_client(person).post(address).status_code == 404
    assert QuizGrade.objects.get(learner=users.learner).gave_up_at is None


def test_giving_up_is_recorded_once_and_programs_do_it_too(users, a_quiz):
    attempt = take_quiz(a_quiz, users.learner, {0: "d"})
    address = reverse("api:give_up", args=[attempt.uuid])
    for person, status in ((users.other_learner, 404), (users.instructor, 404)):
        assert logged_in_client(person).post(address).status_code == status
    client = logged_in_client(users.learner)
    first, again = client.post(address), client.post(address)
    assert first.json() == again.json()
    gave_up_at = QuizGrade.objects.get(learner=users.learner).gave_up_at
    assert gave_up_at is not None
    event = AuditEvent.objects.get(code=AuditCode.ATTEMPTS_GIVEN_UP)
    assert (event.actor, event.subject) == (users.learner.uuid, a_quiz.uuid)
    assert event.after == {"gave_up_at": format_time(gave_up_at)}
    assert event.group_pk == a_quiz.group_id


def test_programs_are_told_why_nothing_can_be_given_up(users, a_quiz, questions):
    passing = take_quiz(a_quiz, users.learner, {0: "abc", 1: "b", 2: "b"})
    hidden = create_quiz(
        users,
        questions,
        slug="hidden",
        reveal_key=RevealMoment.NEVER,
        reveal_explanation=RevealMoment.NEVER,
    )
    failed = take_quiz(hidden, users.learner, {0: "d"})
    client = logged_in_client(users.learner)
    for attempt, code in ((passing, "passed_already"), (failed, "nothing_to_give_up")):
        response = client.post(reverse("api:give_up", args=[attempt.uuid]))
        assert (response.status_code, response.json()["code"]) == (409, code)
    assert not AuditEvent.objects.filter(code=AuditCode.ATTEMPTS_GIVEN_UP).exists()
