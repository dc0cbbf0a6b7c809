"""A deck of three cards that everyone may study."""

import pytest

from tests.factories import create_bank
from tests.quizzes.study.helpers import create_card_question, offer, study


@pytest.fixture
def deck_bank(users):
    """A bank of three cards, offered to everyone."""
    bank = create_bank(users, slug="cards")
    for name in ("first", "second", "third"):
        create_card_question(bank, name)
    return offer(bank)


@pytest.fixture
def cards(users, deck_bank):
    """The cards of the learner."""
    return study(users.learner, deck_bank)
