"""Every code that a format can note or lose has its sentence."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import quizzes.formats
from quizzes.formats.contract import ExportWarning
from quizzes.imports import report_format, sayings

PACKAGE = Path(quizzes.formats.__file__).parent
OWN_WORDS = {"ochenta", "tree.py", "values.py"}
"""Bank files of ours say what is wrong in words of their own, line by line."""
NOTING = {"Note", "note", "repaired", "review", "refused", "Refused", "_Refused", "mended"}
WARNING = {"ExportWarning", "warn", "warn_of_texts"}


def called(node: ast.Call) -> str:
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def codes(names: set[str], *places: str) -> set[str]:
    """Give the codes that are written out: the first text among the arguments of such a call."""
    found = set()
    for path in (one for place in places for one in PACKAGE.glob(place)):
        if OWN_WORDS & set(path.parts):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and called(node) in names:
                found |= set(texts(node.args))
    return found


def texts(arguments: list[ast.expr]) -> Iterator[str]:
    """Give the first code, told by its underscore; of a choice between two, both."""
    for one in arguments:
        parts = [one.body, one.orelse] if isinstance(one, ast.IfExp) else [one]
        held = [part.value for part in parts if isinstance(part, ast.Constant)]
        said = [value for value in held if isinstance(value, str) and "_" in value]
        if said:
            yield from said
            return


def test_every_note_has_a_sentence():
    noted = codes(NOTING, "**/*.py")
    assert len(noted) > 100
    assert noted - sayings.NOTES.keys() == set()


def test_every_error_of_a_package_or_document_has_one_too():
    """They become notes where the file is one of several."""
    told = codes({"FileError"}, "parsing/packages.py")
    assert {"member_missing", "package_too_deep"} <= told <= sayings.NOTES.keys()


@pytest.mark.parametrize("kind", ["calculated", "file_upload", "text_only"])
def test_kinds_that_none_of_ours_asks_have_one(kind):
    assert kind in sayings.NOTES


def test_every_loss_has_a_sentence():
    lost = codes(WARNING, "**/*.py")
    assert len(lost) > 20
    assert lost - sayings.LOSSES.keys() == set()


@pytest.mark.parametrize("said", [*sayings.NOTES.values(), *sayings.LOSSES.values()])
def test_a_sentence_is_one(said):
    assert str(said)[0].isupper()
    assert str(said).endswith(".")


def test_a_loss_names_the_part_that_is_left_out():
    told = report_format.warning_line(ExportWarning("rivers", "rows_left_out", {"part": "units"}))
    assert told == "rivers: A part of the question is left out: units."
