"""What a bank holds of the questions that a file tells of, read some hundred at once."""

from collections.abc import Collection, Iterator, Sequence
from hashlib import sha256

from django.db.models import Count, Max, Sum

from quizzes.bank.item import Item
from quizzes.bank.models import Bank, Question
from quizzes.exchange.contract import ParcelQuestion
from quizzes.exchange.planning import Held, Holding, fingerprints, told_fingerprints
from quizzes.exchange.reading.naming import slug


def state_of(bank: Bank) -> str:
    """Give a fingerprint of all that a plan depends on: another one, if any of it changed."""
    questions = Question.objects.filter(bank=bank).order_by()
    drafts = questions.aggregate(Count("pk"), Max("pk"), Sum("draft__revision"))
    tags = Question.tags.through.objects.filter(question__bank=bank)
    tagged = tags.aggregate(Count("pk"), Max("pk"))
    told = [*sorted(drafts.items()), *sorted(tagged.items())]
    return sha256(repr(told).encode()).hexdigest()[:16]


class Holdings:
    """A bank as it is when a plan begins; its drafts are read only as they are asked for."""

    def __init__(self, bank: Bank) -> None:
        self._bank = bank
        every = Question.objects.filter(bank=bank).order_by("pk")
        self._names = frozenset(every.values_list("name", flat=True))
        # What was taken in by a twin is asked for under the twin's name.
        self._questions = every.filter(taken_in_by=None)
        self._alike: dict[str, str] | None = None

    def __bool__(self) -> bool:
        """Tell whether the bank has any questions."""
        return bool(self._names)

    def knows(self, question: ParcelQuestion) -> bool:
        """Tell whether the bank has a question of this name, or of the same words."""
        named = {question.name, slug(question.name)} & self._names
        return bool(named) or any(one in self._likeness() for one in told_fingerprints(question))

    def of(self, questions: Sequence[ParcelQuestion], *more: str) -> Holding:
        """Give what the bank holds under these questions' names, or of the same words; and more.

        `more` are names of questions that are asked for besides.
        """
        names = {*more, *(name for one in questions for name in (one.name, slug(one.name)))}
        if any(one.name not in self._names for one in questions):
            alike = self._likeness()
            prints = {one for question in questions for one in told_fingerprints(question)}
            names |= {alike[one] for one in prints if one in alike}
        held = dict(self._held(names & self._names))
        return Holding(self._bank.source_language, held, self._alike or {}, self._names)

    def _likeness(self) -> dict[str, str]:
        """Give names by fingerprint, read once; of several questions alike, the first."""
        if self._alike is None:
            self._alike = {}
            for name, data in self._questions.values_list("name", "draft__data").iterator(200):
                for one in fingerprints(Item.from_json(data or {})):
                    self._alike.setdefault(one, name)
        return self._alike

    def _held(self, names: Collection[str]) -> Iterator[tuple[str, Held]]:
        rows = self._questions.filter(name__in=names, draft__isnull=False)
        rows = rows.select_related("draft", "current").defer("current__content")
        for one in rows.prefetch_related("options", "tags"):
            item = Item.from_json(one.draft.data)
            yield (
                one.name,
                Held(
                    one.name,
                    item,
                    {row.name: str(row.uuid) for row in one.options.all()},
                    frozenset(tag.name for tag in one.tags.all()),
                    one.loaded_digest,
                    live=one.current is not None and one.current.digest == item.digest(),
                ),
            )
