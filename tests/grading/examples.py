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
    source: dict[str, Any]

    def __str__(self):
        return f"{self.kind}: {self.name} ({self.source['question']})"

    @property
    def raw(self):
        return self.source["raw"]

    @property
    def scores(self):
        return ratios(self.source["scores"])


def examples(kind: str) -> list[Example]:
    document = load(EXAMPLES / f"{kind}.json")
    assert document["kind"] == kind
    return [
        Example(
            kind,
            example["name"],
            example["shows"],
            **document["questions"][example["question"]],
            source=example,
        )
        for example in document["examples"]
    ]


def all_examples() -> list[Example]:
    return [example for kind in KINDS for example in examples(kind)]


def readable(examples: list[Example]) -> list[Example]:
    return [example for example in examples if example.shows != "format_error"]
