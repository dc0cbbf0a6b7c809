"""The register of formats: each claims its own files, and none another's."""

from functools import partial
from pkgutil import iter_modules
from types import FunctionType, ModuleType
from typing import cast

import pytest

from quizzes.formats import FORMATS, LINES, WRITERS, has_hook
from quizzes.formats.detection import detect_format
from quizzes.imports import source_excerpts
from tests.quizzes.formats.test_ochenta import GOOD


def test_a_format_is_registered_under_its_own_name():
    assert all(format_.name == name for name, format_ in FORMATS.items())
    assert WRITERS.keys() <= FORMATS.keys()


def test_a_bank_file_is_claimed_by_our_own_format():
    detected = detect_format(GOOD.encode(), "rivers.yaml")
    assert detected is FORMATS["ochenta-bank/1"]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("data", [b"", b"\x00" * 9, b"<", b"PK\x03\x04", "año".encode("cp1252")])
def test_claiming_survives_any_bytes(name, data):
    assert FORMATS[name].detect(data, "x.bin") in {True, False}


def test_what_nobody_knows_nobody_claims():
    assert detect_format(b"\x00\x01\x02", "x.bin") is None


HOOKS = ("detect", "read", "write", "lines")


def test_a_submodule_is_no_hook():
    module = ModuleType("cards")
    module.lines = ModuleType("cards.lines")  # type: ignore[attr-defined]  # as importing it does
    module.write = lambda: None  # type: ignore[attr-defined]  # a hook
    assert not has_hook(module, "lines")
    assert not has_hook(module, "read")
    assert has_hook(module, "write")


@pytest.mark.parametrize("name", FORMATS)
def test_no_submodule_of_a_format_has_the_name_of_a_hook(name):
    """To import it would put it in the place of the function."""
    module = cast("ModuleType", FORMATS[name])
    submodules = {submodule.name for submodule in iter_modules(getattr(module, "__path__", []))}
    assert submodules.isdisjoint(HOOKS)
    hooks = [vars(module)[hook] for hook in HOOKS if hook in vars(module)]
    assert all(isinstance(hook, FunctionType | partial) for hook in hooks)


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_lines_whatever_the_bytes(name):
    for data in (b"", b"a\nb", b"PK\x03\x04"):
        assert all(isinstance(line, str) for line in source_excerpts.line_source(data, name)(""))


def test_formats_that_are_no_text_say_what_their_lines_are():
    assert LINES.keys() == {"anki-apkg", "h5p", "kahoot", "xlsx"}
