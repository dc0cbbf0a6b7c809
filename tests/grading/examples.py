"""Reads the examples of `fixtures/kinds`, and the shared vectors if beside the project."""

import json
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from grading.json_types import Content, Json, Key, ratio_from_json
from grading.kinds import KINDS

PROJECT = Path(__file__).resolve().parents[2]
EXAMPLES = PROJECT / "fixtures" / "kinds"
VECTORS = PROJECT.parent / "shared" / "vectors"
TABLES = Path(__file__).parent


def load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def vectors(name: str) -> Any:
    """Give the cases of a shared file; none where the project stands alone."""
    path = VECTORS / name
    return load(path)["cases"] if path.exists() else []


def ratios(listed: dict[str, Json]) -> dict[str, Fraction]:
    return {name: ratio_from_json(pair) for name, pair in listed.items()}


@dataclass(frozen=True)
class Example:
    kind: str
    name: str
    shows: str
    scoring_methods: list[str]
    content: Content
    key: Key
    told: dict[str, Any]

    def __str__(self):
        return f"{self.kind}: {self.name} ({self.told['question']})"

    @property
    def raw(self):
        return self.told["raw"]

    @property
    def marks(self):
        return ratios(self.told["marks"])


def examples(kind: str) -> list[Example]:
    told = load(EXAMPLES / f"{kind}.json")
    assert told["kind"] == kind
    return [
        Example(kind, one["name"], one["shows"], **told["questions"][one["question"]], told=one)
        for one in told["examples"]
    ]


def all_examples() -> list[Example]:
    return [example for kind in KINDS for example in examples(kind)]


def readable(shown: list[Example]) -> list[Example]:
    return [example for example in shown if example.shows != "format_error"]
