"""What learners actually wrote: the answers to a question that is typed, alike ones together.

Read across all its versions, and held against the key of the newest: what would be accepted now,
what nearly is. Only of those whom the viewer oversees.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import islice
from operator import attrgetter

from django.db.models import Count
from django.db.models.fields.json import KT

from accounts.models import User
from grading.json_types import Key
from grading.kinds import KINDS
from grading.short_text.folding import Folding, fold
from grading.short_text.row_matching import find_match, is_near_miss, is_spelled_out
from grading.short_text.schema import ACCEPTED
from grading.short_text.structure import AcceptedText, Rows, load_folding, load_rows
from quizzes.attempts.access import supervised_by
from quizzes.attempts.models import State
from quizzes.bank.models import Question, QuestionVersion
from quizzes.bank.selectors import load_keys_and_feedback
from quizzes.results.models import ItemResult, Result

BEGINNING = 12
"""Characters of an answer that its place is by: a cursor has no room for a whole one."""
MAX_SPELLINGS = 5000
"""The most spellings that are looked at, the most frequent first."""

Spelling = tuple[str, int, Fraction]
"""As it was typed and what it earned, with how often."""


@dataclass(frozen=True, slots=True)
class AnswerGroup:
    """Answers that are alike once folded: how often, in which spellings, and what they earned.

    `credit` is what the newest key gives, by the accepted answer `matched`; None: it is none of
    them, and `near` tells whether nearly. `is_spelled_out`: that one says it word for word, not by
    a star or a pattern. `below_full`: how many earned less than all points.
    """

    text: str
    count: int
    spellings: tuple[str, ...]
    earned: tuple[Fraction, ...]
    below_full: int
    credit: Fraction
    matched: AcceptedText | None
    near: bool
    is_spelled_out: bool

    @property
    def rarity(self) -> int:
        """Return what it is listed by: the most frequent first."""
        return -self.count

    @property
    def beginning(self) -> str:
        """Return what those as frequent are listed by."""
        return self.text[:BEGINNING]

    @property
    def digest(self) -> str:
        """Return what those that begin alike are listed by."""
        return sha256(self.text.encode()).hexdigest()[:16]

    @property
    def place(self) -> tuple[int, str, str]:
        """Return where it stands: its own place, whatever becomes of the others."""
        return self.rarity, self.beginning, self.digest


@dataclass(frozen=True, slots=True)
class TypedAnswers:
    """All that was written, the most frequent first; `total` of how many, `more` of what is not."""

    rows: tuple[AnswerGroup, ...]
    total: int
    unanswered: int
    more: bool

    def list_after(self, place: Sequence[int | str], limit: int) -> list[AnswerGroup]:
        """Return so many rows, those after this place; () is before the first."""
        later = (row for row in self.rows if not place or row.place > tuple(place))
        return list(islice(later, limit))


def has_typed_answers(question: Question) -> bool:
    """Return whether its answers are compared with accepted ones, as it was published last."""
    current = question.current
    return current is not None and ACCEPTED in KINDS[current.kind].schema.tables


def load_typed_answers(*, question: Question, viewer: User) -> TypedAnswers:
    """Return what learners overseen by the viewer wrote; two queries. `question` is typed."""
    key, folding = load_newest_key(question), load_newest_folding(question)
    spellings = list(_spellings(question, viewer))
    answered = [(text, count, credit) for text, count, credit in spellings if text is not None]
    groups = _group_answers(answered, load_rows(key["accepted"]), folding)
    return TypedAnswers(
        rows=tuple(sorted(groups, key=attrgetter("place"))),
        total=sum(count for _, count, _ in spellings),
        unanswered=sum(count for text, count, _ in spellings if text is None),
        more=len(spellings) == MAX_SPELLINGS,
    )


def find_answer_group(*, question: Question, text: str, viewer: User) -> AnswerGroup | None:
    """Return the answers that are the same as this text once folded; None: nobody typed so."""
    folding = load_newest_folding(question)
    rows = load_typed_answers(question=question, viewer=viewer).rows
    return next((row for row in rows if fold(row.text, folding) == fold(text, folding)), None)


def load_newest_key(question: Question) -> Key:
    """Return the key of the newest version."""
    uuid = _load_current(question).uuid
    return load_keys_and_feedback([uuid])[uuid].key


def load_newest_folding(question: Question) -> Folding:
    """Return how the newest version compares answers."""
    return load_folding(_load_current(question).content)


def _load_current(question: Question) -> QuestionVersion:
    if question.current is None:
        raise ValueError("a question that was never published has no key")
    return question.current


def _spellings(question: Question, viewer: User) -> Iterator[tuple[str | None, int, Fraction]]:
    """Count equal answers with equal credits, as the gradings that count have them."""
    graded = Result.objects.filter(
        supervised_by(viewer), attempt__state=State.GRADED, attempt__is_staff_attempt=False
    )
    rows = (
        ItemResult.objects.filter(
            version__question=question,
            grading__in=graded.values("grading"),
            credit_numerator__isnull=False,
        )
        .order_by()
        .values_list(KT("answer__text"), "credit_numerator", "credit_denominator")
        .annotate(count=Count("pk"))
        .order_by("-count")[:MAX_SPELLINGS]
    )
    for text, numerator, denominator, count in rows:
        yield text, count, Fraction(numerator, denominator)


def _group_answers(
    spellings: Iterable[Spelling], accepted: Rows, counts: Folding
) -> Iterator[AnswerGroup]:
    groups: defaultdict[str, list[Spelling]] = defaultdict(list)
    for spelling in spellings:
        groups[fold(spelling[0], counts)].append(spelling)
    for group in groups.values():
        counts_by_text: Counter[str] = Counter()
        for text, count, _ in group:
            counts_by_text[text] += count
        text = counts_by_text.most_common(1)[0][0]
        matched = find_match(accepted, counts, text)
        yield AnswerGroup(
            text=text,
            count=counts_by_text.total(),
            spellings=tuple(variant for variant, _ in counts_by_text.most_common()),
            earned=tuple(sorted({credit for _, _, credit in group}, reverse=True)),
            below_full=sum(count for _, count, credit in group if credit != 1),
            credit=matched.credit if matched else Fraction(0),
            matched=matched,
            near=matched is None and is_near_miss(accepted, counts, text),
            is_spelled_out=matched is not None and is_spelled_out(matched, counts),
        )
