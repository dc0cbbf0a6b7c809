"""What a bank has of the questions of a file, read some hundred at once."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256

from django.db.models import Count, Max, Sum

from quizzes.bank.models import Bank, Question
from quizzes.document import QuestionDocument
from quizzes.formats.contract import ParsedFile, ParsedQuestion
from quizzes.formats.parsing.naming import slugify
from quizzes.imports.import_plan.name_conflicts import find_conflict
from quizzes.imports.import_plan.values import BankSnapshot, ExistingQuestion
from quizzes.matching.fingerprints import document_fingerprints, question_fingerprints


def bank_fingerprint(bank: Bank) -> str:
    """Return a fingerprint of all that a plan depends on."""
    questions = Question.objects.filter(bank=bank).order_by()
    drafts = questions.aggregate(
        Count("pk"), Max("pk"), Count("retired_at"), Sum("draft__revision"), Sum("current")
    )
    tags = Question.tags.through.objects.filter(question__bank=bank)
    tagged = tags.aggregate(Count("pk"), Max("pk"))
    counts = [*sorted(drafts.items()), *sorted(tagged.items())]
    return sha256(repr(counts).encode()).hexdigest()[:16]


class BankReader:
    """A bank as it is when a plan begins; its drafts are read only as they are needed."""

    def __init__(self, bank: Bank, parsed_file: ParsedFile) -> None:
        self._bank = bank
        self._is_own_file = parsed_file.slug == bank.slug
        # In a bank's own file a name is the question that the bank has under it, and no other.
        self._own_names = (
            {question.name for question in parsed_file.questions} if self._is_own_file else set()
        )
        questions = Question.objects.filter(bank=bank).order_by("pk")
        self._names = frozenset(questions.values_list("name", flat=True))
        # A question that was merged into another is found as that one.
        self._questions = questions.filter(merged_into=None)
        self._names_by_fingerprint: dict[str, str] | None = None

    def __bool__(self) -> bool:
        """Return whether the bank has any questions."""
        return bool(self._names)

    def has_question(self, question: ParsedQuestion) -> bool:
        """Return whether the bank has a question of this name, or with the same texts."""
        names = {question.name, slugify(question.name)} & self._names
        return bool(names) or any(
            fingerprint in self._read_fingerprints()
            for fingerprint in question_fingerprints(question)
        )

    def take_snapshot(self, questions: Sequence[ParsedQuestion], *other_names: str) -> BankSnapshot:
        """Return what the bank has under the names of these questions, or with the same texts.

        And under `other_names`.
        """
        names = {
            *other_names,
            *(name for question in questions for name in (question.name, slugify(question.name))),
        }
        existing = dict(self._read_questions(names & self._names))
        if any(self._is_open(question, existing) for question in questions):
            by_fingerprint = self._read_fingerprints()
            fingerprints = {
                fingerprint
                for question in questions
                for fingerprint in question_fingerprints(question)
            }
            same_texts = {
                by_fingerprint[fingerprint]
                for fingerprint in fingerprints
                if fingerprint in by_fingerprint
            }
            existing.update(self._read_questions(same_texts - existing.keys()))
        return BankSnapshot(
            self._bank.source_language,
            existing,
            self._names_by_fingerprint or {},
            self._names,
            is_own_file=self._is_own_file,
        )

    def _is_open(self, question: ParsedQuestion, existing: Mapping[str, ExistingQuestion]) -> bool:
        """Return whether its name leaves open which question of the bank it is."""
        same_name = existing.get(question.name)
        return same_name is None or bool(
            not self._is_own_file and find_conflict(question, same_name.document)
        )

    def _read_fingerprints(self) -> dict[str, str]:
        """Return names by fingerprint, read once; of several questions with one, the first."""
        if self._names_by_fingerprint is None:
            self._names_by_fingerprint = {}
            drafts = self._questions.values_list("name", "draft__data").iterator(200)
            for name, draft in drafts:
                if name in self._own_names:
                    continue
                for fingerprint in document_fingerprints(QuestionDocument.from_json(draft or {})):
                    self._names_by_fingerprint.setdefault(fingerprint, name)
        return self._names_by_fingerprint

    def _read_questions(self, names: Collection[str]) -> Iterator[tuple[str, ExistingQuestion]]:
        if not names:
            return
        rows = self._questions.filter(name__in=names, draft__isnull=False)
        rows = rows.select_related("draft", "current").defer("current__content")
        for question in rows.prefetch_related("options", "tags"):
            document = QuestionDocument.from_json(question.draft.data)
            yield (
                question.name,
                ExistingQuestion(
                    question.name,
                    document,
                    {row.name: str(row.uuid) for row in question.options.all()},
                    frozenset(tag.name for tag in question.tags.all()),
                    question.imported_fingerprint,
                    is_published_as_drafted=question.current is not None
                    and question.current.digest == document.digest(),
                ),
            )
