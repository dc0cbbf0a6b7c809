"""Doing what a person chose of a plan: in batches, in one transaction, and twice is once."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import TypeVar

from django.db import transaction

from accounts.models import User
from grading.contract import Problem
from quizzes.bank import bulk, uploads
from quizzes.bank import item as items
from quizzes.bank.item import Item
from quizzes.bank.models import Bank
from quizzes.exchange import illustrating
from quizzes.exchange.contract import Found, Parcel, Verdict
from quizzes.exchange.holding import Holdings
from quizzes.exchange.planning import Planned, What, plan
from quizzes.lib.errors import Invalid

BATCH = 250

T = TypeVar("T")

Progress = Callable[[int], None]
"""Told how many items are done; may raise to stop, and then nothing has happened."""


@dataclass(frozen=True, slots=True)
class Line:
    """What was done with one item: of its plan, without the weight of its words."""

    number: int
    found: Found
    what: What
    name: str
    chosen: bool
    published: bool
    problems: tuple[Problem, ...] = ()


@dataclass(slots=True)
class Report:
    """What an import did, or would do: every item of the file, in its order."""

    lines: list[Line] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        """Count by what became of them; the sum is what the file holds."""
        return {what: sum(line.what == what for line in self.lines) for what in What}

    @property
    def written(self) -> int:
        """How many questions were brought in or changed."""
        return sum(line.chosen for line in self.lines)


def planned(
    *, bank: Bank, parcel: Parcel, media: Mapping[str, str] | None = None
) -> Iterator[Planned]:
    """Plan a parcel against what the bank holds now, batch by batch; writes nothing.

    `media` gives names of the parcel's files their own, as far as the bank has them.
    """
    taken: set[str] = set()
    holdings = Holdings(bank)
    for part in _batches(enumerate(parcel.found)):
        found = [(number, illustrating.renamed(one, media or {})) for number, one in part]
        holding = holdings.of([one.question for _, one in found if one.question is not None])
        yield from plan(found, holding, taken, whole=bool(parcel.slug))


def _batches(every: Iterable[T]) -> Iterator[list[T]]:
    """Give them in lists of BATCH at most."""
    source = iter(every)
    while part := list(islice(source, BATCH)):
        yield part


@transaction.atomic
def bring(  # noqa: PLR0913  every one of them is a choice of the caller's
    *,
    bank: Bank,
    parcel: Parcel,
    by: User | None,
    now: datetime,
    chosen: Collection[int] | None = None,
    progress: Progress | None = None,
) -> Report:
    """Write the chosen items (None: the usual ones), all or nothing; publish what has no problems.

    What needs review comes in as a draft. Troubles in the file: Invalid, and nothing is written.
    Imports into one bank come one after the other.
    """
    if parcel.troubles:
        raise Invalid("file_has_troubles", troubles=parcel.troubles)
    bank = Bank.objects.select_for_update().get(pk=bank.pk)
    report, media = Report(), illustrating.keep(bank=bank, parcel=parcel, by=by)
    for part in _batches(planned(bank=bank, parcel=parcel, media=media)):
        lines = [_judge(bank, one, chosen) for one in part]
        bulk.keep(bank=bank, wanted=_wanted(part, lines), by=by, now=now)
        report.lines += lines
        if progress:
            progress(len(report.lines))
    return report


def foretell(*, bank: Bank, parcel: Parcel, chosen: Collection[int] | None = None) -> Report:
    """Say what `bring` would do; writes nothing."""
    media = illustrating.known(bank=bank, parcel=parcel)
    plans = planned(bank=bank, parcel=parcel, media=media)
    return Report([_judge(bank, one, chosen) for one in plans])


def _judge(bank: Bank, one: Planned, chosen: Collection[int] | None) -> Line:
    """Decide of one item whether it is written, and whether it is published."""
    is_chosen = one.writes and (one.usual if chosen is None else one.number in chosen)
    found = problems(bank, one.item) if one.item and one.writes else ()
    published = is_chosen and not found and one.found.verdict != Verdict.REVIEW
    light = replace(one.found, question=None)
    return Line(one.number, light, one.what, one.name, is_chosen, published, found)


def problems(bank: Bank, item: Item) -> tuple[Problem, ...]:
    """Name all that keeps an item from being published in this bank."""
    return (*items.problems(item), *uploads.problems(bank=bank.pk, item=item, lock=False))


def _wanted(plans: Collection[Planned], lines: Collection[Line]) -> list[bulk.Wanted]:
    return [
        bulk.Wanted(one.name, one.item, one.rows, one.tags, line.published)
        for one, line in zip(plans, lines, strict=True)
        if line.chosen and one.item
    ]
