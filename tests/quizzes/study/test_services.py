"""Decks, the log of reviews, and that what is stored of a card is what its log comes to."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quizzes.attempts.models import Erasure
from quizzes.bank.models import Question
from quizzes.lib.base_models import ImmutableRowError
from quizzes.lib.errors import Invalid, NotFound
from quizzes.privacy.person_erasure import erase_person
from quizzes.study import services
from quizzes.study.domain import replay
from quizzes.study.domain.replay import AGAIN, EASY, GOOD, LEARNING, NEW, REVIEWING
from quizzes.study.models import StudyCard, StudyDeck, StudyLogEntry, StudySettings
from tests.attempt_helpers import later
from tests.factories import NOW, create_bank, publish_change
from tests.quizzes.study.helpers import (
    LAPTOP,
    PHONE,
    create_card_question,
    entry,
    offer,
    send,
    state_of,
    study,
)

pytestmark = pytest.mark.django_db


def test_a_deck_has_a_card_for_each_question_once(users, deck_bank):
    assert len(study(users.learner, deck_bank)) == 3
    assert len(study(users.learner, deck_bank)) == 3
    create_card_question(deck_bank, "fourth")
    assert services.sync_decks(learner=users.learner, now=NOW) == 1
    assert services.sync_decks(learner=users.learner, now=NOW) == 0


def test_adding_nothing_costs_one_query(users, cards, counted):
    with counted() as queries:
        services.sync_decks(learner=users.learner, now=NOW)
    assert len(queries) == 1


def test_only_what_is_offered_can_be_studied(users):
    bank = create_bank(users, slug="hidden")
    create_card_question(bank, "card")
    with pytest.raises(NotFound):
        services.add_deck(learner=users.learner, bank=bank.uuid, now=NOW)
    offer(bank, users.group)
    assert len(study(users.learner, bank)) == 1
    with pytest.raises(NotFound):
        services.add_deck(learner=users.stranger, bank=bank.uuid, now=NOW)


def test_a_deck_that_is_removed_leaves_its_log(users, deck_bank, cards):
    send(users.learner, entry(cards[0]))
    services.remove_deck(learner=users.learner, bank=deck_bank.uuid)
    assert not StudyDeck.objects.exists()
    with pytest.raises(NotFound):
        services.remove_deck(learner=users.learner, bank=deck_bank.uuid)
    assert study(users.learner, deck_bank)[0].review_count == 1


def test_a_review_moves_its_card(users, cards):
    assert send(users.learner, entry(cards[0], rating=EASY)) == ["stored"]
    state = state_of(cards[0])
    assert state["phase"] == REVIEWING
    assert state["due_at"] > later(days=1)
    assert state_of(cards[1])["phase"] == NEW


def test_a_review_sent_twice_is_one(users, cards):
    review = entry(cards[0])
    assert send(users.learner, review) == ["stored"]
    before = state_of(cards[0])
    assert send(users.learner, review, review, device=LAPTOP, now=later(hours=1)) == [
        "already_stored",
        "already_stored",
    ]
    assert state_of(cards[0]) == before
    assert StudyLogEntry.objects.count() == 1


def test_cards_of_others_are_not_found(users, cards):
    assert send(users.other_learner, entry(cards[0])) == ["not_found"]
    missing = services.EntryInput(uuid4(), uuid4(), replay.REVIEW, NOW, rating=GOOD)
    assert send(users.learner, missing) == ["not_found"]
    assert not StudyLogEntry.objects.exists()


def test_undo_takes_back_the_last_thing_done(users, cards):
    send(users.learner, entry(cards[0], rating=EASY))
    familiar = state_of(cards[0])
    send(users.learner, entry(cards[0], replay.SUSPEND, at=later(minutes=1)), now=later(minutes=1))
    assert state_of(cards[0])["is_suspended"]

    def undo(minutes):
        return services.undo_last(learner=users.learner, device=PHONE, now=later(minutes=minutes))

    assert undo(2) == cards[0]
    assert state_of(cards[0]) == familiar
    undo(3)
    assert state_of(cards[0])["phase"] == NEW
    assert undo(4) is None
    send(users.learner, entry(cards[0], at=later(minutes=5)), now=later(minutes=5))
    assert state_of(cards[0])["review_count"] == 1
    assert StudyLogEntry.objects.count() == 5


def test_a_buried_card_rests_until_the_learners_next_day(users, cards):
    users.learner.time_zone = "America/New_York"
    send(users.learner, entry(cards[0], replay.BURY))
    assert state_of(cards[0])["buried_until"].isoformat() == "2026-11-22T09:00:00+00:00"


def test_a_bank_imported_again_leaves_states_as_they_are(users, deck_bank, cards):
    send(users.learner, entry(cards[0], rating=EASY))
    before = state_of(cards[0])
    publish_change(cards[0].question, feedback={"en": {"back": "New"}, "es": {"back": "Nuevo"}})
    services.sync_decks(learner=users.learner, now=later(days=1))
    assert StudyCard.objects.filter(learner=users.learner).count() == 3
    assert state_of(cards[0]) == before
    Question.objects.filter(pk=cards[0].question_id).update(retired_at=NOW)
    assert services.sync_decks(learner=users.learner, now=later(days=1)) == 0
    assert state_of(cards[0]) == before


def test_a_device_whose_clock_is_wrong_moves_nothing(users, cards):
    """The same review from two learners, one with a clock that is a day ahead."""
    other = study(users.other_learner, cards[0].question.bank)
    sent = later(hours=3)
    send(users.learner, entry(cards[0], at=later(hours=2), rating=EASY), now=sent)
    wrong = timedelta(days=1)
    send(
        users.other_learner,
        entry(other[0], at=later(hours=2) + wrong, rating=EASY),
        sent_at=sent + wrong,
        now=sent,
    )
    assert state_of(other[0]) == state_of(cards[0])


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"action": "learn"}, "unknown_action"),
        ({"rating": 5}, "rating_invalid"),
        ({"rating": None}, "rating_invalid"),
        ({"action": "bury", "rating": 2}, "rating_invalid"),
        ({"action": "undo"}, "undo_names_no_entry"),
        ({"undoes": UUID(int=7)}, "undo_names_no_entry"),
    ],
)
def test_what_makes_no_sense_is_refused_and_nothing_stored(users, cards, fields, code):
    good, bad = entry(cards[0]), entry(cards[1], **fields)
    with pytest.raises(Invalid) as refusal:
        send(users.learner, good, bad)
    assert refusal.value.code == code
    assert not StudyLogEntry.objects.exists()


def test_too_many_entries_at_once_are_refused(users, cards):
    with pytest.raises(Invalid, match="too_many_entries"):
        send(users.learner, *[entry(cards[0]) for _ in range(501)])


def test_a_batch_costs_as_many_queries_as_one_entry(users, cards, counted):
    send(users.learner, entry(cards[0]))
    sizes = []
    for count in (1, 30):
        inputs = [entry(cards[number % 3], at=later(seconds=number)) for number in range(count)]
        with counted() as queries:
            send(users.learner, *inputs, now=later(minutes=1))
        sizes.append(len(queries))
    assert sizes[0] == sizes[1] <= 7


def test_the_log_is_append_only(users, cards):
    send(users.learner, entry(cards[0]))
    row = StudyLogEntry.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        StudyLogEntry.objects.update(rating=EASY)
    with pytest.raises(IntegrityError), transaction.atomic():
        StudyLogEntry.objects.all().delete()
    with pytest.raises(ImmutableRowError):
        row.delete()
    assert StudyLogEntry.objects.get().rating == GOOD


def test_an_entry_is_of_the_learner_of_its_card(users, cards):
    send(users.learner, entry(cards[0]))
    row = StudyLogEntry.objects.get()
    row.pk, row.client_id, row.learner_id = None, uuid4(), users.other_learner.pk
    with pytest.raises(IntegrityError), transaction.atomic():
        StudyLogEntry.objects.bulk_create([row])


def test_the_log_goes_with_its_person(users, cards):
    send(users.learner, entry(cards[0]))
    other = study(users.other_learner, cards[0].question.bank)
    send(users.other_learner, entry(other[0]))
    erase_person(person=users.learner, by=None, now=NOW)
    assert Erasure.objects.get().learner == users.learner
    assert {row.learner_id for row in StudyLogEntry.objects.all()} == {users.other_learner.pk}
    assert {row.learner_id for row in StudyCard.objects.all()} == {users.other_learner.pk}
    assert not StudySettings.objects.filter(learner=users.learner).exists()


def test_settings_stay_in_their_ranges(users):
    saved = services.save_settings(
        learner=users.learner,
        values={"new_per_day": 5, "retention": 850, "language_choice": "other"},
        now=NOW,
    )
    assert (saved.new_per_day, saved.retention, saved.language_choice) == (5, 850, "other")
    for values in (
        {"new_per_day": -1},
        {"reviews_per_day": 10_000},
        {"retention": 990},
        {"day_starts_at": 24},
        {"language_choice": "both"},
        {"learner": 1},
    ):
        with pytest.raises(Invalid):
            services.save_settings(learner=users.learner, values=values, now=NOW)


def test_a_review_counts_by_the_retention_it_was_made_with(users, cards):
    services.save_settings(learner=users.learner, values={"retention": 800}, now=NOW)
    send(users.learner, entry(cards[0], rating=EASY))
    before = state_of(cards[0])
    services.save_settings(learner=users.learner, values={"retention": 970}, now=NOW)
    send(users.learner, entry(cards[0], replay.SUSPEND, at=later(days=1)), now=later(days=1))
    assert state_of(cards[0])["due_at"] == before["due_at"]


@st.composite
def stories(draw):
    """Return what two devices did offline with one card, as (device, action, minutes, rating)."""
    steps = []
    for _ in range(draw(st.integers(2, 7))):
        action = draw(st.sampled_from([replay.REVIEW] * 3 + [replay.BURY, replay.SUSPEND]))
        rating = draw(st.sampled_from(replay.RATINGS)) if action == replay.REVIEW else None
        minutes = draw(st.integers(0, 20 * 1440))
        steps.append((draw(st.sampled_from([PHONE, LAPTOP])), action, minutes, rating))
    return steps, draw(st.integers(0, len(steps) - 1))


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(story=stories(), data=st.data())
def test_states_are_equal_in_whatever_order_devices_send(users, cards, story, data):
    """Two learners do the same; what they did arrives otherwise, and the clocks are otherwise."""
    steps, undone = story
    received = later(days=30)
    states = []
    for learner in (users.learner, users.other_learner):
        card = study(learner, cards[0].question.bank)[0]
        wrong = {
            device: timedelta(hours=data.draw(st.integers(-48, 48))) for device in (PHONE, LAPTOP)
        }
        ids = [UUID(int=number) for number in range(1, len(steps) + 1)]  # decide between equals
        sent = [
            (
                device,
                entry(
                    card,
                    action,
                    NOW + timedelta(minutes=minutes) + wrong[device],
                    client_id=id_,
                    **({"rating": rating} if rating else {}),
                ),
            )
            for (device, action, minutes, rating), id_ in zip(steps, ids, strict=True)
        ]
        sent.append(
            (LAPTOP, entry(card, replay.UNDO, received + wrong[LAPTOP], undoes=ids[undone]))
        )
        with transaction.atomic():
            for device, each in data.draw(st.permutations(sent)):
                send(learner, each, device=device, sent_at=received + wrong[device], now=received)
            states.append(state_of(card))
            stored = services.replay_logs([card])[0][1]
            assert states[-1] == {name: getattr(stored, name) for name in replay.STATE_FIELDS}
            transaction.set_rollback(True)
    assert states[0] == states[1]


def test_a_card_is_learnt_in_two_steps(users, cards):
    send(users.learner, entry(cards[0], rating=GOOD))
    assert state_of(cards[0])["phase"] == LEARNING
    send(users.learner, entry(cards[0], rating=AGAIN, at=later(minutes=1)), now=later(minutes=1))
    assert state_of(cards[0])["step"] == 0
