"""Receipts on the pages: shown with the result, downloaded, and checked by anybody."""

import ast
import copy
import json
import re
import subprocess
import sys
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse

from quizzes.attempts.models import Response
from quizzes.attempts.receipt import receipt_digest
from quizzes.lib import triggers
from quizzes.results.erasure import erase_answers
from tests.attempt_helpers import start, take_quiz
from tests.factories import NOW
from tests.users import logged_in_client
from tools.paths import ROOT

pytestmark = pytest.mark.django_db

GENUINE = "This receipt is genuine"
AGREES = "What is stored today is still what this receipt says."
DIFFERS = "What is stored today is not what this receipt says."
CHANGED = "it was changed after it was signed"
UNREADABLE = "This is not a receipt of this site"


@pytest.fixture
def attempt(users, a_quiz):
    return take_quiz(a_quiz, users.learner, {0: "ab", 1: "b"})


@pytest.fixture
def document(users, attempt) -> dict[str, Any]:
    response = logged_in_client(users.learner).get(reverse("receipt", args=[attempt.uuid]))
    assert response["Content-Disposition"] == f'attachment; filename="receipt-{attempt.uuid}.json"'
    return dict(json.loads(response.content))


def check(client: Client, document: Any, **headers: str) -> str:
    """Paste a receipt into the page and return what it says."""
    text = document if isinstance(document, str) else json.dumps(document)
    response = client.post(reverse("check_receipt"), {"text": text}, headers=headers)
    assert response.status_code == 200
    return re.sub(r"\s+", " ", response.content.decode())


def test_the_result_shows_the_receipt_and_where_to_get_it(users, attempt):
    page = logged_in_client(users.learner).get(reverse("result", args=[attempt.uuid]))
    digest = receipt_digest(attempt.receipt)
    text = page.content.decode()
    assert f">{digest[:12]}</code>" in text
    assert digest in text
    assert reverse("receipt", args=[attempt.uuid]) in text


def test_a_file_has_the_answers_that_its_digests_prove(document, attempt):
    stored = {row.slot: row.answer for row in Response.objects.filter(attempt=attempt)}
    assert {answer["slot"]: answer["answer"] for answer in document["answers"]} == stored
    assert document["receipt"] == attempt.receipt["receipt"]


def test_a_receipt_is_given_to_those_who_may_see_the_attempt(users, attempt, a_quiz):
    address = reverse("receipt", args=[attempt.uuid])
    assert logged_in_client(users.instructor).get(address).status_code == 200
    assert logged_in_client(users.other_learner).get(address).status_code == 404
    assert Client().get(address).status_code == 302
    unfinished = start(a_quiz, users.other_learner)
    address = reverse("receipt", args=[unfinished.uuid])
    assert logged_in_client(users.other_learner).get(address).status_code == 404


def test_anybody_is_told_that_a_receipt_is_genuine_and_no_more(document, users):
    for client in (Client(), logged_in_client(users.other_learner)):
        page = check(client, document)
        assert GENUINE in page
        assert "All 2 answers in the file are those that were handed in." in page
        assert AGREES not in page
        assert "is shown to its learner and instructors" in page


def test_its_learner_and_instructors_are_told_whether_the_record_agrees(document, users):
    for person in (users.learner, users.instructor, users.administrator):
        assert AGREES in check(logged_in_client(person), document)
    triggers.drop_triggers(connection)
    Response.objects.filter(slot=0).update(answer_digest=bytes(32))
    triggers.install_triggers(connection)
    page = check(logged_in_client(users.learner), document)
    assert GENUINE in page
    assert DIFFERS in page
    assert DIFFERS not in check(Client(), document)


def test_a_file_may_be_uploaded(document):
    file = SimpleUploadedFile("receipt.json", b"\xef\xbb\xbf" + json.dumps(document).encode())
    page = Client().post(reverse("check_receipt"), {"file": file})
    assert GENUINE in page.content.decode()


def forge(document: dict[str, Any], *path: Any, into: Any) -> dict[str, Any]:
    forged = copy.deepcopy(document)
    place: Any = forged
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = into
    return forged


@pytest.mark.parametrize(
    ("path", "into", "sentence"),
    [
        (("receipt", "submitted_at"), "2026-01-01T00:00:00.000000Z", CHANGED),
        (("receipt", "answers", "0"), "ab" * 32, CHANGED),
        (("signature",), "AAAA", CHANGED),
        (("signature",), 7, CHANGED),
        (("key",), "another", "a key that this site does not know"),
        (("key",), ["x"], "a key that this site does not know"),
        (("receipt", "more"), 1, UNREADABLE),
        (("receipt",), None, UNREADABLE),
        (("answers", 0, "answer"), {"chosen": []}, "Questions: 1."),
        (("answers", 1, "salt"), "AAAA", "Questions: 2."),
        (("answers", 1, "slot"), "x", "Answers in the file are not those"),
        (("answers", 1), None, "Answers in the file are not those"),
    ],
)
def test_what_was_changed_is_told(document, path, into, sentence):
    page = check(Client(), forge(document, *path, into=into))
    assert sentence in page
    assert (GENUINE in page) == (path[0] == "answers")


@pytest.mark.parametrize("text", ["{", "[]", "7", "null", "x" * 2000, "[" * 100_000])
def test_what_is_no_receipt_is_told(text):
    assert UNREADABLE in check(Client(), text)


def test_nothing_is_asked_for_again(db):
    page = Client().post(reverse("check_receipt"), {"text": " "})
    assert page.status_code == 400
    assert "Choose the receipt file, or paste its text." in page.content.decode()
    assert Client().get(reverse("check_receipt")).status_code == 200


def test_the_page_speaks_spanish(document):
    page = check(Client(), document, **{"Accept-Language": "es"})
    assert "Este justificante es auténtico" in page
    assert "This receipt" not in page


def test_the_public_keys_are_published(document):
    response = Client().get(reverse("receipt_keys"))
    assert reverse("receipt_keys") == "/receipts/keys"
    assert response["Content-Type"] == "application/jwk-set+json"
    assert document["key"] in {key["kid"] for key in response.json()["keys"]}


# --- Without the site ------------------------------------------------------------------------
HOWTO = ROOT / "docs/howto/check-a-receipt.md"


@pytest.fixture
def check_offline(tmp_path):
    """Run the very script of the documentation, in a process that has nothing of the project."""
    (script,) = re.findall(r"```python\n(.*?)```", HOWTO.read_text(encoding="utf-8"), re.DOTALL)
    assert script.count("\n") <= 30
    (tmp_path / "check_receipt.py").write_text(script, encoding="utf-8")
    (tmp_path / "keys.json").write_bytes(Client().get(reverse("receipt_keys")).content)

    def run(document: dict[str, Any]) -> "subprocess.CompletedProcess[str]":
        (tmp_path / "receipt.json").write_text(json.dumps(document), encoding="utf-8")
        return subprocess.run(
            [sys.executable, "-I", "check_receipt.py", "receipt.json", "keys.json"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_the_script_of_the_documentation_checks_a_receipt(document, attempt, check_offline):
    done = check_offline(document)
    assert (done.returncode, done.stderr) == (0, "")
    assert str(attempt.uuid) in done.stdout


def test_after_an_erasure_it_still_does(document, users, attempt, check_offline):
    erase_answers(learner=users.learner, by=users.learner, reason="asked", now=NOW)
    assert check_offline(document).returncode == 0
    client = logged_in_client(users.learner)
    again = json.loads(client.get(reverse("receipt", args=[attempt.uuid])).content)
    assert again == {**document, "answers": []}
    assert check_offline(again).returncode == 0
    page = check(client, document)
    assert GENUINE in page
    assert AGREES in page


@pytest.mark.parametrize(
    ("path", "into", "error"),
    [
        (("receipt", "submitted_at"), "2026-01-01T00:00:00.000000Z", "InvalidSignature"),
        (("key",), "another", "KeyError"),
        (("answers", 0, "answer"), {"chosen": []}, "The answer to question 1"),
    ],
)
def test_the_script_refuses_what_was_changed(document, check_offline, path, into, error):
    done = check_offline(forge(document, *path, into=into))
    assert done.returncode != 0
    assert error in done.stderr


def test_the_script_needs_nothing_but_python_and_cryptography():
    (script,) = re.findall(r"```python\n(.*?)```", HOWTO.read_text(encoding="utf-8"), re.DOTALL)
    nodes = list(ast.walk(ast.parse(script)))
    names = [name.name for node in nodes if isinstance(node, ast.Import) for name in node.names]
    names += [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    packages = {name.partition(".")[0] for name in names}
    assert packages - sys.stdlib_module_names == {"cryptography"}
