"""Which pages and routes a replica may answer, and which never."""

import pytest
from django.urls import reverse

from quizzes.lib import read_replica
from quizzes.statistics.models import QuizVersionStatistics
from quizzes.statistics.tasks import update_statistics
from tests.attempt_helpers import take_quiz
from tests.quizzes.api.programs import program
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def looks(monkeypatch) -> list[str]:
    """A list that grows whenever it is asked whether there is a replica."""
    questions: list[str] = []

    def is_fit() -> bool:
        questions.append("is there a replica?")
        return False

    monkeypatch.setattr(read_replica, "is_fit", is_fit)
    return questions


@pytest.fixture
def statistics(users, a_quiz) -> QuizVersionStatistics:
    take_quiz(a_quiz, users.learner, {0: "abc"})
    update_statistics()
    return QuizVersionStatistics.objects.get()


LISTS = [
    "attempts_attempt",
    "accounts_user",
    "accounts_group",
    "audit_auditevent",
    "bank_bank",
    "bank_question",
    "publishing_quiz",
    "statistics_quizversionstatistics",
]


@pytest.mark.parametrize("name", LISTS)
def test_a_list_of_the_admin_is_marked(users, a_quiz, looks, name):
    page = logged_in_client(users.administrator).get(reverse(f"admin:{name}_changelist"))
    assert page.status_code == 200
    assert looks


def test_a_page_of_statistics_is_marked(users, statistics, looks):
    address = reverse("admin:statistics_quizversionstatistics_change", args=[statistics.pk])
    assert logged_in_client(users.instructor).get(address).status_code == 200
    assert looks


def test_a_gradebook_as_a_file_is_marked(users, a_quiz, looks):
    address = reverse("admin:accounts_group_gradebook_export", args=[users.group.pk])
    answer = logged_in_client(users.instructor).get(address, {"rows": "grades", "format": "csv"})
    assert answer.getvalue()
    assert looks


def test_the_audit_log_as_a_file_is_marked(users, looks):
    answer = logged_in_client(users.administrator).get(reverse("admin:audit_auditevent_export"))
    assert b"".join(answer).startswith(b"id,")
    assert looks


def test_routes_of_statistics_and_results_as_a_file_are_marked(users, a_quiz, statistics, looks):
    client = program(users.instructor)
    for path in (f"quizzes/{a_quiz.uuid}/statistics", f"quizzes/{a_quiz.uuid}/statistics.csv"):
        looks.clear()
        assert client.get(path).status_code == 200
        assert looks, path
    looks.clear()
    b"".join(client.get("results.csv"))
    assert looks


def test_a_list_that_programs_follow_never_is(users, a_quiz, statistics, looks):
    client = program(users.instructor)
    for path in ("results", "attempts", "audit-events"):
        assert client.get(path).status_code == 200
    assert looks == []
