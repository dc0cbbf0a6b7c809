"""Saving what a quiz is composed of: all its sections and slots at once, or nothing."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.models import User
from quizzes.attempts.key_access import (
    banks_whose_keys_are_visible_to,
    questions_whose_keys_are_visible_to,
)
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.models import Bank, Question
from quizzes.lib.errors import Conflict, Invalid, NotFound
from quizzes.publishing.access import check_editor
from quizzes.publishing.composition import (
    MAX_SECTIONS,
    MAX_SLOTS,
    ComposedSection,
    ComposedSlot,
    compute_composition_digest,
    describe_slots,
    load_composition,
)
from quizzes.publishing.enemies import merge_enemies
from quizzes.publishing.models import Quiz, Section, Slot

SOURCE_FIELDS = ("question", "pool_bank", "pool_tag", "section")


@transaction.atomic
def save_composition(
    *,
    quiz: Quiz,
    sections: Sequence[ComposedSection],
    digest: str | None,
    by: User | None,
    enemies: Sequence[Sequence[int]] | None = None,
) -> None:
    """Bring the draft of a quiz to these sections and slots, in this order.

    `enemies`: sets of ids of questions of which an attempt asks at most one; those that share a
    question become one set. None leaves them as they are.
    `digest` is that of the composition the author began from; if it is another one now: Conflict.
    None overwrites whatever stands. Too many, or numbers that make no sense: Invalid. May not
    change the quiz, or may not use a question or bank that is new in it: NotFound. Nothing is
    written then.
    """
    quiz = Quiz.objects.select_for_update().get(pk=quiz.pk)
    check_editor(by, quiz)
    stored = load_composition(quiz)
    if digest is not None and digest != compute_composition_digest(stored, quiz.enemies):
        raise Conflict("composition_changed", quiz=quiz.slug)
    _check_numbers(sections)
    merged = quiz.enemies if enemies is None else merge_enemies(enemies)
    if len(merged) > MAX_SLOTS or any(len(own) > MAX_SLOTS for own in merged):
        raise Invalid("too_many_slots", most=MAX_SLOTS)
    _check_sources(stored, sections, by)
    # Only here: who may name a question in a set may still not ask it.
    _check_sources(
        [*stored, _build_enemy_section(quiz.enemies)], [_build_enemy_section(merged)], by
    )
    before = _describe(quiz)
    _write(quiz, stored, sections)
    if merged != quiz.enemies:
        quiz.enemies = merged
        quiz.save(update_fields=["enemies"])
    after = _describe(quiz)
    if before != after:
        record(AuditCode.QUIZ_SLOTS_CHANGED, about=quiz, by=by, before=before, after=after)


def _build_enemy_section(enemies: Sequence[Sequence[int]]) -> ComposedSection:
    """Return the questions of sets as a section has them, for their rights to be checked alike."""
    questions = {question for own in enemies for question in own}
    return ComposedSection({}, tuple(ComposedSlot(question=question) for question in questions))


def _describe(quiz: Quiz) -> dict[str, Any]:
    """Return the slots of a draft, and which of its questions never come together, as audited."""
    names = dict(
        Question.objects.filter(pk__in=_list_questions(_build_enemy_section(quiz.enemies).slots))
        .order_by("pk")
        .values_list("pk", "name")
    )
    sets = [" | ".join(names[pk] for pk in own if pk in names) for own in quiz.enemies]
    return {"slots": describe_slots(quiz), **({"enemies": sets} if sets else {})}


def _list_slots(sections: Sequence[ComposedSection]) -> list[ComposedSlot]:
    return [slot for section in sections for slot in section.slots]


def _check_numbers(sections: Sequence[ComposedSection]) -> None:
    """Refuse what the columns do not hold: Invalid, with the number of the slot."""
    slots = _list_slots(sections)
    if len(slots) > MAX_SLOTS or len(sections) > MAX_SECTIONS:
        raise Invalid("too_many_slots", most=MAX_SLOTS)
    for number, slot in enumerate(slots):
        try:
            Slot(draw=slot.draw, points=slot.points).clean_fields(exclude=SOURCE_FIELDS)
        except ValidationError as error:
            raise Invalid("slot_invalid", slot=number, fields=sorted(error.error_dict)) from error
        if (slot.question is None) == (slot.bank is None) or (slot.tag and slot.question):
            raise Invalid("slot_invalid", slot=number, fields=["question"])


def _check_sources(
    stored: Sequence[ComposedSection], sections: Sequence[ComposedSection], by: User | None
) -> None:
    """Refuse a question or a bank that is new in the quiz and that this person may not use."""
    before, after = _list_slots(stored), _list_slots(sections)
    questions = _list_questions(after) - _list_questions(before)
    banks = _list_banks(after) - _list_banks(before)
    usable = Question.objects.all() if by is None else questions_whose_keys_are_visible_to(by)
    if questions and usable.filter(pk__in=questions, retired_at=None).count() != len(questions):
        raise NotFound
    visible = Bank.objects.all() if by is None else banks_whose_keys_are_visible_to(by)
    if banks and visible.filter(pk__in=banks).count() != len(banks):
        raise NotFound


def _list_questions(slots: Iterable[ComposedSlot]) -> set[int]:
    return {slot.question for slot in slots if slot.question is not None}


def _list_banks(slots: Sequence[ComposedSlot]) -> set[int]:
    return {slot.bank for slot in slots if slot.bank is not None}


def _write(
    quiz: Quiz, stored: Sequence[ComposedSection], sections: Sequence[ComposedSection]
) -> None:
    section_ids = {section.id for section in stored}
    slot_ids = {slot.id for slot in _list_slots(stored)}
    existing: list[Slot] = []
    fresh: list[Slot] = []
    remaining: list[int] = []
    for number, section in enumerate(sections, 1):
        row = Section(quiz=quiz, position=number, title=dict(section.title))
        row.pk = section.id if section.id in section_ids else None
        row.save()
        remaining.append(row.pk)
        for position, slot in enumerate(section.slots, 1):
            is_stored = slot.id in slot_ids
            (existing if is_stored else fresh).append(_build_slot(row, position, slot, is_stored))
    fields = ["section", "position", "question", "pool_bank", "pool_tag", "draw", "points"]
    Slot.objects.bulk_update(existing, fields)
    Slot.objects.filter(section__quiz=quiz).exclude(pk__in=[slot.pk for slot in existing]).delete()
    Slot.objects.bulk_create(fresh)
    Section.objects.filter(quiz=quiz).exclude(pk__in=remaining).delete()


def _build_slot(section: Section, position: int, slot: ComposedSlot, is_stored: bool) -> Slot:
    return Slot(
        pk=slot.id if is_stored else None,
        section=section,
        position=position,
        question_id=slot.question,
        pool_bank_id=slot.bank,
        pool_tag_id=slot.tag,
        draw=slot.draw,
        points=slot.points,
    )
