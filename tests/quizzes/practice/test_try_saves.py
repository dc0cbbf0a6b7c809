"""Tries that a script sends: what became of each, once however often it comes, and no key."""

import json
import re
from uuid import UUID, uuid4, uuid5

import pytest
from django.urls import reverse

from quizzes.lib.cpu_limit import TookTooLong
from quizzes.practice import services
from quizzes.practice.models import PracticeTry
from tests.factories import create_bank, create_quiz, option_ids
from tests.quizzes.api.programs import program
from tests.quizzes.practice.test_practice import draw, give_up, hinted, single
from tests.quizzes.web.test_secrecy import alone_with, masked
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db
__all__ = ["single"]


@pytest.fixture
def row(users, single):
    quiz, _question = single
    return draw(quiz, users.learner)


def build_save(row, letter, tried=0, key=None):
    chosen = option_ids(row.version.question, letter)
    answer = {"question": str(row.uuid), "tried": tried, "answer": {"chosen": chosen}}
    return {"slot": "x", "answer": answer, "idempotency_key": str(key or uuid4())}


def post(client, *saves, slug="practice", **headers):
    address, body = reverse("save_tries", args=[slug]), json.dumps({"saves": saves})
    return client.post(address, body, content_type="application/json", headers=headers)


def list_statuses(response) -> list[str]:
    assert response.status_code == 200
    return [save["status"] for save in response.json()["saves"]]


def test_a_try_is_checked_once_however_often_it_is_sent(users, row):
    client, save = logged_in_client(users.learner), build_save(row, "b")
    for _ in range(2):
        assert list_statuses(post(client, save)) == ["checked"]
    assert list_statuses(post(client, build_save(row, "c"))) == ["late"]
    assert PracticeTry.objects.count() == 1


def test_several_that_waited_are_checked_in_their_order(users, row):
    saves = [build_save(row, letter, tried) for tried, letter in enumerate("ba")]
    assert list_statuses(post(logged_in_client(users.learner), *saves)) == ["checked", "checked"]
    assert [each.number for each in PracticeTry.objects.order_by("pk")] == [1, 2]


def test_what_is_not_checked_says_why(users, row):
    client, save = logged_in_client(users.learner), build_save(row, "b")
    nothing = {**save, "answer": {**save["answer"], "answer": None}}
    unknown = {**save, "answer": {**save["answer"], "answer": {"chosen": ["x"]}}}
    nowhere = {**save, "answer": {**save["answer"], "question": str(uuid4())}}
    statuses = ["unreadable", "unreadable", "gone"]
    assert list_statuses(post(client, nothing, unknown, nowhere)) == statuses
    other = logged_in_client(users.other_learner)
    assert list_statuses(post(other, save)) == ["gone"]
    give_up(row, users.learner)
    assert list_statuses(post(client, save)) == ["late"]
    assert not PracticeTry.objects.exists()


def test_a_key_that_another_answer_has_is_no_try(users, row):
    client, key = logged_in_client(users.learner), uuid4()
    assert list_statuses(post(client, build_save(row, "b", 0, key))) == ["checked"]
    assert list_statuses(post(client, build_save(row, "c", 1, key))) == ["unreadable"]
    form = {"question": str(row.uuid), "count": "1", "action": "check"}
    form |= {"q-0": option_ids(row.version.question, "c")[0], "idempotency_key": str(key)}
    page = client.post(reverse("practice", args=["practice"]), form, follow=True)
    assert "Try 2 of 3" in page.content.decode()
    assert PracticeTry.objects.count() == 1


@pytest.mark.parametrize(
    "body",
    ["{", "[]", '{"saves": []}', '{"saves": [7]}', '{"saves": [{"answer": {"tried": "0"}}]}'],
)
def test_what_is_no_list_of_tries_is_refused(users, row, body):
    client, address = logged_in_client(users.learner), reverse("save_tries", args=["practice"])
    assert client.post(address, body, content_type="application/json").status_code == 400


def test_who_may_not_practise_sends_nothing(users, row, client, a_quiz):
    save = build_save(row, "b")
    assert post(client, save).status_code == 401
    assert post(logged_in_client(users.stranger), save).status_code == 404
    assert post(logged_in_client(users.learner), save, slug=a_quiz.slug).status_code == 404
    assert post(logged_in_client(users.learner), save, slug="nowhere").status_code == 404
    headers = {"X-Person": str(users.other_learner.uuid)}
    assert post(logged_in_client(users.learner), save, **headers).status_code == 403


@pytest.fixture
def too_long(monkeypatch):
    """Let the next answer take too long to score; those after it do not."""

    def run_too_long(_compute, *, seconds):
        monkeypatch.undo()
        raise TookTooLong(seconds)

    monkeypatch.setattr(services, "run_limited", run_too_long)


def test_a_try_that_takes_too_long_holds_up_no_other(users, row, too_long):
    saves = build_save(row, "b"), build_save(row, "c")
    response = post(logged_in_client(users.learner), *saves)
    assert list_statuses(response) == ["unreadable", "checked"]
    refused, checked = response.json()["saves"]
    assert refused["sentence"].startswith("Checking this answer took too long.")
    assert "sentence" not in checked
    assert PracticeTry.objects.count() == 1


def test_a_page_says_that_a_try_took_too_long_and_takes_another(users, row, too_long):
    client, address = logged_in_client(users.learner), reverse("practice", args=["practice"])
    (chosen,) = option_ids(row.version.question, "b")
    sent = {"question": str(row.uuid), "count": "0", "action": "check", "q-0": chosen}
    refused = client.post(address, sent)
    assert refused.status_code == 422
    text = refused.content.decode()
    assert "Checking this answer took too long. It counts as no try" in text
    assert re.search(rf'value="{chosen}"\s+[^>]*checked', text)
    assert not PracticeTry.objects.exists()
    assert client.post(address, sent).status_code == 302
    assert PracticeTry.objects.count() == 1


def test_rest_refuses_a_try_that_took_too_long_and_takes_another(users, row, too_long):
    client, chosen = program(users.learner, "attempt"), option_ids(row.version.question, "b")
    body = {"question": str(row.uuid), "answer": {"chosen": chosen}, "tried": 0}
    address = f"quizzes/{row.quiz.uuid}/practice/check"
    refused = client.post(address, body)
    assert (refused.status_code, refused.json()["code"]) == (422, "took_too_long")
    assert refused.json()["errors"] == [{"where": "answer", "code": "took_too_long"}]
    assert client.post(address, body).json()["question"]["tries"] == 1


def walk_live_tries(users, number, right):
    """Everything that a script gets and a receipt says of a live question."""
    question = hinted(create_bank(users, f"bank-{number}"), "same", right)
    slug = ("one", "two")[number]
    quiz = create_quiz(users, [question], slug=slug, mode="practice", shuffle_options=False)
    learner = alone_with(quiz, number)
    exam = create_quiz(users, [question], slug=f"exam-{number}")
    exam.assignments.create(group=learner.memberships.get().group)
    client, practised = logged_in_client(learner), draw(quiz, learner)
    yield masked(client.get(reverse("practice", args=[slug])))
    for tried, letter in enumerate("ba"):  # right for the one of them, wrong for the other
        key = uuid5(UUID(int=tried), letter)
        yield masked(post(client, build_save(practised, letter, tried, key), slug=slug))
        yield masked(client.get(reverse("practice", args=[slug])))
    receipt = client.get(reverse("try_receipt", args=[practised.uuid, 1]))
    status, _headers, text = masked(receipt)
    document = json.loads(receipt.content)
    random = {document["signature"], document["answers"][0]["salt"]}
    for value in random:
        text = text.replace(value, "?")
    yield status, text


def test_of_a_live_question_no_byte_of_tries_and_receipts_depends_on_the_key(users):
    walks = [list(walk_live_tries(users, number, right)) for number, right in enumerate("ab")]
    for first, other in zip(*walks, strict=True):
        assert first == other
    assert "late" in walks[0][3][2]  # the first try was the last
