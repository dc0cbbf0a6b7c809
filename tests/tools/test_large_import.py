"""The large import of `./dev stack --check`: whatever falls short is an error."""

import http.client
import json

import pytest

from tools import large_import
from tools.large_import import Author, ImportFailedError, bring_in
from tools.processes import free_port


@pytest.fixture
def answers(monkeypatch):
    """Let the API answer what a test says; an import goes through, unless it says otherwise."""
    bank = {"id": "b", "counts": {"questions": 3}}
    done = {"state": "done", "code": "", "progress": {}, "errors": [], "action_counts": {"new": 3}}
    answer_by_path = {
        "POST imports": {"id": "j"},
        "GET imports/j": [{**done, "state": "ready"}, done],
        "POST imports/j/commit": {},
        "GET imports/j/report": {},
        "GET banks": {"items": [bank, {"id": "c", "counts": {"questions": 9}}]},
    }

    def ask(_author, method, path, *_words):
        answer = answer_by_path[f"{method} {path}"]
        if isinstance(answer, list):
            return answer.pop(0) if len(answer) > 1 else answer[0]
        return answer

    monkeypatch.setattr(Author, "ask", ask)
    return answer_by_path


AUTHOR = Author(1, "och_x", "b")


def test_an_import_that_arrives_is_fine(answers):
    bring_in(AUTHOR, 3)


@pytest.mark.parametrize(
    ("path", "answer", "reason"),
    [
        ("GET imports/j", {"state": "failed", "code": "OSError"}, "failed, not ready: OSError"),
        (
            "GET imports/j",
            {"state": "ready", "action_counts": {"new": 2}},
            "of 3 questions 2 would be new",
        ),
        ("GET banks", {"items": []}, r"of 3 questions \[\] arrived"),
        (
            "GET banks",
            {"items": [{"id": "b", "counts": {"questions": 2}}]},
            r"of 3 questions \[2\] arrived",
        ),
    ],
)
def test_an_import_that_falls_short_is_an_error(answers, path, answer, reason):
    answers[path] = {"code": "", "progress": {}, "errors": []} | answer
    with pytest.raises(ImportFailedError, match=reason):
        bring_in(AUTHOR, 3)


def test_an_import_that_nobody_reads_is_an_error(answers, monkeypatch):
    monkeypatch.setattr(large_import, "PATIENCE", -1)
    answers["GET imports/j"] = {"state": "reading", "code": "", "progress": {}, "errors": []}
    with pytest.raises(ImportFailedError, match="reading, not ready"):
        bring_in(AUTHOR, 3)


def test_another_status_is_an_error(monkeypatch):
    class Refusal:
        status = http.client.FORBIDDEN

        def read(self):
            return json.dumps({"code": "not_yours"}).encode()

    monkeypatch.setattr(http.client.HTTPConnection, "request", lambda *_words: None)
    monkeypatch.setattr(http.client.HTTPConnection, "getresponse", lambda _self: Refusal())
    with pytest.raises(ImportFailedError, match=r"GET banks: 403 .*not_yours"):
        AUTHOR.ask("GET", "banks")


@pytest.mark.enable_socket
def test_nobody_who_listens_is_an_error():
    with pytest.raises(ConnectionError):
        Author(free_port(), "och_x", "b").ask("GET", "banks")
