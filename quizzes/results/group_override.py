"""One score by hand for many answers: an override of each, which regrades keep."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from uuid import UUID

from accounts.models import User
from quizzes.lib.errors import Conflict, NotFound, Refused
from quizzes.results.manual_grading import override_score


@dataclass(frozen=True, slots=True)
class AnswerToOverride:
    """An answer of an attempt; `seen` is how many marks the attempt had when the person looked."""

    attempt: UUID
    slot: int
    seen: int | None = None


def override_scores(
    *,
    answers: Iterable[AnswerToOverride],
    share: Fraction | None,
    reason: str,
    by: User,
    now: datetime,
) -> Mapping[UUID, str]:
    """Replace the score of each of these answers, or take that back, as `override_score` does.

    Each in a transaction of its own, so that no attempt waits for another. Return the attempts
    whose score stays, with the code that says why: refused, marked meanwhile or not overseen.
    """
    refused = {}
    for answer in answers:
        try:
            override_score(
                attempt=answer.attempt,
                slot=answer.slot,
                share=share,
                reason=reason,
                by=by,
                seen=answer.seen,
                now=now,
            )
        except (Conflict, NotFound, Refused) as error:
            refused[answer.attempt] = error.code
    return refused
