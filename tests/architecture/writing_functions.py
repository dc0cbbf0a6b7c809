"""Which public functions write to the database for a person: found in the source, not by name."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

WRITES = frozenset(
    {
        *("save", "create", "update", "delete", "get_or_create", "update_or_create"),
        *("bulk_create", "bulk_update", "create_user", "set"),
    }
)
"""Methods of managers, query sets and rows that write. `set` is that of a many-to-many field."""


@dataclass(frozen=True)
class Function:
    """A function of a module: what it calls by dotted name, and whether it writes itself."""

    name: str
    people: tuple[str, ...]
    calls: frozenset[str]
    writes: bool


def find_writing_functions(sources: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the public functions that write and take a User: dotted name -> those parameters.

    `sources` are the modules by dotted name. What a function writes through another one of them
    counts as well, however many calls lie between.
    """
    functions = {
        function.name: function
        for module, source in sources.items()
        for function in _list_functions(module, ast.parse(source), frozenset(sources))
    }
    writing = {name for name, function in functions.items() if function.writes}
    while more := {
        name
        for name, function in functions.items()
        if name not in writing and function.calls & writing
    }:
        writing |= more
    return {
        name: functions[name].people
        for name in sorted(writing)
        if functions[name].people and not name.rpartition(".")[2].startswith("_")
    }


def read_sources(root: Path, packages: tuple[str, ...]) -> dict[str, str]:
    """Return the modules of these packages by dotted name, without migrations."""
    return {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): (
            path.read_text()
        )
        for package in packages
        for path in sorted((root / package.replace(".", "/")).rglob("*.py"))
        if "migrations" not in path.parts
    }


def _list_functions(module: str, tree: ast.Module, modules: frozenset[str]) -> Iterator[Function]:
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    names = {node.name: f"{module}.{node.name}" for node in functions}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    for function in functions:
        yield Function(
            names[function.name],
            tuple(_list_people(function)),
            frozenset(_list_calls(function, names, modules)),
            any(_is_write(part, names, modules) for part in ast.walk(function)),
        )


def _list_people(node: ast.FunctionDef) -> Iterator[str]:
    """Return the parameters that are a User."""
    arguments = node.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        annotation = argument.annotation
        if annotation is not None and any(
            isinstance(part, ast.Name) and part.id == "User" for part in ast.walk(annotation)
        ):
            yield argument.arg


def _list_calls(
    node: ast.FunctionDef, names: Mapping[str, str], modules: frozenset[str]
) -> Iterator[str]:
    """Return by dotted name what a function mentions: it may also hand a function on."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id in names:
            yield names[part.id]
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            module = names.get(part.value.id, "")
            if module in modules:
                yield f"{module}.{part.attr}"


def _is_write(node: ast.AST, names: Mapping[str, str], modules: frozenset[str]) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    owner = node.func.value
    is_module = isinstance(owner, ast.Name) and names.get(owner.id, "") in modules
    return node.func.attr in WRITES and not is_module
