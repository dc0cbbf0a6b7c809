"""Reading attempts: what the doors need to show one, and what rules need to allow one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from typing import Any
from uuid import UUID

from accounts.access import groups_joined
from accounts.models import User
from quizzes.attempts.journal import with_heads
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Accommodation, Assignment, Attempt, State
from quizzes.attempts.rules import Allowance, Past, Permission, Window, extended, may_start
from quizzes.bank.selectors import Paper, papers
from quizzes.lib.errors import NotFound
from quizzes.publishing.models import Audience, Quiz
from quizzes.publishing.policies import Policies


@dataclass(frozen=True, slots=True)
class Head:
    """The newest accepted entry of a slot; revision 0 and no answer where there is none."""

    slot: int
    revision: int = 0
    answer: Mapping[str, Any] | None = None
    flagged: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """An attempt as its taker works on it: the papers of its slots and what was answered."""

    attempt: Attempt
    manifest: Manifest
    papers: tuple[Paper, ...]
    heads: tuple[Head, ...]

    @property
    def answered(self) -> int:
        """How many slots have an answer."""
        return sum(head.answer is not None for head in self.heads)


def heads_of(attempt: Attempt, count: int) -> tuple[Head, ...]:
    """Read the column that `with_heads` added: one head a slot, in order."""
    found = {
        one["slot"]: Head(one["slot"], one["revision"], one["answer"], bool(one["flagged"]))
        for one in getattr(attempt, "heads", None) or ()
    }
    return tuple(found.get(slot, Head(slot)) for slot in range(count))


def sheet(*, attempt: UUID, learner: User) -> Sheet:
    """Give a learner's own attempt as a sheet, in one query. Somebody else's: NotFound."""
    found = with_heads(Attempt.objects.filter(uuid=attempt, learner=learner)).first()
    if found is None:
        raise NotFound
    manifest = Manifest.from_json(found.manifest)
    return Sheet(found, manifest, papers_of(manifest), heads_of(found, len(manifest.slots)))


def papers_of(manifest: Manifest) -> tuple[Paper, ...]:
    """Give the paper of each slot, in order; no query once they have been read."""
    known = papers(slot.version for slot in manifest.slots)
    return tuple(known[slot.version] for slot in manifest.slots)


def open_attempts(learner: User) -> tuple[Sheet, ...]:
    """Give the sheets of all attempts a learner has open, the newest first."""
    rows = with_heads(Attempt.objects.filter(learner=learner, state=State.OPEN))
    sheets = []
    for row in rows.order_by("-started_at"):
        manifest = Manifest.from_json(row.manifest)
        heads = heads_of(row, len(manifest.slots))
        sheets.append(Sheet(row, manifest, papers_of(manifest), heads))
    return tuple(sheets)


@dataclass(frozen=True, slots=True)
class Entry:
    """What the rules need to know of one learner and one quiz."""

    windows: tuple[Window, ...]
    allowance: Allowance
    past: tuple[Past, ...]

    def permission(self, policies: Policies, now: datetime) -> Permission:
        """Ask the rules."""
        return may_start(
            policies=policies,
            past=self.past,
            windows=self.windows,
            allowance=self.allowance,
            now=now,
        )

    def extended(self, window: Window, policies: Policies) -> Window:
        """Give a window with this learner's extra time."""
        return extended(window, policies, self.allowance)


def entries(quizzes: Iterable[Quiz], learner: User) -> dict[int, Entry]:
    """Gather the facts for many quizzes at once, by quiz id; three queries, however many."""
    listed = list(quizzes)
    ids = [quiz.pk for quiz in listed]
    given: dict[int, list[Window]] = {}
    for row in Assignment.objects.filter(quiz__in=ids, group__in=groups_joined(learner)):
        given.setdefault(row.quiz_id, []).append(Window(row.opens_at, row.closes_at))
    allowances = {
        row.quiz_id: Allowance(Fraction(row.time_percent, 100), row.extra_attempts)
        for row in Accommodation.objects.filter(quiz__in=ids, learner=learner)
    }
    past: dict[int, list[Past]] = {}
    tried = Attempt.objects.filter(quiz__in=ids, learner=learner).exclude(state=State.VOID)
    for quiz_id, started, submitted in tried.values_list("quiz_id", "started_at", "submitted_at"):
        past.setdefault(quiz_id, []).append(Past(started, submitted))
    return {
        quiz.pk: Entry(
            _windows(quiz, given.get(quiz.pk, [])),
            allowances.get(quiz.pk, Allowance()),
            tuple(past.get(quiz.pk, ())),
        )
        for quiz in listed
    }


def _windows(quiz: Quiz, given: list[Window]) -> tuple[Window, ...]:
    """Give the windows of assignments; the quiz's own fills in, and rules where there is none.

    A side that an assignment leaves empty is the quiz's.
    """
    own = Window(quiz.opens_at, quiz.closes_at)
    filled = [
        Window(window.opens_at or own.opens_at, window.closes_at or own.closes_at)
        for window in given
    ]
    if quiz.audience == Audience.SIGNED_IN or not filled:
        filled.append(own)
    return tuple(filled)
