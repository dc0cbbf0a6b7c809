"""The statements by which a record could be forged: the database refuses each (ADR 27).

On PostgreSQL they run under the application's role; on SQLite triggers and checks are all there is.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from psycopg2.extensions import get_wait_callback, set_wait_callback

from quizzes.attempts.deadline_extension import extend_deadlines
from quizzes.attempts.models import (
    Accommodation,
    Attempt,
    AttemptMessage,
    DeadlineExtension,
    Erasure,
    QuizGrade,
    Response,
    State,
)
from quizzes.audit.tasks import seal_audit_events
from quizzes.bank.models import QuestionVersion
from quizzes.lib.database_roles import Role, grant_privileges, prepare_role
from quizzes.publishing import services as publishing
from quizzes.results import services
from quizzes.results.checkpoints import make_checkpoint
from quizzes.results.grading_recomputation import verify
from quizzes.results.models import Grading, ManualGrade, RegradeRule, Result
from quizzes.results.selectors import load_report
from tests.attempt_helpers import finish, later, save_choice, start
from tests.essay_factory import attempt_with_essay, create_essay, grade_essay
from tests.factories import NOW, create_quiz

pytestmark = pytest.mark.django_db


@contextmanager
def as_application() -> Iterator[None]:
    """Let the block run under the application's role, which goes with the test's transaction."""
    if connection.vendor != "postgresql":
        yield
        return
    role = Role(f"site_{uuid4().hex}")
    connection.check_constraints()
    prepare_role(connection, role)
    grant_privileges(connection, role)
    with connection.cursor() as cursor:
        cursor.execute(f"SET ROLE {role.name}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET ROLE")


@pytest.fixture
def record(users, questions, into):
    """The ids of two learners' attempts: graded and graded again, open, of another quiz."""
    quiz = create_quiz(users, questions, time_limit=30)
    other_quiz = create_quiz(users, questions, slug="other", time_limit=30)
    graded = start(quiz, users.learner)
    save_choice(graded, 0, "a")
    save_choice(graded, 1, "b")
    finish(graded)
    neighbour = start(quiz, users.other_learner)
    save_choice(neighbour, 0, "ab")
    finish(neighbour)
    elsewhere = finish(start(other_quiz, users.learner))
    running = start(quiz, users.learner, later(hours=1))
    save_choice(running, 0, "a", later(hours=1))
    Accommodation.objects.create(quiz=quiz, learner=users.learner, time_percent=200)
    extend_deadlines(Attempt.objects.all(), now=later(hours=1))
    submitted = start(other_quiz, users.other_learner)
    Attempt.objects.filter(pk=submitted.pk).update(
        state=State.SUBMITTED, submitted_at=NOW, submission_reason="submitted"
    )
    essay = attempt_with_essay(
        create_quiz(users, [create_essay(into)], slug="essay"), users.learner
    )
    grade_essay(essay, users.instructor)
    voided = finish(start(create_quiz(users, questions, slug="void"), users.learner))
    services.void(attempt=voided.uuid, by=users.instructor, reason="ill", now=later(hours=1))
    write_other_rows(voided, users)
    attempts = {
        "voided": voided,
        "graded": graded,
        "neighbour": neighbour,
        "elsewhere": elsewhere,
        "running": running,
        "submitted": submitted,
        "essay": essay,
    }
    names: dict[str, Any] = {name: attempt.pk for name, attempt in attempts.items()}
    for name, attempt in attempts.items():
        names[f"grade_{name}"] = attempt.quiz_grade_id
        grading = Grading.objects.filter(attempt=attempt).order_by("number").last()
        names[f"grading_{name}"] = None if grading is None else grading.pk
    first = Grading.objects.filter(attempt=essay).order_by("number").first()
    names["first_grading_essay"] = first and first.pk
    names["learner"], names["other"] = users.learner.pk, users.other_learner.pk
    names["instructor"] = users.instructor.pk
    names["version"] = quiz.current_id
    names["other_version"], names["quiz"] = other_quiz.current_id, quiz.pk
    names["other_quiz"] = other_quiz.pk
    names["question"], names["other_question"] = questions[0].pk, questions[1].pk
    names["question_version"] = questions[0].current_id
    names["uuid"] = uuid4().hex
    return names


def write_other_rows(attempt: Attempt, users: Any) -> None:
    """Write a row of each table that the statements below try to change."""
    Erasure.objects.create(learner=users.learner, reason="asked", erased_at=later(days=1))
    AttemptMessage.objects.create(
        attempt=attempt,
        learner=users.learner,
        text="Ten minutes more.",
        sent_by=users.instructor,
        sent_at=NOW,
    )
    RegradeRule.objects.create(
        quiz=attempt.quiz,
        number=1,
        version=QuestionVersion.objects.latest("pk"),
        policy="keep_better",
        reason="The key was wrong.",
        by=users.instructor,
        committed_at=NOW,
    )
    make_checkpoint(now=later(days=1))
    seal_audit_events()


COPY = "INSERT INTO {0} ({1}) SELECT {2} FROM {0} WHERE {3}"


def copy_of(table: str, where: str, changes: Mapping[str, str]) -> str:
    """Return the statement that inserts a row like another, with other values in some columns."""
    with connection.cursor() as cursor:
        description = connection.introspection.get_table_description(cursor, table)
    columns = [column.name for column in description if column.name != "id"]
    changed = {"uuid": "'{uuid}'", **changes}
    values = [changed.get(column, column) for column in columns]
    return COPY.format(table, ", ".join(columns), ", ".join(values), where)


# What is tried, and the words by which it is refused: of the trigger, the check or the privilege.
NEVER = "never change|never go|permission denied"
FORGERIES: dict[str, tuple[Any, str]] = {
    # --- the journal
    "change an answer": ("UPDATE attempts_response SET answer = NULL", NEVER),
    "make a late answer count": ("UPDATE attempts_response SET status = 'accepted'", NEVER),
    "change an answer by a join": (
        ("UPDATE attempts_response SET answer = other.answer FROM attempts_response other"
        " WHERE other.id <> attempts_response.id"),
        NEVER,
    ),
    "change a grading by conflict": (
        ("INSERT INTO results_grading SELECT * FROM results_grading WHERE 1 = 1"
        " ON CONFLICT (id) DO UPDATE SET total_numerator = '3'"),
        "of attempts_attempt|permission denied",
    ),
    "change a result by conflict": (
        ("INSERT INTO results_result SELECT * FROM results_result WHERE 1 = 1"
        " ON CONFLICT (id) DO UPDATE SET grading_id = {grading_neighbour}"),
        "of attempts_attempt",
    ),
    "backdate an answer": ("UPDATE attempts_response SET received_at = '2020-01-01'", NEVER),
    "delete an answer": ("DELETE FROM attempts_response WHERE attempt_id = {graded}", NEVER),
    "answer after the end": (
        ("attempts_response", "attempt_id = {graded} AND slot = 0", {"revision": "2"}),
        "accepted while",
    ),
    "answer an attempt that is submitted": (
        (
            "attempts_response",
            "attempt_id = {graded} AND slot = 0",
            {"attempt_id": "{submitted}", "learner_id": "{other}"},
        ),
        "accepted while",
    ),
    "answer after the cut-off": (
        (
            "attempts_response",
            "attempt_id = {running}",
            {"revision": "2", "received_at": "'2100-01-01 00:00:00'"},
        ),
        "accepted while",
    ),
    "put an answer into the attempt of another": (
        ("attempts_response", "attempt_id = {graded} AND slot = 0", {"attempt_id": "{running}",
         "learner_id": "{other}"}),
        "have the learner",
    ),
    "answer a running attempt with a gap in the journal": (
        (
            "attempts_response",
            "attempt_id = {running}",
            {"revision": "2", "sequence": "9", "idempotency_key": "'{uuid}'"},
        ),
        "without a gap",
    ),
    "leave a revision of an answer out": (
        (
            "attempts_response",
            "attempt_id = {running}",
            {"revision": "7", "sequence": "2", "idempotency_key": "'{uuid}'"},
        ),
        "without a gap",
    ),
    "count an answer twice under another slot's revision": (
        (
            "attempts_response",
            "attempt_id = {running}",
            {"slot": "1", "revision": "2", "sequence": "2", "idempotency_key": "'{uuid}'"},
        ),
        "without a gap",
    ),
    "call an answer late that is in time": (
        (
            "attempts_response",
            "attempt_id = {running}",
            {"status": "'late'", "sequence": "2", "revision": "2", "idempotency_key": "'{uuid}'"},
        ),
        "late after it",
    ),
    "call an answer in conflict after the end": (
        (
            "attempts_response",
            "attempt_id = {graded} AND slot = 0",
            {"status": "'conflict'", "sequence": "3", "revision": "2",
             "idempotency_key": "'{uuid}'"},
        ),
        "late after it",
    ),
    # --- attempts
    "open a graded attempt": (
        ("UPDATE attempts_attempt SET state = 'open', submitted_at = NULL, submission_reason = ''"
        " WHERE id = {graded}"),
        "never back|never changes",
    ),
    "submit a graded attempt again": (
        "UPDATE attempts_attempt SET state = 'submitted' WHERE id = {graded}",
        "never back",
    ),
    "call a submitted attempt graded": (
        "UPDATE attempts_attempt SET state = 'graded' WHERE id = {submitted}",
        "when it has a result",
    ),
    "call an open attempt graded": (
        ("UPDATE attempts_attempt SET state = 'graded', submitted_at = started_at,"
        " submission_reason = 'submitted' WHERE id = {running}"),
        "never back|when it has a result",
    ),
    "void without a reason": (
        "UPDATE attempts_attempt SET state = 'void' WHERE id = {graded}",
        "attempt_void_has_reason",
    ),
    "give a reason to what is not void": (
        "UPDATE attempts_attempt SET void_reason = 'ill' WHERE id = {graded}",
        "when it is voided",
    ),
    "write another manifest": (
        "UPDATE attempts_attempt SET manifest = '{{}}' WHERE id = {graded}",
        "keeps its learner",
    ),
    "leave an attempt out as one of staff": (
        "UPDATE attempts_attempt SET is_staff_attempt = (1 = 1) WHERE id = {graded}",
        "keeps its learner",
    ),
    "name an attempt otherwise than its receipt": (
        "UPDATE attempts_attempt SET uuid = '{uuid}' WHERE id = {graded}",
        "keeps its learner",
    ),
    "give an attempt to another learner": (
        "UPDATE attempts_attempt SET learner_id = {other} WHERE id = {graded}",
        "have the learner",
    ),
    "give an attempt and its place to another learner": (
        ("UPDATE attempts_attempt SET learner_id = {other}, quiz_grade_id = {grade_neighbour},"
        " number = 9 WHERE id = {graded}"),
        "keeps its learner|have the learner",
    ),
    "move an attempt to another version": (
        "UPDATE attempts_attempt SET quiz_version_id = {other_version} WHERE id = {graded}",
        "keeps its learner",
    ),
    "move an attempt to another quiz": (
        "UPDATE attempts_attempt SET quiz_id = {other_quiz} WHERE id = {graded}",
        "keeps its learner",
    ),
    "begin an attempt later": (
        "UPDATE attempts_attempt SET started_at = '2100-01-01 00:00:00' WHERE id = {running}",
        "keeps its learner",
    ),
    "submit an attempt earlier": (
        "UPDATE attempts_attempt SET submitted_at = '2020-01-01 00:00:00' WHERE id = {graded}",
        "never changes",
    ),
    "say that time was over": (
        "UPDATE attempts_attempt SET submission_reason = 'expired' WHERE id = {graded}",
        "never changes",
    ),
    "take time away": (
        ("UPDATE attempts_attempt SET deadline_at = started_at, cutoff_at = started_at"
        " WHERE id = {running}"),
        "moves",
    ),
    "give time without a record": (
        ("UPDATE attempts_attempt SET deadline_at = '2100-01-01 00:00:00',"
        " cutoff_at = '2100-01-01 00:00:00' WHERE id = {running}"),
        "an extension that is recorded",
    ),
    "give time without end": (
        "UPDATE attempts_attempt SET deadline_at = NULL, cutoff_at = NULL WHERE id = {running}",
        "moves out only",
    ),
    "give time to what has ended": (
        "UPDATE attempts_attempt SET cutoff_at = '2100-01-01 00:00:00' WHERE id = {graded}",
        "moves",
    ),
    "end the network grace before the deadline": (
        (
            "attempts_attempt",
            "id = {graded}",
            {"number": "9", "state": "'open'", "submitted_at": "NULL", "submission_reason": "''",
             "cutoff_at": "started_at", "quiz_grade_id": "{grade_graded}"},
        ),
        "attempt_cutoff_after_deadline|one_open|UNIQUE",
    ),
    "insert an attempt that is graded": (
        ("attempts_attempt", "id = {graded}", {"number": "9"}),
        "begins open",
    ),
    "insert an attempt of another quiz's version": (
        (
            "attempts_attempt",
            "id = {running}",
            {"number": "9", "quiz_version_id": "{other_version}"},
        ),
        "of one quiz",
    ),
    "insert an attempt of another learner": (
        ("attempts_attempt", "id = {running}", {"number": "9", "learner_id": "{other}"}),
        "have the learner",
    ),
    "delete an attempt": ("DELETE FROM attempts_attempt WHERE id = {submitted}", NEVER),
    # --- gradings
    "raise a total": ("UPDATE results_grading SET total_numerator = '3'", NEVER),
    "delete a grading": ("DELETE FROM results_grading WHERE id = {grading_graded}", NEVER),
    "grade once more for the first time": (
        (
            "results_grading",
            "id = {grading_graded}",
            {"number": "2"},
        ),
        "a first grading",
    ),
    "grade for another learner": (
        (
            "results_grading",
            "id = {grading_graded}",
            {"number": "2", "reason": "'regrade'", "learner_id": "{other}"},
        ),
        "have the learner",
    ),
    "leave a number out": (
        ("results_grading", "id = {grading_graded}", {"number": "7", "reason": "'regrade'"}),
        "without a gap",
    ),
    "grade what is open": (
        ("results_grading", "id = {grading_graded}", {"attempt_id": "{running}"}),
        "a first grading",
    ),
    "grade above the maximum": (
        (
            "results_grading",
            "id = {grading_graded}",
            {"number": "2", "reason": "'regrade'", "total_numerator": "'100'",
             "total_denominator": "'1'"},
        ),
        "grading_is_a_fraction",
    ),
    "grade below nothing": (
        (
            "results_grading",
            "id = {grading_graded}",
            {"number": "2", "reason": "'regrade'", "total_numerator": "'-1'",
             "total_denominator": "'1'"},
        ),
        "grading_is_a_fraction",
    ),
    "grade with a fraction that can be shortened": (
        (
            "results_grading",
            "id = {grading_graded}",
            {"number": "2", "reason": "'regrade'", "total_numerator": "'2'",
             "total_denominator": "'2'"},
        ),
        "grading_is_a_fraction",
    ),
    "grade with words": (
        (
            "results_grading",
            "id = {grading_graded}",
            {"number": "2", "reason": "'regrade'", "total_numerator": "'all'"},
        ),
        "grading_is_a_fraction",
    ),
    "pass what waits for a person": (
        (
            "results_grading",
            "id = {grading_graded}",
            {"number": "2", "reason": "'regrade'", "passed": "1 = 1", "provisional": "1 = 1"},
        ),
        "grading_passed_is_final",
    ),
    "raise the credit of an answer": (
        "UPDATE results_itemresult SET credit_numerator = '1', credit_denominator = '1'",
        NEVER,
    ),
    "add an item score to a grading": (
        ("results_itemresult", "grading_id = {grading_graded} AND slot = 0", {"slot": "9"}),
        "none later",
    ),
    "add an item score to an earlier grading": (
        (
            "results_itemresult",
            "grading_id = {first_grading_essay} AND slot = 0",
            {"slot": "9"},
        ),
        "none later",
    ),
    "change a manual grade": ("UPDATE results_manualgrade SET comment = 'better'", NEVER),
    "grade one's own answer by hand": (
        (
            "results_manualgrade",
            "attempt_id = {essay}",
            {"number": "2", "grader_id": "learner_id"},
        ),
        "manual_grade_by_another_person",
    ),
    "grade by hand what is open": (
        ("results_manualgrade", "attempt_id = {essay}", {"attempt_id": "{running}"}),
        "a machine has graded",
    ),
    # --- results
    "show the grading of another": (
        "UPDATE results_result SET grading_id = {grading_neighbour} WHERE attempt_id = {graded}",
        "of its grading|UNIQUE|unique",
    ),
    "show an earlier grading": (
        "UPDATE results_result SET grading_id = {first_grading_essay} WHERE attempt_id = {essay}",
        "newest grading",
    ),
    "give a result to another quiz": (
        "UPDATE results_result SET quiz_id = {other_quiz} WHERE attempt_id = {graded}",
        "keeps its attempt",
    ),
    "insert the result of another learner": (
        ("results_result", "attempt_id = {graded}", {"learner_id": "{other}"}),
        "have the learner",
    ),
    "take a result away": ("DELETE FROM results_result WHERE attempt_id = {graded}", NEVER),
    # --- quiz grades
    "raise a quiz grade": (
        ("UPDATE attempts_quizgrade SET total_numerator = '3', total_denominator = '1'"
        " WHERE id = {grade_graded}"),
        "of an attempt of its learner",
    ),
    "raise a quiz grade above the maximum": (
        ("UPDATE attempts_quizgrade SET attempt_id = NULL, total_numerator = '99',"
        " total_denominator = '1' WHERE id = {grade_graded}"),
        "only an average|quiz_grade_is_a_fraction",
    ),
    "call it an average": (
        ("UPDATE attempts_quizgrade SET attempt_id = NULL, total_numerator = '3',"
        " total_denominator = '1', passed = (1 = 1) WHERE id = {grade_graded}"),
        "only an average",
    ),
    "pass by hand": (
        "UPDATE attempts_quizgrade SET passed = (1 = 1) WHERE id = {grade_graded}",
        "where an attempt passed",
    ),
    "count the attempt of another": (
        "UPDATE attempts_quizgrade SET attempt_id = {neighbour} WHERE id = {grade_graded}",
        "of an attempt of its learner",
    ),
    "count an attempt at another quiz": (
        "UPDATE attempts_quizgrade SET attempt_id = {elsewhere} WHERE id = {grade_graded}",
        "of an attempt of its learner",
    ),
    "give a quiz grade to another learner": (
        "UPDATE attempts_quizgrade SET learner_id = {instructor} WHERE id = {grade_graded}",
        "keep their learner",
    ),
    "give a quiz grade to another quiz": (
        ("UPDATE attempts_quizgrade SET quiz_id = {other_quiz}, learner_id = {instructor}"
        " WHERE id = {grade_graded}"),
        "keep",
    ),
    "begin with a grade": (
        (
            "attempts_quizgrade",
            "id = {grade_graded}",
            {"learner_id": "{instructor}"},
        ),
        "without an outcome",
    ),
    "delete a quiz grade": ("DELETE FROM attempts_quizgrade WHERE id = {grade_submitted}", NEVER),
    # --- what was published, and what happened
    "change a published key": ("UPDATE bank_versionkey SET key = '{{}}'", NEVER),
    "change a published question": ("UPDATE bank_questionversion SET content = '{{}}'", NEVER),
    "lower the pass mark of a version": (
        "UPDATE publishing_quizversion SET pass_numerator = 0", NEVER
    ),
    "make the version of another quiz current": (
        "UPDATE publishing_quiz SET current_id = {version} WHERE id = {other_quiz}",
        "one of its own",
    ),
    "add a question to a published quiz": (
        ("publishing_quizversionitem", "quiz_version_id = {version} AND position = 0",
         {"position": "9"}),
        "version that is published",
    ),
    "add a language to a published question": (
        ("bank_versiontranslation", "version_id = {question_version} AND language = 'en'",
         {"language": "'xx'"}),
        "version that is published",
    ),
    "delete an event": ("DELETE FROM events_event", NEVER),
    "change a recorded extension": (
        "UPDATE attempts_deadlineextension SET deadline_at = '2100-01-01'", NEVER
    ),
    # --- by another way round
    "end the journal of an attempt under another id": (
        "UPDATE attempts_attempt SET id = 999999 WHERE id = {graded}",
        "keeps its learner",
    ),
    "write another manifest by conflict": (
        ("INSERT INTO attempts_attempt SELECT * FROM attempts_attempt WHERE id = {graded}"
        " ON CONFLICT (id) DO UPDATE SET manifest = '{{}}'"),
        "begins open|keeps its learner",
    ),
    "raise a quiz grade by conflict": (
        ("INSERT INTO attempts_quizgrade SELECT * FROM attempts_quizgrade WHERE id = {grade_graded}"
        " ON CONFLICT (id) DO UPDATE SET total_numerator = '3', total_denominator = '1'"),
        "without an outcome|of an attempt of its learner",
    ),
    "raise a total in a query that reads": (
        ("WITH best AS (SELECT max(id) AS id FROM results_grading)"
        " UPDATE results_grading SET total_numerator = '3' WHERE id = (SELECT id FROM best)"),
        NEVER,
    ),
    "write another receipt": (
        "UPDATE attempts_attempt SET receipt = '{{}}' WHERE id = {graded}",
        "written once",
    ),
    "take a receipt away": (
        "UPDATE attempts_attempt SET receipt = NULL WHERE id = {graded}",
        "written once",
    ),
    "give an attempt another code": (
        ("UPDATE attempts_attempt SET mac = digest FROM attempts_response r"
        " WHERE r.attempt_id = attempts_attempt.id AND attempts_attempt.id = {running}"),
        "keeps its learner",
    ),
    "say another reason for a void": (
        "UPDATE attempts_attempt SET void_reason = 'copied' WHERE id = {voided}",
        "when it is voided",
    ),
    "take a void back": (
        "UPDATE attempts_attempt SET state = 'graded', void_reason = '' WHERE id = {voided}",
        "never back|when it is voided",
    ),
    "pause what has ended": (
        "UPDATE attempts_attempt SET paused_until = '2100-01-01 00:00:00' WHERE id = {graded}",
        "while it is open",
    ),
    "reopen with another paper": (
        (
            "attempts_attempt",
            "id = {voided}",
            {"number": "9", "state": "'open'", "submitted_at": "NULL", "submission_reason": "''",
             "void_reason": "''", "receipt": "NULL", "manifest": "'{{}}'",
             "reopened_from_id": "{voided}"},
        ),
        "with the same paper|one_open|UNIQUE",
    ),
    "give time in the name of another": (
        ("attempts_deadlineextension", "attempt_id = {running}",
         {"number": "2", "learner_id": "{other}"}),
        "have the learner",
    ),
    "give time twice under one number": (
        ("attempts_deadlineextension", "attempt_id = {running}", {}),
        "extension_number_once|UNIQUE",
    ),
    "take a recorded extension away": ("DELETE FROM attempts_deadlineextension", NEVER),
    "delete a learner with all that they did": (
        "DELETE FROM accounts_user WHERE id = {learner}",
        "foreign key|FOREIGN KEY",
    ),
    "delete a quiz with its attempts": (
        "DELETE FROM publishing_quiz WHERE id = {quiz}",
        "foreign key|FOREIGN KEY",
    ),
    "delete a question with its versions": (
        "DELETE FROM bank_question WHERE id = {question}",
        "foreign key|FOREIGN KEY",
    ),
    "give a learner another id": (
        "UPDATE accounts_user SET id = 999999 WHERE id = {learner}",
        "foreign key|FOREIGN KEY",
    ),
    "put a version under another question": (
        ("UPDATE bank_questionversion SET question_id = {other_question}"
        " WHERE id = {question_version}"),
        NEVER,
    ),
    "change what a version shows in another language": (
        "UPDATE bank_versiontranslation SET texts = '{{}}'", NEVER,
    ),
    "change feedback that was published": ("UPDATE bank_versionfeedback SET texts = '{{}}'", NEVER),
    "change a checkpoint": ("UPDATE results_checkpoint SET document = '{{}}'", NEVER),
    "delete a checkpoint": ("DELETE FROM results_checkpoint", NEVER),
    "change what a checkpoint says of an attempt": (
        "UPDATE results_checkpointentry SET heads = '{{}}'", NEVER,
    ),
    "change who did something": ("UPDATE audit_auditevent SET actor = NULL", NEVER),
    "delete what was done": ("DELETE FROM audit_auditevent", NEVER),
    "change a seal": ("UPDATE audit_auditseal SET digest = ''", NEVER),
    "delete a seal": ("DELETE FROM audit_auditseal", NEVER),
    "put an event under another seal": ("UPDATE audit_sealedevent SET digest = ''", NEVER),
    "call another erased": (
        "UPDATE attempts_erasure SET learner_id = {other}", NEVER,
    ),
    "change a rule of regrade": ("UPDATE results_regraderule SET policy = 'full_credit'", NEVER),
    "change what was written to a learner": ("UPDATE attempts_attemptmessage SET text = ''", NEVER),
    "divide a total by nothing": (
        (
            "results_grading",
            "id = {grading_graded}",
            {"number": "2", "reason": "'regrade'", "total_denominator": "'0'"},
        ),
        "grading_is_a_fraction|division",
    ),
    "grade without end": (
        (
            "results_grading",
            "id = {grading_graded}",
            {"number": "2", "reason": "'regrade'", "total_numerator": "'Infinity'"},
        ),
        "grading_is_a_fraction",
    ),
}  # fmt: skip
ONLY_SQLITE = {
    "replace an event": "REPLACE INTO events_event SELECT * FROM events_event",
    "replace a grading": "INSERT OR REPLACE INTO results_grading SELECT * FROM results_grading",
    "take the result of another by conflict": (
        "UPDATE OR REPLACE results_result SET attempt_id = (SELECT max(attempt_id)"
        " FROM results_result) WHERE attempt_id = (SELECT min(attempt_id) FROM results_result)"
    ),
    "change answers that can be changed": "UPDATE OR IGNORE attempts_response SET answer = NULL",
    "number an answer anew": "UPDATE attempts_response SET rowid = 999",
    "replace an answer": "REPLACE INTO attempts_response SELECT * FROM attempts_response",
}
ONLY_POSTGRESQL = {
    "empty the journal": "TRUNCATE attempts_response",
    "empty everything": "TRUNCATE attempts_attempt CASCADE",
    "drop a trigger": "DROP TRIGGER attempts_response_no_update ON attempts_response",
    "disable the triggers": "ALTER TABLE attempts_response DISABLE TRIGGER ALL",
    "switch triggers off": "SET session_replication_role = replica",
    "replace the function": "CREATE OR REPLACE FUNCTION ochenta_refuse() RETURNS trigger"
    " LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
    "drop a table": "DROP TABLE attempts_response CASCADE",
    "drop a constraint": "ALTER TABLE results_grading DROP CONSTRAINT grading_is_a_fraction",
    "put a table before another": "CREATE TEMPORARY TABLE attempts_attempt (id bigint)",
    "make a table": "CREATE TABLE forged (id bigint)",
    "become the owner": "ALTER TABLE attempts_response OWNER TO CURRENT_USER",
    "forget a migration": "DELETE FROM django_migrations",
    "lock a frozen row": "SELECT 1 FROM bank_questionversion FOR UPDATE",
    "merge": "MERGE INTO results_grading g USING results_grading other ON g.id = other.id"
    " WHEN MATCHED THEN UPDATE SET total_numerator = '3'",
    "delete within a query": "WITH gone AS (DELETE FROM attempts_response RETURNING id)"
    " SELECT count(*) FROM gone",
    "switch triggers off for a transaction": (
        "SELECT set_config('session_replication_role', 'replica', true)"
    ),
    "switch triggers off for a role": (
        "ALTER ROLE CURRENT_USER SET session_replication_role = 'replica'"
    ),
    "write a rule": "CREATE RULE forged AS ON UPDATE TO attempts_response DO INSTEAD NOTHING",
    "add a trigger": "CREATE TRIGGER forged BEFORE INSERT ON results_grading"
    " FOR EACH ROW EXECUTE FUNCTION ochenta_refuse()",
    "put a function before another": "CREATE FUNCTION pg_temp.now() RETURNS timestamptz"
    " LANGUAGE sql AS $$SELECT timestamptz '2020-01-01'$$",
    "look elsewhere for the tables of a rule": "SET LOCAL search_path = pg_temp, pg_catalog;"
    " UPDATE public.attempts_attempt SET state = 'graded' WHERE state = 'submitted'",
    "change within a block": "DO $$ BEGIN UPDATE attempts_response SET answer = NULL; END $$",
    "change the catalog": "UPDATE pg_trigger SET tgenabled = 'D'",
    "number the journal anew": "SELECT setval('attempts_response_id_seq', 1)",
    "change a function's path": "ALTER FUNCTION ochenta_refuse() SET search_path = pg_temp",
    "change by conflict": "INSERT INTO attempts_response SELECT * FROM attempts_response"
    " ON CONFLICT (id) DO UPDATE SET answer = NULL",
    "empty a parent with its children": "TRUNCATE accounts_user CASCADE",
    "empty what is numbered, and begin anew": "TRUNCATE events_event RESTART IDENTITY",
    "look at the journal through a view that writes": (
        "CREATE VIEW journal AS SELECT * FROM attempts_response"
    ),
    "put a child below a table": "CREATE TABLE late () INHERITS (attempts_response)",
    "take a table as a part of another": (
        "CREATE TABLE late PARTITION OF attempts_response FOR VALUES IN (1)"
    ),
    "make a schema of one's own": "CREATE SCHEMA forged",
    "write with the owner's rights": "CREATE FUNCTION forge() RETURNS void LANGUAGE sql"
    " SECURITY DEFINER AS 'UPDATE attempts_response SET answer = NULL'",
    "make = mean another thing": "CREATE OPERATOR = (LEFTARG = bigint, RIGHTARG = bigint,"
    " PROCEDURE = int8ne)",
    "let a trigger fire for replicas alone": (
        "ALTER TABLE attempts_response ENABLE REPLICA TRIGGER attempts_response_no_update"
    ),
    "rename a table and put another there": "ALTER TABLE attempts_response RENAME TO journal",
    "give a column another default": (
        "ALTER TABLE results_grading ALTER COLUMN passed SET DEFAULT true"
    ),
    "drop what keeps a place once": "DROP INDEX response_sequence_once",
    "let two attempts run at once": "ALTER TABLE attempts_attempt DROP CONSTRAINT attempt_one_open",
    "write rows from a file of the server": "COPY attempts_response FROM '/etc/passwd'",
    "write rows from a program of the server": "COPY attempts_response FROM PROGRAM 'true'",
    "read a file into a large object": "SELECT lo_import('/etc/passwd')",
    "change a large object's page": "UPDATE pg_largeobject SET data = ''",
    "number the attempts anew": "ALTER SEQUENCE attempts_attempt_id_seq RESTART WITH 1",
    "be a superuser": "ALTER ROLE CURRENT_USER SUPERUSER",
    "be a member of the owner": "GRANT pg_write_all_data TO CURRENT_USER",
    "add an extension": "CREATE EXTENSION dblink",
    "watch what is created": "CREATE EVENT TRIGGER forged ON ddl_command_start"
    " EXECUTE FUNCTION ochenta_refuse()",
    "own what the owner has": "REASSIGN OWNED BY CURRENT_ROLE TO pg_database_owner",
    "merge what is missing": "MERGE INTO results_checkpoint c USING results_checkpoint other"
    " ON c.id = other.id WHEN MATCHED THEN DELETE",
    "change a frozen row for a moment": "UPDATE bank_versionkey SET key = key RETURNING key",
    "lock the journal": "LOCK TABLE attempts_response IN ACCESS EXCLUSIVE MODE",
    "write a rule on a view of the catalog": "CREATE RULE forged AS ON INSERT TO results_grading"
    " DO ALSO DELETE FROM attempts_response",
}


def execute(cursor: Any, statement: str) -> None:
    """Execute a statement."""
    cursor.execute(statement)


def copy_in(cursor: Any, statement: str) -> None:
    """Insert by COPY what an `INSERT … SELECT` would insert: only PostgreSQL has it."""
    into, _, select = statement.removeprefix("INSERT INTO ").partition(" SELECT ")
    rows = StringIO()
    waiting = get_wait_callback()
    set_wait_callback(None)  # psycopg2 has no COPY with one
    try:
        with connection.wrap_database_errors:
            cursor.copy_expert(f"COPY (SELECT {select}) TO STDOUT", rows)
            rows.seek(0)
            cursor.copy_expert(f"COPY {into} FROM STDIN", rows)
    finally:
        set_wait_callback(waiting)


def find_accepted(
    forgeries: Mapping[str, tuple[str, str]], act: Callable[[Any, str], None] = execute
) -> dict[str, str]:
    """Return the forgeries that were not refused, or not by these words: name → what was said."""
    accepted = {}
    with as_application():
        for name, (statement, refusal) in forgeries.items():
            try:
                with transaction.atomic(), connection.cursor() as cursor:
                    act(cursor, statement)
                    answer = f"{cursor.rowcount} rows"
                    connection.check_constraints()  # those that wait for the end
                    transaction.set_rollback(True)
            except DatabaseError as error:
                answer = str(error)
            if not re.search(refusal, answer):
                accepted[name] = answer
    return accepted


def test_every_forged_record_is_refused(record):
    forgeries = {}
    for name, (forgery, refusal) in FORGERIES.items():
        statement = forgery if isinstance(forgery, str) else copy_of(*forgery)
        forgeries[name] = statement.format(**record), refusal
    assert len(forgeries) >= 40
    assert find_accepted(forgeries) == {}


@pytest.mark.postgres
def test_every_forged_insert_is_refused_under_copy(record):
    forgeries = {
        name: (copy_of(*forgery).format(**record), refusal)
        for name, (forgery, refusal) in FORGERIES.items()
        if not isinstance(forgery, str)
    }
    assert len(forgeries) >= 20
    assert find_accepted(forgeries, copy_in) == {}


ERASED = "UPDATE {} SET {}, erasure_id = (SELECT max(id) FROM attempts_erasure) WHERE "
ANSWERS = ERASED.format("attempts_response", "answer = NULL, salt = NULL")
ITEM_SCORES = ERASED.format("results_itemresult", "answer = NULL, score = NULL")
COMMENTS = ERASED.format("results_manualgrade", "comment = '', salt = NULL")
ERASURES = {
    "the answers of another": ("other", ANSWERS + "attempt_id = {graded}"),
    "the item scores of another": ("other", ITEM_SCORES + "grading_id = {grading_graded}"),
    "a comment on the answer of another": ("other", COMMENTS + "attempt_id = {essay}"),
    "one's answers before the end": ("learner", ANSWERS + "attempt_id = {running}"),
    "one's answers before they are graded": ("other", ANSWERS + "attempt_id = {submitted}"),
}


def test_answers_go_only_by_an_erasure_of_their_learner_after_the_end(record):
    """An attempt that is submitted has an answer here, so that there is one to erase."""
    moved = {"attempt_id": "{submitted}", "learner_id": "{other}", "status": "'late'"}
    for name, (learner, statement) in ERASURES.items():
        with transaction.atomic():
            with connection.cursor() as cursor:
                answer = copy_of("attempts_response", "attempt_id = {graded} AND slot = 0", moved)
                cursor.execute(answer.format(**record))
            Erasure.objects.create(learner_id=record[learner], erased_at=NOW, reason="forged")
            assert find_accepted({name: (statement.format(**record), NEVER)}) == {}
            transaction.set_rollback(True)


def add_item_scores(record, learner: str) -> tuple[str, str]:
    """Return what grades again with two slots in one INSERT, the second with this learner."""
    grading = copy_of("results_grading", "id = {grading_graded}", REGRADED)
    newest = "(SELECT max(id) FROM results_grading)"
    changes = {"grading_id": newest, "learner_id": f"CASE slot WHEN 1 THEN {learner} ELSE "}
    changes["learner_id"] += "learner_id END"
    where = "grading_id = {grading_graded} AND slot < 2"
    item_scores = copy_of("results_itemresult", where, changes)
    return grading.format(**record), item_scores.format(**record)


REGRADED = {"number": "2", "reason": "'regrade'"}


@pytest.mark.parametrize(("learner", "is_refused"), [("{other}", True), ("learner_id", False)])
def test_one_row_of_many_that_is_forged_refuses_the_insert(record, learner, is_refused):
    with as_application():
        refusal = ""
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                for statement in add_item_scores(record, learner):
                    cursor.execute(statement)
                assert cursor.rowcount == 2
                transaction.set_rollback(True)
        except DatabaseError as error:
            refusal = str(error)
    assert ("have the learner" in refusal) == is_refused, refusal


def test_what_one_database_alone_can_do_is_refused(record):
    only, refusal = ONLY_SQLITE, "refused: "
    if connection.vendor == "postgresql":
        only, refusal = ONLY_POSTGRESQL, "permission denied|must be|must have|refused: "
    assert find_accepted({name: (sql, refusal) for name, sql in only.items()}) == {}


def test_what_the_site_does_passes_under_the_same_role(users, questions, into):
    """The control: start, save, late answer, more time, submit, grade, void, publish, retire."""
    quiz = create_quiz(users, questions, time_limit=30, max_attempts=5)
    essay_quiz = create_quiz(users, [create_essay(into)], slug="essay")
    with as_application():
        attempt = start(quiz, users.learner)
        assert save_choice(attempt, 0, "a").status == "accepted"
        assert save_choice(attempt, 0, "ab").status == "accepted"
        Accommodation.objects.create(quiz=quiz, learner=users.learner, time_percent=200)
        assert extend_deadlines(Attempt.objects.all(), now=NOW) == 1
        assert DeadlineExtension.objects.get().attempt == attempt
        finish(attempt, later(minutes=45))
        assert save_choice(attempt, 1, "b", later(minutes=46)).status == "late"
        report = load_report(
            attempt=attempt.uuid, viewer=users.learner, language="en", now=later(hours=1)
        )
        assert report.summary.score is not None
        essay = attempt_with_essay(essay_quiz, users.learner)
        grade_essay(essay, users.instructor)
        services.void(attempt=attempt.uuid, by=users.instructor, reason="ill", now=NOW)
        overdue = start(quiz, users.other_learner)
        assert services.sweep(now=later(hours=2)).graded == 1
        overdue.refresh_from_db()
        assert overdue.state == State.GRADED
        publishing.retire(quiz=quiz, by=None, now=NOW)
        differences = [row for row in verify(Attempt.objects.all()) if row[1]]
    assert differences == []
    assert QuizGrade.objects.get(quiz=quiz, learner=users.learner).attempts_graded == 0
    assert Result.objects.count() == 3
    assert ManualGrade.objects.count() == 1
    assert Response.objects.filter(attempt=attempt).count() == 3
