"""When .venv is made, added to, or left alone."""

import json

import pytest

from tools import environment
from tools.environment import expected_stamp, plan, read_stamp


@pytest.fixture
def root(tmp_path):
    (tmp_path / "requirements").mkdir()
    for layer in environment.ORDER:
        (tmp_path / "requirements" / f"{layer}.txt").write_text(f"{layer}==1\n")
    return tmp_path


def test_no_stamp_means_a_new_environment_with_the_layers_asked_for(root):
    assert plan(["base", "dev"], {}, root) == (True, ["base", "dev"])


def test_an_agreeing_stamp_leaves_the_environment_alone(root):
    assert plan(["base"], expected_stamp(["base", "dev"], root), root) == (False, [])


def test_a_layer_that_is_only_missing_is_added(root):
    stamp = expected_stamp(["base"], root)
    assert plan(["base", "dev", "browser"], stamp, root) == (False, ["dev", "browser"])


def test_layers_are_installed_in_their_order_whatever_the_caller_says(root):
    assert plan(["browser", "base"], {}, root) == (True, ["base", "browser"])


def test_a_changed_lock_starts_afresh_with_all_that_was_there(root):
    stamp = expected_stamp(["base", "dev"], root)
    (root / "requirements" / "dev.txt").write_text("dev==2\n")
    assert plan(["base"], stamp, root) == (True, ["base", "dev"])


def test_another_python_starts_afresh(root):
    stamp = {**expected_stamp(["base"], root), "python": "3.10.1"}
    assert plan(["base"], stamp, root) == (True, ["base"])


def test_a_stamp_counts_only_beside_a_python_and_when_it_can_be_read(tmp_path):
    stamp = tmp_path / environment.STAMP
    stamp.write_text(json.dumps({"python": "3.11.0"}))
    assert read_stamp(tmp_path) == {}
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").touch()
    assert read_stamp(tmp_path) == {"python": "3.11.0"}
    stamp.write_text("{half")
    assert read_stamp(tmp_path) == {}
    stamp.write_text("[]")
    assert read_stamp(tmp_path) == {}


def test_a_python_without_pip_is_told_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setattr(environment, "VENV", tmp_path / "venv")
    monkeypatch.setattr("tools.environment.importlib.util.find_spec", lambda _name: None)
    with pytest.raises(SystemExit, match="apt-get install python3-venv"):
        environment._create(None)


def test_a_uv_that_does_not_answer_is_no_uv(monkeypatch, tmp_path):
    shim = tmp_path / "uv"
    shim.write_text("#!/bin/sh\nexit 127\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert environment._uv() is None
    shim.write_text("#!/bin/sh\nexit 0\n")
    assert environment._uv() == str(shim)


@pytest.fixture
def recorded(monkeypatch, tmp_path):
    """Let `ensure` work on an empty folder and only note what it would run."""
    calls = []

    def call(command, **_options):
        calls.append([str(word) for word in command])
        (tmp_path / "bin").mkdir(parents=True, exist_ok=True)
        (tmp_path / "bin/python").touch()
        return 0

    monkeypatch.setattr(environment, "VENV", tmp_path)
    monkeypatch.setattr(environment, "_uv", lambda: None)
    monkeypatch.setattr("tools.environment.subprocess.call", call)
    monkeypatch.setenv("OCHENTA_DATA_DIR", str(tmp_path / "data"))
    return calls


def test_the_second_time_nothing_is_installed(recorded, tmp_path, capsys):
    environment.ensure("base", "dev")
    assert [call[-1].rpartition("/")[2] for call in recorded[1:]] == ["base.txt", "dev.txt"]
    assert all({"--require-hashes", "--no-deps"} < {*call} for call in recorded[1:])
    recorded.clear()
    environment.ensure("base")
    assert recorded == []
    assert read_stamp(tmp_path) == expected_stamp(["base", "dev"])
    assert "Installing requirements/dev.txt" in capsys.readouterr().out


def test_a_failed_installation_leaves_no_stamp(recorded, monkeypatch, tmp_path):
    monkeypatch.setattr("tools.environment.subprocess.call", lambda *_a, **_k: 1)
    monkeypatch.setattr(environment, "_create", lambda _uv: None)
    with pytest.raises(SystemExit, match=r"base\.txt could not be installed"):
        environment.ensure("base")
    assert read_stamp(tmp_path) == {}
