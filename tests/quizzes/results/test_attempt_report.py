"""The plain values of a report."""

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, cast
from uuid import uuid4

import pytest

from quizzes.results.attempt_report import AttemptSummary, QuestionReport, Score
from quizzes.results.reveal import NOTHING
from tests.factories import NOW

ITEM = QuestionReport(
    slot=0,
    public_version=cast("Any", None),
    manifest_slot=cast("Any", SimpleNamespace(kind="single_choice")),
    answer={"chosen": ["a"]},
    credit=Fraction(1),
    earned=Fraction(1),
    ledger=(),
    reasons=(),
    solution=None,
    feedback={},
    feedback_language="en",
    remarks=(),
    explanation="",
    needs_grading=False,
)


@pytest.mark.parametrize(
    ("change", "outcome"),
    [
        ({}, "correct"),
        ({"credit": Fraction(1, 2)}, "partially_correct"),
        ({"credit": Fraction(0)}, "incorrect"),
        ({"credit": None}, "hidden"),
        ({"answer": None}, "unanswered"),
        ({"answer": None, "credit": None}, "unanswered"),
        ({"credit": None, "needs_grading": True}, "needs_grading"),
    ],
)
def test_an_outcome_in_a_word(change, outcome):
    assert replace(ITEM, **change).outcome == outcome


@pytest.mark.parametrize(
    ("total", "maximum", "passed", "percent"),
    [
        (Fraction(6), Fraction(12), False, "50"),
        (Fraction(79, 3), Fraction(33), False, "79.79"),
        (Fraction(8), Fraction(10), True, "80"),
        (Fraction(7999999, 10**6), Fraction(10), False, "79.99"),
    ],
)
def test_a_score_is_displayed_in_one_way(total, maximum, passed, percent):
    assert Score(total, maximum, Fraction(4, 5), passed, provisional=False).percent == percent


@pytest.mark.parametrize(
    ("title", "language", "expected"),
    [
        ({"en": "A quiz", "es": "Un examen"}, "es", "Un examen"),
        ({"en": "A quiz"}, "es", "A quiz"),
        ({}, "es", ""),
    ],
)
def test_the_title_falls_back_on_the_source(title, language, expected):
    summary = AttemptSummary(
        attempt=uuid4(),
        quiz=uuid4(),
        slug="quiz",
        title=title,
        source_language="en",
        number=1,
        state="graded",
        submission_reason="submitted",
        started_at=NOW,
        submitted_at=NOW,
        deadline_at=None,
        learner=uuid4(),
        learner_name="Ada",
        learner_school_id="",
        learner_confirmed=True,
        score=None,
        visibility=NOTHING,
        updated_at=NOW,
    )
    assert summary.title_in(language) == expected
