"""The audit log is read by those whom it concerns: as pages, as a table, by programs."""

import csv
import io

import pytest
from django.test import Client
from django.utils import translation

from accounts.models import User
from accounts.services import issue_token
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.audit.services import record
from quizzes.presentation.messages.audit import (
    AUDIT_LABELS,
    AUDIT_SENTENCES,
    describe_audit_event,
)
from tests.query_counts import Counted
from tests.users import Users, logged_in_client

pytestmark = pytest.mark.django_db
LIST = "/admin/audit/auditevent/"


@pytest.fixture
def three(users: Users) -> None:
    """An event of each of two classes, and one that concerns none."""
    record(
        AuditCode.MEMBERSHIP_CHANGED,
        about=users.learner,
        by=users.administrator,
        group=users.group.pk,
        before={"group": "Class A", "role": "learner"},
        after={"group": "Class A", "role": "instructor"},
    )
    record(AuditCode.GROUP_CHANGED, about=users.other_group, group=users.other_group.pk)
    record(AuditCode.SIGNED_IN, about=users.learner, by=users.learner)


def read_api(person: User, query: str = "") -> list[dict[str, object]]:
    _, text = issue_token(user=person, name="Log", scopes=["audit"], days=1)
    program = Client(headers={"Authorization": f"Bearer {text}"})
    response = program.get(f"/api/v1/audit-events?{query}")
    assert response.status_code == 200, response.content
    items: list[dict[str, object]] = response.json()["items"]
    return [item for item in items if not str(item["code"]).startswith("token")]


def test_every_code_has_a_name_and_a_sentence_in_both_languages():
    assert set(AUDIT_LABELS) == set(AUDIT_SENTENCES) == set(AuditCode)
    for code in AuditCode:
        event = AuditEvent(code=code, actor_label="Ana", subject_label="Rivers")
        with translation.override("en"):
            english = describe_audit_event(event), str(AUDIT_LABELS[code])
        with translation.override("es"):
            spanish = describe_audit_event(event), str(AUDIT_LABELS[code])
        assert english[0] != spanish[0]
        assert english[1] != spanish[1]
        assert "%" not in english[0] + spanish[0]


@pytest.mark.usefixtures("three")
def test_each_reads_what_concerns_them(users: Users):
    def codes(person: User) -> set[object]:
        return {item["code"] for item in read_api(person)}

    assert codes(users.administrator) == {"membership_changed", "group_changed", "signed_in"}
    assert codes(users.instructor) == {"membership_changed"}
    assert codes(users.outsider) == {"group_changed"}
    assert codes(users.learner) == {"signed_in"}
    assert codes(users.stranger) == set()


@pytest.mark.usefixtures("three")
def test_only_administrators_see_from_where_others_did_something(users: Users):
    AuditEvent.objects.create(
        code=AuditCode.QUIZ_CHANGED, group_pk=users.group.pk, address="192.0.2.77"
    )
    for person, address in ((users.administrator, "192.0.2.77"), (users.instructor, None)):
        (item,) = read_api(person, "code=quiz_changed")
        assert item["address"] == address
        client = logged_in_client(person)
        page = client.get(LIST).content.decode()
        assert ("192.0.2.77" in page) == (address is not None)
        table = client.get(f"{LIST}export/").getvalue().decode()
        assert ("192.0.2.77" in table) == (address is not None)
    filtered = logged_in_client(users.instructor).get(f"{LIST}?address=192.0.2.77")
    assert filtered.status_code in {302, 400}
    assert "0 " in logged_in_client(users.instructor).get(f"{LIST}?q=192.0.2.77").content.decode()


@pytest.mark.usefixtures("three")
def test_the_list_is_filtered_and_each_event_opened(users: Users):
    client = logged_in_client(users.administrator)
    sentence = "Administrator &lt;administrator@example.org&gt; changed a role in Class A"
    for query in (
        "",
        "code=membership_changed",
        f"actor={users.administrator.uuid}",
        f"subject={users.learner.uuid}",
        "q=learner@example.org",
    ):
        page = client.get(f"{LIST}?{query}").content.decode()
        assert sentence in page
        assert ("changed the class Class B" in page) == (not query)
    event = AuditEvent.objects.get(code="membership_changed")
    page = client.get(f"{LIST}{event.pk}/change/").content.decode()
    for text in (sentence, ">learner</td>", ">instructor</td>"):
        assert text in page
    assert client.post(f"{LIST}{event.pk}/change/", {}).status_code == 200
    assert client.post(f"{LIST}{event.pk}/delete/", {"post": "yes"}).status_code == 409
    assert client.get(f"{LIST}add/").status_code in {403, 404}
    other = AuditEvent.objects.get(code="group_changed")
    instructor = logged_in_client(users.instructor)
    assert instructor.get(f"{LIST}{other.pk}/change/").status_code == 404
    assert logged_in_client(users.learner).get(LIST).status_code == 404


@pytest.mark.usefixtures("three")
def test_the_table_has_what_the_filters_leave_and_is_recorded_itself(users: Users):
    record(AuditCode.GROUP_CHANGED, label='=HYPERLINK("x")')
    client = logged_in_client(users.administrator)
    response = client.get(f"{LIST}export/?code=group_changed")
    lines = list(csv.DictReader(io.StringIO(response.getvalue().decode())))
    assert {line["event"] for line in lines} == {"group_changed"}
    assert any(line["subject"].startswith("'=") for line in lines)
    exported = AuditEvent.objects.get(code=AuditCode.AUDIT_EXPORTED)
    assert exported.after == {"filters": {"code": "group_changed"}}
    assert exported.actor == users.administrator.uuid


def test_a_list_of_many_events_costs_as_many_statements_as_one_of_few(
    users: Users, counted: Counted
):
    client = logged_in_client(users.administrator)
    record(AuditCode.GROUP_CHANGED, about=users.group)
    with counted() as few:
        assert client.get(LIST).status_code == 200
    for _ in range(30):
        record(AuditCode.GROUP_CHANGED, about=users.group)
    with counted() as many:
        assert client.get(LIST).status_code == 200
    assert len(many) == len(few)


def test_the_list_by_program_goes_on_after_a_cursor(users: Users):
    for number in range(5):
        record(AuditCode.GROUP_CHANGED, about=users.group, by=users.instructor, label=str(number))
    _, text = issue_token(user=users.instructor, name="Log", scopes=["audit"], days=1)
    program = Client(headers={"Authorization": f"Bearer {text}"})
    address, labels = "/api/v1/audit-events?limit=2&code=group_changed", []
    while address:
        page = program.get(address).json()
        labels += [item["subject"]["name"] for item in page["items"]]
        address = page["next"]
    assert labels == ["0", "1", "2", "3", "4"]
    wrong = program.get("/api/v1/audit-events?code=nothing")
    assert wrong.status_code == 422
    _, other = issue_token(user=users.instructor, name="Read", scopes=["read"], days=1)
    refused = Client(headers={"Authorization": f"Bearer {other}"}).get("/api/v1/audit-events")
    assert refused.status_code == 403
