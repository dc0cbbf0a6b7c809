"""The words after `./dev`, and what an old Python is told."""

import os
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from types import ModuleType

import pytest

from tools import commands
from tools.paths import ROOT


@pytest.fixture
def script():
    """Load the script `dev` without running it."""
    loader = SourceFileLoader("dev_script", str(ROOT / "dev"))
    module = ModuleType("dev_script")
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("words", [[], ["help"], ["--help"]])
def test_help_names_every_command(words, capsys):
    assert commands.main(words) == 0
    out = capsys.readouterr().out
    assert all(f"  {name} " in out for name in commands.COMMANDS)


def test_an_unknown_word_is_named_and_changes_nothing(capsys):
    assert commands.main(["runn"]) == os.EX_USAGE
    assert "does not know 'runn'" in capsys.readouterr().err


def test_a_command_gets_the_other_words_and_its_status_is_ours(monkeypatch):
    monkeypatch.setattr(commands, "end_on_terminate", lambda: None)
    monkeypatch.setitem(commands.COMMANDS, "check", len)
    assert commands.main(["check", "style", "types"]) == 2


def test_interrupting_is_no_traceback(monkeypatch):
    def interrupted(_words):
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "end_on_terminate", lambda: None)
    monkeypatch.setitem(commands.COMMANDS, "services", interrupted)
    assert commands.main(["services"]) == 130


@pytest.mark.parametrize(("name", "program"), [("manage", "manage.py"), ("bench", "run.py")])
def test_programs_of_the_project_get_their_words(monkeypatch, name, program):
    called = []
    monkeypatch.setattr(commands, "ensure", lambda *_layers: None)
    monkeypatch.setattr("tools.commands.subprocess.call", lambda words, cwd: called.append(words))
    commands.COMMANDS[name](["--now"])
    (words,) = called
    assert str(words[1]).endswith(program)
    assert words[2:] == ["--now"]


def test_an_old_python_is_told_in_one_sentence(script, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "version_info", (3, 10, 4))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer; this is 3\.10\.4"):
        script.step_up()


def test_an_old_python_hands_over_to_a_newer_one_on_path(script, monkeypatch, tmp_path):
    newer = tmp_path / "python3.13"
    newer.touch(mode=0o755)
    handed = []
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(os, "execv", lambda path, words: handed.append((path, words[0])))
    with pytest.raises(SystemExit):
        script.step_up()
    assert handed == [(str(newer), str(newer))]


def test_the_script_and_its_tools_need_the_standard_library_alone():
    bare = [sys.executable, "-S", "-W", "error", "dev", "help"]
    done = subprocess.run(bare, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: ./dev COMMAND")
