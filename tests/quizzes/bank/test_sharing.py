"""Sharing a bank: by its editors alone, recorded; and services that ask who writes."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from accounts.models import User
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.bank import access, services, sharing
from quizzes.bank.models import Bank, BankRight, BankShare, Question
from quizzes.document import QuestionDocument
from quizzes.formats.contract import ParsedFile
from quizzes.imports import importer, jobs
from quizzes.lib.errors import Invalid, NotFound
from tests.factories import NOW, create_bank, create_question
from tests.users import Users, logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def bank(users: Users) -> Bank:
    """A bank of the class, with a question."""
    bank = create_bank(users)
    create_question(bank, "one")
    return bank


def test_sharing_and_taking_it_back_are_recorded(users, bank):
    share = sharing.share(
        bank=bank, person=users.outsider, right=BankRight.USE, by=users.instructor
    )
    sharing.share(bank=bank, person=users.outsider, right=BankRight.EDIT, by=users.instructor)
    assert access.may_edit(users.outsider, bank)
    sharing.share(bank=bank, person=users.outsider, right=BankRight.EDIT, by=users.instructor)
    sharing.stop_sharing(bank=bank, share_id=share.uuid, by=users.instructor)
    assert not access.shared_with(users.outsider).exists()
    codes = [AuditCode.BANK_SHARED, AuditCode.BANK_UNSHARED]
    events = AuditEvent.objects.filter(code__in=codes).order_by("pk")
    person = "Outsider <outsider@example.org>"
    use, edit = ({"shared_with": person, "right": right} for right in ("use", "edit"))
    assert [(event.before, event.after) for event in events] == [
        (None, use),
        (use, edit),
        (edit, None),
    ]
    assert {(event.actor, event.group_pk) for event in events} == {
        (users.instructor.uuid, users.group.pk)
    }


@pytest.mark.parametrize("who", ["outsider", "learner", "stranger"])
def test_nobody_but_editors_shares(users, bank, who):
    person = getattr(users, who)
    sharing.share(bank=bank, right=BankRight.USE, by=users.instructor)
    with pytest.raises(NotFound):
        sharing.share(bank=bank, person=users.outsider, right=BankRight.EDIT, by=person)
    with pytest.raises(NotFound):
        sharing.stop_sharing(bank=bank, share_id=BankShare.objects.get().uuid, by=person)


def test_what_cannot_be_shared_is_refused(users, bank):
    with pytest.raises(Invalid, match="share_editing_is_named"):
        sharing.share(bank=bank, right=BankRight.EDIT, by=users.instructor)
    with pytest.raises(Invalid, match="share_person_does_not_teach"):
        sharing.share(bank=bank, person=users.learner, right=BankRight.USE, by=users.instructor)
    with pytest.raises(Invalid, match="share_names_two"):
        sharing.share(
            bank=bank,
            person=users.outsider,
            group=users.group,
            right=BankRight.USE,
            by=users.instructor,
        )
    with pytest.raises(NotFound):
        sharing.stop_sharing(bank=bank, share_id=uuid4(), by=users.instructor)


WRITERS: dict[str, Callable[[Bank, User], object]] = {
    "add_question": lambda bank, by: services.add_question(
        bank=bank,
        name="two",
        item=QuestionDocument(kind="essay", scoring_method="by_hand"),
        by=by,
    ),
    "publish": lambda bank, by: services.publish(question=bank.questions.get(), by=by, now=NOW),
    "retire": lambda bank, by: services.retire(question=bank.questions.get(), by=by, now=NOW),
    "create_import": lambda bank, by: jobs.create_import(
        bank=bank,
        data=b"What?\nA) x\nB) y\nANSWER: A\n",
        filename="a.txt",
        format_="aiken",
        language="en",
        by=by,
    ),
    "run_import": lambda bank, by: importer.run_import(
        bank=bank, parsed_file=ParsedFile(), by=by, now=NOW
    ),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_a_service_that_writes_asks_who_does(users, bank, writer):
    sharing.share(bank=bank, right=BankRight.USE, by=users.instructor)
    for person in (users.outsider, users.learner, users.stranger):
        with pytest.raises(NotFound):
            WRITERS[writer](bank, person)
    assert list(Question.objects.values_list("name", "retired_at")) == [("one", None)]
    WRITERS[writer](bank, users.instructor)


def test_the_page_shares_and_takes_back(users, bank):
    browser, address = logged_in_client(users.instructor), f"/admin/bank/bank/{bank.pk}/sharing/"
    form = {"audience": "person", "email": "OUTSIDER@example.org", "right": "use"}
    assert browser.post(address, form).status_code == 302
    share = BankShare.objects.get()
    assert (share.person, share.right) == (users.outsider, "use")
    assert "outsider@example.org" in browser.get(address).text
    assert "outsider@example.org" in browser.get(f"/admin/bank/bank/{bank.pk}/change/").text
    reader = logged_in_client(users.outsider)
    assert "Stop sharing" not in reader.get(address).text
    assert reader.post(address, {"remove": str(share.uuid)}).status_code == 403
    assert browser.post(address, {"remove": "x"}).status_code == 404
    assert browser.post(address, {"remove": str(share.uuid)}).status_code == 302
    assert not BankShare.objects.exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"email": "learner@example.org"}, "Nobody who teaches here has this address."),
        ({"email": "who@example.org"}, "Nobody who teaches here has this address."),
        ({"email": ""}, "Type the address of the person."),
        ({"audience": "everyone", "right": "edit"}, "Editors are named: a person, or a class."),
    ],
)
def test_the_page_says_what_is_wrong(users, bank, changes, message):
    form = {"audience": "person", "email": "outsider@example.org", "right": "use"} | changes
    address = f"/admin/bank/bank/{bank.pk}/sharing/"
    response = logged_in_client(users.instructor).post(address, form)
    assert (response.status_code, message in response.text) == (422, True)
    assert not BankShare.objects.exists()
