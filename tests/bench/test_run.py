"""`./dev bench` ends with an error where its table means nothing."""

import subprocess
import sys
from contextlib import contextmanager, nullcontext
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from bench import checks, importing, run, scoring
from bench.load import Tally
from grading.kinds import KINDS
from tools.paths import ROOT
from tools.postgres import NoPostgresError


@pytest.fixture
def measured(monkeypatch):
    """Let `main` measure nothing; a test says what each of its four rows is, in their order."""
    tallies = [Tally(seconds={"page": [0.1]}, flows=5, elapsed=2) for _row in range(4)]
    rows = iter(tallies)

    @contextmanager
    def served(*_words, **_more):
        yield run.Web(Mock(pid=0), 1, 0)

    seeded = {"baseline": "x", "sessions": ["a"], "quiz": "bench"}
    monkeypatch.setattr(sys, "argv", ["bench", "--seconds", "1"])
    monkeypatch.setattr(
        "bench.run.postgres.throwaway", lambda: nullcontext(SimpleNamespace(url="", pid=0))
    )
    monkeypatch.setattr("bench.run.subprocess.run", lambda *_words, **_more: None)
    monkeypatch.setattr(run, "module", lambda *_words: seeded)
    monkeypatch.setattr(run, "served", served)
    monkeypatch.setattr(run, "drive", lambda *_words: Tally())
    monkeypatch.setattr(run, "measure", lambda _web, _act: (next(rows), 1.0, 1.0))
    return tallies


def test_a_table_of_whole_flows_is_success(measured, capsys):
    assert run.main() == 0
    assert "| flow, 32 learners | 2.5 |" in capsys.readouterr().out


def test_a_row_without_a_flow_is_an_error(measured, capsys):
    measured[0].flows = 0
    assert run.main() == 1
    assert "baseline, 8 clients: not one flow was completed" in capsys.readouterr().err


def test_a_single_failed_flow_is_an_error(measured, capsys):
    measured[3].errors.append("save: status 409")
    assert run.main() == 1
    assert "flow, 32 learners: 1 failed: save: status 409" in capsys.readouterr().err


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
