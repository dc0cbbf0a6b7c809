"""`./dev test`: what goes to pytest, how results are counted, when the whole is red."""

import os
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools import suite
from tools.redis import NoRedisError
from tools.suite import Account, Tally, pytest_words, read_report

REPORT = """<?xml version="1.0"?>
<testsuites><testsuite>
  <testcase classname="tests.a" name="test_good"/>
  <testcase classname="tests.a" name="test_bad"><failure message="no"/></testcase>
  <testcase classname="tests.a" name="test_broken"><error message="no"/></testcase>
  <testcase classname="tests.a" name="test_away"><skipped type="pytest.skip" message="cold"/>
  </testcase>
  <testcase classname="tests.a" name="test_known"><skipped type="pytest.xfail" message="x"/>
  </testcase>
</testsuite></testsuites>
"""


def test_a_report_is_counted_and_skips_keep_their_reason(tmp_path):
    report = tmp_path / "report.xml"
    report.write_text(REPORT)
    tally = read_report(report)
    assert str(tally) == "2 passed, 2 failed, 1 skipped"
    assert tally.skips == ["tests.a.test_away: cold"]


def test_no_report_counts_nothing(tmp_path):
    assert str(read_report(tmp_path / "none.xml")) == "0 passed, 0 failed, 0 skipped"


def test_alone_all_processors_are_used_but_four_at_most(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert pytest_words([], set()) == ["-q", "-n", "4"]


def test_words_go_to_pytest_without_extra_processes():
    assert pytest_words(["-k", "numeric", "-x"], set()) == ["-k", "numeric", "-x"]


def test_what_cannot_run_here_is_left_out_and_not_even_read():
    words = pytest_words(["tests/grading"], {"browser", "postgres"})
    assert words == [
        *("-m", "not browser and not postgres"),
        *("--ignore=tests/journeys", "tests/grading"),
    ]


def test_the_callers_marks_are_kept_beside_ours():
    words = pytest_words(["-m", "slow or postgres", "-v"], {"browser"})
    assert words == ["-m", "(slow or postgres) and not browser", "--ignore=tests/journeys", "-v"]


def account(**parts):
    return Account(total=Tally(passed=1), **parts)


def test_all_green_is_zero():
    assert account().status(require_all=True, strict=True) == 0


def test_a_failure_or_a_broken_run_is_red():
    broken = account()
    broken.add("SQLite", Tally(passed=1), 2)
    failed = account()
    failed.add("SQLite", Tally(failed=1), 1)
    assert broken.status(require_all=False, strict=False) == 1
    assert failed.status(require_all=False, strict=False) == 1


def test_a_skip_is_red_only_where_it_is_strict():
    skipped = account()
    skipped.add("SQLite", Tally(skips=["a: cold"]), 0)
    assert skipped.status(require_all=False, strict=False) == 0
    assert skipped.status(require_all=False, strict=True) == 1


def test_a_missing_database_is_red_only_where_all_is_required():
    missing = account(missing=["PostgreSQL"])
    assert missing.status(require_all=False, strict=True) == 0
    assert missing.status(require_all=True, strict=True) == 1


def test_one_run_without_a_match_is_fine_but_not_all_of_them():
    one = Account()
    one.add("SQLite", Tally(), suite.NOTHING_COLLECTED)
    assert one.status(require_all=False, strict=False) == suite.NOTHING_COLLECTED
    one.add("PostgreSQL", Tally(passed=3), 0)
    assert one.status(require_all=False, strict=False) == 0
    assert one.lines[-1] == "PostgreSQL: 3 passed, 0 failed, 0 skipped"


def test_the_callers_own_site_does_not_leak_into_the_tests(tmp_path):
    outside = {"OCHENTA_DATABASE_URL": "postgresql://precious", "HOME": "/somewhere"}
    env = suite.environment(tmp_path, None, outside)
    assert env == {"HOME": "/somewhere", "OCHENTA_DATA_DIR": str(tmp_path)}


def test_a_browser_is_named_to_the_journeys(tmp_path):
    assert suite.environment(tmp_path, "/usr/bin/chromium", {})["CHROMIUM"] == "/usr/bin/chromium"


def test_a_chosen_chromium_must_exist(monkeypatch, tmp_path):
    browser = tmp_path / "chromium"
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    assert suite.find_chromium() is None
    browser.write_text("")
    browser.chmod(0o755)
    assert suite.find_chromium() == str(browser)
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "other"))
    assert suite.find_chromium() is None


@pytest.fixture
def without_services(monkeypatch, tmp_path):
    """Let `run` work on a machine with Python alone; give the commands that it would run."""
    commands = []

    def call(command, env, cwd):
        commands.append((command, env))
        report = next(word for word in command if word.startswith("--junitxml="))
        (tmp_path / report.partition("=")[2]).write_text(REPORT.replace("failure", "system-out"))
        return 0

    def no_redis():
        raise NoRedisError("no redis-server on PATH")

    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(suite, "ensure", lambda *_layers: None)
    monkeypatch.setattr(suite, "find_chromium", lambda: None)
    monkeypatch.setattr("tools.suite.postgres.find", lambda: None)
    monkeypatch.setattr("tools.suite.redis.throwaway", no_redis)
    monkeypatch.setattr("tools.suite.subprocess.call", call)
    return commands


def test_what_could_not_run_is_named_and_the_counts_come_last(without_services, capsys):
    suite.run([])
    lines = capsys.readouterr().out.splitlines()
    assert "SQLite: 3 passed, 1 failed, 1 skipped" in lines
    assert [line.split(" (")[0] for line in lines if line.startswith("Not run")] == [
        "Not run: journeys in a browser",
        "Not run: tests with Redis",
        "Not run: tests on PostgreSQL",
    ]
    assert "Skipped: tests.a.test_away: cold" in lines
    assert lines[-1].startswith("3 passed, 1 failed, 1 skipped in ")


def test_faults_run_once_beside_postgresql_and_what_is_pure_beside_sqlite(
    without_services, monkeypatch
):
    server = SimpleNamespace(version="16", url="postgresql://here")
    suite.run([])
    monkeypatch.setattr("tools.suite.postgres.find", lambda: Path("/bin"))
    monkeypatch.setattr("tools.suite.postgres.throwaway", lambda _found: nullcontext(server))
    suite.run([])
    marks = [command[command.index("-m", 3) + 1] for command, _env in without_services]
    assert ["not faults" in mark for mark in marks] == [False, True, False]
    assert ["not pure" in mark for mark in marks] == [False, False, True]


def test_our_own_word_does_not_reach_pytest(without_services):
    assert suite.run(["--require-all", "-x"]) == 1
    (command, _env) = without_services[0]
    assert "--require-all" not in command
    assert "-x" in command
