"""Where a quiz locks questions: one after the other, and none is seen or answered again."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from quizzes.attempts.models import Attempt, Response, SaveStatus
from quizzes.attempts.question_locks import leave_question
from quizzes.attempts.responses import ResponseInput, save_responses
from quizzes.attempts.selectors import load_attempt_view
from quizzes.lib.errors import Invalid, NotFound, Refused
from quizzes.results.reopening import reopen_attempt
from tests.attempt_helpers import finish, later, raw_choice, save_choice, start
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.question_factory import document, publish_document, samples
from tests.quizzes.api.programs import program

pytestmark = pytest.mark.django_db


@pytest.fixture
def locking(users, questions):
    return create_quiz(users, questions, one_question_a_page=True, lock_questions=True)


@pytest.fixture
def attempt(users, locking) -> Attempt:
    return start(locking, users.learner)


def leave(attempt: Attempt, slot: int, **fields) -> int:
    values = {"learner": attempt.learner, "now": NOW, **fields}
    return leave_question(attempt=attempt.uuid, slot=slot, **values)


def list_shown(attempt: Attempt) -> list[int]:
    return list(load_attempt_view(attempt=attempt.uuid, learner=attempt.learner).shown_slots)


def test_the_next_question_is_shown_and_the_one_before_is_not(attempt):
    assert list_shown(attempt) == [0]
    assert leave(attempt, 0) == 1
    assert list_shown(attempt) == [1]


def test_leaving_a_question_twice_locks_one(attempt):
    assert [leave(attempt, 0), leave(attempt, 0)] == [1, 1]
    assert [leave(attempt, 1), leave(attempt, 0)] == [2, 2]


def test_an_answer_to_a_question_that_was_left_is_kept_and_does_not_count(attempt):
    save_choice(attempt, 0, "a")
    leave(attempt, 0)
    saved = save_choice(attempt, 0, "b")
    assert (saved.status, saved.revision) == (SaveStatus.LOCKED, 1)
    assert saved.answer is not None
    assert saved.answer["chosen"] == raw_choice(attempt, 0, "a")["chosen"]
    late_row = Response.objects.get(status=SaveStatus.LOCKED)
    assert late_row.answer is not None
    assert late_row.answer["chosen"] == raw_choice(attempt, 0, "b")["chosen"]


def test_a_save_that_was_acknowledged_before_is_acknowledged_again(attempt):
    first = save_choice(attempt, 0, "a", operation=(operation := uuid4()))
    leave(attempt, 0)
    assert save_choice(attempt, 0, "a", operation=operation) == first


def test_a_batch_of_a_locked_and_the_open_question_keeps_both(attempt):
    leave(attempt, 0)
    saves = save_responses(
        attempt=attempt.uuid,
        learner=attempt.learner,
        inputs=[
            ResponseInput(slot, raw_choice(attempt, slot, letters), uuid4())
            for slot, letters in ((0, "a"), (1, "b"))
        ],
        language="en",
        now=NOW,
    )
    assert [saved.status for saved in saves] == [SaveStatus.LOCKED, SaveStatus.ACCEPTED]


def test_a_question_that_is_not_reached_cannot_be_answered(attempt):
    with pytest.raises(Invalid) as refused:
        save_choice(attempt, 1, "b")
    assert refused.value.code == "unknown_slot"
    assert not Response.objects.exists()


def test_the_last_question_and_those_to_come_cannot_be_left(attempt):
    for slot in (1, 2, 3):
        with pytest.raises(Invalid):
            leave(attempt, slot)
    leave(attempt, 0)
    leave(attempt, 1)
    with pytest.raises(Invalid):
        leave(attempt, 2)


def test_nobody_else_leaves_a_question(attempt, users):
    for person in (users.other_learner, users.instructor, users.administrator):
        with pytest.raises(NotFound):
            leave(attempt, 0, learner=person)


def test_after_the_end_nothing_is_locked_and_all_is_shown(attempt):
    finish(attempt)
    with pytest.raises(Refused) as refused:
        leave(attempt, 0)
    assert refused.value.code == "over"
    assert list_shown(attempt) == [0, 1, 2]


def test_when_time_is_over_nothing_is_locked(users, questions):
    quiz = create_quiz(
        users, questions, time_limit=30, one_question_a_page=True, lock_questions=True
    )
    attempt = start(quiz, users.learner)
    with pytest.raises(Refused):
        leave(attempt, 0, now=later(hours=1))
    assert save_choice(attempt, 0, "a", later(hours=1)).status == SaveStatus.LATE


def test_a_quiz_that_does_not_lock_has_nothing_to_leave(users, a_quiz):
    with pytest.raises(Refused) as refused:
        leave(start(a_quiz, users.learner), 0)
    assert refused.value.code == "not_locking"


def test_a_number_in_doubt_is_confirmed_before_its_question_is_left(users):
    into = create_bank(users)
    sample = next(sample for sample in samples() if str(sample).startswith("numeric: a price"))
    number = publish_document(into, "number", document(sample))
    other = create_question(into, "other")
    quiz = create_quiz(users, [number, other], one_question_a_page=True, lock_questions=True)
    attempt = start(quiz, users.learner)

    def answer(**separator):
        raw = {"typed": "3.125", "language": "en", **separator}
        save_responses(
            attempt=attempt.uuid,
            learner=attempt.learner,
            inputs=[ResponseInput(0, raw, uuid4())],
            language="en",
            now=NOW,
        )

    answer()
    with pytest.raises(Refused) as refused:
        leave(attempt, 0)
    assert (refused.value.code, refused.value.detail["slots"]) == ("numbers_unconfirmed", [0])
    answer(separator="decimal")
    assert leave(attempt, 0) == 1


def test_who_submits_early_is_graded_by_what_was_answered(attempt):
    save_choice(attempt, 0, "abc")
    leave(attempt, 0)
    assert finish(attempt).state == "graded"


def test_a_reopened_attempt_goes_on_where_the_earlier_one_was(attempt, users):
    save_choice(attempt, 0, "a")
    leave(attempt, 0)
    finish(attempt)
    reopened = reopen_attempt(
        attempt=attempt.uuid,
        minutes=None,
        reason="alarm",
        by=users.instructor,
        now=later(minutes=1),
    )
    assert list_shown(reopened) == [1]
    assert save_choice(reopened, 0, "b").status == SaveStatus.LOCKED
    assert Response.objects.filter(attempt=reopened, status=SaveStatus.ACCEPTED).count() == 1


@pytest.mark.parametrize(("status", "slot"), [("accepted", 0), ("locked", 1)])
def test_the_database_refuses_what_the_lock_contradicts(attempt, status, slot):
    save_choice(attempt, 0, "a")
    leave(attempt, 0)
    row = Response.objects.get()
    row.pk, row.sequence, row.slot, row.status = None, 2, slot, status
    row.revision, row.idempotency_key = 2 - slot, uuid4()
    row._state.adding = True
    with pytest.raises(IntegrityError, match="locked"), transaction.atomic():
        Response.objects.bulk_create([row])


def test_the_database_unlocks_nothing(attempt):
    leave(attempt, 0)
    with pytest.raises(IntegrityError, match="stays locked"), transaction.atomic():
        Attempt.objects.update(locked_slots=0)
    finish(attempt)
    with pytest.raises(IntegrityError, match="stays locked"), transaction.atomic():
        Attempt.objects.update(locked_slots=2)


@pytest.mark.postgres
def test_an_attempt_that_is_over_is_written_as_a_whole_with_its_locks_as_they_are(attempt):
    leave(attempt, 0)
    finish(attempt)
    ended = Attempt.objects.get()
    ended.save()
    assert Attempt.objects.get().locked_slots == 1


def test_locking_needs_one_question_a_page(users, questions):
    with pytest.raises(IntegrityError, match="quiz_locks_one_question_a_page"):
        create_quiz(users, questions, lock_questions=True)


class TestPages:
    def test_the_page_has_one_question_and_goes_on(self, client, attempt, users):
        client.force_login(users.learner)
        page = reverse("attempt", args=[attempt.uuid])
        html = client.get(page).content.decode()
        assert 'id="q-0"' in html
        assert 'id="q-1"' not in html
        assert "Go on to question 2" in html
        chosen = raw_choice(attempt, 0, "ab")["chosen"]
        sent = client.post(page, {"r-0": "0", "q-0": chosen, "leave": "0"}, follow=True)
        html = sent.content.decode()
        assert 'id="q-0"' not in html
        assert 'id="q-1"' in html
        assert Response.objects.get().status == SaveStatus.ACCEPTED
        client.post(page, {"leave": "0"})  # a second click
        assert list_shown(attempt) == [1]

    def test_an_old_tab_is_told_what_did_not_count(self, client, attempt, users):
        client.force_login(users.learner)
        leave(attempt, 0)
        page = reverse("attempt", args=[attempt.uuid])
        chosen = raw_choice(attempt, 0, "a")["chosen"]
        sent = client.post(page, {"r-0": "0", "q-0": chosen, "leave": "0"}, follow=True)
        assert "Question 1 had been left before this answer to it arrived" in sent.content.decode()
        assert list_shown(attempt) == [1]

    def test_a_script_is_told_what_did_not_count(self, client, attempt, users):
        client.force_login(users.learner)
        leave(attempt, 0)
        save = {
            "slot": 0,
            "answer": raw_choice(attempt, 0, "a"),
            "flagged": False,
            "base_revision": 0,
            "idempotency_key": str(uuid4()),
            "client": None,
        }
        sent = client.post(
            reverse("save", args=[attempt.uuid]), {"saves": [save]}, "application/json"
        )
        [saved] = sent.json()["saves"]
        assert saved["status"] == "locked"
        assert "had been left" in saved["sentence"]

    def test_the_review_quotes_the_question_that_is_asked_alone(self, client, attempt, users):
        client.force_login(users.learner)
        leave(attempt, 0)
        html = client.get(reverse("review", args=[attempt.uuid])).content.decode()
        assert html.count("review-excerpt") == 1
        assert html.count("not reached yet") == 1
        assert "You can go back to question 2" in html

    def test_the_last_question_is_submitted(self, client, attempt, users):
        client.force_login(users.learner)
        leave(attempt, 0)
        leave(attempt, 1)
        html = client.get(reverse("attempt", args=[attempt.uuid])).content.decode()
        assert 'name="leave"' not in html
        client.post(reverse("submit", args=[attempt.uuid]))
        attempt.refresh_from_db()
        assert attempt.state == "graded"

    def test_learners_know_before_they_begin(self, client, locking, users):
        client.force_login(users.learner)
        assert "you cannot go back" in client.get(f"/quizzes/{locking.slug}/").content.decode()


class TestREST:
    def test_the_question_that_is_asked_is_shown_alone_and_left(self, attempt, users):
        own, path = program(users.learner), f"attempts/{attempt.uuid}"
        body = own.get(path).json()
        assert [question["slot"] for question in body["questions"]] == [0]
        assert (body["question_count"], body["locked_count"]) == (3, 0)
        left = own.post(f"{path}/leave-question", {"slot": 0})
        assert left.status_code == 200
        assert [question["slot"] for question in left.json()["questions"]] == [1]
        assert left.json()["locked_count"] == 1
        late = own.save(body, [(0, raw_choice(attempt, 0, "a")["chosen"])])
        assert (late.status_code, late.json()["code"]) == (409, "locked")

    def test_what_cannot_be_left_is_refused(self, attempt, users):
        path = f"attempts/{attempt.uuid}/leave-question"
        assert program(users.learner).post(path, {"slot": 1}).status_code == 422
        assert program(users.stranger).post(path, {"slot": 0}).status_code == 404
