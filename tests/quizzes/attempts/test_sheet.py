"""The sheet that a taker works on: theirs alone, in one statement, however long it is."""

import pytest

from quizzes.attempts.selectors import load_attempt_view
from quizzes.lib.errors import NotFound
from tests.attempt_helpers import save_choice, start
from tests.factories import create_bank, create_question, create_quiz

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("who", ["other_learner", "instructor", "administrator", "stranger"])
def test_a_sheet_is_its_takers_alone(users, a_quiz, who):
    attempt = start(a_quiz, users.learner)
    with pytest.raises(NotFound):
        load_attempt_view(attempt=attempt.uuid, learner=getattr(users, who))


@pytest.mark.parametrize("size", [3, 40])
def test_a_sheet_costs_one_statement_whatever_its_size_and_journal(users, counted, size):
    into = create_bank(users)
    questions = [create_question(into, f"q{n}", options="abcdefgh") for n in range(size)]
    attempt = start(create_quiz(users, questions), users.learner)
    for letters in ("a", "ab", "c"):
        save_choice(attempt, 0, letters)
    load_attempt_view(attempt=attempt.uuid, learner=users.learner)
    with counted() as queries:
        view = load_attempt_view(attempt=attempt.uuid, learner=users.learner)
    assert len(queries) == 1
    assert len(view.responses) == len(view.public_versions) == size
    assert (view.responses[0].revision, view.answered) == (3, 1)
