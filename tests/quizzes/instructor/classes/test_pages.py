"""The pages of a class: made, filled, changed and archived by who teaches it, and nobody else."""

import re
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from openpyxl import Workbook

from accounts.join_codes import find_current_code
from accounts.models import Group, Invitation, Membership, Role, RosterImport, Term, User
from quizzes.attempts import services as attempts
from quizzes.attempts.models import Assignment
from quizzes.instructor.classes.class_page import MEMBERS_PER_PAGE
from quizzes.lib import clock
from tests.browser_forms import form_values
from tests.invitations import create_invitation
from tests.quizzes.formats.rosters.test_reader import ENROLLMENTS, USERS, package
from tests.users import create_user, logged_in_client

pytestmark = pytest.mark.django_db

CLASSES = "/admin/accounts/group/"


@pytest.fixture
def client(users):
    return logged_in_client(users.instructor)


def page_of(group: Group, page: str = "class") -> str:
    return f"{CLASSES}{group.pk}/{page}/"


def workbook(people: int) -> SimpleUploadedFile:
    book, buffer = Workbook(), BytesIO()
    sheet = book.create_sheet("Class", 0)
    sheet.append(["Apellidos y nombre", "Correo", "Matrícula"])
    for number in range(people):
        sheet.append([f"Núñez, Ana {number}", f"ana{number}@example.org", f"{number:04}"])
    book.save(buffer)
    return SimpleUploadedFile("class.xlsx", buffer.getvalue())


def test_an_instructor_makes_a_class_and_fills_it_from_a_workbook(users, client):
    term = Term.objects.create(name="Autumn", begins_on="2026-09-01", ends_on="2026-12-20")
    sent = {"name": "Biology", "term": term.pk, "_save": "1"}
    response = client.post(f"{CLASSES}add/", sent)
    group = Group.objects.get(name="Biology")
    assert response["Location"] == page_of(group, "people")
    assert group.memberships.get().role == Role.INSTRUCTOR
    response = client.post(page_of(group, "people"), {"file": workbook(60), "role": "learner"})
    html = client.get(response["Location"]).content.decode()
    assert "Add 60 people" in html
    assert not Invitation.objects.exists()
    plan = form_values(client.get(response["Location"]), "fingerprint")
    html = client.post(page_of(group, "people"), plan, follow=True).content.decode()
    assert "60 people are invited" in html
    assert "1 joined, 60 invited" in html
    assert Invitation.objects.filter(group=group, school_id="0059", name="Ana 59 Núñez").exists()


def test_a_list_is_pasted_and_its_lines_are_explained(users, client):
    text = f"{users.learner.email}, Learner\nnew@example.org;New;7\nnobody\nnew@example.org"
    response = client.post(page_of(users.group, "people"), {"text": text, "role": "learner"})
    html = re.sub(r"\s+", " ", client.get(response["Location"]).content.decode())
    for words in ("is in the class already", "is invited", "There is no e-mail address."):
        assert words in html
    assert "stands above already" in html
    assert "Add 1 person" in html


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({}, "one of the two"),
        ({"text": "a@example.org", "file": SimpleUploadedFile("a.csv", b"b@c.org")}, "one of the"),
        ({"text": "-"}, "no e-mail address"),
        ({"file": SimpleUploadedFile("a.zip", b"PK\x03\x04x")}, "package is damaged"),
    ],
)
def test_what_is_no_list_is_named(users, client, sent, words):
    response = client.post(page_of(users.group, "people"), sent | {"role": "learner"}, follow=True)
    assert words in response.content.decode()


def test_a_class_of_a_package_is_chosen(users, client):
    data = package(users=USERS, enrollments=ENROLLMENTS + "e5,c2,s,u2,student\n")
    address = page_of(users.group, "people")
    response = client.post(address, {"file": SimpleUploadedFile("r.zip", data), "role": "learner"})
    assert response.status_code == 422
    assert '<option value="c2"' in response.content.decode()
    sent = {"file": SimpleUploadedFile("r.zip", data), "role": "learner", "section": "c2"}
    assert "Bob Núñez" in client.post(address, sent, follow=True).content.decode()


def test_a_dry_run_that_no_longer_holds_is_shown_again(users, client):
    address = page_of(users.group, "people")
    response = client.post(address, {"text": "new@example.org", "role": "learner"})
    plan = form_values(client.get(response["Location"]), "fingerprint")
    create_invitation(users.group, "new@example.org", by=users.instructor)
    response = client.post(address, plan)
    assert response.status_code == 409
    assert "look at the list once more" in response.content.decode()


def test_roles_are_changed_for_several(users, client):
    people = [str(users.learner.uuid), str(users.other_learner.uuid)]
    sent = {"action": "role", "role": "assistant", "people": people}
    assert "2 people have" in client.post(page_of(users.group), sent, follow=True).content.decode()
    assert Membership.objects.filter(group=users.group, role=Role.ASSISTANT).count() == 2


def test_taking_people_out_says_first_what_it_does(users, client):
    invitation = create_invitation(users.group, "new@example.org", by=users.instructor)
    sent = {"action": "remove", "people": [str(users.learner.uuid), str(invitation.uuid)]}
    html = client.post(page_of(users.group), sent).content.decode()
    for words in ("1 person leaves", "1 invitation is taken back", "results stay"):
        assert words in html
    assert users.group.people.filter(pk=users.learner.pk).exists()
    html = client.post(page_of(users.group), sent | {"confirmed": "1"}, follow=True).content
    assert "2 people are no longer in the class" in html.decode()
    assert not users.group.people.filter(pk=users.learner.pk).exists()


def test_taking_out_nobody_or_the_last_instructor_is_refused(users, client):
    html = client.post(page_of(users.group), {"action": "remove"}, follow=True).content.decode()
    assert "Choose people first." in html
    sent = {"action": "remove", "people": [str(users.instructor.uuid)], "confirmed": "1"}
    html = client.post(page_of(users.group), sent, follow=True).content.decode()
    assert "A class needs an instructor" in html


def test_a_code_is_made_shown_and_ended(users, client):
    sent = {"action": "renew_code", "days": "7", "max_uses": "40"}
    html = client.post(page_of(users.group), sent, follow=True).content.decode()
    code = find_current_code(users.group, clock.now())
    assert code is not None
    assert f"/join/{code.code[:5]}-{code.code[5:]}/" in html
    assert "At most 40 people." in html
    client.post(page_of(users.group), {"action": "end_code"})
    assert find_current_code(users.group, clock.now()) is not None
    client.post(page_of(users.group), {"action": "end_code", "confirmed": "1"})
    assert find_current_code(users.group, clock.now()) is None
    html = client.post(page_of(users.group), sent | {"days": "x"}, follow=True).content.decode()
    assert "1 to 366 days" in html


def test_an_archived_class_leaves_the_list_and_comes_back(users, client, a_quiz):
    Assignment.objects.create(quiz=a_quiz, group=users.other_group)
    Membership.objects.create(group=users.other_group, user=users.stranger)
    for learner in (users.learner, users.stranger):
        attempts.start(quiz=a_quiz.uuid, learner=learner, now=clock.now())
    html = client.post(page_of(users.group), {"action": "archive"}).content.decode()
    assert "Quizzes that are closed for it: 1. Its learners: 2." in html
    assert "1 attempt is open" in html  # that of the other class is not counted
    client.post(page_of(users.group), {"action": "archive", "confirmed": "1"})
    assert "Class A" not in client.get(CLASSES).content.decode().split("result_list")[-1]
    assert "Class A" in client.get(f"{CLASSES}?state=archived").content.decode()
    html = client.get(page_of(users.group)).content.decode()
    assert "The class is archived" in html
    assert "Add people" not in html
    assert client.get(page_of(users.group, "people")).status_code == 404
    client.post(page_of(users.group), {"action": "restore"})
    assert "Add people" in client.get(page_of(users.group)).content.decode()


@pytest.mark.parametrize("role", ["learner", "outsider", "stranger"])
def test_nobody_else_sees_or_changes_a_class(users, role):
    client = logged_in_client(getattr(users, role))
    for page in ("class", "people", "change"):
        address = page_of(users.group, page)
        assert client.get(address, follow=page == "change").status_code in {200, 404}
        html = client.get(address, follow=True).content.decode()
        assert users.other_learner.email not in html
        assert client.post(address, {"action": "archive", "confirmed": "1"}).status_code != 200
    users.group.refresh_from_db()
    assert users.group.archived_at is None


def test_a_list_of_a_colleague_is_not_shown(users, client):
    response = client.post(
        page_of(users.group, "people"), {"text": "new@example.org", "role": "learner"}
    )
    colleague = create_user("colleague")
    Membership.objects.create(group=users.group, user=colleague, role=Role.INSTRUCTOR)
    assert logged_in_client(colleague).get(response["Location"]).status_code == 404
    name = RosterImport.objects.get().uuid
    assert client.get(f"{page_of(users.other_group, 'people')}?list={name}").status_code == 404
    assert client.get(f"{page_of(users.group, 'people')}?list=x").status_code == 404


@pytest.mark.parametrize("sent", [{"action": "x"}, {"role": "x"}, {"people": "x"}])
def test_nonsense_is_not_found(users, client, sent):
    assert client.post(page_of(users.group), {"action": "role"} | sent).status_code == 404


def test_the_page_costs_the_same_whatever_the_number_of_people(users, client, counted):
    client.get(page_of(users.group))
    with counted() as few:
        client.get(page_of(users.group))
    for number in range(20):
        person = create_user(f"p{number}")
        Membership.objects.create(group=users.group, user=person)
        create_invitation(users.group, f"i{number}@example.org", by=users.instructor)
    with counted() as many:
        client.get(page_of(users.group))
    assert len(many) == len(few) <= 9


def test_a_large_class_has_pages_and_a_search(users, client):
    people = User.objects.bulk_create(
        User(email=f"p{number:02}@example.org", name=f"P {number:02}", school_id=f"77{number}")
        for number in range(MEMBERS_PER_PAGE)
    )
    Membership.objects.bulk_create(Membership(group=users.group, user=each) for each in people)
    first = client.get(page_of(users.group)).content.decode()
    assert first.count('name="people"') == MEMBERS_PER_PAGE
    assert 'href="?page=2"' in first
    last = client.get(page_of(users.group), {"page": 2}).content.decode()
    assert "p24@example.org" in last
    assert "p24@example.org" not in first
    matches = client.get(page_of(users.group), {"q": "P 7711"}).content.decode()
    assert re.findall(r"p\d\d@example.org", matches) == ["p11@example.org"]
    nobody = client.get(page_of(users.group), {"q": "nobody at all"}).content.decode()
    assert "Nobody in the class matches this search." in nobody


def test_an_administrator_makes_a_class_without_being_in_it(users):
    client = logged_in_client(users.administrator)
    data = form_values(client.get(f"{CLASSES}add/"), "name") | {"name": "New"}
    client.post(f"{CLASSES}add/", data)
    assert not Group.objects.get(name="New").memberships.exists()
    assert User.objects.filter(teams__name="New").count() == 0


def test_who_is_not_in_the_class_yet_is_not_marked_as_if_they_were(users, client):
    User.objects.filter(pk=users.learner.pk).update(confirmed_email="")
    create_invitation(users.group, "new@example.org", by=users.instructor)
    html = client.get(page_of(users.group)).content.decode()
    marks = re.findall(r'class="mark (mark-\w+)">([^<]+)<', html)
    assert set(marks) == {
        ("mark-joined", "in the class"),
        ("mark-invited", "address not confirmed"),
        ("mark-invited", "invited"),
    }
