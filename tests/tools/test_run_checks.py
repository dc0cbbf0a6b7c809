"""`./dev check`: each check is red by itself and says why."""

import os
import sys

import pytest

from tools import run_checks
from tools.run_checks import Check, run_check


def test_a_green_check_takes_one_line(capsys):
    assert run_check(Check("style", (sys.executable, "-c", "print('chatter')")), dict(os.environ))
    out = capsys.readouterr().out
    assert out.startswith("style        green")
    assert "chatter" not in out


def test_a_red_check_shows_what_it_says_on_both_streams(capsys):
    code = "import sys; print('here'); print('there', file=sys.stderr); sys.exit(1)"
    assert not run_check(Check("style", (sys.executable, "-c", code)), dict(os.environ))
    out = capsys.readouterr().out
    assert "style        RED" in out
    assert "here" in out
    assert "there" in out


def test_a_check_adds_to_the_environment():
    code = "import os, sys; sys.exit(os.environ['OCHENTA_MODE'] != 'production')"
    check = Check("deployment", (sys.executable, "-c", code), {"OCHENTA_MODE": "production"})
    assert run_check(check, dict(os.environ))


def test_every_check_is_there(tmp_path):
    names = {
        check.name
        for check in run_checks.all_checks(["config"], run_checks.production_environment(tmp_path))
    }
    assert names == {
        *("types", "style", "format", "layers", "migrations"),
        *("deployment", "templates", "catalogs", "locks", "schema"),
    }


@pytest.fixture
def three(monkeypatch):
    """Put three quick checks, one of them red, in place of the real ones."""
    monkeypatch.setattr(run_checks, "ensure", lambda *_layers: None)
    ends = {"style": 0, "types": 1, "locks": 0}
    monkeypatch.setattr(
        run_checks,
        "all_checks",
        lambda _code, _env: [
            Check(name, (sys.executable, "-c", f"raise SystemExit({end})"))
            for name, end in ends.items()
        ],
    )


def test_one_red_check_makes_the_whole_red_and_the_others_still_run(three, capsys):
    assert run_checks.run([]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "2 checks green, 1 red"


def test_checks_can_be_chosen_by_name(three):
    assert run_checks.run(["style", "locks"]) == 0


@pytest.mark.parametrize("words", [["nonsense"], ["style", "nonsense"]])
def test_a_name_that_no_check_has_is_an_error(three, words):
    with pytest.raises(SystemExit, match="no check called nonsense"):
        run_checks.run(words)


# What each check reads, in a folder that has nothing of it, must not be green.
@pytest.mark.parametrize("name", ["types", "style", "format", "layers", "templates"])
def test_a_check_that_finds_nothing_to_read_is_red(tmp_path, name, capsys, monkeypatch):
    check_by_name = {check.name: check for check in run_checks.all_checks(["accounts"], {})}
    monkeypatch.setattr(run_checks, "ROOT", tmp_path)
    assert not run_check(check_by_name[name], dict(os.environ))
    assert f"{name:<12} RED" in capsys.readouterr().out
