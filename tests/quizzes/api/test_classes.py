"""Classes over the API: made, filled from a list, changed and archived, as on their pages."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts import security_notices
from accounts.join_codes import create_join_code
from accounts.models import Group, Invitation, Membership, Role, Term, User
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib import clock
from tests.invitations import create_invitation
from tests.quizzes.api.programs import ROOT, Program, program
from tests.quizzes.instructor.classes.test_pages import workbook
from tests.users import Users, create_user, logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(users: Users) -> Program:
    return program(users.instructor, "classes")


def send_list(client: Program, path: str, file: Any, **fields: str) -> Any:
    return client.client.post(f"{ROOT}{path}/rosters", {"file": file, **fields})


def class_path(group: Group) -> str:
    return f"classes/{group.uuid}"


def test_a_class_of_60_by_a_program(users: Users):
    users.stranger.may_make_classes = True
    users.stranger.save()
    client = program(users.stranger, "classes")
    Term.objects.create(name="Autumn", begins_on="2026-09-01", ends_on="2026-12-20")
    answer = client.post("classes", {"name": "Biology", "term": "Autumn"})
    assert (answer.status_code, answer.json()["staff"]) == (201, 1)
    path = answer["Location"].removeprefix(ROOT)
    roster = send_list(client, path, workbook(60), language="es")
    assert (roster.status_code, roster.json()["counts"]) == (201, {"invite": 60})
    assert not Invitation.objects.exists()
    commit = f"{path}/rosters/{roster.json()['id']}/commit"
    committed = client.post(commit, {"fingerprint": roster.json()["fingerprint"]}).json()
    assert (committed["committed"], committed["invitation_mails_waiting"]) == (True, 60)
    assert security_notices.send_due(now=clock.now()) == 60
    assert (
        client.get(f"{path}/rosters/{roster.json()['id']}").json()["invitation_mails_waiting"] == 0
    )
    page = client.get("invitations", class_id=answer.json()["id"], state="open", limit=40).json()
    assert len(page["items"]) == 40
    rest = client.get(page["next"].removeprefix(ROOT)).json()
    emails = [row["email"] for row in (*page["items"], *rest["items"])]
    assert len(set(emails)) == 60
    assert Invitation.objects.filter(language="es").count() == 60


def test_another_dry_run_than_the_one_that_was_read_is_not_done(users: Users, client: Program):
    path = class_path(users.group)
    roster = send_list(client, path, SimpleUploadedFile("a.csv", b"a@example.org")).json()
    create_invitation(users.group, "a@example.org", by=users.instructor)
    answer = client.post(
        f"{path}/rosters/{roster['id']}/commit", {"fingerprint": roster["fingerprint"]}
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "roster_changed")


def test_a_list_that_cannot_be_read_is_named(users: Users, client: Program):
    answer = send_list(client, class_path(users.group), SimpleUploadedFile("a.zip", b"PK\x03\x04"))
    assert answer.status_code == 422
    assert [error["where"] for error in answer.json()["errors"]] == ["file"]


def test_who_may_make_no_class_makes_none(users: Users):
    for person in (users.learner, users.stranger):
        assert program(person).post("classes", {"name": "New"}).status_code == 404
    answer = program(users.instructor).post("classes", {"name": "Class B"})
    assert (answer.status_code, answer.json()["code"]) == (409, "class_name_taken")
    assert program(users.administrator).post("classes", {"name": "New"}).json()["staff"] == 0


def test_a_class_is_changed_archived_and_brought_back_unless_it_changed_since(
    users: Users, client: Program
):
    path = class_path(users.group)
    etag = client.get(path)["ETag"]
    answer = client.post(path, {"name": "Class C"}, **{"If-Match": etag})
    assert (answer.status_code, answer.json()["name"]) == (200, "Class C")
    assert client.post(path, {"name": "D"}, **{"If-Match": etag}).status_code == 412
    renewed = {"If-Match": answer["ETag"]}
    assert client.post(path, {"archived": True}, **renewed).json()["archived_at"]
    answer = client.post(path, {"name": "D"})
    assert (answer.status_code, answer.json()["code"]) == (409, "class_archived")
    names = [row["name"] for row in client.get("classes", archived="true").json()["items"]]
    assert names == ["Class C"]
    answer = client.post(path, {"archived": False, "name": "Class D"})
    assert (answer.json()["archived_at"], answer.json()["name"]) == (None, "Class D")


def test_its_people_have_school_ids_and_roles(users: Users, client: Program):
    User.objects.filter(pk=users.learner.pk).update(school_id="0042")
    path = f"{class_path(users.group)}/people"
    people = client.get(path).json()["items"]
    assert {row["email"]: (row["school_id"], row["role"]) for row in people} == {
        users.learner.email: ("0042", "learner"),
        users.other_learner.email: ("", "learner"),
        users.instructor.email: ("", "instructor"),
    }
    person = f"{path}/{users.learner.uuid}"
    etag = client.get(person)["ETag"]
    answer = client.post(person, {"role": "assistant"}, **{"If-Match": etag})
    assert (answer.status_code, answer.json()["role"]) == (200, "assistant")
    assert client.post(person, {"role": "learner"}, **{"If-Match": etag}).status_code == 412
    assert len(client.get(path, role="assistant").json()["items"]) == 1
    assert client.delete(person).status_code == 204
    assert client.delete(person).status_code == 404
    answer = client.delete(f"{path}/{users.instructor.uuid}")
    assert (answer.status_code, answer.json()["code"]) == (409, "class_needs_instructor")


@pytest.mark.parametrize("count", [2, 30])
def test_a_page_of_people_costs_the_same(users: Users, client: Program, counted, count: int):
    for number in range(count):
        Membership.objects.create(group=users.group, user=create_user(f"p{number}"))
    path = f"{class_path(users.group)}/people"
    client.get(path)
    with counted() as queries:
        client.get(path)
    assert len(queries) <= 4


def test_a_code_is_made_used_and_ended(users: Users, client: Program):
    path = f"{class_path(users.group)}/join-code"
    assert client.get(path).status_code == 404
    code = client.post(path, {"days": 7, "max_uses": 1}).json()["code"]
    assert client.get(path).json()["code"] == code
    joined = program(users.stranger).post("join", {"code": code.lower()})
    assert joined.json() == {
        "id": str(users.group.uuid),
        "name": "Class A",
        "role": "learner",
    }
    assert client.get(path).status_code == 404  # it was full
    client.post(path, {})
    assert client.delete(path).status_code == 204
    assert client.delete(path).status_code == 404


def test_wrong_codes_are_counted(users: Users):
    client = program(users.stranger)
    create_join_code(group=users.group, by=users.instructor, now=clock.now())
    for _ in range(10):
        assert client.post("join", {"code": "22222-22222"}).status_code == 404
    answer = client.post("join", {"code": "22222-22222"})
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_codes")


def test_an_invitation_is_sent_again_and_withdrawn(users: Users, client: Program):
    sent = {"email": "new@example.org", "class_id": str(users.group.uuid), "role": "assistant"}
    answer = client.post("invitations", sent)
    assert (answer.status_code, answer.json()["state"]) == (201, "open")
    path = answer["Location"].removeprefix(ROOT)
    assert client.post(f"{path}/send").json()["mails"] == 2
    everybody = f"{class_path(users.group)}/invitations/send"
    assert client.post(everybody).json() == {"sent": 1}
    assert client.delete(path).status_code == 204
    assert client.get(path).json()["state"] == "withdrawn"
    assert client.post(f"{path}/send").status_code == 404
    assert client.post(everybody).json() == {"sent": 0}
    sent["class_id"] = str(users.other_group.uuid)
    assert client.post("invitations", sent).status_code == 404


def test_one_that_is_over_by_time_is_listed_as_that(users: Users, client: Program):
    long_ago = clock.now() - timedelta(days=20)
    create_invitation(users.group, "new@example.org", by=users.instructor, now=long_ago)
    (row,) = client.get("invitations", state="expired").json()["items"]
    assert row["state"] == "expired"
    assert not client.get("invitations", state="open").json()["items"]


@pytest.mark.parametrize(("accepts", "state"), [(True, "accepted"), (False, "declined")])
def test_who_is_invited_answers(users: Users, client: Program, accepts: bool, state: str):
    invitation = create_invitation(users.group, users.stranger.email, by=users.instructor)
    stranger = program(users.stranger)
    (row,) = stranger.get("me/invitations").json()["items"]
    assert (row["class_name"], row["invited_by"]) == ("Class A", "Instructor")
    answer = stranger.post(f"me/invitations/{row['id']}", {"accept": accepts})
    assert answer.status_code == 204
    assert client.get(f"invitations/{invitation.uuid}").json()["state"] == state
    assert Membership.objects.filter(user=users.stranger).exists() == accepts


def test_assistants_see_no_class_and_choose_the_scope_of_results(users: Users):
    assistant = create_user("assistant")
    Membership.objects.create(group=users.group, user=assistant, role=Role.ASSISTANT)
    assert program(assistant).get("classes").json()["items"] == []
    assert program(assistant).get(class_path(users.group)).status_code == 404
    page = logged_in_client(assistant).get("/profile/tokens/").content.decode()
    assert 'value="results"' in page
    assert 'value="authoring"' not in page
    assert (
        'value="results"'
        not in logged_in_client(users.learner).get("/profile/tokens/").content.decode()
    )


def test_people_sent_as_json_are_a_list_like_any_other(users: Users, client: Program):
    path = f"{class_path(users.group)}/rosters"
    people = [
        {"email": "ana@example.org", "name": "Ana\nPaz", "school_id": "S1"},
        {"email": "none"},
        {"email": "ANA@example.org"},
    ]
    answer = client.post(path, {"people": people, "role": "assistant", "language": "es"})
    roster = answer.json()
    assert (answer.status_code, roster["role"]) == (201, "assistant")
    assert [(row["line"], row["name"], row["status"]) for row in roster["people"]] == [
        (1, "Ana Paz", "invite"),
        (2, "", "invalid"),
        (3, "", "repeated"),
    ]
    commit = {"fingerprint": roster["fingerprint"]}
    assert client.post(f"{path}/{roster['id']}/commit", commit).json()["committed"]
    (invitation,) = Invitation.objects.all()
    assert (invitation.email, invitation.role) == ("ana@example.org", "assistant")


@pytest.mark.parametrize(
    ("sent", "where"),
    [
        ({}, "people"),
        ({"people": []}, "people"),
        ({"people": [{"name": "Ana"}]}, "people.0.email"),
        ({"people": [{"email": "a@example.org", "phone": "1"}]}, "people.0.phone"),
    ],
)
def test_people_as_json_say_what_is_missing(
    users: Users, client: Program, sent: dict[str, Any], where: str
):
    answer = client.post(f"{class_path(users.group)}/rosters", sent)
    assert answer.status_code == 422
    assert [error["where"] for error in answer.json()["errors"]] == [where]


def test_lists_sent_are_listed_in_the_order_of_their_last_change(users: Users, client: Program):
    path = class_path(users.group)
    first = send_list(client, path, SimpleUploadedFile("a.csv", b"a@example.org")).json()
    second = client.post(f"{path}/rosters", {"people": [{"email": "b@example.org"}]}).json()
    commit = {"fingerprint": first["fingerprint"]}
    client.post(f"{path}/rosters/{first['id']}/commit", commit)
    page = client.get(f"{path}/rosters", limit=1).json()
    (row,) = page["items"]
    assert (row["id"], row["committed_at"], row["counts"]) == (second["id"], None, {})
    (row,) = client.get(page["next"].removeprefix(ROOT)).json()["items"]
    assert (row["id"], row["file_name"], row["counts"]) == (first["id"], "a.csv", {"invite": 1})
    assert row["committed_at"]
    colleague = program(users.administrator, "classes")
    assert colleague.get(f"{path}/rosters").json()["items"] == []


def test_terms_are_made_by_administrators_and_listed_for_who_makes_classes(users: Users):
    administrator = program(users.administrator, "classes")
    term = {"name": "Spring", "begins_on": "2027-01-11", "ends_on": "2027-05-28"}
    assert administrator.post("terms", term).json() == term
    (event,) = AuditEvent.objects.filter(code=AuditCode.TERM_CHANGED)
    assert (event.actor, event.after) == (users.administrator.uuid, term)
    duplicate = administrator.post("terms", {**term, "ends_on": "2027-05-29"})
    assert (duplicate.status_code, duplicate.json()["code"]) == (409, "term_name_taken")
    wrong = administrator.post("terms", {**term, "name": "Summer", "ends_on": "2027-01-10"})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "ends_before_it_begins")
    assert program(users.instructor, "classes").get("terms").json()["items"] == [term]
    assert program(users.learner, "classes").get("terms").json()["items"] == []
    assert program(users.instructor, "classes").post("terms", term).status_code == 404
