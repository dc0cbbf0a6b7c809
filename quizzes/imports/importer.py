"""Doing what a person chose of a plan: in batches, in one transaction, and twice is once."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from typing import TypeVar

from django.db import transaction

from accounts.models import User
from grading.contract import Problem
from quizzes.bank import bulk, uploads
from quizzes.bank.models import Bank
from quizzes.document import find_problems
from quizzes.formats.contract import ImportStatus, ParsedFile, SourceItem
from quizzes.imports import bank_snapshot, import_media
from quizzes.imports.bank_snapshot import Holdings
from quizzes.imports.import_plan.planner import plan
from quizzes.imports.import_plan.values import Planned, What
from quizzes.imports.match_answers import NO_ANSWERS, Answers, joined, words
from quizzes.lib.errors import Conflict, Invalid
from quizzes.matching.decisions import remember
from quizzes.matching.language_match import LanguageMatch
from quizzes.matching.proposals import Proposals, propose

BATCH = 250

T = TypeVar("T")

Progress = Callable[[int], None]
"""Told how many items are done; may raise to stop, and then nothing has happened."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What somebody wants of a file, by the items' numbers; `wanted` None: the usual ones.

    `anew` come under a name of their own, though the bank has a question of theirs.
    `seen` are the prints of the plan that was chosen from: one that no longer holds is Conflict.
    `twins` are the answers to proposals.
    """

    wanted: Collection[int] | None = None
    anew: Collection[int] = frozenset()
    seen: Sequence[str] = ()
    twins: Answers = NO_ANSWERS


USUAL = Choice()
"""Whatever nothing speaks against."""


@dataclass(frozen=True, slots=True)
class Line:
    """What was done with one item: of its plan, without the weight of its words."""

    number: int
    found: SourceItem
    what: What
    name: str
    chosen: bool
    published: bool
    problems: tuple[Problem, ...] = ()
    twin: LanguageMatch | None = None
    alike: LanguageMatch | None = None
    searched: bool = True
    held: bool = False


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
    *,
    bank: Bank,
    parcel: ParsedFile,
    media: Mapping[str, str] | None = None,
    choice: Choice = USUAL,
    proposed: Proposals | None = None,
) -> Iterator[Planned]:
    """Plan a parcel against what the bank holds now, batch by batch; writes nothing.

    `media` gives the parcel's files the names that they have in the bank. Of the choice, what it
    says of names and of twins matters. `proposed`: twins that were sought in the bank as it is.
    """
    taken: set[str] = set()
    holdings = Holdings(bank, named=parcel.slug == bank.slug)
    every = [import_media.renamed(one, media or {}) for one in parcel.items]
    if proposed is None:
        proposed = _proposed(bank, parcel, holdings, every, sought=choice.twins.sought)
    twins = joined(bank, every, proposed, choice.twins)
    for part in _batches(enumerate(every)):
        questions = [one.question for _, one in part if one.question is not None]
        names = {twins[number].name for number, _ in part if number in twins}
        held = replace(holdings.of(questions, *names), twins=twins)
        for one in plan(part, held, taken, whole=bool(parcel.slug), anew=choice.anew):
            yield one if one.before else _beside(one, proposed)


def _proposed(
    bank: Bank,
    parcel: ParsedFile,
    holdings: Holdings,
    every: Collection[SourceItem],
    *,
    sought: bool,
) -> Proposals:
    """Seek twins for the questions of a file; a bank's own file has all its languages."""
    if not holdings or parcel.slug:
        return Proposals()
    told = [(n, one.question) for n, one in enumerate(every) if one.question is not None]
    fresh = [(n, one) for n, one in told if sought and not holdings.knows(one)]
    return propose(bank, told, fresh)


def _beside(one: Planned, proposed: Proposals) -> Planned:
    """Say of an item that is new which questions it may be."""
    twin, alike = proposed.twins.get(one.number), proposed.alike.get(one.number)
    return replace(one, twin=twin, alike=alike, searched=proposed.searched)


def _batches(every: Iterable[T]) -> Iterator[list[T]]:
    """Give them in lists of BATCH at most."""
    source = iter(every)
    while part := list(islice(source, BATCH)):
        yield part


@dataclass(frozen=True, slots=True)
class Ahead:
    """What takes long and can be known before anything is locked; and of which state of the bank.

    Two thousand questions held against two thousand take seconds, in which nobody else could
    write, and after which PostgreSQL takes the transaction for forgotten.
    """

    state: str
    proposed: Proposals


def look_ahead(*, bank: Bank, parcel: ParsedFile, choice: Choice = USUAL) -> Ahead:
    """Seek the twins of a file; to be done outside of the transaction that brings it."""
    state, names = bank_snapshot.state_of(bank), _coming(bank, parcel)
    every = [import_media.renamed(one, names) for one in parcel.items]
    holdings = Holdings(bank, named=parcel.slug == bank.slug)
    return Ahead(state, _proposed(bank, parcel, holdings, every, sought=choice.twins.sought))


def _coming(bank: Bank, parcel: ParsedFile) -> import_media.Names:
    return import_media.names(import_media.pictures(bank=bank, parcel=parcel))


def bring(  # noqa: PLR0913  every one of them is a choice of the caller's
    *,
    bank: Bank,
    parcel: ParsedFile,
    by: User | None,
    now: datetime,
    choice: Choice = USUAL,
    progress: Progress | None = None,
    ahead: Ahead | None = None,
) -> Report:
    """Write the chosen items, all or nothing; publish what has no problems.

    What needs review comes in as a draft. Twins are joined as was answered, else only proposed.
    Troubles in the file: Invalid, and nothing is written.
    Imports into one bank come one after the other. Who has a transaction open around it has looked
    `ahead` before.
    """
    if parcel.errors:
        raise Invalid("file_has_troubles", troubles=parcel.errors)
    ahead = ahead or look_ahead(bank=bank, parcel=parcel, choice=choice)
    return _bring(
        bank=bank, parcel=parcel, by=by, now=now, choice=choice, progress=progress, ahead=ahead
    )


@transaction.atomic
def _bring(  # noqa: PLR0913  as above
    *,
    bank: Bank,
    parcel: ParsedFile,
    by: User | None,
    now: datetime,
    choice: Choice,
    progress: Progress | None,
    ahead: Ahead,
) -> Report:
    bank = Bank.objects.select_for_update().get(pk=bank.pk)
    proposed = ahead.proposed if ahead.state == bank_snapshot.state_of(bank) else None
    report, media = Report(), import_media.keep(bank=bank, parcel=parcel, by=by)
    plans = planned(bank=bank, parcel=parcel, media=media, choice=choice, proposed=proposed)
    for part in _batches(plans):
        lines = list(_judged(bank, part, choice))
        _hold_to(choice, part, lines)
        bulk.keep(bank=bank, wanted=_wanted(part, lines), by=by, now=now)
        _remember(bank, part, lines, choice, by)
        report.lines += lines
        if progress:
            progress(len(report.lines))
    return report


def _remember(
    bank: Bank, plans: Sequence[Planned], lines: Sequence[Line], choice: Choice, by: User | None
) -> None:
    chosen = {line.number for line in lines if line.chosen}
    if said := list(words(plans, chosen, choice.twins)):
        remember(bank=bank, words=said, by=by)


def foretell(
    *,
    bank: Bank,
    parcel: ParsedFile,
    choice: Choice = USUAL,
    witness: Callable[[Planned, Line], None] | None = None,
) -> Report:
    """Say what `bring` would do; writes nothing. A `witness` sees each item whole."""
    media = _coming(bank, parcel)
    plans = planned(bank=bank, parcel=parcel, media=media, choice=choice)
    coming = frozenset(media.values())
    report = Report()
    for part in _batches(plans):
        lines = list(_judged(bank, part, choice, coming))
        report.lines += lines
        if witness:
            for one, line in zip(part, lines, strict=True):
                witness(one, line)
    return report


def _judged(
    bank: Bank, plans: Collection[Planned], choice: Choice, coming: Collection[str] = frozenset()
) -> Iterator[Line]:
    """Decide of each item whether it is written, and whether it is published."""
    wanted = choice.wanted
    for one, found in zip(plans, problems(bank, plans, coming), strict=True):
        is_chosen = one.writes and (one.usual if wanted is None else one.number in wanted)
        published = is_chosen and not found and one.found.status != ImportStatus.REVIEW and one.live
        yield Line(
            number=one.number,
            found=replace(one.found, question=None),
            what=one.what,
            name=one.name,
            chosen=is_chosen,
            published=published,
            problems=found,
            twin=one.twin and replace(one.twin, held=None),
            alike=one.alike and replace(one.alike, held=None),
            searched=one.searched,
            held=one.held,
        )


def _hold_to(choice: Choice, plans: Collection[Planned], lines: Collection[Line]) -> None:
    """See that what is written is what somebody saw and chose."""
    for one, line in zip(plans, lines, strict=True):
        if choice.seen and line.chosen and one.print() != choice.seen[one.number]:
            raise Conflict("bank_changed", number=one.number)


def problems(
    bank: Bank, plans: Collection[Planned], coming: Collection[str] = frozenset()
) -> list[tuple[Problem, ...]]:
    """Name all that keeps each from being published in this bank; one query at most.

    `coming` are the names of files that it does not have yet and is to get.
    """
    written = [one.item if one.writes else None for one in plans]
    names = uploads.held(bank=bank.pk, shown_by=filter(None, written)) | frozenset(coming)
    return [(*find_problems(one), *uploads.unknown(one, names)) if one else () for one in written]


def _wanted(plans: Collection[Planned], lines: Collection[Line]) -> list[bulk.Wanted]:
    # Two items of a file may be one question; the later one has the words of both.
    wanted = {
        one.name: bulk.Wanted(
            one.name, one.item, one.rows, one.tags, line.published, lasting=one.lasting
        )
        for one, line in zip(plans, lines, strict=True)
        if line.chosen and one.item
    }
    return list(wanted.values())
