"""The questions of a bank over REST: listed, changed in bulk, copied, renamed."""

from uuid import uuid4

import pytest

from accounts.models import Membership, Role
from quizzes.bank.models import Question
from quizzes.bank.services import set_tags
from tests.factories import create_bank, create_question
from tests.quizzes.api.programs import program
from tests.users import create_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def bank(users):
    bank = create_bank(users)
    for name in ("alpha", "beta", "gamma"):
        question = create_question(bank, name, kind="single_choice", right="a")
        set_tags(question=question, names=["letters"] if name != "gamma" else [], by=None)
    return bank


@pytest.fixture
def author(users):
    return program(users.instructor)


def address(bank, suffix: str = "") -> str:
    return f"banks/{bank.uuid}/questions{suffix}"


def names(answer) -> list[str]:
    return [item["name"] for item in answer.json()["items"]]


def ids(bank, *names: str) -> list[str]:
    by_name = dict(bank.questions.values_list("name", "uuid"))
    return [str(by_name[name]) for name in names]


def test_questions_are_listed_searched_and_filtered(author, bank):
    first = author.get(address(bank), limit=2).json()
    assert [item["name"] for item in first["items"]] == ["alpha", "beta"]
    assert first["items"][0] == {
        "id": ids(bank, "alpha")[0],
        "name": "alpha",
        "bank": str(bank.uuid),
        "kind": "single_choice",
        "tags": ["letters"],
        "version": {
            "id": str(bank.questions.get(name="alpha").current.uuid),
            "number": 1,
        },
        "retired_at": None,
        "updated_at": first["items"][0]["updated_at"],
    }
    assert names(author.get(address(bank), limit=2, cursor=first["cursor"])) == ["gamma"]
    assert names(author.get(address(bank), tag="letters")) == ["alpha", "beta"]
    assert names(author.get(address(bank), search="gamma")) == ["gamma"]
    assert names(author.get(address(bank), kind="essay")) == []
    assert names(author.get(address(bank), is_retired="true")) == []


def test_a_list_costs_the_same_for_more_questions(author, bank, counted):
    author.get(address(bank))
    with counted() as few:
        author.get(address(bank))
    for name in "xyz":
        create_question(bank, name)
    with counted() as many:
        author.get(address(bank))
    assert len(few) == len(many)


def test_a_tag_is_tried_first_and_then_given(author, bank):
    change = {"action": "tag", "tag": "letters", "questions": ids(bank, "alpha", "gamma")}
    outcome = {"changed": ids(bank, "gamma"), "unchanged": ids(bank, "alpha"), "refused": []}
    tried = author.post(address(bank, "/changes"), {**change, "dry_run": True})
    assert (tried.status_code, tried.json()) == (200, outcome)
    assert names(author.get(address(bank), tag="letters")) == ["alpha", "beta"]
    assert author.post(address(bank, "/changes"), change).json() == outcome
    assert names(author.get(address(bank), tag="letters")) == ["alpha", "beta", "gamma"]
    again = author.post(address(bank, "/changes"), change).json()
    assert again["unchanged"] == ids(bank, "alpha", "gamma")
    author.post(address(bank, "/changes"), {**change, "action": "untag"})
    assert names(author.get(address(bank), tag="letters")) == ["beta"]


def test_questions_move_where_their_name_is_free(author, users, bank):
    other = create_bank(users, "other")
    create_question(other, "beta")
    move = {"action": "move", "bank": str(other.uuid), "questions": ids(bank, "alpha", "beta")}
    moved = author.post(address(bank, "/changes"), move).json()
    assert moved["refused"] == [{"question": ids(bank, "beta")[0], "code": "name_taken"}]
    assert names(author.get(address(other))) == ["alpha", "beta"]
    assert names(author.get(address(bank))) == ["beta", "gamma"]


def test_questions_are_retired_and_published_again(author, bank):
    change = {"action": "retire", "questions": ids(bank, "beta")}
    author.post(address(bank, "/changes"), change)
    assert names(author.get(address(bank), is_retired="true")) == ["beta"]
    assert names(author.get(address(bank), is_retired="false")) == ["alpha", "gamma"]
    author.post(address(bank, "/changes"), {**change, "action": "publish"})
    assert names(author.get(address(bank), is_retired="true")) == []


@pytest.mark.parametrize(
    ("change", "status", "code"),
    [
        ({"action": "tag"}, 422, "tag_unknown"),
        ({"action": "retire", "tag": "letters"}, 422, "tag_unknown"),
        ({"action": "move"}, 422, "bank_unknown"),
        ({"action": "retire", "bank": str(uuid4())}, 422, "bank_unknown"),
        ({"action": "move", "bank": str(uuid4())}, 404, "not_found"),
        ({"action": "retire", "questions": [str(uuid4())]}, 404, "not_found"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(author, bank, change, status, code):
    body = {"questions": ids(bank, "alpha"), **change}
    answer = author.post(address(bank, "/changes"), body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert bank.questions.filter(retired_at__isnull=False).count() == 0


def test_a_question_is_copied_and_renamed_within_its_bank(author, bank):
    (alpha,) = ids(bank, "alpha")
    copy = author.post(f"questions/{alpha}/copies", {"name": "alpha-2"})
    assert copy.status_code == 201
    assert copy.json().items() >= {"name": "alpha-2", "tags": ["letters"], "version": None}.items()
    named = author.post(f"questions/{copy.json()['id']}/name", {"name": "delta"})
    assert (named.status_code, named.json()["name"]) == (200, "delta")
    for path in ("copies", "name"):
        clash = author.post(f"questions/{alpha}/{path}", {"name": "beta"})
        assert (clash.status_code, clash.json()["code"]) == (409, "name_taken")
    assert Question.objects.filter(bank=bank).count() == 4


def test_assistants_and_others_find_nothing(users, bank):
    assistant = create_user("assistant")
    Membership.objects.create(group=users.group, user=assistant, role=Role.ASSISTANT)
    (alpha,) = ids(bank, "alpha")
    change = {"action": "retire", "questions": [alpha]}
    for person in (assistant, users.learner, users.outsider):
        client = program(person)
        assert client.get(address(bank)).status_code == 404
        assert client.post(address(bank, "/changes"), change).status_code == 404
        assert client.post(f"questions/{alpha}/copies", {"name": "x"}).status_code == 404
        assert client.post(f"questions/{alpha}/name", {"name": "x"}).status_code == 404
