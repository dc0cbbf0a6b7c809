"""Pages with right answers ask after hours who it is; what was being written is not lost."""

import time
from functools import reduce

import pytest
from django.contrib import admin
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.challenges.services import challenge_question
from quizzes.statistics.models import QuizVersionStatistics
from quizzes.statistics.tasks import update_statistics
from tests.attempt_helpers import take_quiz
from tests.browser_forms import form_values
from tests.factories import NOW
from tests.quizzes.api.programs import token
from tests.quizzes.instructor.test_people import addresses, concrete
from tests.users import PASSWORD, Users, authenticate_at, logged_in_client

pytestmark = pytest.mark.django_db

ASK = "/accounts/reauthenticate/"


@pytest.fixture(autouse=True)
def _fresh_counts():
    cache.clear()


def client_signed_in_hours_ago(user: User, hours: float) -> Client:
    client = logged_in_client(user)
    authenticate_at(client, user, time.time() - hours * 3600)
    return client


def list_key_pages() -> list[tuple[str, str]]:
    """Return route and name of the pages that say of themselves that they show right answers."""
    pages = {name for page in admin.site._registry.values() for name in page.key_pages}  # type: ignore[attr-defined]  # ours
    return [(route, name) for route, name in addresses() if name in pages]


def test_every_named_page_of_keys_is_there():
    pages = {name for page in admin.site._registry.values() for name in page.key_pages}  # type: ignore[attr-defined]  # ours
    assert {name for _route, name in list_key_pages()} == pages
    assert len(pages) >= 11


def test_pages_with_right_answers_ask_after_hours_and_not_before(users: Users, a_quiz, questions):
    page = f"/admin/bank/question/{questions[0].pk}/change/"
    assert client_signed_in_hours_ago(users.instructor, 11.9).get(page).status_code == 200
    client = client_signed_in_hours_ago(users.instructor, 12.1)
    assert client.get(page)["Location"].startswith(ASK)
    response = client.post(ASK, {"password": PASSWORD, "next": page})
    assert response["Location"] == page
    assert client.get(page).status_code == 200
    assert client.get("/admin/bank/question/").status_code == 200


def test_no_page_records_a_view_of_keys_for_who_is_to_be_asked(users: Users, a_quiz, questions):
    """Whatever page of the admin shows keys, also one that is made later, it asks."""
    attempt = take_quiz(a_quiz, users.learner, {0: "a"})
    update_statistics()
    statistics = QuizVersionStatistics.objects.first()
    statistics = QuizVersionStatistics.objects.get()
    challenge_question(
        attempt=attempt.uuid,
        slot=0,
        learner=users.learner,
        reason="key",
        comment="Why?",
        language="en",
        now=NOW,
    )
    pks = {
        "bank/bank": questions[0].bank_id,
        "bank/question": questions[0].pk,
        "attempts/attempt": attempt.pk,
        "statistics/quizversionstatistics": statistics.pk,
        "results/itemresult": questions[0].pk,
    }
    ids = {
        "<uuid:version>": str(questions[0].current.uuid),
        "<uuid:question>": str(questions[0].uuid),
        "<uuid:quiz>": str(a_quiz.uuid),
    }
    client = client_signed_in_hours_ago(users.instructor, 13)
    views_before = AuditEvent.objects.filter(code=AuditCode.KEYS_VIEWED).count()
    statuses = {}
    for route, name in addresses():
        filled = reduce(lambda path, gap: path.replace(*gap), ids.items(), route)
        address = concrete(filled, pks)
        if address is not None:
            statuses[name] = client.get(address).status_code
    asking = {name for _route, name in list_key_pages()}
    assert {statuses[name] for name in asking & statuses.keys()} == {302}
    assert AuditEvent.objects.filter(code=AuditCode.KEYS_VIEWED).count() == views_before


def test_a_form_whose_page_was_opened_in_time_is_not_asked_about(users: Users, questions):
    page = f"/admin/bank/question/{questions[0].pk}/change/"
    values = form_values(logged_in_client(users.instructor).get(page), "q-kind")
    for hours, is_asked in ((12.9, False), (13.1, True)):
        client = client_signed_in_hours_ago(users.instructor, hours)
        response = client.post(page, values)
        assert response.get("Location", "").startswith(ASK) is is_asked


@pytest.mark.parametrize("hours", [1, 13])
def test_programs_in_the_browser_are_asked_for_keys_and_tokens_are_not(
    users: Users, a_quiz, questions, hours
):
    update_statistics()
    expected = 200 if hours == 1 else 403
    client = client_signed_in_hours_ago(users.instructor, hours)
    paths = (
        f"/api/v1/quizzes/{a_quiz.uuid}/statistics",
        f"/api/v1/banks/{questions[0].bank.uuid}/checks",
        f"/api/v1/results/{take_quiz(a_quiz, users.learner, {0: 'a'}).uuid}",
    )
    assert {client.get(path).status_code for path in paths} == {expected}
    own = client_signed_in_hours_ago(users.learner, hours)
    assert own.get(paths[-1]).status_code == 200
    for path in paths:
        headers = {"Authorization": f"Bearer {token(users.instructor)}"}
        assert Client().get(path, headers=headers).status_code == 200


def test_for_who_does_not_teach_such_a_page_is_not_there(users: Users, questions):
    page = f"/admin/bank/question/{questions[0].pk}/change/"
    assert client_signed_in_hours_ago(users.learner, 13).get(page).status_code == 404
