"""Which banks' cards can be studied, and by whom: changed by editors of the bank and recorded."""

from datetime import datetime

from django.db import transaction

from accounts.access import groups_taught
from accounts.models import Group, User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.access import check_editor
from quizzes.bank.models import Bank
from quizzes.lib.errors import NotFound
from quizzes.study.models import CARD_KIND, StudyDeck, StudyOffer

EVERYONE = "everyone who is signed in"
"""Whom an offer reaches that names no class, as the audit log stores it."""


@transaction.atomic
def offer_deck(*, bank: Bank, group: Group | None, by: User | None, now: datetime) -> StudyOffer:
    """Let a class, or everyone who is signed in, study the cards of a bank; twice is once.

    No editor of the bank, or a class that one does not teach: NotFound. None is the site itself.
    """
    check_editor(by, bank)
    if by is not None and group is not None and not groups_taught(by).filter(pk=group.pk).exists():
        raise NotFound
    offer, is_new = StudyOffer.objects.get_or_create(
        bank=bank, group=group, defaults={"created_at": now}
    )
    if is_new:
        record(AuditCode.STUDY_OFFERED, about=bank, by=by, after=_describe(group))
    return offer


@transaction.atomic
def withdraw_deck(*, bank: Bank, group: Group | None, by: User | None) -> None:
    """Take an offer back: its cards rest, their logs stay. No editor, no such offer: NotFound."""
    check_editor(by, bank)
    offer = StudyOffer.objects.select_for_update().filter(bank=bank, group=group).first()
    if offer is None:
        raise NotFound
    offer.delete()
    record(AuditCode.STUDY_OFFER_WITHDRAWN, about=bank, by=by, before=_describe(group))


def count_cards(bank: Bank) -> int:
    """Return how many cards of a bank are published and in use."""
    return bank.questions.filter(
        kind=CARD_KIND, retired_at__isnull=True, current__isnull=False
    ).count()


def count_learners(bank: Bank) -> int:
    """Return how many people have the cards of a bank among their decks."""
    return StudyDeck.objects.filter(bank=bank).count()


def _describe(group: Group | None) -> dict[str, str]:
    return {"audience": EVERYONE if group is None else str(group)}
