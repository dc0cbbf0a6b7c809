"""The real set-up without Docker: its environment, its checks, its end."""

import sys
from types import SimpleNamespace

import pytest

from tools import stack
from tools.paths import PYTHON
from tools.postgres import NoPostgresError
from tools.processes import running


def test_the_environment_is_the_real_sites_and_nothing_of_the_callers(monkeypatch, tmp_path):
    monkeypatch.setenv("OCHENTA_SECRET_KEY", "precious")
    env = stack.environment(tmp_path, 8123, "postgresql://there", "redis://here")
    assert env["OCHENTA_MODE"] == "production"
    assert env["OCHENTA_BIND"] == "127.0.0.1:8123"
    assert env["OCHENTA_DATABASE_URL"] == "postgresql://there"
    assert env["OCHENTA_REDIS_URL"] == "redis://here"
    assert env["OCHENTA_SECRET_KEY"] != "precious"
    assert len(env["OCHENTA_SECRET_KEY"]) >= 50


def test_two_starts_never_share_a_secret(tmp_path):
    secrets = {stack.environment(tmp_path, 1, "", "")["OCHENTA_SECRET_KEY"] for _turn in range(3)}
    assert len(secrets) == 3


def test_commands_run_with_the_projects_own_python():
    assert stack.here(stack.PREPARE) == [str(PYTHON), "-m", "config.prepare"]


@pytest.fixture
def three(tmp_path):
    """Give three stand-ins for the processes, with their logs."""
    command = [sys.executable, "-c", "import time; time.sleep(600)"]
    children = {}
    with (
        running(command, log=tmp_path / "web.log") as children["web"],
        running(command, log=tmp_path / "worker.log") as children["worker"],
        running(command, log=tmp_path / "beat.log") as children["beat"],
    ):
        yield SimpleNamespace(folder=tmp_path, children=children)


def test_all_well_is_zero(three, monkeypatch, capsys):
    monkeypatch.setattr(stack, "status", lambda _url: 200)
    monkeypatch.setattr(stack, "_silently", lambda _command, _env: True)
    assert stack._check({}, three.children, 1, three.folder) == 0
    assert capsys.readouterr().out.split() == ["web", "well", "worker", "well", "beat", "well"]


def test_a_site_that_is_not_ready_is_not_well_and_its_log_is_shown(three, monkeypatch, capsys):
    monkeypatch.setattr(stack, "START", 0)
    monkeypatch.setattr(stack, "status", lambda _url: 503)
    monkeypatch.setattr(stack, "_silently", lambda command, _env: command == stack.PING)
    (three.folder / "beat.log").write_text("no broker")
    assert stack._check({}, three.children, 1, three.folder) == 1
    out = capsys.readouterr().out
    assert "web      NOT WELL" in out
    assert "worker   well" in out
    assert "beat     NOT WELL\nno broker" in out


def test_the_end_of_one_process_is_the_end_of_the_stack(tmp_path, capsys):
    with running([sys.executable, "-c", ""], log=tmp_path / "log") as child:
        assert stack._watch({"beat": child}) == 1
    assert "The process beat has ended." in capsys.readouterr().err


def test_without_postgresql_the_stack_says_so(monkeypatch):
    def none():
        raise NoPostgresError("no initdb")

    monkeypatch.setattr(stack, "ensure", lambda *_layers: None)
    monkeypatch.setattr("tools.stack.postgres.throwaway", none)
    with pytest.raises(SystemExit, match="cannot start: no initdb"):
        stack.run(["--check", "--port", "8123"])
    with pytest.raises(SystemExit, match="did not start: no initdb"):
        stack.services([])
