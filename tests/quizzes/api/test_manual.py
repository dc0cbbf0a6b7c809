"""The manual of the API tells the form of every kind, as the kinds say it themselves."""

import json
import re

import pytest

from grading.kinds import KINDS
from tests.grading.examples import PROJECT, examples

MANUAL = PROJECT / "docs" / "api.md"


def rows() -> dict[str, list[str]]:
    told = MANUAL.read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in told]
    return {row[0].strip("`"): row[1:] for row in cells if len(row) == 3}


@pytest.mark.parametrize("name", KINDS)
def test_the_manual_tells_what_is_presented_and_how_it_is_answered(name):
    presented, answer = (
        json.loads(re.findall(r"`(\{.*?\})`(?=[ ,:]|$)", cell)[0]) for cell in rows()[name]
    )
    kind, told = KINDS[name], examples(name)
    answers = [one.source["answer"] for one in told if one.source.get("answer")]
    shown = [
        kind.public_view(one.content, [id_ for id_, _ in kind.shufflable_ids(one.content)]).parts
        for one in told
    ]
    assert presented.keys() in [one.keys() for one in shown]
    assert any(answer.keys() <= one.keys() for one in answers)
