"""kill -9 of an import half way: nothing of it stands, and the sweep has it done once."""

from tests.faults.importing import QUESTIONS
from tests.faults.sites import Site
from tools.faults import journal
from tools.faults.slaying import slay
from tools.paths import ROOT
from tools.processes import running, wait_until

STANDING = """
    SELECT count(*) FROM bank_question q JOIN bank_bank b ON b.id = q.bank_id
    WHERE b.slug = 'killed'
"""
VERSIONS = "SELECT count(*) FROM bank_questionversion"
EVENTS = "SELECT count(*) FROM events_event"
STATE = "SELECT state FROM imports_importjob"


def told(site: Site) -> int:
    """Give how many items a job said that it wrote."""
    marks = [mark.read_text().split() for mark in site.folder.glob("media/imports/*.done")]
    return sum(int(done) for done, _total, *step in marks if step == ["writing"])


def kill_half_way(site: Site, how: str) -> None:
    command, log = site.command("tests.faults.importing", how), site.folder / "import.log"
    with running(command, env=site.environment(), cwd=ROOT, log=log) as child:
        for mark in site.folder.glob("media/imports/*.done"):
            mark.unlink()  # of the plan
        assert wait_until(lambda: told(site) > 0, seconds=90, child=child), log.read_text()
        slay(child.pid)
    assert 0 < told(site) < QUESTIONS


def test_an_import_that_was_killed_half_way_left_nothing_and_is_done_by_the_sweep(site):
    site.call("tests.faults.importing", "send")
    before = [journal.rows(site.url, query) for query in (STANDING, VERSIONS, EVENTS)]
    kill_half_way(site, "run")
    assert [journal.rows(site.url, query) for query in (STANDING, VERSIONS, EVENTS)] == before
    assert journal.rows(site.url, STATE) == [("running",)]
    assert site.call("tests.faults.importing", "sweep") == ["done", QUESTIONS, QUESTIONS]
    assert [*site.folder.glob("media/imports/*")] == []


def kill_where_it_waits(site: Site, how: str) -> None:
    command, log = site.command("tests.faults.importing", how), site.folder / "import.log"
    waiting = site.folder / "media" / "waiting"
    waiting.unlink(missing_ok=True)
    with running(command, env=site.environment(), cwd=ROOT, log=log) as child:
        assert wait_until(waiting.exists, seconds=150, child=child), log.read_text()
        slay(child.pid)


def assert_done_by_the_sweep_alone(site: Site, how: str) -> None:
    site.call("tests.faults.importing", "send")
    before = [journal.rows(site.url, query) for query in (STANDING, VERSIONS, EVENTS)]
    kill_where_it_waits(site, how)
    assert [journal.rows(site.url, query) for query in (STANDING, VERSIONS, EVENTS)] == before
    assert journal.rows(site.url, STATE) == [("running",)]
    assert site.call("tests.faults.importing", "sweep") == ["done", QUESTIONS, QUESTIONS]


def test_an_import_that_was_killed_before_its_commit_left_nothing_and_is_done_by_the_sweep(site):
    assert_done_by_the_sweep_alone(site, "stop-finished")


def test_an_import_that_was_killed_with_its_rows_staged_left_nothing_and_is_done_by_the_sweep(
    on_sqlite,
):
    """Only on SQLite are rows staged."""
    assert_done_by_the_sweep_alone(on_sqlite, "stop-staged")


def test_an_import_that_was_killed_right_after_its_commit_is_done_once_and_leaves_no_file(site):
    site.call("tests.faults.importing", "send")
    kill_where_it_waits(site, "stop-committed")
    assert journal.rows(site.url, STATE) == [("done",)]
    assert journal.rows(site.url, STANDING) == [(QUESTIONS,)]
    events = journal.rows(site.url, EVENTS)
    assert [*site.folder.glob("media/imports/*")] != []
    assert site.call("tests.faults.importing", "sweep") == ["done", QUESTIONS, QUESTIONS]
    assert journal.rows(site.url, EVENTS) == events
    assert [*site.folder.glob("media/imports/*")] == []


def test_an_import_in_two_transactions_is_caught(site):
    site.call("tests.faults.importing", "send")
    kill_half_way(site, "hasty")
    assert journal.rows(site.url, STANDING) == [(QUESTIONS // 2,)]
