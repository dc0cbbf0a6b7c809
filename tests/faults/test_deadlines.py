"""Attempts end at their cut-off with one site alive: no broker, no worker, whatever goes wrong.

`pytest -rP tests/faults/test_deadlines.py` shows the figures.
"""

import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

import pytest

from tests.faults.expiry import Latencies, assert_graded_once, watch
from tools.faults import journal
from tools.processes import wait_until

WITHOUT_OUTAGE, AFTER_OUTAGE = 5.0, 15.0
LONG = 60.0
"""Seconds after which a test gives up."""
FAILURES = "SELECT 1 FROM results_gradingfailure WHERE code = 'manifest_unreadable'"
TRIES = "SELECT tries FROM results_gradingfailure"
ENDLESS = "SELECT tries FROM results_gradingfailure WHERE code = 'grader_too_slow'"
STATES = "SELECT state FROM attempts_attempt ORDER BY id"
POISON = "UPDATE attempts_attempt SET manifest = '{\"form\": 99}' WHERE id IN (SELECT id FROM \
attempts_attempt ORDER BY id LIMIT 3)"


def execute(url: str, statement: str, *, against: Sequence[str]) -> None:
    """Execute what triggers on attempts refuse, without these triggers."""
    of_table = " ON attempts_attempt" if url.startswith("postgresql") else ""
    with closing(journal._connect(url)) as connection:
        cursor = connection.cursor()
        for rule in against:
            cursor.execute(f"DROP TRIGGER IF EXISTS attempts_attempt_{rule}_update{of_table}")
        cursor.execute(statement)
        connection.commit()


def assert_in_time(latencies: Latencies, limit: float) -> None:
    print(latencies)
    assert max(latencies.graded.values()) < limit


def test_attempts_end_at_their_cutoff(site):
    with site.served():
        left = site.call("tests.faults.overdue", "6", "0.7")
        assert_in_time(watch(site.url, patience=LONG, of=left), WITHOUT_OUTAGE)
    assert_graded_once(site.url, left)


def test_after_an_outage_of_the_site_they_end_soon(site):
    left = site.call("tests.faults.overdue")
    began = time.time()
    with site.served():
        latencies = watch(site.url, patience=LONG, since=began, of=left)
    assert_in_time(latencies, AFTER_OUTAGE)
    assert_graded_once(site.url, left)


def test_after_an_outage_of_the_server_they_end_soon(cluster, on_postgresql):
    with on_postgresql.served():
        left = on_postgresql.call("tests.faults.overdue", "3", "0.2")
        cluster.kill()
        time.sleep(5)  # the outage itself
        cluster.start()
        latencies = watch(on_postgresql.url, patience=LONG, since=time.time(), of=left)
    assert_in_time(latencies, AFTER_OUTAGE)
    assert_graded_once(on_postgresql.url, left)


def test_after_a_freeze_of_the_server_they_end_soon(cluster, on_postgresql):
    with on_postgresql.served():
        left = on_postgresql.call("tests.faults.overdue", "2", "0.2")
        with cluster.frozen():
            time.sleep(5)  # the freeze itself
            ended = time.time()
        latencies = watch(on_postgresql.url, patience=LONG, since=ended, of=left)
    assert_in_time(latencies, AFTER_OUTAGE)


def test_after_another_has_kept_the_file_locked_they_end_soon(on_sqlite):
    with on_sqlite.served():
        left = on_sqlite.call("tests.faults.overdue", "2", "0.2")
        with closing(sqlite3.connect(on_sqlite.folder / "ochenta.db")) as connection:
            connection.execute("BEGIN IMMEDIATE")
            time.sleep(6)  # the outage itself
            began = time.time()
            connection.rollback()
        latencies = watch(on_sqlite.url, patience=LONG, since=began, of=left)
    assert_in_time(latencies, AFTER_OUTAGE)


def test_a_site_that_is_killed_while_it_grades_is_made_good_by_the_next(site):
    left = site.call("tests.faults.overdue")

    def count(state: str) -> int:
        return journal.rows(site.url, STATES).count((state,))

    with site.served("tests.faults.slow_grading") as web:
        assert wait_until(lambda: count("graded") > 0, seconds=LONG)
        web.kill()
    assert 0 < count("submitted") < left
    began = time.time()
    with site.served():
        latencies = watch(site.url, patience=LONG, since=began, of=left)
    assert_in_time(latencies, AFTER_OUTAGE)
    assert_graded_once(site.url, left)


def test_attempts_whose_graders_are_killed_twice_are_graded_soon_after_that(on_postgresql):
    left = on_postgresql.call("tests.faults.overdue")

    def kill_while_tried(times: int) -> None:
        with on_postgresql.served("tests.faults.slow_grading") as web:
            assert wait_until(
                lambda: (times,) in journal.rows(on_postgresql.url, TRIES), seconds=LONG
            )
            web.kill()

    kill_while_tried(1)
    kill_while_tried(2)
    began = time.time()
    with on_postgresql.served():
        latencies = watch(on_postgresql.url, patience=LONG, since=began, of=left)
    assert_in_time(latencies, AFTER_OUTAGE)
    assert_graded_once(on_postgresql.url, left)


def test_a_grader_that_never_comes_to_an_end_holds_up_no_other_and_is_named(on_sqlite):
    served = replace(on_sqlite, settings={"OCHENTA_WEB_WORKERS": "1"})
    with served.served("tests.faults.looping_grading"):
        left = on_sqlite.call("tests.faults.overdue", "6", "0.5")
        assert_in_time(watch(on_sqlite.url, patience=LONG, of=left - 1), WITHOUT_OUTAGE)
        assert wait_until(lambda: journal.rows(on_sqlite.url, ENDLESS) == [(1,)], seconds=LONG)
        log = (on_sqlite.folder / "web.log").read_text()
    assert f"grading attempt {(on_sqlite.folder / 'poison').read_text()} failed" in log


def test_what_cannot_be_graded_holds_up_no_other(site):
    with site.served():
        left = site.call("tests.faults.overdue", "8", "0.3")
        execute(site.url, POISON, against=["paper"])
        latencies = watch(site.url, patience=LONG, of=left - 3)
        assert wait_until(lambda: len(journal.rows(site.url, FAILURES)) == 3, seconds=LONG)
    assert_in_time(latencies, WITHOUT_OUTAGE)
    states = journal.rows(site.url, STATES)
    assert states == [("submitted",)] * 3 + [("graded",)] * (left - 3)


@pytest.mark.parametrize("hours", [-1, 1], ids=["back", "forward"])
def test_setting_the_clock_of_the_web_ends_nothing_early_or_late(site, hours):
    served = replace(site, settings={"GUNICORN_CMD_ARGS": ""})
    with served.served("tests.faults.wrong_clock"):
        left = site.call("tests.faults.overdue", "9", "0.5")
        (site.folder / "step").write_text(str(hours))
        assert wait_until(lambda: len(list(site.folder.glob("set-*"))) == 2, seconds=5)
        clocks = [float(path.read_text()) for path in site.folder.glob("set-*")]
        assert all(abs(clock - time.time() - hours * 3600) < 60 for clock in clocks)
        assert_in_time(watch(site.url, patience=LONG, of=left), WITHOUT_OUTAGE)
    assert_graded_once(site.url, left)


@pytest.mark.parametrize("hours", [-1, 1], ids=["behind", "ahead"])
def test_a_worker_whose_clock_is_wrong_ends_nothing_early_or_late(on_postgresql, hours):
    with on_postgresql.worked(hours):
        left = on_postgresql.call("tests.faults.overdue", "6", "0.5")
        assert_in_time(watch(on_postgresql.url, patience=LONG, of=left), WITHOUT_OUTAGE)
    assert_graded_once(on_postgresql.url, left)


MOVE = "UPDATE attempts_attempt SET deadline_at = {0}, cutoff_at = {0}"
ENDS = {
    "sqlite": "datetime('now', '+%s seconds')",
    "postgresql": "now() + interval '%s seconds'",
}


def test_a_cutoff_that_moves_is_followed(site):
    move = MOVE.format(ENDS[site.url.partition(":")[0]])
    with site.served():
        left = site.call("tests.faults.overdue", "8")
        execute(site.url, move % (600, 600), against=["deadline", "extension"])
        time.sleep(9)  # the old cut-off passes
        assert journal.rows(site.url, STATES) == [("open",)] * left
        # And back to a moment that comes before the next look.
        execute(site.url, move % (1, 1), against=["deadline", "extension"])
        assert_in_time(watch(site.url, patience=LONG, of=left), WITHOUT_OUTAGE)
