"""A process that is confined writes to its folders and nowhere else, root or not."""

import subprocess
import sys

import pytest

from tools.confined import REFUSED, main
from tools.paths import ROOT

CODE = """
import errno, os, pathlib, shutil, sys, tempfile
inside, outside = map(pathlib.Path, sys.argv[1:])

def refused(act, *words, **more):
    try:
        act(*words, **more)
    except OSError as error:
        assert error.errno == errno.EROFS, error
        return
    sys.exit(f"{act} was allowed")

(inside / "a").write_text("x")
(inside / "a").rename(inside / "b")
(inside / "folder").mkdir()
shutil.rmtree(inside / "folder")
tempfile.NamedTemporaryFile(dir=inside).close()
assert (outside / "there").read_text() == "x"
open(os.devnull, "w").write("x")
refused((outside / "a").write_text, "x")
refused((outside / "there").open, "a")
refused((outside / "there").unlink)
refused((outside / "there").chmod, 0o777)
refused((outside / "new").mkdir)
refused((inside / "b").rename, outside / "b")
refused(os.link, inside / "b", outside / "b")
refused(os.symlink, inside / "b", outside / "b")
refused(os.truncate, outside / "there", 0)
refused(os.utime, outside / "there")
refused(tempfile.mkstemp, dir=outside)
refused((inside / ".." / outside.name / "a").write_text, "x")
folder = os.open(outside, os.O_RDONLY)
refused(os.remove, "there", dir_fd=folder)
(inside / "way").symlink_to(outside)
refused((inside / "way" / "a").write_text, "x")
(inside / "way").unlink()
child = os.fork()
if not child:
    refused((outside / "a").write_text, "x")
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""


def confined(tmp_path, code, *words):
    (tmp_path / "program.py").write_text(code, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "tools.confined", *words],
        cwd=ROOT,
        env={"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_only_its_folders_can_be_changed(tmp_path):
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "there").write_text("x")
    words = [str(inside), "--", "program", str(inside), str(outside)]
    done = confined(tmp_path, CODE, *words)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in outside.iterdir()] == ["there"]
    assert f"{REFUSED}: {outside / 'there'}" in done.stderr


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(SystemExit, match="none"):
        main([str(tmp_path / "none"), "--", "program"])
