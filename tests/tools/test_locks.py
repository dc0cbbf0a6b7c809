"""The lock files: from any registry, each byte pinned."""

import pytest

from tools import locks
from tools.environment import ORDER
from tools.paths import ROOT

GOOD = "django==5.2.1 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n    # via -r base.in\n"


def problems(folder, text):
    (folder / "base.txt").write_text(text)
    return locks.problems(folder)


def test_the_projects_own_lock_files_are_fine():
    assert locks.problems(ROOT / "requirements") == []
    assert len(list((ROOT / "requirements").glob("*.txt"))) == len(ORDER)


def test_pins_with_hashes_are_fine(tmp_path):
    assert problems(tmp_path, GOOD) == []


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
def test_a_line_that_names_a_place_is_reported_with_its_number(tmp_path, line):
    (problem,) = problems(tmp_path, GOOD + line + "\n")
    assert problem == f"base.txt:5 names a host: {line}"


def test_a_pin_without_a_hash_is_reported(tmp_path):
    assert problems(tmp_path, GOOD + "celery==5.6.0\n") == [
        "base.txt has no hash for celery==5.6.0"
    ]


def test_without_uv_nothing_is_locked(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match="needs uv"):
        locks.run([])


def test_each_layer_is_held_to_those_below(monkeypatch):
    calls = []
    monkeypatch.setattr("tools.locks.shutil.which", lambda _name: "uv")
    monkeypatch.setattr("tools.locks.subprocess.call", lambda words, cwd: calls.append(words))
    assert locks.run(["-P", "django"]) == 0
    assert [words[-1] for words in calls] == [f"requirements/{name}.txt" for name in ORDER]
    assert [words.count("-c") for words in calls] == [0, 1, 2]
    assert all("--generate-hashes" in words and "django" in words for words in calls)
