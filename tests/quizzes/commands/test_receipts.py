"""The commands of the record: receipts checked, keys rotated, checkpoints exported."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from quizzes.attempts.models import Response
from quizzes.attempts.receipt_file import load_receipt_file
from quizzes.lib import signing_keys, triggers
from quizzes.results import checkpoints
from quizzes.results.models import Checkpoint, CheckpointEntry
from tests.attempt_helpers import take_quiz
from tests.factories import NOW

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempt(users, a_quiz):
    return take_quiz(a_quiz, users.learner, {0: "ab"})


@pytest.fixture
def receipt_path(users, attempt, tmp_path):
    path = tmp_path / "receipt.json"
    path.write_text(json.dumps(load_receipt_file(attempt=attempt.uuid, viewer=users.learner)))
    return path


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out, stderr=out)
    return out.getvalue()


def test_a_receipt_that_the_record_agrees_with(receipt_path):
    assert "This receipt is genuine" in run("verify_receipt", str(receipt_path))


@pytest.mark.parametrize("old", ["submitted_at", "signature"])
def test_a_changed_receipt_ends_with_an_error(receipt_path, old):
    document = json.loads(receipt_path.read_text())
    if old == "signature":
        document["signature"] = "AAAA"
    else:
        document["receipt"]["submitted_at"] = "2026-01-01T00:00:00.000000Z"
    receipt_path.write_text(json.dumps(document))
    with pytest.raises(CommandError, match="do not agree"):
        run("verify_receipt", str(receipt_path))


def test_a_record_that_differs_ends_with_an_error(receipt_path):
    triggers.drop_triggers(connection)
    Response.objects.update(answer_digest=bytes(32))
    triggers.install_triggers(connection)
    with pytest.raises(CommandError, match="do not agree"):
        run("verify_receipt", str(receipt_path))


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CommandError, match=r"missing\.json cannot be read"):
        run("verify_receipt", str(tmp_path / "missing.json"))


def test_an_embedded_key_is_rotated_in_its_file(tmp_path, settings):
    settings.SIGNING_KEY, settings.SIGNING_KEY_FILE = "", tmp_path / "signing-key"
    before = signing_keys.parse_secret(signing_keys.load_secret())
    assert str(settings.SIGNING_KEY_FILE) in run("rotate_signing_key")
    after = signing_keys.parse_secret(signing_keys.load_secret())
    assert after.key_id != before.key_id
    assert after.is_known(before.key_id)
    assert settings.SIGNING_KEY_FILE.stat().st_mode & 0o777 == 0o600


def test_a_key_of_the_settings_is_printed_anew(settings):
    settings.SIGNING_KEY = signing_keys.create_secret()
    printed = signing_keys.parse_secret(run("rotate_signing_key"))
    assert printed.is_known(signing_keys.parse_secret(settings.SIGNING_KEY).key_id)


def test_an_exported_checkpoint_finds_what_was_removed_with_the_stored_ones(attempt, tmp_path):
    path = tmp_path / "checkpoint.jsonl"
    path.write_text(run("export_checkpoint", "--make"))
    assert "as it was written" in run("verify_record", "--checkpoint", str(path))
    triggers.drop_triggers(connection)
    for model in (CheckpointEntry, Checkpoint, Response):
        model.objects.all()._raw_delete(connection.alias)
    triggers.install_triggers(connection)
    with pytest.raises(CommandError, match="differ"):
        run("verify_record", "--checkpoint", str(path))


def test_an_export_from_which_a_line_was_taken_differs(attempt, tmp_path):
    checkpoints.make_checkpoint(now=NOW)
    path = tmp_path / "checkpoint.jsonl"
    path.write_text(run("export_checkpoint", "--number", "1").splitlines()[0])
    with pytest.raises(CommandError, match="1 rows"):
        run("verify_record", "--checkpoint", str(path))


@pytest.mark.parametrize("text", ["{", '{"checkpoint": {}}\n[]'])
def test_an_export_of_another_form_is_told(attempt, tmp_path, text):
    path = tmp_path / "checkpoint.jsonl"
    path.write_text(text)
    with pytest.raises(CommandError, match="cannot be read"):
        run("verify_record", "--checkpoint", str(path))


def test_there_is_nothing_to_export_before_the_first(db):
    with pytest.raises(CommandError, match="no such checkpoint"):
        run("export_checkpoint")
