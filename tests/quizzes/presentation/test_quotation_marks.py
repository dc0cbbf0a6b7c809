"""What learners and instructors read quotes texts as their language does: “…”, «…»."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import translation

from grading.contract import ItemScore
from grading.kinds import KINDS
from quizzes.presentation.kinds import PRESENTED_KINDS
from tests.question_factory import public_version, samples

ANSWERED = [
    (sample, example.source["answer"])
    for sample in samples()
    for example in sample.readable
    if example.source["answer"] is not None
]


def sentences(sample: Any, answer: Any) -> list[str]:
    """Return the answer in words, and its ledger under every scoring method."""
    version, kind = public_version(sample), PRESENTED_KINDS[sample.kind]
    texts = [kind.answer_text(version, answer, "es")]
    for scoring_method in sample.scoring_methods:
        score = KINDS[sample.kind].score(sample.content, sample.key, answer, scoring_method)
        if isinstance(score, ItemScore):
            item: Any = SimpleNamespace(public_version=version, ledger=score.ledger)
            texts += [row.text for row in kind.ledger_rows(item, "es")]
    return texts


@pytest.mark.parametrize(("sample", "answer"), ANSWERED, ids=lambda part: str(part)[:40])
def test_spanish_pages_quote_with_angular_marks(sample, answer):
    with translation.override("es"):
        matches = [text for text in sentences(sample, answer) if "“" in text or "”" in text]
    assert matches == []


def test_ledgers_of_choices_do_quote():
    sample, answer = next(pair for pair in ANSWERED if pair[0].kind == "multiple_choice")
    with translation.override("es"):
        assert any("«" in text for text in sentences(sample, answer))
    with translation.override("en"):
        assert any("“" in text for text in sentences(sample, answer))
