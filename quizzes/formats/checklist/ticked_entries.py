"""Lists in which only what is right has a box: "- Porto", "- [x] Ebro", "- Nile". Pure."""

import re
from collections.abc import Iterator, Sequence

from quizzes.formats.parsing.labels import split_number, strip_label

_ENTRY = re.compile(r"(?P<lead>[ \t]{0,12}[-*+][ \t]{1,4})(?P<tick>\[[xX]\][ \t]+)?(?=\S)")
_EMPTY = re.compile(r"[ \t]{0,12}(?:[-*+]|\d{1,3}[.)])?[ \t]{0,4}[\[(] ?[\])](?:[ \t]|$)")
_FEWEST = 3
_FEWEST_LISTS = 2


def open_ticked_lists(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Give the other entries of such lists an empty box, where a page has several and no other.

    Each has one tick and stands right below words that ask or have the number of a question.
    """
    if not any("[x]" in line.lower() for line in lines) or any(map(_EMPTY.match, lines)):
        return
    ticked = [entries for entries in _find_lists(lines, code_lines) if _count_ticks(entries)]
    is_alike = all(_count_ticks(each) == 1 and len(each) >= _FEWEST for each in ticked)
    if len(ticked) < _FEWEST_LISTS or not is_alike:
        return
    if not all(_asks(lines, min(entries)) for entries in ticked):
        return
    for entries in ticked:
        for place, entry in entries.items():
            if not entry["tick"]:
                lead = entry["lead"]
                lines[place] = f"{lead}[ ] {lines[place][len(lead) :]}"


def _find_lists(
    lines: Sequence[str], code_lines: Sequence[bool]
) -> Iterator[dict[int, re.Match[str]]]:
    """Yield the entries that stand line below line with the same bullet, by their places."""
    entries: dict[int, re.Match[str]] = {}
    lead = ""
    for place, line in enumerate(lines):
        entry = None if code_lines[place] else _ENTRY.match(line)
        if entries and not (entry and entry["lead"] == lead):
            yield entries
            entries = {}
        if entry:
            entries[place], lead = entry, entry["lead"]
    if entries:
        yield entries


def _count_ticks(entries: dict[int, re.Match[str]]) -> int:
    return sum(entry["tick"] is not None for entry in entries.values())


def _asks(lines: Sequence[str], first: int) -> bool:
    """Return whether the words above a list ask, or have the number of a question."""
    above = next((line for line in reversed(lines[max(first - 2, 0) : first]) if line.strip()), "")
    is_counted = split_number(above) is not None or strip_label(above, heading=False) is not None
    return is_counted or above.rstrip(" *_`").endswith(("?", "？", ":", "：", "…", "..."))
