"""The pages of study: cards, ratings, undo, decks, settings; complete without scripts."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import translation

from quizzes.bank.services import set_tags
from quizzes.lib import clock
from quizzes.presentation.messages.study import describe_settings_problem, format_interval
from quizzes.study.domain import replay
from quizzes.study.models import StudyCard, StudyDeck, StudyLogEntry, StudySettings
from tests.attempt_helpers import take_quiz
from tests.factories import create_bank, create_quiz
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
    return study(users.learner, deck_bank, clock.now())


@pytest.fixture
def client(users):
    return logged_in_client(users.learner)


def act(client, card, follow=True, **fields):
    fields.setdefault("entry", str(uuid4()))
    return client.post(reverse("study_card"), {"card": str(card.uuid), **fields}, follow=follow)


def text(response) -> str:
    return str(response.content.decode())


def test_a_deck_is_added_studied_and_removed(client, deck_bank):
    page = text(client.get(reverse("study")))
    assert "No deck" not in page
    assert 'value="add"' in page
    fields = {"bank": str(deck_bank.uuid)}
    page = text(client.post(reverse("study"), {"action": "add", **fields}, follow=True))
    assert "<strong>3</strong>" in page
    page = text(client.post(reverse("study"), {"action": "begin"}, follow=True))
    assert "Front first en" in page
    client.post(reverse("study"), {"action": "remove", **fields})
    assert not StudyDeck.objects.exists()
    page = text(client.get(reverse("study_card")))
    assert "Nothing to study now" in page


def test_the_headings_of_a_card_skip_no_level(client, cards):
    """What its answer is headed by is below the card, whose heading is below the page's."""
    page = text(client.get(reverse("study_card")))
    assert re.findall(r"<h([1-6])", page)[:2] == ["1", "2"]


def test_a_card_is_shown_with_its_answer_and_four_intervals(client, cards):
    page = text(client.get(reverse("study_card")))
    assert "Front first en" in page
    assert "Back first en" in page
    assert re.findall(r'rating-interval figures">([^<]+)<', page) == [
        "&lt;1 min",
        "&lt;6 min",
        "&lt;10 min",
        "8 d",
    ]


def test_the_page_speaks_spanish(client, cards):
    client.cookies["ochenta_language"] = "es"
    page = text(client.get(reverse("study_card"), HTTP_ACCEPT_LANGUAGE="es"))
    for words in ("Front first es", "Back first es", "Otra vez", "Difícil", "Bien", "Fácil"):
        assert words in page


def test_a_rating_leads_to_the_next_card(client, cards):
    page = text(act(client, cards[0], rating="4", language="en"))
    assert "Front second en" in page
    cards[0].refresh_from_db()
    assert (cards[0].phase, cards[0].last_language) == (replay.REVIEWING, "en")


def test_a_form_sent_twice_counts_once(client, cards):
    fields = {"rating": "4", "entry": str(uuid4())}
    act(client, cards[0], **fields)
    act(client, cards[0], **fields)
    assert StudyLogEntry.objects.count() == 1


def test_undo_shows_the_card_again(client, cards):
    act(client, cards[0], rating="4")
    page = text(client.post(reverse("study_card"), {"action": "undo"}, follow=True))
    assert "Taken back" in page
    assert "Front first en" in page
    cards[0].refresh_from_db()
    assert cards[0].phase == replay.NEW
    page = text(client.post(reverse("study_card"), {"action": "undo"}, follow=True))
    assert "Taken back" not in page


def test_bury_and_suspend_put_a_card_away(client, cards):
    assert "Front second en" in text(act(client, cards[0], action="bury"))
    assert "Front third en" in text(act(client, cards[1], action="suspend"))
    page = text(client.get(reverse("study")))
    assert "Suspended cards" in page
    assert "Front second en" in page
    fields = {"action": "unsuspend", "card": str(cards[1].uuid), "entry": str(uuid4())}
    page = text(client.post(reverse("study"), fields, follow=True))
    assert "Suspended cards" not in page


def test_when_all_is_done_the_page_says_what_comes_tomorrow(client, cards):
    for card in cards:
        page = text(act(client, card, rating="4"))
    assert "Done for today" in page
    assert "You studied 3 cards today." in page
    assert "Nothing is due tomorrow." in page


def test_the_other_language_is_a_link(client, cards):
    page = text(client.get(f"{reverse('study_card')}?card={cards[1].uuid}&language=es"))
    assert "Front second es" in page
    assert "Back second es" in page
    assert f"card={cards[1].uuid}&amp;language=en" in page


def test_settings_are_saved_or_said_to_be_wrong(users, client):
    fields = {
        "new_per_day": "5",
        "reviews_per_day": "50",
        "retention": "85",
        "day_starts_at": "3",
        "reminder_hour": "7",
        "language_choice": "other",
    }
    address = reverse("study_settings")
    client.post(address, fields)
    settings = StudySettings.objects.get(learner=users.learner)
    assert (settings.new_per_day, settings.retention, settings.day_starts_at) == (5, 850, 3)
    assert settings.reminder_hour == 7
    page = client.get(address)
    assert 'value="85"' in text(page)
    for name, value in (
        ("retention", "99"),
        ("new_per_day", "-1"),
        ("day_starts_at", "x"),
        ("reminder_hour", "24"),
        ("language_choice", "none"),
    ):
        refused = client.post(address, fields | {name: value})
        assert refused.status_code == 422
    assert "from 70 to 97" in text(client.post(address, fields | {"retention": "99"}))
    settings.refresh_from_db()
    assert settings.new_per_day == 5


@pytest.mark.parametrize("person", ["other_learner", "stranger", "instructor", "administrator"])
def test_others_find_no_card(users, cards, person):
    client = logged_in_client(getattr(users, person))
    address = reverse("study_card")
    assert client.get(f"{address}?card={cards[0].uuid}").status_code == 404
    assert act(client, cards[0], rating="3").status_code == 404
    assert not StudyLogEntry.objects.exists()


def test_who_is_signed_out_signs_in_first(client, cards):
    client.logout()
    for name in ("study", "study_card", "study_settings"):
        answer = client.get(reverse(name))
        assert answer.status_code == 302
        assert "login" in answer["Location"]


@pytest.mark.parametrize(
    "fields",
    [{"rating": "5"}, {"rating": ""}, {"entry": "x"}, {"card": "x"}, {"card": str(uuid4())}],
)
def test_what_no_page_sends_is_not_found(client, cards, fields):
    values = {"card": str(cards[0].uuid), "entry": str(uuid4()), "rating": "3"} | fields
    assert client.post(reverse("study_card"), values).status_code == 404
    assert client.get(f"{reverse('study_card')}?card=x").status_code == 404


def test_a_deck_that_is_not_offered_is_not_found(users, client):
    bank = create_bank(users, slug="hidden")
    for action in ("add", "remove"):
        fields = {"action": action, "bank": str(bank.uuid)}
        assert client.post(reverse("study"), fields).status_code == 404


def test_a_page_costs_few_queries_whatever_the_cards(client, cards, counted):
    client.get(reverse("study_card"))
    sizes = []
    for more in (0, 20):
        for number in range(more):
            create_card_question(cards[0].question.bank, f"more-{number}")
        client.post(reverse("study"), {"action": "begin"})
        with counted() as queries:
            client.get(reverse("study_card"))
        sizes.append(len(queries))
        with counted() as queries:
            client.get(reverse("study"))
        sizes.append(len(queries))
    assert sizes[:2] == sizes[2:]
    assert sizes[0] <= 16
    assert sizes[1] <= 14


def test_looking_changes_no_row(client, cards):
    client.get(reverse("study_card"))
    before = list(StudyCard.objects.values())
    for name in ("study", "study_card", "study_settings"):
        assert client.get(reverse(name)).status_code == 200
    assert list(StudyCard.objects.values()) == before
    assert not StudySettings.objects.exclude(new_per_day=10).exists()


@pytest.mark.parametrize(
    ("interval", "english", "spanish"),
    [
        (timedelta(seconds=20), "<1 min", "<1 min"),
        (timedelta(minutes=5.5), "<6 min", "<6 min"),
        (timedelta(hours=5), "5 h", "5 h"),
        (timedelta(days=3), "3 d", "3 d"),
        (timedelta(days=64), "2.1 mo", "2,1 meses"),
        (timedelta(days=550), "1.5 y", "1,5 años"),
    ],
)
def test_intervals_are_short_and_in_the_language_of_the_page(interval, english, spanish):
    assert format_interval(interval) == english
    with translation.override("es"):
        assert format_interval(interval) == spanish


def test_what_is_wrong_with_a_setting_is_said():
    assert "from 1 to 9" in describe_settings_problem("out_of_range", {"first": 1, "last": 9})
    assert describe_settings_problem("unknown_value", {}) == "This cannot be chosen."


def test_before_there_are_cards_the_page_speaks_of_none(client, deck_bank):
    for address in (reverse("study"), reverse("study_card")):
        assert "due tomorrow" not in text(client.get(address))


def test_home_says_what_is_to_be_studied(users, client, deck_bank, counted):
    assert "cards to study" not in text(client.get("/"))
    cards = study(users.learner, deck_bank, clock.now())
    page = text(client.get("/"))
    assert "3 cards to study" in page
    for card in cards:
        act(client, card, rating="4")
    page = text(client.get("/"))
    assert "Cards done for today" in page
    assert "nothing due tomorrow" in page
    assert "Cards done" not in text(logged_in_client(users.other_learner).get("/"))


def test_home_costs_the_same_with_many_cards(users, client, cards, counted):
    client.get("/")
    sizes = []
    for more in (0, 20):
        for number in range(more):
            create_card_question(cards[0].question.bank, f"more-{number}")
        study(users.learner, cards[0].question.bank, clock.now())
        with counted() as queries:
            client.get("/")
        sizes.append(len(queries))
    assert sizes[0] == sizes[1] <= 16


def test_progress_shows_topics_days_and_a_streak(users, client, cards, questions):
    for question in questions:
        set_tags(question=question, names=["gpu"], by=None)
    page = text(client.get(reverse("progress")))
    assert "Topics appear here" in page
    assert "<svg" not in page.partition("<main")[2]
    take_quiz(create_quiz(users, questions), users.learner, {0: "d"}, now=clock.now())
    act(client, cards[0], rating="3")
    act(client, cards[1], rating="1")
    page = text(client.get(reverse("progress")))
    assert ">gpu<" in page
    assert "too early to say" in page or "worth another look" in page
    assert "2 reviews in the last 30 days, 1 of them recalled." in page
    assert "<strong>1</strong> day in a row" in page
    client.cookies["language"] = "es"
    assert "Mi progreso" in text(client.get(reverse("progress")))
    assert logged_in_client(users.stranger).get(reverse("progress")).status_code == 200
    client.logout()
    assert client.get(reverse("progress")).status_code == 302


def test_progress_costs_few_queries(users, client, cards, questions, counted):
    take_quiz(create_quiz(users, questions), users.learner, {0: "d"}, now=clock.now())
    client.get(reverse("progress"))
    with counted() as queries:
        client.get(reverse("progress"))
    assert len(queries) <= 12
