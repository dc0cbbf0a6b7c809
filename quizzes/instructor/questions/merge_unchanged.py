"""Keeping a draft as it old written wherever nothing changed: no edit, no difference. Pure."""

from collections.abc import Mapping
from typing import Any


def merge_unchanged(
    new: Mapping[str, Any], old: Mapping[str, Any], raw: Mapping[str, Any]
) -> dict[str, Any]:
    """Return `new`; what is the same in it as in `old` stands as `raw` has it.

    `old` is what `raw` reads as: `raw` may leave defaults out, and hold what no page shows.
    """
    if raw and new == old:
        return dict(raw)
    unchanged = {name: value for name, value in raw.items() if new.get(name) == old.get(name)}
    changed = {
        name: _merge_rows(value, old.get(name), raw.get(name)) for name, value in new.items()
    }
    return changed | unchanged


def _merge_rows(new: Any, old: Any, raw: Any) -> Any:
    """Do the same within a list of rows, each found again by its id."""
    if not (isinstance(new, list) and isinstance(old, list) and isinstance(raw, list)):
        return new
    before, written = _index_by_id(old), _index_by_id(raw)
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
