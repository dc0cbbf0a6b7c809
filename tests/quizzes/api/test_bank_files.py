"""The files of a bank over REST: listed with their uses, sent, deleted while nothing uses them."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.bank import uploads
from quizzes.bank.models import BankRight, BankShare, Media
from tests.factories import create_bank, create_question, publish_change
from tests.media_files import gif, png, upload
from tests.quizzes.api.programs import ROOT, program
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def bank(users, store):
    return create_bank(users)


@pytest.fixture
def author(users):
    return program(users.instructor, "authoring")


def address(bank, file: str = "") -> str:
    return f"banks/{bank.uuid}/files" + (f"/{file}" if file else "")


def send(client, bank, data: bytes, name: str = "volga.png", **headers):
    body = {"file": SimpleUploadedFile(name, data)}
    return client.client.post(ROOT + address(bank), body, headers=headers)


def test_a_file_is_sent_listed_shown_and_deleted_once_nothing_shows_it(author, bank):
    sent = send(author, bank, png(), "../rivers/volga.png")
    assert sent.status_code == 201
    file = sent.json()
    assert (file["name"], file["media_type"], file["width"]) == ("volga.png", "image/png", 2)
    assert send(author, bank, png()).json() == file
    assert author.get(address(bank)).json()["items"] == [file]
    feedback = {"en": {"explanation": f"![Volga]({file['reference']})"}}
    question = publish_change(create_question(bank, "river"), feedback=feedback)
    (listed,) = author.get(address(bank)).json()["items"]
    assert (listed["versions"], listed["drafts"]) == (1, [question.name])
    refused = author.delete(address(bank, file["id"]))
    assert refused.status_code == 409
    problem = refused.json()
    assert (problem["code"], problem["versions"], problem["drafts"]) == (
        "media_in_use",
        1,
        [question.name],
    )
    other = send(author, bank, gif(), "a.gif").json()
    assert author.delete(address(bank, other["id"])).status_code == 204
    assert [row["id"] for row in author.get(address(bank)).json()["items"]] == [file["id"]]
    assert author.delete(address(bank, other["id"])).status_code == 404


def test_a_repeated_upload_is_answered_as_the_first(author, bank):
    first, again = (send(author, bank, png(), **{"Idempotency-Key": "one"}) for _ in range(2))
    assert (again.content, again["Idempotent-Replayed"]) == (first.content, "true")


def test_what_no_page_shows_is_refused_with_the_reason(author, bank):
    refused = send(author, bank, b"MZ no picture", "volga.png")
    (error,) = refused.json()["errors"]
    assert (refused.status_code, error["where"], error["code"]) == (422, "file", "unknown_type")
    assert "PNG" in error["detail"]
    assert author.client.post(ROOT + address(bank)).status_code == 422
    assert not Media.objects.exists()


def test_a_full_disk_is_a_moment_to_wait(author, bank, monkeypatch):
    def fail(**_):
        raise OSError("no space")

    monkeypatch.setattr(uploads, "save_media", fail)
    busy = send(author, bank, png())
    assert (busy.status_code, busy.json()["code"]) == (503, "file_not_saved")
    assert "Retry-After" in busy.headers


def test_who_may_use_a_bank_lists_its_files_and_changes_none(users, bank):
    media = upload(bank, png())
    BankShare.objects.create(bank=bank, person=users.outsider, right=BankRight.USE)
    reader = program(users.outsider)
    assert len(reader.get(address(bank)).json()["items"]) == 1
    assert send(reader, bank, gif()).status_code == 404
    assert reader.delete(address(bank, str(media.uuid))).status_code == 404
    for person in (users.learner, users.stranger):
        assert program(person).get(address(bank)).status_code == 404
    foreign = create_bank(users, "foreign")
    assert program(users.instructor).delete(address(foreign, str(media.uuid))).status_code == 404


def test_the_list_costs_the_same_for_more_files(author, bank, counted):
    upload(bank, png())
    author.get(address(bank))
    with counted() as few:
        author.get(address(bank))
    upload(bank, gif())
    with counted() as many:
        assert len(author.get(address(bank)).json()["items"]) == 2
    assert len(few) == len(many)
    first = author.get(address(bank), limit=1).json()
    second = author.get(address(bank), cursor=first["cursor"]).json()
    assert [first["items"][0]["media_type"], second["items"][0]["media_type"]] == [
        "image/png",
        "image/gif",
    ]


def test_the_log_has_each_file_once_by_whichever_interface_it_came_or_went(author, bank, users):
    file = send(author, bank, png()).json()
    send(author, bank, png())
    page = logged_in_client(users.instructor)
    address = f"/admin/bank/bank/{bank.pk}"
    page.post(f"{address}/files/", {"file": SimpleUploadedFile("a.gif", gif())})
    author.delete(f"banks/{bank.uuid}/files/{file['id']}")
    gif_file = bank.files.get()
    events = AuditEvent.objects.filter(code=AuditCode.BANK_CHANGED, subject=bank.uuid)
    changes = [(event.before, event.after) for event in events.order_by("pk")]
    assert changes[-3:] == [
        (None, {"file": f"{file['id']}.png"}),
        (None, {"file": f"{gif_file.uuid}.gif"}),
        ({"file": f"{file['id']}.png"}, None),
    ]
    history = page.get(f"{address}/history/", follow=True)
    assert history.request["PATH_INFO"] == "/admin/audit/auditevent/"
    assert {event.subject for event in history.context["cl"].result_list} == {bank.uuid}
