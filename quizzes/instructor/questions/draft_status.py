"""What lists say of drafts: their state and how much is wrong; as the linter stored it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from quizzes.bank.checks.lint_store import DraftState, load_draft_states, load_linted_drafts
from quizzes.bank.lint import LintResult, Severity
from quizzes.bank.models import Question, Waiver
from quizzes.lib.frozen_cache import FrozenCache
from quizzes.lib.translated_texts import choose_text

DRAFT, PUBLISHED, CHANGED, RETIRED = "draft", "published", "changed", "retired"
STATES: Mapping[str, Promise | str] = {
    DRAFT: _("draft"),
    PUBLISHED: _("published"),
    CHANGED: _("changed since publishing"),
    RETIRED: _("retired"),
}


@dataclass(frozen=True, slots=True)
class DraftStatus:
    """A draft as it is now: its fingerprint, its first words, and counts of what is wrong.

    `prompt` is in `language`, the reader's where it is written in it, else the source's. What
    authors waived is no longer wrong.
    """

    digest: str
    prompt: str
    language: str
    source_language: str
    problems: int
    warnings: int
    is_outdated: bool


_results: FrozenCache[str, LintResult] = FrozenCache(10_000)
"""By the digest of the state that was linted: of that state the result stays true."""


def load_draft_statuses(questions: Collection[int]) -> dict[int, DraftStatus]:
    """Return the statuses of the drafts of these questions, by primary key.

    They count what the checks of the bank count, from what is stored for both. Two queries, one
    more for a hundred that this process has not seen, and linted is what nobody has.
    """
    states = load_draft_states(Question.objects.filter(pk__in=questions))
    by_digest = {state.digest: state for state in states}
    results = _results.get_many(
        by_digest, lambda digests: _load_results([by_digest[digest] for digest in digests])
    )
    waivers = Waiver.objects.filter(question__in=questions, about="")
    waived = set(waivers.values_list("question_id", "code", "digest"))
    return {
        state.pk: _count_findings(state.pk, results[state.digest], waived)
        for state in states
        if state.digest in results  # else it was saved just now
    }


def _load_results(states: Sequence[DraftState]) -> dict[str, LintResult]:
    return {linted.digest: linted.result for linted in load_linted_drafts(states).values()}


def _count_findings(
    pk: int, result: LintResult, waived: AbstractSet[tuple[int, str, str]]
) -> DraftStatus:
    open_findings = [
        finding for finding in result.findings if (pk, finding.code, result.digest) not in waived
    ]
    counts = Counter(finding.severity for finding in open_findings)
    source = result.source_language
    prompt, language = choose_text(result.prompts, get_language() or source, source)
    return DraftStatus(
        digest=result.digest,
        prompt=prompt,
        language=language,
        source_language=source,
        problems=counts[Severity.ERROR],
        warnings=counts[Severity.WARNING],
        is_outdated=any(finding.code == "outdated_translation" for finding in open_findings),
    )


def compute_state(question: Question, of_draft: DraftStatus | None) -> str:
    """Return where a question stands; its `current` version must come with it."""
    if question.retired_at is not None:
        return RETIRED
    if question.current is None:
        return DRAFT
    unchanged = of_draft is None or question.current.digest == of_draft.digest
    return PUBLISHED if unchanged else CHANGED


def list_with_status(questions: QuerySet[Question]) -> list[tuple[Question, DraftStatus | None]]:
    """Return every question of a query with its facts, the drafts themselves left in the table."""
    rows = list(questions.select_related("current", "draft").defer("draft__data"))
    statuses = load_draft_statuses([row.pk for row in rows])
    return [(row, statuses.get(row.pk)) for row in rows]
