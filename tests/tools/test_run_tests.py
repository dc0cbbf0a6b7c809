"""`./dev test`: what goes to pytest, how results are counted, when the whole is red."""

import json
import os
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools import run_tests
from tools.run_tests import Account, Tally, pytest_words, read_report

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


def test_a_report_is_counted_with_the_names_of_failures_and_the_reasons_of_skips(tmp_path):
    report = tmp_path / "report.xml"
    report.write_text(REPORT)
    tally = read_report(report)
    assert str(tally) == "2 passed, 2 failed, 1 skipped"
    assert tally.failures == ["tests.a.test_bad", "tests.a.test_broken"]
    assert tally.skips == ["tests.a.test_away: cold"]


def test_no_report_counts_nothing(tmp_path):
    assert str(read_report(tmp_path / "none.xml")) == "0 passed, 0 failed, 0 skipped"


def test_alone_all_processors_are_used_but_four_at_most(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert pytest_words([])[:5] == ["-q", "-n", "4", "--dist", "worksteal"]


def test_words_go_to_pytest_without_extra_processes():
    assert pytest_words(["-k", "numeric", "-x"]) == ["-k", "numeric", "-x"]


@pytest.mark.parametrize(
    ("words", "options", "expected"),
    [
        ([], set(), {"sqlite", "postgresql"}),
        (["tests/grading"], set(), {"sqlite", "postgresql"}),
        (["-k", "numeric"], {"--require-all"}, {"sqlite", "postgresql"}),
        (["tests/grading"], {"--sqlite"}, {"sqlite"}),
        ([], {"--postgresql"}, {"postgresql"}),
        (["tests/journeys/test_tabs.py", "-x"], set(), {"postgresql"}),
        (["tests/journeys", "tests/faults"], set(), {"postgresql"}),
        (["tests/journeys", "tests/grading"], set(), {"sqlite", "postgresql"}),
    ],
)
def test_a_session_starts_only_where_chosen_tests_may_run(words, options, expected):
    assert run_tests.databases(words, options) == expected


def collection(*left_out, for_postgresql=1):
    return run_tests.Collection(for_postgresql, list(left_out))


def test_a_test_that_no_session_takes_is_named():
    faults, race = "tests/faults/test_a.py::test_b", "tests/test_races.py::test_c"
    assert run_tests.run_in_no_session([collection(faults, race), collection(faults)]) == [
        f"1 tests that no session takes, such as {faults}"
    ]
    assert run_tests.run_in_no_session([collection(faults, race), collection()]) == []
    assert run_tests.run_in_no_session([]) == []


def account(**parts):
    return Account(total=Tally(passed=1), **parts)


def test_all_green_is_zero():
    assert account().status(require_all=True, strict=True) == 0


def test_a_failure_or_a_broken_run_is_red():
    broken = account()
    broken.add("SQLite", Tally(passed=1), 2)
    failed = account()
    failed.add("SQLite", Tally(failures=["a.test_b"]), 1)
    assert broken.status(require_all=False, strict=False) == 1
    assert failed.status(require_all=False, strict=False) == 1
    assert failed.total.failures == ["a.test_b (SQLite)"]


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
    account = Account()
    account.add("SQLite", Tally(), run_tests.NOTHING_COLLECTED)
    assert account.status(require_all=False, strict=False) == run_tests.NOTHING_COLLECTED
    account.add("PostgreSQL", Tally(passed=3), 0)
    assert account.status(require_all=False, strict=False) == 0
    assert account.lines[-1] == "PostgreSQL: 3 passed, 0 failed, 0 skipped"


def test_where_all_is_required_a_session_without_a_test_is_red():
    account = Account()
    account.add("PostgreSQL", Tally(passed=3), 0)
    assert account.status(require_all=True, strict=True) == 0
    account.add("SQLite", Tally(), run_tests.NOTHING_COLLECTED)
    assert account.status(require_all=True, strict=True) == 1


def test_success_without_an_account_of_a_single_test_is_red():
    account = Account()
    account.add("PostgreSQL", Tally(passed=3), 0)
    account.add("SQLite", Tally(), 0)
    assert account.status(require_all=False, strict=False) == 1


def test_the_callers_own_site_does_not_leak_into_the_tests(tmp_path):
    outside = {"OCHENTA_DATABASE_URL": "postgresql://precious", "HOME": "/somewhere"}
    env = run_tests.environment(tmp_path, None, outside)
    assert env == {"HOME": "/somewhere", "OCHENTA_DATA_DIR": str(tmp_path)}


def test_a_browser_is_named_to_the_journeys(tmp_path):
    assert (
        run_tests.environment(tmp_path, "/usr/bin/chromium", {})["CHROMIUM"] == "/usr/bin/chromium"
    )


def test_a_chosen_chromium_must_exist(monkeypatch, tmp_path):
    browser = tmp_path / "chromium"
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    assert run_tests.find_chromium() is None
    browser.write_text("")
    browser.chmod(0o755)
    assert run_tests.find_chromium() == str(browser)
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "other"))
    assert run_tests.find_chromium() is None


class Calls(list[tuple[list[str], dict[str, str]]]):
    """The calls of pytest; `for_postgresql` is what each reports of its tests."""

    for_postgresql = 1


@pytest.fixture
def without_services(monkeypatch, tmp_path):
    """Let `run` work on a machine with Python alone; return the calls of pytest."""
    calls = Calls()

    def call(command, env, cwd):
        calls.append((command, env))
        report = next(word for word in command if word.startswith("--junitxml="))
        Path(report.partition("=")[2]).write_text(REPORT.replace("failure", "system-out"))
        collected = {"for_postgresql": calls.for_postgresql, "for_other_session": []}
        Path(env["OCHENTA_TESTS_COLLECTION"]).write_text(json.dumps(collected))
        return 0

    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setattr(run_tests, "ensure", lambda *_layers: None)
    monkeypatch.setattr(run_tests, "find_chromium", lambda: None)
    monkeypatch.setattr("tools.run_tests.postgres.find", lambda: None)
    monkeypatch.setattr("tools.run_tests.redis.find", lambda: None)
    monkeypatch.setattr("tools.run_tests.subprocess.call", call)
    return calls


@pytest.fixture
def with_postgresql(without_services, monkeypatch):
    """Let `run` find a PostgreSQL, too; return the calls of pytest."""
    server = SimpleNamespace(version="16", url="postgresql://here", socket=Path("/"))
    monkeypatch.setattr("tools.run_tests.postgres.find", lambda: Path("/bin"))
    monkeypatch.setattr("tools.run_tests.postgres.throwaway", lambda _binaries: nullcontext(server))
    return without_services


def test_what_could_not_run_is_named_and_the_counts_come_last(without_services, capsys):
    run_tests.run([])
    lines = capsys.readouterr().out.splitlines()
    assert "SQLite: 3 passed, 1 failed, 1 skipped" in lines
    assert [line.split(" (")[0] for line in lines if line.startswith("Not run")] == [
        "Not run: journeys in a browser",
        "Not run: tests with Redis",
        "Not run: tests on PostgreSQL",
    ]
    assert "Skipped: tests.a.test_away: cold" in lines
    assert lines[-1].startswith("3 passed, 1 failed, 1 skipped in ")


def test_without_a_pooler_no_test_runs_behind_one_and_that_is_named(
    with_postgresql, monkeypatch, capsys
):
    monkeypatch.setattr("tools.run_tests.pgbouncer.find", lambda: None)
    assert run_tests.run(["--pooler"]) == run_tests.NOTHING_COLLECTED
    assert "Not run: tests behind PgBouncer (no pgbouncer" in capsys.readouterr().out
    assert run_tests.run(["--pooler", "--require-all"]) == 1
    assert with_postgresql == []


def test_behind_a_pooler_all_but_faults_and_what_is_pure_run_once(with_postgresql, monkeypatch):
    url = "postgresql://here?pool_mode=transaction"
    monkeypatch.setattr(
        "tools.run_tests.pgbouncer.throwaway", lambda _server, **_options: nullcontext(url)
    )
    run_tests.run(["--pooler"])
    [(command, env)] = with_postgresql
    assert env["OCHENTA_DATABASE_URL"] == url
    assert env["OCHENTA_TESTS_WITHOUT"] == "faults,pure"
    assert {"--reuse-db", "-n"} <= set(command)
    assert "--pooler" not in command


def without(calls):
    return [env["OCHENTA_TESTS_WITHOUT"] for _command, env in calls]


def test_without_postgresql_faults_and_journeys_run_on_sqlite(without_services):
    run_tests.run([])
    assert without(without_services) == ["postgres"]


def test_faults_run_once_beside_postgresql_and_what_is_pure_beside_sqlite(with_postgresql):
    run_tests.run([])
    assert without(with_postgresql) == ["browser,faults,once,postgres", "pure"]


def test_on_sqlite_alone_what_runs_once_runs_there(with_postgresql):
    run_tests.run(["--sqlite"])
    assert without(with_postgresql) == ["browser,faults,postgres"]


def test_alone_postgresql_runs_what_is_pure_too(with_postgresql):
    run_tests.run(["--postgresql", "-x"])
    assert without(with_postgresql) == [""]


def test_no_server_is_started_for_tests_that_touch_no_database(with_postgresql):
    with_postgresql.for_postgresql = 0
    run_tests.run(["tests/grading/test_totals.py"])
    assert len(with_postgresql) == 1


def test_pure_tests_run_once_without_django_and_without_a_database(with_postgresql):
    run_tests.run(["tests/grading/test_totals.py", "-k", "share"])
    [(command, env)] = with_postgresql
    assert "no:django" in command
    assert "OCHENTA_TESTS_WITHOUT_DJANGO" in env


@pytest.mark.parametrize("words", [[], ["-k", "share"], ["tests/grading", "tests/accounts"]])
def test_other_tests_run_with_django(with_postgresql, words):
    run_tests.run(words)
    assert all("no:django" not in command for command, _env in with_postgresql)
    assert len(with_postgresql) == 2


@pytest.mark.parametrize(
    ("words", "sessions_without"),
    [
        (["tests/quizzes/bank", "-x"], ["SQLite"]),
        (["tests/quizzes", "tests/config"], []),
        (["-k", "share"], []),
        ([], []),
    ],
)
def test_folders_of_features_alone_are_not_migrated_on_sqlite(
    with_postgresql, words, sessions_without
):
    run_tests.run(words)
    sessions = ["SQLite", "PostgreSQL"]
    without_migrations = [
        session
        for session, (command, _env) in zip(sessions, with_postgresql, strict=True)
        if "--nomigrations" in command
    ]
    assert without_migrations == sessions_without


def test_our_own_word_does_not_reach_pytest(without_services):
    assert run_tests.run(["--require-all", "-x"]) == 1
    (command, _env) = without_services[0]
    assert "--require-all" not in command
    assert "-x" in command
