"""Certificates: who may make them, what they show, and what becomes of them."""

import json
import re
from datetime import timedelta
from io import BytesIO
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from quizzes.attempts.models import Attempt
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.bank.models import QuestionVersion
from quizzes.certificates.certificate_check import check_certificate
from quizzes.certificates.models import Certificate
from quizzes.certificates.selectors import load_certificate
from quizzes.certificates.services import save_certificate, withdraw_certificate
from quizzes.lib import clock
from quizzes.lib.errors import NotFound, Refused
from quizzes.privacy.person_erasure import erase_person
from quizzes.privacy.person_export import write_export
from quizzes.publishing.models import Quiz
from quizzes.results import services as results
from quizzes.results.models import RegradePolicy
from quizzes.results.regrading import commit_regrade, continue_regrades
from tests.attempt_helpers import take_quiz
from tests.factories import (
    NOW,
    create_bank,
    create_question,
    create_quiz,
    option_ids,
    publish_change,
)
from tests.quizzes.web.test_secrecy import masked, twin
from tests.quizzes.web.views.test_receipts import check, check_offline
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

SHOWN = {"shows_name": False, "shows_score": False, "is_public": True}
__all__ = ["check_offline"]


@pytest.fixture
def question(users):
    return create_question(create_bank(users), "one", right="a", kind="single_choice")


@pytest.fixture
def quiz(users, question):
    return create_quiz(users, [question], gives_certificates=True)


@pytest.fixture
def attempt(users, quiz) -> Attempt:
    return take_quiz(quiz, users.learner, {0: "a"})


def make(attempt: Attempt, **choices: bool) -> Certificate:
    return save_certificate(
        attempt=attempt.uuid, learner=attempt.learner, now=NOW, **{**SHOWN, **choices}
    )[0]


def download(row: Certificate, client: Client | None = None) -> dict[str, Any]:
    response = (client or Client()).get(reverse("certificate_file", args=[row.uuid]))
    assert response.status_code == 200
    return dict(json.loads(response.content))


def read_page(row: Certificate, client: Client | None = None, language: str = "en") -> str:
    response = (client or Client()).get(
        reverse("certificate", args=[row.uuid]), headers={"Accept-Language": language}
    )
    assert response.status_code == 200
    assert response["X-Robots-Tag"] == "noindex, nofollow"
    return re.sub(r"\s+", " ", response.content.decode())


def correct_key(quiz: Quiz, question: Any, by: User, policy: RegradePolicy) -> None:
    publish_change(question, key={"right": option_ids(question, "b")})
    commit_regrade(
        quiz=quiz,
        question=question,
        version=QuestionVersion.objects.get(question=question, number=2).uuid,
        policy=policy,
        reason="The key was wrong.",
        by=by,
        now=NOW + timedelta(days=1),
    )
    continue_regrades(now=NOW + timedelta(days=1))


def test_it_shows_the_least_until_its_owner_says_more(users, attempt):
    User.objects.filter(pk=users.learner.pk).update(name="Ana Luz")
    users.learner.refresh_from_db()
    row = make(attempt)
    page = read_page(row)
    assert "A quiz" in page
    assert "80%" in page.replace("\xa0", " ")
    assert "Ana Luz" not in page
    assert "<dt>Score" not in page
    assert set(download(row)["certificate"]) == {
        *("type", "form", "certificate", "quiz", "title", "quiz_version"),
        *("pass_mark", "submitted_at", "issued_at"),
    }
    attempt.learner.refresh_from_db()
    again = make(attempt, shows_name=True, shows_score=True)
    assert again.pk == row.pk
    page = read_page(row, language="es")
    assert "Ana Luz" in page
    assert "Un examen" in page
    assert "Certificado" in page
    signed = download(row)["certificate"]
    assert (signed["name"], signed["points"], signed["maximum"]) == ("Ana Luz", "1", "1")


def test_what_is_private_and_what_is_not_there_look_alike_to_all_but_its_owner(users, attempt):
    row = make(attempt, is_public=False)
    own = logged_in_client(users.learner)
    assert "Only you see this page" in read_page(row, own)
    for name in ("certificate", "certificate_file"):
        for client in (Client(), logged_in_client(users.instructor)):
            foreign = client.get(reverse(name, args=[row.uuid]))
            missing = client.get(reverse(name, args=[uuid4()]))
            assert foreign.status_code == missing.status_code == 404
            assert len(foreign.content) == len(missing.content)


def test_only_a_pass_of_ones_own_at_a_quiz_that_gives_them(users, quiz, attempt):
    failed = take_quiz(quiz, users.other_learner, {0: "b"})
    with pytest.raises(Refused):
        make(failed)
    with pytest.raises(NotFound):
        save_certificate(attempt=attempt.uuid, learner=users.other_learner, now=NOW, **SHOWN)
    User.objects.filter(pk=users.learner.pk).update(name="")
    attempt.learner.refresh_from_db()
    with pytest.raises(Refused, match="certificate_without_name"):
        make(attempt, shows_name=True)
    Quiz.objects.filter(pk=quiz.pk).update(gives_certificates=False)
    with pytest.raises(Refused, match="certificate_not_given"):
        make(attempt)
    assert not Certificate.objects.exists()


def test_a_hidden_score_and_a_staff_attempt_have_none(users, question):
    hidden = create_quiz(
        users, [question], slug="hidden", gives_certificates=True, reveal_score="after_close"
    )
    with pytest.raises(Refused):
        make(take_quiz(hidden, users.learner, {0: "a"}))
    open_quiz = create_quiz(users, [question], slug="staff", gives_certificates=True)
    by_staff = take_quiz(open_quiz, users.instructor, {0: "a"})
    assert by_staff.is_staff_attempt
    with pytest.raises(Refused):
        make(by_staff)


def test_one_that_holds_an_attempt_says_the_database(users, attempt):
    make(attempt)
    with pytest.raises(IntegrityError), transaction.atomic():
        Certificate.objects.create(attempt=attempt, learner=users.learner, chosen_at=NOW)


def test_a_withdrawn_one_says_only_that_and_another_has_another_address(users, attempt):
    row = make(attempt)
    document = download(row)
    withdraw_certificate(attempt=attempt.uuid, learner=users.learner, now=NOW)
    page = read_page(row)
    assert "Its owner withdrew it on Nov. 21, 2026" in page
    assert "A quiz" not in page
    assert Client().get(reverse("certificate_file", args=[row.uuid])).status_code == 404
    assert "Its owner withdrew it on Nov. 21, 2026" in check(Client(), document)
    assert make(attempt).uuid != row.uuid
    assert "A quiz" not in read_page(row)


def test_a_regrade_that_takes_the_pass_revokes_it_with_its_day(users, quiz, question, attempt):
    row = make(attempt)
    document = download(row)
    correct_key(quiz, question, users.instructor, RegradePolicy.BY_KEY)
    revoked = "It was revoked on Nov. 22, 2026: graded again, the attempt no longer passes."
    assert revoked in read_page(row)
    text = check(Client(), document)
    assert "this site issued and signed it on Nov. 21, 2026" in text
    assert revoked in text
    assert "Se revocó el 22 de noviembre de 2026" in check(
        Client(), document, **{"Accept-Language": "es"}
    )


def test_a_regrade_that_leaves_the_pass_issues_it_anew(users, quiz, question, attempt):
    row = make(attempt, shows_score=True)
    before = download(row)
    correct_key(quiz, question, users.instructor, RegradePolicy.FULL_CREDIT)
    assert "This certificate is valid. Its attempt was graded again on Nov. 22, 2026." in read_page(
        row
    )
    after = download(row)
    assert after["certificate"]["issued_at"] > before["certificate"]["issued_at"]
    assert "It was issued anew on Nov. 22, 2026" in check(Client(), before)
    assert "This certificate is valid." in check(Client(), after)


def test_a_voided_attempt_revokes_it(users, attempt):
    row = make(attempt)
    document = download(row)
    results.void(attempt=attempt.uuid, by=users.instructor, reason="Copied.", now=NOW)
    for text in (read_page(row), check(Client(), document)):
        assert "the attempt no longer counts" in text
        assert "Copied." not in text


def test_the_script_of_the_documentation_checks_one_and_a_change_is_seen(attempt, check_offline):
    row = make(attempt, shows_score=True)
    document = download(row)
    done = check_offline(document)
    assert (done.returncode, done.stderr) == (0, "")
    assert str(row.uuid) in done.stdout
    document["certificate"]["points"] = "2"
    assert check_offline(document).returncode != 0
    assert "This certificate is not genuine" in check(Client(), document)


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        ({"key": "other"}, "key_unknown"),
        ({"certificate": {}}, "unreadable"),
        ({"certificate": None}, "unreadable"),
        ({"certificate": {"points": "1/0"}}, "unreadable"),
        ({"signature": 7}, "signature_wrong"),
    ],
)
def test_what_somebody_brings_is_read_with_care(attempt, change, verdict):
    document = download(make(attempt)) | change
    assert check_certificate(json.dumps(document)).verdict == verdict


def test_a_receipt_is_no_certificate_under_another_name(attempt):
    receipt = attempt.receipt
    forged = {"certificate": receipt["receipt"], **{n: receipt[n] for n in ("key", "signature")}}
    assert check_certificate(json.dumps(forged)).verdict == "unreadable"


def test_the_command_ends_with_an_error_once_it_does_not_hold(attempt, users, tmp_path, capsys):
    row = make(attempt)
    file = tmp_path / "certificate.json"
    file.write_text(json.dumps(download(row)), encoding="utf-8")
    call_command("verify_receipt", str(file))
    assert "This certificate is valid." in capsys.readouterr().out
    withdraw_certificate(attempt=attempt.uuid, learner=users.learner, now=NOW)
    with pytest.raises(CommandError):
        call_command("verify_receipt", str(file))


def test_each_step_is_in_the_audit_log_without_the_name(users, attempt):
    User.objects.filter(pk=users.learner.pk).update(name="Ana Luz")
    attempt.learner.refresh_from_db()
    make(attempt)
    make(attempt, shows_name=True)
    withdraw_certificate(attempt=attempt.uuid, learner=users.learner, now=NOW)
    codes = [
        AuditCode.CERTIFICATE_MADE,
        AuditCode.CERTIFICATE_CHANGED,
        AuditCode.CERTIFICATE_WITHDRAWN,
    ]
    events = list(AuditEvent.objects.filter(code__in=codes).order_by("pk"))
    assert [event.code for event in events] == codes
    assert events[1].before == {"shows_name": False, "shows_score": False, "is_public": True}
    assert events[1].after == {"shows_name": True, "shows_score": False, "is_public": True}
    assert {event.actor for event in events} == {users.learner.uuid}


def test_an_erasure_takes_it_and_a_signed_one_is_told_so(users, attempt):
    document = download(make(attempt))
    erase_person(person=users.learner, by=users.administrator, now=clock.now())
    assert not Certificate.objects.exists()
    assert "the data of its owner was erased" in check(Client(), document)


def test_a_copy_of_ones_data_has_it(users, attempt):
    row = make(attempt)
    file = BytesIO()
    write_export(person=users.learner, file=file, now=NOW)
    with ZipFile(file) as archive:
        (listed,) = json.loads(archive.read("data.json"))["tables"]["certificates"]
    assert (listed["uuid"], listed["is_public"]) == (str(row.uuid), True)


def test_it_says_nothing_of_the_key(users):
    """Two quizzes that differ only in key and feedback have certificates alike."""
    bank, seen = create_bank(users), []
    for slug, right in (("one", "b"), ("two", "a")):
        question = twin(bank, f"{slug}-single", right, kind="single_choice")
        other = create_quiz(users, [question], slug=slug, gives_certificates=True)
        row = make(take_quiz(other, users.learner, {0: right}), shows_score=True)
        pages = [Client().get(reverse("certificate", args=[row.uuid]))]
        pages.append(logged_in_client(users.learner).get(pages[0].request["PATH_INFO"]))
        seen.append([masked(page) for page in pages])
        assert set(download(row)["certificate"]["title"]) == {"en", "es"}
    assert seen[0] == seen[1]


def test_one_query_reads_it(attempt, django_assert_num_queries):
    row = make(attempt)
    with django_assert_num_queries(1):
        load_certificate(certificate=row.uuid, viewer=attempt.learner)
