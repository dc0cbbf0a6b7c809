"""Each column of each row of the record: whoever changes it is found, and the row is named."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from io import StringIO
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, connection, models, transaction

from quizzes.attempts.deadline_settings import save_accommodation, save_standing_accommodation
from quizzes.attempts.giving_up import give_up
from quizzes.attempts.models import (
    Accommodation,
    Attempt,
    AttemptMessage,
    DeadlineExtension,
    Erasure,
    QuizGrade,
    Response,
    StandingAccommodation,
)
from quizzes.attempts.pauses import pause_attempts, resume_attempts
from quizzes.audit import services as audit
from quizzes.audit.codes import AuditCode
from quizzes.audit.erasure import erase_from_log
from quizzes.audit.models import AuditErasure, AuditEvent, AuditSeal, SealedEvent
from quizzes.audit.tasks import seal_audit_events
from quizzes.lib.base_models import AppendOnly, BigIntegerTextField
from quizzes.lib.hash_chain import chain_digest
from quizzes.practice.models import PracticeStep, PracticeTry
from quizzes.practice.services import ask_for_answer, check_answer, draw_next
from quizzes.results import services
from quizzes.results.checkpoints import make_checkpoint
from quizzes.results.erasure import erase_answers
from quizzes.results.grading_chain import grading_fields
from quizzes.results.manual_grading import grade_manually
from quizzes.results.models import (
    Checkpoint,
    CheckpointEntry,
    Grading,
    ItemResult,
    ManualGrade,
    RegradePolicy,
    RegradeRule,
    Result,
)
from quizzes.results.reopening import reopen_attempt
from tests.attempt_helpers import later, start, take_quiz
from tests.essay_factory import attempt_with_essay, create_essay
from tests.factories import NOW, create_question, create_quiz, option_ids
from tests.forged_rows import without_constraints
from tests.regrade_helpers import commit, correct_key

pytestmark = pytest.mark.django_db

NAMES: Mapping[type[models.Model], Callable[[Any], str]] = {
    Attempt: lambda row: f"attempt {row.uuid}",
    DeadlineExtension: lambda row: f"deadlineextension {row.number} of attempt {row.attempt.uuid}",
    Accommodation: lambda row: f"accommodation {row.uuid}",
    StandingAccommodation: lambda row: f"standing accommodation {row.uuid}",
    Response: lambda row: f"response {row.sequence} of attempt {row.attempt.uuid}",
    Grading: lambda row: f"grading {row.number} of attempt {row.attempt.uuid}",
    ItemResult: lambda row: f"grading {row.grading.number} of attempt {row.grading.attempt.uuid}",
    RegradeRule: lambda row: f"regrade {row.number} of quiz {row.quiz.uuid}",
    ManualGrade: lambda row: f"manualgrade {row.number} of attempt {row.attempt.uuid}",
    Result: lambda row: f"result of attempt {row.attempt.uuid}",
    QuizGrade: lambda row: f"quiz grade {row.pk} of",
    PracticeTry: lambda row: f"practicetry {row.number} of question {row.question.uuid}",
    PracticeStep: lambda row: f"practicestep {row.number} of question {row.question.uuid}",
    Checkpoint: lambda row: f"checkpoint {row.number}",
    CheckpointEntry: lambda row: f"checkpoint {row.checkpoint}",
    AuditErasure: lambda row: f"audit erasure {row.uuid}",
    AuditEvent: lambda row: f"audit event {row.uuid}",
    AuditSeal: lambda row: f"audit seal {row.number}",
    SealedEvent: lambda row: f"row {row.event_id})",
}
"""What a difference says of a row, by its model."""
OF_ACCOMMODATIONS = {
    "uuid": "the log knows no row of this name then: it is named if it gives anything",
    "quiz_id": "the log says which in words, and a quiz may have another title",
    "learner_id": "the log says whose in words, and names change",
    "reason": "why somebody has more time may be a matter of health: no log has it",
    "created_at": "nothing is computed from it",
    "updated_at": "nothing is computed from it",
}
UNCOVERED: Mapping[type[models.Model], Mapping[str, str]] = {
    Attempt: {
        "updated_at": "of the attempt that ended last it is compared with its quiz grade",
        "locked_slots": "it only rises; what came too late says so in the journal",
        "device": "on which device it is open counts for no grade",
        "device_changes": "it only rises, and the log says each time",
        "change_number": "in which order programs read what has changed",
    },
    Accommodation: OF_ACCOMMODATIONS,
    StandingAccommodation: OF_ACCOMMODATIONS,
    RegradeRule: {"committed_at": "gradings say when they read it"},
}
"""Columns of rows that people may change which nothing covers, and why."""
UNNAMED = {(SealedEvent, "seal_id"), (SealedEvent, "event_id")}
"""The digest of an event that was put under another seal: both seals are named, not the event."""

NOT_CHAINED: Mapping[type[models.Model], str] = {
    Erasure: "a row that it emptied names it and must be of its learner and from before it",
    AttemptMessage: "what was said to learners while they were at it: nothing is graded by it",
}
"""Append-only rows that are not verified column by column, and what stands for them (ADR 25)."""


def test_every_table_that_is_only_appended_to_is_verified_or_says_why_not():
    appended = {
        model
        for app in ("attempts", "results", "audit", "practice")
        for model in apps.get_app_config(app).get_models()
        if issubclass(model, AppendOnly)
    }
    assert appended - set(NAMES) == set(NOT_CHAINED)


def verify() -> str:
    """Return what differs."""
    err, has_failed = StringIO(), False
    try:
        call_command("verify_record", stdout=StringIO(), stderr=err)
    except CommandError:
        has_failed = True
    assert has_failed == bool(err.getvalue())
    return err.getvalue()


@pytest.fixture
def record(users, questions, into):
    """Attempts by machine and by hand, one voided, under two policies; sealed, with checkpoints."""
    quiz = create_quiz(users, questions, attempt_grade_policy="average")
    take_quiz(quiz, users.learner, {0: "a", 1: "b"})
    take_quiz(quiz, users.learner, {0: "ab"}, later(hours=9))
    voided = take_quiz(quiz, users.other_learner, {0: "b"})
    services.void(attempt=voided.uuid, by=users.instructor, reason="x", now=later(hours=1))
    essay_quiz = create_quiz(users, [create_essay(into, criteria={})], slug="essay")
    essay = attempt_with_essay(essay_quiz, users.other_learner)
    for hour, share in enumerate((Fraction(1, 3), Fraction(1, 2))):
        grade_manually(
            attempt=essay.uuid,
            slot=0,
            by=users.instructor,
            share=share,
            comment=f"Mark {hour}.",
            now=later(hours=hour),
        )
    create_quiz(users, questions, slug="untaken")
    practise(create_quiz(users, questions[:1], slug="practice", mode="practice"), users)
    for learner in (users.learner, users.other_learner):
        Erasure.objects.create(learner=learner, reason="asked", erased_at=later(days=9))
    for day in (1, 2):
        make_checkpoint(now=later(days=day))
        take_quiz(quiz, users.other_learner, {1: "a"}, later(days=day))
        audit.record(
            AuditCode.QUIZ_CHANGED,
            about=quiz,
            by=users.instructor,
            group=1,
            before={"a": day},
            after={"a": 5},
            once=True,
        )
        seal_audit_events()
    erase_from_log(person=users.other_learner.uuid, subjects=(), words=())
    audit.record(AuditCode.QUIZ_CHANGED, about=quiz, by=users.instructor)


def practise(quiz, users) -> None:
    """Two tries of one learner at a question, one of another, and another that each gave up."""
    for learner, tries in ((users.other_learner, 1), (users.learner, 2)):
        row = draw_next(quiz=quiz.uuid, learner=learner, after=0, now=NOW)
        for tried in range(tries):
            check_answer(
                question=row.uuid,
                learner=learner,
                raw={"chosen": option_ids(row.version.question, "b")},
                tried=tried,
                idempotency_key=uuid4(),
                language="en",
                now=later(hours=tried),
            )
        given_up = draw_next(quiz=quiz.uuid, learner=learner, after=1, now=NOW)
        ask_for_answer(
            question=given_up.uuid,
            learner=learner,
            idempotency_key=uuid4(),
            language="en",
            now=NOW,
        )


def forge(row: models.Model, field: Any) -> bool:
    """Write another value into a column; return whether the database lets anybody."""
    for forged in list_forged(row, field):
        try:
            with transaction.atomic():
                type(row)._base_manager.filter(pk=row.pk).update(**{field.attname: forged})
        except IntegrityError:  # of a unique constraint: another row has it
            continue
        return True
    return False


def list_forged(row: models.Model, field: Any) -> list[Any]:
    """Return other values of a column: of a text or of bytes, one that differs in one place."""
    stored = getattr(row, field.attname)
    if isinstance(field, models.ForeignKey):
        others = field.related_model._base_manager.exclude(pk=stored)
        return list(others.order_by("-pk").values_list("pk", flat=True))
    return [change_cell(stored, field)]


def change_cell(stored: Any, field: Any) -> Any:
    """Return another value than the stored one."""
    if isinstance(field, models.JSONField):
        return {"forged": 1} if stored is None else {**stored, "forged": 1}
    for kind, changed in CHANGES.items():
        if isinstance(stored, kind):
            return changed(stored)
    return EMPTY[type(field)]


CHANGES: Mapping[type, Callable[[Any], Any]] = {
    bool: lambda stored: not stored,
    int: lambda stored: stored + 1000,
    str: lambda stored: ("y" if stored.startswith("x") else "x") + stored[1:],
    timedelta: lambda stored: stored + timedelta(seconds=1),
    datetime: lambda stored: stored + timedelta(microseconds=1),
    UUID: lambda _stored: uuid4(),
    bytes: lambda stored: bytes([stored[0] ^ 1]) + stored[1:],
    memoryview: lambda stored: bytes([bytes(stored)[0] ^ 1]) + bytes(stored)[1:],
}
EMPTY: Mapping[type, Any] = {
    models.UUIDField: uuid4(),
    models.BigIntegerField: 7,
    BigIntegerTextField: 7,
    models.BooleanField: True,
    models.PositiveIntegerField: 7,
    models.BinaryField: b"salt",
    models.DateTimeField: later(),
}


def list_columns(model: type[models.Model]) -> Iterator[Any]:
    """Yield the columns but the database's own number of the row, which nothing can cover."""
    uncovered = {"id", *UNCOVERED.get(model, ())}
    yield from (field for field in model._meta.concrete_fields if field.attname not in uncovered)


@pytest.mark.parametrize(
    "model",
    [model for model in NAMES if model not in {*UNCOVERED, DeadlineExtension}],
    ids=lambda model: model.__name__,
)
def test_a_change_of_any_column_is_found_and_the_row_is_named(record, model):
    check_columns(model._base_manager.order_by("pk").last(), list(list_columns(model)))


def test_so_it_is_of_an_event_under_a_seal(record):
    row = AuditEvent.objects.order_by("pk").first()
    check_columns(row, list(list_columns(AuditEvent)))


def test_when_somebody_gave_up_is_verified(users, a_quiz):
    take_quiz(a_quiz, users.learner, {0: "d"})
    row = give_up(quiz=a_quiz.uuid, learner=users.learner, now=later())
    assert verify() == ""
    for forged in (None, later(hours=1)):
        with transaction.atomic(), without_constraints():
            QuizGrade.objects.filter(pk=row.pk).update(gave_up_at=forged)
            assert f"quiz grade {row.pk} of" in verify()
            QuizGrade.objects.filter(pk=row.pk).update(gave_up_at=later())
    assert verify() == ""


@pytest.mark.parametrize("model", [Response, ItemResult, ManualGrade])
def test_so_it_is_of_what_was_erased(record, users, model):
    for learner in (users.learner, users.other_learner):
        erase_answers(learner=learner, by=learner, reason="asked", now=later(days=8))
    row = model._base_manager.order_by("pk").last()
    # Which of two later erasures of its learner emptied a row, nothing says.
    columns = [field for field in list_columns(model) if field.name != "erasure"]
    check_columns(row, columns)


def check_columns(row: Any, columns: list[Any]) -> None:
    """Change each of these columns of a row by itself, and expect that it is found and named."""
    assert verify() == ""
    model = type(row)
    name = NAMES[model]
    for field in columns:
        with transaction.atomic(), without_constraints():
            names = {name(row)}
            if not forge(row, field):
                continue
            if field.attname != model._meta.pk.attname:
                names.add(name(model._base_manager.get(pk=row.pk)))
            report = verify()
            assert report, f"nobody finds another {field.attname}"
            if (model, field.attname) not in UNNAMED:
                assert any(text in report for text in names), f"{field.attname}: {report}"
    assert verify() == ""


def test_what_cannot_be_read_is_named_and_the_rest_is_verified(record):
    """SQLite stores any text in any column; PostgreSQL any JSON where an object should be."""
    response, grading = Response.objects.earliest("pk"), Grading.objects.earliest("pk")
    last = Grading.objects.latest("pk")
    attempt, event = last.attempt, AuditEvent.objects.earliest("pk")
    with transaction.atomic(), without_constraints():
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                for statement, row in (
                    ("UPDATE attempts_response SET received_at = %s WHERE id = %s", response),
                    ("UPDATE results_grading SET graded_at = %s WHERE id = %s", grading),
                    ("UPDATE audit_auditevent SET created_at = %s WHERE id = %s", event),
                ):
                    cursor.execute(statement, ["2026-13-41 10:00:00", row.pk])
            Attempt.objects.filter(pk=attempt.pk).update(manifest=[])
            ItemResult.objects.filter(grading=last, slot=0).update(score=["forged"])
        report = verify()
    assert f"grading {last.number} of attempt {attempt.uuid}, attempt: stored unreadable" in report
    assert f"receipt of attempt {attempt.uuid}, manifest" in report
    if connection.vendor == "sqlite":
        assert f"response row {response.pk}, row: stored unreadable" in report
        assert f"grading row {grading.pk}, row: stored unreadable" in report
        assert f"audit event row {event.pk}: cannot be read" in report
        assert "place in the chain" not in report


def test_an_answer_that_is_no_json_is_named_and_the_rest_is_verified(record):
    """SQLite stores it; its own functions of JSON end with an error then."""
    response, last = Response.objects.earliest("pk"), Response.objects.latest("pk")
    with transaction.atomic(), without_constraints():
        if not store_in_response(response, "answer", '{"chosen": ["a"'):
            return
        Response.objects.filter(pk=last.pk).update(mac=bytes(32))
        report = verify()
    assert f"{NAMES[Response](response)}, answer: stored" in report
    assert f"attempt row {response.attempt_id}, row: stored unreadable" in report
    assert f"{NAMES[Response](last)}, mac" in report


@pytest.mark.parametrize(
    ("model", "column"),
    [
        (QuizGrade, "learner"),
        (QuizGrade, "quiz"),
        (Attempt, "quiz_version"),
        (Response, "attempt"),
        (Grading, "attempt"),
        (ItemResult, "grading"),
        (Result, "grading"),
    ],
)
def test_a_row_that_names_one_that_is_not_there_is_named(record, model, column):
    """A join of a verification leaves it out; only a damaged file has such a row."""
    row = model._base_manager.order_by("pk").last()
    with transaction.atomic(), without_constraints():
        model._base_manager.filter(pk=row.pk).update(**{f"{column}_id": 99_999})
        name = f"{model._meta.verbose_name} row {row.pk}"
        assert f"{name}, {column}_id: stored 99999, computed a row that is there" in verify()


@pytest.mark.parametrize("stored", [2, "1x", "maybe"])
def test_a_column_of_true_or_false_with_something_else_is_named(record, stored):
    """SQLite stores it and reads it as false, as which its digest agrees."""
    response = Response.objects.earliest("pk")
    with transaction.atomic(), without_constraints():
        if not store_in_response(response, "flagged", stored):
            return
        report = verify()
    assert f"response row {response.pk}, flagged: stored {stored}, computed true or false" in report


def store_in_response(response: Response, column: str, stored: str | int) -> bool:
    """Write what is no value of a column by SQL; return whether the database lets anybody."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            statement = f"UPDATE attempts_response SET {column} = %s WHERE id = %s"  # noqa: S608  our own column
            cursor.execute(statement, [stored, response.pk])
    except DatabaseError:
        assert connection.vendor == "postgresql"
        return False
    assert connection.vendor == "sqlite"
    return True


def test_a_grading_by_hand_that_nobody_gave_is_found(record):
    """An override with digests as they should be: only recomputing finds it."""
    grading = Grading.objects.order_by("pk").first()
    assert grading is not None
    rows = list(grading.item_results.all())
    grading.pk, grading._state.adding, grading.number, grading.reason = None, True, 2, "override"
    grading.total_numerator, grading.total_denominator, previous = 2, 1, bytes(grading.digest)
    for row in rows:
        row.pk, row._state.adding, row.credit_numerator, row.credit_denominator = None, True, 1, 1
        row.score = {"credit": [1, 1], "ledger": [], "reasons": []}
    grading.digest = chain_digest(previous, grading_fields(grading.attempt.uuid, grading, rows))
    grading.save()
    for row in rows:
        row.grading = grading
        row.save()
    Result.objects.filter(attempt=grading.attempt).update(
        grading=grading, updated_at=grading.graded_at
    )
    report = verify()
    assert f"grading 2 of attempt {grading.attempt.uuid}, total: stored 2" in report
    assert "quiz grade" in report
    with pytest.raises(CommandError, match="differ"):
        call_command("verify_gradings", stdout=StringIO(), stderr=StringIO())


# --- Attempts, and the time that was given for them --------------------------------------------
@pytest.fixture
def timed(users, questions) -> dict[str, Attempt]:
    """Attempts: paused and given time, the same without an end, void, reopened, graded."""
    quiz = create_quiz(users, questions, time_limit=30)
    moved = start(quiz, users.learner)
    save_accommodation(
        accommodation=Accommodation(quiz=quiz, learner=users.learner, time_percent=150),
        by=None,
        now=later(minutes=1),
    )
    standing = StandingAccommodation(learner=users.other_learner, extra_minutes=5)
    save_standing_accommodation(accommodation=standing, by=None, now=NOW)
    untimed = start(create_quiz(users, questions, slug="untimed"), users.learner)
    for attempt in (moved, untimed):
        pause_and_resume(attempt, users.administrator)
    void = take_quiz(quiz, users.other_learner, {0: "a"})
    reopened = reopen_attempt(
        attempt=void.uuid, minutes=20, reason="Fire", by=users.administrator, now=later()
    )
    return {"moved": moved, "untimed": untimed, "void": void, "reopened": reopened}


def pause_and_resume(attempt: Attempt, by: Any) -> None:
    """Pause an attempt that runs twice, the second time for less than it was said."""
    attempts = Attempt.objects.filter(pk=attempt.pk)
    for minutes in (2, 10):
        now = later(minutes=minutes)
        pause_attempts(attempts=attempts, minutes=5, reason="Alarm", by=by, now=now)
    resume_attempts(attempts=attempts, by=by, now=later(minutes=12))


@pytest.mark.parametrize("name", ["moved", "untimed", "void", "reopened"])
def test_a_change_of_any_column_of_an_attempt_is_found(timed, name):
    check_columns(Attempt.objects.get(pk=timed[name].pk), list(list_columns(Attempt)))


def test_so_it_is_of_every_move_of_a_deadline(timed):
    rows = list(DeadlineExtension.objects.order_by("pk"))
    assert [row.by_pause for row in rows] == [False, True, True, True]
    for row in rows:
        check_columns(row, list(list_columns(DeadlineExtension)))


@pytest.mark.parametrize("model", [Accommodation, StandingAccommodation])
def test_so_it_is_of_what_an_accommodation_gives(timed, model):
    check_columns(model.objects.get(), list(list_columns(model)))


def test_an_attempt_that_was_inserted_with_another_paper_is_named(timed, users):
    """As the application may: its learner would take it by page, and the site would sign for it."""
    row = Attempt.objects.get(pk=timed["moved"].pk)
    row.pk, row._state.adding, row.uuid, row.number = None, True, uuid4(), 9
    row.quiz_grade = QuizGrade.objects.create(quiz=row.quiz, learner=users.stranger)
    row.learner = users.stranger
    row.manifest = {**row.manifest, "slots": row.manifest["slots"][:1]}
    row.save()
    report = verify().splitlines()
    assert any(f"attempt {row.uuid}, mac" in line for line in report)
    assert all(str(row.uuid) in line for line in report)


def test_time_that_was_given_without_the_key_of_the_site_is_named(timed):
    """The database moves a deadline for a recorded extension, which the application may record."""
    attempt = Attempt.objects.get(pk=timed["reopened"].pk)
    assert attempt.deadline_at is not None
    assert attempt.cutoff_at is not None
    hour = timedelta(hours=1)
    ends = {"deadline_at": attempt.deadline_at + hour, "cutoff_at": attempt.cutoff_at + hour}
    DeadlineExtension.objects.create(
        attempt=attempt,
        learner_id=attempt.learner_id,
        number=1,
        deadline_before=attempt.deadline_at,
        extended_at=NOW,
        **ends,
    )
    Attempt.objects.filter(pk=attempt.pk).update(**ends)
    assert f"deadlineextension 1 of attempt {attempt.uuid}, mac" in verify()


def test_more_time_by_an_accommodation_that_nobody_gave_is_named(timed, users):
    row = Accommodation.objects.create(
        quiz=timed["moved"].quiz, learner=users.other_learner, time_percent=300
    )
    (line,) = verify().splitlines()
    assert f"accommodation {row.uuid}, time_percent: stored 300" in line


# --- Rules of regrade ---------------------------------------------------------------------------
@pytest.fixture
def rule(users, into) -> RegradeRule:
    """A rule that was committed after the key of a question was corrected."""
    question = create_question(into, "corrected", right="a", kind="single_choice")
    quiz = create_quiz(users, [question])
    take_quiz(quiz, users.learner, {0: "b"})
    correct_key(question, "b")
    return commit(quiz, question, users)


def test_a_change_of_any_column_of_a_rule_of_regrade_is_found(rule):
    check_columns(rule, list(list_columns(RegradeRule)))


def test_a_rule_of_regrade_that_nobody_committed_is_named(rule):
    """The site would regrade by it, and sign each grading."""
    rule.pk, rule._state.adding, rule.number = None, True, 2
    rule.policy = RegradePolicy.FULL_CREDIT
    rule.save()
    (line,) = verify().splitlines()
    assert f"regrade 2 of quiz {rule.quiz.uuid}, row" in line
