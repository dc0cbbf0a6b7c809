"""What a bank holds of the questions that a file tells of, read some hundred at once."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256

from django.db.models import Count, Max, Sum

from quizzes.bank.models import Bank, Question
from quizzes.document import QuestionDocument
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.parsing.naming import slug
from quizzes.imports.import_plan.name_conflicts import find_conflict
from quizzes.imports.import_plan.values import BankSnapshot, ExistingQuestion
from quizzes.matching.fingerprints import document_fingerprints, question_fingerprints


def bank_fingerprint(bank: Bank) -> str:
    """Give a fingerprint of all that a plan depends on: another one, if any of it changed."""
    questions = Question.objects.filter(bank=bank).order_by()
    drafts = questions.aggregate(
        Count("pk"), Max("pk"), Count("retired_at"), Sum("draft__revision")
    )
    tags = Question.tags.through.objects.filter(question__bank=bank)
    tagged = tags.aggregate(Count("pk"), Max("pk"))
    facts = [*sorted(drafts.items()), *sorted(tagged.items())]
    return sha256(repr(facts).encode()).hexdigest()[:16]


class BankReader:
    """A bank as it is when a plan begins; its drafts are read only as they are asked for."""

    def __init__(self, bank: Bank, *, named: bool = False) -> None:
        self._bank, self._named = bank, named
        every = Question.objects.filter(bank=bank).order_by("pk")
        self._names = frozenset(every.values_list("name", flat=True))
        # What was taken in by a twin is asked for under the twin's name.
        self._questions = every.filter(merged_into=None)
        self._alike: dict[str, str] | None = None

    def __bool__(self) -> bool:
        """Tell whether the bank has any questions."""
        return bool(self._names)

    def has_question(self, question: ParsedQuestion) -> bool:
        """Tell whether the bank has a question of this name, or of the same words."""
        named = {question.name, slug(question.name)} & self._names
        return bool(named) or any(
            fingerprint in self._likeness() for fingerprint in question_fingerprints(question)
        )

    def take_snapshot(self, questions: Sequence[ParsedQuestion], *more: str) -> BankSnapshot:
        """Give what the bank holds under these questions' names, or of the same words; and more.

        `more` are names of questions that are asked for besides.
        """
        names = {
            *more,
            *(name for question in questions for name in (question.name, slug(question.name))),
        }
        existing = dict(self._held(names & self._names))
        if any(self._is_open(question, existing) for question in questions):
            alike = self._likeness()
            prints = {
                fingerprint
                for question in questions
                for fingerprint in question_fingerprints(question)
            }
            others = {alike[fingerprint] for fingerprint in prints if fingerprint in alike}
            existing.update(self._held(others - existing.keys()))
        return BankSnapshot(
            self._bank.source_language,
            existing,
            self._alike or {},
            self._names,
            is_own_file=self._named,
        )

    def _is_open(self, question: ParsedQuestion, existing: Mapping[str, ExistingQuestion]) -> bool:
        """Tell whether its name leaves open which question of the bank it is."""
        same_name = existing.get(question.name)
        return same_name is None or bool(
            not self._named and find_conflict(question, same_name.document)
        )

    def _likeness(self) -> dict[str, str]:
        """Give names by fingerprint, read once; of several questions alike, the first."""
        if self._alike is None:
            self._alike = {}
            for name, data in self._questions.values_list("name", "draft__data").iterator(200):
                for fingerprint in document_fingerprints(QuestionDocument.from_json(data or {})):
                    self._alike.setdefault(fingerprint, name)
        return self._alike

    def _held(self, names: Collection[str]) -> Iterator[tuple[str, ExistingQuestion]]:
        if not names:
            return
        rows = self._questions.filter(name__in=names, draft__isnull=False)
        rows = rows.select_related("draft", "current").defer("current__content")
        for question in rows.prefetch_related("options", "tags"):
            item = QuestionDocument.from_json(question.draft.data)
            yield (
                question.name,
                ExistingQuestion(
                    question.name,
                    item,
                    {row.name: str(row.uuid) for row in question.options.all()},
                    frozenset(tag.name for tag in question.tags.all()),
                    question.imported_fingerprint,
                    is_published_as_drafted=question.current is not None
                    and question.current.digest == item.digest(),
                ),
            )
