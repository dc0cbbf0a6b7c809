"""The data folder of an embedded site."""

import os
import stat

import pytest

from quizzes.lib import private_folder


@pytest.mark.parametrize("mode", [None, 0o755, 0o770, 0o700])
def test_a_folder_is_there_and_closed_to_others(tmp_path, mode):
    folder = tmp_path / "a" / "data"
    if mode is not None:
        folder.parent.mkdir()
        folder.mkdir()
        folder.chmod(mode)
    private_folder.make_private(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_folder_of_somebody_else_stays_as_it_is(tmp_path, monkeypatch):
    tmp_path.chmod(0o755)
    monkeypatch.setattr("os.getuid", lambda: tmp_path.stat().st_uid + 1)
    private_folder.make_private(tmp_path)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


def test_new_files_are_for_their_owner_alone(tmp_path):
    before = os.umask(0o022)
    try:
        private_folder.restrict_new_files()
        (tmp_path / "file").write_text("")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600
