"""The manual of the API tells the form of every kind, as the kinds say it themselves."""

import json
import re

import pytest

from grading.kinds import KINDS
from tests.grading.examples import PROJECT, examples

MANUAL = PROJECT / "docs" / "api.md"


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
