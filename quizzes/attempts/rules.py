"""May this learner start, when next, and until when do saves count? Pure; time is an argument."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction

from quizzes.publishing.policies import Policies


@dataclass(frozen=True, slots=True)
class Window:
    """When a quiz is open; None on a side: no bound there."""

    opens_at: datetime | None = None
    closes_at: datetime | None = None

    def is_open(self, now: datetime) -> bool:
        """Return whether now lies in it: the opening instant does, the closing one does not."""
        opened = self.opens_at is None or self.opens_at <= now
        return opened and (self.closes_at is None or now < self.closes_at)


@dataclass(frozen=True, slots=True)
class StandingTerms:
    """What a learner has at every quiz: time as a factor and in addition, a window that is later.

    `later` moves the closing out besides the extra time.
    """

    factor: Fraction = Fraction(1)
    extra: timedelta = timedelta()
    later: timedelta = timedelta()


@dataclass(frozen=True, slots=True)
class AccommodationTerms:
    """A learner's accommodation: time as a factor (3/2 is half as much again), and attempts.

    `closes_at` is a closing time of their own, for who is let in late; it only ever gives time.
    Of it and the `standing` one the longer time counts, never their sum.
    """

    factor: Fraction = Fraction(1)
    extra_attempts: int = 0
    closes_at: datetime | None = None
    standing: StandingTerms = StandingTerms()


@dataclass(frozen=True, slots=True)
class PreviousAttempt:
    """One earlier attempt that counts (void ones and those of staff do not)."""

    started_at: datetime
    submitted_at: datetime | None


@dataclass(frozen=True, slots=True)
class StartEligibility:
    """Whether an attempt may start now; if not, why, and when one may (None: never again).

    `left` counts the attempts that remain in all, None for no limit.
    """

    allowed: bool
    code: str
    available_at: datetime | None
    attempts_left: int | None
    window: Window | None


def extend_window(window: Window, policies: Policies, accommodation: AccommodationTerms) -> Window:
    """Move the closing time out by the extra time, or to the learner's own if that is later.

    So extra time is never clipped. The own closing time is meant as it was set: nothing is added.
    """
    if window.closes_at is None:
        return window
    later = extra_time(policies, accommodation) + accommodation.standing.later
    closes_at = window.closes_at + later
    return Window(window.opens_at, max(closes_at, accommodation.closes_at or closes_at))


def extra_time(policies: Policies, accommodation: AccommodationTerms) -> timedelta:
    """Return how much longer than others this learner has: what gives them most.

    Where there is no time limit, that is what is added at every quiz.
    """
    limit, standing = policies.time_limit or timedelta(), accommodation.standing
    return max(
        _times(limit, accommodation.factor - 1),
        _times(limit, standing.factor - 1) + standing.extra,
    )


def _times(span: timedelta, factor: Fraction) -> timedelta:
    return span * factor.numerator / factor.denominator


def count_attempts_left(
    policies: Policies, used: int, accommodation: AccommodationTerms
) -> int | None:
    """Count the attempts that remain in all; None for no limit."""
    if policies.max_attempts is None:
        return None
    return max(0, policies.max_attempts + accommodation.extra_attempts - used)


def can_start(  # noqa: PLR0913  one argument a source
    *,
    policies: Policies,
    previous: Sequence[PreviousAttempt],
    windows: Iterable[Window],
    accommodation: AccommodationTerms,
    now: datetime,
    gave_up: bool = False,
) -> StartEligibility:
    """Decide whether a new attempt may start now.

    Codes: allowed, gave_up, no_attempts_left, closed, not_open_yet, cooling_down, window_full.
    """
    left = count_attempts_left(policies, len(previous), accommodation)
    own = [extend_window(window, policies, accommodation) for window in windows]
    if gave_up:
        return _refused("gave_up", None, 0)
    if left == 0:
        return _refused("no_attempts_left", None, left)
    code, at = _pace(policies, previous, now)
    fits = [window for window in own if window.is_open(at)]
    if code == "allowed":
        if fits:
            return StartEligibility(
                allowed=True, code=code, available_at=now, attempts_left=left, window=_longest(fits)
            )
        opens = _next_opening(own, now)
        return _refused("not_open_yet" if opens else "closed", opens, left)
    if not fits:
        at_opening = _next_opening(own, at)
        return _refused(code if at_opening else "closed", at_opening, left)
    return _refused(code, at, left)


def _refused(code: str, next_at: datetime | None, left: int | None) -> StartEligibility:
    return StartEligibility(
        allowed=False, code=code, available_at=next_at, attempts_left=left, window=None
    )


def _pace(
    policies: Policies, past: Sequence[PreviousAttempt], now: datetime
) -> tuple[str, datetime]:
    """Return which of cool-down and rolling window ends last, and when."""
    waits = [("allowed", now)]
    if policies.cooldown_minutes and past:
        latest = max(attempt.submitted_at or attempt.started_at for attempt in past)
        waits.append(("cooling_down", latest + timedelta(minutes=policies.cooldown_minutes)))
    most = policies.window_attempts
    if most and len(past) >= most:
        starts = sorted(attempt.started_at for attempt in past)
        waits.append(("window_full", starts[-most] + timedelta(hours=policies.window_hours)))
    return max(waits, key=lambda wait: wait[1])


def _longest(windows: Sequence[Window]) -> Window:
    endless = [window for window in windows if window.closes_at is None]
    return endless[0] if endless else max(windows, key=_closing)


def _closing(window: Window) -> datetime:
    if window.closes_at is None:
        raise ValueError("an endless window has no closing time")
    return window.closes_at


def _next_opening(windows: Iterable[Window], now: datetime) -> datetime | None:
    coming = [w.opens_at for w in windows if w.opens_at is not None and w.opens_at > now]
    return min(coming, default=None)


def deadline(
    *, policies: Policies, accommodation: AccommodationTerms, window: Window, started_at: datetime
) -> datetime | None:
    """Return the instant the attempt is over: time limit or closing time, whichever is first.

    `window` is already extended by the accommodation. None: neither.
    """
    ends = [window.closes_at] if window.closes_at is not None else []
    if policies.time_limit is not None:
        ends.append(started_at + policies.time_limit + extra_time(policies, accommodation))
    return min(ends, default=None)


def current_deadline(
    *,
    policies: Policies,
    accommodation: AccommodationTerms,
    windows: Iterable[Window],
    started_at: datetime,
) -> datetime | None:
    """Return the deadline of an attempt that began then, by the windows and terms of now.

    None: there is none, or it could not have begun.
    """
    own = [extend_window(window, policies, accommodation) for window in windows]
    fits = [window for window in own if window.is_open(started_at)]
    if not fits:
        return None
    return deadline(
        policies=policies, accommodation=accommodation, window=_longest(fits), started_at=started_at
    )


def is_paused(paused_until: datetime | None, now: datetime) -> bool:
    """Return whether the time of an attempt stands still."""
    return paused_until is not None and paused_until > now


def compute_time_left(
    deadline: datetime | None, paused_until: datetime | None, now: datetime
) -> timedelta | None:
    """Return how long until the deadline, never below zero; in a pause it stands. None: no end."""
    if deadline is None:
        return None
    return max(deadline - max(now, paused_until or now), timedelta())


def is_in_time(cutoff: datetime | None, now: datetime) -> bool:
    """Return whether what arrives now still counts; at the cut-off (with grace) it does."""
    return cutoff is None or now <= cutoff
