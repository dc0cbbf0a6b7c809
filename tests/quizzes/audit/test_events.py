"""What teaching leaves in the audit log, and that taking a quiz leaves nothing."""

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import translation

from accounts.services import issue_token
from quizzes.attempts import services as attempts
from quizzes.attempts.deadline_extension import extend_deadlines
from quizzes.attempts.models import Accommodation, Attempt
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.audit.services import record
from quizzes.bank import services as bank_services
from quizzes.bank.models import Bank, Question
from quizzes.lib import clock
from quizzes.publishing import services as publishing
from quizzes.publishing.models import Quiz
from quizzes.results import services as results
from tests.browser_forms import form_values
from tests.essay_factory import attempt_with_essay, create_essay, grade_essay, levels
from tests.factories import create_quiz, publish_change
from tests.query_counts import Counted
from tests.users import Users, logged_in_client

pytestmark = pytest.mark.django_db


def events(code: AuditCode) -> list[AuditEvent]:
    return list(AuditEvent.objects.filter(code=code).order_by("pk"))


@pytest.fixture
def quiz(a_quiz: Quiz, users: Users) -> Quiz:
    """A published quiz of the class."""
    Quiz.objects.filter(pk=a_quiz.pk).update(group=users.group)
    a_quiz.refresh_from_db()
    return a_quiz


def test_taking_a_quiz_leaves_no_row(quiz: Quiz, users: Users):
    client = logged_in_client(users.learner)
    before = AuditEvent.objects.count()
    started = client.post(f"/quizzes/{quiz.slug}/start")
    address = started.headers["Location"]
    assert client.get(address).status_code == 200
    assert client.post(f"{address}save", {}).status_code < 500
    assert client.post(f"{address}submit").status_code == 302
    assert client.get(f"{address}result").status_code == 200
    assert Attempt.objects.get(learner=users.learner).state == "graded"
    assert AuditEvent.objects.count() == before


def test_voiding_is_recorded_with_the_reason(quiz: Quiz, users: Users):
    now = clock.now()
    attempt = attempts.start(quiz=quiz.uuid, learner=users.learner, now=now)
    results.void(attempt=attempt.uuid, by=users.instructor, reason="Fire alarm", now=now)
    (event,) = events(AuditCode.ATTEMPT_VOIDED)
    assert (event.actor, event.group_pk) == (users.instructor.uuid, users.group.pk)
    assert event.before == {"state": "open"}
    assert event.after == {"state": "void", "reason": "Fire alarm"}


def test_a_bank_that_a_file_makes_and_changes_is_recorded(users: Users):
    def load(licence: str) -> Bank:
        return bank_services.update_or_create_bank(
            slug="rivers", group=users.group, fields={"licence": licence}, by=users.instructor
        )

    bank = load("CC0")
    load("CC0")
    load("CC BY")
    (created, changed) = events(AuditCode.BANK_CHANGED)
    assert created.before is None
    assert created.after is not None
    assert (created.after["slug"], created.after["licence"]) == ("rivers", "CC0")
    assert (changed.before, changed.after) == ({"licence": "CC0"}, {"licence": "CC BY"})
    for event in (created, changed):
        assert (event.actor, event.subject) == (users.instructor.uuid, bank.uuid)
        assert event.group_pk == users.group.pk


def test_a_mark_is_recorded_with_the_total_before_and_after(users: Users, into: Bank):
    quiz = create_quiz(users, [create_essay(into)], slug="essay")
    attempt = attempt_with_essay(quiz, users.learner)
    for reached in (levels(0, 0), levels(2, 1)):
        grade_essay(attempt, users.instructor, reached)
    (first, second) = events(AuditCode.GRADED_BY_HAND)
    assert (second.actor, second.subject) == (users.instructor.uuid, attempt.uuid)
    assert first.after is not None
    assert second.before == {name: first.after[name] for name in ("total", "passed")}
    assert second.after is not None
    assert (first.after["total"], second.after["total"]) == ("0", "1")
    assert (first.after["question"], second.after["passed"]) == (1, True)


def test_publishing_a_question_is_recorded_with_both_versions(questions: list[Question]):
    (question, *_) = questions
    publish_change(question, shuffle=False)
    event = events(AuditCode.QUESTION_PUBLISHED)[-1]
    assert (event.subject, event.before) == (question.uuid, {"version": 1})
    assert event.after == {"version": 2, "note": ""}


def test_more_time_is_recorded_with_both_deadlines(quiz: Quiz, users: Users):
    Quiz.objects.filter(pk=quiz.pk).update(time_limit=30, max_attempts=1)
    publishing.publish(quiz=quiz, by=users.instructor, now=clock.now())
    attempts.start(quiz=quiz.uuid, learner=users.learner, now=clock.now())
    Accommodation.objects.create(quiz=quiz, learner=users.learner, time_percent=150)
    assert extend_deadlines(Attempt.objects.all(), now=clock.now()) == 1
    (event,) = events(AuditCode.TIME_GIVEN)
    assert event.before is not None
    assert event.after is not None
    assert event.before["deadline_at"] < event.after["deadline_at"]


def test_publishing_and_retiring_are_recorded(quiz: Quiz, users: Users):
    Quiz.objects.filter(pk=quiz.pk).update(pass_percent=70, max_attempts=1)
    version = publishing.publish(quiz=quiz, by=users.instructor, now=clock.now())
    publishing.publish(quiz=quiz, by=users.instructor, now=clock.now())
    publishing.retire(quiz=quiz, by=None, now=clock.now())
    publishing.retire(quiz=quiz, by=None, now=clock.now())
    event = events(AuditCode.QUIZ_PUBLISHED)[-1]
    assert event.before == {"version": version.number - 1}
    assert event.after == {"version": version.number}
    assert len(events(AuditCode.QUIZ_RETIRED)) == 1
    question = Question.objects.earliest("pk")
    bank_services.retire(question=question, by=None, now=clock.now())
    assert [event.subject for event in events(AuditCode.QUESTION_RETIRED)] == [question.uuid]


def test_settings_of_a_published_quiz_are_recorded_as_they_were_and_are(quiz: Quiz, users: Users):
    attempts.start(quiz=quiz.uuid, learner=users.learner, now=clock.now())
    client = logged_in_client(users.instructor)
    address = f"/admin/publishing/quiz/{quiz.pk}/change/"
    form = form_values(client.get(address), "title_en")
    assert client.post(address, form | {"cooldown_minutes": 45}).status_code == 302
    (event,) = events(AuditCode.QUIZ_CHANGED)
    assert event.before is not None
    assert event.after is not None
    assert event.before["cooldown_minutes"] == 0
    assert event.after["cooldown_minutes"] == 45
    assert event.after["open_attempts"] == 1


def test_a_look_at_a_key_is_one_statement_and_one_row_in_ten_minutes(
    quiz: Quiz, users: Users, counted: Counted
):
    question = Question.objects.earliest("pk")
    question.bank.group = users.group
    question.bank.save()
    client = logged_in_client(users.instructor)
    for _ in range(3):
        with counted() as queries:
            page = client.get(f"/admin/bank/question/{question.pk}/change/")
        assert page.status_code == 200
        assert sum("audit_auditevent" in statement for statement in queries) == 1
    (event,) = events(AuditCode.KEYS_VIEWED)
    assert (event.actor, event.subject) == (users.instructor.uuid, question.uuid)
    assert event.group_pk == users.group.pk
    logged_in_client(users.administrator).get(f"/admin/bank/question/{question.pk}/history/")
    assert len(events(AuditCode.KEYS_VIEWED)) == 2


def test_exports_by_program_are_recorded_with_the_token(quiz: Quiz, users: Users):
    bank = Question.objects.earliest("pk").bank
    bank.group = users.group
    bank.save()
    token, text = issue_token(
        user=users.instructor, name="Sync", scopes=["authoring", "results"], days=1
    )
    program = Client(headers={"Authorization": f"Bearer {text}"})
    assert program.get(f"/api/v1/banks/{bank.uuid}/export?format=gift").status_code == 200
    assert program.get("/api/v1/results.csv?passed=true").status_code == 200
    (exported,) = events(AuditCode.BANK_EXPORTED)
    assert (exported.subject, exported.token) == (bank.uuid, token.token_key)
    assert exported.after == {"format": "gift"}
    assert events(AuditCode.RESULTS_EXPORTED)[0].after == {"passed": "True"}


def test_what_a_quiz_asks_is_recorded_as_it_was_and_is(quiz: Quiz, users: Users):
    client = logged_in_client(users.instructor)
    address = f"/admin/publishing/quiz/{quiz.pk}/questions/"
    form = form_values(client.get(address), "digest") | {"do": "save"}
    assert client.post(address, form).status_code == 302
    assert not events(AuditCode.QUIZ_SLOTS_CHANGED)
    points = next(name for name in form if name.endswith("-points"))
    form = form_values(client.get(address), "digest") | {"do": "save"}
    assert client.post(address, form | {points: "7"}).status_code == 302
    (event,) = events(AuditCode.QUIZ_SLOTS_CHANGED)
    assert event.before != event.after
    assert str((event.after or {})["slots"][0]).rpartition(" × ")[2].startswith("7")


def test_signing_out_is_recorded_by_whichever_page(users: Users):
    for address in ("/accounts/logout/", "/admin/logout/"):
        client = logged_in_client(users.instructor)
        assert client.post(address).status_code == 302
        assert client.post(address).status_code in {302, 404}
    assert [event.actor for event in events(AuditCode.SIGNED_OUT)] == [users.instructor.uuid] * 2


def test_createsuperuser_is_recorded(db, monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "a good long password")
    call_command("createsuperuser", interactive=False, email="boss@example.org", verbosity=0)
    (event,) = events(AuditCode.ACCOUNT_CREATED)
    assert (event.subject_label, event.after) == ("boss@example.org", {"administrator": True})


def test_a_quiz_is_named_in_its_own_language_whoever_acts(users, a_quiz):
    a_quiz.title = {"en": "Distribution", "es": "Distribución"}
    with translation.override("es"):
        assert str(a_quiz) == "Distribución"
        record(AuditCode.KEYS_VIEWED, about=a_quiz, by=users.instructor)
    assert AuditEvent.objects.get(code="keys_viewed").subject_label == "Distribution"
