"""The items and the order of a question, read from JSON together with what is wrong."""

from fractions import Fraction

from grading.contract import ZERO, Problem
from grading.json_types import Content, Json, Key, ratio_from_json
from grading.parsing import RowReader, require_valid
from grading.schema import Field, FieldType

ITEMS = "items"
ORDER = "order"
RULE_PARTS = ("all_or_nothing", "distance", "floor", "penalty")
"""Names of the ledger's lines for rules; what no item may be called."""

PENALTY = Field("penalty", FieldType.RATIO)
"""What each wrong part costs, as a share of what it would earn: from 0 to 1; without it 0."""


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


def read_penalty(content: Content, problems: list[Problem]) -> Fraction:
    """Return what a wrong part costs; anything but a ratio from 0 to 1 is a problem."""
    stored = content.get(PENALTY.name)
    if stored is None:
        return ZERO
    try:
        penalty = ratio_from_json(stored)
    except ValueError:
        problems.append(Problem(PENALTY.name, "penalty_is_no_ratio", {}))
        return ZERO
    if not 0 <= penalty <= 1:
        problems.append(Problem(PENALTY.name, "penalty_out_of_range", {}))
        return ZERO
    return penalty


def parse_ids(stored: Json) -> tuple[str, ...] | None:
    """Read a list of different ids; None for anything else."""
    if not isinstance(stored, list):
        return None
    ids = tuple(id_ for id_ in stored if isinstance(id_, str))
    return ids if len(set(ids)) == len(stored) else None
