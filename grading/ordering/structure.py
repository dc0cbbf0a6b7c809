"""The items and the order of a question, read from JSON together with what is wrong."""

from grading.contract import Problem
from grading.json_types import Content, Json, Key
from grading.parsing import RowReader, require_valid

ITEMS = "items"
ORDER = "order"
RULE_PARTS = ("all_or_nothing", "distance")
"""Names of the ledger's lines for rules; what no item may be called."""


def load_items(content: Content) -> tuple[str, ...]:
    """Read content that has passed its check; else ValueError."""
    return require_valid(parse_content(content))


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
    problems: list[Problem] = []
    rows = RowReader(problems, RULE_PARTS, not_a_list="items_are_no_list")
    ids = sorted(id_ for id_, _ in rows.read(content.get(ITEMS), ITEMS))
    return tuple(ids), tuple(problems)


def parse_ids(stored: Json) -> tuple[str, ...] | None:
    """Read a list of different ids; None for anything else."""
    if not isinstance(stored, list):
        return None
    ids = tuple(id_ for id_ in stored if isinstance(id_, str))
    return ids if len(set(ids)) == len(stored) else None
