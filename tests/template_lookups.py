"""Fails where a template of ours asks for what its context does not have: Django is silent then."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.template.base import Node, Variable, VariableDoesNotExist

from tools.paths import ROOT

TEMPLATES = ROOT / "templates"
OPTIONAL = frozenset(
    {
        # Given where an include wants it, with a default in the template.
        *("width", "whole", "mark", "class"),
        # Given by allauth where a link no longer works.
        "token_fail",
    }
)
"""Names that a template may ask for in vain, each with the reason."""


@pytest.fixture
def failed_lookups(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[tuple[str, str]]]:
    """Record each (template, variable) that is looked up in vain while a template of ours renders.

    What is asked of None is no such case: the name was there, and had nothing to tell.
    """
    failed: set[tuple[str, str]] = set()
    rendering: list[str] = []
    render, resolve = Node.render_annotated, Variable._resolve_lookup  # type: ignore[attr-defined]  # private to Django

    def render_node(node: Node, context: Any) -> Any:
        rendering.append(str(getattr(node.origin, "name", "")))
        try:
            return render(node, context)
        finally:
            rendering.pop()

    def resolve_lookup(variable: Variable, context: Any) -> Any:
        try:
            return resolve(variable, context)
        except VariableDoesNotExist as failure:
            origin = Path(rendering[-1] if rendering else "")
            is_known = str(variable.var) in OPTIONAL or failure.params[1:] == (None,)
            if origin.is_relative_to(TEMPLATES) and not is_known:
                failed.add((str(origin.relative_to(TEMPLATES)), str(variable.var)))
            raise

    monkeypatch.setattr(Node, "render_annotated", render_node)
    monkeypatch.setattr(Variable, "_resolve_lookup", resolve_lookup)
    yield failed
    assert not failed, "templates ask for what their context does not have"
