"""`./dev stack --check` is red for whatever does not work, and says which process had a part."""

import json
import sys
from hashlib import sha256
from types import SimpleNamespace

import pytest

from tools import large_import, stack, stack_check
from tools.confined import REFUSED
from tools.large_import import ImportFailedError
from tools.processes import running
from tools.stack_check import PING, STATS, Stack

AUTHOR = json.dumps({"token": "och_x", "bank": "b"})
DONE = " ".join(large_import.TASKS)
PEOPLE = "learner  ana@example.org  secret\ninstructor  ivo@example.org  secret\n"


@pytest.fixture
def works(monkeypatch, tmp_path):
    """Give a stack of stand-ins where all is well, and what its parts answer."""
    answers = SimpleNamespace(status=200, ping=True, author=(True, AUTHOR), stats=DONE, people=None)
    answers.doctor = (True, "This deployment is well.")

    def call(_stack, _service, command):
        answer_by_command = {STATS: (True, answers.stats)}
        if command[: len(PING)] == PING:
            return (answers.ping, "")
        if "tools.author" in command:
            return answers.author
        if "doctor" in command:
            return answers.doctor
        return answer_by_command.get(command, (True, ""))

    monkeypatch.setattr(stack_check, "START", 0)
    monkeypatch.setattr(stack_check, "status", lambda _url: answers.status)
    monkeypatch.setattr(Stack, "call", call)
    name = sha256(large_import.PICTURE).hexdigest()
    picture = tmp_path / "volumes" / "media" / name[:2] / name
    picture.parent.mkdir(parents=True)
    picture.touch()
    monkeypatch.setattr(large_import, "bring_in", lambda _author: None)
    monkeypatch.setattr(stack_check, "sign_in", lambda *_who: "")
    command = [sys.executable, "-c", "import time; time.sleep(600)"]
    children = {}
    with (
        running(command, log=tmp_path / "web.log") as children["web"],
        running(command, log=tmp_path / "worker.log") as children["worker"],
        running(command, log=tmp_path / "heavy-worker.log") as children["heavy-worker"],
        running(command, log=tmp_path / "beat.log") as children["beat"],
    ):
        yield answers, lambda: Stack({}, children, 1, tmp_path, answers.people)


def lines(capsys):
    return [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]


def test_all_well_is_zero(works, capsys):
    _answers, calls = works
    assert stack._check(calls()) == 0
    assert lines(capsys) == [
        *(["web", "well"], ["worker", "well"], ["heavy-worker", "well"], ["beat", "well"]),
        ["import", "arrived"],
        ["doctor", "finds nothing"],
    ]


def test_what_the_doctor_finds_is_shown(works, capsys):
    answers, calls = works
    answers.doctor = (False, "[static_files] 3 static files are not collected.")
    assert stack._check(calls()) == 1
    assert "doctor       FAILED: [static_files] 3 static files" in capsys.readouterr().out


def test_what_gives_no_sign_is_not_well_and_its_log_is_shown(works, capsys, tmp_path):
    answers, calls = works
    answers.status = 503
    (tmp_path / "web.log").write_text("no database")
    assert stack._check(calls()) == 1
    out = capsys.readouterr().out
    assert "web          NOT WELL\nworker       well" in out
    assert out.endswith("--- web\nno database\n")


def test_a_worker_that_gives_no_sign_brings_nothing_in(works, capsys):
    answers, calls = works
    answers.ping = False
    assert stack._check(calls()) == 1
    assert "import" not in capsys.readouterr().out


def test_an_import_that_does_not_arrive_is_red(works, capsys, monkeypatch):
    def fail(_author):
        raise ImportFailedError("the import is failed, not ready")

    monkeypatch.setattr(large_import, "bring_in", fail)
    assert stack._check(works[1]()) == 1
    out = capsys.readouterr().out
    assert "import       FAILED: the import is failed, not ready" in out
    assert "--- web" in out
    assert "--- heavy-worker" in out


def test_an_import_that_the_worker_did_not_do_is_red(works, capsys):
    answers, calls = works
    answers.stats = large_import.TASKS[0]
    assert stack._check(calls()) == 1
    assert f"has not done {large_import.TASKS[1]}" in capsys.readouterr().out


def test_a_picture_that_the_worker_did_not_keep_is_red(works, capsys, tmp_path):
    (picture,) = (tmp_path / "volumes").rglob("media/*/*")
    picture.unlink()
    assert stack._check(works[1]()) == 1
    assert "FAILED: the picture in the file is not among" in capsys.readouterr().out


def test_an_author_who_cannot_be_made_is_red(works, capsys):
    answers, calls = works
    answers.author = (False, "")
    assert stack._check(calls()) == 1
    assert "FAILED: the author of the import could not be made" in capsys.readouterr().out


def test_a_write_outside_the_mounts_is_red_also_where_it_was_swallowed(works, capsys, tmp_path):
    (tmp_path / "beat.log").write_text(f"{REFUSED}: /srv/x\n")
    assert stack._check(works[1]()) == 1
    assert f"beat         FAILED: {REFUSED} outside its mounts" in capsys.readouterr().out


def test_people_of_the_demonstration_who_cannot_sign_in_are_named(works, capsys, monkeypatch):
    answers, calls = works
    answers.people = PEOPLE
    assert stack._check(calls()) == 0
    assert lines(capsys)[-1] == ["demo", "signs in"]
    answers.people = ""
    assert stack._check(calls()) == 1
    assert "FAILED: nobody is named" in capsys.readouterr().out
    answers.people = PEOPLE
    refused = {"ana@example.org": "ana@example.org: answers 302 /accounts/confirm-email/"}
    monkeypatch.setattr(stack_check, "sign_in", lambda _port, who, _word: refused.get(who, ""))
    assert stack._check(calls()) == 1
    assert "FAILED: ana@example.org: answers 302" in capsys.readouterr().out
