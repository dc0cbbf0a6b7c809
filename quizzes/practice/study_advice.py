"""What to work on after an attempt: the weakest tags, and the practice that helps on most.

Which practices ask the questions of an attempt, or others on their tags, is the same for all who
were asked the same, as long as no practice is for some learners alone. So it is remembered for
`ADVICE_MEMORY_SECONDS`; a practice or a tag that is new, or gone, is noticed after them. ADR 79.
"""

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db.models import (
    BigIntegerField,
    CharField,
    Count,
    IntegerField,
    QuerySet,
    UUIDField,
    Value,
)

from accounts.access import is_instructor
from accounts.models import User
from grading.kinds import KINDS
from quizzes.attempts.access import (
    takeable_by,
    takeable_by_all_learners,
    takeable_by_learner,
    takeable_by_some_learners,
)
from quizzes.lib.frozen_cache import FrozenCache
from quizzes.lib.prepared_query import PreparedQuery
from quizzes.publishing.models import Mode, PoolCandidate, Quiz
from quizzes.results.attempt_report import AttemptReport
from quizzes.results.models import ItemResult, Result
from quizzes.results.next_steps import (
    WeakTopic,
    find_weak_topics,
    has_weak_scores,
    list_to_practise,
)

TAG, SAME, RELATED, RESTRICTED = "tag", "same", "related", "restricted"
"""The kinds of rows: a tag of a question of the attempt; that a practice asks such a question; how
many questions on a tag a practice has; how many practices are for some learners alone."""

Rows = Sequence[tuple[Any, ...]]

GRADED_KINDS: Final = [name for name, kind in KINDS.items() if kind.schema.graded]


@dataclass(frozen=True, slots=True)
class PracticeOffer:
    """A practice that helps on after an attempt: how many of the missed questions it can ask."""

    slug: str
    missed_count: int


@dataclass(frozen=True, slots=True)
class StudyAdvice:
    """What to work on after an attempt: the weakest tags, and the practice that helps on."""

    topics: list[WeakTopic]
    practice: PracticeOffer | None


@dataclass(slots=True)
class _Related:
    """Of an attempt: the tags of its questions, which practices ask them, or others on the tags.

    `questions_of` has those by the short name of a practice, `related` how many by tag.
    """

    tags: defaultdict[UUID, list[str]] = field(default_factory=lambda: defaultdict(list))
    questions_of: defaultdict[str, set[UUID]] = field(default_factory=lambda: defaultdict(set))
    related: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, rows: Iterable[tuple[Any, ...]]) -> None:
        for kind, question, tag, slug, count in rows:
            if kind == TAG:
                self.tags[question].append(tag)
            elif kind == SAME:
                self.questions_of[slug].add(question)
            else:
                self.related[slug][tag] = count

    def choose_offer(self, missed: set[UUID]) -> PracticeOffer | None:
        """Return the practice that asks most of these questions, else most on their tags."""
        tags = {tag for question in missed for tag in self.tags[question]}
        ranked = sorted(
            (
                -len(self.questions_of[slug] & missed),
                -sum(self.related[slug][tag] for tag in tags),
                slug,
            )
            for slug in self.questions_of.keys() | self.related.keys()
        )
        if not ranked or ranked[0][:2] == (0, 0):
            return None
        return PracticeOffer(ranked[0][2], -ranked[0][0])


def load_study_advice(report: AttemptReport, learner: User) -> StudyAdvice:
    """Return what to work on after an attempt of one's own, in one query at most.

    Where all is right: nothing, and no query. What may not be known counts as missed until it
    passes.

    The practice is the one that asks most of the missed questions, else most on their tags.
    """
    missed = {item.manifest_slot.question for item in list_to_practise(report)}
    if not missed and not has_weak_scores(report.questions):
        return StudyAdvice([], None)
    related = _Related()
    related.add(_load_rows(report, learner))
    topics = find_weak_topics(report.questions, related.tags)
    return StudyAdvice(topics, related.choose_offer(missed))


def _load_rows(report: AttemptReport, learner: User) -> Iterable[tuple[Any, ...]]:
    attempt = report.summary.attempt
    if learner.guest_since is not None or is_instructor(learner):
        return _ask_related(attempt, takeable_by(learner))
    if seconds := settings.ADVICE_MEMORY_SECONDS:
        questions = frozenset(item.manifest_slot.question for item in report.questions)
        key = questions, int(time.monotonic() / seconds)
        rows = _remembered.get_many([key], lambda _: {key: _RELATED_FOR_ALL.all(attempt)})[key]
        if not any(row[0] == RESTRICTED for row in rows):
            return rows
    return _RELATED_FOR_LEARNER.all(attempt, learner.pk)


_remembered: FrozenCache[tuple[frozenset[UUID], int], Rows] = FrozenCache(1000)
"""By the questions of an attempt and the time: a value never changes, its key goes by."""


def _ask_related(
    attempt: UUID, takeable: QuerySet[Quiz], *more: QuerySet[Any, tuple[Any, ...]]
) -> QuerySet[Any, tuple[Any, ...]]:
    """Return the rows of `_Related`: kind, question, tag, short name of a practice, number."""
    grading = Result.objects.filter(attempt__uuid=attempt).values("grading")
    items = ItemResult.objects.filter(grading__in=grading).order_by()
    practices = takeable.filter(mode=Mode.PRACTICE).order_by()
    candidates = PoolCandidate.objects.filter(
        item__quiz_version__in=practices.values("current"), version__kind__in=GRADED_KINDS
    ).order_by()
    slug, no_text = "item__quiz_version__quiz__slug", Value("", output_field=CharField())
    no_number = Value(0, output_field=IntegerField())
    tags = items.filter(version__question__tags__isnull=False).values_list(
        Value(TAG),
        "version__question__uuid",
        "version__question__tags__name",
        no_text,
        no_number,
    )
    same = candidates.filter(version__question__in=items.values("version__question")).values_list(
        Value(SAME), "version__question__uuid", no_text, slug, no_number
    )
    related = (
        candidates.filter(version__question__tags__in=items.values("version__question__tags"))
        .values("version__question__tags__name", slug)
        .annotate(count=Count("version__question", distinct=True))
        .values_list(
            Value(RELATED),
            Value(None, output_field=UUIDField()),
            "version__question__tags__name",
            slug,
            "count",
        )
    )
    rows: QuerySet[Any, tuple[Any, ...]] = tags.union(same, related, *more, all=True)
    return rows


_RELATED_FOR_LEARNER: PreparedQuery[tuple[Any, ...]] = PreparedQuery(
    lambda attempt, learner: _ask_related(attempt, takeable_by_learner(learner)),
    UUIDField(),
    BigIntegerField(),
)


def _count_restricted() -> QuerySet[Any, tuple[Any, ...]]:
    no_text = Value("", output_field=CharField())
    practices = takeable_by_some_learners().filter(mode=Mode.PRACTICE).order_by().values("mode")
    counted = practices.annotate(count=Count("pk"))
    return counted.values_list(
        Value(RESTRICTED), Value(None, output_field=UUIDField()), no_text, no_text, "count"
    )


_RELATED_FOR_ALL: PreparedQuery[tuple[Any, ...]] = PreparedQuery(
    lambda attempt: _ask_related(attempt, takeable_by_all_learners(), _count_restricted()),
    UUIDField(),
)
