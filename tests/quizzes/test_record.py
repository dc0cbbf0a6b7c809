"""The record proves itself: whatever is changed, cut off or removed, `verify_record` names it."""

from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from quizzes.attempts.models import Attempt, Erasure, Response, SaveStatus
from quizzes.attempts.receipt import Receipt
from quizzes.attempts.response_chain import append_to_chain
from quizzes.lib import triggers
from quizzes.lib.errors import Invalid, NotFound, Refused
from quizzes.lib.hash_chain import START, chain_digest
from quizzes.lib.signing_keys import (
    create_secret,
    load_secret,
    load_signing_keys,
    parse_secret,
    rotate_secret,
)
from quizzes.results import checkpoints, services
from quizzes.results.erasure import erase_answers
from quizzes.results.grading_chain import grading_fields
from quizzes.results.models import (
    Checkpoint,
    CheckpointEntry,
    Grading,
    ItemResult,
    ManualGrade,
)
from quizzes.results.selectors import load_report
from tests.attempt_helpers import finish, later, save_choice, start, take_quiz
from tests.essay_factory import attempt_with_essay, create_essay, grade_essay, levels
from tests.factories import NOW, create_bank, create_quiz

pytestmark = pytest.mark.django_db


def verify() -> str:
    """Return what differs; nothing for a record as it was written."""
    out, err = StringIO(), StringIO()
    try:
        call_command("verify_record", stdout=out, stderr=err)
    except CommandError as error:
        out.write(str(error))
    sentence = (
        "rows of the record differ." if err.getvalue() else "The record is as it was written."
    )
    assert sentence in out.getvalue()
    return err.getvalue()


@pytest.fixture
def attempt(users, a_quiz):
    """An attempt with several saves of a slot, one of them late, beside another learner's."""
    attempt = start(a_quiz, users.learner)
    save_choice(attempt, 0, "abd")
    save_choice(attempt, 1, "b")
    save_choice(attempt, 0, "ab")
    save_choice(attempt, 0, "a", base_revision=1)
    finish(attempt)
    save_choice(attempt, 1, "a", later(hours=9))
    take_quiz(a_quiz, users.other_learner, {0: "a"})
    return attempt


@pytest.fixture
def lifted():
    """Lift the triggers, as an owner of the tables could."""
    triggers.drop_triggers(connection)
    yield
    triggers.install_triggers(connection)


def test_a_record_as_it_was_written_has_no_difference(attempt):
    assert Response.objects.filter(attempt=attempt).count() == 5
    assert verify() == ""


def test_an_answer_to_a_slot_that_the_attempt_does_not_have_is_named(users, a_quiz):
    """The database cannot see it, and whoever inserts it may chain it as the site does."""
    attempt = start(a_quiz, users.learner)
    save_choice(attempt, 0, "a")
    row = Response.objects.get(attempt=attempt)
    row.pk, row._state.adding, row.slot, row.idempotency_key = None, True, 99, uuid4()
    append_to_chain(attempt.uuid, [row], Response.objects.get(attempt=attempt))
    row.save()
    difference = f"response 2 of attempt {attempt.uuid}, slot: stored 99"
    (line,) = verify().splitlines()
    assert difference in line


@pytest.mark.parametrize("is_late", [False, True])
def test_an_answer_that_was_inserted_without_the_key_of_the_site_is_named(
    users, a_quiz, monkeypatch, is_late
):
    """Well formed and rightly chained, so the database takes it: by SQL, one has no key."""
    attempt = start(a_quiz, users.learner)
    save_choice(attempt, 0, "a")
    if is_late:
        finish(attempt)
    head = Response.objects.get(attempt=attempt)
    row = Response.objects.get(attempt=attempt)
    row.pk, row._state.adding, row.idempotency_key = None, True, uuid4()
    row.revision, row.status = (1, SaveStatus.LATE) if is_late else (2, SaveStatus.ACCEPTED)
    row.answer = {"chosen": []}
    with monkeypatch.context() as patched:
        foreign = parse_secret(create_secret())
        patched.setattr("quizzes.attempts.response_chain.load_signing_keys", lambda: foreign)
        append_to_chain(attempt.uuid, [row], head)
    row.save()
    difference = f"response 2 of attempt {attempt.uuid}, mac: stored {row.mac.hex()}"
    (line,) = verify().splitlines()
    assert difference in line


def test_rows_from_before_the_key_was_rotated_are_verified(attempt, monkeypatch):
    monkeypatch.setattr(
        "quizzes.lib.signing_keys._load_secret_once", lambda: rotate_secret(load_secret())
    )
    assert verify() == ""


@pytest.mark.parametrize(
    "change",
    [
        {"manifest": {}},
        {"receipt": {"receipt": {}, "key": "", "signature": ""}},
        {"receipt": None},
        {"submitted_at": NOW + timedelta(seconds=1)},
        {"submission_reason": "expired"},
        {"number": 9},
    ],
    ids=lambda change: next(iter(change)),
)
def test_an_attempt_that_its_receipt_contradicts_is_named(attempt, lifted, change):
    Attempt.objects.filter(pk=attempt.pk).update(**change)
    assert f"receipt of attempt {attempt.uuid}" in verify()


# --- Marks by persons ------------------------------------------------------------------------
@pytest.fixture
def marked(users):
    """An essay that was marked twice."""
    quiz = create_quiz(users, [create_essay(create_bank(users))])
    attempt = attempt_with_essay(quiz, users.learner)
    grade_essay(attempt, users.instructor, levels(0, 0), comment="Say why.")
    grade_essay(attempt, users.instructor, levels(1, 0), comment="Better.")
    return attempt


def test_marks_by_persons_are_chained(marked):
    assert ManualGrade.objects.count() == 2
    assert Grading.objects.count() == 3
    assert verify() == ""


def test_a_mark_that_was_inserted_without_the_key_of_the_site_is_named(marked):
    """Where somebody who may insert rows marks an essay: all but the code is as it should be."""
    row = ManualGrade.objects.get(number=2)
    with transaction.atomic():
        triggers.drop_triggers(connection)
        ManualGrade.objects.filter(pk=row.pk).update(mac=bytes(32))
        triggers.install_triggers(connection)
    (line,) = verify().splitlines()
    assert f"manualgrade 2 of attempt {row.attempt.uuid}, mac" in line


# --- Checkpoints -----------------------------------------------------------------------------
def test_a_checkpoint_has_what_changed_since_the_one_before(attempt, users, a_quiz):
    first = checkpoints.make_checkpoint(now=NOW)
    assert first.document["checkpoint"]["entries"] == 2
    save_choice(attempt, 1, "b", later(hours=9))
    second = checkpoints.make_checkpoint(now=later(days=1))
    (entry,) = CheckpointEntry.objects.filter(checkpoint=second.number)
    assert (entry.attempt, entry.heads["responses"]["count"]) == (attempt.uuid, 6)
    assert checkpoints.make_checkpoint(now=later(days=2)).document["checkpoint"]["entries"] == 0
    assert verify() == ""


def test_a_checkpoint_is_made_once_a_day(attempt):
    assert checkpoints.make_daily_checkpoint(now=NOW) is not None
    assert checkpoints.make_daily_checkpoint(now=later(hours=23)) is None
    assert checkpoints.make_daily_checkpoint(now=later(hours=24)) is not None
    assert Checkpoint.objects.count() == 2


def test_a_chain_whose_end_was_cut_off_is_found_by_the_checkpoint(attempt, lifted):
    checkpoints.make_checkpoint(now=NOW)
    Response.objects.filter(attempt=attempt, sequence=5)._raw_delete(connection.alias)
    assert f"attempt {attempt.uuid}, responses, row 5: stored missing" in verify()


def test_an_attempt_that_was_removed_is_found_by_the_checkpoint(users, a_quiz, lifted):
    attempt = start(a_quiz, users.learner)
    save_choice(attempt, 0, "a")
    checkpoints.make_checkpoint(now=NOW)
    Response.objects.filter(attempt=attempt)._raw_delete(connection.alias)
    Attempt.objects.filter(pk=attempt.pk)._raw_delete(connection.alias)
    assert f"attempt {attempt.uuid}, row: stored missing" in verify()


def test_a_chain_that_was_written_anew_is_found_by_the_checkpoint(attempt, lifted):
    checkpoints.make_checkpoint(now=NOW)
    row = Grading.objects.get(attempt=attempt)
    row.engine = "99"
    digest = chain_digest(START, grading_fields(attempt.uuid, row, row.item_results.all()))
    Grading.objects.filter(pk=row.pk).update(engine="99", digest=digest)
    assert f"attempt {attempt.uuid}, gradings, row 1" in verify()


@pytest.mark.parametrize("forge", ["heads", "removed", "document", "last"])
def test_a_forged_checkpoint_is_named(attempt, lifted, forge):
    for day in range(3):
        checkpoints.make_checkpoint(now=later(days=day))
    entries = CheckpointEntry.objects.filter(attempt=attempt.uuid)
    if forge == "heads":
        entries.update(heads={"responses": None, "gradings": None, "manual_grades": None})
    elif forge == "removed":
        entries._raw_delete(connection.alias)
    elif forge == "document":
        document = Checkpoint.objects.get(number=1).document
        document["checkpoint"]["made_at"] = "2020-01-01T00:00:00.000000Z"
        Checkpoint.objects.filter(number=1).update(document=document)
    else:
        Checkpoint.objects.filter(number=1)._raw_delete(connection.alias)
    assert "checkpoint " in verify()


# --- Erasure ---------------------------------------------------------------------------------
def test_what_is_erased_is_gone_and_the_record_still_verifies(attempt, users):
    document = attempt.receipt
    checkpoints.make_checkpoint(now=NOW)
    score = Grading.objects.get(attempt=attempt).total
    now = later(hours=10)
    erasure = erase_answers(learner=users.learner, by=users.learner, reason="asked", now=now)
    for row in Response.objects.filter(learner=users.learner):
        assert (row.answer, row.salt, row.erasure) == (None, None, erasure)
    assert not ItemResult.objects.filter(learner=users.learner, answer__isnull=False).exists()
    assert Response.objects.exclude(learner=users.learner).get().answer is not None
    assert verify() == ""
    attempt.refresh_from_db()
    assert attempt.receipt == document
    assert Grading.objects.get(attempt=attempt).total == score


def test_after_an_erasure_a_changed_row_is_still_named(attempt, users, lifted):
    now = later(hours=10)
    erase_answers(learner=users.learner, by=users.administrator, reason="asked", now=now)
    row = Response.objects.get(attempt=attempt, sequence=2)
    Response.objects.filter(pk=row.pk).update(answer_digest=bytes(32))
    ItemResult.objects.filter(grading__attempt=attempt, slot=0).update(
        credit_numerator=1, credit_denominator=7
    )
    report = verify()
    assert f"response 2 of attempt {attempt.uuid}" in report
    assert f"grading 1 of attempt {attempt.uuid}, digest" in report


def test_only_an_erasure_may_empty_a_row(attempt, users):
    erasure = Erasure.objects.create(learner=users.learner, reason="asked", erased_at=NOW)
    rows = Response.objects.filter(attempt=attempt)
    for change in (
        {"answer": None, "salt": None},
        {"answer": None, "erasure": erasure},
        {"erasure": erasure},
        {"answer": None, "salt": None, "erasure": erasure, "slot": 5},
        {"answer": None, "salt": None, "erasure": erasure, "digest": bytes(32)},
    ):
        with pytest.raises(DatabaseError, match="refused"), transaction.atomic():
            rows.update(**change)
    rows.update(answer=None, salt=None, erasure=erasure)
    with pytest.raises(DatabaseError, match="refused"), transaction.atomic():
        rows.update(erasure=None)
    with pytest.raises(DatabaseError, match="refused"), transaction.atomic():
        rows.update(answer={"chosen": []})


def test_who_may_not_erase_and_when_nobody_may(attempt, users, a_quiz):
    with pytest.raises(NotFound):
        erase_answers(learner=users.learner, by=users.instructor, reason="x", now=NOW)
    with pytest.raises(Invalid):
        erase_answers(learner=users.learner, by=users.learner, reason=" ", now=NOW)
    start(a_quiz, users.learner, later(days=2))
    with pytest.raises(Refused):
        erase_answers(learner=users.learner, by=users.learner, reason="x", now=NOW)
    assert not Erasure.objects.exists()


def test_comments_and_ledgers_are_erased_and_the_record_still_verifies(marked, users):
    assert ManualGrade.objects.filter(comment="").count() < 2
    now = later(hours=1)
    erasure = erase_answers(learner=users.learner, by=users.learner, reason="asked", now=now)
    for row in ManualGrade.objects.all():
        assert (row.comment, row.salt, row.erasure) == ("", None, erasure)
    assert not ItemResult.objects.filter(score__isnull=False).exists()
    assert verify() == ""
    report = load_report(attempt=marked.uuid, viewer=users.learner, language="en", now=now)
    (question,) = report.questions
    assert question.comments == ()
    assert question.credit == Grading.objects.latest("number").total


# --- Receipts --------------------------------------------------------------------------------
def signed_receipt(attempt) -> dict[str, Any]:
    document: Any = attempt.receipt
    assert document is not None
    return dict(document)


def test_a_receipt_says_what_was_handed_in(attempt, users, a_quiz):
    document = signed_receipt(attempt)
    keys = load_signing_keys()
    assert keys.is_signed(document["receipt"], document["key"], document["signature"])
    receipt = Receipt.from_json(document["receipt"])
    rows = {row.sequence: row for row in Response.objects.filter(attempt=attempt)}
    assert (receipt.attempt, receipt.learner) == (attempt.uuid, users.learner.uuid)
    assert (receipt.quiz, receipt.submitted_at) == (a_quiz.uuid, NOW)
    assert (receipt.responses, receipt.chain_head) == (4, bytes(rows[4].digest).hex())
    assert receipt.answers == {
        0: bytes(rows[3].answer_digest).hex(),
        1: bytes(rows[2].answer_digest).hex(),
    }


def test_an_attempt_without_an_answer_has_a_receipt(users, a_quiz):
    receipt = Receipt.from_json(signed_receipt(take_quiz(a_quiz, users.learner))["receipt"])
    assert (receipt.responses, receipt.chain_head, receipt.answers) == (0, "0" * 64, {})
    assert verify() == ""


def test_an_expired_attempt_has_a_receipt(users, questions):
    attempt = start(create_quiz(users, questions, time_limit=1), users.learner)
    save_choice(attempt, 0, "a")
    services.sweep(now=later(minutes=2))
    attempt.refresh_from_db()
    receipt = Receipt.from_json(signed_receipt(attempt)["receipt"])
    assert (receipt.submission_reason, receipt.submitted_at) == ("expired", later(minutes=1))
    assert verify() == ""


def test_an_attempt_that_cannot_be_graded_has_a_receipt_all_the_same(users, a_quiz, monkeypatch):
    def fail(*_):
        raise ValueError("no grader")

    with monkeypatch.context() as patch:
        patch.setattr(services, "score_attempt", fail)
        attempt = take_quiz(a_quiz, users.learner, {0: "a"})
    document = signed_receipt(attempt)
    assert (attempt.state, Receipt.from_json(document["receipt"]).responses) == ("submitted", 1)
    services.sweep(now=later(hours=1))
    attempt.refresh_from_db()
    assert (attempt.state, attempt.receipt) == ("graded", document)


def test_a_receipt_is_written_once(attempt):
    with pytest.raises(DatabaseError, match="refused"), transaction.atomic():
        Attempt.objects.filter(pk=attempt.pk).update(receipt={})
    with pytest.raises(DatabaseError, match="refused"), transaction.atomic():
        Attempt.objects.filter(pk=attempt.pk).update(receipt=None)


@pytest.mark.parametrize("change", [{"form": 2}, {"more": 1}, {"answers": {"00": "a" * 64}}, {}])
def test_only_what_this_program_writes_is_read_as_a_receipt(attempt, change):
    content = {**signed_receipt(attempt)["receipt"], **change} if change else []
    with pytest.raises(ValueError, match="receipt"):
        Receipt.from_json(content)
