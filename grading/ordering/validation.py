"""What keeps a question of an order from being published, each problem at its field."""

from collections.abc import Iterator

from grading.contract import Problem, check_scoring_method
from grading.json_types import Content, Key
from grading.lower_bound import read_lower_bound
from grading.ordering.scoring_methods import PENALIZING
from grading.ordering.structure import (
    ITEMS,
    ORDER,
    PENALTY,
    parse_content,
    parse_ids,
    read_penalty,
)

MINIMUM = 2


def validate(
    content: Content, key: Key, method: str, *, methods: tuple[str, ...]
) -> tuple[Problem, ...]:
    """Return all problems."""
    ids, content_problems = parse_content(content)
    return (
        *content_problems,
        *_count(ids),
        *_order(ids, key),
        *check_scoring_method(method, methods),
        *_check_costs(content, method),
    )


def _check_costs(content: Content, method: str) -> list[Problem]:
    problems: list[Problem] = []
    read_lower_bound(content, problems)
    if read_penalty(content, problems) and method not in PENALIZING:
        problems.append(Problem(PENALTY.name, "penalty_unused", {"scoring_method": method}))
    return problems


def _count(ids: tuple[str, ...]) -> Iterator[Problem]:
    if len(ids) < MINIMUM:
        yield Problem(ITEMS, "too_few_items", {"minimum": MINIMUM, "found": len(ids)})


def _order(ids: tuple[str, ...], key: Key) -> Iterator[Problem]:
    order = parse_ids(key.get(ORDER))
    if order is None:
        yield Problem("key", "order_is_no_order", {})
        return
    for id_ in sorted(set(order) - set(ids)):
        yield Problem("key", "unknown_item", {"item": id_})
    for id_ in ids:
        if id_ not in order:
            yield Problem(f"{ITEMS}.{id_}", "not_in_order", {})
