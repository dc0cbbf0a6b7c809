"""Marking in the admin: the queue, piles, answers without names, and two blind to each other."""

import re

import pytest
from django.test import Client

from accounts.models import Membership, Role
from quizzes.attempts.models import Attempt
from quizzes.results import services
from quizzes.results.grading_queue import build_attempt_token, list_answers, load_queue
from quizzes.results.models import ManualGrade
from quizzes.results.selectors import load_report
from tests.attempt_helpers import save_choice, start
from tests.essay_factory import TEXT, attempt_with_essay, create_essay, grade_essay, levels
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.users import create_user, logged_in_client

pytestmark = pytest.mark.django_db

QUEUE = "/admin/results/manualgrade/"
ALL = {"level-idea": "idea-2", "level-form": "form-1", "comment": "Well said"}


@pytest.fixture
def author(users) -> Client:
    return logged_in_client(users.instructor)


@pytest.fixture
def colleague(users):
    user = create_user("colleague")
    Membership.objects.create(group=users.group, user=user, role=Role.INSTRUCTOR)
    return user


@pytest.fixture
def question(users):
    return create_essay(create_bank(users), minimum_words=5, maximum_words=8)


@pytest.fixture
def of(users, question):
    return create_quiz(users, [question], points=5)


@pytest.fixture
def written(users, of) -> Attempt:
    return attempt_with_essay(of, users.learner)


def pile_of(attempt: Attempt) -> str:
    return f"{QUEUE}{attempt.quiz.uuid}/{attempt.manifest['slots'][0]['question']}/"


def page_of(attempt: Attempt) -> str:
    return f"{pile_of(attempt)}{build_attempt_token(attempt.uuid)}/"


def text(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status
    return answer.content.decode()


def total(attempt: Attempt):
    score = load_report(
        attempt=attempt.uuid, viewer=attempt.learner, language="en", now=NOW
    ).summary.score
    assert score is not None
    return score.total


# --- The queue -------------------------------------------------------------------------------
def test_the_queue_counts_what_waits_by_quiz_and_question(users, author, question, of, written):
    attempt_with_essay(of, users.other_learner)
    attempt_with_essay(create_quiz(users, [question], slug="second"), users.learner)
    piles = load_queue(users.instructor)
    assert [(pile.quiz == of.uuid, pile.needs_grading) for pile in piles] == [(True, 2), (False, 1)]
    page = text(author, QUEUE)
    assert page.count("Write why.") == 2
    assert pile_of(written) in page


def test_an_empty_queue_says_so(author, of):
    assert "There is nothing to grade" in text(author, QUEUE)


def test_what_is_unanswered_marked_open_or_void_does_not_wait(users, author, of, written):
    attempt_with_essay(of, users.other_learner, text="")
    start(of, users.administrator)
    grade_essay(written, users.instructor)
    assert load_queue(users.instructor) == []
    again = attempt_with_essay(of, users.learner)
    assert [pile.needs_grading for pile in load_queue(users.instructor)] == [1]
    services.void(attempt=again.uuid, by=users.instructor, reason="fire", now=NOW)
    assert load_queue(users.instructor) == []


def test_the_menu_leads_to_the_queue(author):
    assert QUEUE in text(author, "/admin/")


@pytest.mark.parametrize("who", ["learner", "other_learner", "stranger"])
def test_those_who_teach_nobody_find_nothing(users, written, who):
    client = logged_in_client(getattr(users, who))
    for address in (QUEUE, pile_of(written), page_of(written)):
        text(client, address, 404)
        assert client.post(address, ALL).status_code == 404
    assert not ManualGrade.objects.exists()


def test_an_instructor_of_another_group_finds_nothing(users, written):
    client = logged_in_client(users.outsider)
    assert "There is nothing to grade" in text(client, QUEUE)
    for address in (pile_of(written), page_of(written)):
        text(client, address, 404)
        assert client.post(address, ALL).status_code == 404
    assert not ManualGrade.objects.exists()


def test_the_nameless_are_asked_to_sign_in(written):
    assert Client().get(page_of(written)).status_code == 302


def test_an_administrator_marks_too(users, written):
    client = logged_in_client(users.administrator)
    assert client.post(page_of(written), ALL).status_code == 302
    assert total(written) == 5


def test_ones_own_attempt_is_not_there(users, author, of):
    mine = attempt_with_essay(of, users.instructor)
    assert load_queue(users.instructor) == []
    text(author, page_of(mine), 404)


def test_an_answer_that_is_not_there_is_not_found(author, written):
    text(author, f"{pile_of(written)}{'0' * 24}/", 404)


# --- One answer ------------------------------------------------------------------------------
def test_an_answer_is_shown_with_question_length_and_rubric_but_not_with_its_author(
    users, author, written
):
    page = text(author, page_of(written))
    for words in ("Write why.", TEXT, '<b class="figures">9</b>', "too many words"):
        assert words in page
    for words in ("Criterion idea", "Level idea-2", "4 points", "1 point", "Save and next"):
        assert words in page
    written.learner.refresh_from_db()
    for secret in (
        written.learner.name,
        written.learner.email,
        str(written.learner.uuid),
        str(written.uuid),
    ):
        assert secret not in page
        assert secret not in text(author, pile_of(written))


def test_the_name_of_an_answer_is_the_same_always_and_sorts_it(users, author, of, written):
    attempt_with_essay(of, users.other_learner)
    [question] = {slot["question"] for slot in written.manifest["slots"]}
    listed = list_answers(grader=users.instructor, quiz=of.uuid, question=question)
    assert [listed_answer.token for listed_answer in listed] == sorted(
        listed_answer.token for listed_answer in listed
    )
    mine = next(listed_answer for listed_answer in listed if listed_answer.attempt == written.uuid)
    assert re.fullmatch("[0-9A-F]{6}", mine.name)
    assert f"<h2>Answer {mine.name}</h2>" in text(author, page_of(written))
    grade_essay(written, users.instructor)
    assert f"Answer {mine.name}" in text(author, page_of(written))


@pytest.mark.parametrize("evil", ["<script>alert(1)</script>", "</div><img src=x onerror=a()>"])
def test_a_text_is_shown_as_it_was_typed_and_never_runs(users, author, of, evil):
    attempt = attempt_with_essay(of, users.learner, text=f"one\n  two {evil}")
    grade_essay(attempt, users.instructor, comment=evil)
    page = text(author, page_of(attempt))
    assert evil not in page
    assert "one\n  two &lt;" in page


def test_saving_marks_it_and_goes_on_to_the_next_until_none_is_left(users, author, of, written):
    other = attempt_with_essay(of, users.other_learner)
    first, second = sorted((written, other), key=lambda attempt: build_attempt_token(attempt.uuid))
    assert author.get(pile_of(written)).context["next_url"] == page_of(first)
    assert author.post(page_of(first), ALL).url == page_of(second)
    assert author.post(page_of(second), {**ALL, "stay": "1"}).url == page_of(second)
    last = author.post(page_of(second), ALL, follow=True)
    assert last.redirect_chain[-1][0] == pile_of(written)
    text = last.content.decode()
    assert "nothing left for you to grade" in text
    assert f"The grade of answer {build_attempt_token(second.uuid)[:6].upper()} is saved." in text
    assert (total(first), total(second)) == (5, 5)


def test_what_is_missing_is_said_where_it_is_missing_and_nothing_is_lost(author, written):
    answer = author.post(page_of(written), {"level-form": "form-1", "comment": "So far"})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert page.count("Choose a level.") == 1
    assert "So far" in page
    assert re.search(r'value="form-1"\s+required\s+checked', page)
    assert not ManualGrade.objects.exists()


def test_a_mark_of_ones_own_is_filled_in_and_may_be_given_anew(users, author, written):
    grade_essay(written, users.instructor, levels(1, 0), comment="Hm")
    page = text(author, page_of(written))
    assert re.search(r'value="idea-1"\s+required\s+checked', page)
    assert "Hm" in page
    assert "Final grade" not in page
    author.post(page_of(written), ALL)
    assert total(written) == 5
    assert set(ManualGrade.objects.values_list("purpose", flat=True)) == {"first"}


@pytest.mark.parametrize("seen", ["", "x", "²", "9" * 5000])
def test_settling_without_knowing_what_stands_is_refused(author, users, twice, colleague, seen):
    grade_essay(twice, users.instructor, levels(2, 1))
    grade_essay(twice, colleague, levels(0, 0))
    answer = author.post(page_of(twice), {**ALL, "final": "1", "seen": seen})
    assert answer.status_code == 409
    assert total(twice) == 0


@pytest.mark.parametrize(
    ("typed", "earned"),
    [("2", 2), ("2.5", "5/2"), ("2,5", "5/2"), ("7/3", "7/3"), ("2 1/3", "7/3")],
)
def test_points_are_given_where_there_is_no_rubric(users, author, typed, earned):
    attempt = attempt_with_essay(
        create_quiz(users, [create_essay(create_bank(users), criteria={})], points=5), users.learner
    )
    assert "from 0 to 5" in text(author, page_of(attempt))
    assert author.post(page_of(attempt), {"points": typed}).status_code == 302
    assert str(total(attempt)) == str(earned)


@pytest.mark.parametrize(
    "typed",
    ["", "six", "5.01", "-1", "2 -1/3", "1_0", "1e9", "1/0", "nan", "9" * 50, "1/99999999999"],
)
def test_points_that_make_no_sense_are_refused_with_a_word(users, author, typed):
    attempt = attempt_with_essay(
        create_quiz(users, [create_essay(create_bank(users), criteria={})], points=5), users.learner
    )
    answer = author.post(page_of(attempt), {"points": typed})
    assert answer.status_code == 200
    text = answer.content.decode()
    assert "Write a number from 0 to 5" in text or "fewer digits" in text
    assert not ManualGrade.objects.exists()


# --- Two graders -----------------------------------------------------------------------------
@pytest.fixture
def twice(users) -> Attempt:
    return attempt_with_essay(
        create_quiz(users, [create_essay(create_bank(users), graders=2)], points=5), users.learner
    )


def test_the_second_marker_sees_nothing_of_the_first(users, twice, colleague):
    grade_essay(twice, users.instructor, levels(0, 0), comment="Poor")
    client = logged_in_client(colleague)
    for address in (QUEUE, pile_of(twice), page_of(twice)):
        page = text(client, address)
        assert "Poor" not in page
        assert "Instructor" not in page
        assert "Grades so far" not in page
    assert [pile.needs_grading for pile in load_queue(colleague)] == [1]
    [pile] = load_queue(users.instructor)
    assert (pile.needs_grading, pile.graded_by_me) == (0, 1)


def test_marks_that_differ_stand_side_by_side_and_are_settled(users, author, twice, colleague):
    grade_essay(twice, users.instructor, levels(2, 1), comment="Splendid")
    grade_essay(twice, colleague, levels(0, 0), comment="Poor")
    assert [pile.disagreement for pile in load_queue(users.instructor)] == [1]
    page = text(author, page_of(twice))
    for words in ("Splendid", "Poor", "Colleague", "Your grade", "5 / 5", "0 / 5", "Final grade"):
        assert words in page
    seen = re.search(r'name="seen" value="(\d+)"', page)
    assert seen
    sent = {"level-idea": "idea-1", "level-form": "form-1", "final": "1", "seen": seen[1]}
    assert author.post(page_of(twice), sent).url == pile_of(twice)
    assert total(twice) == 3
    assert load_queue(users.instructor) == []


def test_settling_over_a_mark_one_has_not_seen_is_refused_and_shows_it(
    users, author, twice, colleague
):
    grade_essay(twice, users.instructor, levels(2, 1))
    grade_essay(twice, colleague, levels(0, 0))
    grade_essay(twice, colleague, levels(1, 0), comment="On second thoughts")
    answer = author.post(page_of(twice), {**ALL, "final": "1", "seen": "2"})
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "graded again in the meantime" in page
    assert "On second thoughts" in page
    assert total(twice) == 0


def test_a_colleague_who_was_faster_is_not_overwritten(users, author, written, colleague):
    grade_essay(written, colleague, levels(0, 0), comment="Poor")
    answer = author.post(page_of(written), ALL)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "Somebody else has graded this answer" in page
    assert "Poor" in page
    assert 'name="final" value="1"' in page
    assert "Well said" in page
    assert total(written) == 0


# --- Languages and cost ----------------------------------------------------------------------
def test_the_pages_speak_the_language_of_their_reader(author, written):
    author.cookies["language"] = "es"
    assert "Escribe why." in text(author, QUEUE)
    page = text(author, page_of(written))
    assert "Criterio idea" in page
    assert "Nivel idea-2" in page


def test_the_queue_and_an_answer_cost_little_however_much_waits(users, author, of, counted):
    into = create_bank(users, "more")
    attempt = attempt_with_essay(of, users.learner)
    for _ in range(2):
        text(author, QUEUE)
        text(author, page_of(attempt))
    with counted() as few:
        text(author, QUEUE)
    with counted() as marking:
        text(author, page_of(attempt))
    assert len(few) <= 8, few
    assert len(marking) <= 10, marking
    attempt_with_essay(of, users.other_learner)
    for n in range(4):
        attempt_with_essay(
            create_quiz(users, [create_essay(into, f"more-{n}")], slug=f"more-{n}"), users.learner
        )
    text(author, QUEUE)
    with counted() as many:
        text(author, QUEUE)
    with counted() as marking_many:
        text(author, page_of(attempt))
    assert len(many) == len(few)
    assert len(marking_many) == len(marking)


def test_choices_beside_essays_are_none_of_the_queues_business(users, question):
    into = create_bank(users, "more")
    mixed = create_quiz(
        users, [create_question(into, "one", right="b", kind="single_choice"), question], slug="mix"
    )
    attempt = start(mixed, users.learner)
    save_choice(attempt, 0, "b")
    attempt_with_essay(mixed, users.learner, slot=1)
    assert [pile.needs_grading for pile in load_queue(users.instructor)] == [1]
