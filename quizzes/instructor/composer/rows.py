"""The rows of the composer as its form has them: one list of section headings and slots.

A slot belongs to the last heading before it. What was typed is kept as it was typed, so that a page
that is sent back shows it again.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.http import QueryDict

from quizzes.instructor.translated_field import language_names
from quizzes.lib.number_parsing import parse_count
from quizzes.publishing.composition import MAX_SLOTS, ComposedSection, ComposedSlot
from quizzes.publishing.models import Slot

MOST_ID = 2**31
MAX_TITLE = 200


@dataclass(frozen=True, slots=True)
class SectionRow:
    """A heading. `key` names its controls; `id` is 0 for a new one."""

    key: str
    id: int = 0
    title: Mapping[str, str] = field(default_factory=dict)
    is_removed: bool = False
    is_section = True


@dataclass(frozen=True, slots=True)
class SlotRow:
    """A question, or a draw; ids are 0 where there is none, numbers as they were typed."""

    key: str
    id: int = 0
    question: int = 0
    bank: int = 0
    tag: int = 0
    draw: str = "1"
    points: str = "1"
    is_removed: bool = False
    is_section = False

    def list_ids(self) -> list[tuple[str, int]]:
        """Return the names and values of the controls that nobody sees."""
        values = (
            ("id", self.id),
            ("question", self.question),
            ("bank", self.bank),
            ("tag", self.tag),
        )
        return [(name, pk) for name, pk in values if pk]


Row = SectionRow | SlotRow


def write_number(number: Decimal) -> str:
    """Return a number without the zeros that its column adds: 80, not 80.0000 nor 8E+1."""
    return f"{number.normalize():f}"


def list_stored_rows(sections: Sequence[ComposedSection]) -> list[Row]:
    """Return the rows of a stored composition."""
    rows: list[Row] = []
    for section in sections:
        rows.append(SectionRow(f"s{section.id}", section.id or 0, section.title))
        rows.extend(
            SlotRow(
                key=f"r{slot.id}",
                id=slot.id or 0,
                question=slot.question or 0,
                bank=slot.bank or 0,
                tag=slot.tag or 0,
                draw=str(slot.draw),
                points=write_number(slot.points),
            )
            for slot in section.slots
        )
    return rows


def read_rows(post: QueryDict) -> list[Row]:
    """Return the rows of a form, in the order of its page; those moved by their list of sections.

    What is no row of a form of ours is left out.
    """
    removed = frozenset(post.getlist("remove"))
    keys = list(dict.fromkeys(post.getlist("row")))[: 2 * MAX_SLOTS]
    rows = [row for key in keys if (row := _read_row(post, key, key in removed))]
    sections = {section.key: section for section in rows if section.is_section}
    for key in keys:
        target = post.get(f"{key}-to", "")
        if target in sections and find_section(rows, key) != target:
            rows = move_to_section(rows, key, target)
    return rows


def _read_row(post: QueryDict, key: str, is_removed: bool) -> Row | None:
    def read_id(name: str) -> int:
        return parse_count(post.get(f"{key}-{name}", ""), maximum=MOST_ID)

    if f"{key}-title_{next(iter(language_names()))}" in post:
        title = {code: post.get(f"{key}-title_{code}", "") for code in language_names()}
        words = {code: text.strip()[:MAX_TITLE] for code, text in title.items() if text.strip()}
        return SectionRow(key, read_id("id"), words, is_removed)
    if f"{key}-points" not in post:
        return None
    row = SlotRow(
        key,
        read_id("id"),
        question=read_id("question"),
        bank=read_id("bank"),
        tag=read_id("tag"),
        draw=post.get(f"{key}-draw", "1").strip()[:20],
        points=post.get(f"{key}-points", "").strip()[:20],
        is_removed=is_removed,
    )
    return row if bool(row.question) != bool(row.bank) else None


def _split_blocks(rows: Sequence[Row]) -> list[list[Row]]:
    """Return the rows section by section, each with its heading; the first may have none."""
    blocks: list[list[Row]] = [[]]
    for row in rows:
        if row.is_section:
            blocks.append([])
        blocks[-1].append(row)
    return [block for block in blocks if block]


def find_section(rows: Sequence[Row], key: str) -> str:
    """Return the key of the heading that a row stands under; "" under none."""
    heading = ""
    for row in rows:
        if row.is_section:
            heading = row.key
        if row.key == key:
            return heading
    return heading


def list_sections(rows: Sequence[Row]) -> list[SectionRow]:
    """Return the headings that stay."""
    return [row for row in rows if isinstance(row, SectionRow) and not row.is_removed]


def move_row(rows: Sequence[Row], key: str, step: int) -> list[Row]:
    """Move a row one place up (-1) or down (1); a heading takes its section along."""
    moving = next((row for row in rows if row.key == key), None)
    if moving is None:
        return list(rows)
    blocks = _split_blocks(rows) if moving.is_section else [[row] for row in rows]
    place = next(n for n, block in enumerate(blocks) if moving in block)
    target = place + step
    # Nothing stands above the first heading: what would be asked there has no section.
    is_top = not moving.is_section and target == 0 and blocks[0][0].is_section
    if 0 <= target < len(blocks) and not is_top:
        blocks[place], blocks[target] = blocks[target], blocks[place]
    return [row for block in blocks for row in block]


def move_to_section(rows: Sequence[Row], key: str, section: str) -> list[Row]:
    """Move a row to the end of another section."""
    moving = [row for row in rows if row.key == key and not row.is_section]
    return insert_rows([row for row in rows if row not in moving], moving, section)


def insert_rows(rows: Sequence[Row], more: Sequence[Row], section: str) -> list[Row]:
    """Add rows at the end of a section; of the last one if there is none of that key."""
    blocks = _split_blocks(rows) or [[]]
    block = next((block for block in blocks if block and block[0].key == section), blocks[-1])
    block.extend(more)
    return [row for block in blocks for row in block]


def copy_section(rows: Sequence[Row], key: str) -> tuple[list[Row], str]:
    """Put a copy of a section below it; return the rows, and the key of its heading, "" if none."""
    keys = iter_new_keys(rows)
    blocks = _split_blocks(rows)
    place = next((n for n, block in enumerate(blocks) if block[0].key == key), None)
    if place is None or not blocks[place][0].is_section or blocks[place][0].is_removed:
        return list(rows), ""
    copies: list[Row] = [replace(row, key=next(keys), id=0) for row in drop_removed(blocks[place])]
    blocks.insert(place + 1, copies)
    return [row for block in blocks for row in block], copies[0].key


def iter_new_keys(rows: Sequence[Row]) -> Iterator[str]:
    """Yield keys that no row has."""
    used = {row.key for row in rows}
    number = 0
    while True:
        number += 1
        if f"n{number}" not in used:
            yield f"n{number}"


def drop_removed(rows: Sequence[Row]) -> list[Row]:
    """Return the rows that stay."""
    return [row for row in rows if not row.is_removed]


def _read_number(name: str, text: str) -> Any:
    """Return a number as its column takes it, None for what it does not; a comma is a point."""
    column: Any = Slot._meta.get_field(name)
    try:
        return column.clean(text.replace(",", "."), None)
    except (ValidationError, ArithmeticError):
        return None


def find_errors(rows: Sequence[Row]) -> dict[str, frozenset[str]]:
    """Return which numbers of which rows make no sense: key → names of controls."""
    errors = {}
    for row in drop_removed(rows):
        if isinstance(row, SlotRow):
            names = {
                name
                for name in ("draw", "points")
                if _read_number(name, getattr(row, name)) is None
            }
            if names:
                errors[row.key] = frozenset(names)
    return errors


def build_slot(row: SlotRow) -> ComposedSlot:
    """Return the slot of a row; a number that makes no sense counts as one."""
    draw, points = _read_number("draw", row.draw), _read_number("points", row.points)
    return ComposedSlot(
        question=row.question or None,
        bank=row.bank or None,
        tag=row.tag or None,
        draw=1 if draw is None else draw,
        points=Decimal(1) if points is None else points,
        id=row.id or None,
    )


def build_sections(rows: Sequence[Row]) -> tuple[ComposedSection, ...]:
    """Return the composition that rows come to; slots above all headings get a section."""
    sections: list[ComposedSection] = []
    for row in drop_removed(rows):
        if isinstance(row, SectionRow):
            sections.append(ComposedSection(row.title, (), row.id or None))
            continue
        if not sections:
            sections.append(ComposedSection({}))
        sections[-1] = replace(sections[-1], slots=(*sections[-1].slots, build_slot(row)))
    return tuple(sections)
