"""The site of a measurement that leaves out chain, codes and receipt: the rest is as always."""

import pytest

from bench.without_chain import ZEROS, leave_out
from quizzes.attempts.models import Attempt, Response
from quizzes.results.models import Grading
from quizzes.results.selectors import load_report
from tests.attempt_helpers import later, take_quiz

pytestmark = pytest.mark.django_db


def read_digests(attempt: Attempt) -> set[bytes]:
    """Return all digests and codes of an attempt, its journal and its grading."""
    rows = [Attempt.objects.get(pk=attempt.pk), Grading.objects.get(attempt=attempt)]
    rows += Response.objects.filter(attempt=attempt)
    columns = ("mac", "digest", "answer_digest")
    return {bytes(getattr(row, name)) for row in rows for name in columns if hasattr(row, name)}


def test_attempts_are_taken_and_graded_without_it_and_afterwards_with_it_again(users, a_quiz):
    answers = {0: "ab", 1: "b"}
    with leave_out():
        without = take_quiz(a_quiz, users.learner, answers)
    with_all = take_quiz(a_quiz, users.other_learner, answers)
    assert read_digests(without) == {ZEROS}
    assert without.receipt == {}
    assert ZEROS not in read_digests(with_all)
    assert with_all.receipt
    scores = [Grading.objects.get(attempt=attempt).total for attempt in (without, with_all)]
    assert scores[0] == scores[1] > 0
    report = load_report(
        attempt=with_all.uuid, viewer=users.other_learner, language="en", now=later()
    )
    assert report.summary.receipt_digest
