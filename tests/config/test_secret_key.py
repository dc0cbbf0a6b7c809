"""The embedded site's key: kept over restarts, whole after a crash, the same for all processes."""

import subprocess
import sys

import pytest

from config.secret_key import MIN_LENGTH, load_or_create_key
from tools.paths import ROOT

READ = "from config.secret_key import load_or_create_key; from pathlib import Path; import sys;"
READ += "print(load_or_create_key(Path(sys.argv[1])))"


def test_a_key_is_made_once_and_nobody_else_reads_it(tmp_path, capsys):
    path = tmp_path / "new" / "secret-key"
    key = load_or_create_key(path)
    assert len(key) >= MIN_LENGTH
    assert load_or_create_key(path) == key
    assert path.stat().st_mode & 0o077 == 0
    assert list(path.parent.iterdir()) == [path]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("left", [b"", b"abc", b"\0" * 67, b"\n" * 67, b"\xff" * 67, b"x" * 49])
def test_a_torn_key_is_replaced_and_that_is_said(tmp_path, capsys, left):
    path = tmp_path / "secret-key"
    path.write_bytes(left)
    key = load_or_create_key(path)
    assert len(key) >= MIN_LENGTH
    assert path.read_text() == key
    assert path.stat().st_mode & 0o077 == 0
    assert (
        "was not whole and has been made anew: everybody is signed out" in capsys.readouterr().err
    )
    assert load_or_create_key(path) == key
    assert capsys.readouterr().err == ""


def test_a_key_of_somebodys_own_is_left_as_it_is(tmp_path):
    path = tmp_path / "secret-key"
    path.write_text("+/=" * 20 + "\n")
    assert load_or_create_key(path) == "+/=" * 20 + "\n"


@pytest.mark.parametrize("left", [None, b"torn"])
def test_processes_that_start_together_get_the_same_key(tmp_path, left):
    path = tmp_path / "secret-key"
    if left is not None:
        path.write_bytes(left)
    command = [sys.executable, "-c", READ, str(path)]
    children = [
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _process in range(4)
    ]
    keys = {child.communicate()[0].strip() for child in children}
    assert keys == {path.read_text()}
