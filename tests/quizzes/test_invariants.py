"""What must always hold (domain §2), end to end through the services, on either database."""

from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, models, transaction

from accounts.models import Membership
from quizzes.attempts.models import (
    Attempt,
    AttemptMessage,
    DeadlineExtension,
    Erasure,
    QuizGrade,
    Response,
)
from quizzes.attempts.responses import ResponseInput, save_responses
from quizzes.attempts.selectors import load_attempt_view
from quizzes.bank import selectors as banks
from quizzes.bank import services as authoring
from quizzes.bank.models import Media, QuestionVersion, VersionMedia
from quizzes.lib.base_models import FrozenModel, ImmutableRowError
from quizzes.lib.triggers import list_triggers
from quizzes.practice.models import PracticeQuestion
from quizzes.publishing import services as publishing
from quizzes.results.checkpoints import make_checkpoint
from quizzes.results.models import (
    Grading,
    GradingFailure,
    ItemResult,
    ManualGrade,
    Purpose,
    RegradeRule,
    Result,
)
from quizzes.results.selectors import load_report
from tests.attempt_helpers import finish, later, save_choice, start, take_quiz
from tests.factories import NOW, create_bank, create_question, create_quiz, publish_change
from tests.forged_rows import without_triggers
from tests.query_counts import statements

pytestmark = pytest.mark.django_db

# Those of the audit log have tests of their own.
WRITTEN_ONCE = [
    model
    for model in apps.get_models()
    if issubclass(model, FrozenModel)
    and model._meta.app_label != "audit"
    and "DELETE" in model.denied_operations
]
UNTIL_ERASED = {"study_studylogentry", "practice_practicetry", "practice_practicestep"}
"""Rows that go with their person alone; tests of study and practice say so."""
AUDIT_LOG = {"audit_auditerasure", "audit_auditevent", "audit_auditseal", "audit_sealedevent"}
NAMES = [model.__name__ for model in WRITTEN_ONCE]


@pytest.fixture
def life(users, a_quiz) -> Attempt:
    """A whole attempt, so that every table holds a row."""
    version = QuestionVersion.objects.earliest("pk")
    file = Media.objects.create(
        bank=version.question.bank, sha256="0" * 64, media_type="image/png", extension="png", size=1
    )
    with without_triggers():
        VersionMedia.objects.create(version=version, media=file)
    attempt = take_quiz(a_quiz, users.learner, {0: "ab", 1: "b"})
    DeadlineExtension.objects.create(
        attempt=attempt,
        learner=users.learner,
        number=1,
        deadline_before=NOW,
        deadline_at=NOW,
        cutoff_at=NOW,
        extended_at=NOW,
    )
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
    ManualGrade.objects.create(
        attempt=attempt,
        learner=users.learner,
        number=1,
        slot=0,
        version=version,
        grader=users.instructor,
        purpose=Purpose.FIRST,
        levels={},
        graded_at=NOW,
        comment_digest=bytes(32),
        digest=bytes(32),
    )
    Erasure.objects.create(learner=users.learner, by=users.learner, reason="asked", erased_at=NOW)
    make_checkpoint(now=NOW)
    return attempt


# --- 1 and 8: frozen and appended ------------------------------------------------------------
def test_the_tables_that_are_written_once_are_these():
    assert set(NAMES) == {
        "Event",
        "QuestionVersion",
        "VersionTranslation",
        "VersionKey",
        "VersionFeedback",
        "VersionMedia",
        "QuizVersion",
        "QuizVersionItem",
        "PoolCandidate",
        "Response",
        "DeadlineExtension",
        "AttemptMessage",
        "Grading",
        "ItemResult",
        "ManualGrade",
        "RegradeRule",
        "Erasure",
        "Checkpoint",
        "CheckpointEntry",
    }
    deleted = {trigger.table for trigger in list_triggers() if trigger.event == "DELETE"}
    updated = {trigger.table for trigger in list_triggers() if trigger.name.endswith("_no_update")}
    emptied = {trigger.table for trigger in list_triggers() if trigger.event == "TRUNCATE"}
    assert emptied == deleted
    assert (
        deleted & updated
        == {model._meta.db_table for model in WRITTEN_ONCE} | AUDIT_LOG | UNTIL_ERASED
    )
    changing = (Attempt, QuizGrade, Result, PracticeQuestion)
    assert deleted - updated == {model._meta.db_table for model in changing}
    assert updated - deleted == {"bank_media"}


def refused(model: type[models.Model]) -> Any:
    return pytest.raises(DatabaseError, match=f"refused: rows of {model._meta.db_table}")


@pytest.mark.parametrize("model", WRITTEN_ONCE, ids=NAMES)
def test_a_queryset_changes_nothing(life, model):
    row = model._default_manager.first()
    assert row is not None
    with refused(model), transaction.atomic():
        model._default_manager.filter(pk=row.pk).update(**{model._meta.pk.attname: row.pk})
    with refused(model), transaction.atomic():
        model._default_manager.filter(pk=row.pk)._raw_delete(connection.alias)
    with refused(model), transaction.atomic():
        model._default_manager.bulk_update([row], [row._meta.concrete_fields[-1].name])
    assert model._default_manager.filter(pk=row.pk).exists()


@pytest.mark.parametrize("model", WRITTEN_ONCE, ids=NAMES)
@pytest.mark.parametrize("statement", ["UPDATE {} SET id = id", "DELETE FROM {}"])
def test_sql_changes_nothing(life, model, statement):
    count = model._default_manager.count()
    with refused(model), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement.format(model._meta.db_table))
    assert model._default_manager.count() == count > 0


@pytest.mark.postgres
@pytest.mark.parametrize("model", WRITTEN_ONCE, ids=NAMES)
def test_truncate_empties_nothing(life, model):
    connection.check_constraints()  # none is pending, or TRUNCATE is refused for that
    with refused(model), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {model._meta.db_table} CASCADE")
    assert model._default_manager.exists()


@pytest.mark.parametrize("model", WRITTEN_ONCE, ids=NAMES)
def test_python_refuses_before_the_database_must(life, model):
    row = model._default_manager.first()
    with statements() as executed:
        with pytest.raises(ImmutableRowError):
            row.save()
        with pytest.raises(ImmutableRowError):
            row.delete()
    assert executed == []


def test_the_guards_stand_again_after_a_test_that_lifted_them(db):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal"
            if connection.vendor == "postgresql"
            else "SELECT count(*) FROM sqlite_master WHERE type = 'trigger'"
        )
        truncating = [trigger for trigger in list_triggers() if trigger.event == "TRUNCATE"]
        missing = 0 if connection.vendor == "postgresql" else len(truncating)
        assert cursor.fetchone() == (len(list_triggers()) - missing,)


# --- All rows of one learner stay together (ADR 18) ------------------------------------------
OF_THE_LEARNER: list[Any] = [
    *(QuizGrade, Attempt, Response, DeadlineExtension),
    *(Grading, ItemResult, ManualGrade, Result),
]


def next_grading() -> Grading:
    """Return a second grading of the attempt, which is no result yet."""
    grading = Grading.objects.get()
    grading.pk, grading._state.adding = None, True
    grading.number, grading.reason = 2, "regrade"
    grading.save()
    return grading


@pytest.mark.parametrize("model", [*OF_THE_LEARNER, GradingFailure])
def test_a_row_of_an_attempt_with_another_learner_is_refused(life, users, model):
    if model is GradingFailure:
        failure = {"code": "x", "detail": "", "failed_at": NOW, "next_try_at": NOW}
        GradingFailure.objects.create(attempt=life, learner=users.learner, **failure)
    row = model._default_manager.get(pk=model._default_manager.earliest("pk").pk)
    assert row.learner_id == users.learner.pk
    with refused(model), transaction.atomic():
        model._default_manager.filter(pk=row.pk).update(learner=users.other_learner)
    if model is QuizGrade:
        return  # it is the row that the others follow
    if model is ItemResult:
        row.grading = next_grading()
    row.pk, row.learner, row._state.adding = None, users.other_learner, True
    if model is Attempt:
        row.uuid, row.number, row.state, row.submitted_at = uuid4(), 2, "open", None
        row.submission_reason = ""
    if model is Response:
        row.status = "late"
    if model in {Grading, ManualGrade}:
        row.number, row.reason = 2, "regrade"
    with refused(model), transaction.atomic():
        row.save()


def test_rows_are_written_with_the_learner_of_their_attempt(life):
    rows = [row for model in OF_THE_LEARNER for row in model._default_manager.all()]
    assert {row.learner_id for row in rows} == {life.learner_id}


# --- 5: exact --------------------------------------------------------------------------------
def scored(learner: Any, attempt: Attempt) -> tuple[str, bool, bool | None]:
    """What the report says, which is what all doors say: display, both passes."""
    seen = load_report(attempt=attempt.uuid, viewer=learner, language="en", now=NOW)
    assert seen.summary.score is not None
    return seen.summary.score.percent, seen.summary.score.passed, QuizGrade.objects.get().passed


def test_six_of_twelve_at_one_half_passes(users):
    into = create_bank(users)
    questions = [create_question(into, f"q{n}", right="a", kind="single_choice") for n in range(12)]
    of = create_quiz(users, questions, pass_percent=50)
    attempt = take_quiz(of, users.learner, dict.fromkeys(range(6), "a"))
    assert scored(users.learner, attempt) == ("50", True, True)


def test_twenty_six_and_a_third_of_thirty_three_fails_and_never_shows_eighty(users):
    into = create_bank(users)
    questions = [create_question(into, f"q{n}", right="abc") for n in range(33)]
    attempt = take_quiz(
        create_quiz(users, questions), users.learner, {**dict.fromkeys(range(26), "abc"), 26: "a"}
    )
    assert Grading.objects.get().total == Fraction(79, 3)
    assert scored(users.learner, attempt) == ("79.79", False, False)


def test_eight_of_ten_at_eighty_per_cent_passes(users):
    into = create_bank(users)
    questions = [create_question(into, f"q{n}", right="a", kind="single_choice") for n in range(10)]
    attempt = take_quiz(create_quiz(users, questions), users.learner, dict.fromkeys(range(8), "a"))
    assert scored(users.learner, attempt) == ("80", True, True)


def test_ten_items_of_eight_hundredths_pass_at_four_fifths(users):
    into = create_bank(users)
    questions = [create_question(into, f"q{n}", right="a", kind="single_choice") for n in range(10)]
    of = create_quiz(users, questions, points="0.08")
    attempt = take_quiz(of, users.learner, dict.fromkeys(range(8), "a"))
    assert Grading.objects.get().total == Fraction(64, 100)
    assert scored(users.learner, attempt) == ("80", True, True)


def test_twenty_seven_thirds_of_eleven_and_a_quarter_are_exact(users):
    into = create_bank(users)
    questions = [create_question(into, f"q{n}", right="abc") for n in range(33)]
    take_quiz(
        create_quiz(users, questions, points="0.3409"), users.learner, dict.fromkeys(range(33), "a")
    )
    grading = Grading.objects.get()
    assert grading.total == Fraction(3409, 10000) * 11
    assert grading.maximum == Fraction(3409, 10000) * 33


# --- Replayable, whatever is edited ----------------------------------------------------------
def seen(attempt: Attempt) -> Any:
    """Everything a taker's page is made of, read anew."""
    for memory in (banks._public_versions, banks._keys_and_feedback):
        memory.clear()
    view = load_attempt_view(attempt=attempt.uuid, learner=attempt.learner)
    return view.manifest, view.public_versions, view.responses, view.attempt.cutoff_at


def test_whatever_is_edited_or_retired_changes_nothing_of_open_attempts(users, a_quiz, questions):
    attempts = [start(a_quiz, who) for who in (users.learner, users.other_learner)]
    for attempt in attempts:
        save_choice(attempt, 0, "ab")
    before = [seen(attempt) for attempt in attempts]

    draft = questions[0].draft.data
    publish_change(
        questions[0],
        words={tongue: {**words, "prompt": "Other"} for tongue, words in draft["words"].items()},
        key={"right": [draft["content"]["options"][4]["id"]]},
    )
    authoring.retire(question=questions[1], by=None, now=NOW)
    a_quiz.title, a_quiz.time_limit, a_quiz.pass_percent = {"en": "New"}, 1, 99
    a_quiz.slug = "renamed"
    a_quiz.save()
    a_quiz.sections.get().slots.last().delete()
    a_quiz.sections.get().slots.update(points=7)
    publishing.publish(quiz=a_quiz, by=None, now=NOW)
    publishing.retire(quiz=a_quiz, by=None, now=NOW)
    a_quiz.assignments.all().delete()
    Membership.objects.filter(user=users.learner).delete()
    users.group.name = "Renamed"
    users.group.save()

    assert [seen(attempt) for attempt in attempts] == before
    save_choice(attempts[0], 1, "b")
    save_choice(attempts[0], 2, "b")
    finish(attempts[0], later(hours=3))
    grading = Grading.objects.get()
    assert (grading.total, grading.maximum, grading.passed) == (Fraction(8, 3), Fraction(3), True)


def test_what_was_published_is_never_deleted_while_an_attempt_names_it(users, a_quiz, questions):
    start(a_quiz, users.learner)
    for row in (questions[0], a_quiz, users.learner):
        with pytest.raises((models.ProtectedError, ImmutableRowError)):
            row.delete()


# --- 9: language is not a factor -------------------------------------------------------------
def test_switching_the_language_half_way_changes_no_answer_and_no_mark(users, a_quiz):
    totals = []
    for learner, languages in ((users.learner, "ee"), (users.other_learner, "es")):
        attempt = start(a_quiz, learner)
        for slot, (language, letters) in enumerate(zip(languages, ("ab", "b"), strict=True)):
            response_input = ResponseInput(slot, {"chosen": chosen(a_quiz, slot, letters)}, uuid4())
            save_responses(
                attempt=attempt.uuid,
                learner=learner,
                inputs=[response_input],
                language={"e": "en", "s": "es"}[language],
                now=NOW,
            )
        finish(attempt)
        totals.append(attempt.result.grading.total)
    assert totals[0] == totals[1] == Fraction(5, 3)
    assert set(Response.objects.values_list("language", flat=True)) == {"en", "es"}


def chosen(of: Any, slot: int, letters: str) -> list[str]:
    question = of.sections.get().slots.order_by("position")[slot].question
    return [str(question.options.get(name=letter).uuid) for letter in letters]


# --- 6: secret -------------------------------------------------------------------------------
def test_two_quizzes_that_differ_in_key_and_feedback_alone_give_the_same_papers(users, a_quiz):
    """The taker's side never touches the tables of keys and feedback at all."""
    attempt = start(a_quiz, users.learner)
    with statements() as executed:
        seen(attempt)
        save_choice(attempt, 0, "a")
    assert executed
    assert not [
        statement
        for statement in executed
        if "versionkey" in statement or "versionfeedback" in statement
    ]


# --- 4 and 8: once, and appended -------------------------------------------------------------
def test_any_number_of_submits_and_sweeps_leave_one_grading(users, life):
    for minutes in range(5):
        finish(life, later(minutes=minutes))
    assert Grading.objects.count() == Result.objects.count() == 1
    assert ItemResult.objects.count() == 3
