"""Short texts on the page: a field to type in, and what became of what was typed."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.http import QueryDict
from django.utils import translation

from grading.contract import LedgerLine
from quizzes.presentation import review_rendering
from quizzes.presentation.kinds import short_text
from quizzes.results.attempt_report import QuestionReport
from tests.question_factory import public_version, samples

SAMPLE = next(sample for sample in samples() if sample.kind == "short_text")


@pytest.fixture(autouse=True)
def _english():
    with translation.override("en"):
        yield


def report(**changes: Any) -> QuestionReport:
    """An answer of a learner, as a report holds it when nothing may be shown."""
    report_fields: dict[str, Any] = {
        "slot": 0,
        "public_version": public_version(SAMPLE),
        "manifest_slot": SimpleNamespace(
            kind="short_text",
            points=Fraction(2),
            scoring_method="accepted_answers",
            order=(),
            id=uuid4(),
        ),
        "answer": {"text": "Pa<b>ris"},
        "credit": None,
        "earned": None,
        "ledger": (),
        "reasons": (),
        "solution": None,
        "feedback": {},
        "remarks": (),
        "feedback_language": "en",
        "explanation": "",
        "needs_grading": False,
    }
    return QuestionReport(**report_fields | changes)


def drawn(**changes: Any) -> str:
    return review_rendering.render_review([report(**changes)], "en")


@pytest.mark.parametrize(("sent", "text"), [("q-3-text=Lima", "Lima"), ("q-3-text=", ""), ("", "")])
def test_a_form_brings_what_was_typed(sent, text):
    assert short_text.parse_form(QueryDict(sent), 3) == {"text": text}


def test_what_was_typed_stands_in_the_field_again_escaped():
    page = {"language": "en", "interpretation": ""}
    values = short_text.placeholder_values({"text": '"><b>'})
    assert values == {"text": "&quot;&gt;&lt;b&gt;", **page}
    assert short_text.placeholder_values(None) == {"text": "", **page}


def test_an_answer_in_words_is_quoted():
    assert short_text.answer_text(public_version(SAMPLE), {"text": "Lima"}, "en") == "“Lima”"


def test_looking_back_shows_what_was_typed_and_no_more_than_is_told():
    html = drawn()
    assert "Pa&lt;b&gt;ris" in html
    assert "Your answer" in html
    assert not any(word in html for word in ("right", "wrong", "Right answer"))


@pytest.mark.parametrize(
    ("credit", "words", "look"),
    [
        (Fraction(1), "Your answer, right", "is-right"),
        (Fraction(1, 3), "Your answer, partly right", "is-partly"),
        (Fraction(0), "Your answer, wrong", "is-wrong"),
    ],
)
def test_the_outcome_is_told_by_word_sign_and_colour(credit, words, look):
    html = drawn(credit=credit, earned=credit * 2)
    assert words in html
    assert look in html
    assert f'href="#i-{look.removeprefix("is-")}"' in html


def test_the_right_words_stand_beside_the_answer_once_the_key_is_shown():
    html = drawn(solution={"text": "P & q"})
    assert "Right answer:" in html
    assert "P &amp; q" in html


def test_what_is_said_to_the_answer_stands_beneath_it():
    assert "<p>Near, but no.</p>" in drawn(feedback={"otherwise": "<p>Near, but no.</p>"})


def test_no_answer_is_called_that():
    assert "no answer" in drawn(answer=None, credit=Fraction(0), earned=Fraction(0))


def test_the_ledger_says_why():
    lines = (
        LedgerLine(
            "paris", chosen=True, right=True, earned=Fraction(1, 3), reason="accepted_partly"
        ),
    )
    html = drawn(credit=Fraction(1, 3), earned=Fraction(2, 3), ledger=lines)
    assert "Accepted for part of the points" in html
    assert "+1/3" in html
