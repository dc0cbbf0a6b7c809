"""Time is over and nobody comes back: the clock ends the attempts and grades them, once."""

from contextlib import ExitStack

from tests.faults import journal
from tests.faults.slaying import slay
from tools.paths import ROOT
from tools.processes import running, wait_until

ATTEMPTS = "SELECT state, submission_reason, submitted_at = deadline_at FROM attempts_attempt"
GRADINGS = "SELECT attempt_id, count(*) FROM results_grading GROUP BY attempt_id"
MARKED = "SELECT count(*) FROM results_itemresult WHERE answer IS NOT NULL AND slot = 0"
OTHERS = "SELECT count(*) FROM results_result"

UNGRADED = "SELECT count(*) FROM attempts_attempt WHERE state = 'submitted'"
ONE_LEARNER = "SELECT id FROM attempts_quizgrade ORDER BY id LIMIT 1 OFFSET 4 FOR UPDATE"
WAITING = """
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


def test_the_clock_ends_and_grades_what_everybody_has_left(site):
    left = site.call("tests.faults.overdue")
    assert journal.rows(site.url, ATTEMPTS) == [("open", "", None)] * left
    site.call("tests.faults.clockwork")
    assert_settled(site.url, left)


def test_a_clock_that_is_killed_while_it_grades_is_made_good_by_the_next(on_postgresql):
    site, log = on_postgresql, on_postgresql.folder / "clock.log"
    left = site.call("tests.faults.overdue")
    command = site.command("tests.faults.clockwork")
    with journal.holding(site.url, ONE_LEARNER), ExitStack() as stack:
        clock = stack.enter_context(running(command, env=site.environment(), cwd=ROOT, log=log))
        # It has ended them all, graded some, and now waits for the one that we hold.
        assert wait_until(lambda: waits(site.url), seconds=60, child=clock), log.read_text()
        slay(clock.pid)
    (waiting,) = journal.rows(site.url, UNGRADED)[0]
    assert 0 < waiting <= left
    site.call("tests.faults.clockwork")
    assert_settled(site.url, left)


def waits(url: str) -> bool:
    return bool(journal.rows(url, WAITING))


def assert_settled(url, number):
    assert journal.rows(url, ATTEMPTS) == [("graded", "expired", True)] * number
    assert [count for _, count in journal.rows(url, GRADINGS)] == [1] * number
    assert journal.rows(url, MARKED) == journal.rows(url, OTHERS) == [(number,)]
