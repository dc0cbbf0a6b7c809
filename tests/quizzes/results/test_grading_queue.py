"""The queue without a door: what waits for whom, and what a marker may know of an answer."""

import pytest

from quizzes.lib.errors import NotFound
from quizzes.results.grading_queue import (
    build_attempt_token,
    find_answer,
    list_answers,
    load_answered_version,
    load_queue,
    open_for_grading,
)
from tests.essay_factory import TEXT, attempt_with_essay, create_essay, grade_essay, levels
from tests.factories import create_bank, create_quiz

pytestmark = pytest.mark.django_db


@pytest.fixture
def question(users):
    return create_essay(create_bank(users), graders=2)


@pytest.fixture
def of(users, question):
    return create_quiz(users, [question], points=5)


@pytest.fixture
def written(users, of):
    return attempt_with_essay(of, users.learner)


def states(marker, of, question) -> list[str]:
    return [
        listed_answer.state
        for listed_answer in list_answers(grader=marker, quiz=of.uuid, question=question.uuid)
    ]


def opened(marker, of, question):
    [answer] = list_answers(grader=marker, quiz=of.uuid, question=question.uuid)
    return open_for_grading(grader=marker, answer=answer)


def test_how_an_answer_stands_depends_on_who_looks(users, of, question, written):
    first, second, third = users.instructor, users.administrator, users.instructor
    assert (states(first, of, question), states(second, of, question)) == (
        ["needs_grading"],
        ["needs_grading"],
    )
    grade_essay(written, first, levels(2, 1))
    assert (states(first, of, question), states(second, of, question)) == (
        ["graded_by_me"],
        ["needs_grading"],
    )
    grade_essay(written, second, levels(0, 0))
    assert (states(third, of, question), states(second, of, question)) == (
        ["disagreement"],
        ["disagreement"],
    )
    grade_essay(written, second, levels(2, 1))
    assert states(first, of, question) == states(second, of, question) == ["done"]
    assert load_queue(first) == load_queue(second) == []


def test_a_marker_knows_of_others_only_after_their_own_mark(users, of, question, written):
    grade_essay(written, users.instructor, levels(2, 1), comment="Splendid")
    blind = opened(users.administrator, of, question)
    assert (blind.text, blind.own, blind.others) == (TEXT, None, ())
    mine = opened(users.instructor, of, question)
    assert mine.own is not None
    assert (mine.own.comment, mine.others) == ("Splendid", ())
    grade_essay(written, users.administrator, levels(0, 0))
    both = opened(users.administrator, of, question)
    assert [(name, grade.comment) for name, grade in both.others] == [("Instructor", "Splendid")]
    assert both.seen == 2


def test_a_pile_is_the_question_in_its_newest_words_with_all_its_counts(
    users, of, question, written
):
    attempt_with_essay(of, users.other_learner)
    grade_essay(written, users.instructor)
    [pile] = load_queue(users.instructor)
    assert (pile.quiz, pile.question, pile.title) == (of.uuid, question.uuid, of.title)
    assert (pile.needs_grading, pile.graded_by_me, pile.disagreement) == (1, 1, 0)
    [listed_answer, _] = list_answers(grader=users.instructor, quiz=of.uuid, question=question.uuid)
    assert load_answered_version(listed_answer) == pile.public_version
    assert listed_answer.points == 5


@pytest.mark.parametrize("who", ["learner", "other_learner", "outsider", "stranger"])
def test_there_is_nothing_for_those_who_do_not_oversee_it(users, of, question, written, who):
    marker = getattr(users, who)
    assert load_queue(marker) == []
    with pytest.raises(NotFound):
        list_answers(grader=marker, quiz=of.uuid, question=question.uuid)


def test_an_answers_name_changes_with_the_sites_secret_and_with_nothing_else(settings, written):
    name = build_attempt_token(written.uuid)
    assert name == build_attempt_token(written.uuid)
    assert str(written.uuid).replace("-", "")[:8] not in name
    settings.SECRET_KEY = "another"
    assert build_attempt_token(written.uuid) != name


def test_one_answer_is_found_by_one_query_that_reads_no_other(
    users, of, question, written, counted
):
    attempt_with_essay(of, users.other_learner)
    token = build_attempt_token(written.uuid)
    with counted() as queries:
        answer = find_answer(
            grader=users.instructor, quiz=of.uuid, question=question.uuid, token=token
        )
    assert (answer.attempt, answer.token, len(queries)) == (written.uuid, token, 1)
    for other in ("", "none", "0" * 32, token.upper(), token + "0", build_attempt_token(of.uuid)):
        with pytest.raises(NotFound):
            find_answer(grader=users.instructor, quiz=of.uuid, question=question.uuid, token=other)


def test_reading_asks_as_often_however_many_marks_there_are(users, of, question, written, counted):
    [answer] = list_answers(grader=users.instructor, quiz=of.uuid, question=question.uuid)
    grade_essay(written, users.instructor, levels(2, 1))
    grade_essay(written, users.administrator, levels(0, 0))
    open_for_grading(grader=users.instructor, answer=answer)
    with counted() as few:
        open_for_grading(grader=users.instructor, answer=answer)
    for idea in (0, 1, 2):
        grade_essay(written, users.administrator, levels(idea, 0))
    with counted() as many:
        open_for_grading(grader=users.instructor, answer=answer)
    assert len(few) == len(many) == 3
