"""Typed answers over REST: alike ones together, credited together, accepted from then on."""

import pytest

from accounts.models import Membership, Role
from quizzes.results.models import ManualGrade, Result
from tests.factories import create_bank, create_question, create_quiz
from tests.quizzes.api.programs import program
from tests.short_text_factory import attempt_with_text, create_short_text
from tests.users import create_user

pytestmark = pytest.mark.django_db
HALF = {"numerator": 1, "denominator": 2}
CREDIT = {"text": "LYON", "share": HALF, "reason": "It is one, too."}


@pytest.fixture
def question(users):
    return create_short_text(create_bank(users))


@pytest.fixture
def attempts(users, question):
    """Lyon three times of two learners, in three spellings, and the accepted answer."""
    quiz = create_quiz(users, [question], window_attempts=None)
    return [
        attempt_with_text(quiz, learner, text)
        for learner, text in (
            (users.learner, "Lyon"),
            (users.learner, "lyon"),
            (users.other_learner, "LYON"),
            (users.other_learner, "Paris"),
        )
    ]


@pytest.fixture
def author(users):
    return program(users.instructor)


def address(question, suffix: str = "") -> str:
    return f"questions/{question.uuid}/typed-answers{suffix}"


def test_alike_answers_stand_together_the_most_frequent_first(author, question, attempts):
    page = author.get(address(question)).json()
    assert (page["total"], page["unanswered"], page["is_complete"]) == (4, 0, True)
    lyon, paris = page["items"]
    assert (lyon["count"], sorted(lyon["spellings"]), lyon["is_accepted"]) == (
        3,
        ["LYON", "Lyon", "lyon"],
        False,
    )
    assert (paris["text"], paris["is_accepted"], paris["credit"]["numerator"]) == ("Paris", True, 1)
    first = author.get(address(question), limit=1).json()
    second = author.get(address(question), cursor=first["cursor"]).json()
    assert [*first["items"], *second["items"]] == page["items"]
    assert second["next"] is None


def test_no_answer_is_left_out_while_others_become_more_frequent(users, author, question):
    quiz = create_quiz(users, [question], window_attempts=None)
    for text in ("Rome", "Rome", "Rome", "Oslo", "Oslo", "Bern", "😀" * 200, "😀" * 201):
        attempt_with_text(quiz, users.learner, text)
    listed = [row["text"] for row in author.get(address(question)).json()["items"]]
    assert listed[:3] == ["Rome", "Oslo", "Bern"]
    first = author.get(address(question), limit=1).json()
    for _ in range(3):
        attempt_with_text(quiz, users.other_learner, "Bern")
    texts, cursor = [row["text"] for row in first["items"]], first["cursor"]
    while cursor is not None:
        page = author.get(address(question), limit=1, cursor=cursor).json()
        texts += [row["text"] for row in page["items"]]
        cursor = page["cursor"] if page["next"] else None
    # "Bern" has moved before the place that was reached; all others come, each once.
    assert texts == [text for text in listed if text != "Bern"]


def test_all_who_typed_the_same_are_counted_first_and_then_credited(author, question, attempts):
    dry = author.post(address(question, "/credit"), {**CREDIT, "dry_run": True})
    assert dry.json() == {"answers": 3, "learners": 2, "saved": 0}
    assert not ManualGrade.objects.exists()
    saved = author.post(address(question, "/credit"), {**CREDIT, "seen": 3})
    assert saved.json() == {"answers": 3, "learners": 2, "saved": 3}
    totals = [Result.objects.get(attempt=attempt).grading.total for attempt in attempts]
    assert [float(total) for total in totals] == [0.5, 0.5, 0.5, 1]
    again = author.post(address(question, "/credit"), {**CREDIT, "seen": 0}).json()
    assert again == {"answers": 0, "learners": 0, "saved": 0}


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"seen": 2}, 409, "answers_changed"),
        ({}, 422, "required"),
        ({"text": "Rome", "seen": 0}, 404, "not_found"),
        ({"share": {"numerator": 3, "denominator": 2}, "seen": 3}, 422, "share_out_of_range"),
        ({"reason": "", "seen": 3}, 422, "invalid"),
        ({"text": 5, "seen": 3}, 422, "invalid"),
    ],
)
def test_a_credit_that_cannot_be_is_refused(author, question, attempts, change, status, code):
    refused = author.post(address(question, "/credit"), {**CREDIT, **change})
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert not ManualGrade.objects.exists()


def test_an_answer_is_accepted_from_the_next_version_on(author, question, attempts):
    path = f"questions/{question.uuid}/draft"
    body = {"text": "Lyon", "credit": HALF}
    etag = author.get(path)["ETag"]
    accepted = author.post(f"{path}/accepted-answers", body, **{"If-Match": etag})
    assert accepted.json()["version"]["number"] == 2
    assert accepted["ETag"].strip('"') == author.get(path)["ETag"].strip('"').partition("-")[0]
    refused = author.post(f"{path}/accepted-answers", body, **{"If-Match": etag})
    assert refused.status_code == 412
    lyon = author.get(address(question)).json()["items"][0]
    assert (lyon["is_accepted"], lyon["credit"]["decimal"]) == (True, "0.5")


def test_a_share_that_no_key_can_have_is_refused(author, question, attempts):
    path = f"questions/{question.uuid}/draft/accepted-answers"
    body = {"text": "Lyon", "credit": {"numerator": 3, "denominator": 2}}
    refused = author.post(path, body)
    assert (refused.status_code, refused.json()["code"]) == (422, "accepted_credit_out_of_range")


def test_other_questions_and_people_find_nothing(users, question, attempts):
    assistant = create_user("assistant")
    Membership.objects.create(group=users.group, user=assistant, role=Role.ASSISTANT)
    choice = create_question(question.bank, "choice")
    cases = [(person, question) for person in (assistant, users.learner, users.outsider)]
    for person, row in [*cases, (users.instructor, choice)]:
        client = program(person)
        assert client.get(address(row)).status_code == 404
        assert client.post(address(row, "/credit"), {**CREDIT, "seen": 3}).status_code == 404
        path = f"questions/{row.uuid}/draft/accepted-answers"
        assert client.post(path, {"text": "Lyon", "credit": HALF}).status_code == 404
    assert not ManualGrade.objects.exists()


def test_the_list_costs_the_same_for_more_answers(users, author, question, attempts, counted):
    author.get(address(question))
    with counted() as few:
        author.get(address(question))
    quiz = create_quiz(users, [question], slug="more", window_attempts=None)
    for text in ("Rome", "Berlin"):
        attempt_with_text(quiz, users.learner, text)
    with counted() as many:
        author.get(address(question))
    assert len(few) == len(many)
