"""Banks for programs: those one may change, and how large they are."""

import pytest

from quizzes.bank import services
from quizzes.bank.models import Bank, Question
from quizzes.lib import clock
from tests.factories import create_bank, create_question
from tests.quizzes.api.programs import Program, program

pytestmark = pytest.mark.django_db


@pytest.fixture
def author(users) -> Program:
    return program(users.instructor, "authoring")


def slugs(client: Program, **query: str) -> list[str]:
    return [bank["slug"] for bank in client.get("banks", **query).json()["items"]]


def test_a_bank_tells_its_title_languages_group_and_size(author, users):
    into = create_bank(users)
    for name in ("one", "two", "old"):
        create_question(into, name)
    Question.objects.filter(name="two").update(current=None)
    services.retire(question=Question.objects.get(name="old"), by=None, now=clock.now())
    body = author.get(f"banks/{into.uuid}", lang="es").json()
    assert body == author.get("banks", lang="es").json()["items"][0]
    assert (body["id"], body["slug"]) == (str(into.uuid), "bank")
    assert (body["title"], body["language"], body["source_language"]) == ("Banco", "es", "en")
    assert body["languages"] == ["en", "es"]
    assert body["group"] == {"id": str(users.group.uuid), "name": "Class A"}
    assert body["counts"] == {"questions": 2, "published": 1, "retired": 1}


def test_an_empty_bank_without_a_title_is_called_by_its_slug(author, users):
    services.update_or_create_bank(slug="bare", group=users.group, fields={}, by=None)
    (bank,) = author.get("banks").json()["items"]
    assert (bank["title"], bank["languages"]) == ("bare", [])
    assert bank["counts"] == {"questions": 0, "published": 0, "retired": 0}


def test_each_of_the_cast_sees_the_banks_they_may_change_and_no_other(users):
    own = create_bank(users)
    services.update_or_create_bank(slug="others", group=users.other_group, fields={}, by=None)
    services.update_or_create_bank(slug="shared", group=None, fields={}, by=None)
    expected = {
        "instructor": ["bank"],
        "outsider": ["others"],
        "administrator": ["bank", "others", "shared"],
        "learner": [],
        "other_learner": [],
        "stranger": [],
    }
    for who, seen in expected.items():
        client = program(getattr(users, who))
        assert slugs(client) == seen, who
        answer = client.get(f"banks/{own.uuid}")
        assert answer.status_code == (200 if "bank" in seen else 404), who


def test_a_bank_is_found_by_its_slug_and_lists_come_in_pages(author, users):
    for slug in ("a", "b", "c"):
        create_bank(users, slug)
    assert slugs(author, slug="b") == ["b"]
    assert slugs(author, slug="x") == []
    first = author.get("banks", limit=2).json()
    rest = author.client.get(first["next"]).json()
    assert [bank["slug"] for bank in first["items"] + rest["items"]] == ["a", "b", "c"]


@pytest.mark.parametrize("many", [1, 7])
def test_a_list_of_banks_costs_the_same_however_many(author, users, many, counted):
    author.get("me")
    for n in range(many):
        create_question(create_bank(users, f"bank-{n}"), "one")
    with counted() as queries:
        assert len(slugs(author)) == many
    assert len(queries) <= 4
    newest = Bank.objects.latest("pk")
    with counted() as queries:
        assert author.get(f"banks/{newest.uuid}").status_code == 200
    assert len(queries) <= 4
