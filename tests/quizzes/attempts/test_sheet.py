"""The sheet that a taker works on: theirs alone, in one statement, however long it is."""

import pytest

from quizzes.attempts.selectors import sheet
from quizzes.lib.errors import NotFound
from tests.content import bank, question, quiz
from tests.taking import say, start

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("who", ["other_learner", "instructor", "administrator", "stranger"])
def test_a_sheet_is_its_takers_alone(cast, a_quiz, who):
    attempt = start(a_quiz, cast.learner)
    with pytest.raises(NotFound):
        sheet(attempt=attempt.uuid, learner=getattr(cast, who))


@pytest.mark.parametrize("size", [3, 40])
def test_a_sheet_costs_one_statement_whatever_its_size_and_journal(cast, counted, size):
    into = bank(cast)
    asked = [question(into, f"q{n}", options="abcdefgh") for n in range(size)]
    attempt = start(quiz(cast, asked), cast.learner)
    for letters in ("a", "ab", "c"):
        say(attempt, 0, letters)
    sheet(attempt=attempt.uuid, learner=cast.learner)
    with counted() as made:
        found = sheet(attempt=attempt.uuid, learner=cast.learner)
    assert len(made) == 1
    assert len(found.heads) == len(found.papers) == size
    assert (found.heads[0].revision, found.answered) == (3, 1)
