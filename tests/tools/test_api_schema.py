"""`./dev schema`: the stored schema is the generated one, and no break goes in without a reason."""

import json
from pathlib import Path
from typing import Any

import pytest

from tools import api_schema

OLD: dict[str, Any] = {
    "paths": {"/cats": {"get": {"responses": {}}}, "/dogs": {"get": {"responses": {}}}},
    "components": {"schemas": {}},
}
ADDED = {**OLD, "paths": {**OLD["paths"], "/mice": {"get": {"responses": {}}}}}
BROKEN = {**OLD, "paths": {"/cats": OLD["paths"]["/cats"]}}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with the old schema stored, and no break listed."""
    monkeypatch.setattr(api_schema, "ROOT", tmp_path)
    monkeypatch.setattr(api_schema, "STORED", tmp_path / "openapi.json")
    monkeypatch.setattr(api_schema, "LISTED", tmp_path / "breaks.tsv")
    api_schema.STORED.write_text(api_schema.render(OLD))
    api_schema.LISTED.write_text("break\treason\n")
    return tmp_path


@pytest.fixture
def code(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Say what schema the code generates."""
    return lambda schema: monkeypatch.setattr(api_schema, "generate", lambda: schema)


def test_nothing_changed_is_green(code):
    code(OLD)
    assert api_schema.main(["--check"]) == 0


def test_an_addition_is_red_until_it_is_written(code, capsys):
    code(ADDED)
    assert api_schema.main(["--check"]) == 1
    assert "./dev schema" in capsys.readouterr().out
    assert api_schema.main([]) == 0
    assert json.loads(api_schema.STORED.read_text()) == ADDED
    assert api_schema.main(["--check"]) == 0


@pytest.mark.parametrize("listed", ["", "path removed: /dogs\t\n", "path removed: /cats\tno use\n"])
def test_a_break_without_a_reason_is_neither_green_nor_written(code, capsys, listed):
    code(BROKEN)
    api_schema.LISTED.write_text(f"break\treason\n{listed}")
    assert api_schema.main(["--check"]) == 1
    assert "path removed: /dogs" in capsys.readouterr().out
    assert api_schema.main([]) == 1
    assert json.loads(api_schema.STORED.read_text()) == OLD


def test_a_break_with_a_reason_is_written(code):
    code(BROKEN)
    api_schema.LISTED.write_text("break\treason\npath removed: /dogs\tnobody has one\n")
    assert api_schema.main([]) == 0
    assert api_schema.main(["--check"]) == 0


def test_a_break_that_was_written_by_hand_is_seen_in_the_history(code, monkeypatch, capsys):
    code(BROKEN)
    api_schema.STORED.write_text(api_schema.render(BROKEN))
    texts = {"log": "one two", "show": api_schema.render(OLD)}
    monkeypatch.setattr(api_schema, "_git", lambda verb, *_rest: texts[verb])
    assert api_schema.main(["--check"]) == 1
    assert "path removed: /dogs" in capsys.readouterr().out


def test_without_git_the_stored_schema_alone_counts(code, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda _name: None)
    code(OLD)
    assert api_schema.main(["--check"]) == 0


def test_the_first_schema_is_written_as_it_is(code):
    api_schema.STORED.unlink()
    code(BROKEN)
    assert api_schema.main(["--check"]) == 1
    assert api_schema.main([]) == 0
