"""Tries are a journal: sent again they are one, appended for good, chained, with receipts."""

import json
import re
from contextlib import contextmanager
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from quizzes.attempts import response_chain
from quizzes.lib.errors import Invalid
from quizzes.practice import services
from quizzes.practice.models import PracticeQuestion, PracticeTry
from quizzes.practice.try_chain import build_try_receipt, try_fields
from quizzes.practice.try_scoring import score_try
from quizzes.privacy.person_erasure import erase_person
from tests.factories import NOW, option_ids
from tests.forged_rows import without_constraints
from tests.quizzes.practice.test_practice import check, draw, give_up, single
from tests.quizzes.web.views.test_receipts import check as check_on_page
from tests.quizzes.web.views.test_receipts import check_offline, forge
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db
__all__ = ["check_offline", "single"]


@pytest.fixture
def tried(users, single):
    """A practised question with a wrong try."""
    quiz, question = single
    row = draw(quiz, users.learner)
    check(row, users.learner, question, "b")
    return row


@pytest.fixture
def document(users, tried):
    """The file of the receipt of that try, as its page sends it."""
    address = reverse("try_receipt", args=[tried.uuid, 1])
    response = logged_in_client(users.learner).get(address)
    assert response["Content-Disposition"] == f'attachment; filename="receipt-{tried.uuid}-1.json"'
    return json.loads(response.content)


def test_a_try_whose_reply_was_lost_is_the_same_try_when_it_is_sent_again(users, single):
    quiz, question = single
    row, key = draw(quiz, users.learner), uuid4()
    for tried in (0, 0, 1):  # the page may have been loaded anew meanwhile
        assert check(row, users.learner, question, "b", tried, key)
    assert [each.number for each in PracticeTry.objects.all()] == [1]
    assert not check(row, users.learner, question, "c", 0)  # another tab has gone on
    with pytest.raises(Invalid, match="idempotency_key_reused"):
        check(row, users.learner, question, "c", 1, key)
    assert PracticeTry.objects.count() == 1


def test_a_form_that_is_sent_again_makes_no_second_try(users, single):
    quiz, question = single
    row = draw(quiz, users.learner)
    client, address = logged_in_client(users.learner), reverse("practice", args=[quiz.slug])
    page = client.get(address).content.decode()
    key = re.search(r'name="idempotency_key"\s+value="([^"]+)"', page)
    assert key
    chosen = option_ids(question, "b")[0]
    sent = {"question": str(row.uuid), "count": "0", "action": "check", "q-0": chosen}
    for _ in range(2):
        client.post(address, {**sent, "idempotency_key": key[1]})
    assert [str(each.idempotency_key) for each in PracticeTry.objects.all()] == [key[1]]


@contextmanager
def refused(sentence):
    with pytest.raises(IntegrityError, match=sentence), transaction.atomic():
        yield


def test_the_database_refuses_to_change_a_try_or_to_take_it_away(users, tried):
    rows = PracticeTry.objects.filter(question=tried)
    for column, forged in (("answer", {}), ("score", None), ("tried_at", NOW), ("number", 7)):
        with refused("rows of practice_practicetry never change"):
            rows.update(**{column: forged})
    with refused("tries in practice go only with the person"):
        rows.delete()
    with refused("practised questions go only with the person|tries in practice go only"):
        PracticeQuestion.objects.filter(pk=tried.pk).delete()
    with refused("a practised question stays as it was drawn"):
        PracticeQuestion.objects.filter(pk=tried.pk).update(credits="1, 1, 1")
    give_up(tried, users.learner)
    with refused("an answer that was shown are as their journal says"):
        PracticeQuestion.objects.filter(pk=tried.pk).update(asked_for_answer=False)


@pytest.mark.parametrize("change", ["number", "learner", "shown"])
def test_the_database_refuses_a_try_in_another_place(users, tried, change):
    row = PracticeTry.objects.get()
    row.pk, row.number, row.idempotency_key, row._state.adding = None, 2, uuid4(), True
    if change == "number":
        row.number = 3
    elif change == "learner":
        row.learner = users.other_learner
    else:
        give_up(tried, users.learner)
    with refused("come before its answer is shown, and are numbered from 1 without a gap"):
        row.save(force_insert=True)


def test_tries_go_with_their_person(users, tried):
    erase_person(person=users.learner, by=users.learner, now=NOW)
    assert not PracticeTry.objects.exists()
    assert not PracticeQuestion.objects.exists()


def test_the_page_leads_to_the_receipt_of_the_last_try(users, single, tried):
    quiz, _question = single
    page = logged_in_client(users.learner).get(reverse("practice", args=[quiz.slug]))
    assert reverse("try_receipt", args=[tried.uuid, 1]) in page.content.decode()
    for person in (users.other_learner, users.instructor):
        address = reverse("try_receipt", args=[tried.uuid, 1])
        assert logged_in_client(person).get(address).status_code == 404
    address = reverse("try_receipt", args=[tried.uuid, 2])
    assert logged_in_client(users.learner).get(address).status_code == 404


def test_the_receipt_is_checked_where_those_of_attempts_are(users, document, check_offline):
    own = check_on_page(logged_in_client(users.learner), document)
    other = check_on_page(Client(), document)
    for page in (own, other):
        assert "This receipt is genuine" in page
        assert "of an answer in practice, which enters no grade" in page
        assert "The answer in the file is the one that was handed in." in page
    assert "What is stored today is still what this receipt says." in own
    assert "What is stored today" not in other
    assert check_offline(document).returncode == 0


@pytest.mark.parametrize(
    ("path", "into"),
    [(("receipt", "responses"), 2), (("receipt", "submitted_at"), "2026-01-01T00:00:00.000000Z")],
)
def test_a_receipt_that_was_changed_is_not_genuine(document, path, into, check_offline):
    changed = forge(document, *path, into=into)
    assert "it was changed after it was signed" in check_on_page(Client(), changed)
    assert check_offline(changed).returncode != 0


def test_a_command_checks_it_too(document, tmp_path, capsys):
    file = tmp_path / "receipt.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    call_command("verify_receipt", str(file))
    assert "What is stored today is still what this receipt says." in capsys.readouterr().out
    with transaction.atomic(), without_constraints():
        PracticeTry.objects.update(answer_digest=bytes(32))
        with pytest.raises(CommandError, match="do not agree"):
            call_command("verify_receipt", str(file))


def test_no_digest_and_no_receipt_depends_on_the_score(users, single, monkeypatch):
    """Whoever computes a published digest for "right" and for "wrong" would know the key."""
    salt, key = bytes(range(16)), uuid4()
    monkeypatch.setattr(response_chain, "make_salt", lambda: salt)
    quiz, question = single
    row = draw(quiz, users.learner)
    journals, scores = [], []
    for letter in "ba":  # scored as if it were wrong, and as if it were right
        scored = {"chosen": option_ids(question, letter), "none_apply": False}
        with transaction.atomic(), monkeypatch.context() as patched:
            patched.setattr(
                services,
                "score_try",
                lambda version, key_and_feedback, _answer, method, scored=scored: score_try(
                    version, key_and_feedback, scored, method
                ),
            )
            check(row, users.learner, question, "b", key=key)
            stored = PracticeTry.objects.select_related("question__quiz", "question__version").get()
            assert bytes(stored.salt) == salt
            assert stored.score is not None
            scores.append(stored.score["credit"])
            covered = try_fields(row.uuid, stored), build_try_receipt(stored.question, stored)
            digests = bytes(stored.answer_digest), bytes(stored.digest), bytes(stored.mac)
            journals.append((covered, digests, stored.receipt))
            transaction.set_rollback(True)
    assert scores == [[0, 1], [1, 1]]
    assert journals[0] == journals[1]


def test_a_receipt_costs_no_query_more_however_many_tries_there_are(users, single, counted):
    quiz, question = single
    row, costs = draw(quiz, users.learner), []
    for tried, letter in enumerate("bcd"):
        with counted() as queries:
            check(row, users.learner, question, letter, tried)
        costs.append(len(queries))
    assert costs[1] == costs[2] <= costs[0]
