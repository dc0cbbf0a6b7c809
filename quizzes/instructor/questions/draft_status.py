"""What lists say of drafts: their state and how much is wrong; found out once a revision."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from quizzes.bank.models import Draft, Question
from quizzes.document import QuestionDocument
from quizzes.instructor.questions.draft_notes import list_draft_notes
from quizzes.lib.frozen_cache import FrozenCache

DRAFT, PUBLISHED, CHANGED, RETIRED = "draft", "published", "changed", "retired"
STATES: Mapping[str, Promise | str] = {
    DRAFT: _("draft"),
    PUBLISHED: _("published"),
    CHANGED: _("changed since publishing"),
    RETIRED: _("retired"),
}


@dataclass(frozen=True, slots=True)
class DraftStatus:
    """One revision of a draft: its fingerprint, its first words, and counts of what is wrong.

    `prompt` is in `source_language`.
    """

    digest: str
    prompt: str
    source_language: str
    problems: int
    warnings: int
    is_outdated: bool


_statuses: FrozenCache[tuple[UUID, int], DraftStatus] = FrozenCache(10_000)
"""A revision never changes, so what was found out about it stays true."""


def load_draft_statuses(questions: Iterable[tuple[UUID, int]]) -> dict[UUID, DraftStatus]:
    """Return the statuses of these (question, revision) pairs; one query for new ones."""
    loaded = _statuses.get_many(questions, _load)
    return {uuid: status for (uuid, _), status in loaded.items()}


def _load(revisions: list[tuple[UUID, int]]) -> dict[tuple[UUID, int], DraftStatus]:
    drafts = Draft.objects.filter(question__uuid__in=[uuid for uuid, _ in revisions])
    rows = drafts.values_list("question__uuid", "revision", "data")
    return {
        (uuid, revision): _compute_status(QuestionDocument.from_json(data))
        for uuid, revision, data in rows
    }


def _compute_status(document: QuestionDocument) -> DraftStatus:
    draft_notes = list_draft_notes(document)
    return DraftStatus(
        digest=document.digest(),
        prompt=str(document.words.get(document.source_language, {}).get("prompt") or ""),
        source_language=document.source_language,
        problems=sum(note.blocks for note in draft_notes),
        warnings=sum(not note.blocks for note in draft_notes),
        is_outdated=any(document.is_outdated(language) for language in document.words),
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
    status_by_uuid = load_draft_statuses(
        (row.uuid, row.draft.revision) for row in rows if hasattr(row, "draft")
    )
    return [(row, status_by_uuid.get(row.uuid)) for row in rows]
