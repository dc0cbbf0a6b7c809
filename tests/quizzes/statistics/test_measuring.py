"""Reports: what the task stores of a quiz version, and when it measures again."""

from datetime import timedelta
from typing import Any

import pytest

from quizzes.publishing.models import QuizVersion
from quizzes.statistics.measuring import build_report, list_due, measure
from quizzes.statistics.models import QuizVersionStatistics
from quizzes.statistics.state_loading import load_patterns
from quizzes.statistics.tasks import update_statistics
from tests.attempt_helpers import take_quiz
from tests.essay_factory import attempt_with_essay, create_essay
from tests.factories import NOW, create_quiz
from tests.quizzes.statistics.attempt_histories import (
    count_all,
    create_learners,
    read_report,
    take_table,
)

pytestmark = pytest.mark.django_db
MARKS: list[list[Any]] = [
    [1, 1, 1, 1],
    [1, 1, 1, 0],
    [1, 1, 0, "1/2"],
    [1, 0, 1, 0],
    ["1/2", 1, 0, 0],
]


def test_the_task_counts_and_measures(users, into):
    questions = take_table(users, into, MARKS)
    assert update_statistics() == 5
    report = read_report()
    scores = report["all"]["scores"]
    assert (scores["n"], scores["mean"], scores["median"]) == (5, 2.6, 2.5)
    facilities = {row["version"]: row["facility"] for row in report["all"]["questions"]}
    versions = [str(question.versions.get().uuid) for question in questions]
    assert [facilities[version] for version in versions] == [0.9, 0.8, 0.6, 0.3]
    (option, *_) = report["all"]["questions"][0]["options"]
    assert (option["chosen"], option["is_right"], option["n"]) == (5, True, 5)
    assert update_statistics() == 0


def test_what_changed_is_measured_again_once_it_has_rested(users, a_quiz):
    take_quiz(a_quiz, users.learner)
    count_all()
    (due,) = list_due(NOW)
    measure(due, NOW)
    assert list_due(NOW) == []
    take_quiz(a_quiz, users.other_learner)
    count_all()
    QuizVersionStatistics.objects.update(seconds=2)
    assert list_due(NOW + timedelta(seconds=59)) == []
    assert len(list_due(NOW + timedelta(seconds=60))) == 1


def test_first_attempts_are_measured_apart_and_by_number(users, a_quiz):
    take_quiz(a_quiz, users.learner, {1: "b"}, NOW)
    take_quiz(a_quiz, users.learner, {0: "abc", 1: "b", 2: "b"}, NOW + timedelta(hours=9))
    count_all()
    report = build_report(QuizVersion.objects.get())
    assert report["all"]["scores"]["mean"] == 2
    assert report["first"]["scores"]["mean"] == 1
    assert [(group["number"], group["scores"]["mean"]) for group in report["all"]["groups"]] == [
        (1, 1),
        (2, 3),
    ]
    assert [group["n"] for group in report["all"]["questions"][0]["groups"]] == [1, 1]
    assert report["first"]["groups"] == []


def test_what_waits_for_a_mark_is_named(users, into):
    quiz = create_quiz(users, [create_essay(into)])
    attempt_with_essay(quiz, users.learner)
    update_statistics()
    report = read_report()
    assert (report["waiting"], report["all"]["scores"]) == (1, None)


def test_languages_with_few_learners_are_not_compared(users, a_quiz):
    for learner in create_learners(users, ["ana", "luis"]):
        take_quiz(a_quiz, learner, {1: "b"})
    count_all()
    assert build_report(QuizVersion.objects.get())["dif"] == []


def test_answers_of_attempts_that_began_together_stay_apart(users, a_quiz):
    for learner in create_learners(users, ["ana", "luis", "eva"]):
        take_quiz(a_quiz, learner, {1: "b"})
    count_all()
    patterns = load_patterns(QuizVersion.objects.get().pk).rows
    assert patterns.n == 3
    assert [len(answers) for (_language, answers), _count in patterns] == [3]
