"""`./dev check`: each gate is red by itself and says why."""

import os
import sys

import pytest

from tools import gates
from tools.gates import Gate, attempt


def test_a_green_gate_takes_one_line(capsys):
    assert attempt(Gate("style", (sys.executable, "-c", "print('chatter')")), dict(os.environ))
    out = capsys.readouterr().out
    assert out.startswith("style        green")
    assert "chatter" not in out


def test_a_red_gate_shows_what_it_says_on_both_streams(capsys):
    code = "import sys; print('here'); print('there', file=sys.stderr); sys.exit(1)"
    assert not attempt(Gate("style", (sys.executable, "-c", code)), dict(os.environ))
    out = capsys.readouterr().out
    assert "style        RED" in out
    assert "here" in out
    assert "there" in out


def test_a_gate_adds_to_the_environment():
    code = "import os, sys; sys.exit(os.environ['OCHENTA_MODE'] != 'production')"
    gate = Gate("deployment", (sys.executable, "-c", code), {"OCHENTA_MODE": "production"})
    assert attempt(gate, dict(os.environ))


def test_every_gate_of_the_house_is_there(tmp_path):
    names = {gate.name for gate in gates.gates(["config"], gates.production(tmp_path))}
    assert names == {
        *("types", "style", "format", "floors", "migrations"),
        *("deployment", "templates", "catalogues", "locks"),
    }


@pytest.fixture
def three(monkeypatch):
    """Put three quick gates, one of them red, in place of the real ones."""
    monkeypatch.setattr(gates, "ensure", lambda *_layers: None)
    ends = {"style": 0, "types": 1, "locks": 0}
    monkeypatch.setattr(
        gates,
        "gates",
        lambda _code, _env: [
            Gate(name, (sys.executable, "-c", f"raise SystemExit({end})"))
            for name, end in ends.items()
        ],
    )


def test_one_red_gate_makes_the_whole_red_and_the_others_still_run(three, capsys):
    assert gates.run([]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "2 gates green, 1 red"


def test_gates_can_be_chosen_by_name(three):
    assert gates.run(["style", "locks"]) == 0


@pytest.mark.parametrize("words", [["nonsense"], ["style", "nonsense"]])
def test_a_name_that_no_gate_has_is_an_error(three, words):
    with pytest.raises(SystemExit, match="no gate called nonsense"):
        gates.run(words)


# What each gate reads, in a folder that has nothing of it, must not be green.
@pytest.mark.parametrize("name", ["types", "style", "format", "floors", "templates"])
def test_a_gate_that_finds_nothing_to_read_is_red(tmp_path, name, capsys, monkeypatch):
    found = {gate.name: gate for gate in gates.gates(["accounts"], {})}
    monkeypatch.setattr(gates, "ROOT", tmp_path)
    assert not attempt(found[name], dict(os.environ))
    assert f"{name:<12} RED" in capsys.readouterr().out
