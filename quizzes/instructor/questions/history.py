"""The history of a question: its published versions, and what each changed."""

from collections.abc import Iterator
from dataclasses import dataclass

from quizzes.bank.models import (
    Draft,
    Question,
    QuestionVersion,
    VersionFeedback,
    VersionKey,
    VersionTranslation,
)
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
    states = _load_versions(question, versions)
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


def _load_versions(
    question: Question, versions: list[QuestionVersion]
) -> dict[int, QuestionDocument]:
    """Return the documents of the versions by primary key; three queries, however many."""
    of_question = {"version__question": question}
    keys = dict(VersionKey.objects.filter(**of_question).values_list("version_id", "key"))
    words: dict[int, dict[str, object]] = {}
    for version, language, texts in VersionTranslation.objects.filter(**of_question).values_list(
        "version_id", "language", "texts"
    ):
        words.setdefault(version, {})[language] = texts
    feedback: dict[int, dict[str, object]] = {}
    for version, language, texts in VersionFeedback.objects.filter(**of_question).values_list(
        "version_id", "language", "texts"
    ):
        feedback.setdefault(version, {})[language] = texts
    return {
        version.pk: QuestionDocument.from_json(
            {
                "kind": version.kind,
                "scoring_method": version.scoring_method,
                "source_language": version.source_language,
                "content": version.content,
                "key": keys[version.pk],
                "words": words.get(version.pk, {}),
                "feedback": feedback.get(version.pk, {}),
            }
        )
        for version in versions
    }
