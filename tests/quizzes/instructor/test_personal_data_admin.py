"""Administrators copy and erase people's data, refuse requests and set legal holds."""

from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.urls import reverse

from accounts.models import User
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from quizzes.privacy import data_requests
from quizzes.privacy.models import LegalHold
from tests.users import Users, authenticate_at, logged_in_client

pytestmark = pytest.mark.django_db
PEOPLE = "/admin/accounts/user/"
REQUESTS = "/admin/privacy/datarequest/"


def act(client: Any, action: str, *people: User, **more: str) -> Any:
    keys = [person.pk for person in people]
    return client.post(PEOPLE, {"action": action, "_selected_action": keys, **more})


def test_a_copy_of_one_person_is_downloaded_and_recorded(users: Users) -> None:
    client = logged_in_client(users.administrator)
    response = act(client, "export_people", users.learner)
    assert "data.json" in ZipFile(BytesIO(response.getvalue())).namelist()
    event = AuditEvent.objects.get(code=AuditCode.PERSON_EXPORTED)
    assert (event.actor, event.subject) == (users.administrator.uuid, users.learner.uuid)
    assert act(client, "export_people", users.learner, users.stranger).status_code == 302


def test_an_erasure_says_what_it_does_before_it_does_it(users: Users) -> None:
    client = logged_in_client(users.administrator)
    LegalHold.objects.create(person=users.stranger, reason="appeal")
    page = act(client, "erase_people", users.learner, users.stranger)
    text = page.content.decode()
    assert page.status_code == 200
    assert users.learner.email in text
    assert "A legal hold" in text
    assert f'name="_selected_action" value="{users.learner.pk}"' in text
    assert f'name="_selected_action" value="{users.stranger.pk}"' not in text
    assert User.objects.filter(pk=users.learner.pk, erased_at=None).exists()
    act(client, "erase_people", users.learner, users.stranger, confirmed="yes")
    users.learner.refresh_from_db()
    users.stranger.refresh_from_db()
    assert users.learner.erased_at is not None
    assert users.stranger.erased_at is None


def test_copies_and_erasures_ask_an_administrator_again_who_it_is(users: Users) -> None:
    client = logged_in_client(users.administrator)
    authenticate_at(client, users.administrator, 0)
    for action in ("export_people", "erase_people"):
        response = act(client, action, users.learner, confirmed="yes")
        assert "reauthenticate" in response["Location"]
    assert User.objects.filter(pk=users.learner.pk, erased_at=None).exists()


def test_a_request_is_refused_with_a_reason(users: Users) -> None:
    request = data_requests.request_erasure(person=users.learner, now=clock.now())
    client = logged_in_client(users.administrator)
    posted = {"action": "refuse", "_selected_action": [request.pk]}
    assert "Reason, which the person reads" in client.post(REQUESTS, posted).content.decode()
    assert "Write the reason" in client.post(REQUESTS, {**posted, "reason": " "}).content.decode()
    client.post(REQUESTS, {**posted, "reason": "An appeal is open."})
    request.refresh_from_db()
    assert (request.state, request.reason) == ("refused", "An appeal is open.")
    assert logged_in_client(users.instructor).get(REQUESTS).status_code in {403, 404}


def test_a_legal_hold_is_set_and_ended_and_both_are_recorded(users: Users) -> None:
    client = logged_in_client(users.administrator)
    client.post(reverse("admin:privacy_legalhold_add"), {"group": users.group.pk, "reason": "x"})
    hold = LegalHold.objects.get()
    assert hold.created_by == users.administrator
    for _ in range(2):
        change = reverse("admin:privacy_legalhold_change", args=[hold.pk])
        client.post(change, {"group": users.group.pk, "reason": "y"})
    client.post(reverse("admin:privacy_legalhold_delete", args=[hold.pk]), {"post": "yes"})
    assert not LegalHold.objects.exists()
    events = AuditEvent.objects.filter(code=AuditCode.LEGAL_HOLD_CHANGED).order_by("pk")
    assert [(event.before, event.after) for event in events] == [
        ({"reason": ""}, {"reason": "x"}),
        ({"reason": "x"}, {"reason": "y"}),
        ({"reason": "y"}, {"reason": ""}),
    ]
