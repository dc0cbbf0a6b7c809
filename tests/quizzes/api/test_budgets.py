"""Query budgets: the same with one and with many, signing in by token or session included."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import create_bank, create_question, create_quiz, option_ids
from tests.quizzes.api.programs import ROOT, Program, program, sent, taken, token
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db
BOOKKEEPING = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")


class Counted(CaptureQueriesContext):
    """Counts statements that ask or write; transactions are no round trip of their own here."""

    @property
    def spent(self) -> int:
        return sum(not q["sql"].startswith(BOOKKEEPING) for q in self.captured_queries)


@pytest.fixture(params=["token", "session"])
def client_of(request):
    def make(user) -> Client:
        if request.param == "session":
            return logged_in_client(user)
        client = Program(token(user)).client
        client.get(f"{ROOT}me")  # notes its use, as once a minute
        return client

    return make


@pytest.fixture(params=[1, 12])
def exam(request, users):
    into = create_bank(users)
    questions = [create_question(into, f"q{n}") for n in range(request.param)]
    return create_quiz(users, questions), questions


def test_sheet_save_and_submit_keep_to_their_budgets(users, client_of, exam):
    examined, questions = exam
    browser = client_of(users.learner)
    taken(users.other_learner, examined, questions, "a")  # published things are read and kept
    attempt = program(users.learner).start(examined)
    path = f"{ROOT}attempts/{attempt['id']}"
    with Counted(connection) as sheet:
        assert browser.get(path).status_code == 200
    answers = [
        sent(n, option_ids(question, "a"), base_revision=0) for n, question in enumerate(questions)
    ]
    with Counted(connection) as save:
        answer = browser.post(
            f"{path}/responses", {"responses": answers}, content_type="application/json"
        )
        assert answer.status_code == 200
    with Counted(connection) as submit:
        assert browser.post(f"{path}/submit").status_code == 200
    with Counted(connection) as result:
        assert browser.get(f"{ROOT}results/{attempt['id']}").status_code == 200
    assert sheet.spent <= 4
    assert save.spent <= 4
    assert submit.spent <= 9
    assert result.spent <= 5


@pytest.mark.parametrize("many", [1, 8])
def test_a_page_of_results_costs_the_same_however_many(users, client_of, questions, many):
    exam = create_quiz(users, questions, window_attempts=None)
    for n in range(many):
        taken(users.learner if n % 3 else users.other_learner, exam, questions, "a")
    browser = client_of(users.instructor)
    for query in ("", "?limit=2", "?passed=false", "?fields=id", f"?group={users.group.uuid}"):
        with Counted(connection) as listed:
            assert browser.get(f"{ROOT}results{query}").json()["items"]
        assert listed.spent <= 4, query


def test_the_table_of_results_costs_the_same_however_many(users, client_of, a_quiz, questions):
    for who in (users.learner, users.other_learner, users.other_learner):
        taken(who, a_quiz, questions, "a")
    browser = client_of(users.instructor)
    with Counted(connection) as table:
        assert len(list(browser.get(f"{ROOT}results.csv").streaming_content)) == 4
    assert table.spent <= 4


@pytest.mark.parametrize("many", [1, 6])
def test_lists_of_quizzes_attempts_and_quiz_grades_do_not_grow(users, client_of, questions, many):
    for n in range(many):
        taken(users.learner, create_quiz(users, questions, slug=f"quiz-{n}"), questions, "a")
    browser = client_of(users.learner)
    for path, most in (("quizzes", 6), ("attempts", 3), ("quiz-grades", 2)):
        with Counted(connection) as listed:
            answer = browser.get(f"{ROOT}{path}")
            assert len(answer.json()["items"]) == many
        assert listed.spent <= most
