"""The cards that a browser stores for when there is no network, and what it sends of them later."""

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from quizzes.lib import clock
from quizzes.study.models import StudyCard, StudyLogEntry
from quizzes.web.views import stored_study
from tests.factories import create_bank
from tests.query_counts import Counted
from tests.quizzes.study.helpers import create_card_question, offer, study
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def deck_bank(users):
    bank = create_bank(users, slug="cards")
    for name in ("first", "second", "third"):
        create_card_question(bank, name)
    return offer(bank)


@pytest.fixture
def cards(users, deck_bank):
    return study(users.learner, deck_bank)


@pytest.fixture
def client(users):
    return logged_in_client(users.learner)


def review(of: StudyCard, /, **answer: Any) -> dict[str, Any]:
    """Return a review of now, as the outbox of a browser sends it."""
    key = str(uuid4())
    review_fields = {"card": str(of.uuid), "action": "review", "rating": 3, "language": "en"}
    review_fields |= {"at": clock.now().isoformat()} | answer
    return {"slot": key, "idempotency_key": key, "answer": review_fields, "flagged": False}


def send(client: Client, *saves: Any, sent_at: Any = None) -> Any:
    body = {"saves": list(saves), "sent_at": sent_at or clock.now().isoformat()}
    return client.post(reverse("save_reviews"), json.dumps(body), content_type="application/json")


def test_the_page_has_the_next_cards_in_their_order(client, cards, monkeypatch):
    text = client.get(reverse("stored_cards")).content.decode()
    places = [text.index(f'data-stored-card="{card.uuid}"') for card in cards]
    assert places == sorted(places)
    assert "Back third en" in text
    assert 'value="undo"' not in text
    monkeypatch.setattr(stored_study, "MOST_CARDS", 2)
    assert client.get(reverse("stored_cards")).content.decode().count("data-stored-card") == 2


def test_the_page_costs_as_much_for_many_cards_as_for_few(
    users, client, deck_bank, cards, counted: Counted
):
    client.get(reverse("stored_cards"))
    with counted() as of_few:
        client.get(reverse("stored_cards"))
    for number in range(5):
        create_card_question(deck_bank, f"more-{number}")
    study(users.learner, deck_bank)
    client.get(reverse("stored_cards"))  # versions are cached
    with counted() as of_many:
        client.get(reverse("stored_cards"))
    assert len(of_many) == len(of_few)


def test_what_was_rated_is_stored_once_however_often_it_comes(client, cards):
    entries = [review(card) for card in cards]
    for _ in range(2):
        answer = send(client, *entries)
        assert answer.status_code == 200
        saves = answer.json()["saves"]
        assert [saved["slot"] for saved in saves] == [entry["slot"] for entry in entries]
        assert {saved["status"] for saved in saves} == {"accepted"}
        assert saves[0]["card"] == str(cards[0].uuid)
    assert StudyLogEntry.objects.count() == len(cards)
    assert StudyCard.objects.filter(review_count=1).count() == len(cards)


def test_a_clock_that_is_wrong_is_corrected(client, cards):
    ahead = clock.now() + timedelta(days=40)
    entry = review(cards[0], at=(ahead - timedelta(hours=1)).isoformat())
    assert send(client, entry, sent_at=ahead.isoformat()).status_code == 200
    stored = StudyLogEntry.objects.get()
    assert abs(stored.reviewed_at - (clock.now() - timedelta(hours=1))) < timedelta(minutes=1)


def test_a_card_of_somebody_else_gets_no_review(users, cards):
    other = logged_in_client(users.other_learner)
    (saved,) = send(other, review(cards[0])).json()["saves"]
    assert saved["status"] == "not_found"
    assert not StudyLogEntry.objects.exists()


@pytest.mark.parametrize(
    "change",
    [
        {"card": "x"},
        {"card": None},
        {"rating": 5},
        {"rating": "3"},
        {"rating": True},
        {"rating": None},
        {"action": "undo"},
        {"action": []},
        {"at": "soon"},
        {"at": "2026-11-25T12:00:00"},
        {"at": "9999-12-31T23:59:59+00:00"},
        {"at": 5},
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_is_stored(client, cards, change):
    answer = send(client, review(cards[0]), review(cards[1], **change))
    assert answer.status_code == 400
    assert answer.json()["code"]
    assert not StudyLogEntry.objects.exists()


@pytest.mark.parametrize(
    "body", ["", "[]", "{}", '{"saves": []}', '{"saves": [1]}', '{"saves": [{"answer": 1}]}']
)
def test_what_is_no_list_of_reviews_is_refused(client, body):
    answer = client.post(reverse("save_reviews"), body, content_type="application/json")
    assert answer.status_code == 400


def test_a_time_of_sending_is_needed(client, cards):
    assert send(client, review(cards[0]), sent_at="x").status_code == 400


def test_nobody_else_is_let_in(users, cards):
    assert Client().get(reverse("stored_cards")).status_code == 302
    assert send(Client(), review(cards[0])).status_code == 401
    client = logged_in_client(users.learner)
    body = json.dumps({"saves": [review(cards[0])], "sent_at": clock.now().isoformat()})
    wrong = client.post(
        reverse("save_reviews"),
        body,
        content_type="application/json",
        headers={"X-Person": str(users.other_learner.uuid)},
    )
    assert wrong.status_code == 403
    assert not StudyLogEntry.objects.exists()
