"""Every code that a format can note or lose has its sentence."""

import ast
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest

import quizzes.formats
from quizzes.formats.contract import ExportWarning
from quizzes.presentation.messages.import_notes import NOTES
from quizzes.presentation.messages.imports import (
    EXPORT_WARNINGS,
    IMPORT_ERRORS,
    describe_export_warning,
    describe_grades,
    describe_points,
)
from quizzes.presentation.messages.sentences import describe

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
    emitted = set()
    for path in (path for place in places for path in PACKAGE.glob(place)):
        if OWN_WORDS & set(path.parts):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and called(node) in names:
                emitted |= set(texts(node.args))
    return emitted


def texts(arguments: list[ast.expr]) -> Iterator[str]:
    """Give the first code, told by its underscore; of a choice between two, both."""
    for argument in arguments:
        parts = [argument.body, argument.orelse] if isinstance(argument, ast.IfExp) else [argument]
        constants = [part.value for part in parts if isinstance(part, ast.Constant)]
        words = [value for value in constants if isinstance(value, str) and "_" in value]
        if words:
            yield from words
            return


def test_every_note_has_a_sentence():
    noted = codes(NOTING, "**/*.py")
    assert len(noted) > 100
    assert noted - NOTES.keys() == set()


def test_every_error_of_a_package_or_document_has_one_too():
    """They become notes where the file is one of several."""
    emitted = codes({"FileError"}, "parsing/packages.py")
    assert {"member_missing", "package_too_deep"} <= emitted <= NOTES.keys()


@pytest.mark.parametrize("kind", ["calculated", "file_upload", "text_only"])
def test_kinds_that_none_of_ours_asks_have_one(kind):
    assert kind in NOTES


def test_every_loss_has_a_sentence():
    lost = codes(WARNING, "**/*.py")
    assert len(lost) > 20
    assert lost - EXPORT_WARNINGS.keys() == set()


@pytest.mark.parametrize("sentence", [*NOTES.values(), *EXPORT_WARNINGS.values()])
def test_a_sentence_is_one(sentence):
    assert str(sentence)[0].isupper()
    assert str(sentence).endswith(".")


def test_a_warning_names_the_part_that_is_left_out():
    warning = ExportWarning("rivers", "rows_left_out", {"part": "units"})
    assert describe_export_warning(warning) == "A part of the question is left out: units."


@pytest.mark.parametrize("sentences", [NOTES, EXPORT_WARNINGS, IMPORT_ERRORS])
def test_a_sentence_without_its_detail_has_no_placeholder(sentences):
    assert not [code for code in sentences if "%(" in describe(code, sentences)]


def test_a_code_without_a_sentence_stands_for_itself():
    assert describe("never_seen", NOTES) == "never seen"


@pytest.mark.parametrize(
    ("grade", "pass_threshold", "sentence"),
    [
        (None, None, ""),
        ("0", None, "Grade: 0%."),
        (None, "4/5", "Pass mark: 80%."),
        ("1/3", "4/5", "Grade: 33 1/3%. Pass mark: 80%."),
    ],
)
def test_grade_and_pass_mark_are_a_sentence_each(grade, pass_threshold, sentence):
    assert (
        describe_grades(*(part and Fraction(part) for part in (grade, pass_threshold))) == sentence
    )


def test_points_are_named_where_there_are_any():
    assert describe_points(Fraction(5, 2)) == "Points: 2.5"
    assert describe_points(Fraction(0)) == "Points: 0"
    assert describe_points(None) == ""
