"""docs/asvs.md misses no requirement, and what it names exists: tests, settings, files."""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings

from tools.paths import ROOT

LEVELS = Path(__file__).with_name("asvs_5_levels.txt")
DOCUMENT = ROOT / "docs/asvs.md"
OPERATIONS = ROOT / "docs/operations.md"
STATES = {"holds", "with setting", "does not", "not applicable"}
NAMED = re.compile(r"`([^`]+)`|\]\(([^)#]+)")
SETTING = re.compile(r"[A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z]{5,}")
FILE = re.compile(r"\.?[\w-][\w./-]*/[\w./-]+(::\w+)?|[\w-]+\.(md|toml)|\.dockerignore")
"""Other words in backticks are terms of others."""


@dataclass(frozen=True)
class Row:
    number: str
    level: str
    requirement: str
    state: str
    evidence: str


def read_levels() -> dict[str, str]:
    """Return the level of each requirement."""
    levels = {}
    for line in LEVELS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            (section, level), numbers = line.split(":")[0].split(), line.split(":")[1].split()
            levels.update({f"{section}.{number}": level for number in numbers})
    return levels


def read_rows() -> list[Row]:
    """Return the rows of the tables of the document."""
    lines = DOCUMENT.read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [Row(*row) for row in cells if re.fullmatch(r"\d+\.\d+\.\d+", row[0])]


ROWS = read_rows()


def test_the_standard_has_as_many_requirements():
    assert Counter(read_levels().values()) == {"1": 70, "2": 183}


def test_every_requirement_stands_in_the_document_once_with_its_level():
    assert [(row.number, row.level) for row in ROWS] == list(read_levels().items())


def test_each_row_says_what_is_asked_for_and_whether_it_holds():
    assert {row.state for row in ROWS} <= STATES
    assert [row.number for row in ROWS if not (row.requirement and row.evidence)] == []


def find_missing(evidence: str) -> list[str]:
    """Return what evidence names and is not there."""
    return [name for name in list_named(evidence) if not exists(name)]


def list_named(evidence: str) -> list[str]:
    """Return the tests, settings and files that evidence names."""
    names = map(max, NAMED.findall(evidence))
    return [name for name in names if SETTING.fullmatch(name) or FILE.fullmatch(name)]


def exists(name: str) -> bool:
    """Return whether there is this test, setting, variable or file."""
    path, _, test = name.partition("::")
    if name.startswith("OCHENTA_"):
        return f"`{name}`" in OPERATIONS.read_text(encoding="utf-8") or hasattr(settings, name)
    if SETTING.fullmatch(name):
        return hasattr(settings, name)
    file = next((base / path for base in (ROOT, ROOT / "docs") if (base / path).exists()), None)
    if file is None:
        return False
    return not test or re.search(rf"def {test}\(", file.read_text(encoding="utf-8")) is not None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.number)
def test_what_shows_it_exists(row):
    assert find_missing(row.evidence) == []
    assert row.state != "holds" or list_named(row.evidence), "nothing shows it"
    assert row.state != "with setting" or re.search("`OCHENTA_|operations", row.evidence)


@pytest.mark.parametrize(
    "evidence",
    [
        "`tests/architecture/test_asvs.py::test_of_nobody`",
        "`tests/nowhere.py`",
        "`NO_SUCH_SETTING`",
        "`OCHENTA_NOTHING`",
        "[text](nowhere.md)",
    ],
)
def test_what_does_not_exist_is_found(evidence):
    assert find_missing(evidence)


def test_few_do_not_hold_and_each_says_why_and_what_would_do_it():
    lacking = [row for row in ROWS if row.state == "does not"]
    assert len(lacking) < 5
    text = DOCUMENT.read_text(encoding="utf-8").split("## What does not hold")[1].split("\n## ")[0]
    assert set(re.findall(r"^- \*\*(\S+)\*\*", text, re.MULTILINE)) == {
        row.number for row in lacking
    }
