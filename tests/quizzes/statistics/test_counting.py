"""Each attempt is counted once, whatever happens to it, and counting anew comes to the same."""

import random
from datetime import timedelta
from fractions import Fraction

import pytest
from django.core.management import call_command

from quizzes.attempts.models import Attempt
from quizzes.bank.models import QuestionVersion
from quizzes.publishing.models import QuizVersion
from quizzes.results import services
from quizzes.results.erasure import erase_answers
from quizzes.statistics import counting
from quizzes.statistics.counting import count_changes, restart_counting
from quizzes.statistics.models import CountedAttempt, CountedRow, CountingCursor
from quizzes.statistics.state_loading import load_state
from tests.attempt_helpers import finish, save_choice, start, take_quiz
from tests.essay_factory import attempt_with_essay, create_essay, grade_essay, levels
from tests.factories import NOW, create_quiz
from tests.quizzes.statistics.attempt_histories import (
    count_all,
    create_learners,
    grade_anew,
    read_counts,
)

pytestmark = pytest.mark.django_db
CREDITS = tuple(map(Fraction, ("0", "1", "1/2", "1/3")))
RIGHT = {0: "abc", 1: "b", 2: "b"}


def void(attempt, users):
    return services.void(attempt=attempt.uuid, by=users.instructor, reason="twice", now=NOW)


def test_a_graded_attempt_is_counted_with_credit_choice_time_and_language(users, a_quiz):
    attempt = start(a_quiz, users.learner)
    save_choice(attempt, 0, "ab", NOW + timedelta(seconds=40))
    save_choice(attempt, 1, "b", NOW + timedelta(seconds=55))
    finish(attempt, NOW + timedelta(seconds=70))
    assert count_all() == 1
    state = load_state(attempt.quiz_version_id)
    assert list(state.scores) == [("en", 1)]
    ((score, count),) = state.scores["en", 1].rows
    assert (score.score, score.maximum, score.questions, count) == ((5, 3), (3, 1), 3, 1)
    assert list(state.scores["en", 1].seconds) == [(70, 1)]
    answers = {
        QuestionVersion.objects.get(uuid=version).question.name: state.select_answers(version)
        for version in state.questions
    }
    ((many, _),), ((truth, _),) = answers["many"].rows, answers["truth"].rows
    assert (many.credit, many.mark_total, many.is_omitted) == ((2, 3), (5, 3), False)
    assert len((many.choice or "").split()) == 2
    assert (truth.credit, truth.choice, truth.is_omitted) == ((0, 1), "", True)
    assert list(answers["many"].seconds) == [(40, 1)]
    assert list(answers["single"].seconds) == [(15, 1)]
    assert not answers["truth"].seconds


def test_what_is_open_or_by_staff_or_void_is_not_counted(users, a_quiz):
    start(a_quiz, users.learner)
    take_quiz(a_quiz, users.instructor, RIGHT)
    voided = take_quiz(a_quiz, users.other_learner, RIGHT)
    void(voided, users)
    count_all()
    assert not CountedRow.objects.exists()
    assert not CountedAttempt.objects.exists()


def test_what_waits_for_a_person_is_counted_once_it_is_marked(users, into):
    quiz = create_quiz(users, [create_essay(into)], slug="with-essay")
    attempt = attempt_with_essay(quiz, users.learner)
    count_all()
    assert not CountedAttempt.objects.exists()
    grade_essay(attempt, users.instructor, levels(2, 1))
    count_all()
    assert CountedAttempt.objects.get().attempt == attempt


def test_counting_twice_changes_nothing(users, a_quiz):
    take_quiz(a_quiz, users.learner, RIGHT)
    count_all()
    before = read_counts()
    CountingCursor.objects.update(last_change=0)
    assert count_all() == 1
    assert read_counts() == before


def test_a_batch_that_fails_is_repeated_as_a_whole(users, a_quiz, monkeypatch):
    take_quiz(a_quiz, users.learner, RIGHT)
    take_quiz(a_quiz, users.other_learner, {0: "a"})
    expected = _count_then_forget()

    def fail(_attempts):
        raise RuntimeError("the process ends here")

    monkeypatch.setattr(counting, "_note_change", fail)
    with pytest.raises(RuntimeError):
        count_changes()
    assert not CountedRow.objects.exists()
    monkeypatch.undo()
    count_all()
    assert read_counts() == expected


def _count_then_forget():
    count_all()
    counts = read_counts()
    restart_counting(QuizVersion.objects.all())
    assert not CountedRow.objects.exists()
    return counts


def test_regrading_takes_out_the_old_credit_and_voiding_everything(users, a_quiz):
    attempt = take_quiz(a_quiz, users.learner, RIGHT)
    count_all()
    before = read_counts()
    grade_anew(attempt, {0: Fraction(1, 2)})
    count_all()
    assert read_counts() != before
    grade_anew(attempt, {})
    count_all()
    assert read_counts()[0] == before[0]
    void(attempt, users)
    count_all()
    assert read_counts() == [[], [], []]


def test_erased_answers_are_taken_out(users, a_quiz):
    attempt = take_quiz(a_quiz, users.learner, RIGHT)
    count_all()
    erase_answers(learner=users.learner, by=users.learner, reason="mine", now=NOW)
    count_all()
    assert read_counts() == [[], [], []]
    assert Attempt.objects.get(pk=attempt.pk).updated_at == attempt.updated_at


@pytest.mark.parametrize("seed", range(4))
def test_any_history_counts_as_counting_anew_does(users, a_quiz, seed, monkeypatch):
    monkeypatch.setattr(counting, "BATCH", 3)
    rng = random.Random(seed)
    learners = create_learners(users, [f"learner{seed}{place}" for place in range(5)])
    attempts = []
    for step in range(30):
        now = NOW + timedelta(hours=3 * step)
        match rng.choice(("take", "take", "take", "regrade", "void", "erase", "staff", "count")):
            case "take":
                answers = {slot: rng.choice("ab") for slot in range(3) if rng.random() < 0.8}
                attempts.append(take_quiz(a_quiz, rng.choice(learners), answers, now))
            case "regrade" if attempts:
                attempt = rng.choice(attempts)
                attempt.refresh_from_db()
                if attempt.state == "graded":
                    changed = {slot: rng.choice(CREDITS) for slot in range(rng.randint(0, 3))}
                    grade_anew(attempt, changed)
            case "void" if attempts:
                void(rng.choice(attempts), users)
            case "erase" if rng.random() < 0.5:
                person = rng.choice(learners)
                erase_answers(learner=person, by=person, reason="mine", now=NOW)
            case "staff" if not step % 3:
                take_quiz(a_quiz, users.instructor, RIGHT, now)
            case "count":
                count_changes()
    count_all()
    incremental = read_counts()
    assert incremental[0]
    call_command("rebuild_statistics")
    assert read_counts() == incremental
