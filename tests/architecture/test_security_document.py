"""docs/security.md names tests that exist, by their file or by the beginning of their name."""

import re
from pathlib import Path

import pytest

from tools.paths import ROOT

DOCUMENT = ROOT / "docs/security.md"
TEST = re.compile(r"`((?:[\w./]*/)?test_\w+(?:\.py)?(?:::test_\w+)?…?)`")
"""A file, a file with a test, a test, or the beginning of one."""


def list_tests() -> dict[str, str]:
    """Return the text of each file of tests, by its path."""
    paths = Path(ROOT, "tests").rglob("test_*.py")
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}


TESTS = list_tests()


def exists(name: str) -> bool:
    """Return whether there is such a file, and such a test in it or anywhere."""
    file, _, test = name.partition("::") if ".py" in name else ("", "", name)
    texts = [text for path, text in TESTS.items() if path.endswith(file)]
    end = "" if test.endswith("…") else r"\("
    return any(not test or re.search(rf"def {test.rstrip('…')}{end}", text) for text in texts)


NAMES = sorted(set(TEST.findall(DOCUMENT.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("name", NAMES)
def test_what_the_document_names_exists(name: str):
    assert exists(name)


def test_the_document_names_tests():
    assert len(NAMES) > 50


@pytest.mark.parametrize(
    "name",
    [
        "test_that_is_nowhere",
        "test_that_is_nowhere_…",
        "tests/nowhere/test_asvs.py",
        "test_asvs.py::test_no",
    ],
)
def test_what_does_not_exist_is_found(name: str):
    assert TEST.fullmatch(f"`{name}`")
    assert not exists(name)
