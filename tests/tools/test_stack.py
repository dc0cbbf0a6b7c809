"""The real set-up without Docker: its environment, its checks, its end."""

import os
import sys
from contextlib import suppress

import pytest

from tools import layout, stack
from tools.paths import PYTHON
from tools.postgres import NoPostgresError
from tools.processes import running


def test_the_environment_is_the_real_sites_and_nothing_of_the_callers(monkeypatch, tmp_path):
    monkeypatch.setenv("OCHENTA_SECRET_KEY", "precious")
    env = layout.environment(tmp_path, 8123, "postgresql://there", "redis://here")
    assert env["OCHENTA_MODE"] == "production"
    assert env["OCHENTA_BIND"] == "127.0.0.1:8123"
    assert env["OCHENTA_DATABASE_URL"] == "postgresql://there"
    assert env["OCHENTA_REDIS_URL"] == "redis://here"
    assert env["OCHENTA_SECRET_KEY"] != "precious"
    assert len(env["OCHENTA_SECRET_KEY"]) >= 50


def test_two_starts_never_share_a_secret(tmp_path):
    secrets = {layout.environment(tmp_path, 1, "", "")["OCHENTA_SECRET_KEY"] for _turn in range(3)}
    assert len(secrets) == 3


def test_commands_run_with_the_projects_own_python():
    assert stack.here(stack.PREPARE) == [str(PYTHON), "-m", "config.deploy"]


def test_each_service_has_its_own_scratch_and_shares_the_volumes_that_it_mounts(tmp_path):
    layout.make(tmp_path)
    folders = {name: set(layout.writable(tmp_path, name)) for name in stack.SERVICES}
    assert all(folder.is_dir() for paths in folders.values() for folder in paths)
    assert folders["web"] & folders["worker"] == {tmp_path / "volumes" / "media"}
    assert folders["beat"].isdisjoint(folders["web"] | folders["worker"])
    assert not any((tmp_path / "image") in folder for folder in folders.values())


def test_a_service_is_confined_to_its_folders(tmp_path):
    words = stack.confined("beat", stack.SERVICES["beat"], tmp_path)
    assert words[1:3] == ["-m", "tools.confined"]
    assert words[3 : words.index("--")] == [str(tmp_path / "scratch" / "beat")]
    assert tuple(words[words.index("--") + 1 :]) == stack.SERVICES["beat"][2:]


def forget_ended_children() -> None:
    """Reap what other tests started in this process, and what has ended since."""
    with suppress(ChildProcessError):
        while os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG):
            pass


def test_the_end_of_one_process_is_the_end_of_the_stack(tmp_path, capsys):
    forget_ended_children()
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
