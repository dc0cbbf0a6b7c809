"""Loads the report of a bank: what is stored of its drafts as they are, its files, its waivers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from quizzes.bank.checks.lint_store import DraftState, load_draft_states, load_linted_drafts
from quizzes.bank.checks.report import BankFindings, CheckReport, WaivedBy
from quizzes.bank.checks.report_builder import WaiverKey, build_report, collect_findings
from quizzes.bank.lint import combine_findings
from quizzes.bank.models import Bank, BankLint, Media, Option, Question, VersionMedia, Waiver
from quizzes.document import compute_digest
from quizzes.lib.dataclass_json import from_json, to_json


@dataclass(frozen=True, slots=True)
class BankFiles:
    """The files of a bank, name → label, and those that no published version shows."""

    labels: Mapping[str, str]
    unused: Sequence[str]


def load_report(bank: Bank) -> CheckReport:
    """Look at the questions in use; in four queries, where nothing has changed since the last."""
    states = load_draft_states(Question.objects.filter(bank=bank, retired_at=None))
    ids = {state.name: (state.pk, state.uuid) for state in states}
    return build_report(_load_findings(bank, states), ids=ids, waived=_load_waivers(bank))


def refresh_findings(bank: Bank) -> None:
    """Look at what was written, so that nobody who opens the checks waits for it."""
    _load_findings(bank, load_draft_states(Question.objects.filter(bank=bank, retired_at=None)))


def _load_findings(bank: Bank, states: Sequence[DraftState]) -> BankFindings:
    """Return what is stored of these drafts and files; of others than those, look at them."""
    files = _load_files(bank)
    digest = _compute_digest({state.name: state.digest for state in states}, files)
    stored = BankLint.objects.filter(bank=bank, digest=digest).values_list("findings").first()
    return from_json(BankFindings, stored[0]) if stored else _lint_bank(bank, states, files)


def _lint_bank(bank: Bank, states: Sequence[DraftState], files: BankFiles) -> BankFindings:
    """Compare the questions with one another, and store what is found in them all."""
    linted = load_linted_drafts(states)
    drafts = {state.name: linted[state.pk] for state in states if state.pk in linted}
    results = {name: draft.result for name, draft in drafts.items()}
    findings = combine_findings(results, files.labels, files.unused)
    rows = Option.objects.filter(question__bank=bank).values_list("uuid", "name")
    bank_findings = collect_findings(
        results, findings, {str(uuid): name for uuid, name in rows.iterator()}
    )
    # Of the drafts as they were linted: one may have been saved since its state was read.
    digest = _compute_digest({name: draft.digest for name, draft in drafts.items()}, files)
    BankLint.objects.update_or_create(
        bank=bank, defaults={"digest": digest, "findings": to_json(bank_findings)}
    )
    return bank_findings


def _compute_digest(drafts: Mapping[str, str], files: BankFiles) -> str:
    """Return the digest of all that decides the findings; of drafts, it has the linter's version.

    The order of the drafts counts: of two that are alike, the second is the duplicate.
    """
    return compute_digest([list(drafts.items()), list(files.labels.items()), list(files.unused)])


def _load_files(bank: Bank) -> BankFiles:
    uses = VersionMedia.objects.filter(media=OuterRef("pk"))
    rows = Media.objects.filter(bank=bank).annotate(is_shown=Exists(uses)).order_by("pk")
    labels, unused = dict[str, str](), list[str]()
    for row in rows:
        name = f"{row.uuid}.{row.extension}"
        labels[name] = row.name
        unused += () if row.is_shown else (name,)
    return BankFiles(labels, unused)


def _load_waivers(bank: Bank) -> dict[WaiverKey, WaivedBy]:
    rows = Waiver.objects.filter(question__bank=bank).select_related("question", "by")
    return {
        (row.question.name, row.code, row.about, row.digest): WaivedBy(
            str(row.by) if row.by else "", row.created_at
        )
        for row in rows
    }
