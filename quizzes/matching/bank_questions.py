"""The questions of a bank and of a file, to be compared with others."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from quizzes.bank.models import Bank, Question
from quizzes.document import QuestionDocument
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.document_mapping import build_document
from quizzes.matching.comparable import ComparableQuestion, to_comparable


@dataclass(frozen=True, slots=True)
class BankQuestion:
    """A question that the bank has in use; `row_ids` are its rows, name → id."""

    name: str
    document: QuestionDocument
    tags: frozenset[str]
    row_ids: Mapping[str, str]

    def has_language(self, language: str) -> bool:
        """Return whether it has any text in this language."""
        return any(text.strip() for _, text in self.document.iter_texts(language))

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it has texts in, the source first."""
        return tuple(
            language for language in self.document.languages if self.has_language(language)
        )

    def to_comparable(self, language: str = "") -> ComparableQuestion:
        """Return it in this language, else in the first that it has, to be compared."""
        language = language or next(iter(self.languages), self.document.source_language)
        return to_comparable(self.name, self.document, language, self.tags)


def load_bank_questions(bank: Bank, names: Iterable[str] | None = None) -> list[BankQuestion]:
    """Return the questions in use of a bank, all or those of these names."""
    rows = Question.objects.filter(bank=bank, retired_at=None, draft__isnull=False).order_by("pk")
    if names is not None:
        rows = rows.filter(name__in=set(names))
    return [
        BankQuestion(
            question.name,
            QuestionDocument.from_json(question.draft.data),
            frozenset(tag.name for tag in question.tags.all()),
            {row.name: str(row.uuid) for row in question.options.all()},
        )
        for question in rows.select_related("draft").prefetch_related("options", "tags")
    ]


def parsed_to_comparable(question: ParsedQuestion, language: str) -> ComparableQuestion:
    """Return the question of a file, to be compared."""
    return to_comparable(
        question.name,
        build_document(question, None, language),
        language,
        frozenset(question.tags),
    )


def single_language(question: ParsedQuestion) -> str:
    """Return the language of a question that has one, else ""."""
    return min(question.languages) if len(question.languages) == 1 else ""
