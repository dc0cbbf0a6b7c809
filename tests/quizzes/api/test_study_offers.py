"""A program offers the cards of a bank for study, lists the offers, and takes one back."""

import pytest

from quizzes.study.models import StudyOffer
from quizzes.study.selectors import list_decks
from tests.factories import create_bank
from tests.query_counts import Counted
from tests.quizzes.api.programs import program
from tests.quizzes.study.helpers import create_card_question, offer, study

pytestmark = pytest.mark.django_db


@pytest.fixture
def bank(users):
    bank = create_bank(users, slug="cards")
    create_card_question(bank, "first")
    return bank


@pytest.fixture
def api(users):
    return program(users.instructor, "authoring")


def test_cards_are_offered_listed_and_taken_back(users, bank, api):
    path = f"banks/{bank.uuid}/study-offers"
    assert api.get(path).json() == {"items": [], "cards": 1, "learners": 0}
    answer = api.post(path, {"group": str(users.group.uuid)})
    assert answer.status_code == 201
    created = answer.json()
    assert created["group"] == {"id": str(users.group.uuid), "name": "Class A"}
    assert api.post(path, {"group": str(users.group.uuid)}).json() == created
    assert [row.bank for row in list_decks(users.learner)] == [bank.uuid]
    study(users.learner, bank)
    assert api.get(path).json() == {"items": [created], "cards": 1, "learners": 1}
    assert api.delete(f"{path}/{created['id']}").status_code == 204
    assert api.delete(f"{path}/{created['id']}").status_code == 404
    assert list_decks(users.learner) == []


def test_everyone_is_null_and_never_the_default(bank, api):
    path = f"banks/{bank.uuid}/study-offers"
    assert api.post(path, {}).status_code == 422
    assert not StudyOffer.objects.exists()
    assert api.post(path, {"group": None}).json()["group"] is None


def test_a_class_of_others_and_a_bank_of_others_are_not_there(users, bank, api):
    path = f"banks/{bank.uuid}/study-offers"
    assert api.post(path, {"group": str(users.other_group.uuid)}).status_code == 404
    outsider = program(users.outsider, "authoring")
    assert outsider.post(path, {"group": None}).status_code == 404
    assert not StudyOffer.objects.exists()


def test_the_list_costs_as_much_for_many_as_for_one(users, bank, api, counted: Counted):
    offer(bank, users.group)
    path = f"banks/{bank.uuid}/study-offers"
    api.get(path)
    with counted() as of_one:
        api.get(path)
    for group in (users.other_group, None):
        offer(bank, group)
    with counted() as of_many:
        assert len(api.get(path).json()["items"]) == 3
    assert len(of_one) == len(of_many)
