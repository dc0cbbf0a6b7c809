"""What a quiz is composed of, in plain values: sections, and in each its questions and draws."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from hashlib import sha256

from quizzes.publishing.models import Quiz, Section, Slot

MAX_SLOTS = 500
MAX_SECTIONS = 100


@dataclass(frozen=True, slots=True)
class ComposedSlot:
    """A question, or a draw from a bank (with a tag: of those that have it); ids of their rows.

    `id` is that of the stored slot, None of a new one.
    """

    question: int | None = None
    bank: int | None = None
    tag: int | None = None
    draw: int = 1
    points: Decimal = Decimal(1)
    id: int | None = None


@dataclass(frozen=True, slots=True)
class ComposedSection:
    """A section and its slots in their order; `id` is None of a new one."""

    title: Mapping[str, str]
    slots: tuple[ComposedSlot, ...] = ()
    id: int | None = None


def load_composition(quiz: Quiz) -> tuple[ComposedSection, ...]:
    """Return what the draft of a quiz is composed of; two queries."""
    slots: dict[int, list[ComposedSlot]] = {}
    for slot in Slot.objects.filter(section__quiz=quiz).order_by("position", "pk"):
        slots.setdefault(slot.section_id, []).append(
            ComposedSlot(
                question=slot.question_id,
                bank=slot.pool_bank_id,
                tag=slot.pool_tag_id,
                draw=slot.draw,
                points=slot.points,
                id=slot.pk,
            )
        )
    return tuple(
        ComposedSection(section.title, tuple(slots.get(section.pk, ())), section.pk)
        for section in Section.objects.filter(quiz=quiz).order_by("position", "pk")
    )


def locate_slots(sections: Sequence[ComposedSection]) -> dict[int, str]:
    """Return where each stored slot stands, by its id: `sections.0.slots.2`, as in JSON."""
    return {
        slot.id: f"sections.{section_number}.slots.{number}"
        for section_number, section in enumerate(sections)
        for number, slot in enumerate(section.slots)
        if slot.id is not None
    }


def reuse_ids(
    stored: Sequence[ComposedSection], sections: Sequence[ComposedSection]
) -> tuple[ComposedSection, ...]:
    """Return sections and slots that are to replace others, as those rows where they are the same.

    Sections are the same by their place, slots by what they ask.
    """
    free: dict[tuple[object, ...], list[int | None]] = {}
    for section in stored:
        for slot in section.slots:
            free.setdefault(_list_sources(slot), []).append(slot.id)
    places = [section.id for section in stored]
    return tuple(
        replace(
            section,
            id=places[place] if place < len(places) else None,
            slots=tuple(
                replace(slot, id=ids.pop(0) if (ids := free.get(_list_sources(slot))) else None)
                for slot in section.slots
            ),
        )
        for place, section in enumerate(sections)
    )


def _list_sources(slot: ComposedSlot) -> tuple[object, ...]:
    return (slot.question, slot.bank, slot.tag)


def compute_composition_digest(
    sections: Sequence[ComposedSection], enemies: Sequence[Sequence[int]] = ()
) -> str:
    """Return a fingerprint of a composition: of two authors at once the second is told."""
    rows: list[object] = [
        [section.id, dict(section.title), [_list_values(slot) for slot in section.slots]]
        for section in sections
    ]
    rows.extend(enemies)
    return sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:32]


def _list_values(slot: ComposedSlot) -> list[object]:
    return [slot.id, *_list_sources(slot), slot.draw, f"{slot.points.normalize():f}"]


def describe_slots(quiz: Quiz) -> list[str]:
    """Return the slots of a draft in their order, by section, as the audit log has them."""
    slots = Slot.objects.filter(section__quiz=quiz).order_by(
        "section__position", "section_id", "position", "pk"
    )
    numbers: dict[int, int] = {}
    described: list[str] = []
    for slot in slots.select_related("question", "pool_bank", "pool_tag"):
        section = numbers.setdefault(slot.section_id, len(numbers) + 1)
        described.append(f"{section}.{len(described) + 1} {slot} × {slot.points}")
    return described
