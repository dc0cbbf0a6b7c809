"""Typing whatever comes to mind: what has nothing to do with the question should earn nothing."""

from collections.abc import Mapping

from grading.blind.figures import Blind, credit
from grading.contract import ZERO
from grading.json_types import Content, Json, Key

WHATEVER: Mapping[str, tuple[Json, ...]] = {
    "short_text": ({"text": "zzqx"}, {"text": "77 q, 3 j"}),
    "numeric": ({"typed": "0"}, {"typed": "-7919"}, {"typed": "104729000001"}),
}
"""What nobody would mean, by the kind that is asked."""


def blind(kind: str, content: Content, key: Key, method: str) -> Blind:
    """Return the least that any of the meaningless texts earns."""
    if kind == "short_text" and not takes_more(key.get("accepted")):
        return Blind(anything=ZERO)
    marks = (credit(kind, content, key, raw, method) for raw in WHATEVER[kind])
    return Blind(anything=min(mark or ZERO for mark in marks))


def takes_more(listed: Json) -> bool:
    """Return whether any of these accepted answers takes more than its own words."""
    rows = (row for row in (listed if isinstance(listed, list) else ()) if isinstance(row, dict))
    return any("*" in str(row.get("text")) or bool(row.get("pattern")) for row in rows)
