"""Grading by question: all answers to one question of a quiz, one after the other or together."""

from fractions import Fraction

import pytest

from accounts.models import Membership, Role
from quizzes.attempts.models import Attempt
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.results.models import ItemResult, ManualGrade, Result
from tests.attempt_helpers import later, start, take_quiz
from tests.essay_factory import attempt_with_essay, create_essay
from tests.factories import create_quiz
from tests.quizzes.instructor.results.test_admin import override_page
from tests.short_text_factory import attempt_with_text, create_short_text
from tests.users import create_user, logged_in_client

pytestmark = pytest.mark.django_db

QUESTION = 1
"""The place of the question whose answers are listed."""


def page_of(quiz, question) -> str:
    return f"/admin/attempts/attempt/answers/{quiz.uuid}/{question.uuid}/"


def credit_of(attempt: Attempt, slot: int = QUESTION) -> Fraction | None:
    grading = Result.objects.get(attempt=attempt).grading
    return ItemResult.objects.get(grading=grading, slot=slot).credit


def form_for(page, attempts, **fields) -> dict[str, object]:
    """Return what the page sends if the answers of these attempts are chosen."""
    choices = {row["answer"].attempt_pk: row["choice"] for row in page.context["rows"]}
    form = {
        "answer": [choices[attempt.pk] for attempt in attempts],
        "maximum": page.context["maximum"],
        "points": "0.5",
        "reason": "Half of it",
    }
    return form | fields


@pytest.fixture
def author(users):
    return logged_in_client(users.instructor)


@pytest.fixture
def attempts(users, a_quiz) -> list[Attempt]:
    """Three attempts of two learners: their answers to the second question are b, a, and b."""
    return [
        take_quiz(a_quiz, users.learner, {QUESTION: "b"}),
        take_quiz(a_quiz, users.other_learner, {QUESTION: "a"}),
        take_quiz(a_quiz, users.learner, {QUESTION: "b"}, later(hours=9)),
    ]


@pytest.fixture
def address(attempts, a_quiz, questions) -> str:
    return page_of(a_quiz, questions[QUESTION])


def test_all_answers_are_listed_with_learner_points_and_the_right_answer(author, attempts, address):
    answer = author.get(address)
    rows = answer.context["rows"]
    assert [row["answer"].attempt_pk for row in rows] == [attempt.pk for attempt in attempts]
    assert [row["answer"].attempt_number for row in rows] == [1, 1, 2]
    assert all(row["answer"].slot == QUESTION and row["text"] for row in rows)
    assert [row["answer"].learner.name for row in rows] == [
        attempt.learner.name for attempt in attempts
    ]
    assert [row["earned"] for row in rows] == ["1", "0", "1"]
    assert answer.context["expected"] == rows[0]["text"] != rows[1]["text"]
    assert answer.context["prompt"] in answer.content.decode()


def test_a_saved_score_leads_to_the_next_answer_and_the_last_one_to_the_list(
    author, attempts, address
):
    query = address.rstrip("/").rpartition("/")[2]
    for attempt, row in zip(attempts, author.get(address).context["rows"], strict=True):
        assert row["address"] == f"{override_page(attempt)}?question={query}"
        form = {"points": "0.25", "reason": "A quarter of it", "seen": "0"}
        following = author.post(row["address"], form)["Location"]
        place = attempts.index(attempt) + 1
        after = attempts[place:] and f"{override_page(attempts[place])}?question={query}"
        assert following == (after or address)
    rows = author.get(address).context["rows"]
    assert [(row["answer"].credit, row["is_overridden"]) for row in rows] == [
        (Fraction(1, 4), True)
    ] * 3


def test_between_answers_the_reason_of_the_last_one_waits_in_the_field(author, attempts, address):
    first, second, third = (row["address"] for row in author.get(address).context["rows"])
    form = {"points": "0.5", "reason": "A sign is missing", "seen": "0"}
    author.post(first, form)
    answer = author.get(second)
    assert answer.context["reason"] == "A sign is missing"
    neighbours = answer.context["neighbours"]
    assert (neighbours.previous, neighbours.following) == (first, third)
    assert author.get(override_page(attempts[1])).context["reason"] == ""
    assert author.get(first).context["reason"] == "A sign is missing"


def test_without_a_question_in_the_query_a_saved_score_leads_to_its_attempt(author, attempts):
    form = {"points": "0", "reason": "x", "seen": "0"}
    for query in ("", "?question=", "?question=nothing"):
        answer = author.post(override_page(attempts[0]) + query, {**form, "comment": "Read it."})
        assert answer["Location"] == f"/admin/attempts/attempt/{attempts[0].pk}/change/"


def test_chosen_answers_get_one_score_with_one_reason(author, users, attempts, address):
    form = form_for(author.get(address), attempts[:2])
    answer = author.post(address, form)
    assert (answer.status_code, answer["Location"]) == (302, address)
    assert [credit_of(attempt) for attempt in attempts] == [Fraction(1, 2), Fraction(1, 2), 1]
    marks = ManualGrade.objects.all()
    assert {(mark.comment, mark.grader) for mark in marks} == {("Half of it", users.instructor)}
    assert AuditEvent.objects.filter(code=AuditCode.GRADED_BY_HAND).count() == 2
    assert "2 scores are saved" in author.get(address).content.decode()
    result = logged_in_client(attempts[0].learner).get(f"/attempts/{attempts[0].uuid}/result")
    assert "Half of it" in result.content.decode()


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"points": "2"}, "Write a number from 0 to 1"),
        ({"points": ""}, "Write a number from 0 to 1"),
        ({"maximum": "0"}, "Write a number from 0 to"),
        ({"maximum": "many"}, "Write a number from 0 to"),
        ({"reason": " "}, "Say why"),
        ({"points": "1/10007"}, "fewer digits"),
        ({"answer": []}, "Choose the answers"),
        ({"answer": ["many:0", ":"]}, "Choose the answers"),
    ],
)
def test_what_makes_no_sense_changes_no_score_and_stays_in_the_form(
    author, attempts, address, fields, sentence
):
    form = form_for(author.get(address), attempts[:1], **fields)
    answer = author.post(address, form)
    assert answer.status_code == 200
    assert sentence in answer.content.decode()
    assert answer.context["chosen"] == form["answer"]
    assert answer.context["typed_points"] == form["points"]
    assert not ManualGrade.objects.exists()


def test_an_answer_that_was_marked_meanwhile_stays_and_the_others_are_saved(
    author, attempts, address
):
    form = form_for(author.get(address), attempts)
    other = {"points": "0", "reason": "Copied", "seen": "0"}
    author.post(override_page(attempts[1]), other)
    text = author.post(address, form, follow=True).content.decode()
    assert "2 scores are saved" in text
    assert "1 answer was graded in the meantime" in text
    assert [credit_of(attempt) for attempt in attempts] == [Fraction(1, 2), 0, Fraction(1, 2)]


def test_the_same_answers_stand_together_and_get_one_score_at_once(author, attempts, address):
    [same] = author.get(address).context["same"]
    assert (same["count"], same["earned"]) == (2, "1")
    group = author.get(same["address"])
    assert [row["answer"].attempt_pk for row in group.context["rows"]] == [
        attempts[0].pk,
        attempts[2].pk,
    ]
    form = form_for(group, [], count=group.context["count"])
    assert author.post(same["address"], form)["Location"] == address
    assert [credit_of(attempt) for attempt in attempts] == [Fraction(1, 2), 0, Fraction(1, 2)]
    answer = author.post(same["address"], form | {"count": 1})
    assert answer.status_code == 409
    assert "look again" in answer.content.decode()
    assert author.get(f"{address}?same=999999").status_code == 404


def test_typed_answers_are_the_same_after_folding(author, users, questions):
    question = create_short_text(questions[0].bank)
    quiz = create_quiz(users, [question], slug="cities", window_attempts=None)
    attempts = [
        attempt_with_text(quiz, users.learner, "Lyon"),
        attempt_with_text(quiz, users.other_learner, " lyon "),
        attempt_with_text(quiz, users.learner, "Rome"),
    ]
    address = page_of(quiz, question)
    answer = author.get(address)
    [same] = answer.context["same"]
    assert same["count"] == 2
    group = author.get(same["address"])
    author.post(same["address"], form_for(group, [], count=2, points="1"))
    assert [credit_of(attempt, 0) for attempt in attempts] == [1, 1, 0]
    assert f"/admin/results/itemresult/question/{question.pk}/" in answer.content.decode()


def test_answers_that_are_empty_are_the_same_too(author, users, a_quiz, questions):
    attempts = [take_quiz(a_quiz, learner, {}) for learner in (users.learner, users.other_learner)]
    address = page_of(a_quiz, questions[QUESTION])
    [same] = author.get(address).context["same"]
    rows = author.get(same["address"]).context["rows"]
    assert [row["answer"].attempt_pk for row in rows] == [attempt.pk for attempt in attempts]
    assert {row["text"] for row in rows} == {"–"}


def test_the_list_shows_what_is_marked_what_is_not_and_by_score(author, attempts, address):
    author.post(address, form_for(author.get(address), attempts[:1]))
    author.post(override_page(attempts[1], QUESTION + 1), {"comment": "Read chapter two."})
    listed = {
        status: [attempts.index(Attempt.objects.get(pk=row["answer"].attempt_pk)) for row in rows]
        for status in (
            *("not_marked", "marked", "no_credit", "partial_credit", "full_credit"),
            *("waiting", "unknown"),
        )
        for rows in [author.get(f"{address}?status={status}").context["rows"]]
    }
    assert listed == {
        "not_marked": [2],
        "marked": [0, 1],
        "no_credit": [1],
        "partial_credit": [0],
        "full_credit": [2],
        "waiting": [],
        "unknown": [0, 1, 2],
    }
    text = author.get(f"{address}?status=marked").content.decode()
    assert "Read chapter two." in text
    assert "Half of it" in text
    author.post(override_page(attempts[0]), {"withdraw": "1", "reason": "It is right", "seen": "1"})
    author.post(override_page(attempts[1]), {"comment": ""})
    assert len(author.get(f"{address}?status=not_marked").context["rows"]) == 2


def test_going_through_what_is_not_marked_passes_over_what_is(author, attempts, address):
    author.post(address, form_for(author.get(address), attempts[1:2]))
    first, _ = author.get(f"{address}?status=not_marked").context["rows"]
    form = {"points": "0", "reason": "No", "seen": "0"}
    following = author.post(first["address"], form)["Location"]
    assert following.startswith(override_page(attempts[2]))
    assert author.get(following).context["neighbours"].previous == ""


def test_pages_go_on_after_the_last_attempt_of_the_page_before(
    author, attempts, address, monkeypatch
):
    monkeypatch.setattr("quizzes.instructor.results.question_answers_page.PAGE_SIZE", 2)
    first = author.get(address)
    assert (len(first.context["rows"]), first.context["count"]) == (2, 3)
    second = author.get(first.context["next_address"])
    assert [row["answer"].attempt_pk for row in second.context["rows"]] == [attempts[2].pk]
    assert (second.context["next_address"], second.context["is_continued"]) == ("", True)


def test_people_of_other_classes_learners_and_strangers_see_nothing(users, attempts, address):
    form = {"answer": [f"{attempts[0].pk}:0"], "maximum": "1", "points": "0", "reason": "No"}
    for person in (users.outsider, users.learner, users.other_learner, users.stranger):
        client = logged_in_client(person)
        assert client.get(address).status_code in {302, 404}
        assert client.post(address, form).status_code in {302, 404}
        assert client.get(f"{address}?same={attempts[0].pk}").status_code in {302, 404}
    assert not ManualGrade.objects.exists()


def test_an_assistant_marks_and_has_no_way_to_the_key(users, attempts, address, questions):
    assistant = create_user("assistant")
    Membership.objects.create(group=users.group, user=assistant, role=Role.ASSISTANT)
    client = logged_in_client(assistant)
    answer = client.get(address)
    assert client.post(address, form_for(answer, attempts[:1])).status_code == 302
    assert credit_of(attempts[0]) == Fraction(1, 2)
    edit = f"/admin/bank/question/{questions[QUESTION].pk}/change/"
    assert client.get(edit).status_code in {302, 403, 404}


def make_assistant(person) -> None:
    Membership.objects.filter(user=person).update(role=Role.ASSISTANT)


def test_nobody_marks_their_own_answers_or_those_of_staff(author, users, attempts, address):
    make_assistant(users.learner)
    rows = logged_in_client(users.learner).get(address).context["rows"]
    assert [row["answer"].attempt_pk for row in rows] == [attempts[1].pk]
    assert len(author.get(address).context["rows"]) == 3


def test_who_takes_the_quiz_sees_no_answers_meanwhile(users, attempts, address, a_quiz):
    start(a_quiz, users.learner, later(hours=30))
    make_assistant(users.learner)
    assert logged_in_client(users.learner).get(address).status_code == 404


def test_a_question_that_the_quiz_does_not_ask_is_not_there(author, users, address, questions):
    other = create_quiz(users, questions[:1], slug="other")
    assert author.get(page_of(other, questions[QUESTION])).status_code == 404
    answer = author.get(page_of(other, questions[0]))
    assert answer.context["rows"] == []
    assert answer.context["prompt"] == ""


def test_essays_are_graded_in_their_queue(author, users, questions):
    essay = create_essay(questions[0].bank)
    quiz = create_quiz(users, [essay], slug="essays")
    attempt_with_essay(quiz, users.learner)
    answer = author.get(page_of(quiz, essay))
    assert answer["Location"] == f"/admin/results/manualgrade/{quiz.uuid}/{essay.uuid}/"


def test_more_answers_ask_no_more_often(author, users, attempts, address, a_quiz, counted):
    author.get(address)
    with counted() as few:
        author.get(address)
    take_quiz(a_quiz, users.other_learner, {QUESTION: "b"}, later(hours=20))
    take_quiz(a_quiz, users.other_learner, {QUESTION: "a"}, later(hours=40))
    with counted() as many:
        author.get(address)
    assert len(many) == len(few) <= 16
