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
from quizzes.imports.bank_snapshot import BankReader
from quizzes.imports.import_plan.planner import plan_items
from quizzes.imports.import_plan.values import ImportAction, PlannedItem
from quizzes.imports.match_answers import (
    NO_ANSWERS,
    MatchAnswers,
    decisions_to_save,
    matches_to_merge,
)
from quizzes.lib.errors import Conflict, Invalid
from quizzes.matching.decisions import save_decisions
from quizzes.matching.language_match import LanguageMatch
from quizzes.matching.proposals import MatchProposals, propose_matches

BATCH = 250

T = TypeVar("T")

ProgressCallback = Callable[[int], None]
"""Told how many items are done; may raise to stop, and then nothing has happened."""


@dataclass(frozen=True, slots=True)
class ImportSelection:
    """What somebody wants of a file, by the items' numbers; `wanted` None: the usual ones.

    `anew` come under a name of their own, though the bank has a question of theirs.
    `seen` are the prints of the plan that was chosen from: one that no longer holds is Conflict.
    `twins` are the answers to proposals.
    """

    numbers: Collection[int] | None = None
    as_new: Collection[int] = frozenset()
    fingerprints: Sequence[str] = ()
    answers: MatchAnswers = NO_ANSWERS


DEFAULT_SELECTION = ImportSelection()
"""Whatever nothing speaks against."""


@dataclass(frozen=True, slots=True)
class ReportLine:
    """What was done with one item: of its plan, without the weight of its words."""

    number: int
    source_item: SourceItem
    action: ImportAction
    name: str
    selected: bool
    published: bool
    problems: tuple[Problem, ...] = ()
    match: LanguageMatch | None = None
    duplicate_of: LanguageMatch | None = None
    duplicates_searched: bool = True
    in_bank: bool = False


@dataclass(slots=True)
class ImportReport:
    """What an import did, or would do: every item of the file, in its order."""

    lines: list[ReportLine] = field(default_factory=list)

    def counts(self) -> dict[str, int]:
        """Count by what became of them; the sum is what the file holds."""
        return {what: sum(line.action == what for line in self.lines) for what in ImportAction}

    @property
    def written(self) -> int:
        """How many questions were brought in or changed."""
        return sum(line.selected for line in self.lines)


def plan_import(
    *,
    bank: Bank,
    parcel: ParsedFile,
    media: Mapping[str, str] | None = None,
    selection: ImportSelection = DEFAULT_SELECTION,
    proposals: MatchProposals | None = None,
) -> Iterator[PlannedItem]:
    """Plan a parcel against what the bank holds now, batch by batch; writes nothing.

    `media` gives the parcel's files the names that they have in the bank. Of the choice, what it
    says of names and of twins matters. `proposed`: twins that were sought in the bank as it is.
    """
    used_names: set[str] = set()
    holdings = BankReader(bank, named=parcel.slug == bank.slug)
    every = [import_media.rename_media(source_item, media or {}) for source_item in parcel.items]
    if proposals is None:
        proposals = _find_proposals(bank, parcel, holdings, every, search=selection.answers.search)
    twins = matches_to_merge(bank, every, proposals, selection.answers)
    for part in _batches(enumerate(every)):
        questions = [
            source_item.question for _, source_item in part if source_item.question is not None
        ]
        names = {twins[number].name for number, _ in part if number in twins}
        snapshot = replace(holdings.take_snapshot(questions, *names), matches=twins)
        for item_plan in plan_items(
            part, snapshot, used_names, is_bank_file=bool(parcel.slug), as_new=selection.as_new
        ):
            yield item_plan if item_plan.before else _with_proposals(item_plan, proposals)


def _find_proposals(
    bank: Bank,
    parcel: ParsedFile,
    holdings: BankReader,
    every: Collection[SourceItem],
    *,
    search: bool,
) -> MatchProposals:
    """Seek twins for the questions of a file; a bank's own file has all its languages."""
    if not holdings or parcel.slug:
        return MatchProposals()
    numbered = [
        (n, source_item.question)
        for n, source_item in enumerate(every)
        if source_item.question is not None
    ]
    fresh = [
        (n, source_item)
        for n, source_item in numbered
        if search and not holdings.has_question(source_item)
    ]
    return propose_matches(bank, numbered, fresh)


def _with_proposals(item_plan: PlannedItem, proposed: MatchProposals) -> PlannedItem:
    """Say of an item that is new which questions it may be."""
    twin, alike = proposed.matches.get(item_plan.number), proposed.duplicates.get(item_plan.number)
    return replace(item_plan, match=twin, duplicate_of=alike, duplicates_searched=proposed.searched)


def _batches(every: Iterable[T]) -> Iterator[list[T]]:
    """Give them in lists of BATCH at most."""
    source = iter(every)
    while part := list(islice(source, BATCH)):
        yield part


@dataclass(frozen=True, slots=True)
class PrecomputedMatches:
    """What takes long and can be known before anything is locked; and of which state of the bank.

    Two thousand questions held against two thousand take seconds, in which nobody else could
    write, and after which PostgreSQL takes the transaction for forgotten.
    """

    bank_fingerprint: str
    proposals: MatchProposals


def precompute_matches(
    *, bank: Bank, parcel: ParsedFile, selection: ImportSelection = DEFAULT_SELECTION
) -> PrecomputedMatches:
    """Seek the twins of a file; to be done outside of the transaction that brings it."""
    state, names = bank_snapshot.bank_fingerprint(bank), _new_media_names(bank, parcel)
    every = [import_media.rename_media(source_item, names) for source_item in parcel.items]
    holdings = BankReader(bank, named=parcel.slug == bank.slug)
    return PrecomputedMatches(
        state, _find_proposals(bank, parcel, holdings, every, search=selection.answers.search)
    )


def _new_media_names(bank: Bank, parcel: ParsedFile) -> import_media.MediaNames:
    return import_media.media_names(import_media.importable_media(bank=bank, parcel=parcel))


def run_import(  # noqa: PLR0913  every one of them is a choice of the caller's
    *,
    bank: Bank,
    parcel: ParsedFile,
    by: User | None,
    now: datetime,
    selection: ImportSelection = DEFAULT_SELECTION,
    on_progress: ProgressCallback | None = None,
    precomputed: PrecomputedMatches | None = None,
) -> ImportReport:
    """Write the chosen items, all or nothing; publish what has no problems.

    What needs review comes in as a draft. Twins are joined as was answered, else only proposed.
    Troubles in the file: Invalid, and nothing is written.
    Imports into one bank come one after the other. Who has a transaction open around it has looked
    `ahead` before.
    """
    if parcel.errors:
        raise Invalid("file_has_troubles", troubles=parcel.errors)
    precomputed = precomputed or precompute_matches(bank=bank, parcel=parcel, selection=selection)
    return _write_selected(
        bank=bank,
        parcel=parcel,
        by=by,
        now=now,
        selection=selection,
        on_progress=on_progress,
        precomputed=precomputed,
    )


@transaction.atomic
def _write_selected(  # noqa: PLR0913  as above
    *,
    bank: Bank,
    parcel: ParsedFile,
    by: User | None,
    now: datetime,
    selection: ImportSelection,
    on_progress: ProgressCallback | None,
    precomputed: PrecomputedMatches,
) -> ImportReport:
    bank = Bank.objects.select_for_update().get(pk=bank.pk)
    proposed = (
        precomputed.proposals
        if precomputed.bank_fingerprint == bank_snapshot.bank_fingerprint(bank)
        else None
    )
    report, media = ImportReport(), import_media.save_media(bank=bank, parcel=parcel, by=by)
    plans = plan_import(
        bank=bank, parcel=parcel, media=media, selection=selection, proposals=proposed
    )
    for part in _batches(plans):
        lines = list(_report_lines(bank, part, selection))
        _check_unchanged(selection, part, lines)
        bulk.update_or_create_questions(
            bank=bank, states=_questions_to_write(part, lines), by=by, now=now
        )
        _save_decisions(bank, part, lines, selection, by)
        report.lines += lines
        if on_progress:
            on_progress(len(report.lines))
    return report


def _save_decisions(
    bank: Bank,
    plans: Sequence[PlannedItem],
    lines: Sequence[ReportLine],
    choice: ImportSelection,
    by: User | None,
) -> None:
    chosen = {line.number for line in lines if line.selected}
    if decisions := list(decisions_to_save(plans, chosen, choice.answers)):
        save_decisions(bank=bank, words=decisions, by=by)


def preview_import(
    *,
    bank: Bank,
    parcel: ParsedFile,
    selection: ImportSelection = DEFAULT_SELECTION,
    on_item: Callable[[PlannedItem, ReportLine], None] | None = None,
) -> ImportReport:
    """Say what `bring` would do; writes nothing. A `witness` sees each item whole."""
    media = _new_media_names(bank, parcel)
    plans = plan_import(bank=bank, parcel=parcel, media=media, selection=selection)
    coming = frozenset(media.values())
    report = ImportReport()
    for part in _batches(plans):
        lines = list(_report_lines(bank, part, selection, coming))
        report.lines += lines
        if on_item:
            for item_plan, line in zip(part, lines, strict=True):
                on_item(item_plan, line)
    return report


def _report_lines(
    bank: Bank,
    plans: Collection[PlannedItem],
    choice: ImportSelection,
    coming: Collection[str] = frozenset(),
) -> Iterator[ReportLine]:
    """Decide of each item whether it is written, and whether it is published."""
    selected_numbers = choice.numbers
    for item_plan, item_problems in zip(
        plans, find_item_problems(bank, plans, coming), strict=True
    ):
        is_chosen = item_plan.writes and (
            item_plan.selected_by_default
            if selected_numbers is None
            else item_plan.number in selected_numbers
        )
        published = (
            is_chosen
            and not item_problems
            and item_plan.source_item.status != ImportStatus.REVIEW
            and item_plan.is_published_as_drafted
        )
        yield ReportLine(
            number=item_plan.number,
            source_item=replace(item_plan.source_item, question=None),
            action=item_plan.action,
            name=item_plan.name,
            selected=is_chosen,
            published=published,
            problems=item_problems,
            match=item_plan.match and replace(item_plan.match, document=None),
            duplicate_of=item_plan.duplicate_of and replace(item_plan.duplicate_of, document=None),
            duplicates_searched=item_plan.duplicates_searched,
            in_bank=item_plan.in_bank,
        )


def _check_unchanged(
    choice: ImportSelection, plans: Collection[PlannedItem], lines: Collection[ReportLine]
) -> None:
    """See that what is written is what somebody saw and chose."""
    for item_plan, line in zip(plans, lines, strict=True):
        if (
            choice.fingerprints
            and line.selected
            and item_plan.fingerprint() != choice.fingerprints[item_plan.number]
        ):
            raise Conflict("bank_changed", number=item_plan.number)


def find_item_problems(
    bank: Bank, plans: Collection[PlannedItem], coming: Collection[str] = frozenset()
) -> list[tuple[Problem, ...]]:
    """Name all that keeps each from being published in this bank; one query at most.

    `coming` are the names of files that it does not have yet and is to get.
    """
    written = [item_plan.document if item_plan.writes else None for item_plan in plans]
    names = uploads.available_media(bank=bank.pk, shown_by=filter(None, written)) | frozenset(
        coming
    )
    return [
        (*find_problems(document), *uploads.find_unknown_media(document, names)) if document else ()
        for document in written
    ]


def _questions_to_write(
    plans: Collection[PlannedItem], lines: Collection[ReportLine]
) -> list[bulk.QuestionState]:
    # Two items of a file may be one question; the later one has the words of both.
    by_name = {
        item_plan.name: bulk.QuestionState(
            item_plan.name,
            item_plan.document,
            item_plan.rows,
            item_plan.tags,
            line.published,
            file_managed=item_plan.file_managed,
        )
        for item_plan, line in zip(plans, lines, strict=True)
        if line.selected and item_plan.document
    }
    return list(by_name.values())
