"""The gaps of a text and the rows that belong to each, read from JSON with what is wrong."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grading.contract import Problem
from grading.json_types import Content, Json, Key
from grading.parsing import RowReader, require_valid
from grading.short_text.schema import read_comparison

SINGLE_CHOICE, SHORT_TEXT, NUMERIC = "single_choice", "short_text", "numeric"
GAP_KIND_NAMES = (SINGLE_CHOICE, SHORT_TEXT, NUMERIC)
"""What may be asked for in a gap."""

GAP_WEIGHTS = "gap_weights"
"""The scoring method under which options of gaps have weights, and may cost points."""

OPTIONS, ACCEPTED, NUMBERS = "options", "accepted", "numbers"
TABLES: Mapping[str, str] = {SINGLE_CHOICE: OPTIONS, SHORT_TEXT: ACCEPTED, NUMERIC: NUMBERS}
"""In which table the rows of a kind of gap stand."""

MAX_GAPS = 100
MAX_POINTS = 1000
RULE_PARTS = frozenset({"all_or_nothing", "floor", "not_chosen"})
"""Names of the ledger's lines for rules: what no gap and no row may be called."""

_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,40}")

Row = Mapping[str, Json]
Rows = Sequence[Row]


@dataclass(frozen=True, slots=True)
class Gap:
    """One gap: what it asks for, and how much it counts beside the others.

    `comparison` has the sort of what is typed there, and what its author changed of the sort.
    """

    id: str
    placeholder: str
    kind: str
    points: int
    comparison: Content = field(default_factory=dict)


def load_gaps(content: Content) -> tuple[Gap, ...]:
    """Read content that has passed its check; else ValueError."""
    return require_valid(parse_gaps(content))


def parse_gaps(content: Content) -> tuple[tuple[Gap, ...], tuple[Problem, ...]]:
    """Read what can be read, and name what cannot."""
    listed = content.get("gaps")
    if not isinstance(listed, list) or not listed:
        return (), (Problem("gaps", "no_gaps", {}),)
    problems: list[Problem] = []
    all_gaps = tuple(_gaps(listed, problems))
    if len(listed) > MAX_GAPS:
        problems.append(Problem("gaps", "too_many_gaps", {"maximum": MAX_GAPS}))
    return all_gaps, tuple(problems)


def group_by_gap(listed: Json) -> dict[str, list[Row]]:
    """Sort the rows of a table by the gap that each is for; what names none is left out."""
    sorted_: dict[str, list[Row]] = {}
    for row in listed if isinstance(listed, list) else ():
        if isinstance(row, dict) and isinstance(row.get("gap"), str):
            sorted_.setdefault(row["gap"], []).append(row)
    return sorted_


def load_rows(content: Content, key: Key) -> dict[str, dict[str, list[Row]]]:
    """Return the rows of each kind of gap, by gap; with an empty key only what a taker may see."""
    sources = {OPTIONS: content, ACCEPTED: key, NUMBERS: key}
    return {kind: group_by_gap(sources[table].get(table)) for kind, table in TABLES.items()}


def _gaps(listed: Sequence[Json], problems: list[Problem]) -> Iterator[Gap]:
    placeholders: set[str] = set()
    for id_, fields in RowReader(problems, RULE_PARTS).read(listed, "gaps"):
        where = f"gaps.{id_}"
        if not _PLAIN.fullmatch(id_):  # an id is part of the path to an answer
            problems.append(Problem(where, "gap_id_not_plain", {}))
        placeholder = fields.get("placeholder")
        problems.extend(
            Problem(where, code, {}) for code in _placeholder_problems(placeholder, placeholders)
        )
        kind, points = _kind_and_points(fields, where, problems)
        comparison = read_comparison(fields) if kind == SHORT_TEXT else {}
        yield Gap(id_, str(placeholder), kind, points, comparison)


def _placeholder_problems(placeholder: Json, seen_placeholders: set[str]) -> Iterator[str]:
    if not isinstance(placeholder, str) or not _PLAIN.fullmatch(placeholder):
        yield "placeholder_not_plain"
    elif placeholder in seen_placeholders:
        yield "placeholder_twice"
    else:
        seen_placeholders.add(placeholder)


def _kind_and_points(fields: Row, where: str, problems: list[Problem]) -> tuple[str, int]:
    kind, points = fields.get("kind"), fields.get("points", 1)
    if not isinstance(kind, str) or kind not in GAP_KIND_NAMES:
        problems.append(Problem(where, "unknown_gap_kind", {}))
    if type(points) is not int or not 1 <= points <= MAX_POINTS:
        problems.append(Problem(where, "gap_points_out_of_range", {"maximum": MAX_POINTS}))
        points = 1
    return str(kind), points
