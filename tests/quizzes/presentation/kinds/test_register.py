"""The registers of kinds: what is looked up by its name is a function, never a module."""

from pkgutil import iter_modules
from types import FunctionType, ModuleType
from typing import cast

import pytest

from grading.contract import Kind
from grading.kinds import KINDS
from quizzes.presentation.kinds import PRESENTED_KINDS, NamesParts, PresentedKind

REGISTERED = [
    *((name, cast("ModuleType", kind), Kind) for name, kind in KINDS.items()),
    *((name, cast("ModuleType", kind), PresentedKind) for name, kind in PRESENTED_KINDS.items()),
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
    submodules = {submodule.name for submodule in iter_modules(getattr(module, "__path__", []))}
    assert submodules.isdisjoint(hooks | {"part_name"})


@pytest.mark.parametrize("name", PRESENTED_KINDS)
def test_a_kind_that_names_places_has_a_function_for_it(name):
    kind = PRESENTED_KINDS[name]
    assert not isinstance(kind, NamesParts) or callable(kind.part_name)
