"""Reports as each viewer may see them, and what they cost."""

from dataclasses import fields
from fractions import Fraction
from uuid import uuid4

import pytest

from quizzes.attempts import services as lifecycle
from quizzes.lib.errors import NotFound
from quizzes.publishing.models import RevealMoment
from quizzes.results import reveal, slot_scores
from quizzes.results.attempt_report import AttemptReport
from quizzes.results.selectors import (
    attempts_visible_to,
    load_quiz_grades,
    load_report,
    load_summaries,
)
from quizzes.results.services import void
from tests.attempt_helpers import finish, later, save_choice, start, take_quiz
from tests.factories import NOW, create_bank, create_question, create_quiz, option_ids

pytestmark = pytest.mark.django_db

NEVER = {
    f"reveal_{item}": RevealMoment.NEVER
    for item in ("score", "correctness", "feedback", "hints", "key", "explanation")
}


def seen(attempt, viewer=None, language="en", **span) -> AttemptReport:
    return load_report(
        attempt=attempt.uuid,
        viewer=viewer or attempt.learner,
        language=language,
        now=later(**span),
    )


# --- What is left out ------------------------------------------------------------------------
def test_where_nothing_may_be_shown_only_ones_own_answers_are_left(users, questions):
    report = seen(take_quiz(create_quiz(users, questions, **NEVER), users.learner, {0: "ab"}))
    assert report.summary.score is None
    for item in report.questions:
        assert (item.credit, item.earned, item.solution, item.explanation) == (None,) * 3 + ("",)
        assert not item.ledger
        assert not item.reasons
        assert not item.feedback
    assert report.questions[0].outcome == "hidden"
    assert report.questions[0].answer is not None


def test_where_nothing_may_be_shown_keys_and_feedback_are_not_even_read(users, questions, counted):
    attempt = take_quiz(create_quiz(users, questions, **NEVER), users.learner)
    from_memory = seen(attempt)
    with counted() as queries:
        assert seen(attempt) == from_memory
    assert not [sql for sql in queries if "versionkey" in sql or "versionfeedback" in sql]


def test_who_answers_the_same_question_alike_shares_one_report_and_no_other(users, questions):
    quiz = create_quiz(users, questions, shuffle_questions=False, shuffle_options=False)
    alike = [take_quiz(quiz, users.learner, {0: "ab", 1: "b"}) for _ in range(2)]
    other = take_quiz(quiz, users.other_learner, {0: "ab", 1: "a"})
    first, again, third = (seen(attempt).questions for attempt in (*alike, other))
    assert all(former is latter for former, latter in zip(first, again, strict=True))
    assert third[0] is first[0]
    assert third[1] is not first[1]
    assert (third[1].answer, third[1].credit) != (first[1].answer, first[1].credit)
    assert seen(alike[0], language="es").questions[0] is not first[0]


def test_reports_of_long_answers_are_not_remembered(users, questions, monkeypatch):
    monkeypatch.setattr(slot_scores, "LONGEST_ANSWER", 10)
    quiz = create_quiz(users, questions, shuffle_questions=False, shuffle_options=False)
    first, again = (
        seen(take_quiz(quiz, users.learner, {0: "ab", 1: "b"})).questions for _ in range(2)
    )
    assert first == again
    assert not any(former is latter for former, latter in zip(first[:2], again, strict=False))


def test_a_report_that_was_made_where_all_is_shown_is_not_seen_where_nothing_is(
    users, questions, monkeypatch
):
    attempt = take_quiz(create_quiz(users, questions), users.learner, {0: "ab"})
    everything = seen(attempt).questions[0]
    for visible in (reveal.NOTHING, reveal.Visibility(score=True), reveal.EVERYTHING):
        monkeypatch.setattr(reveal, "reveal", lambda *_, revealed=visible: revealed)
        question = seen(attempt).questions[0]
        assert bool(question.solution) is visible.key
        assert question is not everything or visible == reveal.EVERYTHING


@pytest.mark.parametrize("moment", [RevealMoment.NEVER, RevealMoment.AFTER_SUBMIT])
@pytest.mark.parametrize("item", ["score", "correctness", "feedback", "key", "explanation"])
def test_each_part_is_shown_by_its_own_moment_alone(users, questions, item, moment):
    of = create_quiz(users, questions, **{**NEVER, f"reveal_{item}": moment})
    report = seen(take_quiz(of, users.learner, {0: "ab", 1: "b"}))
    is_revealed = moment == RevealMoment.AFTER_SUBMIT
    first = report.questions[0]
    assert (report.summary.score is not None) is (is_revealed and item == "score")
    assert bool(first.feedback) is (is_revealed and item == "feedback")
    assert bool(first.solution) is (is_revealed and item == "key")
    assert bool(first.explanation) is (is_revealed and item == "explanation")
    assert first.credit is None  # it takes score and correctness together
    assert first.ledger == ()


def test_feedback_speaks_of_chosen_options_unless_the_author_says_of_all(users, questions):
    chosen = seen(take_quiz(create_quiz(users, questions), users.learner, {0: "ab"})).questions[0]
    assert chosen.feedback.keys() == set(option_ids(questions[0], "a", "b"))
    of = create_quiz(users, questions, slug="all", feedback_all_options=True)
    every = seen(take_quiz(of, users.learner, {0: "ab"})).questions[0]
    assert every.feedback.keys() == set(option_ids(questions[0], *"abcde"))


def test_without_the_key_the_ledger_adds_up_and_names_only_what_was_chosen(users, questions):
    report = seen(
        take_quiz(create_quiz(users, questions), users.learner, {0: "abd", 1: "a", 2: "b"})
    )
    for item, letters in zip(report.questions, ("abd", "a", "b"), strict=True):
        assert sum((line.earned for line in item.ledger), Fraction()) == item.credit
        options = {str(option.uuid) for option in questions[item.slot].options.all()}
        named = {line.part for line in item.ledger} & options
        assert named == set(option_ids(questions[item.slot], *letters))
        assert item.reasons == ()


def test_after_the_last_attempt_everything_is_told(users, questions):
    of = create_quiz(users, questions, max_attempts=1)
    item = seen(take_quiz(of, users.learner, {0: "ab"})).questions[0]
    assert item.solution is not None
    assert set(item.solution["chosen"]) == set(option_ids(questions[0], *"abc"))
    assert "Because many" in item.explanation
    assert item.reasons[0] == "partial_credit"
    assert len(item.ledger) >= 5


def test_what_is_said_is_said_in_the_viewers_language(users, questions):
    attempt = take_quiz(create_quiz(users, questions), users.learner, {1: "b"})
    item = seen(attempt, language="es").questions[1]
    assert item.feedback_language == "es"
    assert list(item.feedback.values()) == ["Aviso b single"]
    assert seen(attempt, language="fr").questions[1].feedback_language == "en"


# --- States ----------------------------------------------------------------------------------
def test_of_an_open_attempt_nothing_is_told(users, a_quiz):
    attempt = start(a_quiz, users.learner)
    save_choice(attempt, 0, "a")
    report = seen(attempt)
    assert report.summary.score is None
    assert {item.answer is None for item in report.questions} == {True}


def test_of_a_submitted_attempt_nothing_is_told_until_it_is_graded(users, a_quiz):
    attempt = start(a_quiz, users.learner)
    lifecycle.submit(attempt=attempt.uuid, learner=users.learner, now=NOW)
    assert seen(attempt).summary.score is None
    finish(attempt)
    assert seen(attempt).summary.score is not None


def test_of_a_void_attempt_the_learner_sees_nothing_and_the_instructor_all(users, a_quiz):
    attempt = take_quiz(a_quiz, users.learner, {1: "b"})
    void(attempt=attempt.uuid, by=users.instructor, reason="fire", now=NOW)
    assert seen(attempt).summary.score is None
    assert seen(attempt, users.instructor).summary.score is not None


# --- Viewers ---------------------------------------------------------------------------------
@pytest.mark.parametrize("who", ["instructor", "administrator"])
def test_who_oversees_an_attempt_sees_everything_at_once(users, questions, who):
    attempt = take_quiz(create_quiz(users, questions, **NEVER), users.learner, {0: "ab"})
    report = seen(attempt, getattr(users, who))
    assert report.summary.score is not None
    assert report.questions[0].solution is not None
    assert report.questions[0].credit == Fraction(2, 3)
    assert report.questions[0].feedback


@pytest.mark.parametrize("who", ["other_learner", "outsider", "stranger"])
def test_for_others_there_is_no_such_attempt(users, a_quiz, who):
    attempt = take_quiz(a_quiz, users.learner)
    with pytest.raises(NotFound):
        seen(attempt, getattr(users, who))
    assert not attempts_visible_to(getattr(users, who)).exists()


def test_what_is_not_there_is_not_found(users):
    with pytest.raises(NotFound):
        load_report(attempt=uuid4(), viewer=users.administrator, language="en", now=NOW)


# --- One truth -------------------------------------------------------------------------------
def test_list_and_report_tell_the_same(users, a_quiz):
    for hour in range(2):
        take_quiz(a_quiz, users.learner, {hour: "b"}, later(hours=hour))
    rows = attempts_visible_to(users.learner).order_by("number")
    for row, summary in zip(rows, load_summaries(rows, users.learner, NOW), strict=True):
        assert seen(row).summary.score == summary.score
        different = {
            field.name
            for field in fields(summary)
            if getattr(summary, field.name) != getattr(seen(row).summary, field.name)
        }
        assert different <= {"shown"}  # a list looks up the moments of the score alone


def test_a_quiz_grade_tells_no_score_that_an_attempt_hides(users, questions):
    of = create_quiz(users, questions, reveal_score=RevealMoment.AFTER_PASS)
    take_quiz(of, users.learner, {1: "b"})
    stand = load_quiz_grades(learner=users.learner, now=NOW)[0]
    assert (stand.score, stand.attempt, stand.attempts_graded) == (None, None, 1)
    best = take_quiz(of, users.learner, {0: "abc", 1: "b", 2: "b"}, later(hours=1))
    stand = load_quiz_grades(learner=users.learner, now=NOW)[0]
    assert stand.score is not None
    assert (stand.score.percent, stand.attempt) == ("100", best.uuid)


# --- Cost ------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", [3, 40])
@pytest.mark.parametrize(
    "policies",
    [{}, {"max_attempts": 9}, {"max_attempts": 9, "reveal_key": RevealMoment.AFTER_CLOSE}],
)
def test_a_report_costs_four_whatever_its_size_and_policy(users, counted, size, policies):
    into = create_bank(users)
    questions = [create_question(into, f"q{n}", options="abcdefgh") for n in range(size)]
    of = create_quiz(users, questions, window_attempts=None, **policies)
    for hour in range(3):
        attempt = take_quiz(of, users.learner, {0: "a"}, later(hours=hour))
    for viewer in (users.learner, users.instructor):
        seen(attempt, viewer)
        with counted() as queries:
            assert len(seen(attempt, viewer).questions) == size
        assert len(queries) <= 4, queries


@pytest.mark.parametrize("count", [1, 3])
def test_a_list_costs_the_same_however_long(users, a_quiz, counted, count):
    for hour in range(count):
        take_quiz(a_quiz, users.learner, now=later(hours=hour))
    with counted() as queries:
        rows = list(attempts_visible_to(users.learner))
        assert len(load_summaries(rows, users.learner, NOW)) == count
    assert len(queries) <= 2


@pytest.mark.parametrize("count", [1, 3])
def test_quiz_grades_cost_the_same_however_many_quizzes_hide_their_score(
    users, questions, counted, count
):
    for number in range(count):
        of = create_quiz(
            users,
            questions,
            f"quiz-{number}",
            max_attempts=9,
            reveal_score=RevealMoment.AFTER_CLOSE,
        )
        take_quiz(of, users.learner)
    with counted() as queries:
        grades = load_quiz_grades(learner=users.learner, now=NOW)
    assert [grade.score for grade in grades] == [None] * count
    assert len(queries) <= 2, queries
