"""Seals of the audit log are signed, and checked without the site by the documents' script."""

import json
import re
import subprocess
import sys
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from quizzes.audit import services
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditSeal
from quizzes.audit.tasks import seal_audit_events
from quizzes.audit.verify import verify_audit_log
from quizzes.lib.signing_keys import create_secret, parse_secret
from tests.forged_rows import overwrite
from tools.paths import ROOT

pytestmark = pytest.mark.django_db


@pytest.fixture
def lines() -> list[str]:
    """Two seals as they are exported."""
    for number in range(2):
        services.record(AuditCode.QUIZ_CHANGED, label=f"Quiz {number}")
        seal_audit_events()
    out = StringIO()
    call_command("export_audit_seals", stdout=out)
    return out.getvalue().splitlines()


def check_offline(folder, lines: list[str]) -> "subprocess.CompletedProcess[str]":
    text = (ROOT / "docs/howto/check-audit-seals.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (folder / "check.py").write_text(script, encoding="utf-8")
    (folder / "keys.json").write_bytes(Client().get(reverse("receipt_keys")).content)
    (folder / "seals.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-I", "check.py", "seals.jsonl", "keys.json"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_script_of_the_documents_checks_seals(tmp_path, lines):
    done = check_offline(tmp_path, lines)
    assert (done.returncode, done.stderr) == (0, "")
    newest = AuditSeal.objects.get(number=2)
    assert done.stdout == f"2 seals are genuine; the last one's digest is {newest.digest}.\n"


def test_a_changed_seal_or_one_of_another_chain_fails(tmp_path, lines):
    changed = json.loads(lines[1])
    changed["seal"]["event_count"] = 7
    assert "InvalidSignature" in check_offline(tmp_path, [lines[0], json.dumps(changed)]).stderr
    assert "does not follow" in check_offline(tmp_path, [lines[1], lines[0]]).stderr


def test_a_seal_of_another_key_is_found(lines):
    seal = AuditSeal.objects.get(number=2)
    foreign = parse_secret(create_secret()).sign({"number": 2})
    overwrite(AuditSeal.objects.filter(pk=seal.pk), **foreign)
    assert [str(difference) for difference in verify_audit_log()] == [
        "audit seal 2: is not signed by a key of this site"
    ]
