"""How large banks are, for lists of them."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, F, Q

from quizzes.bank.models import Question, VersionTranslation


@dataclass(frozen=True, slots=True)
class BankCounts:
    """How large a bank is: questions in use, those of them that are published, and those retired.

    `languages` are those in which published questions have words.
    """

    questions: int = 0
    published: int = 0
    retired: int = 0
    languages: frozenset[str] = frozenset()


def load_bank_counts(banks: Iterable[int]) -> dict[int, BankCounts]:
    """Return the counts of each of these banks, by primary key; two queries for all of them."""
    bank_ids, spoken = list(banks), dict[int, set[str]]()
    current = VersionTranslation.objects.filter(
        version__question__bank__in=bank_ids, version__question__current=F("version")
    )
    for bank, language in current.values_list("version__question__bank", "language").distinct():
        spoken.setdefault(bank, set()).add(language)
    used = Q(retired_at=None)
    rows = Question.objects.filter(bank__in=bank_ids).order_by().values("bank")
    counted = rows.annotate(
        used=Count("pk", filter=used),
        published=Count("current", filter=used),
        retired=Count("pk", filter=~used),
    )
    counts = {
        row["bank"]: BankCounts(
            row["used"],
            row["published"],
            row["retired"],
            frozenset(spoken.get(row["bank"], ())),
        )
        for row in counted
    }
    return {bank: counts.get(bank, BankCounts()) for bank in bank_ids}
