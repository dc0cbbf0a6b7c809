"""What names the code binds: variables and parameters, by package, read from the syntax tree."""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOPS = ("accounts", "bench", "config", "grading", "quizzes", "tools")

BANNED = frozenset(
    "asked found given held kept known laid made "
    "one said shown stood taken told wanted whole".split()
)
"""Words that say that something was done, and not what it is done to."""
VAGUE = frozenset("data element entry info item obj result value".split())
"""Words that are no improvement on these: their share may not rise."""


def sources() -> Iterator[Path]:
    """Yield the product's modules, without migrations."""
    for top in TOPS:
        for path in sorted((ROOT / top).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path


def package_of(path: Path) -> str:
    """Return the package whose names are counted together: `grading`, `quizzes/bank`."""
    folders = path.relative_to(ROOT).parts[:-1]
    return "/".join(folders[: 2 if folders[0] == "quizzes" else 1])


def bindings(source: str) -> Iterator[tuple[str, int]]:
    """Yield each name that a module binds, and its line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno


def banned_by_package() -> Counter[str]:
    """Return how many bindings of each package bear a banned name."""
    counts: Counter[str] = Counter()
    for path in sources():
        names = [name for name, _line in bindings(path.read_text(encoding="utf-8"))]
        counts[package_of(path)] += sum(name in BANNED for name in names)
    return counts
