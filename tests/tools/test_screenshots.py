"""`./dev screenshots`: both pictures, or an error and the old ones."""

import pytest

from tools import screenshots
from tools.paths import ROOT
from tools.screenshots import BEGINNING, LEAST, NAMES

PICTURE = BEGINNING + b"x" * LEAST


@pytest.fixture
def folders(tmp_path):
    fresh, target = tmp_path / "taken", tmp_path / "target"
    fresh.mkdir()
    for name in NAMES:
        (fresh / name).write_bytes(PICTURE)
    return fresh, target


def test_pictures_that_were_taken_are_kept(folders):
    assert screenshots._copy_pictures(*folders) == 0
    assert {path.name: path.read_bytes() for path in folders[1].iterdir()} == dict.fromkeys(
        NAMES, PICTURE
    )


@pytest.mark.parametrize("content", [None, b"", PICTURE[1:], BEGINNING + b"x"])
def test_one_picture_that_is_missing_or_none_keeps_the_old_ones(folders, capsys, content):
    fresh, target = folders
    (fresh / NAMES[1]).unlink()
    if content is not None:
        (fresh / NAMES[1]).write_bytes(content)
    assert screenshots._copy_pictures(fresh, target) == 1
    assert not target.exists()
    assert capsys.readouterr().err == f"Not taken: {NAMES[1]}\n"


def test_the_pictures_are_those_of_the_readme():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(f"docs/pictures/{name}" in readme for name in NAMES)
    assert all((screenshots.PICTURES / name).exists() for name in NAMES)
