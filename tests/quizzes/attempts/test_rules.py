"""May one start, when next, until when: tables of cases, to the minute."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.attempts import rules
from quizzes.attempts.rules import AccommodationTerms, PreviousAttempt, StartEligibility, Window
from quizzes.publishing.policies import Policies

DAY = datetime(2026, 11, 21, tzinfo=UTC)
FREE = Policies(window_attempts=None)
ALWAYS = (Window(),)


def at(clock: str) -> datetime:
    """The day's instant of a wall clock, `14:05` or `14:05:10`; `+` before it: the day after."""
    day = DAY + timedelta(days=clock.count("+"))
    hours, minutes, *seconds = (int(part) for part in clock.lstrip("+").split(":"))
    return day + timedelta(hours=hours, minutes=minutes, seconds=sum(seconds))


def tried(*spans: str) -> list[PreviousAttempt]:
    """Attempts as `start-submitted`; without an end they are open."""
    reasons = []
    for span in spans:
        started, _, ended = span.partition("-")
        reasons.append(PreviousAttempt(at(started), at(ended) if ended else None))
    return reasons


def window(opens: str = "", closes: str = "") -> Window:
    return Window(at(opens) if opens else None, at(closes) if closes else None)


def ask(
    now: str,
    policies: Policies = FREE,
    past: list[PreviousAttempt] | None = None,
    windows: tuple[Window, ...] = ALWAYS,
    allowance: AccommodationTerms | None = None,
) -> StartEligibility:
    return rules.can_start(
        policies=policies,
        previous=past or [],
        windows=windows,
        accommodation=allowance or AccommodationTerms(),
        now=at(now),
    )


def told(permission: StartEligibility) -> tuple[str, datetime | None]:
    return permission.code, permission.available_at


# --- Windows ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("span", "now", "is_open"),
    [
        (window(), "12:00", True),
        (window("12:00"), "11:59:59", False),
        (window("12:00"), "12:00", True),
        (window(closes="12:00"), "11:59:59", True),
        (window(closes="12:00"), "12:00", False),
        (window("09:00", "12:00"), "10:00", True),
    ],
)
def test_the_opening_instant_lies_in_a_window_and_the_closing_one_does_not(span, now, is_open):
    assert span.is_open(at(now)) is is_open


@pytest.mark.parametrize(
    ("windows", "now", "code", "next_at"),
    [
        ((), "12:00", "closed", None),
        ((window("13:00"),), "12:00", "not_open_yet", "13:00"),
        ((window(closes="12:00"),), "12:00", "closed", None),
        (
            (window(closes="11:00"), window("14:00"), window("13:00")),
            "12:00",
            "not_open_yet",
            "13:00",
        ),
        ((window(closes="11:00"), window("10:00", "13:00")), "12:00", "allowed", "12:00"),
    ],
)
def test_some_window_must_be_open(windows, now, code, next_at):
    assert told(ask(now, windows=windows)) == (code, at(next_at) if next_at else None)


def test_of_several_open_windows_the_one_that_closes_last_counts():
    early, late = window(closes="13:00"), window("11:00", "14:00")
    assert ask("12:00", windows=(early, late)).window == late
    assert ask("12:00", windows=(late, early)).window == late


def test_a_window_without_end_is_the_longest():
    assert ask("12:00", windows=(window(closes="14:00"), window("09:00"))).window == window("09:00")


def test_a_refusal_names_no_window():
    assert ask("12:00", windows=(window("13:00"),)).window is None


def test_only_windows_with_an_end_have_a_closing_time():
    with pytest.raises(ValueError, match="endless"):
        rules._closing(Window())


# --- How many --------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("most", "extra", "used", "left"),
    [(None, 0, 9, None), (2, 0, 0, 2), (2, 0, 1, 1), (2, 1, 2, 1), (2, 0, 5, 0), (0, 0, 0, 0)],
)
def test_attempts_left_are_those_allowed_and_extra_less_those_used(most, extra, used, left):
    policies = Policies(window_attempts=None, max_attempts=most)
    assert (
        rules.count_attempts_left(policies, used, AccommodationTerms(extra_attempts=extra)) == left
    )


def test_no_attempt_left_is_final():
    policies = Policies(window_attempts=None, max_attempts=1)
    decision = ask("12:00", policies, tried("09:00-09:10"))
    assert (decision.allowed, decision.code, decision.available_at, decision.attempts_left) == (
        False,
        "no_attempts_left",
        None,
        0,
    )


def test_an_extra_attempt_is_granted():
    policies = Policies(window_attempts=None, max_attempts=1)
    decision = ask(
        "12:00", policies, tried("09:00-09:10"), allowance=AccommodationTerms(extra_attempts=1)
    )
    assert (decision.allowed, decision.attempts_left) == (True, 1)


# --- Cool-down -------------------------------------------------------------------------------
COOLING = Policies(window_attempts=None, cooldown_minutes=30)


@pytest.mark.parametrize(
    ("past", "now", "code", "next_at"),
    [
        ([], "12:00", "allowed", "12:00"),
        (["11:00-11:45"], "12:00", "cooling_down", "12:15"),
        (["11:00-11:45"], "12:14:59", "cooling_down", "12:15"),
        (["11:00-11:45"], "12:15", "allowed", "12:15"),
        (["11:00"], "11:20", "cooling_down", "11:30"),  # not submitted: its start counts
        (["11:00-11:50", "11:10-11:30"], "12:00", "cooling_down", "12:20"),
    ],
)
def test_a_cool_down_counts_from_the_last_submission(past, now, code, next_at):
    assert told(ask(now, COOLING, tried(*past))) == (code, at(next_at))


# --- Rolling window --------------------------------------------------------------------------
THREE_IN_EIGHT = Policies()


@pytest.mark.parametrize(
    ("past", "now", "code", "next_at"),
    [
        ([], "12:00", "allowed", "12:00"),
        (["09:00-09:05", "10:00-10:05"], "10:06", "allowed", "10:06"),
        (["09:07-09:10", "10:00-10:05", "11:00-11:05"], "11:06", "window_full", "17:07"),
        (["09:07-09:10", "10:00-10:05", "11:00-11:05"], "17:06:59", "window_full", "17:07"),
        (["09:07-09:10", "10:00-10:05", "11:00-11:05"], "17:07", "allowed", "17:07"),
        # The fourth has begun: now the second of the four holds the next one up.
        (
            ["09:07-09:10", "10:00-10:05", "11:00-11:05", "17:07-17:08"],
            "17:10",
            "window_full",
            "18:00",
        ),
        # In whatever order they are told.
        (["11:00-11:05", "09:07-09:10", "10:00-10:05"], "12:00", "window_full", "17:07"),
        # Over midnight.
        (["20:30-20:40", "21:00-21:10", "22:00-22:10"], "23:00", "window_full", "+04:30"),
    ],
)
def test_three_attempts_in_eight_hours_to_the_minute(past, now, code, next_at):
    assert told(ask(now, THREE_IN_EIGHT, tried(*past))) == (code, at(next_at))


@pytest.mark.parametrize("most", [None, 0])
def test_without_a_number_there_is_no_rolling_window(most):
    policies = Policies(window_attempts=most)
    assert ask("12:00", policies, tried("11:00", "11:10", "11:20")).allowed


BOTH = Policies(window_attempts=2, window_hours=1, cooldown_minutes=30)


@pytest.mark.parametrize(
    ("past", "code", "next_at"),
    [
        (["11:30-11:35", "11:40-11:55"], "window_full", "12:30"),
        (["11:00-11:05", "11:40-11:55"], "cooling_down", "12:25"),
        (["10:00-10:05", "11:00-11:30"], "allowed", "12:00"),
    ],
)
def test_of_two_waits_the_longer_is_told(past, code, next_at):
    assert told(ask("12:00", BOTH, tried(*past))) == (code, at(next_at))


# --- Waits and windows together --------------------------------------------------------------
@pytest.mark.parametrize(
    ("windows", "code", "next_at"),
    [
        ((window(closes="12:15"),), "closed", None),  # open now, but not when the wait is over
        ((window(closes="12:15:01"),), "cooling_down", "12:15"),
        ((window(closes="12:10"), window("13:00")), "cooling_down", "13:00"),
        ((window(closes="12:10"), window("12:15")), "cooling_down", "12:15"),
    ],
)
def test_the_next_attempt_lies_in_a_window(windows, code, next_at):
    expected = (code, at(next_at) if next_at else None)
    assert told(ask("12:00", COOLING, tried("11:00-11:45"), windows)) == expected


# --- Accommodations --------------------------------------------------------------------------
HOUR = Policies(window_attempts=None, time_limit_minutes=60)
HALF_MORE = AccommodationTerms(Fraction(3, 2))


def test_extra_time_moves_the_closing_time_by_as_much_as_the_limit():
    assert rules.extend_window(window("09:00", "12:00"), HOUR, HALF_MORE) == window(
        "09:00", "12:30"
    )
    assert rules.extra_time(HOUR, HALF_MORE) == timedelta(minutes=30)


@pytest.mark.parametrize(
    ("span", "policies"), [(window("09:00"), HOUR), (window("09:00", "12:00"), FREE)]
)
def test_without_an_end_or_a_limit_nothing_moves(span, policies):
    assert rules.extend_window(span, policies, HALF_MORE) == span


@pytest.mark.parametrize(
    ("now", "allowance", "code"),
    [
        ("11:59:59", AccommodationTerms(), "allowed"),
        ("12:00", AccommodationTerms(), "closed"),
        ("12:29:59", HALF_MORE, "allowed"),
        ("12:30", HALF_MORE, "closed"),
    ],
)
def test_who_has_extra_time_may_start_later_too(now, allowance, code):
    assert ask(now, HOUR, windows=(window(closes="12:00"),), allowance=allowance).code == code


@pytest.mark.parametrize(
    ("started", "limit", "closes", "factor", "ends"),
    [
        ("10:00", None, None, 1, None),
        ("10:00", 60, None, 1, "11:00"),
        ("10:00", 60, None, Fraction(3, 2), "11:30"),
        ("10:00", 60, "12:00", 1, "11:00"),
        ("11:30", 60, "12:00", 1, "12:00"),  # the closing time clips what began late
        ("11:30", 60, "12:00", Fraction(3, 2), "12:30"),  # but never the extra minutes
        ("11:00", 60, "12:00", 2, "13:00"),
        ("10:00", None, "12:00", 2, "12:00"),
        ("10:00", 7, None, Fraction(4, 3), "10:09:20"),
    ],
)
def test_time_is_over_at_the_limit_or_the_closing_whichever_is_first(
    started, limit, closes, factor, ends
):
    policies = Policies(time_limit_minutes=limit)
    allowance = AccommodationTerms(Fraction(factor))
    span = rules.extend_window(window(closes=closes or ""), policies, allowance)
    deadline = rules.deadline(
        policies=policies, accommodation=allowance, window=span, started_at=at(started)
    )
    assert deadline == (at(ends) if ends else None)


@given(st.integers(1, 300), st.integers(100, 1000), st.integers(0, 600), st.integers(0, 600))
def test_an_accommodation_never_shortens_and_is_never_clipped(limit, percent, started, closes):
    policies = Policies(time_limit_minutes=limit)
    allowance = AccommodationTerms(Fraction(percent, 100))
    begin, end = DAY + timedelta(minutes=started), DAY + timedelta(minutes=closes)

    def ends(who: AccommodationTerms) -> datetime:
        span = rules.extend_window(Window(None, end), policies, who)
        deadline = rules.deadline(
            policies=policies, accommodation=who, window=span, started_at=begin
        )
        assert deadline is not None
        return deadline

    gained = ends(allowance) - ends(AccommodationTerms())
    assert gained == rules.extra_time(policies, allowance)
    assert gained >= timedelta()


LATE = AccommodationTerms(closes_at=at("12:20"))


@pytest.mark.parametrize(
    ("now", "allowance", "code"),
    [
        ("12:19:59", LATE, "allowed"),
        ("12:20", LATE, "closed"),
        # Extra time reaches further here; an own closing time takes nothing away.
        ("12:29:59", replace(LATE, factor=Fraction(3, 2)), "allowed"),
        ("12:30", replace(LATE, factor=Fraction(3, 2)), "closed"),
        ("11:59:59", AccommodationTerms(closes_at=at("11:00")), "allowed"),
        ("08:59", LATE, "not_open_yet"),
    ],
)
def test_who_is_let_in_late_may_start_until_their_own_closing_time(now, allowance, code):
    windows = (window("09:00", "12:00"),)
    assert ask(now, HOUR, windows=windows, allowance=allowance).code == code


def test_an_own_closing_time_does_not_close_what_never_closes():
    assert rules.extend_window(window("09:00"), HOUR, LATE) == window("09:00")


# --- The cut-off -----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("cutoff", "now", "counts"),
    [(None, "12:00", True), ("12:00:10", "12:00:10", True), ("12:00:10", "12:00:11", False)],
)
def test_the_cut_off_itself_is_in_time(cutoff, now, counts):
    assert rules.is_in_time(at(cutoff) if cutoff else None, at(now)) is counts


@given(
    st.lists(st.integers(0, 1500), max_size=8),
    st.integers(0, 1500),
    st.integers(0, 90),
    st.integers(0, 4),
    st.integers(1, 12),
)
def test_whoever_comes_when_told_is_let_in(starts, now, cooldown, most, hours):
    policies = Policies(cooldown_minutes=cooldown, window_attempts=most, window_hours=hours)
    past = [PreviousAttempt(DAY + timedelta(minutes=m), None) for m in starts if m <= now]

    def asked(when: datetime) -> StartEligibility:
        return rules.can_start(
            policies=policies,
            previous=past,
            windows=ALWAYS,
            accommodation=AccommodationTerms(),
            now=when,
        )

    first = asked(DAY + timedelta(minutes=now))
    assert first.available_at is not None
    assert asked(first.available_at).allowed
    if not first.allowed:
        assert not asked(first.available_at - timedelta(microseconds=1)).allowed
