"""Whose cards a learner may study: banks offered to everyone, or to a class that they are in."""

from django.db.models import Q, QuerySet

from accounts.access import memberships_in_force
from accounts.models import User
from quizzes.bank.models import Bank
from quizzes.study.models import CardSource, StudyCard, StudyDeck, StudyOffer


def offered_to(learner: User | int) -> QuerySet[Bank]:
    """Return the banks whose cards this person may study."""
    joined = memberships_in_force().filter(user=learner, group__archived_at=None)
    offers = StudyOffer.objects.filter(
        Q(group__isnull=True) | Q(group__in=joined.values("group_id"))
    ).order_by()
    return Bank.objects.filter(pk__in=offers.values("bank"))


def studied_by(learner: User | int) -> QuerySet[StudyCard]:
    """Return the cards of a learner that may be asked, but for what a graded quiz may still ask.

    Those of one's mistakes, and those of the decks that one has and that are still offered.
    """
    decks = StudyDeck.objects.filter(learner=learner, bank__in=offered_to(learner)).order_by()
    of_decks = Q(
        source=CardSource.BANK,
        question__bank__in=decks.values("bank"),
        question__retired_at__isnull=True,
        question__current__isnull=False,
    )
    return StudyCard.objects.filter(Q(source=CardSource.MISTAKE) | of_decks, learner=learner)
