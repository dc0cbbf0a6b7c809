"""Over REST a program reads what guessing and memorising reach, as the page of a quiz shows it."""

from fractions import Fraction

import pytest

from quizzes.audit.models import AuditEvent
from quizzes.bank.models import BankRight, BankShare
from quizzes.presentation.formatting import format_percent
from quizzes.publishing.memorising import FEWEST_LEARNERS
from quizzes.publishing.models import Quiz, Slot
from tests.factories import create_bank, create_question, create_quiz
from tests.quizzes.api.programs import program
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


def address(quiz: Quiz) -> str:
    return f"quizzes/{quiz.uuid}/guessing"


def test_the_figures_are_those_of_the_page(users, a_quiz):
    Quiz.objects.filter(pk=a_quiz.pk).update(reveal_key="after_submit", max_attempts=None)
    figures = program(users.instructor, "authoring").get(address(a_quiz)).json()
    page = logged_in_client(users.instructor).get(f"/admin/publishing/quiz/{a_quiz.pk}/guessing/")
    farmability = page.context["farmability"]
    assert (figures["disclosure"], figures["certain_attempt"]) == (farmability.disclosure, 2)
    assert figures["pass_threshold"] == {"numerator": 4, "denominator": 5, "decimal": "0.8"}
    shares = [figures["select_all"], figures["random_guess"]]
    assert [text for _label, text in farmability.rows] == [
        format_percent(_read(share), decimals=1) for share in shares
    ]
    assert [attempt["number"] for attempt in figures["attempts"]] == [1, 2, 3, 4, 5]
    assert [each["factor"] for each in figures["attempts"][0]["pools"]] == [1, 2, 4]
    assert figures["attempts"][1]["mean"] == figures["attempts"][1]["passing"] == "1.000"


def test_who_reads_them_has_seen_keys_as_on_the_page(users, a_quiz):
    program(users.instructor, "authoring").get(address(a_quiz))
    assert AuditEvent.objects.filter(code="keys_viewed", actor=users.instructor.uuid).count() == 1
    logged_in_client(users.administrator).get(f"/admin/publishing/quiz/{a_quiz.pk}/guessing/")
    seen = AuditEvent.objects.filter(code="keys_viewed", actor=users.administrator.uuid)
    assert seen.count() == 1


def test_more_questions_than_can_be_simulated_in_time_are_a_problem(users, a_quiz, monkeypatch):
    client = program(users.instructor)
    assert client.get(address(a_quiz)).json()["learners"] == 1000
    monkeypatch.setattr("quizzes.publishing.memorising.MOST_STEPS", 50_000)
    fewer = client.get(address(a_quiz)).json()["learners"]
    assert FEWEST_LEARNERS <= fewer < 1000
    monkeypatch.setattr("quizzes.publishing.memorising.MOST_STEPS", 1_000)
    refused = client.get(address(a_quiz))
    assert (refused.status_code, refused.json()["code"]) == (409, "too_large_to_simulate")
    page = logged_in_client(users.instructor).get(f"/admin/publishing/quiz/{a_quiz.pk}/guessing/")
    assert "would take too long" in page.content.decode()


def _read(share):
    return Fraction(share["numerator"], share["denominator"])


def test_a_draft_that_cannot_be_published_has_none(users, a_quiz):
    Slot.objects.filter(section__quiz=a_quiz).delete()
    refused = program(users.instructor).get(address(a_quiz))
    assert (refused.status_code, refused.json()["code"]) == (409, "draft_has_problems")


def test_only_who_edits_the_quiz_and_its_banks_reads_them(users, a_quiz, questions):
    for person in (users.learner, users.outsider, users.stranger):
        assert program(person).get(address(a_quiz)).status_code == 404
    foreign = create_bank(users, "foreign")
    foreign.group = users.other_group
    foreign.save()
    BankShare.objects.create(bank=foreign, person=users.instructor, right=BankRight.USE)
    quiz = create_quiz(users, [create_question(foreign, "alone")], slug="drawn")
    assert program(users.instructor).get(address(quiz)).status_code == 404
    assert program(users.administrator).get(address(quiz)).status_code == 200


def test_they_cost_the_same_queries_for_more_questions(users, questions, counted):
    client = program(users.instructor)
    small = create_quiz(users, questions[:1], slug="small")
    large = create_quiz(users, questions, slug="large")
    client.get(address(small))
    with counted() as few:
        client.get(address(small))
    with counted() as many:
        client.get(address(large))
    assert len(few) == len(many)
