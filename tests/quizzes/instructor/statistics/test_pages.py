"""The pages of statistics: the same figures as REST, remarks, charts with words, who sees them."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Membership, Role
from quizzes.instructor.statistics import quiz_page
from quizzes.instructor.statistics.number_texts import name_language
from quizzes.publishing.models import Quiz
from quizzes.statistics.models import QuizVersionStatistics
from quizzes.statistics.selectors import list_quizzes_with_statistics, load_quiz_statistics
from quizzes.statistics.tasks import update_statistics
from tests.attempt_helpers import take_quiz
from tests.factories import NOW, create_question, create_quiz
from tests.quizzes.statistics.attempt_histories import create_learners, take_table
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db
QUERIES = 12
MARKS: list[list[Any]] = [[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, "1/2"], [1, 0, 1, 0], [0, 0, 0, 1]]


def address(suffix: str = "") -> str:
    statistics = QuizVersionStatistics.objects.get()
    return reverse("admin:statistics_quizversionstatistics_change", args=[statistics.pk]) + suffix


def read(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def measured(users, into):
    take_table(users, into, MARKS)
    update_statistics()


def test_the_class_leads_to_the_statistics_of_its_quiz(users, a_quiz):
    page, client = (
        f"/admin/accounts/group/{users.group.pk}/class/",
        logged_in_client(users.instructor),
    )
    assert "/quizversionstatistics/" not in read(client, page).partition("class-links")[2]
    take_quiz(a_quiz, users.learner, {0: "abc"})
    update_statistics()
    assert address() in read(client, page)


def read_words(html: str) -> str:
    """Return what stands on a page, in one line."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_the_page_has_the_figures_with_limits_and_cautions(users, measured):
    words = read_words(read(logged_in_client(users.instructor), address()))
    report = QuizVersionStatistics.objects.get().report or {}
    scores, reliability = report["all"]["scores"], report["all"]["reliability"]
    assert f"Mean {scores['mean']:.2f} of 4" in words
    assert f"Reliability (alpha) {reliability['coefficient']:.2f}" in words
    assert "Fewer than 30 attempts: chance plays a large part." in words
    assert "Fewer than two languages have 50 learners." in words
    assert "At the pass mark of 3.20 points" in words


def test_what_several_questions_have_to_mind_is_written_once_below_the_table(users, measured):
    version = QuizVersionStatistics.objects.get().quiz_version
    report = load_quiz_statistics(
        quizzes=list_quizzes_with_statistics(users.instructor),
        quiz=version.quiz.uuid,
        quiz_version=version.uuid,
        selection="all",
    )
    few, other = "Fewer than 30.", "Drawn."
    questions = [
        replace(question, cautions=cautions)
        for question, cautions in zip(
            quiz_page.list_questions(report, frozenset()),
            [(few, other), (few,), (few,), ()],
            strict=True,
        )
    ]
    rows, sentences = quiz_page.share_cautions(questions)
    assert [row.cautions for row in rows] == [(other,), (), (), ()]
    assert sentences == ["Questions 1, 2, 3: Fewer than 30."]
    _rows, sentences = quiz_page.share_cautions([replace(row, cautions=(few,)) for row in rows])
    assert sentences == [few]


def test_a_page_in_spanish_bears_the_spanish_title(users, a_quiz):
    take_quiz(a_quiz, users.learner, {0: "abc"})
    update_statistics()
    page = logged_in_client(users.instructor).get(address(), headers={"accept-language": "es"})
    assert "Un examen #1" in page.content.decode()
    assert "A quiz" not in page.content.decode()
    assert ">75\N{NO-BREAK SPACE}%</text>" in page.content.decode()
    assert ">75%</text>" in read(logged_in_client(users.instructor), address())


def test_charts_have_words_and_tables_and_no_style_of_their_own(users, measured):
    html = read(logged_in_client(users.instructor), address())
    assert html.count('role="img"') == 2
    assert 'aria-describedby="scores-summary"' in html
    assert "5 attempts; " in html
    words = html.replace("\N{NO-BREAK SPACE}", " ")
    assert "The fullest range, 25% to 30% of the points, has 1 attempt." in words
    assert "Most scores" not in html
    main = html[html.index('class="sections"') :]
    assert " style=" not in main
    assert len(re.findall(r'<table class="own-table', html)) == 2


def test_a_key_that_good_learners_avoid_leads_to_the_question(users, into):
    wrong = create_question(into, "wrong", right="b", kind="single_choice")
    others = [
        create_question(into, f"q{place}", right="a", kind="single_choice") for place in "1234"
    ]
    quiz = create_quiz(users, [wrong, *others], shuffle_questions=False)
    for place, learner in enumerate(create_learners(users, [f"l{n}" for n in range(12)])):
        good = place % 2 == 0
        answers = dict.fromkeys(range(1, 5), "a" if good else "c")
        take_quiz(quiz, learner, {**answers, 0: "a" if good else "b"})
    update_statistics()
    client = logged_in_client(users.instructor)
    html = read(client, address())
    sentence = "Learners who do well avoid option B, which the key calls right"
    assert sentence in html
    path = reverse(
        "admin:statistics_question",
        args=[QuizVersionStatistics.objects.get().pk, wrong.versions.get().uuid],
    )
    assert path in html
    page = read(client, path)
    assert sentence in page
    assert reverse("admin:bank_question_change", args=[wrong.pk]) in page
    assert 'aria-describedby="options-summary"' in page
    assert "A · Option a" in read_words(page)


def test_first_attempts_are_a_click_away(users, a_quiz):
    take_quiz(a_quiz, users.learner, {1: "b"}, NOW)
    take_quiz(a_quiz, users.learner, {0: "abc", 1: "b", 2: "b"}, NOW + timedelta(hours=9))
    update_statistics()
    client = logged_in_client(users.instructor)
    assert "Mean 2.00 of 3" in read_words(read(client, address()))
    assert "attempt 2" in read_words(read(client, address()))
    assert "Mean 1.00 of 3" in read_words(read(client, address("?attempts=first")))


def test_before_anybody_is_graded_the_page_says_so(users, a_quiz):
    QuizVersionStatistics.objects.create(quiz_version=a_quiz.current)
    assert "Nobody has been graded yet." in read(logged_in_client(users.instructor), address())


def test_assistants_see_it_and_other_instructors_and_learners_do_not(users, measured):
    Membership.objects.create(group=users.group, user=users.stranger, role=Role.ASSISTANT)
    assert "Scores" in read(logged_in_client(users.stranger), address())
    assert logged_in_client(users.outsider).get(address()).status_code == 404
    assert logged_in_client(users.learner).get(address()).status_code in {302, 403, 404}
    changelist = reverse("admin:statistics_quizversionstatistics_changelist")
    assert address() in read(logged_in_client(users.stranger), changelist)
    assert address() not in read(logged_in_client(users.outsider), changelist)


def test_the_page_costs_the_same_for_more_attempts_and_questions(
    users, into, django_assert_num_queries: Callable[..., Any]
):
    client = logged_in_client(users.instructor)
    take_table(users, into, MARKS)
    update_statistics()
    read(client, address())
    with django_assert_num_queries(QUERIES):
        read(client, address())
    for learner in (users.learner, users.other_learner):
        take_quiz(Quiz.objects.get(), learner, {0: "a"})
    QuizVersionStatistics.objects.update(seconds=0)
    update_statistics()
    with django_assert_num_queries(QUERIES):
        assert "Attempts 7" in read_words(read(client, address()))


def test_a_question_that_nobody_had_has_no_page(users, a_quiz):
    take_quiz(a_quiz, users.learner)
    update_statistics()
    arguments = [QuizVersionStatistics.objects.get().pk, a_quiz.uuid]
    path = reverse("admin:statistics_question", args=arguments)
    assert logged_in_client(users.instructor).get(path).status_code == 404


@pytest.mark.parametrize(
    ("code", "name"), [("", "no answer"), ("en", "English"), ("es", "Español"), ("qaa", "qaa")]
)
def test_a_language_without_a_name_is_called_by_its_code(code, name):
    assert name_language(code) == name
