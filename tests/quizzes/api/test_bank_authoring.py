"""A bank over REST: made, its settings changed, its findings waived."""

import pytest

from quizzes.audit.models import AuditEvent
from quizzes.bank.models import Bank, Waiver
from tests.factories import create_bank, create_question, publish_change
from tests.quizzes.api.programs import ROOT, program
from tests.users import create_user

pytestmark = pytest.mark.django_db
BODY = {"slug": "rivers", "title": {"en": "Rivers", "es": "Ríos"}, "licence": "CC0"}


@pytest.fixture
def author(users):
    return program(users.instructor, "authoring")


def test_a_bank_is_made_read_and_given_to_a_class(users, author):
    created = author.post("banks", BODY)
    assert created.status_code == 201
    bank = created.json()
    assert bank == {
        **BODY,
        "id": bank["id"],
        "description": {},
        "source": "",
        "source_language": "en",
        "class_id": None,
    }
    address = created["Location"].removeprefix(ROOT)
    assert address == f"banks/{bank['id']}/settings"
    assert author.get(address).json() == bank
    change = {"class_id": str(users.group.uuid), "source": "Atlas"}
    assert author.post(address, change).json() == {**bank, **change}
    assert Bank.objects.get().owner == users.instructor
    assert AuditEvent.objects.filter(code="bank_changed").count() == 2
    assert author.get("banks").json()["items"][0]["may_edit"] is True


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"title": {}}, 422),
        ({"title": {"english": "Rivers"}}, 422),
        ({"source_language": "xx"}, 422),
        ({"slug": "no slug"}, 422),
        ({"slug": "taken"}, 422),
        ({"owner": 1}, 422),
        ({"class_id": "{other}"}, 404),
    ],
)
def test_what_the_page_refuses_is_refused(users, author, change, status):
    create_bank(users, "taken")
    sent = {
        name: str(users.other_group.uuid) if value == "{other}" else value
        for name, value in change.items()
    }
    assert author.post("banks", {**BODY, **sent}).status_code == status
    assert Bank.objects.count() == 1


def test_the_short_name_stays(users, author):
    bank = create_bank(users)
    refused = author.post(f"banks/{bank.uuid}/settings", {"slug": "other"})
    assert refused.json()["errors"][0]["code"] == "unknown_field"


def test_settings_that_another_editor_changed_meanwhile_stay(users, author):
    address = f"banks/{create_bank(users).uuid}/settings"
    first = author.get(address)["ETag"]
    changed = program(users.administrator).post(address, {"licence": "CC0"}, **{"If-Match": first})
    assert changed["ETag"] == author.get(address)["ETag"] != first
    assert author.post(address, {"licence": "MIT"}, **{"If-Match": first}).status_code == 412
    assert author.get(address).json()["licence"] == "CC0"


def test_only_who_teaches_makes_a_bank_and_only_editors_change_one(users):
    address = f"banks/{create_bank(users).uuid}/settings"
    for person in (users.learner, users.stranger, create_user("nobody")):
        client = program(person)
        assert client.post("banks", BODY).status_code == 404
        assert client.get(address).status_code == 404
        assert client.post(address, {"licence": "CC0"}).status_code == 404
    assert program(users.outsider).get(address).status_code == 404
    assert Bank.objects.count() == 1


@pytest.fixture
def bank(users):
    """A bank with a finding that may be waived: a word in one language alone."""
    bank = create_bank(users)
    question = create_question(bank, "river")
    texts = question.draft.data["feedback"]
    del texts["es"]["explanation"]
    publish_change(question, feedback=texts)
    return bank


def find(author, bank, **query):
    rows = author.get(f"banks/{bank.uuid}/checks", **query).json()["items"]
    return [row for row in rows if row["code"] == "missing_feedback"]


def test_a_finding_stands_until_it_is_taken_up_again(author, bank):
    (finding,) = find(author, bank)
    body = {name: finding[name] for name in ("question", "code", "about", "digest")}
    address = f"banks/{bank.uuid}/checks/waivers"
    for _ in range(2):
        assert author.post(address, body).json() == {"waived": True}
    assert Waiver.objects.count() == 1
    assert find(author, bank) == []
    (waived,) = find(author, bank, waived="true")
    assert waived["waiver"]["by"] == "Instructor"
    assert author.post(address, {**body, "revoke": True}).json() == {"waived": False}
    assert find(author, bank) == [finding]
    again = author.post(address, {**body, "revoke": True})
    assert (again.status_code, again.json()["code"]) == (409, "not_waived")


def test_a_finding_of_another_state_or_a_grave_one_does_not_stand(users, author, bank):
    (finding,) = find(author, bank)
    body = {name: finding[name] for name in ("question", "code", "digest")}
    address = f"banks/{bank.uuid}/checks/waivers"
    changed = author.post(address, {**body, "digest": "0" * 64})
    assert (changed.status_code, changed.json()["code"]) == (409, "draft_changed")
    grave = author.post(address, {**body, "code": "missing_text"})
    assert (grave.status_code, grave.json()["code"]) == (422, "finding_is_grave")
    for person in (users.learner, users.outsider):
        assert program(person).post(address, body).status_code == 404
    assert not Waiver.objects.exists()
