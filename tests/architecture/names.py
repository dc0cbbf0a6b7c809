"""Measures names and sizes of the code; `python -m tests.architecture.names` prints all figures."""

import ast
import io
import sys
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("accounts", "config", "grading", "quizzes")
TOPS = (*PRODUCT, "bench", "tools")
TESTS = ("tests",)

BANNED = frozenset(
    "asked found given held kept known laid made "
    "one said shown stood taken told wanted whole".split()
)
"""Variable names that say that something was done, and not what it is done to."""
VAGUE = frozenset("data element entry info item obj result value".split())
"""Variable names that are no improvement on these: their share may not rise."""
BANNED_MODULES = frozenset(
    """
    accepting advising aligning answering arranged arriving asking authored backoffice beat beside
    borrowed_words building by_hand camera caps caution chosen christened claiming claims comparing
    confirming crammed credits declared desk dialect dollars door drafting drawing drawings drawn
    entry_forms extending extents facts figures filled films floor floors gapped gate gates
    gathering guards habits headwords holding homes illustrating joining judging keeping kept
    kinship lay likeness listings lints look looking looks made making memory moments moulds
    none_apply opening outage outlook parcel persons picking planned prepare prepared pages_answers
    pages_chosen pages_gaps received receiving remarks room rooms saying sayings selected sending
    shares sheets sides sign_of_life site sniffing sounds sources speaking speech staleness standing
    standings suite taking telling ticker told truths twinning twins typed unfit uniting viewing
    waiting waving wire word wording words written
    """.split()
)
"""Names of modules and packages that nobody could guess the content from, or that mean two
things: each has a standard name now (docs/renamed.tsv)."""
PRESCRIBED = frozenset({"Command", "Media", "Meta", "Migration"})
"""Class names that Django asks for."""
FAMILIES = ("formats", "guessing", "kinds")
"""Folders of modules with the same role: one class name may stand in each of them."""


@dataclass(frozen=True)
class Module:
    """A module of the code, by its path from the root."""

    path: Path
    source: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    @cached_property
    def bound_names(self) -> list[str]:
        """Return each name that it binds, as often as it does."""
        return [name for name, _line in bindings(self.tree)]

    @cached_property
    def class_names(self) -> list[str]:
        return [node.name for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef)]

    @cached_property
    def code_line_count(self) -> int:
        return code_lines(self)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names that were chosen for it: its own and those of its folders."""
        return self.path.with_suffix("").parts

    @property
    def package(self) -> str:
        """Return the package that it is counted to: `grading`, `quizzes/bank`."""
        folders = self.path.parts[:-1]
        return "/".join(folders[: 2 if folders[0] == "quizzes" else 1])

    @property
    def place(self) -> str:
        """Return the module, or the family that it is one of many of."""
        folders = self.path.parts[:-1]
        for place, folder in enumerate(folders):
            if folder in FAMILIES:
                return "/".join(folders[: place + 1])
        if folders[0] == "grading" and len(folders) > 1:
            return "grading/*"  # a folder a family of kinds, each built alike
        return str(self.path)


def modules(root: Path = ROOT, tops: Iterable[str] = TOPS) -> list[Module]:
    """Return the modules of these folders, without migrations."""
    return [
        Module(path.relative_to(root), path.read_text(encoding="utf-8"))
        for top in tops
        for path in sorted((root / top).rglob("*.py"))
        if "migrations" not in path.parts
    ]


def bindings(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield each name that a module binds, and its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno


def banned_variables(code: Iterable[Module]) -> Counter[str]:
    """Return how many bindings of each package bear a banned name."""
    counts: Counter[str] = Counter()
    for module in code:
        counts[module.package] += sum(name in BANNED for name in module.bound_names)
    return +counts


def share_of_vague(code: Iterable[Module]) -> float:
    """Return the share of bindings that bear a vague name, in percent."""
    names = [name for module in code for name in module.bound_names]
    return 100 * sum(name in VAGUE for name in names) / len(names)


def banned_modules(code: Iterable[Module]) -> Counter[str]:
    """Return how many modules and packages bear each banned name."""
    paths = {module.path.with_suffix("") for module in code}
    paths |= {folder for path in paths for folder in path.parents}
    return Counter(path.name for path in paths if path.name in BANNED_MODULES)


def repeated_classes(code: Iterable[Module], most: int = 2) -> dict[str, list[str]]:
    """Return the class names of more than so many modules, each with where it stands."""
    places = defaultdict(set)
    for module in code:
        for name in {*module.class_names} - PRESCRIBED:
            places[name].add(module.place)
    return {name: sorted(where) for name, where in sorted(places.items()) if len(where) > most}


def code_lines(module: Module) -> int:
    """Return the number of lines without blank ones, comments and docstrings."""
    strings: set[int] = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            strings.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines: set[int] = set()
    silent = {
        *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE),
        *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
    }
    for token in tokenize.generate_tokens(io.StringIO(module.source).readline):
        if token.type not in silent:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - strings)


def lines_by_package(code: Iterable[Module]) -> Counter[str]:
    """Return the code lines of each package of the product."""
    counts: Counter[str] = Counter()
    for module in code:
        if module.path.parts[0] in PRODUCT:
            counts[module.package] += module.code_line_count
    return counts


def largest_share(lines: Counter[str]) -> float:
    """Return the share of the largest package, in percent."""
    return 100 * max(lines.values()) / lines.total()


def _table(title: str, rows: Iterable[tuple[object, object]]) -> Iterator[str]:
    yield f"\n{title}"
    yield from (f"  {name!s:<28} {figure!s:>10}" for name, figure in rows)


def report(code: list[Module], tests: list[Module]) -> Iterator[str]:
    """Yield the lines of a report with every figure."""
    lines = lines_by_package(code)
    yield from _table("banned variable names", banned_variables(code).most_common())
    yield from _table("banned in tests", banned_variables(tests).most_common())
    yield f"  {'share of vague names':<28} {share_of_vague(code):>8.2f} %"
    yield from _table("banned module names", sorted(banned_modules(code).items()))
    classes = repeated_classes(code)
    yield from _table(
        "class names in more than two modules", ((name, len(classes[name])) for name in classes)
    )
    yield from _table("code lines", [*lines.most_common(), ("all", lines.total())])
    yield f"  {'share of the largest':<28} {largest_share(lines):>8.2f} %"


if __name__ == "__main__":
    sys.stdout.writelines(f"{line}\n" for line in report(modules(), modules(tops=TESTS)))
