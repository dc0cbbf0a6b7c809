"""The history of a question: its published versions, and what each changed."""

from collections.abc import Iterator
from dataclasses import dataclass

from quizzes.bank.models import Draft, Question, QuestionVersion
from quizzes.bank.version_documents import load_version_documents
from quizzes.document import QuestionDocument
from quizzes.instructor.questions.diff import Difference, diff_documents


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One version and how it differs from the one before; `version` is None for the draft."""

    version: QuestionVersion | None
    differences: tuple[Difference, ...]


def list_history(question: Question) -> tuple[HistoryEntry, ...]:
    """Return the draft, if it differs from what is published, then the versions, newest first."""
    names = {str(option.uuid): option.name for option in question.options.all()}
    versions = list(question.versions.select_related("published_by").order_by("number"))
    states = load_version_documents(versions)
    entries = list(_iter_entries(versions, states, names))
    draft = QuestionDocument.from_json(Draft.objects.get(question=question).data)
    last = states[versions[-1].pk] if versions else QuestionDocument("", "")
    changes = diff_documents(last, draft, names)
    if versions and changes:
        entries.append(HistoryEntry(None, changes))
    return tuple(reversed(entries))


def _iter_entries(
    versions: list[QuestionVersion], states: dict[int, QuestionDocument], names: dict[str, str]
) -> Iterator[HistoryEntry]:
    before: QuestionDocument | None = None
    for version in versions:
        now = states[version.pk]
        yield HistoryEntry(version, diff_documents(before, now, names) if before else ())
        before = now
