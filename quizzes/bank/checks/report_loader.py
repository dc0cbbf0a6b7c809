"""Loads the report of a bank: its drafts, linted once a revision, its files, and its waivers."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from django.db.models import Exists, OuterRef

from quizzes.bank.checks.report import CheckReport, WaivedBy
from quizzes.bank.checks.report_builder import WaiverKey, build_report
from quizzes.bank.lint import LintResult, combine_findings, lint_question
from quizzes.bank.models import Bank, Draft, Media, Option, Question, VersionMedia, Waiver
from quizzes.document import QuestionDocument
from quizzes.lib.frozen_cache import FrozenCache

_results: FrozenCache[tuple[UUID, int], LintResult] = FrozenCache(10_000)
"""A revision never changes, so what was found in it stays true."""


def load_report(bank: Bank) -> CheckReport:
    """Look at the questions in use; in five queries, four where every draft was seen."""
    questions = {
        row.name: row
        for row in Question.objects.filter(bank=bank, retired_at=None, draft__isnull=False)
        .select_related("draft")
        .defer("draft__data")
        .order_by("pk")
    }
    seen = _load_results(questions.values())
    results = {name: seen[row.uuid] for name, row in questions.items()}
    labels, unused = _load_files(bank)
    ids = {name: (row.pk, row.uuid) for name, row in questions.items()}
    rows = Option.objects.filter(question__bank=bank).values_list("uuid", "name")
    named = {str(uuid): name for uuid, name in rows}
    return build_report(
        results,
        combine_findings(results, labels, unused),
        named,
        ids=ids,
        waived=_load_waivers(bank),
    )


def _load_results(questions: Iterable[Question]) -> Mapping[UUID, LintResult]:
    loaded = _results.get_many(((row.uuid, row.draft.revision) for row in questions), _lint_drafts)
    return {uuid: question for (uuid, _), question in loaded.items()}


def _lint_drafts(revisions: list[tuple[UUID, int]]) -> dict[tuple[UUID, int], LintResult]:
    rows = Draft.objects.filter(question__uuid__in=[uuid for uuid, _ in revisions])
    return {
        (uuid, revision): lint_question(QuestionDocument.from_json(data))
        for uuid, revision, data in rows.values_list("question__uuid", "revision", "data")
    }


def _load_files(bank: Bank) -> tuple[dict[str, str], list[str]]:
    """Return the bank's files, name → label, and those that no published version shows."""
    uses = VersionMedia.objects.filter(media=OuterRef("pk"))
    rows = Media.objects.filter(bank=bank).annotate(is_shown=Exists(uses)).order_by("pk")
    labels, unused = dict[str, str](), list[str]()
    for row in rows:
        name = f"{row.uuid}.{row.extension}"
        labels[name] = row.name
        unused += () if row.is_shown else (name,)
    return labels, unused


def _load_waivers(bank: Bank) -> dict[WaiverKey, WaivedBy]:
    rows = Waiver.objects.filter(question__bank=bank).select_related("question", "by")
    return {
        (row.question.name, row.code, row.about, row.digest): WaivedBy(
            str(row.by) if row.by else "", row.created_at
        )
        for row in rows
    }
