"""Numbers that can be read in two ways: asked about before they count, as long as there is time."""

from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from quizzes.attempts import services as lifecycle
from quizzes.attempts.models import Response, State, SubmissionReason
from quizzes.attempts.responses import ResponseInput, save_responses
from quizzes.lib import clock
from quizzes.lib.errors import Refused
from quizzes.results import services as results
from quizzes.results.models import ItemResult
from tests.attempt_helpers import later, start
from tests.factories import NOW, create_bank, create_quiz
from tests.question_factory import document, publish_document, samples
from tests.quizzes.api.programs import program
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

NUMBER, CLOZE, ESSAY, CHOICE = range(4)
SAMPLES = {
    NUMBER: "numeric: a price",
    CLOZE: "cloze: a gap of each sort",
    ESSAY: "essay",
    CHOICE: "single_choice",
}
AMBIGUOUS = {"typed": "3.125", "language": "en"}
GAPS = {"gaps": {"value": {"text": "3,125", "language": "en"}}}


@pytest.fixture
def questions(users):
    bank, every_sample = create_bank(users), samples()
    chosen = [
        next(sample for sample in every_sample if str(sample).startswith(name))
        for name in SAMPLES.values()
    ]
    return [
        publish_document(bank, f"q{slot}", document(sample)) for slot, sample in enumerate(chosen)
    ]


@pytest.fixture
def attempt(users, questions):
    return start(create_quiz(users, questions, shuffle_questions=False), users.learner)


def save(attempt: Any, answers: dict[int, Any], now: Any = NOW) -> None:
    inputs = [
        ResponseInput(slot=slot, raw=raw, idempotency_key=uuid4()) for slot, raw in answers.items()
    ]
    save_responses(
        attempt=attempt.uuid, learner=attempt.learner, inputs=inputs, language="en", now=now
    )


def finish(attempt: Any, now: Any = NOW) -> Any:
    results.finish(attempt=attempt.uuid, learner=attempt.learner, now=now)
    attempt.refresh_from_db()
    return attempt


def test_submitting_waits_for_every_number_and_names_their_slots(attempt):
    save(attempt, {NUMBER: AMBIGUOUS, CLOZE: GAPS, ESSAY: {"text": "3.125"}})
    with pytest.raises(Refused) as refused:
        finish(attempt)
    assert (refused.value.code, refused.value.detail) == (
        "numbers_unconfirmed",
        {"slots": [NUMBER, CLOZE]},
    )
    attempt.refresh_from_db()
    assert (attempt.state, attempt.submitted_at) == (State.OPEN, None)
    save(attempt, {NUMBER: AMBIGUOUS | {"separator": "decimal"}})
    with pytest.raises(Refused) as refused:
        finish(attempt)
    assert refused.value.detail == {"slots": [CLOZE]}
    save(attempt, {CLOZE: {"gaps": {"value": GAPS["gaps"]["value"] | {"separator": "decimal"}}}})
    assert finish(attempt).state == State.GRADED


@pytest.mark.parametrize(
    "raw", [None, {"typed": "4.25", "language": "en"}, AMBIGUOUS | {"separator": "thousands"}]
)
def test_only_the_newest_answer_of_a_slot_is_asked_about(attempt, raw):
    save(attempt, {NUMBER: AMBIGUOUS})
    save(attempt, {NUMBER: raw})
    assert finish(attempt).submission_reason == SubmissionReason.SUBMITTED


def test_a_number_that_another_tab_confirms_meanwhile_does_not_leave_the_attempt_open(
    attempt, monkeypatch
):
    save(attempt, {NUMBER: AMBIGUOUS})
    expire = lifecycle.expire

    def expire_while_confirmed(**arguments):
        save(attempt, {NUMBER: AMBIGUOUS | {"separator": "decimal"}})
        return expire(**arguments)

    monkeypatch.setattr(lifecycle, "expire", expire_while_confirmed)
    assert lifecycle.submit(attempt=attempt.uuid, learner=attempt.learner, now=NOW)
    attempt.refresh_from_db()
    assert attempt.state == State.SUBMITTED


def test_a_text_that_looks_like_a_mark_of_ours_is_a_text(attempt):
    save(attempt, {ESSAY: {"text": '{"read_by": "language"}'}})
    assert finish(attempt).submission_reason == SubmissionReason.SUBMITTED
    assert "read_by" in str(Response.objects.get(slot=ESSAY).answer)


@pytest.fixture
def timed(users, questions):
    quiz = create_quiz(users, questions, shuffle_questions=False, time_limit=30)
    return start(quiz, users.learner)


@pytest.mark.parametrize(
    ("span", "reason"),
    [
        ({"minutes": 30}, SubmissionReason.SUBMITTED),
        ({"hours": 2}, SubmissionReason.EXPIRED),
    ],
)
def test_once_time_is_over_nobody_is_asked_and_the_better_reading_counts(timed, span, reason):
    save(timed, {NUMBER: {"typed": "1.234", "language": "en"}})
    ended = finish(timed, later(**span))
    assert ended.submission_reason == reason
    item_result = ItemResult.objects.get(grading__attempt=ended, slot=NUMBER)
    assert (item_result.credit_numerator, item_result.credit_denominator) == (1, 1)
    assert "other_reading" in (item_result.score or {})["reasons"]


def test_an_attempt_that_expires_shows_in_page_and_rest_which_number_counted(users, questions):
    quiz = create_quiz(users, questions, shuffle_questions=False, time_limit=30)
    begun = start(quiz, users.learner, clock.now() - later(minutes=40) + NOW)
    save(begun, {NUMBER: {"typed": "1.234", "language": "en"}}, begun.started_at)
    client = logged_in_client(users.learner)
    page = client.get(reverse("attempt", args=[begun.uuid]), follow=True).content.decode()
    assert "Which of two numbers is meant was not said; the better one counts" in page
    result = program(users.learner).get(f"results/{begun.uuid}").json()
    answer = result["questions"][NUMBER]["answer"]
    assert (answer["read_by"], answer["number"]) == ("score", [1234, 1])


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The answers to questions 1, 2 have numbers that can be read in two ways."),
        ("es", "Las respuestas a las preguntas 1, 2 tienen números que se pueden leer de dos"),
    ],
)
def test_the_page_leads_to_the_first_field(attempt, language, sentence):
    save(attempt, {NUMBER: AMBIGUOUS, CLOZE: GAPS})
    client = logged_in_client(attempt.learner)
    headers = {"accept-language": language}
    review = client.get(reverse("review", args=[attempt.uuid]), headers=headers)
    assert sentence in review.content.decode()
    submitted = client.post(reverse("submit", args=[attempt.uuid]), headers=headers)
    assert submitted["Location"] == reverse("attempt", args=[attempt.uuid]) + f"#q-{NUMBER}"
    page = client.get(submitted["Location"], headers=headers).content.decode()
    assert sentence in page


def test_a_program_is_refused_until_it_sends_the_separator(attempt):
    client = program(attempt.learner)
    save(attempt, {NUMBER: AMBIGUOUS})
    path, key = f"attempts/{attempt.uuid}/submit", {"Idempotency-Key": "submit-1"}
    for headers in ({}, key):
        refused = client.post(path, **headers)
        assert (refused.status_code, refused.json()["code"]) == (409, "numbers_unconfirmed")
        assert refused.json()["slots"] == [NUMBER]
    save(attempt, {NUMBER: AMBIGUOUS | {"separator": "decimal"}})
    assert client.post(path, **key).status_code == 200
