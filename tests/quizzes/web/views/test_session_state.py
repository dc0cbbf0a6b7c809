"""What pages with forms ask while somebody writes: whether the session goes on, and whose it is."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import Session
from quizzes.lib import clock
from tests.users import Users, logged_in_client

pytestmark = pytest.mark.django_db
ADDRESS = "/session"


def ask(client: Client, users: Users) -> tuple[int, object]:
    response = client.get(ADDRESS, headers={"X-Person": str(users.instructor.uuid)})
    return response.status_code, response.json().get("code")


def test_it_says_whose_session_it_is_and_whether_it_goes_on(users: Users):
    assert ask(logged_in_client(users.instructor), users) == (200, None)
    assert ask(logged_in_client(users.learner), users) == (403, "other_person")
    assert ask(Client(), users) == (401, "signed_out")


def test_to_ask_is_a_use_of_the_session_and_too_late_ends_it(users: Users, settings):
    settings.STAFF_IDLE_MINUTES = 60
    client = logged_in_client(users.instructor)
    sessions = Session.objects.filter(user=users.instructor)
    sessions.update(last_seen_at=clock.now() - timedelta(minutes=59))
    assert ask(client, users) == (200, None)
    assert clock.now() - sessions.get().last_seen_at < timedelta(minutes=1)
    sessions.update(last_seen_at=clock.now() - timedelta(minutes=61))
    assert ask(client, users) == (401, "signed_out")


def test_pages_with_forms_of_the_admin_watch_their_session(users: Users):
    for path in ("/admin/bank/bank/add/", "/admin/publishing/quiz/", "/admin/bank/question/"):
        page = logged_in_client(users.instructor).get(path).content.decode()
        assert f'data-session-state="{ADDRESS}"' in page
        assert f'data-person="{users.instructor.uuid}"' in page
