"""`./dev bench` ends with an error where its table means nothing."""

import json
import os
import subprocess
import sys
import time
from contextlib import closing, contextmanager, nullcontext
from types import SimpleNamespace
from unittest.mock import Mock

import psycopg2
import pytest

from bench import checks, importing, run, scoring, statements
from bench.cpu import measure_cpu, measure_machine_cpu
from bench.load import Tally
from bench.sites import Web
from grading.kinds import KINDS
from tools import postgres
from tools.paths import ROOT
from tools.postgres import NoPostgresError


@pytest.fixture
def measured(monkeypatch):
    """Let `main` measure nothing; a test says what each of its four rows is, in their order."""
    tallies = [Tally(seconds={"page": [0.1]}, flows=5, elapsed=2) for _row in range(4)]
    rows = iter(tallies)

    @contextmanager
    def served(*_words, **_more):
        yield Web(Mock(pid=0), 1, 0)

    seeded = {"baseline": "x", "sessions": ["a"], "quiz": "bench"}
    server = SimpleNamespace(url="", pid=0)
    monkeypatch.setattr(sys, "argv", ["bench", "--seconds", "1"])
    monkeypatch.setattr("bench.run.postgres.throwaway", lambda **_more: nullcontext(server))
    monkeypatch.setattr("bench.run.subprocess.run", lambda *_words, **_more: None)
    monkeypatch.setattr("bench.run.statements.is_available", lambda _binaries: False)
    monkeypatch.setattr(run, "module", lambda *_words, **_more: seeded)
    monkeypatch.setattr(run, "served", served)
    monkeypatch.setattr(run, "drive", lambda *_words, **_more: Tally())
    monkeypatch.setattr(
        run, "measure", lambda name, _web, _act: run.Measurement(name, next(rows), 1.0, 1.0, 0.25)
    )
    return tallies


def test_a_table_of_whole_flows_is_success(measured, capsys):
    assert run.main() == 0
    row = "| flow, 32 at a time | 2.5 | 1.0 | 1.0 | 2.0 | 1.0 | 100 | 100 | 25% | 0 |"
    assert row in capsys.readouterr().out


def test_a_row_without_a_flow_is_an_error(measured, capsys):
    measured[0].flows = 0
    assert run.main() == 1
    assert "baseline, 8 at a time: not one flow was completed" in capsys.readouterr().err


def test_a_single_failed_flow_is_an_error(measured, capsys):
    measured[3].errors.append("save: status 409")
    assert run.main() == 1
    assert "flow, 32 at a time: 1 failed: save: status 409" in capsys.readouterr().err


def test_fewer_learners_than_loops_are_no_measurement(measured, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["bench", "--learners", "31"])
    with pytest.raises(SystemExit, match="at least 32 are needed"):
        run.main()


def test_a_commit_is_measured_between_two_runs_and_figures_are_kept(
    measured, monkeypatch, tmp_path, capsys
):
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "RESULTS", tmp_path / "results")
    monkeypatch.setattr("bench.run.subprocess.check_output", lambda *_words, **_more: "abc1\n")
    monkeypatch.setattr(sys, "argv", ["bench", "--against", "v1", "--keep"])
    tallies = iter([*measured, *measured, *measured])
    monkeypatch.setattr(
        run, "measure", lambda name, _web, _act: run.Measurement(name, next(tallies), 3, 1, 0)
    )
    assert run.main() == 0
    names = [f"flow, 1 at a time{suffix}" for suffix in ("", ", v1", ", again")]
    (file,) = (tmp_path / "results").glob("*-abc1.json")
    rows = json.loads(file.read_text())["rows"]
    assert [row["name"] for row in rows if row["name"].startswith("flow, 1 ")] == names
    assert {(row["web_cpu_ms"], row["database_cpu_ms"]) for row in rows} == {(3, 1)}
    assert rows[0]["latency_ms"] == {"page": [100.0, 100.0]}
    assert all(f"| {name} |" in capsys.readouterr().out for name in names[:1])


@pytest.mark.enable_socket
def test_statements_are_counted_only_when_asked_for():
    binaries = postgres.find()
    if not statements.is_available(binaries):
        pytest.fail(f"{binaries} brings no pg_stat_statements")
    with postgres.throwaway(settings=statements.SETTINGS) as server:
        statements.prepare(server)
        with closing(psycopg2.connect(server.url)) as connection, connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            with statements.counted(server) as counter:
                time.sleep(0.2)  # seconds, in which the other connection hears of the setting
                for _turn in range(10):
                    cursor.execute("SELECT count(*) FROM pg_class")
            cursor.execute("SELECT 1")
    counts = counter.divide(5)
    assert 2 <= counts.sent < 3
    assert counts.planning_ms > 0
    assert counts.execution_ms > 0


def test_of_nothing_counted_there_are_no_figures():
    with pytest.raises(ValueError, match="nothing was counted"):
        statements.Counter().divide(1)


def test_cpu_of_this_process_is_part_of_the_machine():
    before, machine = measure_cpu(os.getpid()), measure_machine_cpu()
    until = time.process_time() + 0.2
    while time.process_time() < until:
        pass
    own = measure_cpu(os.getpid()) - before
    assert 0.15 <= own <= measure_machine_cpu() - machine + 0.05


def test_an_import_of_nothing_is_no_measurement():
    with pytest.raises(SystemExit, match="nothing to measure"):
        importing.main(0)


def test_an_import_that_a_database_missed_is_an_error(monkeypatch):
    def missing():
        raise NoPostgresError("no initdb")

    monkeypatch.setattr(importing, "_measured", lambda *_words: dict.fromkeys(STEPS, 0.0))
    monkeypatch.setattr("bench.importing.postgres.throwaway", missing)
    with pytest.raises(SystemExit, match="Not measured on PostgreSQL: no initdb"):
        importing.main(1)


STEPS = ("look", "page", "run", "all", "cpu", "memory")


def test_an_import_that_ended_badly_is_an_error(monkeypatch):
    def fail(words, **_more):
        raise subprocess.CalledProcessError(1, words)

    monkeypatch.setattr("bench.importing.subprocess.run", fail)
    with pytest.raises(SystemExit, match=r"Not measured: -m config\.deploy ended with 1"):
        importing.main(1)


def test_a_kind_without_an_answered_example_is_an_error(monkeypatch):
    monkeypatch.setattr(scoring, "answered", lambda _kind: iter(()))
    with pytest.raises(ValueError, match="essay: no example has an answer"):
        scoring.measure("essay", 10)


def test_checks_of_nothing_or_of_a_page_that_failed_are_no_measurement(monkeypatch):
    def fail(words, **_more):
        raise subprocess.CalledProcessError(1, words)

    with pytest.raises(SystemExit, match="nothing to measure"):
        checks.main([0])
    monkeypatch.setattr("bench.checks.subprocess.run", fail)
    with pytest.raises(SystemExit, match=r"Not measured: -m config\.deploy ended with 1"):
        checks.main([1])


def test_marking_no_answers_is_no_measurement():
    with pytest.raises(SystemExit, match="nothing to measure"):
        scoring.main(0)


def test_every_kind_is_marked(capsys):
    scoring.main(10)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + len(KINDS)


def test_the_program_ends_with_what_main_returns():
    text = (ROOT / "bench" / "run.py").read_text(encoding="utf-8")
    assert text.endswith("sys.exit(main())\n")
