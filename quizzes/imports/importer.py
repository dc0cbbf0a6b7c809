"""Importing a file into a bank: all of the selection or nothing; again, nothing more."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import islice
from typing import TypeVar

from django.db import transaction

from accounts.models import Group, User
from grading.contract import Problem
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank import bulk, services, uploads
from quizzes.bank.access import check_editor
from quizzes.bank.models import Bank
from quizzes.document import find_problems
from quizzes.formats.contract import FileError, ParsedFile
from quizzes.formats.parsing.progress import begin_step, count_each
from quizzes.imports import bank_snapshot, import_media
from quizzes.imports.bank_snapshot import BankReader
from quizzes.imports.import_plan.planner import plan_items
from quizzes.imports.import_plan.values import ImportAction, PlannedItem
from quizzes.imports.import_steps import ImportStep
from quizzes.imports.item_linter import ItemLinter
from quizzes.imports.match_answers import (
    NO_ANSWERS,
    MatchAnswers,
    decisions_to_save,
    matches_to_merge,
)
from quizzes.imports.report import ImportReport, ReportItem, build_item
from quizzes.lib.errors import Conflict, Invalid
from quizzes.lib.row_writers import DIRECT, RowWriter, StagedWriter, may_stage
from quizzes.matching.decisions import save_decisions
from quizzes.matching.proposals import MatchProposals, propose_matches

BATCH = 250

T = TypeVar("T")

ProgressCallback = Callable[[int], None]
"""Called with how many items are done; may raise to stop, and then nothing is written."""


@dataclass(frozen=True, slots=True)
class ImportSelection:
    """Which items of a file are imported, by their numbers; None: the default ones.

    `as_new` are imported under a new name, whatever the bank has under theirs. `fingerprints` are
    those of the plan that was selected from: if one differs by now, that is Conflict. `answers`
    are those to proposed matches. `overwrite`: conflicts are among the default ones.
    """

    numbers: Collection[int] | None = None
    as_new: Collection[int] = frozenset()
    fingerprints: Sequence[str] = ()
    answers: MatchAnswers = NO_ANSWERS
    overwrite: bool = False

    def has(self, planned: PlannedItem) -> bool:
        """Return whether an item is to be written."""
        if not planned.writes or self.numbers is not None:
            return planned.writes and planned.number in (self.numbers or ())
        is_conflict = planned.action == ImportAction.CONFLICT
        return planned.selected_by_default or (self.overwrite and is_conflict)


DEFAULT_SELECTION = ImportSelection()
"""Whatever nothing speaks against."""


def _plan_batches(
    *,
    bank: Bank,
    parsed_file: ParsedFile,
    proposals: MatchProposals,
    media_names: Mapping[str, str],
    selection: ImportSelection = DEFAULT_SELECTION,
) -> Iterator[list[PlannedItem]]:
    """Plan a file against what the bank has now, batch by batch; writes nothing.

    `media_names` are the names that the file's media have in the bank. Of the selection, `as_new`
    and `answers` matter.
    """
    used_names: set[str] = set()
    reader = BankReader(bank, parsed_file)
    source_items = import_media.rename_all_media(parsed_file, media_names)
    matches = matches_to_merge(bank, source_items, proposals, selection.answers)
    for batch in _batches(enumerate(source_items)):
        questions = [source_item.question for _, source_item in batch if source_item.question]
        names = {matches[number].question for number, _ in batch if number in matches}
        snapshot = replace(reader.take_snapshot(questions, *names), matches=matches)
        plan = plan_items(
            batch,
            snapshot,
            used_names,
            is_bank_file=bool(parsed_file.slug),
            as_new=selection.as_new,
        )
        yield [
            planned
            if planned.before
            else replace(
                planned,
                match=proposals.matches.get(planned.number),
                duplicate_of=proposals.duplicates.get(planned.number),
            )
            for planned in plan
        ]


def find_proposals(
    bank: Bank, parsed_file: ParsedFile, selection: ImportSelection = DEFAULT_SELECTION
) -> MatchProposals:
    """Return which questions of the bank those of a file may be; reads only.

    It takes seconds for thousands of questions, in which nobody should wait for a lock.
    """
    reader = BankReader(bank, parsed_file)
    if not reader or parsed_file.slug:  # a bank's own file has all its languages
        return MatchProposals()
    names = import_media.find_media_names(bank=bank, parsed_file=parsed_file)
    numbered = [
        (number, source_item.question)
        for number, source_item in enumerate(import_media.rename_all_media(parsed_file, names))
        if source_item.question is not None
    ]
    new = [
        (number, question)
        for number, question in numbered
        if selection.answers.search and not reader.has_question(question)
    ]
    return propose_matches(bank, numbered, new)


def _batches(items: Iterable[T]) -> Iterator[list[T]]:
    """Yield the items in lists of BATCH at most."""
    iterator = iter(items)
    while batch := list(islice(iterator, BATCH)):
        yield batch


def import_bank_file(
    *,
    parsed_file: ParsedFile,
    group: Group | None,
    by: User | None,
    now: datetime,
    overwrite: bool = False,
) -> tuple[Bank, ImportReport]:
    """Bring a bank to the state of its own file, and publish what the file changed.

    The bank is created if there is none. A question that cannot be published is an error of the
    file. What an author changed since the last import stays, unless with `overwrite`; so do
    questions that the file does not have.
    """
    _raise_errors(parsed_file.errors)
    slug, fields = parsed_file.slug, parsed_file.fields
    bank = services.find_or_build_bank(slug=slug, group=group, fields=fields, by=by)
    save_bank = partial(
        services.update_or_create_bank,
        slug=slug,
        group=group,
        fields=fields,
        by=by,
        new_id=bank.pk,
    )
    report = run_import(
        bank=bank,
        parsed_file=parsed_file,
        by=by,
        now=now,
        selection=ImportSelection(overwrite=overwrite),
        strict=True,
        save_bank=save_bank,
    )
    return Bank.objects.get(slug=parsed_file.slug), report


def run_import(  # noqa: PLR0913  every one of them is a choice of the caller's
    *,
    bank: Bank,
    parsed_file: ParsedFile,
    by: User | None,
    now: datetime,
    selection: ImportSelection = DEFAULT_SELECTION,
    strict: bool = False,
    linter: ItemLinter | None = None,
    on_progress: ProgressCallback | None = None,
    on_report: Callable[[ImportReport], None] | None = None,
    on_finish: Callable[[], None] | None = None,
    save_bank: Callable[[], Bank] | None = None,
) -> ImportReport:
    """Write the selected items, all or nothing; publish what has no problems.

    What needs review is imported as a draft. Matches are merged as answered, else only proposed.
    Errors of the file: Invalid; no editor of the bank by then: NotFound. `strict`: so are
    problems of its questions, and a question that is the same as in the file counts as imported.
    `linter`: look at the items, while the bank waits. Imports into one bank run one after the
    other; `on_report` is called with what is written, `on_finish` in their transaction, as is
    `save_bank`, which writes the bank itself where it is new or has other fields than before.
    """
    _raise_errors(parsed_file.errors)
    fingerprint = bank_snapshot.bank_fingerprint(bank)
    proposals = find_proposals(bank, parsed_file, selection)
    items_writer = _ItemsWriter(
        bank, parsed_file, by, now, selection, strict, linter, on_progress, on_report
    )
    import_media.store_media(bank=bank, parsed_file=parsed_file)
    report, staged = ImportReport(), StagedWriter()
    is_staged = may_stage()
    if is_staged:
        report = items_writer.write(staged, proposals)
    with transaction.atomic():
        planned, bank = bank, save_bank() if save_bank else bank
        bank = Bank.objects.select_for_update().get(pk=bank.pk)
        check_editor(by, bank)
        is_changed = (bank.pk, bank_snapshot.bank_fingerprint(bank)) != (planned.pk, fingerprint)
        if is_changed:
            proposals = find_proposals(bank, parsed_file, selection)
        import_media.save_media(bank=bank, parsed_file=parsed_file, by=by)
        if is_staged and not is_changed:
            staged.write_staged()
        else:
            report = replace(items_writer, bank=bank).write(DIRECT, proposals)
        counts = {name: n for name, n in report.count_results().items() if n}
        record(AuditCode.BANK_IMPORTED, about=bank, by=by, after=counts)
        if on_finish:
            on_finish()
    return report


@dataclass(frozen=True, slots=True)
class _ItemsWriter:
    """Plans the items of a file and has them written, at once or staged."""

    bank: Bank
    parsed_file: ParsedFile
    by: User | None
    now: datetime
    selection: ImportSelection
    strict: bool
    linter: ItemLinter | None
    on_progress: ProgressCallback | None
    on_report: Callable[[ImportReport], None] | None

    def write(self, writer: RowWriter, proposals: MatchProposals) -> ImportReport:
        """Give a writer the rows of the selected items, and return what is done with each."""
        report = ImportReport(matches_searched=proposals.searched)
        errors: list[FileError] = []
        names = import_media.find_media_names(bank=self.bank, parsed_file=self.parsed_file)
        for batch in _plan_batches(
            bank=self.bank,
            parsed_file=self.parsed_file,
            proposals=proposals,
            media_names=names,
            selection=self.selection,
        ):
            items = self._write_batch(writer, batch, frozenset(names.values()))
            if self.strict:
                errors += _find_errors(items)
            report.add(item for _, item in items)
            if self.on_progress:
                self.on_progress(len(report.items))
        _raise_errors(errors)
        if self.on_report:
            self.on_report(report)
        return report

    def _write_batch(
        self, writer: RowWriter, batch: Sequence[PlannedItem], media: frozenset[str]
    ) -> "list[ItemPair]":
        items = _build_items(self.bank, batch, self.selection, strict=self.strict, new_media=media)
        items = _lint_items(items, self.linter) if self.linter else items
        _check_unchanged(self.selection, items)
        states = _question_states(items)
        bulk.write_questions(writer, bank=self.bank, states=states, by=self.by, now=self.now)
        selected = {item.number for _, item in items if item.selected}
        decisions = list(decisions_to_save(batch, selected, self.selection.answers))
        if decisions:
            writer.call(partial(save_decisions, bank=self.bank, decisions=decisions, by=self.by))
        return items


def preview_import(
    *,
    bank: Bank,
    parsed_file: ParsedFile,
    selection: ImportSelection = DEFAULT_SELECTION,
    on_item: Callable[[PlannedItem, ReportItem], None] | None = None,
) -> ImportReport:
    """Return what `run_import` would do; writes nothing. `on_item` is called with each item."""
    names = import_media.find_media_names(bank=bank, parsed_file=parsed_file)
    proposals = find_proposals(bank, parsed_file, selection)
    report, linter = ImportReport(matches_searched=proposals.searched), ItemLinter()
    begin_step(ImportStep.PLANNING, len(parsed_file.items))
    for batch in _plan_batches(
        bank=bank,
        parsed_file=parsed_file,
        proposals=proposals,
        media_names=names,
        selection=selection,
    ):
        items = _build_items(bank, batch, selection, new_media=frozenset(names.values()))
        items = _lint_items(items, linter)
        report.add(item for _, item in items)
        if on_item:
            for planned, item in items:
                on_item(planned, item)
    return report


ItemPair = tuple[PlannedItem, ReportItem]


def _build_items(
    bank: Bank,
    batch: Sequence[PlannedItem],
    selection: ImportSelection,
    *,
    strict: bool = False,
    new_media: frozenset[str] = frozenset(),
) -> list[ItemPair]:
    """Return each item with what is done with it: whether it is written and published.

    `new_media` are the names of files that the bank does not have yet.
    """
    documents = [
        planned.document if planned.writes or (strict and planned.changed_in_file) else None
        for planned in batch
    ]
    media = uploads.available_media(bank=bank.pk, shown_by=filter(None, documents)) | new_media
    pairs = []
    for planned, document in zip(batch, documents, strict=True):
        problems: tuple[Problem, ...] = ()
        if document:
            problems = (*find_problems(document), *uploads.find_unknown_media(document, media))
        is_unrecorded = planned.action == ImportAction.SAME and document is not None
        selected = selection.has(planned) or is_unrecorded
        pairs.append((planned, build_item(planned, problems, selected=selected)))
    return pairs


def _lint_items(items: Iterable[ItemPair], linter: ItemLinter) -> list[ItemPair]:
    """Return the items with what is worth a look in each."""
    return [
        (planned, replace(item, findings=linter.lint(planned, item.problems)))
        for planned, item in count_each(items)
    ]


def _check_unchanged(selection: ImportSelection, items: Collection[ItemPair]) -> None:
    """Raise Conflict where the plan is no longer the one that somebody selected from."""
    for planned, item in items if selection.fingerprints else ():
        if item.selected and planned.fingerprint() != selection.fingerprints[item.number]:
            raise Conflict("bank_changed", number=item.number)


def _find_errors(items: Iterable[ItemPair]) -> Iterator[FileError]:
    """Yield the problems of questions as errors of the file: by the row's name, at its line."""
    for planned, item in items:
        rows = planned.source_item.question.rows if planned.source_item.question else ()
        names = {id_: name for name, id_ in planned.rows.items()}
        lines = {row.name: row.line for row in rows}
        for problem in item.problems:
            steps = [names.get(step, step) for step in problem.where.split(".")]
            line = next((lines[step] for step in steps if step in lines), item.line)
            where = f"question {item.name}, {'.'.join(steps)}"
            yield FileError(line, where, problem.code, problem.code.replace("_", " "))


def _raise_errors(errors: Iterable[FileError]) -> None:
    if in_order := tuple(sorted(errors, key=lambda error: error.line)):
        raise Invalid("file_has_errors", errors=in_order)


def _question_states(items: Collection[ItemPair]) -> list[bulk.QuestionState]:
    # Two items of a file may be one question; the later one has the words of both.
    by_name = {
        planned.name: bulk.QuestionState(
            planned.name,
            planned.document,
            planned.rows,
            planned.tags,
            item.published,
            file_managed=planned.file_managed,
        )
        for planned, item in items
        if item.selected and planned.document
    }
    return list(by_name.values())
