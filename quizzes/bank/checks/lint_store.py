"""What the linter found in each draft, stored in the database for all processes.

The database computes the digest of a draft as it is now, whoever wrote it. What was found in
another state of it, or by another linter, is never returned: the draft is linted anew.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet, TextField
from django.db.models.functions import SHA256, Cast

from quizzes.bank.checks.linter_version import compute_linter_version
from quizzes.bank.lint import LintResult, lint_question
from quizzes.bank.models import Draft, DraftLint, Question
from quizzes.document import QuestionDocument
from quizzes.lib.dataclass_json import from_json, to_json

BATCH: Final = 100
"""So many drafts are read, linted and stored together."""


class _TextDigest(SHA256):
    """SHA-256 of a text, as hexadecimal digits."""

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Return PostgreSQL's own function: Django's needs an extension."""
        template = "ENCODE(SHA256(CONVERT_TO(%(expressions)s, 'UTF8')), 'hex')"
        return self.as_sql(compiler, connection, template=template, **context)


@dataclass(frozen=True, slots=True)
class DraftState:
    """A question, the digest of its draft as it is now, and the one that it was linted at."""

    pk: int
    uuid: UUID
    name: str
    digest: str
    linted_digest: str | None


@dataclass(frozen=True, slots=True)
class LintedDraft:
    """What was found in a draft, and the digest of that state."""

    digest: str
    result: LintResult


def load_draft_states(questions: QuerySet[Question]) -> list[DraftState]:
    """Return the state of each draft of these questions, the oldest question first; one query."""
    rows = _select_drafts(questions).values_list(
        "question_id", "question__uuid", "question__name", "content", "question__lint__digest"
    )
    return [
        DraftState(pk, uuid, name, _combine(content), linted_digest)
        for pk, uuid, name, content, linted_digest in rows
    ]


def load_linted_drafts(states: Sequence[DraftState]) -> dict[int, LintedDraft]:
    """Return what is found in these drafts by the ids of their questions, in their order."""
    fresh = {state.pk for state in states if state.digest == state.linted_digest}
    linted = dict(_iter_stored([state.pk for state in states if state.pk in fresh]))
    for pks in _split([state.pk for state in states if state.pk not in fresh]):
        linted.update(lint_drafts(pks))
    return {state.pk: linted[state.pk] for state in states if state.pk in linted}


def lint_drafts(pks: Sequence[int]) -> Mapping[int, LintedDraft]:
    """Lint the drafts of these questions as they are now, and store what is found."""
    rows = _select_drafts(Question.objects.filter(pk__in=pks))
    linted = {
        pk: LintedDraft(_combine(content), lint_question(QuestionDocument.from_json(data)))
        for pk, content, data in rows.values_list("question_id", "content", "data")
    }
    # Nothing is locked while the drafts are linted, and rows are written in one order.
    DraftLint.objects.bulk_create(
        [
            DraftLint(question_id=pk, digest=draft.digest, result=to_json(draft.result))
            for pk, draft in linted.items()
        ],
        update_conflicts=True,
        unique_fields=["question"],
        update_fields=["digest", "result"],
    )
    return linted


def _iter_stored(pks: Sequence[int]) -> Iterator[tuple[int, LintedDraft]]:
    for part in _split(pks):
        rows = DraftLint.objects.filter(question__in=part)
        for pk, digest, result in rows.values_list("question_id", "digest", "result"):
            yield pk, LintedDraft(digest, from_json(LintResult, result))


def _split(pks: Sequence[int]) -> Iterator[Sequence[int]]:
    return (pks[start : start + BATCH] for start in range(0, len(pks), BATCH))


def _select_drafts(questions: QuerySet[Question]) -> QuerySet[Any]:
    drafts = Draft.objects.filter(question__in=questions.order_by())
    return drafts.annotate(content=_TextDigest(Cast("data", TextField()))).order_by("question_id")


def _combine(content: str) -> str:
    return f"{compute_linter_version()}-{content}"
