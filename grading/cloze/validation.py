"""What keeps a text with gaps from being published, each problem at its gap or row."""

from collections.abc import Iterable, Iterator

from grading.choice.structure import parse_key
from grading.cloze.gap_kinds import GAP_KINDS
from grading.cloze.structure import (
    ACCEPTED,
    GAP_WEIGHTS,
    NUMBERS,
    OPTIONS,
    RULE_PARTS,
    TABLES,
    Gap,
    load_rows,
    parse_gaps,
)
from grading.contract import Problem, check_scoring_method
from grading.json_types import Content, Json, Key
from grading.lower_bound import read_lower_bound
from grading.short_text.schema import COMPARISON

WHOLE_GAP_PATHS = frozenset(
    {OPTIONS, ACCEPTED, NUMBERS, "key", *(field.name for field in COMPARISON)}
)
"""Where families put what is wrong with all their rows or their comparison: here, with one gap."""

GAP_CODES = {"nothing_right": "gap_without_right"}
"""What a family would say otherwise: a gap offers no 'none of these'."""


def validate(
    content: Content, key: Key, method: str, *, methods: tuple[str, ...]
) -> tuple[Problem, ...]:
    """Return all problems, each once."""
    gaps, gap_problems = parse_gaps(content)
    listed = {OPTIONS: content.get(OPTIONS, []), ACCEPTED: key.get(ACCEPTED, [])}
    listed[NUMBERS] = key.get(NUMBERS, [])
    return tuple(
        _deduplicate(
            (
                *gap_problems,
                *(
                    problem
                    for table, rows in listed.items()
                    for problem in _rows(table, rows, gaps)
                ),
                *_check_option_ids(listed[OPTIONS], key),
                *_check_lower_bound(content),
                *(problem for gap in gaps for problem in _gap(gap, content, key)),
                *check_scoring_method(method, methods),
                *_check_weights_used(key, method),
            )
        )
    )


def _deduplicate(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield each problem once: a problem of the whole key is found again in each gap."""
    unique: list[Problem] = []
    for problem in problems:
        if problem not in unique:
            unique.append(problem)
            yield problem


def _rows(table: str, listed: Json, gaps: tuple[Gap, ...]) -> Iterator[Problem]:
    if not isinstance(listed, list):
        yield Problem(table, "rows_are_no_list", {})
        return
    kinds, seen_ids = {gap.id: gap.kind for gap in gaps}, set[str]()
    for position, row in enumerate(listed):
        id_ = row.get("id") if isinstance(row, dict) else None
        if not isinstance(row, dict) or not isinstance(id_, str) or not id_:
            yield Problem(table, "row_without_id", {"position": position})
            continue
        yield from _row(table, id_, row.get("gap"), kinds)
        if id_ in seen_ids:
            yield Problem(f"{table}.{id_}", "duplicate_id", {})
        seen_ids.add(id_)


def _row(table: str, id_: str, gap: Json, kinds: dict[str, str]) -> Iterator[Problem]:
    where = f"{table}.{id_}"
    kind = kinds.get(gap) if isinstance(gap, str) else None
    if kind is None:
        yield Problem(where, "unknown_gap", {})
    elif TABLES.get(kind) != table:
        yield Problem(where, "gap_of_another_kind", {})
    if id_ in RULE_PARTS:
        yield Problem(where, "reserved_id", {})


def _check_lower_bound(content: Content) -> list[Problem]:
    problems: list[Problem] = []
    read_lower_bound(content, problems)
    return problems


def _check_weights_used(key: Key, method: str) -> Iterator[Problem]:
    if key.get("weights") and method != GAP_WEIGHTS:
        yield Problem("scoring_method", "weights_unused", {"scoring_method": method})


def _check_option_ids(options: Json, key: Key) -> Iterator[Problem]:
    """Check that the key names only options that exist; a text may have gaps without options."""
    solved, problems = parse_key({"right": key.get("right", []), "weights": key.get("weights", {})})
    yield from problems
    rows = options if isinstance(options, list) else ()
    ids = (row.get("id") for row in rows if isinstance(row, dict))
    option_ids = {id_ for id_ in ids if isinstance(id_, str)}
    for id_ in sorted(solved.right | solved.weights.keys()):
        if id_ not in option_ids:
            yield Problem("key", "unknown_option", {"option": id_})


def _gap(gap: Gap, content: Content, key: Key) -> Iterator[Problem]:
    family = GAP_KINDS.get(gap.kind)
    if family is None:
        return
    rows = load_rows(content, key)[gap.kind].get(gap.id, [])
    for problem in family.validate(*family.build_question(gap, rows, key)):
        if problem.code == "row_without_id":
            continue  # reported already, with its position in the whole table
        where = f"gaps.{gap.id}" if problem.where in WHOLE_GAP_PATHS else problem.where
        yield Problem(where, GAP_CODES.get(problem.code, problem.code), problem.detail)
