"""Journeys wait for what they are about: never for time, and never by what passes at once."""

import ast
from collections.abc import Iterator
from pathlib import Path

JOURNEYS = Path(__file__).parents[1] / "journeys"
DECEITFUL = {
    "wait_for_function": "one that gives a promise passes at once, whatever comes of it",
    "wait_for_timeout": "a busy machine needs longer, and an idle one waits for nothing",
    "sleep": "the same",
}


def waits(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in DECEITFUL:
            yield f"line {node.lineno}: {node.attr}: {DECEITFUL[node.attr]}"


def test_no_journey_waits_in_vain():
    files = sorted(JOURNEYS.glob("*.py"))
    assert len(files) > 10
    waits_by_file = {path.name: list(waits(path.read_text())) for path in files}
    assert {name: lines for name, lines in waits_by_file.items() if lines} == {}


def test_a_wait_for_time_would_be_seen():
    assert list(waits("page.wait_for_timeout(600)")) == [
        "line 1: wait_for_timeout: a busy machine needs longer, and an idle one waits for nothing"
    ]
