"""The items and the order of a question, read from JSON together with what is wrong."""

from collections.abc import Iterator, Sequence

from grading.contract import Problem
from grading.json_types import Content, Json, Key

ITEMS = "items"
ORDER = "order"
RULE_PARTS = ("all_or_nothing", "distance")
"""Names of the ledger's lines for rules; what no item may be called."""


def load_items(content: Content) -> tuple[str, ...]:
    """Read content that has passed its check; else ValueError."""
    ids, problems = parse_content(content)
    if problems:
        raise ValueError(f"unchecked content: {problems[0].code} at {problems[0].where}")
    return ids


def load_order(key: Key) -> tuple[str, ...]:
    """Read a key that has passed its check; else ValueError."""
    order = parse_ids(key.get(ORDER))
    if order is None:
        raise ValueError("unchecked key: the order is no list of ids")
    return order


def parse_content(content: Content) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """Read the ids that can be read, and name what cannot.

    They come sorted: the order in which they are stored may tell nothing of the one looked for.
    """
    listed = content.get(ITEMS)
    if not isinstance(listed, list):
        return (), (Problem(ITEMS, "items_are_no_list", {}),)
    problems: list[Problem] = []
    return tuple(sorted(_ids(listed, problems))), tuple(problems)


def parse_ids(stored: Json) -> tuple[str, ...] | None:
    """Read a list of different ids; None for anything else."""
    if not isinstance(stored, list):
        return None
    ids = tuple(id_ for id_ in stored if isinstance(id_, str))
    return ids if len(set(ids)) == len(stored) else None


def _ids(listed: Sequence[Json], problems: list[Problem]) -> Iterator[str]:
    seen_ids: set[str] = set()
    for position, entry in enumerate(listed):
        id_ = entry.get("id") if isinstance(entry, dict) else None
        if not isinstance(id_, str) or not id_:
            problems.append(Problem(ITEMS, "row_without_id", {"position": position}))
            continue
        if id_ in seen_ids:
            problems.append(Problem(f"{ITEMS}.{id_}", "duplicate_id", {}))
        if id_ in RULE_PARTS:
            problems.append(Problem(f"{ITEMS}.{id_}", "reserved_id", {}))
        seen_ids.add(id_)
        yield id_
