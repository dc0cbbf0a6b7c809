"""A person is erased: nothing says who it was, and the record still verifies."""

import json
from io import BytesIO, StringIO
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from django.db.models import Q, QuerySet
from django.urls import reverse

from accounts.account_audit import record_address_change, record_membership
from accounts.email_confirmation import change_address, confirm_address, replace_account
from accounts.guests import create_guest, keep_guest
from accounts.models import (
    ApiToken,
    FailedLogins,
    Invitation,
    Membership,
    RosterImport,
    SecurityNotice,
    Session,
    User,
)
from accounts.services import issue_token
from quizzes.attempts.devices import open_on_device
from quizzes.attempts.models import Accommodation, Attempt, Response
from quizzes.attempts.receipt_file import check_receipt
from quizzes.audit.codes import AuditCode
from quizzes.audit.erasure import erase_from_log, name_events
from quizzes.audit.models import AuditErasure, AuditEvent
from quizzes.audit.origin import Origin, use_origin
from quizzes.audit.row_macs import add_mac
from quizzes.audit.services import record
from quizzes.audit.tasks import seal_audit_events
from quizzes.audit.verify import verify_audit_log
from quizzes.lib import clock
from quizzes.lib.errors import NotFound, Refused
from quizzes.privacy.models import LegalHold
from quizzes.privacy.person_erasure import erase_person, plan_erasure
from quizzes.privacy.person_export import write_export
from quizzes.results import checkpoints, services
from quizzes.results.models import Grading
from tests.attempt_helpers import later, save_choice, start, take_quiz
from tests.browser_forms import form_values
from tests.factories import NOW, create_bank, create_question, create_quiz, open_to_anyone
from tests.forged_rows import overwrite
from tests.invitations import create_invitation
from tests.users import Users, logged_in_client

pytestmark = pytest.mark.django_db
MARKS = ("Zyx Wvut", "zyx@wvut.example", "old@wvut.example", "S-4711", "203.0.113.9", "Wvutphone")
"""What says who the person is; no row of any table has it afterwards."""


@pytest.fixture
def person(users: Users, a_quiz: Any) -> User:
    """A learner of whom every kind of thing is stored, and who is named in the log."""
    person = users.learner
    person.name, person.school_id, person.email = "Zyx Wvut", "S-4711", "zyx@wvut.example"
    person.confirmed_email = person.email
    person.save()
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    Authenticator.objects.create(user=person, type="totp", data={"secret": "Zyx Wvut"})
    FailedLogins.objects.create(key="k", user=person, times=[1])
    SecurityNotice.objects.create(
        user=person,
        kind="password_changed",
        recipient=person.email,
        happened_at=NOW,
        next_try_at=NOW,
    )
    create_invitation(users.other_group, person.email, by=users.outsider, now=NOW, name="Zyx Wvut")
    Session.objects.create(
        session_key="s", user=person, expire_date=later(days=9), address="203.0.113.9"
    )
    accommodation = Accommodation.objects.create(
        quiz=a_quiz, learner=person, time_percent=150, reason="Zyx Wvut is ill"
    )
    addresses = ("ZYX@wvut.example", "else@where.example")
    RosterImport.objects.create(
        group=users.other_group,
        created_by=users.outsider,
        created_at=NOW,
        people=[
            *(
                {"line": 1, "name": "Zyx Wvut", "email": email, "school_id": id_, "problem": ""}
                for email, id_ in zip(addresses, ("", "S-4711"), strict=True)
            ),
            {"line": 3, "name": "A", "email": "a@b.example", "school_id": "", "problem": ""},
        ],
    )
    origin = Origin(person=person, address="203.0.113.9", user_agent="Wvutphone 3")
    with use_origin(lambda: origin):
        issue_token(user=person, name="Zyx Wvut's program", scopes=["read"], days=9)
        record_address_change(person, old="old@wvut.example", old_confirmed=True, new=person.email)
    record_membership(Membership.objects.get(user=person), before="learner", after="instructor")
    record(AuditCode.BANK_SHARED, by=users.instructor, after={"shared_with": "zyx@wvut.example"})
    record(AuditCode.ASSIGNMENT_CHANGED, about=accommodation, by=users.instructor)
    attempt = start(a_quiz, person)
    save_choice(attempt, 0, "ab")
    services.finish(attempt=attempt.uuid, learner=person, now=NOW)
    take_quiz(a_quiz, users.other_learner, {0: "a"})
    record(AuditCode.TIME_GIVEN, about=Attempt.objects.get(uuid=attempt.uuid), by=users.instructor)
    LogEntry.objects.create(
        user=users.administrator,
        content_type=ContentType.objects.get_for_model(User),
        object_id=str(person.pk),
        object_repr="Zyx Wvut",
        action_flag=CHANGE,
    )
    seal_audit_events()
    checkpoints.make_checkpoint(now=NOW)
    return person


def verify(command: str) -> str:
    """Return what a verification says of rows that differ; nothing where none does."""
    err = StringIO()
    try:
        call_command(command, stdout=StringIO(), stderr=err)
    except CommandError as error:
        return f"{error} {err.getvalue()}"
    return err.getvalue()


def dump_rows() -> str:
    """Return all rows of all tables, as text."""
    return json.dumps(
        [
            [str(bytes(cell)) if isinstance(cell, memoryview) else str(cell) for cell in row]
            for model in apps.get_models(include_auto_created=True)
            for row in model._base_manager.values_list()
        ],
        ensure_ascii=False,
    )


def test_no_table_says_who_it_was(person, users):
    before = dump_rows()
    assert all(mark in before for mark in MARKS)
    erase_person(person=person, by=users.administrator, now=clock.now())
    after = dump_rows()
    assert [mark for mark in MARKS if mark in after] == []


def test_what_was_done_on_the_pages_for_teaching_names_nobody(person, users, a_quiz):
    """Django's own log has the text of each row, also of those that are gone."""
    client = logged_in_client(users.administrator)
    hold = {"person": person.pk, "reason": "appeal"}
    client.post(reverse("admin:privacy_legalhold_add"), hold)
    deletion = reverse("admin:privacy_legalhold_delete", args=[LegalHold.objects.get().pk])
    client.post(deletion, {"post": "yes"})
    address = reverse("admin:accounts_group_change", args=[users.other_group.pk])
    data = form_values(client.get(address), "memberships-TOTAL_FORMS")
    last = int(data["memberships-TOTAL_FORMS"]) - 1
    row = {f"memberships-{last}-user": person.email, f"memberships-{last}-role": "learner"}
    client.post(address, {**data, **row})
    invitation = {"email": person.email, "name": person.name, "language": "en", "role": ""}
    client.post(reverse("admin:accounts_invitation_add"), invitation)
    more_time = {"learner": person.pk, "time_percent": 150, "extra_minutes": 0, "window_minutes": 0}
    more_time["reason"] = "Zyx Wvut is ill"
    client.post(reverse("admin:attempts_standingaccommodation_add"), more_time)
    log = LogEntry.objects.filter(user=users.administrator)
    assert set(log.values_list("content_type__model", flat=True)) == {
        *("user", "legalhold", "group", "invitation", "standingaccommodation"),
    }
    erase_person(person=person, by=users.administrator, now=clock.now())
    after = dump_rows()
    assert [mark for mark in MARKS if mark in after] == []


def test_an_invitation_to_an_address_of_before_goes(person, users):
    create_invitation(users.other_group, "old@wvut.example", by=users.outsider, name="Zyx Wvut")
    assert Invitation.objects.update(accepted_at=NOW, invited_by=users.outsider)
    erase_person(person=person, by=users.administrator, now=clock.now())
    after = dump_rows()
    assert [mark for mark in MARKS if mark in after] == []


def test_the_device_of_an_attempt_is_in_the_copy_and_goes(person, users):
    """A browser has one id for all who use it: it would say whose else the attempts are."""
    device = uuid4()
    question = create_question(create_bank(users, "one"), "first", right="a")
    attempt = start(create_quiz(users, [question], slug="one", one_device=True), person)
    open_on_device(attempt=attempt.uuid, learner=person, device=device, now=NOW)
    file = BytesIO()
    write_export(person=person, file=file, now=NOW)
    assert str(device) in ZipFile(file).read("attempts.csv").decode()
    services.finish(attempt=attempt.uuid, learner=person, now=NOW, device=device)
    assert str(device) in dump_rows()
    with pytest.raises(DatabaseError, match="device"), transaction.atomic():
        Attempt.objects.filter(pk=attempt.pk).update(device=uuid4())
    with pytest.raises(DatabaseError, match="device"), transaction.atomic():
        Attempt.objects.filter(pk=attempt.pk).update(device=None, device_changes=1)
    erase_person(person=person, by=None, now=clock.now())
    assert str(device) not in dump_rows()
    assert verify("verify_record") == verify("verify_gradings") == ""


@pytest.mark.parametrize("way", ["lost to its owner", "given up", "handed on"])
def test_erasing_who_had_an_address_takes_nothing_from_who_has_it_now(person, users, way):
    """A stranger registers an address, or a school gives it to somebody else later."""
    address = "owner@wvut.example"
    holder = User.objects.create_user(address, "a long password", confirmed_email="")
    if way == "lost to its owner":
        owner = replace_account(user=holder, password=None)
        confirm_address(user=owner, address=address)
    else:
        if way == "handed on":
            confirm_address(user=holder, address=address)
        change_address(user=holder, address="else@wvut.example")
        owner = User.objects.create_user(address, "a long password")
    create_invitation(users.other_group, address, by=users.outsider)
    record(AuditCode.SIGNED_IN, about=owner, by=owner)
    record(AuditCode.BANK_SHARED, by=users.instructor, after={"shared_with": address})
    about_owner = AuditEvent.objects.filter(Q(subject=owner.uuid) | Q(after__shared_with=address))
    count = about_owner.filter(subject_erasure=None).count()
    erase_person(person=User.objects.get(pk=holder.pk), by=users.administrator, now=clock.now())
    assert about_owner.filter(subject_erasure=None).count() == count >= 2
    assert Invitation.objects.filter(email=address).exists()


def test_an_address_of_before_the_log_had_whether_it_was_confirmed_goes_from_what_others_did(
    person, users
):
    """Where an account has it by now, it names that one."""
    for address in ("older@wvut.example", users.outsider.email):
        record(AuditCode.ADDRESS_CHANGED, about=person, before={"address": address})
        record(AuditCode.BANK_SHARED, by=users.instructor, after={"shared_with": address})
    erase_person(person=person, by=None, now=clock.now())
    assert "older@wvut.example" not in dump_rows()
    assert AuditEvent.objects.filter(after__shared_with=users.outsider.email).exists()
    assert list(verify_audit_log()) == []


def test_the_record_the_log_and_the_receipt_still_verify(person, users):
    attempt = Attempt.objects.get(learner=person)
    document, score = json.dumps(attempt.receipt), Grading.objects.get(attempt=attempt).total
    erase_person(person=person, by=None, now=clock.now())
    seal_audit_events()
    assert verify("verify_record") == verify("verify_gradings") == ""
    assert check_receipt(document, Attempt.objects.all()).record == "agrees"
    assert Grading.objects.get(attempt=attempt).total == score
    answers = Response.objects.filter(learner=person).values_list("answer", flat=True)
    assert set(answers) == {None}
    assert Response.objects.exclude(learner=person).get().answer is not None


def test_nobody_signs_in_as_an_erased_person(person, client):
    erase_person(person=person, by=None, now=clock.now())
    person.refresh_from_db()
    assert not person.is_active
    assert not person.has_usable_password()
    assert not ApiToken.objects.filter(user=person).exists()
    assert not Session.objects.filter(user=person).exists()
    assert str(person) == f"Erased person {person.uuid.hex[:6]}"
    assert person.author_name == "former author"


def test_what_others_did_stays_under_their_names(person, users):
    erase_person(person=person, by=users.administrator, now=clock.now())
    shared = AuditEvent.objects.get(code=AuditCode.BANK_SHARED)
    assert shared.actor_label == "Instructor <instructor@example.org>"
    assert (shared.subject_label, shared.after) == ("", None)
    erased = AuditEvent.objects.get(code=AuditCode.PERSON_ERASED)
    assert erased.actor_label == "Administrator <administrator@example.org>"
    assert (erased.subject, erased.subject_label) == (
        person.uuid,
        f"Erased person {person.uuid.hex[:6]}",
    )


def test_a_side_that_is_emptied_without_an_erasure_is_refused_and_a_forged_one_found(person):
    event = AuditEvent.objects.filter(code=AuditCode.BANK_SHARED)
    erasure = AuditErasure(
        person=person.uuid, events=name_events({}, dict(event.values_list("pk", "uuid")))
    )
    add_mac(erasure)
    erasure.save()
    emptied: dict[str, Any] = {
        "subject_label": "",
        "before": None,
        "after": None,
        "subject_salt": None,
    }
    for change in (
        emptied,
        {"subject_erasure": erasure},
        {**emptied, "subject_erasure": erasure, "actor_label": "Somebody"},
    ):
        with pytest.raises(DatabaseError, match="refused"), transaction.atomic():
            event.update(**change)
    event.update(**emptied, subject_erasure=erasure)
    assert list(verify_audit_log()) == []
    with pytest.raises(DatabaseError, match="refused"), transaction.atomic():
        event.update(subject_label="Somebody")
    overwrite(event, subject_label="Somebody")
    assert "was changed after seal" in str(*verify_audit_log())


def empty_by_sql(event: QuerySet[AuditEvent], erasure: AuditErasure) -> None:
    event.update(
        subject_label="", before=None, after=None, subject_salt=None, subject_erasure=erasure
    )


def test_an_erasure_that_this_site_did_not_make_is_found_and_another_one_covers_nothing(
    person, users
):
    """The role of the site may insert an erasure, and empty an event that names one."""
    events = AuditEvent.objects.filter(code=AuditCode.BANK_SHARED)
    row = events.get()
    with transaction.atomic():
        forged = AuditErasure.objects.create(
            person=person.uuid, events=name_events({}, {row.pk: row.uuid})
        )
        empty_by_sql(events, forged)
        assert [str(difference).rpartition(": ")[2] for difference in verify_audit_log()] == [
            "was not written by this site",
            "was changed after seal 1",
        ]
        transaction.set_rollback(True)
    erase_from_log(person=users.other_learner.uuid, subjects=(), words=())
    empty_by_sql(events, AuditErasure.objects.get())
    assert "was changed after seal 1" in str(*verify_audit_log())


def test_what_prevents_an_erasure_says_so(person, users, a_quiz):
    start(a_quiz, person, later(days=2))
    LegalHold.objects.create(group=users.group, reason="appeal")
    assert plan_erasure(person).blockers == ("attempt_not_ended", "legal_hold")
    with pytest.raises(Refused, match="attempt_not_ended"):
        erase_person(person=person, by=None, now=later(days=2))
    person.refresh_from_db()
    assert person.name == "Zyx Wvut"
    assert plan_erasure(users.administrator).blockers == ("last_administrator",)


def test_what_a_kept_guest_has_not_ended_prevents_an_erasure_before_it_begins(person, users):
    guest = create_guest(language="en", time_zone="UTC", now=NOW)
    question = create_question(create_bank(users, "open"), "first", right="a")
    start(open_to_anyone(create_quiz(users, [question], slug="open")), guest)
    keep_guest(guest=guest, user=person, now=NOW)
    assert plan_erasure(person).blockers == ("attempt_not_ended",)


def test_others_may_not_erase_a_person(person, users):
    for by in (users.instructor, users.other_learner):
        with pytest.raises(NotFound):
            erase_person(person=person, by=by, now=NOW)


def test_the_command_says_what_it_would_do_and_does_it_when_told(person):
    out = StringIO()
    call_command("erase_person", person.email, stdout=out)
    assert "Would be deleted: account.EmailAddress 1, accounts.ApiToken 1" in out.getvalue()
    assert "Nothing was changed." in out.getvalue()
    person.refresh_from_db()
    assert person.name == "Zyx Wvut"
    call_command("erase_person", str(person.uuid), "--commit", stdout=out)
    assert "The person is erased." in out.getvalue()
    with pytest.raises(CommandError, match="erased already"):
        call_command("erase_person", str(person.uuid), "--commit", stdout=out)
    with pytest.raises(CommandError, match="nobody called"):
        call_command("erase_person", "nobody@example.org", stdout=out)
