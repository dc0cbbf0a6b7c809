"""Keeping a draft as it was written wherever nothing changed: no edit, no difference. Pure."""

from collections.abc import Mapping
from typing import Any


def merge_unchanged(
    new: Mapping[str, Any], was: Mapping[str, Any], raw: Mapping[str, Any]
) -> dict[str, Any]:
    """Return `new`; what is the same in it as in `was` stands as `raw` has it.

    `was` is what `raw` reads as: `raw` may leave defaults out, and hold what no page shows.
    """
    if raw and new == was:
        return dict(raw)
    unchanged = {name: value for name, value in raw.items() if new.get(name) == was.get(name)}
    changed = {
        name: _merge_rows(value, was.get(name), raw.get(name)) for name, value in new.items()
    }
    return changed | unchanged


def _merge_rows(new: Any, was: Any, raw: Any) -> Any:
    """Do the same within a list of rows, each found again by its id."""
    if not (isinstance(new, list) and isinstance(was, list) and isinstance(raw, list)):
        return new
    before, written = _index_by_id(was), _index_by_id(raw)
    return [
        merge_unchanged(entry, before[entry["id"]], written[entry["id"]])
        if isinstance(entry, dict) and entry.get("id") in before.keys() & written.keys()
        else entry
        for entry in new
    ]


def _index_by_id(entries: list[Any]) -> dict[str, Mapping[str, Any]]:
    return {
        entry["id"]: entry
        for entry in entries
        if isinstance(entry, dict) and isinstance(entry.get("id"), str)
    }
