"""An instructor offers the cards of a bank to a class or to everyone, and takes that back."""

import pytest
from django.urls import reverse

from accounts.models import Membership, Role
from quizzes.bank.models import BankRight
from quizzes.bank.sharing import share
from quizzes.study.models import StudyOffer
from quizzes.study.selectors import list_decks
from tests.factories import create_bank
from tests.quizzes.study.helpers import create_card_question, offer, study
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def bank(users):
    bank = create_bank(users, slug="cards")
    create_card_question(bank, "first")
    return bank


@pytest.fixture
def address(bank):
    return reverse("admin:bank_bank_study", args=[bank.pk])


def test_cards_are_offered_to_a_class_and_taken_back(users, bank, address):
    client = logged_in_client(users.instructor)
    text = client.get(address).content.decode()
    assert "1 card can be studied." in text
    assert "The cards are offered to nobody." in text
    assert client.post(address, {"audience": users.group.pk}).status_code == 302
    assert [row.bank for row in list_decks(users.learner)] == [bank.uuid]
    assert list_decks(users.stranger) == []
    study(users.learner, bank)
    text = client.get(address).content.decode()
    assert "1 person has them among their decks." in text
    stored = StudyOffer.objects.get()
    assert f'value="{stored.uuid}"' in text
    assert client.post(address, {"remove": str(stored.uuid)}).status_code == 302
    assert not StudyOffer.objects.exists()


def test_everyone_is_named(users, address):
    client = logged_in_client(users.instructor)
    assert client.post(address, {}).status_code == 422
    assert not StudyOffer.objects.exists()
    client.post(address, {"audience": "everyone"})
    assert StudyOffer.objects.get().group is None
    assert "everyone who is signed in" in client.get(address).content.decode()


def test_a_class_of_others_is_no_choice(users, address):
    client = logged_in_client(users.instructor)
    assert client.post(address, {"audience": users.other_group.pk}).status_code == 422
    assert not StudyOffer.objects.exists()


@pytest.mark.parametrize("who", ["outsider", "learner", "assistant"])
def test_only_editors_offer_cards(users, bank, address, who):
    if who == "assistant":
        Membership.objects.create(group=users.group, user=users.stranger, role=Role.ASSISTANT)
    person = users.stranger if who == "assistant" else getattr(users, who)
    client = logged_in_client(person)
    assert client.post(address, {"audience": "everyone"}).status_code in {302, 403, 404}
    assert not StudyOffer.objects.exists()


def test_whoever_may_only_use_the_bank_sees_offers_and_changes_none(users, bank, address):
    share(bank=bank, right=BankRight.USE, by=users.instructor, person=users.outsider)
    offer(bank)
    client = logged_in_client(users.outsider)
    text = client.get(address).content.decode()
    assert "everyone who is signed in" in text
    assert 'name="remove"' not in text
    for form in ({"audience": "everyone"}, {"remove": str(StudyOffer.objects.get().uuid)}):
        assert client.post(address, form).status_code == 403
    assert StudyOffer.objects.count() == 1


@pytest.mark.parametrize("written", ["", "x", "11111111-1111-1111-1111-111111111111"])
def test_an_offer_that_is_not_there_is_404(users, address, written):
    assert logged_in_client(users.instructor).post(address, {"remove": written}).status_code == 404


def test_a_bank_without_cards_says_what_is_studied(users):
    address = reverse("admin:bank_bank_study", args=[create_bank(users, slug="none").pk])
    text = logged_in_client(users.instructor).get(address).content.decode()
    assert "Only questions of the type flashcard are studied." in text
    assert 'name="audience"' not in text
