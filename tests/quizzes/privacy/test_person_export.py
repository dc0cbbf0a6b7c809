"""A person gets everything that is stored of them, and nothing that they may not see."""

import csv
import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.core.management import CommandError, call_command

from accounts.guests import create_guest, keep_guest
from accounts.models import NoticeKind, SecurityNotice, User
from accounts.services import issue_token
from quizzes.attempts.deadline_settings import (
    save_accommodation,
    save_standing_accommodation,
)
from quizzes.attempts.models import Accommodation, Attempt, StandingAccommodation
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.challenges.models import ChallengeReason, ChallengeVerdict
from quizzes.challenges.services import answer_challenges, challenge_question
from quizzes.lib.errors import NotFound
from quizzes.notifications.models import Notification, NotificationKind
from quizzes.practice.services import ask_for_answer, check_answer, draw_next
from quizzes.presentation.messages.privacy import EXPORT_FILES
from quizzes.privacy.person_export import export_person, write_export
from tests.attempt_helpers import take_quiz
from tests.factories import (
    NOW,
    create_bank,
    create_question,
    create_quiz,
    open_to_anyone,
    option_ids,
)
from tests.users import Users

pytestmark = pytest.mark.django_db


def read_export(person: User, now: datetime = NOW) -> ZipFile:
    file = BytesIO()
    write_export(person=person, file=file, now=now)
    return ZipFile(file)


def read_table(archive: ZipFile, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(archive.read(f"{name}.csv").decode(), newline="")))


def read_json(archive: ZipFile) -> dict[str, list[dict[str, Any]]]:
    tables: dict[str, list[dict[str, Any]]] = json.loads(archive.read("data.json"))["tables"]
    return tables


@pytest.fixture
def person(users: Users, a_quiz: Any) -> User:
    person = users.learner
    person.name = "=HYPERLINK(1)"
    person.save()
    EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
    Authenticator.objects.create(user=person, type="totp", data={"secret": "SECRETSECRET"})
    issue_token(user=person, name="My program", scopes=["read"], days=9)
    take_quiz(a_quiz, person, {0: "ab", 1: "b"})
    take_quiz(a_quiz, users.other_learner, {0: "a"})
    return person


def test_what_is_stored_of_a_person_is_there_and_nobody_elses(person, users):
    archive = read_export(person)
    tables = read_json(archive)
    assert set(tables) == set(EXPORT_FILES)
    (account,) = tables["account"]
    assert (account["email"], account["uuid"]) == (person.email, str(person.uuid))
    assert tables["groups"] == [{"group_name": "Class A", "role": "learner"}]
    assert [row["type"] for row in tables["second_factors"]] == ["totp"]
    assert [row["name"] for row in tables["tokens"]] == ["My program"]
    (attempt,) = Attempt.objects.filter(learner=person)
    assert [row["uuid"] for row in tables["attempts"]] == [str(attempt.uuid)]
    assert len(tables["journal"]) == attempt.responses.count() == 2
    assert {row["attempt"] for row in tables["answers"]} == {str(attempt.uuid)}
    receipt = json.loads(archive.read(f"receipts/{attempt.uuid}.json"))
    assert receipt["receipt"]["learner"] == str(person.uuid)
    everything = b"".join(archive.read(name) for name in archive.namelist()).decode()
    for other in (users.other_learner, users.instructor):
        assert other.email not in everything
        assert str(other.uuid) not in everything


def test_tables_and_json_say_the_same(person):
    archive = read_export(person)
    for name, rows in read_json(archive).items():
        table = read_table(archive, name)
        assert len(table) == len(rows), name
        for line, row in zip(table, rows, strict=True):
            assert list(line) == list(row), name


def test_no_secret_is_in_it_and_no_cell_is_run(person):
    archive = read_export(person)
    everything = b"".join(archive.read(name) for name in archive.namelist()).decode()
    for secret in ("SECRETSECRET", "203.0.113.9", "mail.inside.example"):
        assert secret not in everything
    assert person.password not in everything
    (account,) = read_table(archive, "account")
    assert account["name"] == "'=HYPERLINK(1)"


def list_scores(person: User) -> Iterator[object]:
    tables = read_json(read_export(person))
    for name in ("results", "quiz_grades"):
        for row in tables[name]:
            yield from (row["total"], row["percent"], row["passed"])
    for row in tables["answers"]:
        yield row["credit"]


def test_a_result_that_its_page_hides_is_not_in_the_export(person, users, questions):
    assert None not in list(list_scores(person))
    hidden = dict.fromkeys(("reveal_score", "reveal_correctness", "reveal_feedback"), "never")
    quiz = create_quiz(users, questions, slug="hidden", **hidden)
    take_quiz(quiz, users.other_learner, {0: "a"})
    tables = read_json(read_export(users.other_learner))
    (row,) = [row for row in tables["results"] if row["quiz"] == "hidden"]
    assert (row["total"], row["percent"], row["passed"]) == (None, None, None)
    answers = [item for item in tables["answers"] if item["attempt"] == row["attempt"]]
    assert {(item["credit"], item["comments"]) for item in answers} == {(None, "")}
    assert not {item["outcome"] for item in answers} & {"correct", "incorrect"}


def test_equal_data_give_equal_bytes(person):
    moment = datetime(2026, 11, 23, 1, 2, 4, tzinfo=UTC)
    exports = [BytesIO(), BytesIO()]
    for file in exports:
        write_export(person=person, file=file, now=moment)
    assert exports[0].getvalue() == exports[1].getvalue()


def test_the_readme_explains_each_file_in_the_persons_language(person):
    archive = read_export(person)
    readme = archive.read("README.txt").decode()
    for name in archive.namelist():
        assert name.partition("/")[0] in readme or name == "README.txt"
    person.language = "es"
    spanish = read_export(person).read("README.txt").decode()
    assert "Estos son los datos" in spanish
    assert "These are" not in spanish


def test_only_the_person_and_administrators_get_it_and_the_log_says_who(person, users):
    for by in (users.instructor, users.other_learner):
        with pytest.raises(NotFound):
            export_person(person=person, by=by, file=BytesIO(), now=NOW)
    export_person(person=person, by=users.administrator, file=BytesIO(), now=NOW)
    event = AuditEvent.objects.get(code=AuditCode.PERSON_EXPORTED)
    assert (event.actor, event.subject) == (users.administrator.uuid, person.uuid)


def test_the_command_writes_a_file_for_its_owner_alone_and_overwrites_none(person, tmp_path: Path):
    path = tmp_path / "export.zip"
    call_command("export_person", person.email, str(path), stdout=StringIO())
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_json(ZipFile(path))["groups"]
    with pytest.raises(CommandError, match=os.strerror(17)):
        call_command("export_person", person.email, str(path), stdout=StringIO())


def test_what_the_account_keeps_of_guests_is_there(person, users):
    """Issue 11: everything a person has; a kept guest is who the person was then (ADR 59)."""
    guest = create_guest(language="en", time_zone="UTC", now=NOW)
    question = create_question(create_bank(users, "open"), "first", right="a")
    quiz = open_to_anyone(create_quiz(users, [question], slug="open"))
    attempt = take_quiz(quiz, guest, {0: "a"})
    before = {name: len(rows) for name, rows in read_json(read_export(person)).items()}
    keep_guest(guest=guest, user=person, now=NOW)
    archive = read_export(person)
    tables = read_json(archive)
    more = {name: len(rows) - before[name] for name, rows in tables.items()}
    assert {name: count for name, count in more.items() if count} == {
        "results_without_account": 1,
        "attempts": 1,
        "journal": 1,
        "gradings": 1,
        "results": 1,
        "answers": 1,
        "quiz_grades": 1,
        "audit_events": 1,
    }
    (result,) = [row for row in tables["results"] if row["attempt"] == str(attempt.uuid)]
    assert result["total"] is not None
    receipt = json.loads(archive.read(f"receipts/{attempt.uuid}.json"))
    assert receipt["receipt"]["learner"] == str(guest.uuid)
    assert str(attempt.uuid) not in json.dumps(read_json(read_export(users.other_learner)))


def test_what_the_log_says_of_more_time_is_there(person, users, a_quiz):
    save_standing_accommodation(
        accommodation=StandingAccommodation(learner=person, time_percent=150, reason="x"),
        by=None,
        now=NOW,
    )
    save_accommodation(
        accommodation=Accommodation(quiz=a_quiz, learner=person, time_percent=175, reason="x"),
        by=None,
        now=NOW,
    )
    events = [
        row
        for row in read_json(read_export(person))["audit_events"]
        if row["code"] == AuditCode.TIME_GIVEN
    ]
    assert [row["after"]["time_percent"] for row in events] == [150, 175]
    others = read_json(read_export(users.other_learner))["audit_events"]
    assert AuditCode.TIME_GIVEN not in {row["code"] for row in others}


def test_what_came_of_a_challenge_is_there_as_far_as_its_page_shows_it(person, users, questions):
    quiz = create_quiz(users, questions, slug="challenged", reveal_key="never")
    attempt = take_quiz(quiz, person, {0: "a"})
    for slot, is_safe in ((0, False), (1, True)):
        row = challenge_question(
            attempt=attempt.uuid,
            slot=slot,
            option=None,
            reason=ChallengeReason.OTHER,
            comment="Why?",
            language="en",
            learner=person,
            now=NOW,
        )
        answer_challenges(
            challenges=[row.uuid],
            by=users.instructor,
            verdict=ChallengeVerdict.DECLINED,
            answer=f"Because {slot}.",
            safe_before_key=is_safe,
            now=NOW,
        )
    tables = read_json(read_export(person))
    assert len(tables["challenges"]) == 2
    assert [
        (row["slot"], row["verdict"], row["answer"]) for row in tables["challenge_answers"]
    ] == [
        (0, "", ""),
        (1, "declined", "Because 1."),
    ]


def test_an_identity_names_who_one_is_there(person):
    SocialAccount.objects.create(user=person, provider="school", uid="ana-4711", extra_data={})
    (row,) = read_json(read_export(person))["identities"]
    assert row["uid"] == "ana-4711"


def test_what_a_person_named_and_what_a_mail_names_is_there(person, a_quiz):
    """The name of a passkey, and what a notification is about; nothing of others or of the site."""
    passkey = {"name": "Blue key", "credential": {"id": "SECRETSECRET"}}
    Authenticator.objects.create(user=person, type="webauthn", data=passkey)
    SecurityNotice.objects.create(
        user=person,
        kind=NoticeKind.ERASURE_REFUSED,
        recipient=person.email,
        context={"address": "203.0.113.9", "host": "an administrator's"},
        happened_at=NOW,
        next_try_at=NOW,
    )
    Notification.objects.create(
        recipient=person,
        kind=NotificationKind.CHALLENGE_ANSWERED,
        quiz=a_quiz,
        data={"slot": 1},
        next_try_at=NOW,
        error="SMTPServerDisconnected: mail.inside.example",
    )
    archive = read_export(person)
    tables = read_json(archive)
    assert [row["data_name"] for row in tables["second_factors"]] == [None, "Blue key"]
    assert tables["mails_waiting"][-1]["kind"] == "erasure_refused"
    (notification,) = tables["notifications"]
    assert notification["data"] == {"slot": 1}
    everything = b"".join(archive.read(name) for name in archive.namelist()).decode()
    assert "SECRETSECRET" not in everything


def test_what_was_practised_is_there_by_the_number_of_its_question(person, users):
    """The name of a question is its author's: "sky-is-blue" would tell the key."""
    question = create_question(create_bank(users, "sky"), "sky-is-blue", right="a")
    quiz = create_quiz(users, [question], slug="practice", mode="practice")
    row = draw_next(quiz=quiz.uuid, learner=person, after=0, now=NOW)
    check_answer(
        question=row.uuid,
        learner=person,
        raw={"chosen": option_ids(question, "b")},
        tried=0,
        idempotency_key=uuid4(),
        language="en",
        now=NOW,
    )
    ask_for_answer(
        question=row.uuid, learner=person, idempotency_key=uuid4(), language="en", now=NOW
    )
    archive = read_export(person)
    (step,) = read_json(archive)["practice_steps"]
    assert (step["action"], step["tries_before"], step["language"]) == ("given_up", 1, "en")
    (practised,) = read_json(archive)["practice"]
    assert practised["version_question_uuid"] == str(question.uuid)
    assert practised["version_question_bank_slug"] == "sky"
    everything = b"".join(archive.read(name) for name in archive.namelist()).decode()
    assert "sky-is-blue" not in everything
