"""The registers of kinds: what is looked up by its name is a function, never a module."""

from pkgutil import iter_modules
from types import FunctionType, ModuleType
from typing import cast

import pytest

from grading.contract import Kind
from grading.kinds import KINDS
from quizzes.web.kinds import WEB_KINDS, NamesPlaces, WebKind

REGISTERED = [
    *((name, cast("ModuleType", kind), Kind) for name, kind in KINDS.items()),
    *((name, cast("ModuleType", kind), WebKind) for name, kind in WEB_KINDS.items()),
]


def methods(protocol: type) -> set[str]:
    return {name for name, value in vars(protocol).items() if isinstance(value, FunctionType)} - {
        "__init__",
        "__subclasshook__",
    }


@pytest.mark.parametrize(("name", "module", "protocol"), REGISTERED)
def test_what_a_kind_is_asked_for_is_a_function_and_no_submodule(name, module, protocol):
    hooks = {hook for hook in methods(protocol) if not hook.startswith("_")}
    assert hooks
    assert all(callable(getattr(module, hook)) for hook in hooks), name
    submodules = {one.name for one in iter_modules(getattr(module, "__path__", []))}
    assert submodules.isdisjoint(hooks | {"place"})


@pytest.mark.parametrize("name", WEB_KINDS)
def test_a_kind_that_names_places_has_a_function_for_it(name):
    kind = WEB_KINDS[name]
    assert not isinstance(kind, NamesPlaces) or callable(kind.place)
