"""Who may no longer practise: asked at every address, also one that names another practice."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from accounts.models import Group, Membership, Role
from quizzes.attempts.models import Assignment
from quizzes.lib import clock
from quizzes.lib.errors import NotFound, Refused
from quizzes.practice.models import PracticeQuestion, PracticeTry
from quizzes.practice.services import ask_for_answer, check_answer, open_hint
from quizzes.publishing.models import Quiz
from tests.factories import create_bank, create_quiz, option_ids
from tests.quizzes.api.programs import program
from tests.quizzes.practice.test_practice import hinted
from tests.quizzes.practice.test_try_saves import build_save, list_statuses, post
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

OPEN = "open"


@pytest.fixture
def other_practice(users):
    """A practice of another class, which the learner may go on with."""
    group = Group.objects.create(name="Class C")
    Membership.objects.create(user=users.learner, group=group, role=Role.LEARNER)
    quiz = create_quiz(users, [hinted(create_bank(users, "more"), "more")], OPEN, mode="practice")
    quiz.assignments.update(group=group)
    return quiz


@pytest.fixture
def quiz(users):
    return create_quiz(
        users, [hinted(create_bank(users), "first")], slug="practice", mode="practice"
    )


@pytest.fixture
def row(users, quiz, other_practice):
    """A practised question with an open hint and a wrong try."""
    client, address = logged_in_client(users.learner), reverse("practice", args=["practice"])
    client.post(address, {"action": "next", "count": "0"})
    row = PracticeQuestion.objects.get()
    assert list_statuses(post(client, build_save(row, "b"))) == ["checked"]
    client.post(address, {"action": "hint", "question": str(row.uuid), "count": "0"})
    return row


def leave(users, quiz):
    Membership.objects.filter(user=users.learner, group=users.group).delete()


def retire(users, quiz):
    Quiz.objects.filter(pk=quiz.pk).update(retired_at=clock.now())


def close(users, quiz):
    Assignment.objects.filter(quiz=quiz).update(closes_at=clock.now() - timedelta(hours=1))


ENDS = {"left": (leave, 404), "retired": (retire, 404), "closed": (close, 409)}


@pytest.fixture(params=ENDS)
def status(request, users, quiz, row):
    """The status of REST once the person may no longer practise; pages lead a closed one away."""
    end, status = ENDS[request.param]
    end(users, quiz)
    return status


def unchanged(row) -> bool:
    row.refresh_from_db()
    return (row.hints_opened, row.asked_for_answer, row.tries.count()) == (1, False, 1)


def test_no_page_shows_or_does_anything(users, row, status):
    client, address = logged_in_client(users.learner), reverse("practice", args=["practice"])
    sent = {"question": str(row.uuid), "count": "1", "q-0": option_ids(row.version.question, "a")}
    answers = [client.get(address)]
    answers += [
        client.post(address, sent | {"action": action})
        for action in ("check", "hint", "show", "next", "")
    ]
    for answer in answers:
        assert answer.status_code == (404 if status == 404 else 302)
        assert "First step" not in answer.content.decode()
        assert answer.headers.get("Location", "/quizzes/practice/") == "/quizzes/practice/"
    assert unchanged(row)
    assert PracticeQuestion.objects.count() == 1
    if status == 409:
        intro = client.get(reverse("intro", args=["practice"]))
        assert "This quiz is closed." in intro.content.decode()


def test_no_script_checks_anything_not_even_at_another_practice(users, row, status):
    client = logged_in_client(users.learner)
    refused = post(client, build_save(row, "a", 1))
    assert refused.status_code == status
    if status == 409:
        assert refused.json() == {"code": "closed", "sentence": "This quiz is closed."}
    assert list_statuses(post(client, build_save(row, "a", 1), slug=OPEN)) == ["gone"]
    assert unchanged(row)


def test_rest_neither_shows_nor_does_anything(users, quiz, row, other_practice, status):
    client, chosen = program(users.learner, "attempt"), option_ids(row.version.question, "a")
    question = {"question": str(row.uuid)}
    bodies = {
        "": {"after": 1},
        "/check": question | {"answer": {"chosen": chosen}, "tried": 1},
        "/hint": question | {"opened": 1},
        "/answer": question,
    }
    root = f"quizzes/{quiz.uuid}/practice"
    assert client.get(root).status_code == status
    for step, body in bodies.items():
        assert client.post(root + step, body).status_code == status
        if step:
            elsewhere = client.post(f"quizzes/{other_practice.uuid}/practice{step}", body)
            assert elsewhere.json() == {"quiz": str(other_practice.uuid), "question": None}
    assert unchanged(row)


def test_no_service_does_anything(users, row, status):
    own: dict[str, Any] = {
        "question": row.uuid,
        "learner": users.learner,
        "now": clock.now(),
        "language": "en",
    }
    chosen = {"chosen": option_ids(row.version.question, "a")}
    error = NotFound if status == 404 else Refused
    for call in (
        lambda: check_answer(**own, raw=chosen, tried=1, idempotency_key=uuid4()),
        lambda: open_hint(**own, opened=1, idempotency_key=uuid4()),
        lambda: ask_for_answer(**own, idempotency_key=uuid4()),
    ):
        with pytest.raises(error):
            call()
    assert unchanged(row)


def test_the_receipt_of_a_try_stays_theirs(users, row, status):
    """It proves what they answered, and has neither the question nor its key."""
    address = reverse("try_receipt", args=[row.uuid, 1])
    receipt = logged_in_client(users.learner).get(address)
    assert receipt.status_code == 200
    assert PracticeTry.objects.get().receipt["signature"] in receipt.content.decode()
    path = f"practice-questions/{row.uuid}/tries/1/receipt"
    assert program(users.learner, "attempt").get(path).status_code == 200


def test_what_opens_again_goes_on_where_it_was(users, quiz, row):
    close(users, quiz)
    Assignment.objects.filter(quiz=quiz).update(closes_at=None)
    page = logged_in_client(users.learner).get(reverse("practice", args=["practice"]))
    assert "First step" in page.content.decode()
