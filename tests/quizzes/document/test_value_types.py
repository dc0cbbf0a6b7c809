"""Questions as JSON: what each kind has is let through."""

import json
from pathlib import Path

import pytest

from quizzes.document import QuestionDocument
from quizzes.document.value_types import find_type_problems

FIXTURES = sorted(Path("fixtures/kinds").glob("*.json"))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_what_questions_of_each_kind_have_is_known(path):
    fixture = json.loads(path.read_text())
    for question in fixture["questions"].values():
        document = QuestionDocument(
            fixture["kind"], "", content=question["content"], key=question["key"]
        )
        assert [p for p in find_type_problems(document) if p.code == "unknown_field"] == []
