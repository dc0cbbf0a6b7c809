"""The questions of a bank and of a file, each as it is compared with others."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from quizzes.bank.models import Bank, Question
from quizzes.document import QuestionDocument
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.document_mapping import to_item
from quizzes.matching import Side, side
from quizzes.matching.fingerprints import languages as told_languages


@dataclass(frozen=True, slots=True)
class Kept:
    """A question that the bank has in use; `names` are its rows, name → id."""

    name: str
    item: QuestionDocument
    tags: frozenset[str]
    names: Mapping[str, str]

    def speaks(self, language: str) -> bool:
        """Tell whether it has any words in this language."""
        return any(text.strip() for _, text in self.item.iter_texts(language))

    @property
    def spoken(self) -> tuple[str, ...]:
        """The languages that it has words in, the source first."""
        return tuple(one for one in self.item.languages if self.speaks(one))

    def side(self, language: str = "") -> Side:
        """Give it as it is compared, in this language, else in the first that it has."""
        spoken = language or next(iter(self.spoken), self.item.source_language)
        return side(self.name, self.item, spoken, self.tags)


def kept(bank: Bank, names: Iterable[str] | None = None) -> list[Kept]:
    """Give the questions in use of a bank, all or those of these names."""
    rows = Question.objects.filter(bank=bank, retired_at=None, draft__isnull=False).order_by("pk")
    if names is not None:
        rows = rows.filter(name__in=set(names))
    return [
        Kept(
            one.name,
            QuestionDocument.from_json(one.draft.data),
            frozenset(tag.name for tag in one.tags.all()),
            {row.name: str(row.uuid) for row in one.options.all()},
        )
        for one in rows.select_related("draft").prefetch_related("options", "tags")
    ]


def told_item(question: ParsedQuestion, language: str) -> QuestionDocument:
    """Give the question of a file as an item whose rows are called by their names."""
    return to_item(question, {row.name: row.name for row in question.rows}, language)


def told_side(question: ParsedQuestion, language: str) -> Side:
    """Give the question of a file as it is compared."""
    return side(question.name, told_item(question, language), language, frozenset(question.tags))


def only_language(question: ParsedQuestion) -> str:
    """Give the language of a question that has one, else ""."""
    spoken = told_languages(question)
    return spoken[0] if len(spoken) == 1 else ""
