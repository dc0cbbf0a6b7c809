"""The gradebook of a class: exact grades and states in words, pages by name, who may read it."""

import re
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Group, Membership, Role
from quizzes.attempts import services as lifecycle
from quizzes.attempts.giving_up import give_up
from quizzes.attempts.models import State
from quizzes.bank.models import Question
from quizzes.instructor.classes import gradebook_page
from quizzes.lib.errors import NotFound
from quizzes.publishing.models import Mode, Quiz
from quizzes.results import gradebook, services
from quizzes.results.gradebook import GradeState, load_gradebook
from quizzes.results.selectors import load_quiz_grades
from tests.attempt_helpers import finish, save_choice, start, take_quiz
from tests.essay_factory import TEXT, create_essay, save_text
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.quizzes.statistics.attempt_histories import create_learners
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db
QUERIES = 13


@pytest.fixture
def thirds(users):
    """A quiz of three questions of one point, as many attempts as one likes."""
    bank = create_bank(users)
    questions = [create_question(bank, f"q{n}", right="a", kind="single_choice") for n in range(3)]
    return create_quiz(users, questions, shuffle_questions=False, window_attempts=None)


def address(group: Group, query: str = "") -> str:
    return reverse("admin:accounts_group_gradebook", args=[group.pk]) + query


def read_words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def cell_of(users, learner):
    gradebook = load_gradebook(group=users.group, viewer=users.instructor, limit=50)
    return next(row.cells[0] for row in gradebook.rows if row.learner == learner)


def test_a_practice_is_no_column_unless_it_was_graded_before(users, thirds):
    (question, *_rest) = Question.objects.order_by("pk")
    practice = create_quiz(users, [question], slug="practice", mode=Mode.PRACTICE)
    client = logged_in_client(users.instructor)
    assert [quiz.pk for quiz in load_quizzes(users)] == [thirds.pk]
    page = client.get(reverse("admin:accounts_group_class", args=[users.group.pk]))
    assert f"?quiz={thirds.uuid}" in page.content.decode()
    assert f"?quiz={practice.uuid}" not in page.content.decode()
    take_quiz(thirds, users.learner, {0: "a"})
    Quiz.objects.filter(pk=thirds.pk).update(mode=Mode.PRACTICE)
    assert [quiz.pk for quiz in load_quizzes(users)] == [thirds.pk]


def load_quizzes(users):
    return load_gradebook(group=users.group, viewer=users.instructor, limit=50).quizzes


def test_each_state_is_that_of_the_attempts(users, thirds):
    assert cell_of(users, users.learner).state == GradeState.NOT_BEGUN
    attempt = start(thirds, users.learner)
    assert cell_of(users, users.learner).state == GradeState.IN_PROGRESS
    services.void(attempt=attempt.uuid, by=users.instructor, reason="a test", now=NOW)
    assert cell_of(users, users.learner).state == GradeState.VOID
    take_quiz(thirds, users.learner, {0: "a"})
    assert cell_of(users, users.learner).state == GradeState.FAILED
    passing = take_quiz(thirds, users.learner, {0: "a", 1: "a", 2: "a"})
    cell = cell_of(users, users.learner)
    assert (cell.state, cell.attempt) == (GradeState.PASSED, passing.pk)
    assert cell_of(users, users.other_learner).state == GradeState.NOT_BEGUN


def test_the_score_is_the_quiz_grade_that_learners_read(users, thirds):
    take_quiz(thirds, users.learner, {0: "a"})
    take_quiz(thirds, users.learner, {})
    score = cell_of(users, users.learner).score
    assert score is not None
    assert (score.total, score.maximum) == (Fraction(1), Fraction(3))
    assert load_quiz_grades(learner=users.learner, now=NOW)[0].score == score


def test_an_attempt_that_is_submitted_waits(users, thirds):
    attempt = start(thirds, users.learner)
    lifecycle.submit(attempt=attempt.uuid, learner=users.learner, now=NOW)
    attempt.refresh_from_db()
    assert attempt.state == State.SUBMITTED
    assert cell_of(users, users.learner).state == GradeState.WAITING


def test_a_grade_that_a_person_has_still_to_finish_is_not_one_that_failed(users):
    bank = create_bank(users)
    quiz = create_quiz(
        users, [create_question(bank, "q0", right="a", kind="single_choice"), create_essay(bank)]
    )
    attempt = start(quiz, users.learner)
    save_choice(attempt, 0, "a")
    save_text(attempt, 1, TEXT)
    finish(attempt)
    cell = cell_of(users, users.learner)
    assert cell.score is not None
    assert (cell.state, cell.score.passed) == (GradeState.WAITING, False)
    html = logged_in_client(users.instructor).get(address(users.group)).content.decode()
    assert "waits for grading" in read_words(html)


def test_an_attempt_of_staff_is_none_of_the_class(users, thirds):
    Membership.objects.create(user=users.administrator, group=users.group, role=Role.LEARNER)
    attempt = take_quiz(thirds, users.administrator, {0: "a", 1: "a", 2: "a"})
    assert attempt.is_staff_attempt
    cell = cell_of(users, users.administrator)
    assert (cell.state, cell.score, cell.attempt) == (GradeState.NOT_BEGUN, None, None)


def test_the_page_says_points_per_cent_and_state_and_leads_to_the_attempt(users, thirds):
    attempt = take_quiz(thirds, users.learner, {0: "a"})
    client = logged_in_client(users.instructor)
    html = client.get(address(users.group)).content.decode()
    assert "not passed 33.33% · 1 of 3" in read_words(html)
    assert "not begun" in read_words(html)
    in_spanish = client.get(address(users.group), headers={"Accept-Language": "es"})
    assert "no aprobado 33,33 % · 1 de 3" in read_words(in_spanish.content.decode())
    assert reverse("admin:attempts_attempt_change", args=[attempt.pk]) in html
    page = client.get(reverse("admin:accounts_group_class", args=[users.group.pk]))
    assert address(users.group) in page.content.decode()


def test_pages_follow_each_other_without_gap_or_repeat(users, thirds):
    create_learners(users, [f"l{n}" for n in range(3)])
    names, after = list[str](), None
    while True:
        page = load_gradebook(group=users.group, viewer=users.instructor, after=after, limit=2)
        names += [row.learner.name for row in page.rows]
        after = page.next_after
        if after is None:
            break
    assert sorted(names) == sorted({"Learner", "Other_Learner", *(f"L{n}" for n in range(3))})
    assert len(names) == 5


def test_the_page_leads_to_the_next_learners(users, thirds, monkeypatch):
    monkeypatch.setattr(gradebook_page, "LEARNERS_PER_PAGE", 1)
    client = logged_in_client(users.instructor)
    html = client.get(address(users.group)).content.decode()
    query = re.search(r'href="(\?q=[^"]*&amp;after=\d+)"', html)
    assert query
    following = client.get(address(users.group, query[1].replace("&amp;", "&"))).content.decode()
    assert following.count('<th scope="row">') == 1
    assert html.count('<th scope="row">') == 1
    assert "Other_Learner" in read_words(following)
    assert "Next learners" not in following


@pytest.mark.parametrize("search", ["other_l", "OTHER_LEARNER@", "s-77"])
def test_a_search_is_of_name_address_and_school_id(users, thirds, search):
    users.other_learner.school_id = "S-77"
    users.other_learner.save()
    html = logged_in_client(users.instructor).get(address(users.group), {"q": search})
    words = read_words(html.content.decode().partition("<tbody>")[2])
    assert "Other_Learner" in words
    assert words.count("not begun") == 1


def test_an_open_retake_stands_beside_the_grade(users, thirds):
    take_quiz(thirds, users.learner, {0: "a"})
    assert not cell_of(users, users.learner).is_retaking
    start(thirds, users.learner)
    cell = cell_of(users, users.learner)
    assert (cell.state, cell.is_retaking) == (GradeState.FAILED, True)
    html = logged_in_client(users.instructor).get(address(users.group)).content.decode()
    assert "not passed another attempt in progress 33.33%" in read_words(html)


def test_who_gave_up_is_marked(users, thirds):
    take_quiz(thirds, users.learner, {0: "a"})
    give_up(quiz=thirds.uuid, learner=users.learner, now=NOW)
    assert cell_of(users, users.learner).has_given_up
    html = logged_in_client(users.instructor).get(address(users.group)).content.decode()
    assert "not passed gave up further attempts 33.33%" in read_words(html)


def test_learners_are_listed_by_state_and_quiz_page_by_page(users, thirds, monkeypatch):
    monkeypatch.setattr(gradebook, "LEARNERS_AT_ONCE", 2)
    monkeypatch.setattr(gradebook_page, "LEARNERS_PER_PAGE", 2)
    other = create_quiz(users, [thirds.sections.first().slots.first().question], slug="other")
    learners = create_learners(users, [f"l{n}" for n in range(5)])
    for learner in learners[::2]:
        take_quiz(thirds, learner, {0: "a"})
    take_quiz(other, learners[1], {0: "b"})
    client, query = logged_in_client(users.instructor), f"?state=failed&quiz={thirds.uuid}"
    html = client.get(address(users.group, query)).content.decode()
    assert re.findall(r"L\d", read_words(html)) == ["L0", "L2"]
    assert html.count('<th scope="col">') == 2
    following = re.search(r'href="(\?q=&amp;quiz=[^"]+after=\d+)"', html)
    assert following
    html = client.get(address(users.group, following[1].replace("&amp;", "&"))).content.decode()
    assert re.findall(r"L\d", read_words(html)) == ["L4"]
    assert "Next learners" not in html
    page = load_gradebook(
        group=users.group, viewer=users.instructor, state=GradeState.FAILED, limit=50
    )
    assert [row.learner.name for row in page.rows] == ["L0", "L1", "L2", "L4"]
    assert len(page.rows[0].cells) == 2


@pytest.mark.parametrize(
    "query", ["?state=x", "?quiz=x", "?quiz=00000000-0000-0000-0000-000000000000"]
)
def test_a_filter_that_there_is_not_is_not_found(users, thirds, query):
    assert logged_in_client(users.instructor).get(address(users.group, query)).status_code == 404


def test_more_learners_and_quizzes_cost_no_more_queries(users, thirds):
    client = logged_in_client(users.instructor)
    client.get(address(users.group))
    take_quiz(thirds, users.learner, {0: "a"})
    with CaptureQueriesContext(connection) as few:
        client.get(address(users.group))
    for learner in create_learners(users, [f"l{n}" for n in range(2)]):
        take_quiz(thirds, learner, {0: "a"})
    with CaptureQueriesContext(connection) as many:
        client.get(address(users.group))
    assert len(many) == len(few) <= QUERIES


def test_only_who_teaches_the_class_finds_the_page(users, thirds):
    for person in (users.outsider, users.learner, users.stranger):
        assert logged_in_client(person).get(address(users.group)).status_code == 404
        with pytest.raises(NotFound):
            load_gradebook(group=users.group, viewer=person, limit=50)
    assert logged_in_client(users.administrator).get(address(users.group)).status_code == 200


@pytest.mark.parametrize("after", ["x", "-1", "9" * 30, "²"])
def test_a_place_that_is_none_is_not_found(users, thirds, after):
    client = logged_in_client(users.instructor)
    assert client.get(address(users.group), {"after": after}).status_code == 404


def test_who_has_left_or_not_confirmed_is_not_listed(users, thirds):
    Membership.objects.filter(user=users.other_learner).delete()
    users.learner.confirmed_email = ""
    users.learner.save()
    assert load_gradebook(group=users.group, viewer=users.instructor, limit=50).rows == ()
