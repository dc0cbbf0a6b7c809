"""Questions that cost points: in gradings, on pages, in the API, and verified."""

from fractions import Fraction

import pytest
from django.urls import reverse

from quizzes.publishing.models import Quiz
from quizzes.results.grading_recomputation import verify
from quizzes.results.models import Grading, ItemResult
from quizzes.results.selectors import load_report
from tests.attempt_helpers import start, take_quiz
from tests.factories import NOW, create_bank, create_question, create_quiz

pytestmark = pytest.mark.django_db

HINT = "Wrong answers can cost up to 1/2 of the question’s points."
TOTAL = "The total of an attempt never falls below zero."


@pytest.fixture
def costly(users) -> Quiz:
    """A quiz of two questions of 2 points: the first can cost half of them."""
    into = create_bank(users)
    return create_quiz(
        users,
        [
            create_question(into, "costs", right="ab", lower_bound=[-1, 2]),
            create_question(into, "plain", right="ab"),
        ],
        points=2,
    )


@pytest.mark.parametrize(
    ("answers", "credits_", "total"),
    [
        ({0: "cd", 1: "ab"}, (Fraction(-1, 2), 1), 1),
        ({0: "cd"}, (Fraction(-1, 2), 0), 0),
        ({0: "abc", 1: "a"}, (Fraction(1, 2), Fraction(1, 2)), 2),
        ({1: "cd"}, (0, 0), 0),
    ],
)
def test_an_item_takes_from_others_and_the_total_stops_at_zero(
    costly, users, answers, credits_, total
):
    attempt = take_quiz(costly, users.learner, answers)
    rows = ItemResult.objects.filter(grading__attempt=attempt).order_by("slot")
    stored = tuple(Fraction(row.credit_numerator, row.credit_denominator) for row in rows)
    assert stored == credits_
    grading = Grading.objects.get(attempt=attempt)
    assert (grading.total, grading.passed) == (total, False)
    assert [differences for _, differences in verify([attempt])] == [()]


def test_the_sentence_about_costs_stands_before_and_after(costly, users, client):
    client.force_login(users.learner)
    intro = client.get(reverse("intro", args=[costly.slug])).content.decode()
    attempt = start(costly, users.learner)
    page = client.get(reverse("attempt", args=[attempt.uuid])).content.decode()
    assert all(page_.count(HINT) == page_.count(TOTAL) == 1 for page_ in (intro, page))


def test_the_result_shows_what_an_item_cost(costly, users, client):
    attempt = take_quiz(costly, users.learner, {0: "cd", 1: "ab"})
    client.force_login(users.learner)
    page = client.get(reverse("result", args=[attempt.uuid])).content.decode()
    assert "\N{MINUS SIGN}1 of 2" in " ".join(page.split())
    assert HINT in page
    report = load_report(attempt=attempt.uuid, viewer=users.learner, language="en", now=NOW)
    assert [question.outcome for question in report.questions] == ["incorrect", "correct"]
