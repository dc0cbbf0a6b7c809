"""Quizzes without an account: who may, what a guest meets, and what an account keeps of it."""

import json
import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth import SESSION_KEY
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.test import Client, override_settings
from django.urls import reverse

from accounts import zones
from accounts.guests import GUEST_LIFETIME, SESSION_GUEST, create_guest, keep_guest
from accounts.models import Session, User
from quizzes.attempts.models import Assignment, Attempt, QuizGrade, State
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from quizzes.lib.errors import NotFound
from quizzes.privacy.guest_purge import purge_guests
from quizzes.privacy.person_erasure import erase_person
from quizzes.publishing.models import Quiz
from quizzes.results.selectors import load_report
from quizzes.statistics.attempt_records import list_countable
from tests.attempt_helpers import finish, save_choice, start, take_quiz
from tests.factories import create_bank, create_question, create_quiz, open_to_anyone
from tests.quizzes.web.test_secrecy import masked, twin, walk
from tests.users import create_user, logged_in_client

pytestmark = pytest.mark.django_db
HIDDEN = [
    f"reveal_{part}" for part in ("score", "correctness", "feedback", "hints", "key", "explanation")
]
GUEST_NAME = re.compile(r"(Guest|Invitado) [0-9a-f]{6}")
KEEP, LEAVE = "/guest/keep", "/guest/leave"


@pytest.fixture
def quiz(users) -> Quiz:
    into = create_bank(users, "open")
    return open_to_anyone(
        create_quiz(users, [create_question(into, "first", right="a")], slug="open")
    )


def begin(client: Client, quiz: Quiz) -> str:
    """Press Start; return the address of the attempt."""
    return client.post(reverse("start", args=[quiz.slug]))["Location"]


def take(client: Client, quiz: Quiz) -> Attempt:
    """Take the quiz as a guest, all right; return the graded attempt."""
    begin(client, quiz)
    attempt = Attempt.objects.latest("pk")
    save_choice(attempt, 0, "a", clock.now())
    return finish(attempt, clock.now())


def test_a_stranger_takes_an_open_quiz_by_the_pages_alone(quiz):
    client = Client()
    assert reverse("intro", args=[quiz.slug]) in client.get("/").content.decode()
    assert "No account is needed" in client.get(reverse("intro", args=[quiz.slug])).content.decode()
    assert not User.objects.exclude(guest_since=None).exists()
    url = begin(client, quiz)
    assert client.get(url).status_code == 200
    attempt = Attempt.objects.get()
    question = attempt.manifest["slots"][0]["order"][0]
    save = {"slot": 0, "answer": {"chosen": [question]}, "idempotency_key": str(uuid4())}
    saved = client.post(
        f"{url}save", json.dumps({"saves": [save]}), content_type="application/json"
    )
    assert saved.status_code == 200
    assert client.get(f"{url}review").status_code == 200
    result = client.get(client.post(f"{url}submit")["Location"]).content.decode()
    assert reverse("account_signup") in result
    assert reverse("account_login") in result
    assert "/challenge" not in result
    assert "give-up" not in result


def test_the_first_page_has_the_results_of_a_guest_and_of_nobody_else(users, quiz):
    client, heading = Client(), "Your results in this browser"
    assert heading not in client.get("/").content.decode()
    url = begin(client, quiz)
    assert url in (page := client.get("/").content.decode())
    assert "In progress" in page
    attempt = finish(Attempt.objects.get(), clock.now())
    page = client.get("/").content.decode()
    assert reverse("result", args=[attempt.uuid]) in page
    assert "Not passed" in page
    assert reverse("account_signup") in page
    client.cookies["language"] = "es"
    assert "Tus resultados en este navegador" in client.get("/").content.decode()
    for other in (Client(), logged_in_client(users.stranger)):
        assert str(attempt.uuid) not in other.get("/").content.decode()
    client.post(LEAVE)
    assert str(attempt.uuid) not in client.get("/").content.decode()


def test_a_guest_finds_the_results_when_nothing_is_open_any_more(quiz):
    client = Client()
    url = begin(client, quiz)
    Quiz.objects.filter(pk=quiz.pk).update(retired_at=clock.now())
    assert url in client.get("/").content.decode()
    assert Client().get("/").status_code == 302
    assert client.post("/").status_code == 200


@pytest.mark.parametrize(
    "rule",
    [
        {"time_limit": 5},
        {"lock_questions": True, "one_question_a_page": True},
        {"one_device": True},
    ],
    ids=str,
)
def test_a_quiz_starts_from_the_first_page_unless_one_reads_rules_before(users, quiz, rule):
    question = create_question(create_bank(users, "ruled"), "ruled", right="a")
    ruled = open_to_anyone(create_quiz(users, [question], slug="ruled", **rule))
    page = Client().get("/").content.decode()
    assert f'action="{reverse("start", args=[quiz.slug])}"' in page
    assert reverse("intro", args=[ruled.slug]) in page
    assert reverse("start", args=[ruled.slug]) not in page


def test_nobody_signs_in_as_a_guest_and_rights_stay_away(quiz):
    take(Client(), quiz)
    guest = User.objects.get(guest_since__isnull=False)
    assert not guest.is_active
    assert not guest.has_usable_password()
    for field, value in (
        ("is_active", True),
        ("is_superuser", True),
        ("may_make_classes", True),
        ("confirmed_email", guest.email),
        ("school_id", "1"),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.filter(pk=guest.pk).update(**{field: value})


@pytest.mark.parametrize(
    "path",
    [
        *("/attempts/", "/study/", "/progress/", "/profile/", "/profile/tokens/", "/join/"),
        *("/profile/data/", KEEP, "/api/v1/me", "/api/v1/attempts", "/api/v1/results"),
    ],
)
def test_a_guest_is_a_stranger_everywhere_else(quiz, path):
    client = Client()
    begin(client, quiz)
    answers = [each.get(path) for each in (client, Client())]
    assert answers[0].status_code == answers[1].status_code
    assert answers[0].status_code in {302, 401, 404}


def test_a_guest_begins_no_other_quiz(users, quiz, a_quiz):
    Quiz.objects.filter(pk=a_quiz.pk).update(audience="signed_in")
    client = Client()
    begin(client, quiz)
    assert client.get(reverse("intro", args=[a_quiz.slug])).status_code == 404
    assert client.post(reverse("start", args=[a_quiz.slug])).status_code == 404
    assert Attempt.objects.count() == 1


def test_what_a_class_or_another_graded_quiz_asks_is_not_open(users, quiz):
    url = reverse("intro", args=[quiz.slug])
    is_open = lambda: Client().get(url).status_code == 200  # noqa: E731
    assert is_open()
    assigned = Assignment.objects.create(quiz=quiz, group=users.group)
    assert not is_open()
    assigned.delete()
    question = quiz.sections.get().slots.get().question
    other = create_quiz(users, [question], slug="exam")
    assert not is_open()
    Quiz.objects.filter(pk=other.pk).update(audience="anyone")
    assert not is_open()  # it is given to a class
    other.assignments.all().delete()
    assert is_open()
    Quiz.objects.filter(pk=other.pk).update(audience="signed_in")
    assert not is_open()
    Quiz.objects.filter(pk=other.pk).update(retired_at=clock.now())
    assert is_open()


def test_a_refused_start_makes_no_guest(quiz):
    Quiz.objects.filter(pk=quiz.pk).update(closes_at=clock.now() - timedelta(hours=1))
    client = Client()
    assert begin(client, quiz) == reverse("intro", args=[quiz.slug])
    assert not User.objects.exclude(guest_since=None).exists()
    assert SESSION_GUEST not in client.session


def test_a_planted_session_learns_nothing(quiz):
    planted = Client()
    planted.session.save()
    before = planted.session.session_key
    victim = Client()
    victim.cookies["session"] = str(before)
    begin(victim, quiz)
    assert victim.session.session_key != before
    assert not Session.objects.filter(session_key=before).exists()


def test_a_guest_sees_no_attempt_of_another(quiz):
    first, second = Client(), Client()
    url = begin(first, quiz)
    begin(second, quiz)
    for suffix in ("", "review", "result", "clock"):
        assert second.get(f"{url}{suffix}").status_code == 404
    assert Client().get(url).status_code == 302


def test_guests_are_made_at_a_bounded_rate(quiz):
    cache.clear()
    with override_settings(ACCOUNT_RATE_LIMITS={"guest": "2/m/ip"}):
        statuses = [Client().post(reverse("start", args=[quiz.slug])).status_code for _ in range(4)]
    cache.clear()
    assert statuses == [302, 302, 429, 429]
    assert User.objects.exclude(guest_since=None).count() == 2


def test_whoever_is_asked_keeps_the_result_once(users, quiz):
    client = Client()
    attempt = take(client, quiz)
    digest = attempt.receipt
    client.force_login(users.stranger)
    assert KEEP in client.get("/").content.decode()
    page = client.get(KEEP).content.decode()
    assert "A quiz" in page
    assert "100" in page
    assert User.objects.get(pk=attempt.learner_id).kept_by is None
    assert client.post(KEEP, {"answer": "keep"})["Location"] == "/attempts/"
    attempt.refresh_from_db()
    assert attempt.learner.kept_by == users.stranger
    assert attempt.receipt == digest
    event = AuditEvent.objects.get(code=AuditCode.GUEST_KEPT)
    assert event.actor == event.subject == users.stranger.uuid
    assert event.after == {"guest": str(attempt.learner.uuid)}
    assert KEEP not in client.get("/").content.decode()
    url = reverse("result", args=[attempt.uuid])
    assert url in client.get("/attempts/").content.decode()
    assert client.get(url).status_code == 200
    assert logged_in_client(users.other_learner).get(url).status_code == 404
    for other in (users.stranger, users.other_learner):
        with pytest.raises(NotFound):
            keep_guest(guest=attempt.learner, user=other, now=clock.now())


def test_nothing_is_kept_of_another_who_used_this_browser(users, quiz):
    client = Client()
    attempt = take(client, quiz)
    client.force_login(users.stranger)
    client.get("/")
    client.post(KEEP, {"answer": "leave"})
    attempt.refresh_from_db()
    assert attempt.learner.kept_by is None
    assert SESSION_GUEST not in client.session
    assert client.get(reverse("result", args=[attempt.uuid])).status_code == 404


def test_what_is_kept_overwrites_no_grade_and_enters_none(users, quiz):
    own = take_quiz(quiz, users.stranger, {0: "b"}, clock.now())
    before = QuizGrade.objects.filter(learner=users.stranger).values().get()
    client = Client()
    attempt = take(client, quiz)
    keep_guest(guest=attempt.learner, user=users.stranger, now=clock.now())
    assert QuizGrade.objects.filter(learner=users.stranger).values().get() == before
    assert [row.attempt for row in list_countable([own.pk, attempt.pk])] == [own]
    with pytest.raises(IntegrityError), transaction.atomic():
        Attempt.objects.filter(pk=attempt.pk).update(learner=users.stranger)


def test_who_keeps_sees_no_more_than_the_guest_did(users, quiz):
    attempt = start(
        quiz, create_guest(language="en", time_zone="UTC", now=clock.now()), clock.now()
    )
    save_choice(attempt, 0, "b", clock.now())
    finish(attempt, clock.now())
    guest = attempt.learner
    keep_guest(guest=guest, user=users.stranger, now=clock.now())
    reports = [
        load_report(attempt=attempt.uuid, viewer=viewer, language="en", now=clock.now())
        for viewer in (guest, users.stranger)
    ]
    assert reports[0].questions == reports[1].questions
    assert reports[0].questions[0].solution is None


def test_an_attempt_goes_on_after_signing_in_and_is_kept_when_it_is_handed_in(users, quiz):
    client = Client()
    url = begin(client, quiz)
    client.force_login(users.stranger)
    assert client.get(url).status_code == 200
    review = client.get(f"{url}review").content.decode()
    assert KEEP in review
    assert users.stranger.email in review
    for words in ("without an account:", "button-quiet sign-in", LEAVE, "#own-results"):
        assert words not in review
    assert client.post(KEEP, {"answer": "keep"}).status_code == 409
    assert not User.objects.exclude(kept_by=None).exists()
    result = client.get(client.post(f"{url}submit")["Location"]).content.decode()
    assert KEEP in result
    client.post(KEEP, {"answer": "keep"})
    assert User.objects.get(guest_since__isnull=False).kept_by == users.stranger
    assert client.session[SESSION_KEY] == str(users.stranger.pk)


def test_who_signs_in_without_a_name_is_shown_by_the_address_and_not_by_that_of_the_guest(quiz):
    client = Client()
    url = begin(client, quiz)
    nameless = User.objects.create_user("nameless@example.org", name="")
    client.force_login(nameless)
    page = client.get(f"{url}review").content.decode()
    assert f'<span class="menu-name">{nameless.email}</span>' in page
    assert "@guest.invalid" not in page


def test_signing_up_takes_the_session_of_the_guest_along(quiz):
    client = Client()
    attempt = take(client, quiz)
    guests = client.session[SESSION_GUEST]
    before = client.session.session_key
    form = {"email": "new@example.org", "password1": "an odd long sentence 17"}
    assert client.post(reverse("account_signup"), form).status_code == 302
    assert client.session.session_key != before
    assert client.session[SESSION_GUEST] == guests
    client.post(KEEP, {"answer": "keep"})
    attempt.refresh_from_db()
    assert attempt.learner.kept_by == User.objects.get(email="new@example.org")


def test_a_guest_reads_times_of_the_place_of_the_browser(users, quiz):
    client = Client()
    client.cookies[zones.COOKIE] = "Asia/Tokyo"
    url = begin(client, quiz)
    result = client.get(client.post(f"{url}submit")["Location"]).content.decode()
    assert 'data-time-zone="Asia/Tokyo"' in result
    assert ">JST<" in result
    assert ">UTC<" not in result
    client.force_login(users.stranger)  # who has a zone of their own
    assert 'data-time-zone="UTC"' in client.get(f"{url}result").content.decode()


def test_a_zone_of_fixed_offset_is_named_as_browsers_know_it(quiz):
    client = Client()
    client.cookies[zones.COOKIE] = "Etc/GMT+5"
    url = begin(client, quiz)
    assert 'data-time-zone="Etc/GMT+5"' in client.get(f"{url}review").content.decode()


def test_leaving_forgets_the_guest_in_this_browser(quiz):
    client = Client()
    url = begin(client, quiz)
    client.post(LEAVE)
    assert SESSION_GUEST not in client.session
    assert client.get(url).status_code == 302


def test_a_guest_ends_after_a_week(quiz):
    client = Client()
    url = begin(client, quiz)
    User.objects.exclude(guest_since=None).update(
        guest_since=clock.now() - GUEST_LIFETIME - timedelta(seconds=1)
    )
    assert client.get(url).status_code == 302


def test_guests_of_long_ago_are_erased_and_what_they_left_open_is_graded(users, quiz):
    clients = [Client() for _ in range(3)]
    begin(clients[0], quiz)
    attempts = [Attempt.objects.get(), take(clients[1], quiz), take(clients[2], quiz)]
    keep_guest(guest=attempts[2].learner, user=users.stranger, now=clock.now())
    now = clock.now() + timedelta(days=31)
    assert purge_guests(now=now) == 2
    assert purge_guests(now=now) == 0
    for attempt in attempts:
        attempt.refresh_from_db()
    assert [attempt.state for attempt in attempts] == [State.GRADED] * 3
    assert [attempt.learner.erased_at is not None for attempt in attempts] == [True, True, False]


def test_who_is_kept_goes_with_the_account(users, quiz):
    attempt = take(Client(), quiz)
    keep_guest(guest=attempt.learner, user=users.stranger, now=clock.now())
    erase_person(person=users.stranger, by=None, now=clock.now())
    attempt.refresh_from_db()
    assert attempt.learner.erased_at is not None


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_guest_sees_nothing_of_key_and_feedback(users, language):
    walks = []
    for number, (many, single) in enumerate((("ab", "b"), ("d", "a"))):
        bank = create_bank(users, f"bank-{'one' if number == 0 else 'two'}")
        slug = "one" if number == 0 else "two"
        questions = [twin(bank, f"{slug}-many", many)]
        questions.append(twin(bank, f"{slug}-single", single, kind="single_choice"))
        hidden = dict.fromkeys(HIDDEN, "never")
        quiz = open_to_anyone(
            create_quiz(users, questions, slug=slug, shuffle_options=False, **hidden)
        )
        client = Client()
        client.cookies["language"] = language
        client.get("/")
        pages = list(walk(client, quiz, questions))
        url = reverse("attempt", args=[Attempt.objects.latest("pk").uuid])
        handed_in = client.post(f"{url}submit")["Location"]
        pages += [masked(client.get(address)) for address in (handed_in, "/")]
        client.force_login(users.stranger)
        pages.append(masked(client.get(KEEP)))
        assert [page[0] for page in pages[-3:]] == [200, 200, 200]
        walks.append([(*page[:2], GUEST_NAME.sub("Guest", page[2])) for page in pages])
        Quiz.objects.filter(pk=quiz.pk).update(retired_at=clock.now())
    for first, other in zip(*walks, strict=True):
        assert first == other


def test_an_unconfirmed_address_takes_open_quizzes_and_none_of_its_class(users, quiz, a_quiz):
    person = create_user("fresh", confirmed_email="")
    client = logged_in_client(person)
    assert client.post(reverse("start", args=[quiz.slug])).status_code == 302
    assert Attempt.objects.filter(learner=person).count() == 1
    assert client.get(reverse("intro", args=[a_quiz.slug])).status_code == 404


def test_the_pages_of_a_guest_take_one_query_more(quiz, django_assert_max_num_queries):
    client = Client()
    url = begin(client, quiz)
    client.get(url)
    with django_assert_max_num_queries(5):
        assert client.get(url).status_code == 200
    with django_assert_max_num_queries(4):
        assert Client().get("/").status_code == 200
    with django_assert_max_num_queries(6):
        assert client.get("/").status_code == 200
    with django_assert_max_num_queries(3):
        assert Client().get(reverse("intro", args=[quiz.slug])).status_code == 200


def test_results_without_an_account_say_so_in_spanish(quiz):
    client = Client()
    client.cookies["language"] = "es"
    url = begin(client, quiz)
    page = client.get(client.post(f"{url}submit")["Location"]).content.decode()
    assert "Estás aquí sin cuenta" in page
    assert "Crear una cuenta y guardar este resultado" in page
