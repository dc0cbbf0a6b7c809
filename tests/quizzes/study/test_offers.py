"""Who may offer a bank's cards for study, by whom they are then studied, and what is recorded."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.lib.errors import NotFound
from quizzes.study import selectors
from quizzes.study.offers import offer_deck, withdraw_deck
from tests.factories import NOW, create_bank
from tests.quizzes.study.helpers import create_card_question, study

pytestmark = pytest.mark.django_db


@pytest.fixture
def bank(users):
    bank = create_bank(users, slug="cards")
    create_card_question(bank, "first")
    return bank


def offered(learner):
    return [row.bank for row in selectors.list_decks(learner)]


def test_an_offer_reaches_the_class_alone_and_is_recorded(users, bank):
    for _ in range(2):
        offer_deck(bank=bank, group=users.group, by=users.instructor, now=NOW)
    assert offered(users.learner) == [bank.uuid]
    assert offered(users.stranger) == []
    assert AuditEvent.objects.filter(code=AuditCode.STUDY_OFFERED).count() == 1
    study(users.learner, bank)
    withdraw_deck(bank=bank, group=users.group, by=users.instructor)
    assert offered(users.learner) == []
    assert selectors.load_today(users.learner, NOW).queue.count == 0
    assert AuditEvent.objects.filter(code=AuditCode.STUDY_OFFER_WITHDRAWN).count() == 1
    with pytest.raises(NotFound):
        withdraw_deck(bank=bank, group=users.group, by=users.instructor)


def test_a_class_that_one_does_not_teach_gets_no_offer(users, bank):
    with pytest.raises(NotFound):
        offer_deck(bank=bank, group=users.other_group, by=users.instructor, now=NOW)


def test_the_command_offers_and_takes_back(users, bank):
    out = StringIO()
    call_command("offer_deck", "cards", stdout=out)
    assert offered(users.stranger) == [bank.uuid]
    call_command("offer_deck", "cards", "--class", "Class A", stdout=out)
    call_command("offer_deck", "cards", "--withdraw", stdout=out)
    assert offered(users.stranger) == []
    assert offered(users.learner) == [bank.uuid]
    assert "no longer offered to everyone" in out.getvalue()
    for arguments in (["none"], ["cards", "--class", "None"], ["cards", "--withdraw"]):
        with pytest.raises(CommandError):
            call_command("offer_deck", *arguments, stdout=out)
