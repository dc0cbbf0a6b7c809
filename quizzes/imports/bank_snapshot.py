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
    told = [*sorted(drafts.items()), *sorted(tagged.items())]
    return sha256(repr(told).encode()).hexdigest()[:16]


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
            one in self._likeness() for one in question_fingerprints(question)
        )

    def take_snapshot(self, questions: Sequence[ParsedQuestion], *more: str) -> BankSnapshot:
        """Give what the bank holds under these questions' names, or of the same words; and more.

        `more` are names of questions that are asked for besides.
        """
        names = {*more, *(name for one in questions for name in (one.name, slug(one.name)))}
        held = dict(self._held(names & self._names))
        if any(self._is_open(one, held) for one in questions):
            alike = self._likeness()
            prints = {one for question in questions for one in question_fingerprints(question)}
            others = {alike[one] for one in prints if one in alike}
            held.update(self._held(others - held.keys()))
        return BankSnapshot(
            self._bank.source_language,
            held,
            self._alike or {},
            self._names,
            is_own_file=self._named,
        )

    def _is_open(self, question: ParsedQuestion, held: Mapping[str, ExistingQuestion]) -> bool:
        """Tell whether its name leaves open which question of the bank it is."""
        known = held.get(question.name)
        return known is None or bool(not self._named and find_conflict(question, known.document))

    def _likeness(self) -> dict[str, str]:
        """Give names by fingerprint, read once; of several questions alike, the first."""
        if self._alike is None:
            self._alike = {}
            for name, data in self._questions.values_list("name", "draft__data").iterator(200):
                for one in document_fingerprints(QuestionDocument.from_json(data or {})):
                    self._alike.setdefault(one, name)
        return self._alike

    def _held(self, names: Collection[str]) -> Iterator[tuple[str, ExistingQuestion]]:
        if not names:
            return
        rows = self._questions.filter(name__in=names, draft__isnull=False)
        rows = rows.select_related("draft", "current").defer("current__content")
        for one in rows.prefetch_related("options", "tags"):
            item = QuestionDocument.from_json(one.draft.data)
            yield (
                one.name,
                ExistingQuestion(
                    one.name,
                    item,
                    {row.name: str(row.uuid) for row in one.options.all()},
                    frozenset(tag.name for tag in one.tags.all()),
                    one.imported_fingerprint,
                    is_published_as_drafted=one.current is not None
                    and one.current.digest == item.digest(),
                ),
            )
