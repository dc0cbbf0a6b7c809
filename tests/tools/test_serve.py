"""`./dev run`: prepared once, again when something changed, and never twice for nothing."""

import json
import os
from types import SimpleNamespace

import pytest

from tools import serve


@pytest.fixture
def checkout(monkeypatch, tmp_path):
    """Give an empty checkout and the commands that preparing it would run."""
    monkeypatch.setattr(serve, "ROOT", tmp_path)
    monkeypatch.setenv("OCHENTA_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "fixtures").mkdir()
    commands = []

    def run(command, **_options):
        commands.append(command)
        (tmp_path / "data" / "ochenta.db").write_text("tables")
        return SimpleNamespace(returncode=0, stdout="6 questions\nana@example.org  secret\n")

    monkeypatch.setattr("tools.serve.subprocess.run", run)
    return SimpleNamespace(root=tmp_path, commands=commands)


def test_the_second_time_nothing_is_prepared_but_the_people_are_known(checkout):
    assert serve.prepared({}) == "ana@example.org  secret"
    assert serve.prepared({}) == "ana@example.org  secret"
    assert len(checkout.commands) == 1
    assert checkout.commands[0][1:] == ["-m", "config.deploy", "--static", "--demo"]


def test_what_was_made_is_told_once(checkout, capsys):
    serve.prepared({})
    assert "6 questions" in capsys.readouterr().out
    serve.prepared({})
    assert capsys.readouterr().out == ""


def test_a_changed_source_is_prepared_again(checkout):
    serve.prepared({})
    (checkout.root / "fixtures" / "bank.yaml").write_text("new")
    serve.prepared({})
    assert len(checkout.commands) == 2


def test_a_deleted_database_is_prepared_again(checkout):
    serve.prepared({})
    (checkout.root / "data" / "ochenta.db").unlink()
    serve.prepared({})
    assert len(checkout.commands) == 2


@pytest.mark.parametrize(
    "left", ["", '{"stamp": "0f', "[]", "{}", "null", "\0" * 40, '{"stamp": 1}']
)
def test_a_note_that_a_crash_tore_is_no_note(checkout, left):
    serve.prepared({})
    note = checkout.root / "data" / "prepared.json"
    note.write_text(left)
    assert serve.prepared({}) == "ana@example.org  secret"
    assert len(checkout.commands) == 2
    assert json.loads(note.read_text())["people"] == "ana@example.org  secret"


def test_a_note_without_its_people_is_no_note(checkout):
    serve.prepared({})
    note = checkout.root / "data" / "prepared.json"
    note.write_text(json.dumps({"stamp": json.loads(note.read_text())["stamp"]}))
    assert serve.prepared({}) == "ana@example.org  secret"


def test_an_empty_database_is_prepared_again(checkout):
    serve.prepared({})
    (checkout.root / "data" / "ochenta.db").write_text("")
    serve.prepared({})
    assert len(checkout.commands) == 2


def test_somebody_elses_database_is_prepared_each_time_and_not_noted(checkout):
    env = {"OCHENTA_DATABASE_URL": "postgresql://there"}
    serve.prepared(env)
    serve.prepared(env)
    assert len(checkout.commands) == 2
    assert not (checkout.root / "data" / "prepared.json").exists()


def test_a_failed_preparation_ends_the_run_and_is_not_noted(checkout, monkeypatch):
    failed = SimpleNamespace(returncode=1, stdout="")
    monkeypatch.setattr("tools.serve.subprocess.run", lambda *_a, **_k: failed)
    with pytest.raises(SystemExit, match="could not be made"):
        serve.prepared({})
    assert not (checkout.root / "data" / "prepared.json").exists()


def test_the_fingerprint_ignores_bytecode_and_sees_the_environment(checkout):
    before = serve.fingerprint(checkout.root)
    (checkout.root / "fixtures" / "x.pyc").touch()
    assert serve.fingerprint(checkout.root) == before
    (checkout.root / ".venv" / "bin").mkdir(parents=True)
    (checkout.root / ".venv" / "bin" / "python").touch()
    stamp = checkout.root / ".venv" / "ochenta-stamp.json"
    stamp.write_text(json.dumps({"base": "other"}))
    assert serve.fingerprint(checkout.root) != before


def test_a_taken_port_is_said_before_anything_is_made(monkeypatch):
    monkeypatch.setattr(serve, "listening", lambda _port: True)
    with pytest.raises(SystemExit, match=r"Port 8123 is taken; try ./dev run --port 8124"):
        serve.run(["--port", "8123"])


def test_the_site_is_one_process_unless_the_environment_says_otherwise(checkout, monkeypatch):
    monkeypatch.delenv("OCHENTA_WEB_WORKERS", raising=False)
    monkeypatch.delenv("OCHENTA_ALLOWED_HOSTS", raising=False)
    env = serve._environment("127.0.0.1", 8000)
    assert (env["OCHENTA_WEB_WORKERS"], env["OCHENTA_BIND"]) == ("1", "127.0.0.1:8000")
    assert "OCHENTA_ALLOWED_HOSTS" not in env
    monkeypatch.setitem(os.environ, "OCHENTA_WEB_WORKERS", "3")
    assert serve._environment("192.0.2.7", 80)["OCHENTA_WEB_WORKERS"] == "3"


def test_letting_the_network_in_allows_its_names(checkout, monkeypatch):
    monkeypatch.delenv("OCHENTA_ALLOWED_HOSTS", raising=False)
    assert serve._environment("192.0.2.7", 8000)["OCHENTA_ALLOWED_HOSTS"] == "*"
