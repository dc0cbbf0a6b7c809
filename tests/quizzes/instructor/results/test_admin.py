"""Attempts and results in the admin: read by those who teach, the numbers everybody sees."""

import re
from datetime import timedelta
from fractions import Fraction
from uuid import uuid4

import pytest
from django.utils import translation

from accounts.models import Membership, Role
from quizzes.attempts import services as attempts
from quizzes.attempts.models import Attempt, Response, State
from quizzes.attempts.responses import ResponseInput, save_responses
from quizzes.lib import clock
from quizzes.presentation.formatting import format_points
from quizzes.results import services
from quizzes.results.selectors import load_report
from tests.factories import NOW, create_quiz, option_ids
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

LIST = "/admin/attempts/attempt/"


def page_of(attempt: Attempt, page: str = "change") -> str:
    return f"{LIST}{attempt.pk}/{page}/"


def answer(attempt, question, *letters, slot=0, base=None, now=NOW):
    raw = {"chosen": option_ids(question, *letters)}
    response_input = ResponseInput(slot=slot, raw=raw, idempotency_key=uuid4(), base_revision=base)
    save_responses(
        attempt=attempt.uuid,
        learner=attempt.learner,
        inputs=[response_input],
        language="en",
        now=now,
    )


@pytest.fixture
def author(users):
    return logged_in_client(users.instructor)


@pytest.fixture
def graded(users, a_quiz, questions) -> Attempt:
    """Five thirds of three points; one save crossed another, one came late."""
    attempt = attempts.start(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    answer(attempt, questions[0], "a", "b")
    answer(attempt, questions[0], "d", base=0)
    answer(attempt, questions[1], "b", slot=1)
    services.finish(attempt=attempt.uuid, learner=users.learner, now=NOW)
    answer(attempt, questions[2], "b", slot=2, now=NOW + timedelta(minutes=1))
    attempt.refresh_from_db()
    return attempt


def test_the_list_shows_the_number_that_page_and_program_show(author, users, graded):
    score = load_report(
        attempt=graded.uuid, viewer=users.learner, language="en", now=NOW
    ).summary.score
    assert score is not None
    page = author.get(LIST).content.decode()
    assert f"{score.percent}% · 1 2/3 of 3" in page
    assert "not passed" in page
    assert "Learner" in page


def test_numbers_are_written_as_the_reader_writes_them(author, graded):
    author.cookies["language"] = "es"
    assert "55,55" in author.get(LIST).content.decode()


def test_an_open_attempt_has_no_score(author, users, a_quiz):
    attempts.start(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    row = author.get(LIST).context["cl"].result_list[0]
    assert row.summary.score is None


def test_the_report_tells_every_question_and_every_save(author, graded):
    page = author.get(page_of(graded)).content.decode()
    for words in ("partly right", "not answered", "chosen, right", "right, not chosen"):
        assert words in page
    assert "another tab had saved first" in page
    assert "came after the deadline" in page
    assert "Feedback a many" in page
    assert "Because many" in page


def test_an_attempt_under_way_can_be_looked_at(author, users, a_quiz, questions):
    attempt = attempts.start(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    answer(attempt, questions[0], "a")
    page = author.get(page_of(attempt))
    assert page.status_code == 200
    assert "counts" in page.content.decode()


def test_an_instructor_who_takes_a_quiz_sees_no_more_of_it_than_a_learner(author, users, a_quiz):
    attempt = attempts.start(quiz=a_quiz.uuid, learner=users.instructor, now=NOW)
    page = author.get(page_of(attempt)).content.decode()
    assert "Feedback a many" not in page
    assert "right, not chosen" not in page


def test_attempts_are_read_and_never_written(author, graded):
    before = Attempt.objects.values().get(pk=graded.pk)
    author.post(page_of(graded), {"state": "open", "void_reason": "x", "_save": "1"})
    author.post(LIST, {"action": "delete_selected", "_selected_action": [graded.pk], "post": "yes"})
    assert author.get(f"{LIST}add/").status_code in {403, 404}
    assert author.get(page_of(graded, "delete")).status_code == 200  # what to do instead
    assert author.post(page_of(graded, "delete"), {"post": "yes"}).status_code == 409
    assert Attempt.objects.values().get(pk=graded.pk) == before


def test_voiding_asks_for_a_reason_and_says_what_it_does(author, users, graded):
    page = author.get(page_of(graded, "void")).content.decode()
    assert "Attempt 1 of Learner will no longer count" in page
    refused = author.post(page_of(graded, "void"), {"reason": "  "})
    assert "Say why" in refused.content.decode()
    graded.refresh_from_db()
    assert graded.state == State.GRADED
    assert author.post(page_of(graded, "void"), {"reason": "Fire alarm"}).status_code == 302
    graded.refresh_from_db()
    assert (graded.state, graded.void_reason) == (State.VOID, "Fire alarm")
    assert graded.quiz_grade.attempts_graded == 0
    assert "Fire alarm" in author.get(page_of(graded)).content.decode()
    assert Response.objects.filter(attempt=graded).count() == 4


def extend(client, attempt: Attempt, **fields: str):
    form = {"action": "extend_time", "_selected_action": [attempt.pk], **fields}
    return client.post(LIST, form, follow=True).content.decode()


@pytest.fixture
def running(users, questions):
    of = create_quiz(users, questions, slug="timed", time_limit=60)
    return attempts.start(quiz=of.uuid, learner=users.learner, now=clock.now())


def test_more_time_is_given_to_the_attempts_that_are_chosen(author, running):
    page = extend(author, running)
    assert "The deadline of 1 attempt moves out" in page
    assert "This field is required" in extend(author, running, minutes="10", reason=" ")
    before = running.deadline_at
    assert "1 attempt has more time" in extend(author, running, minutes="10", reason="Fire alarm")
    running.refresh_from_db()
    assert running.deadline_at == before + timedelta(minutes=10)


def test_no_more_time_for_what_is_over(author, graded):
    assert "None of these attempts is open" in extend(author, graded)


@pytest.mark.parametrize("role", ["outsider", "learner"])
def test_others_give_no_time(users, running, role):
    before = running.deadline_at
    extend(logged_in_client(getattr(users, role)), running, minutes="10", reason="spite")
    running.refresh_from_db()
    assert running.deadline_at == before


def test_who_assists_in_the_class_of_a_learner_gives_them_no_time(users, running):
    Membership.objects.create(group=users.group, user=users.outsider, role=Role.ASSISTANT)
    before = running.deadline_at
    page = extend(logged_in_client(users.outsider), running, minutes="10", reason="kindness")
    assert "Only those who teach a learner can give them more time" in page
    running.refresh_from_db()
    assert running.deadline_at == before


@pytest.mark.parametrize("role", ["outsider", "learner", "other_learner"])
def test_others_void_nothing(users, graded, role):
    client = logged_in_client(getattr(users, role))
    assert client.post(page_of(graded, "void"), {"reason": "spite"}).status_code == 404
    assert client.get(page_of(graded)).status_code in {302, 404}
    graded.refresh_from_db()
    assert graded.state == State.GRADED


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("?quiz=quiz", 1),
        ("?quiz=other", 1),
        ("?state__exact=graded", 1),
        ("?state__exact=open", 1),
        ("?result__grading__passed__exact=0", 1),
        ("?result__grading__passed__exact=1", 0),
        ("?q=learner", 2),
        ("?q=nobody", 0),
        ("?q=other+quiz", 0),
        ("?q=other_learner+other", 1),
        ("?q=other_learner+nobody", 0),
    ],
)
def test_attempts_are_found(author, users, graded, questions, *, query, count):
    other = create_quiz(users, questions[:1], slug="other")
    attempts.start(quiz=other.uuid, learner=users.other_learner, now=NOW)
    assert len(author.get(LIST + query).context["cl"].result_list) == count


def test_filters_name_only_quizzes_one_oversees(users, graded):
    page = logged_in_client(users.outsider).get(LIST)
    assert page.status_code == 200
    assert "A quiz" not in page.content.decode()


def test_the_newest_quizzes_are_offered_and_an_older_one_is_still_found(
    author, users, graded, questions, monkeypatch
):
    monkeypatch.setattr("quizzes.instructor.results.admin.MOST_QUIZZES", 1)
    newer = create_quiz(users, questions[:1], slug="newer")
    attempts.start(quiz=newer.uuid, learner=users.other_learner, now=NOW)
    create_quiz(users, questions[:1], slug="idle")
    page = author.get(LIST)
    assert "?quiz=newer" in page.content.decode()
    assert "?quiz=quiz" not in page.content.decode()
    assert len(author.get(f"{LIST}?quiz=quiz").context["cl"].result_list) == 1


def test_nothing_can_be_found_out_about_people_by_filtering(author, graded):
    answer = author.get(LIST, {"learner__password__startswith": "m"})
    assert answer.status_code in {302, 400}


def test_the_way_out_as_a_table_is_linked(author, graded):
    assert 'href="/api/v1/results.csv"' in author.get(LIST).content.decode()


def test_the_list_asks_as_often_for_many_as_for_few(author, users, graded, questions, counted):
    author.get(LIST)
    with counted() as few:
        author.get(LIST)
    for n in range(4):
        more = create_quiz(users, questions[:1], slug=f"more-{n}")
        attempt = attempts.start(quiz=more.uuid, learner=users.other_learner, now=NOW)
        services.finish(attempt=attempt.uuid, learner=users.other_learner, now=NOW)
    with counted() as many:
        author.get(LIST)
    assert len(many) == len(few)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Fraction(8), "8"),
        (Fraction(1, 4), "0.25"),
        (Fraction(79, 3), "26 1/3"),
        (Fraction(-1, 3), "−1/3"),
        (Fraction(2, 3), "2/3"),
        (Fraction(1, 20_000), "1/20000"),
    ],
)
def test_numbers_are_exact(value, written):
    with translation.override("en"):
        assert format_points(value) == written


def override_page(attempt: Attempt, number: int = 2) -> str:
    return f"{LIST}{attempt.pk}/score/{number}/"


def test_a_score_is_replaced_from_the_page_of_the_attempt(author, graded):
    report = author.get(page_of(graded)).content.decode()
    assert override_page(graded) in report
    page = author.get(override_page(graded)).content.decode()
    assert "Computed: 1 of 1 point." in page
    form = {"points": "1/2", "reason": "Option c was unclear", "seen": "0"}
    assert author.post(override_page(graded), form).status_code == 302
    page = author.get(override_page(graded)).content.decode()
    assert "A person changed it to 1/2" in page or "A person changed it to 0.5" in page
    report = author.get(page_of(graded)).content.decode()
    assert "Changed by a person" in report
    assert "Option c was unclear" in report
    result = logged_in_client(graded.learner).get(f"/attempts/{graded.uuid}/result")
    assert "Option c was unclear" in result.content.decode()
    form = {"withdraw": "1", "reason": "It was clear", "seen": "1"}
    assert author.post(override_page(graded), form).status_code == 302
    assert "Changed by a person" not in author.get(page_of(graded)).content.decode()


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"points": "2"}, 200, "Write a number from 0 to 1"),
        ({"points": "many"}, 200, "Write a number from 0 to 1"),
        ({"reason": " "}, 200, "Say why"),
        ({"points": "1/10007"}, 200, "fewer digits"),
        ({"seen": "3"}, 409, "in the meantime"),
        ({"withdraw": "1"}, 409, "counts already"),
    ],
)
def test_what_cannot_be_saved_is_said_and_what_was_typed_stays(
    author, graded, fields, status, sentence
):
    form = {"points": "1/2", "reason": "Unclear option", "seen": "0"} | fields
    answer = author.post(override_page(graded), form)
    assert answer.status_code == status
    page = answer.content.decode()
    assert sentence in page
    assert form["points"] in page
    assert form["reason"].strip() in page
    graded.refresh_from_db()
    assert graded.gradings.count() == 1


@pytest.mark.parametrize("number", [0, 4, 99])
def test_there_is_no_score_of_a_question_that_is_not_there(author, graded, number):
    assert author.get(override_page(graded, number)).status_code == 404


def test_who_assists_replaces_scores_and_others_do_not(users, graded):
    form = {"points": "0", "reason": "Copied", "seen": "0"}
    for person in (users.outsider, users.learner, users.other_learner):
        client = logged_in_client(person)
        assert client.post(override_page(graded), form).status_code in {302, 404}
        assert graded.gradings.count() == 1
    Membership.objects.create(group=users.group, user=users.outsider, role=Role.ASSISTANT)
    logged_in_client(users.outsider).post(override_page(graded), form)
    assert graded.gradings.count() == 2


def progress_page(quiz) -> str:
    return f"{LIST}progress/{quiz.uuid}/"


def test_the_page_of_a_running_quiz_says_how_far_each_learner_is(author, users, running):
    page = author.get(progress_page(running.quiz)).content.decode()
    assert "in progress" in page
    assert "0 / 3" in page
    assert "not begun" in page
    assert f'name="attempt" value="{running.pk}"' in page
    rows = author.get(progress_page(running.quiz) + "?rows").content.decode()
    assert "0 / 3" in rows
    assert "<html" not in rows


def test_counts_agree_in_spanish_and_another_day_is_written_as_everywhere(author, users, a_quiz):
    attempts.start(quiz=a_quiz.uuid, learner=users.learner, now=NOW)
    author.cookies["language"] = "es"
    page = author.get(progress_page(a_quiz) + "?rows").content.decode()
    words = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "0 entregados 0 anulados" in words
    assert "21 nov, 12:00 UTC" in words
    assert "2026-11-21 12:00" not in words


def test_who_assists_sees_who_is_in_it_and_gives_no_time(users, running):
    Membership.objects.create(group=users.group, user=users.outsider, role=Role.ASSISTANT)
    page = logged_in_client(users.outsider).get(progress_page(running.quiz)).content.decode()
    assert "in progress" in page


@pytest.mark.parametrize("role", ["outsider", "learner", "stranger"])
def test_others_find_no_page_of_a_running_quiz(users, running, role):
    client = logged_in_client(getattr(users, role))
    assert client.get(progress_page(running.quiz)).status_code in {302, 404}
    assert client.get(f"{LIST}progress/{uuid4()}/").status_code in {302, 404}


def total_page(attempt: Attempt) -> str:
    return f"{LIST}{attempt.pk}/score/"


def test_the_score_of_an_attempt_is_replaced_from_its_page(author, users, graded):
    assert total_page(graded) in author.get(page_of(graded)).content.decode()
    page = author.get(total_page(graded)).content.decode()
    assert "Sum of the questions: " in page
    form = {"points": "0.5", "reason": "Two days late", "seen": "0"}
    assert author.post(total_page(graded), form).status_code == 302
    assert "A person changed it to 0.5" in author.get(total_page(graded)).content.decode()
    assert "Two days late" in author.get(page_of(graded)).content.decode()
    result = logged_in_client(users.learner).get(f"/attempts/{graded.uuid}/result")
    assert "A person set the score of the whole attempt" in result.content.decode()
    assert "Two days late" in result.content.decode()
    form = {"withdraw": "1", "reason": "It was in time", "seen": "1"}
    assert author.post(total_page(graded), form).status_code == 302
    assert "Two days late" not in author.get(page_of(graded)).content.decode()


@pytest.mark.parametrize(
    ("fields", "status", "sentence"),
    [
        ({"points": "99"}, 200, "Write a number from 0 to"),
        ({"points": "many"}, 200, "Write a number from 0 to"),
        ({"reason": " "}, 200, "Say why"),
        ({"seen": "3"}, 409, "in the meantime"),
        ({"withdraw": "1"}, 409, "counts already"),
    ],
)
def test_a_total_that_cannot_be_saved_is_named(author, graded, fields, status, sentence):
    form = {"points": "1/2", "reason": "Two days late", "seen": "0"} | fields
    answer = author.post(total_page(graded), form)
    assert answer.status_code == status
    assert sentence in answer.content.decode()
    assert graded.gradings.count() == 1


def test_others_set_no_total(users, graded):
    form = {"points": "0", "reason": "Copied", "seen": "0"}
    for person in (users.outsider, users.learner, users.other_learner):
        client = logged_in_client(person)
        assert client.get(total_page(graded)).status_code in {302, 403, 404}
        assert client.post(total_page(graded), form).status_code in {302, 403, 404}
    assert graded.gradings.count() == 1


def test_a_comment_is_saved_without_another_score(author, users, graded):
    form = {"comment": "Read it <again>."}
    assert author.post(override_page(graded), form).status_code == 302
    assert "Read it &lt;again&gt;." in author.get(page_of(graded)).content.decode()
    assert "Read it &lt;again&gt;." in author.get(override_page(graded)).content.decode()
    result = logged_in_client(users.learner).get(f"/attempts/{graded.uuid}/result")
    assert "Read it &lt;again&gt;." in result.content.decode()
    assert "Changed by a person" not in author.get(page_of(graded)).content.decode()


def test_the_page_of_the_total_costs_the_same_for_more_marks(author, graded, counted):
    author.post(override_page(graded), {"comment": "Once"})
    author.get(total_page(graded))
    with counted() as few:
        author.get(total_page(graded))
    for _ in range(3):
        author.post(override_page(graded), {"comment": "Again"})
    with counted() as many:
        author.get(total_page(graded))
    assert len(many) == len(few)
