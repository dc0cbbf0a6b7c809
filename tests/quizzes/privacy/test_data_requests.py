"""A person asks for a copy or for erasure: on their page, undone in time, with a mail."""

from datetime import timedelta
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.core import mail
from django.urls import reverse

from accounts.models import User
from accounts.security_notices import send_due
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from quizzes.lib.errors import Invalid, NotFound, Refused
from quizzes.privacy import data_requests
from quizzes.privacy.export_files import export_name
from quizzes.privacy.models import DataRequest, LegalHold
from quizzes.privacy.tasks import handle_data_requests
from quizzes.web.views import personal_data
from tests.attempt_helpers import take_quiz
from tests.users import Users, authenticate_at, logged_in_client

pytestmark = pytest.mark.django_db
PAGE = "/profile/data/"


@pytest.fixture
def person(users: Users, a_quiz: Any, settings: Any, tmp_path: Any) -> User:
    settings.MEDIA_ROOT = tmp_path
    take_quiz(a_quiz, users.learner, {0: "ab"})
    return users.learner


def let_time_pass(**span: float) -> None:
    """Have all that waits be asked for so long ago."""
    for row in DataRequest.objects.all():
        row.due_at -= timedelta(**span)
        row.expires_at = row.expires_at and row.expires_at - timedelta(**span)
        row.save()


def test_a_copy_is_made_downloaded_by_its_person_alone_and_deleted(person, users, tmp_path):
    client = logged_in_client(person)
    assert client.post(reverse("ask_for_copy"))["Location"] == PAGE
    (export,) = DataRequest.objects.all()
    address = reverse("download_copy", args=[export.uuid])
    assert address in client.get(PAGE).content.decode()
    path = tmp_path / export_name(export.uuid)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    response = client.get(address)
    assert response["Content-Disposition"] == 'attachment; filename="ochenta-data.zip"'
    assert "data.json" in ZipFile(BytesIO(response.getvalue())).namelist()
    for other in (users.other_learner, users.administrator):
        assert logged_in_client(other).get(address).status_code == 404
    let_time_pass(days=8)
    assert client.get(address).status_code == 404
    assert handle_data_requests() == 1
    assert not path.exists()
    assert address not in client.get(PAGE).content.decode()


def test_a_large_copy_is_made_by_the_clock(person, monkeypatch):
    monkeypatch.setattr(personal_data, "IMMEDIATELY", 0)
    client = logged_in_client(person)
    for _ in range(2):
        client.post(reverse("ask_for_copy"))
    assert "is being made" in client.get(PAGE).content.decode()
    assert handle_data_requests() == 1
    assert "Your copy is ready" in client.get(PAGE).content.decode()


def test_copies_and_erasures_ask_again_who_it_is(person):
    client = logged_in_client(person)
    authenticate_at(client, person, 0)
    for name in ("ask_for_copy", "ask_for_erasure"):
        assert "reauthenticate" in client.post(reverse(name))["Location"]
    assert not DataRequest.objects.exists()


def test_an_erasure_waits_is_told_by_mail_and_done(person):
    client, address = logged_in_client(person), person.email
    page = client.get(reverse("ask_for_erasure")).content.decode()
    assert "after 14 days" in page
    client.post(reverse("ask_for_erasure"))
    assert handle_data_requests() == 0
    assert "Your data will be erased" in client.get(PAGE).content.decode()
    let_time_pass(days=15)
    assert handle_data_requests() == 1
    person.refresh_from_db()
    assert person.erased_at is not None
    send_due(now=clock.now())
    (notice,) = [message for message in mail.outbox if "are erased" in message.subject]
    assert notice.to == [address]
    assert client.get(PAGE).status_code == 302
    assert not AuditEvent.objects.filter(actor_label__contains=address).exists()


def test_the_mail_at_the_request_says_how_to_take_it_back(person):
    person.language = "es"
    person.save()
    data_requests.request_erasure(person=person, now=clock.now())
    send_due(now=clock.now())
    (notice,) = mail.outbox
    assert "Tus datos se borrarán" in notice.subject
    assert "14 días" in str(notice.body)


def test_a_request_is_taken_back(person):
    client = logged_in_client(person)
    client.post(reverse("ask_for_erasure"))
    client.post(reverse("withdraw_erasure"))
    let_time_pass(days=15)
    assert handle_data_requests() == 0
    person.refresh_from_db()
    assert person.erased_at is None
    assert client.post(reverse("withdraw_erasure")).status_code == 404


def test_an_administrator_refuses_with_a_reason_that_the_person_reads(person, users):
    request = data_requests.request_erasure(person=person, now=clock.now())
    refuse = data_requests.refuse_erasure
    with pytest.raises(NotFound):
        refuse(request=request, by=users.instructor, reason="x", now=clock.now())
    with pytest.raises(Invalid):
        refuse(request=request, by=users.administrator, reason=" ", now=clock.now())
    refuse(request=request, by=users.administrator, reason="An appeal is open.", now=clock.now())
    assert "An appeal is open." in logged_in_client(person).get(PAGE).content.decode()
    mail.outbox.clear()
    send_due(now=clock.now())
    assert any("An appeal is open." in str(message.body) for message in mail.outbox)


def test_what_prevents_an_erasure_is_said_and_holds_it_up(person, users):
    hold = LegalHold.objects.create(person=person, reason="appeal")
    response = logged_in_client(person).post(reverse("ask_for_erasure"))
    assert response.status_code == 409
    assert "A legal hold" in response.content.decode()
    hold.delete()
    data_requests.request_erasure(person=person, now=clock.now())
    LegalHold.objects.create(group=users.group, reason="appeal")
    with pytest.raises(Refused):
        data_requests.request_erasure(person=person, now=clock.now())
    let_time_pass(days=15)
    assert handle_data_requests() == 0
    assert "A legal hold" in logged_in_client(person).get(PAGE).content.decode()
