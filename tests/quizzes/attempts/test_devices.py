"""Where a quiz allows one device at a time: the attempt is open on one, and moves when asked."""

from threading import Barrier, Thread
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, connections, transaction
from django.test import Client
from django.urls import reverse

from quizzes.attempts.devices import open_on_device, take_over
from quizzes.attempts.models import Attempt, Response, SaveStatus
from quizzes.attempts.question_locks import leave_question
from quizzes.attempts.responses import ResponseInput, SaveResult, save_responses
from quizzes.attempts.services import submit
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from quizzes.lib.errors import NotFound, Refused
from quizzes.results.reopening import reopen_attempt
from quizzes.results.services import finish
from tests.attempt_helpers import later, raw_choice, start
from tests.factories import NOW, create_quiz
from tests.quizzes.api.programs import program

pytestmark = pytest.mark.django_db
FIRST, SECOND = uuid4(), uuid4()


@pytest.fixture
def quiz(users, questions):
    return create_quiz(users, questions, one_device=True)


@pytest.fixture
def attempt(users, quiz) -> Attempt:
    return start(quiz, users.learner)


def save(attempt: Attempt, letters: str, device: UUID | None, now=NOW, key=None) -> SaveResult:
    posted = ResponseInput(0, raw_choice(attempt, 0, letters), key or uuid4())
    (saved,) = save_responses(
        attempt=attempt.uuid,
        learner=attempt.learner,
        inputs=[posted],
        language="en",
        now=now,
        device=device,
    )
    return saved


def move(attempt: Attempt, device: UUID) -> None:
    take_over(attempt=attempt.uuid, learner=attempt.learner, device=device, now=NOW)


def read(attempt: Attempt) -> tuple[UUID | None, int]:
    row = Attempt.objects.get(pk=attempt.pk)
    return row.device, row.device_changes


def test_the_first_device_that_comes_is_the_one(attempt):
    values = {"attempt": attempt.uuid, "learner": attempt.learner, "now": NOW}
    assert open_on_device(device=FIRST, **values) == FIRST
    assert open_on_device(device=SECOND, **values) == FIRST
    assert save(attempt, "a", FIRST).status == SaveStatus.ACCEPTED
    assert read(attempt) == (FIRST, 0)


def test_a_save_opens_it_too(attempt):
    save(attempt, "a", FIRST)
    assert read(attempt) == (FIRST, 0)


@pytest.mark.parametrize("device", [SECOND, None])
def test_another_device_saves_and_submits_nothing(attempt, device):
    save(attempt, "a", FIRST)
    with pytest.raises(Refused, match="elsewhere"):
        save(attempt, "b", device)
    with pytest.raises(Refused, match="elsewhere"):
        submit(attempt=attempt.uuid, learner=attempt.learner, now=NOW, device=device)
    assert Response.objects.count() == 1
    assert submit(attempt=attempt.uuid, learner=attempt.learner, now=NOW, device=FIRST)


def test_after_a_move_the_earlier_device_saves_nothing_and_what_it_saved_stays(attempt):
    save(attempt, "a", FIRST)
    move(attempt, SECOND)
    move(attempt, SECOND)
    assert read(attempt) == (SECOND, 1)
    with pytest.raises(Refused, match="elsewhere"):
        save(attempt, "b", FIRST)
    assert save(attempt, "c", SECOND).revision == 2
    assert AuditEvent.objects.filter(code=AuditCode.ATTEMPT_MOVED).count() == 1


def test_what_a_device_kept_is_sent_when_it_goes_on_there_and_overwrites_nothing(attempt):
    save(attempt, "a", FIRST)
    move(attempt, SECOND)
    save(attempt, "c", SECOND)
    move(attempt, FIRST)
    posted = ResponseInput(0, raw_choice(attempt, 0, "b"), uuid4(), base_revision=1)
    (saved,) = save_responses(
        attempt=attempt.uuid,
        learner=attempt.learner,
        inputs=[posted],
        language="en",
        now=NOW,
        device=FIRST,
    )
    assert saved.status == SaveStatus.CONFLICT
    assert read(attempt) == (FIRST, 2)


def test_what_arrives_from_the_earlier_device_after_the_end_is_kept_as_late(attempt):
    save(attempt, "a", FIRST)
    move(attempt, SECOND)
    submit(attempt=attempt.uuid, learner=attempt.learner, now=NOW, device=SECOND)
    assert save(attempt, "b", FIRST).status == SaveStatus.LATE


def test_an_attempt_that_is_over_moves_nowhere(attempt):
    save(attempt, "a", FIRST)
    finish(attempt=attempt.uuid, learner=attempt.learner, now=NOW, device=FIRST)
    with pytest.raises(Refused, match="over"):
        move(attempt, SECOND)


def test_somebody_else_finds_no_attempt(attempt, users):
    values = {"attempt": attempt.uuid, "learner": users.other_learner, "now": NOW}
    for service in (open_on_device, take_over):
        with pytest.raises(NotFound):
            service(device=FIRST, **values)


def test_a_question_is_left_where_the_attempt_is_open(users, questions):
    quiz = create_quiz(
        users, questions, one_device=True, one_question_a_page=True, lock_questions=True
    )
    attempt = start(quiz, users.learner)
    save(attempt, "a", FIRST)
    values = {"attempt": attempt.uuid, "learner": users.learner, "slot": 0, "now": NOW}
    with pytest.raises(Refused, match="elsewhere"):
        leave_question(device=SECOND, **values)
    assert leave_question(device=FIRST, **values) == 1


def test_a_reopened_attempt_opens_on_any_device(attempt, users):
    save(attempt, "a", FIRST)
    finish(attempt=attempt.uuid, learner=attempt.learner, now=NOW, device=FIRST)
    reopened = reopen_attempt(
        attempt=attempt.uuid,
        minutes=None,
        reason="Fire alarm",
        by=users.instructor,
        now=later(seconds=1),
    )
    assert read(reopened) == (None, 0)


@pytest.mark.postgres
def test_the_database_moves_no_attempt_without_counting_it(attempt):
    save(attempt, "a", FIRST)
    rows = Attempt.objects.filter(pk=attempt.pk)
    for change in ({"device": SECOND}, {"device": None}, {"device_changes": 3}):
        with pytest.raises(IntegrityError, match="each time counts"), transaction.atomic():
            rows.update(**change)
    finish(attempt=attempt.uuid, learner=attempt.learner, now=NOW, device=FIRST)
    with pytest.raises(IntegrityError, match="each time counts"), transaction.atomic():
        rows.update(device=SECOND, device_changes=1)
    Attempt.objects.get(pk=attempt.pk).save()  # with both as they are


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_two_that_take_it_over_at_once_one_has_it_and_both_count(users, quiz):
    attempt = start(quiz, users.learner, now=clock.now())
    save(attempt, "a", FIRST, clock.now())
    devices, barrier = [uuid4(), uuid4()], Barrier(2)

    def run(device: UUID) -> None:
        barrier.wait(10)
        take_over(attempt=attempt.uuid, learner=users.learner, device=device, now=clock.now())
        connections.close_all()

    threads = [Thread(target=run, args=[device]) for device in devices]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    holder, changes = read(attempt)
    assert holder in devices
    assert changes == 2
    (loser,) = set(devices) - {holder}
    with pytest.raises(Refused, match="elsewhere"):
        save(attempt, "b", loser, clock.now())
    assert save(attempt, "b", holder, clock.now()).status == SaveStatus.ACCEPTED


class TestPages:
    @pytest.fixture
    def browsers(self, users) -> list[Client]:
        browsers = [Client(), Client()]
        for browser in browsers:
            browser.force_login(users.learner)
        return browsers

    def test_another_browser_sees_no_question_until_it_continues_there(self, browsers, attempt):
        first, second = browsers
        page = reverse("attempt", args=[attempt.uuid])
        assert 'id="q-0"' in first.get(page).content.decode()
        elsewhere = second.get(page)
        assert elsewhere.status_code == 409
        assert 'id="q-' not in elsewhere.content.decode()
        assert "Continue here" in elsewhere.content.decode()
        assert second.get(reverse("review", args=[attempt.uuid]))["Location"] == page
        assert second.post(reverse("submit", args=[attempt.uuid]))["Location"] == page
        assert second.post(page, {"take_over": "1"})["Location"] == page
        assert 'id="q-0"' in second.get(page).content.decode()
        assert first.get(page).status_code == 409
        assert Attempt.objects.get().device_changes == 1

    def test_a_browser_is_the_same_device_after_signing_in_again(self, users, attempt, settings):
        browser, page = Client(), reverse("attempt", args=[attempt.uuid])
        browser.force_login(users.learner)
        browser.get(page)
        del browser.cookies[settings.SESSION_COOKIE_NAME]
        browser.force_login(users.learner)
        assert browser.get(page).status_code == 200

    def test_a_save_from_the_earlier_browser_is_refused_with_words(self, browsers, attempt):
        first, second = browsers
        page = reverse("attempt", args=[attempt.uuid])
        first.get(page)
        second.get(page)
        second.post(page, {"take_over": "1"})
        posted = {"slot": 0, "answer": raw_choice(attempt, 0, "a"), "idempotency_key": str(uuid4())}
        save_url = reverse("save", args=[attempt.uuid])
        refused = first.post(save_url, {"saves": [posted]}, content_type="application/json")
        assert (refused.status_code, refused.json()) == (409, {"code": "elsewhere"})
        chosen = raw_choice(attempt, 0, "a")["chosen"]
        form = {"r-0": "0", "q-0": chosen}
        quoted = first.post(page, form)
        assert quoted.status_code == 409
        assert "These answers were not saved" in quoted.content.decode()
        assert not Response.objects.exists()
        first.post(page, {"take_over": "1"})
        saved = first.post(save_url, {"saves": [posted]}, content_type="application/json")
        assert saved.json()["saves"][0]["status"] == "accepted"

    def test_the_language_changes_on_the_earlier_browser_too(self, browsers, attempt):
        first, second = browsers
        page = reverse("attempt", args=[attempt.uuid])
        first.get(page)
        second.get(page)
        second.post(page, {"take_over": "1"})
        assert first.post(page, {"switch": "es"})["Location"] == page
        assert "abierto en otro dispositivo" in first.get(page).content.decode()
        chosen = raw_choice(attempt, 0, "a")["chosen"]
        quoted = first.post(page, {"r-0": "0", "q-0": chosen, "switch": "en"})
        assert "These answers were not saved" in quoted.content.decode()
        assert "open on another device" in first.get(page).content.decode()

    def test_the_clock_of_an_idle_browser_tells_of_the_move(self, browsers, attempt, counted):
        first, second = browsers
        page, clock_url = (reverse(name, args=[attempt.uuid]) for name in ("attempt", "clock"))
        first.get(page)
        assert first.get(clock_url).json()["elsewhere"] is False
        second.get(page)
        assert second.get(clock_url).json()["elsewhere"] is True
        second.post(page, {"take_over": "1"})
        with counted() as queries:
            assert first.get(clock_url).json()["elsewhere"] is True
        assert len(queries) <= 3, queries
        assert second.get(clock_url).json()["elsewhere"] is False
        second.post(reverse("submit", args=[attempt.uuid]))
        assert first.get(clock_url).json()["elsewhere"] is False

    def test_a_forged_cookie_is_no_device(self, browsers, attempt):
        first, second = browsers
        page = reverse("attempt", args=[attempt.uuid])
        first.get(page)
        name = next(name for name in first.cookies if name.endswith("taking_device"))
        assert first.cookies[name]["httponly"]
        second.cookies[name] = str(Attempt.objects.get().device)
        assert second.get(page).status_code == 409

    def test_where_it_is_off_no_browser_gets_an_id(self, client, users, questions):
        attempt = start(create_quiz(users, questions), users.learner)
        client.force_login(users.learner)
        page = client.get(reverse("attempt", args=[attempt.uuid]))
        assert not any(name.endswith("taking_device") for name in page.cookies)
        assert Attempt.objects.get().device is None

    def test_the_room_says_that_it_moved(self, client, users, attempt, quiz):
        save(attempt, "a", FIRST)
        move(attempt, SECOND)
        client.force_login(users.instructor)
        room = client.get(reverse("admin:attempts_attempt_progress", args=[quiz.uuid]))
        assert "moved to another device" in room.content.decode()

    def test_the_form_of_a_quiz_has_it_and_the_page_before_tells_of_it(self, client, users, quiz):
        client.force_login(users.instructor)
        form = client.get(reverse("admin:publishing_quiz_change", args=[quiz.pk]))
        assert 'name="one_device"' in form.content.decode()
        client.force_login(users.learner)
        intro = client.get(reverse("intro", args=[quiz.slug])).content.decode()
        assert "One device at a time" in intro


class TestPrograms:
    def test_a_program_names_its_device(self, users, quiz):
        own, ids = program(users.learner), {"X-Device": str(FIRST)}
        body = own.post("attempts", {"quiz": str(quiz.uuid)}, **ids).json()
        assert (body["elsewhere"], len(body["questions"])) == (False, 3)
        path = f"attempts/{body['id']}"
        assert own.get(path).json()["questions"] == []
        attempt = Attempt.objects.get()
        sent = {
            "responses": [
                {
                    "slot": 0,
                    "answer": raw_choice(attempt, 0, "a"),
                    "idempotency_key": str(uuid4()),
                }
            ]
        }
        other = {"X-Device": str(SECOND)}
        refused = own.post(f"{path}/responses", sent, **other)
        assert (refused.status_code, refused.json()["code"]) == (409, "elsewhere")
        refused = own.post(f"{path}/submit", **other)
        assert (refused.status_code, refused.json()["code"]) == (409, "elsewhere")
        moved = own.post(f"{path}/take-over", **other)
        assert (moved.status_code, moved.json()["elsewhere"]) == (200, False)
        assert own.post(f"{path}/responses", sent, **other).status_code == 200
        assert own.post(f"{path}/submit", **ids).json()["code"] == "elsewhere"
        assert own.post(f"{path}/submit", **other).status_code == 200

    def test_no_device_takes_over_nothing_and_a_wrong_one_is_named(self, users, attempt):
        own, path = program(users.learner), f"attempts/{attempt.uuid}/take-over"
        assert own.post(path).status_code == 422
        refused = own.post(path, **{"X-Device": "mine"})
        assert refused.json()["errors"][0]["code"] == "not_a_uuid"
