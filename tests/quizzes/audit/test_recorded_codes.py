"""Imports, accepted answers and erasures leave a row that says who did what; so does each code."""

from fractions import Fraction
from pathlib import Path

import pytest

from accounts.email_confirmation import confirm_address
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.bank.models import Bank, QuestionVersion
from quizzes.challenges.services import answer_challenges, challenge_question
from quizzes.imports import jobs
from quizzes.privacy import data_requests
from quizzes.publishing.models import Quiz
from quizzes.results.add_accepted_answer import add_accepted_answer, load_accepted_answer_status
from quizzes.results.erasure import erase_answers
from quizzes.results.models import RegradePolicy
from quizzes.results.regrading import commit_regrade
from tests.attempt_helpers import take_quiz
from tests.factories import (
    NOW,
    create_bank,
    create_question,
    create_quiz,
    option_ids,
    publish_change,
)
from tests.quizzes.imports.import_jobs import create_job, read_job
from tests.short_text_factory import create_short_text
from tests.users import Users
from tools.paths import ROOT


def find_event(code: AuditCode) -> AuditEvent:
    return AuditEvent.objects.get(code=code)


@pytest.mark.django_db
@pytest.mark.usefixtures("store")
def test_an_import_is_recorded_when_it_is_confirmed_and_when_it_is_written(
    into: Bank, users: Users
):
    job = read_job(create_job(into))
    jobs.confirm_selection(job=job, selected=None, by=users.administrator)
    jobs.run(pk=job.pk, now=NOW)
    confirmed, written = find_event(AuditCode.IMPORT_CONFIRMED), find_event(AuditCode.BANK_IMPORTED)
    assert (confirmed.actor, confirmed.subject) == (users.administrator.uuid, into.uuid)
    assert confirmed.after == {"file": "a.yaml", "format": "ochenta-bank/1"}
    assert (written.subject, written.after) == (into.uuid, {"new": 1})


@pytest.mark.django_db
def test_an_answer_that_is_accepted_is_recorded_with_its_credit(users: Users):
    question = create_short_text(create_bank(users))
    add_accepted_answer(
        question=question,
        text="Lutetia",
        credit=Fraction(1, 3),
        by=users.instructor,
        revision=load_accepted_answer_status(question).revision,
        now=NOW,
    )
    event = find_event(AuditCode.ANSWER_ACCEPTED)
    assert (event.actor, event.subject) == (users.instructor.uuid, question.uuid)
    assert (event.group_pk, event.after) == (question.bank.group_id, {"credit": "1/3"})


@pytest.mark.django_db
def test_erased_answers_are_recorded_with_the_reason(users: Users, a_quiz: Quiz):
    take_quiz(a_quiz, users.learner, {0: "ab"})
    erasure = erase_answers(learner=users.learner, by=users.learner, reason=" asked ", now=NOW)
    event = find_event(AuditCode.ANSWERS_ERASED)
    assert (event.actor, event.subject) == (users.learner.uuid, users.learner.uuid)
    assert event.after == {"erasure": str(erasure.uuid), "reason": "asked", "attempts": 1}


@pytest.mark.django_db
def test_a_request_for_erasure_is_recorded_and_what_came_of_it(users: Users):
    person = users.learner
    data_requests.request_erasure(person=person, now=NOW)
    data_requests.withdraw_erasure(person=person, now=NOW)
    withdrawn = find_event(AuditCode.ERASURE_WITHDRAWN)
    assert find_event(AuditCode.ERASURE_REQUESTED).actor == withdrawn.actor == person.uuid
    request = data_requests.request_erasure(person=person, now=NOW)
    data_requests.refuse_erasure(
        request=request, by=users.administrator, reason="An appeal is open.", now=NOW
    )
    refused = find_event(AuditCode.ERASURE_REFUSED)
    assert (refused.actor, refused.subject) == (users.administrator.uuid, person.uuid)
    assert refused.after == {"reason": "An appeal is open."}
    assert AuditEvent.objects.filter(code=AuditCode.ERASURE_REQUESTED).count() == 2


@pytest.mark.django_db
def test_an_address_that_is_confirmed_is_recorded_once(users: Users):
    person = users.stranger
    assert not confirm_address(user=person, address="other@example.org")
    assert confirm_address(user=person, address=person.email)
    assert find_event(AuditCode.ADDRESS_CONFIRMED).subject == person.uuid


@pytest.mark.django_db
def test_an_answer_to_a_challenge_is_recorded_with_both_verdicts(users: Users, a_quiz: Quiz):
    attempt = take_quiz(a_quiz, users.learner, {0: "ab", 1: "a"})
    challenge = challenge_question(
        attempt=attempt.uuid,
        slot=1,
        learner=users.learner,
        reason="key",
        comment="The book says a.",
        language="en",
        now=NOW,
    )
    answer_challenges(
        challenges=[challenge.uuid],
        by=users.instructor,
        verdict="accepted",
        answer="It does.",
        now=NOW,
    )
    event = find_event(AuditCode.CHALLENGE_ANSWERED)
    assert (event.actor, event.subject) == (users.instructor.uuid, challenge.uuid)
    assert event.before == {"verdict": ""}
    assert event.after == {"verdict": "accepted", "safe_before_key": False}


@pytest.mark.django_db
def test_a_regrade_is_recorded_with_its_rule_and_reason(users: Users):
    question = create_question(create_bank(users), "one", right="a", kind="single_choice")
    quiz = create_quiz(users, [question])
    take_quiz(quiz, users.learner, {0: "b"})
    publish_change(question, key={"right": option_ids(question, "b")})
    commit_regrade(
        quiz=quiz,
        question=question,
        version=QuestionVersion.objects.get(question=question, number=2).uuid,
        policy=RegradePolicy.KEEP_BETTER,
        reason=" The key was wrong. ",
        by=users.instructor,
        now=NOW,
    )
    event = find_event(AuditCode.REGRADE_COMMITTED)
    assert (event.actor, event.subject) == (users.instructor.uuid, quiz.uuid)
    assert event.after == {
        "rule": 1,
        "action": "key",
        "question": "one",
        "version": 2,
        "policy": "keep_better",
        "reverts": None,
        "points_numerator": None,
        "points_denominator": None,
        "scoring_method": "",
        "reason": "The key was wrong.",
    }


def test_each_code_is_looked_for_by_a_test():
    texts = [path.read_text() for path in Path(ROOT, "tests").rglob("test_*.py")]
    missing = [
        code.name
        for code in AuditCode
        if not any(f"AuditCode.{code.name}" in text for text in texts)
    ]
    assert missing == []
