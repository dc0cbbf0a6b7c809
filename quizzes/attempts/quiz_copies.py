"""Copying a quiz, for the next term, say: its draft and chosen windows, with dates moved."""

from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.models import Group, User
from quizzes.attempts.deadline_settings import save_assignment
from quizzes.attempts.models import Assignment
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.base_models import check_calendar
from quizzes.lib.errors import Invalid, NotFound
from quizzes.lib.wall_time import move_days
from quizzes.publishing.access import check_editor
from quizzes.publishing.models import Quiz, Section, Slot
from quizzes.publishing.services import save_quiz

WINDOW = ("opens_at", "closes_at")
OWN_FIELDS = ("slug", "group")
"""What a copy does not take from its quiz."""


@transaction.atomic
def copy_quiz(  # noqa: PLR0913  what a copy is made by
    *,
    quiz: Quiz,
    slug: str,
    group: Group | None,
    days: int,
    zone: tzinfo,
    groups_by_assignment: Mapping[Assignment, Group],
    by: User | None,
    now: datetime,
) -> Quiz:
    """Copy a quiz as a draft: settings, sections, slots, and these assignments, each for a class.

    Windows move by so many days and keep the wall time of the zone. A wall time that clocks never
    show or show twice, one out of all calendars, or a short name that is taken: Invalid; `field`
    and, of an assignment, `assignment` of its detail say where. May not change the quiz, or would
    not own the copy, or does not teach a class: NotFound. Nothing is copied then.
    """
    check_editor(by, quiz)
    if len(set(groups_by_assignment.values())) < len(groups_by_assignment):
        raise Invalid("class_twice", field="assignments")
    copy = Quiz(
        slug=slug,
        group=group,
        enemies=quiz.enemies,
        **_list_copied(quiz),
        **_move(quiz, days, zone),
    )
    save_quiz(quiz=copy, by=by)
    _copy_sections(quiz, copy)
    for assignment, to_group in groups_by_assignment.items():
        if assignment.quiz_id != quiz.pk:
            raise NotFound
        window = _move(assignment, days, zone, assignment=assignment.pk)
        save_assignment(assignment=Assignment(quiz=copy, group=to_group, **window), by=by, now=now)
    record(AuditCode.QUIZ_COPIED, about=copy, by=by, after={"from": quiz.slug, "days": days})
    return copy


def _list_copied(quiz: Quiz) -> dict[str, Any]:
    return {
        field.name: getattr(quiz, field.name)
        for field in Quiz._meta.concrete_fields
        if field.editable and not field.primary_key and field.name not in (*OWN_FIELDS, *WINDOW)
    }


def _move(
    row: Quiz | Assignment, days: int, zone: tzinfo, **place: int
) -> dict[str, datetime | None]:
    """Return the window of a row, moved; what cannot be moved is Invalid, with its field."""
    window: dict[str, datetime | None] = {}
    for field in WINDOW:
        moment: datetime | None = getattr(row, field)
        try:
            moved = None if moment is None else move_days(moment, days, zone)
            if moved is not None:
                check_calendar(moved)
        except Invalid as error:
            raise Invalid(error.code, field=field, **place, **error.detail) from error
        except (ValidationError, OverflowError) as error:
            raise Invalid("out_of_calendar", field=field, **place) from error
        window[field] = moved
    return window


def _copy_sections(quiz: Quiz, copy: Quiz) -> None:
    for section in Section.objects.filter(quiz=quiz).order_by("position", "pk"):
        section_copy = Section.objects.create(
            quiz=copy, position=section.position, title=section.title
        )
        Slot.objects.bulk_create(
            Slot(
                section=section_copy,
                **{
                    field.attname: getattr(slot, field.attname)
                    for field in Slot._meta.concrete_fields
                    if not field.primary_key and field.name != "section"
                },
            )
            for slot in section.slots.order_by("position", "pk")
        )
