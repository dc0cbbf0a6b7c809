"""Time is over and nobody comes back: the clock ends the attempts and grades them, once."""

from tools.faults import journal

ATTEMPTS = "SELECT state, submission_reason, submitted_at = deadline_at FROM attempts_attempt"
GRADINGS = "SELECT attempt_id, count(*) FROM results_grading GROUP BY attempt_id"
MARKED = "SELECT count(*) FROM results_itemresult WHERE answer IS NOT NULL AND slot = 0"
OTHERS = "SELECT count(*) FROM results_result"


def test_the_clock_ends_and_grades_what_everybody_has_left(site):
    left = site.call("tests.faults.overdue")
    assert journal.rows(site.url, ATTEMPTS) == [("open", "", None)] * left
    site.call("tests.faults.clockwork")
    assert_settled(site.url, left)


def assert_settled(url, number):
    assert journal.rows(url, ATTEMPTS) == [("graded", "expired", True)] * number
    assert [count for _, count in journal.rows(url, GRADINGS)] == [1] * number
    assert journal.rows(url, MARKED) == journal.rows(url, OTHERS) == [(number,)]
