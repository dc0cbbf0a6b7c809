"""Study over REST: decks, cards of today, entries of devices, settings."""

from datetime import timedelta
from uuid import uuid4

import pytest

from quizzes.lib import clock
from quizzes.study.models import StudyCard, StudyLogEntry
from tests.factories import create_bank, create_quiz
from tests.quizzes.api.programs import program
from tests.quizzes.study.helpers import create_card_question, offer, study

pytestmark = pytest.mark.django_db


@pytest.fixture
def deck_bank(users):
    bank = create_bank(users, slug="cards")
    for name in ("first", "second", "third"):
        create_card_question(bank, name)
    return offer(bank)


@pytest.fixture
def cards(users, deck_bank):
    return study(users.learner, deck_bank, clock.now() - timedelta(days=40))


@pytest.fixture
def api(users):
    return program(users.learner, "attempt")


def entry(card, action="review", at=None, **fields):
    if action == "review":
        fields.setdefault("rating", 3)
    at = at or clock.now()
    return {
        "id": str(uuid4()),
        "card": str(card.uuid),
        "action": action,
        "at": at.isoformat(),
        **fields,
    }


def post(api, *entries, sent_at=None, device=None):
    body = {
        "device": device or str(uuid4()),
        "sent_at": (sent_at or clock.now()).isoformat(),
        "entries": list(entries),
    }
    return api.post("study/entries", body)


def test_decks_are_listed_added_and_taken_away(api, deck_bank):
    (deck,) = api.get("study/decks").json()["items"]
    assert (deck["cards"], deck["is_studied"]) == (3, False)
    for is_studied in (True, False):
        answer = api.post("study/decks", {"deck": deck["id"], "is_studied": is_studied})
        assert answer.json()["items"][0]["is_studied"] is is_studied
    assert api.post("study/decks", {"deck": str(uuid4()), "is_studied": True}).status_code == 404


def test_cards_come_with_both_languages_and_intervals(api, cards):
    answer = api.get("study/cards?lang=es").json()
    assert (answer["new"], answer["reviews"], answer["done"]) == (3, 0, 0)
    first = answer["items"][0]
    assert (first["language"], first["is_right"]) == ("es", None)
    sides = {side["language"]: side for side in first["sides"]}
    assert "Front first en" in sides["en"]["question_html"]
    assert "Back first es" in sides["es"]["answer_html"]
    assert first["intervals"]["again"] == 60
    assert len(api.get("study/cards?limit=1").json()["items"]) == 1


def test_reviews_of_two_devices_arrive_once_each_in_any_order(api, cards):
    now = clock.now()
    reviews = [
        entry(cards[number % 3], at=now - timedelta(days=30 - number)) for number in range(30)
    ]
    phone, laptop = str(uuid4()), str(uuid4())
    answer = post(api, *reviews[15:], device=laptop).json()
    assert {each["status"] for each in answer["entries"]} == {"stored"}
    post(api, *reviews[:20], device=phone)
    again = post(api, *reviews, device=phone).json()
    assert {each["status"] for each in again["entries"]} == {"already_stored"}
    assert StudyLogEntry.objects.count() == 30
    assert [card["review_count"] for card in again["cards"]] == [10, 10, 10]


def test_an_undo_is_an_entry(api, cards):
    review = entry(cards[0], rating=4)
    assert post(api, review).json()["cards"][0]["phase"] == "review"
    undo = entry(cards[0], "undo", undoes=review["id"])
    assert post(api, undo).json()["cards"][0]["phase"] == "new"


def test_a_wrong_clock_is_corrected(api, cards):
    wrong = timedelta(days=2)
    moment = clock.now() - timedelta(days=3)
    post(api, entry(cards[0], at=moment + wrong), sent_at=clock.now() + wrong)
    stored = StudyLogEntry.objects.get()
    assert abs(stored.reviewed_at - moment) < timedelta(minutes=1)
    assert stored.device_at == moment + wrong


def test_cards_of_others_are_not_found(users, cards):
    other = program(users.other_learner, "attempt")
    answer = post(other, entry(cards[0])).json()
    assert [each["status"] for each in answer["entries"]] == ["not_found"]
    assert answer["cards"] == []
    assert other.get("study/cards").json()["items"] == []


@pytest.mark.parametrize(
    "fields",
    [
        {"rating": 5},
        {"rating": "3"},
        {"action": "learn"},
        {"at": "yesterday"},
        {"at": 12},
        {"at": "1970-01-01T00:00:00Z"},
        {"undoes": str(uuid4())},
        {"unknown": 1},
    ],
)
def test_what_makes_no_sense_is_refused(api, cards, fields):
    answer = post(api, entry(cards[0]) | fields)
    assert answer.status_code in {400, 422}
    assert not StudyLogEntry.objects.exists()


def test_settings_are_changed_unless_they_were_changed_meanwhile(api):
    answer = api.get("study/settings")
    assert answer.json()["retention"] == 900
    etag = answer["ETag"]
    changed = api.post("study/settings", {"retention": 850}, **{"If-Match": etag})
    assert (changed.status_code, changed.json()["retention"]) == (200, 850)
    late = api.post("study/settings", {"retention": 800}, **{"If-Match": etag})
    assert late.status_code == 412
    assert api.post("study/settings", {"retention": 990}).status_code in {400, 422}
    assert api.get("study/settings").json()["retention"] == 850


def test_a_live_question_has_no_card(api, users, cards, questions):
    create_quiz(users, [cards[0].question, *questions], slug="graded")
    answer = api.get("study/cards")
    assert answer.json()["resting"] == 1
    assert "Back first" not in answer.content.decode()


def test_the_number_of_queries_does_not_depend_on_the_cards(api, users, cards, counted):
    api.get("study/cards")
    sizes = []
    for more in (0, 15):
        for number in range(more):
            create_card_question(cards[0].question.bank, f"more-{number}")
        study(users.learner, cards[0].question.bank, clock.now())
        api.get("study/cards")
        with counted() as queries:
            api.get("study/cards")
        sizes.append(len(queries))
    assert sizes[0] == sizes[1] <= 24
    assert StudyCard.objects.count() == 18
