"""The manual of the API tells the form of every kind, and what has an ETag, as the code does."""

import json
import re

import pytest

from grading.kinds import KINDS
from tests.grading.examples import PROJECT, examples

MANUAL = PROJECT / "docs" / "api.md"
SCHEMA = PROJECT / "docs" / "openapi.json"
PREFIX = "/api/v1"


def rows() -> dict[str, list[str]]:
    lines = MANUAL.read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0].strip("`"): row[1:] for row in cells if len(row) == 3}


@pytest.mark.parametrize("name", KINDS)
def test_the_manual_tells_what_is_presented_and_how_it_is_answered(name):
    presented, answer = (
        json.loads(re.findall(r"`(\{.*?\})`(?=[ ,:]|$)", cell)[0]) for cell in rows()[name]
    )
    kind, kind_examples = KINDS[name], examples(name)
    answers = [
        example.source["answer"] for example in kind_examples if example.source.get("answer")
    ]
    views = [
        kind.public_view(
            example.content, [id_ for id_, _ in kind.shufflable_ids(example.content)]
        ).parts
        for example in kind_examples
    ]
    assert presented.keys() in [view.keys() for view in views]
    assert any(answer.keys() <= raw_answer.keys() for raw_answer in answers)


def test_the_manual_names_each_resource_with_an_etag_and_each_write_that_compares_it():
    paths = json.loads(SCHEMA.read_text(encoding="utf-8"))["paths"]
    tagged = {
        path.removeprefix(PREFIX)
        for path, operations in paths.items()
        if "304" in operations.get("get", {}).get("responses", {})
    }
    compared = {
        (method.upper(), path.removeprefix(PREFIX))
        for path, operations in paths.items()
        for method, operation in operations.items()
        if any(parameter["name"] == "If-Match" for parameter in operation.get("parameters", []))
    }
    table = re.findall(
        r"^\| `(/\S+)` \| (.*) \|$", MANUAL.read_text(encoding="utf-8"), re.MULTILINE
    )
    writes = {
        (method, resource + below.strip().removeprefix("…"))
        for resource, cell in table
        for method, below in re.findall(r"`([A-Z]+)( …/\S+)?`", cell)
    }
    assert {resource for resource, _ in table} == tagged
    assert writes == compared
