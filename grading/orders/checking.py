"""What keeps a question of an order from being published, each problem at its field."""

from collections.abc import Iterator

from grading.contract import Content, Key, Problem
from grading.orders.structure import ITEMS, ORDER, ids_of, read_content

MINIMUM = 2


def check(
    content: Content, key: Key, scheme: str, *, schemes: tuple[str, ...]
) -> tuple[Problem, ...]:
    """Name all problems."""
    found, of_content = read_content(content)
    return (*of_content, *_count(found), *_order(found, key), *_scheme(scheme, schemes))


def _count(found: tuple[str, ...]) -> Iterator[Problem]:
    if len(found) < MINIMUM:
        yield Problem(ITEMS, "too_few_items", {"minimum": MINIMUM, "found": len(found)})


def _order(found: tuple[str, ...], key: Key) -> Iterator[Problem]:
    order = ids_of(key.get(ORDER))
    if order is None:
        yield Problem("key", "order_is_no_order", {})
        return
    for id_ in sorted(set(order) - set(found)):
        yield Problem("key", "unknown_item", {"item": id_})
    for id_ in found:
        if id_ not in order:
            yield Problem(f"{ITEMS}.{id_}", "not_in_order", {})


def _scheme(scheme: str, schemes: tuple[str, ...]) -> Iterator[Problem]:
    if scheme not in schemes:
        yield Problem("scheme", "unknown_scheme", {"scheme": scheme})
