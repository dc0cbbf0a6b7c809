"""The page of an attempt in the admin tells every kind's answers, whatever became of the save."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils.html import escape
from django.utils.translation import override

from grading.kinds import KINDS
from quizzes.attempts.models import Response, SaveStatus
from quizzes.attempts.responses import ResponseInput, save_responses
from quizzes.bank.selectors import load_public_versions
from quizzes.presentation.kinds import answer_text
from tests import question_factory
from tests.attempt_helpers import finish, start
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.users import logged_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.once]

SAMPLES = [
    sample
    for sample in question_factory.samples()
    if any(example.source.get("answer") for example in sample.readable)
]
LANGUAGES = pytest.mark.parametrize("language", ["en", "es"])


def send(attempt, raw: Any, *, base=None, now=NOW) -> None:
    response_input = ResponseInput(slot=0, raw=raw, idempotency_key=uuid4(), base_revision=base)
    save_responses(
        attempt=attempt.uuid,
        learner=attempt.learner,
        inputs=[response_input],
        language="en",
        now=now,
    )


def page(user, attempt, language: str) -> Any:
    client = logged_in_client(user)
    client.cookies["language"] = language
    answer = client.get(f"/admin/attempts/attempt/{attempt.pk}/change/")
    assert answer.status_code == 200
    return answer


def test_there_is_a_question_of_every_kind():
    assert {sample.kind for sample in SAMPLES} == set(KINDS)


@pytest.mark.parametrize("sample", SAMPLES, ids=str)
@LANGUAGES
def test_answers_that_count_come_late_or_cross_another_are_told(users, sample, language):
    into = create_bank(users)
    question = question_factory.publish_document(into, "asked", question_factory.document(sample))
    # A quiz needs a question that earns points, and a card earns none.
    attempt = start(create_quiz(users, [question, create_question(into, "scored")]), users.learner)
    answered = [example.raw for example in sample.readable if example.source.get("answer")]
    send(attempt, answered[0])
    send(attempt, answered[-1], base=0)
    finish(attempt)
    send(attempt, answered[-1], now=NOW + timedelta(minutes=1))
    saves = Response.objects.filter(attempt=attempt).order_by("received_at", "pk")
    assert [save.status for save in saves] == [
        SaveStatus.ACCEPTED,
        SaveStatus.CONFLICT,
        SaveStatus.LATE,
    ]
    text = page(users.instructor, attempt, language)
    version = question.versions.get().uuid
    public_version = load_public_versions([version])[version]
    with override(language):
        answers = [answer_text(public_version, save.answer or {}, language) for save in saves]
    assert all(text.strip() for text in answers)
    assert [entry.answer for entry in text.context["journal"]] == answers
    told_of = text.context["questions"][0]
    assert told_of.answer == answers[0]
    assert all("_" not in line.reason for line in told_of.ledger)
    html = text.content.decode()
    assert all(html.count(escape(text)) >= answers.count(text) for text in answers)
    if not told_of.options:
        body = html.split('<dl class="answer-texts">')[1].split("</dl>")[0]
        assert escape(answers[0]) in body


@pytest.mark.parametrize("sample", SAMPLES, ids=str)
@LANGUAGES
def test_what_was_not_answered_or_taken_back_is_told_too(users, sample, language):
    into = create_bank(users)
    question = question_factory.publish_document(into, "asked", question_factory.document(sample))
    # A quiz needs a question that earns points, and a card earns none.
    attempt = start(create_quiz(users, [question, create_question(into, "scored")]), users.learner)
    send(attempt, None)
    finish(attempt)
    text = page(users.instructor, attempt, language)
    assert [entry.answer for entry in text.context["journal"]] == ["–"]
    told_of = text.context["questions"][0]
    assert told_of.answer == ""
    assert told_of.outcome_label not in {"", "unanswered", "needs_grading", "ungraded"}
    assert all("_" not in line.reason for line in told_of.ledger)


@pytest.mark.parametrize("sample", SAMPLES, ids=str)
def test_answers_are_told_before_the_attempt_is_graded(users, sample):
    into = create_bank(users)
    question = question_factory.publish_document(into, "asked", question_factory.document(sample))
    attempt = start(create_quiz(users, [question, create_question(into, "scored")]), users.learner)
    send(attempt, next(example.raw for example in sample.readable if example.source.get("answer")))
    text = page(users.instructor, attempt, "en")
    answered, unanswered = text.context["questions"]
    assert answered.answer == text.context["journal"][0].answer
    assert answered.outcome_label == (
        "answered" if KINDS[sample.kind].schema.graded else "not graded"
    )
    assert (unanswered.answer, unanswered.outcome_label) == ("", "not answered")
