"""Saving answers: kept once, in order, and told apart when they come late or cross."""

from datetime import timedelta
from uuid import uuid4

import pytest

from quizzes.attempts import responses, services
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, Response, SaveStatus
from quizzes.attempts.responses import ResponseInput, save_responses
from quizzes.attempts.selectors import load_attempt_view, load_manifest_versions
from quizzes.lib.errors import Invalid, NotFound
from quizzes.results import services as results
from tests.attempt_helpers import finish, later, raw_choice, save_choice, start
from tests.factories import NOW, create_bank, create_question, create_quiz, option_ids

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempt(users, a_quiz) -> Attempt:
    return start(a_quiz, users.learner)


@pytest.fixture
def timed(users, questions) -> Attempt:
    """Half an hour, and ten seconds of grace."""
    return start(create_quiz(users, questions, time_limit=30), users.learner)


def head(of: Attempt, slot: int = 0):
    return load_attempt_view(attempt=of.uuid, learner=of.learner).responses[slot]


def keep(of: Attempt, *saves: ResponseInput, learner=None):
    return save_responses(
        attempt=of.uuid, learner=learner or of.learner, inputs=saves, language="en", now=NOW
    )


def test_a_save_is_one_row_and_tells_what_stands(attempt):
    saved = save_choice(attempt, 0, "ca", client=(tab := uuid4()))
    assert (saved.status, saved.revision, saved.at) == (SaveStatus.ACCEPTED, 1, NOW)
    row = Response.objects.get()
    assert (row.slot, row.revision, row.language, row.client) == (0, 1, "en", tab)
    assert saved.answer == row.answer
    assert row.answer is not None
    assert set(row.answer["chosen"]) == set(raw_choice(attempt, 0, "ac")["chosen"])


def test_each_save_is_appended_and_the_newest_counts(attempt):
    for revision, letters in enumerate(("a", "ab", "b"), 1):
        assert save_choice(attempt, 0, letters).revision == revision
    assert Response.objects.count() == 3
    assert head(attempt).revision == 3
    assert head(attempt).answer["chosen"] == raw_choice(attempt, 0, "b")["chosen"]


def test_an_answer_can_be_taken_back(attempt):
    save_choice(attempt, 0, "a")
    saved = save_choice(attempt, 0, None)
    assert (saved.status, saved.revision, saved.answer) == (SaveStatus.ACCEPTED, 2, None)
    assert head(attempt).answer is None
    assert load_attempt_view(attempt=attempt.uuid, learner=attempt.learner).answered == 0


def test_a_flag_is_kept_with_and_without_an_answer(attempt):
    assert save_choice(attempt, 0, None, flagged=True).flagged
    assert save_choice(attempt, 1, "b", flagged=True).flagged
    assert [head(attempt, slot).flagged for slot in range(3)] == [True, True, False]
    save_choice(attempt, 1, "b")
    assert not head(attempt, 1).flagged


def test_many_slots_are_saved_at_once(attempt):
    saves = keep(
        attempt,
        ResponseInput(0, raw_choice(attempt, 0, "a"), uuid4()),
        ResponseInput(1, raw_choice(attempt, 1, "b"), uuid4()),
    )
    assert [(save.slot, save.status) for save in saves] == [(0, "accepted"), (1, "accepted")]


def test_nothing_to_save_is_nothing(attempt):
    assert keep(attempt) == ()


# --- Sent again ------------------------------------------------------------------------------
def test_a_save_sent_again_is_answered_as_the_first_time_and_kept_once(attempt):
    first = save_choice(attempt, 0, "a", operation=(operation := uuid4()), base_revision=0)
    assert (
        save_choice(attempt, 0, "a", later(seconds=5), operation=operation, base_revision=0)
        == first
    )
    assert Response.objects.count() == 1


def test_a_save_sent_again_after_a_newer_one_overwrites_nothing(attempt):
    first = save_choice(attempt, 0, "a", operation=(operation := uuid4()))
    save_choice(attempt, 0, "b")
    assert save_choice(attempt, 0, "a", operation=operation) == first
    assert head(attempt).revision == 2


def test_a_save_sent_again_after_the_end_is_still_acknowledged(timed):
    first = save_choice(timed, 0, "a", operation=(operation := uuid4()))
    assert save_choice(timed, 0, "a", later(hours=1), operation=operation) == first
    assert Response.objects.count() == 1


def test_half_of_a_batch_may_have_come_before(attempt):
    response_input = ResponseInput(0, raw_choice(attempt, 0, "a"), uuid4())
    keep(attempt, response_input)
    saves = keep(attempt, response_input, ResponseInput(1, raw_choice(attempt, 1, "b"), uuid4()))
    assert [(t.status, t.revision) for t in saves] == [("accepted", 1), ("accepted", 1)]
    assert Response.objects.count() == 2


def test_an_operation_belongs_to_one_slot(attempt):
    save_choice(attempt, 0, "a", operation=(operation := uuid4()))
    with pytest.raises(Invalid) as raised:
        save_choice(attempt, 1, "b", operation=operation)
    assert (raised.value.code, raised.value.detail["slot"]) == ("idempotency_key_reused", 1)
    assert Response.objects.count() == 1


def test_an_operation_belongs_to_one_answer(attempt):
    save_choice(attempt, 0, "a", operation=(operation := uuid4()))
    with pytest.raises(Invalid, match="idempotency_key_reused"):
        save_choice(attempt, 0, "b", operation=operation)
    assert Response.objects.count() == 1


def test_an_operation_stands_once_in_a_batch(attempt):
    operation = uuid4()
    with pytest.raises(Invalid, match="idempotency_key_reused"):
        keep(attempt, ResponseInput(0, None, operation), ResponseInput(1, None, operation))
    assert not Response.objects.exists()


def test_two_learners_may_come_upon_the_same_operation(users, a_quiz, attempt):
    operation = uuid4()
    other = start(a_quiz, users.other_learner)
    assert save_choice(attempt, 0, "a", operation=operation).status == SaveStatus.ACCEPTED
    assert save_choice(other, 0, "a", operation=operation).status == SaveStatus.ACCEPTED


# --- Crossing --------------------------------------------------------------------------------
def test_a_save_over_a_state_that_another_tab_changed_is_kept_but_does_not_count(attempt):
    save_choice(attempt, 0, "a", base_revision=0)
    saved = save_choice(attempt, 0, "b", base_revision=0)
    assert (saved.status, saved.revision) == (SaveStatus.CONFLICT, 1)
    assert saved.answer is not None
    assert saved.answer["chosen"] == raw_choice(attempt, 0, "a")["chosen"]
    assert head(attempt).revision == 1
    assert Response.objects.filter(status=SaveStatus.CONFLICT).count() == 1


def test_whoever_saw_what_stands_may_go_on(attempt):
    save_choice(attempt, 0, "a", base_revision=0)
    assert save_choice(attempt, 0, "b", base_revision=0).status == SaveStatus.CONFLICT
    saved = save_choice(attempt, 0, "b", base_revision=1)
    assert (saved.status, saved.revision) == (SaveStatus.ACCEPTED, 2)


def test_a_base_that_has_not_been_yet_is_a_conflict(attempt):
    saved = save_choice(attempt, 0, "a", base_revision=7)
    assert (saved.status, saved.revision, saved.answer) == (SaveStatus.CONFLICT, 0, None)


def test_without_a_base_whatever_stands_is_taken(attempt):
    save_choice(attempt, 0, "a")
    assert save_choice(attempt, 0, "b").revision == 2


def test_one_slot_in_conflict_does_not_hold_up_another(attempt):
    save_choice(attempt, 0, "a", base_revision=0)
    saves = keep(
        attempt,
        ResponseInput(0, raw_choice(attempt, 0, "b"), uuid4(), base_revision=0),
        ResponseInput(1, raw_choice(attempt, 1, "b"), uuid4(), base_revision=0),
    )
    assert [save.status for save in saves] == [SaveStatus.CONFLICT, SaveStatus.ACCEPTED]


# --- Late ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("after", "verdict"),
    [
        (timedelta(minutes=30), SaveStatus.ACCEPTED),
        (timedelta(minutes=30, seconds=10), SaveStatus.ACCEPTED),
        (timedelta(minutes=30, seconds=10, microseconds=1), SaveStatus.LATE),
        (timedelta(days=1), SaveStatus.LATE),
    ],
)
def test_a_save_within_the_grace_counts_and_after_it_goes_to_quarantine(timed, after, verdict):
    saved = save_choice(timed, 0, "a", NOW + after)
    row = Response.objects.get()
    assert (saved.status, row.status) == (verdict, verdict)
    assert row.received_at == NOW + after
    assert row.answer is not None


def test_a_late_save_is_told_what_stands(timed):
    save_choice(timed, 0, "a")
    saved = save_choice(timed, 0, "b", later(hours=1))
    assert (saved.status, saved.revision) == (SaveStatus.LATE, 1)
    assert saved.answer is not None
    assert saved.answer["chosen"] == raw_choice(timed, 0, "a")["chosen"]


def test_what_comes_after_submitting_goes_to_quarantine(attempt):
    services.submit(attempt=attempt.uuid, learner=attempt.learner, now=NOW)
    assert save_choice(attempt, 0, "a").status == SaveStatus.LATE
    results.grade(attempt=attempt.uuid, now=NOW)
    assert save_choice(attempt, 0, "a").status == SaveStatus.LATE
    assert head(attempt).revision == 0


def test_what_is_in_quarantine_never_counts_for_the_mark(attempt):
    save_choice(attempt, 1, "a")
    finish(attempt)
    save_choice(attempt, 1, "b")
    assert attempt.gradings.get().total_numerator == 0


# --- Refused ---------------------------------------------------------------------------------
@pytest.mark.parametrize("who", ["other_learner", "instructor", "administrator", "stranger"])
def test_nobody_saves_into_somebody_elses_attempt(users, attempt, who):
    with pytest.raises(NotFound):
        keep(attempt, ResponseInput(0, None, uuid4()), learner=getattr(users, who))


def test_there_is_no_saving_into_what_is_not_there(users):
    with pytest.raises(NotFound):
        save_responses(attempt=uuid4(), learner=users.learner, inputs=[], language="en", now=NOW)


@pytest.mark.parametrize(
    ("raw", "code", "detail"),
    [
        (ResponseInput(-1, None, uuid4()), "unknown_slot", {"where": "slot", "slot": -1}),
        (ResponseInput(3, None, uuid4()), "unknown_slot", {"where": "slot", "slot": 3}),
        (
            ResponseInput(0, None, uuid4(), base_revision=-1),
            "invalid_revision",
            {"where": "base_revision", "slot": 0},
        ),
        (
            ResponseInput(0, None, uuid4(), base_revision=10**7),
            "invalid_revision",
            {"where": "base_revision", "slot": 0},
        ),
        (ResponseInput(0, "a", uuid4()), "not_an_object", {"where": "answer", "slot": 0}),
        (
            ResponseInput(0, {"chosen": ["x"]}, uuid4()),
            "unknown_option",
            {"where": "chosen.0", "slot": 0},
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(attempt, raw, code, detail):
    with pytest.raises(Invalid) as raised:
        keep(attempt, raw)
    assert (raised.value.code, dict(raised.value.detail)) == (code, detail)


def test_a_slot_stands_once_in_a_batch(attempt):
    with pytest.raises(Invalid, match="slot_twice"):
        keep(attempt, ResponseInput(0, None, uuid4()), ResponseInput(0, None, uuid4()))


def test_of_a_batch_with_one_unreadable_save_nothing_is_kept(attempt):
    with pytest.raises(Invalid):
        keep(
            attempt,
            ResponseInput(0, raw_choice(attempt, 0, "a"), uuid4()),
            ResponseInput(1, {"chosen": 5}, uuid4()),
        )
    assert not Response.objects.exists()


def test_an_option_of_another_question_is_unknown(attempt, questions):
    with pytest.raises(Invalid, match="unknown_option"):
        keep(attempt, ResponseInput(0, {"chosen": option_ids(questions[1], "a")}, uuid4()))


def test_none_apply_is_an_answer_of_its_own(users):
    question = create_question(create_bank(users), "none", right="", none_apply=True)
    of = start(create_quiz(users, [question]), users.learner)
    saved = keep(of, ResponseInput(0, {"none_apply": True}, uuid4()))[0]
    assert saved.answer == {"chosen": [], "none_apply": True}
    finish(of)
    assert of.gradings.get().passed


# --- Cost ------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [3, 40])
def test_a_save_costs_three_statements_however_long_the_quiz_and_its_journal(users, counted, size):
    into = create_bank(users)
    of = start(
        create_quiz(users, [create_question(into, f"q{n}") for n in range(size)]), users.learner
    )
    sent = [raw_choice(of, slot, "a") for slot in range(size)]
    for _ in range(3):
        keep(of, *(ResponseInput(slot, raw, uuid4()) for slot, raw in enumerate(sent)))
    with counted() as queries:
        keep(of, *(ResponseInput(slot, raw, uuid4()) for slot, raw in enumerate(sent)))
    assert len(queries) <= 3
    with counted() as queries:
        keep(of, ResponseInput(0, sent[0], uuid4()))
    assert len(queries) <= 3


def test_reading_asks_no_database(attempt, counted):
    manifest = Manifest.from_json(attempt.manifest)
    load_manifest_versions(manifest)
    with counted() as queries:
        assert responses.parse_responses(manifest, [ResponseInput(0, None, uuid4())]) == [None]
    assert queries == []
