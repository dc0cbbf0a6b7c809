"""Sharing a bank over REST: with a person, a class or everyone; changed and taken back."""

import pytest

from quizzes.audit.models import AuditEvent
from quizzes.bank.models import BankRight, BankShare
from tests.factories import create_bank
from tests.quizzes.api.programs import ROOT, program

pytestmark = pytest.mark.django_db


@pytest.fixture
def bank(users):
    return create_bank(users)


@pytest.fixture
def author(users):
    return program(users.instructor, "authoring")


@pytest.fixture
def address(bank):
    return f"banks/{bank.uuid}/shares"


def test_a_bank_is_shared_with_a_person_who_then_edits_it(users, author, bank, address):
    body = {"email": f" {users.outsider.email.upper()} ".strip(), "right": "edit"}
    created = author.post(address, body)
    assert created.status_code == 201
    row = created.json()
    assert row == {
        "id": row["id"],
        "person": {
            "id": str(users.outsider.uuid),
            "name": "Outsider",
            "email": users.outsider.email,
        },
        "group": None,
        "right": "edit",
    }
    assert created["Location"] == f"{ROOT}{address}/{row['id']}"
    assert author.get(address).json() == {"items": [row]}
    other = program(users.outsider)
    assert other.get(f"banks/{bank.uuid}").json()["may_edit"] is True
    changed = author.post(f"{address}/{row['id']}", {"right": "use"})
    assert changed.json() == {**row, "right": "use"}
    assert other.get(f"banks/{bank.uuid}").json()["may_edit"] is False
    assert author.delete(f"{address}/{row['id']}").status_code == 204
    assert other.get(f"banks/{bank.uuid}").status_code == 404
    assert AuditEvent.objects.filter(code="bank_shared").count() == 2
    assert AuditEvent.objects.filter(code="bank_unshared").count() == 1


def test_with_a_class_that_one_teaches_and_with_everyone(users, author, address):
    body = {"group": str(users.group.uuid), "right": "edit"}
    assert author.post(address, body).json()["group"]["name"] == "Class A"
    everyone = author.post(address, {"everyone": True, "right": "use"}).json()
    assert (everyone["person"], everyone["group"]) == (None, None)
    assert author.post(address, {"everyone": True, "right": "use"}).json() == everyone
    assert BankShare.objects.count() == 2


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"right": "use"}, 422, "share_names_one"),
        ({"email": "a@example.org", "everyone": True, "right": "use"}, 422, "share_names_one"),
        ({"email": "nobody@example.org", "right": "use"}, 422, "share_person_does_not_teach"),
        ({"email": "learner@example.org", "right": "use"}, 422, "share_person_does_not_teach"),
        ({"everyone": True, "right": "edit"}, 422, "share_editing_is_named"),
        ({"group": "{other}", "right": "use"}, 404, "not_found"),
        ({"everyone": True, "right": "own"}, 422, "invalid"),
    ],
)
def test_what_the_page_refuses_is_refused(users, author, address, body, status, code):
    sent = {
        name: str(users.other_group.uuid) if value == "{other}" else value
        for name, value in body.items()
    }
    refused = author.post(address, sent)
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert not BankShare.objects.exists()


def test_a_share_that_another_editor_changed_meanwhile_stays(users, author, bank, address):
    row = BankShare.objects.create(bank=bank, person=users.outsider)
    path = f"{address}/{row.uuid}"
    first = author.get(path)["ETag"]
    changed = program(users.administrator).post(path, {"right": "edit"}, **{"If-Match": first})
    assert changed["ETag"] == author.get(path)["ETag"] != first
    assert author.post(path, {"right": "use"}, **{"If-Match": first}).status_code == 412
    gone = author.client.delete(ROOT + path, headers={"If-Match": first})
    assert gone.status_code == 412
    assert BankShare.objects.get().right == BankRight.EDIT
    current = {"If-Match": changed["ETag"]}
    assert author.client.delete(ROOT + path, headers=current).status_code == 204
    assert author.get(path).status_code == 404


def test_who_may_use_a_bank_sees_with_whom_and_changes_nothing(users, bank, address):
    row = BankShare.objects.create(bank=bank, person=users.outsider)
    reader = program(users.outsider)
    assert len(reader.get(address).json()["items"]) == 1
    assert reader.post(address, {"everyone": True, "right": "use"}).status_code == 404
    assert reader.post(f"{address}/{row.uuid}", {"right": "edit"}).status_code == 404
    assert reader.delete(f"{address}/{row.uuid}").status_code == 404
    for person in (users.learner, users.stranger):
        assert program(person).get(address).status_code == 404
        assert program(person).get(f"{address}/{row.uuid}").status_code == 404
    assert BankShare.objects.get().right == BankRight.USE


def test_the_list_costs_the_same_for_more_shares(users, author, bank, address, counted):
    BankShare.objects.create(bank=bank, person=users.outsider)
    author.get(address)
    with counted() as few:
        author.get(address)
    BankShare.objects.create(bank=bank, group=users.other_group)
    BankShare.objects.create(bank=bank)
    with counted() as many:
        author.get(address)
    assert len(few) == len(many)
