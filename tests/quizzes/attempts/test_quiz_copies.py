"""Copying a quiz: all of the draft, chosen windows moved, nothing of its attempts."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from quizzes.attempts.models import Accommodation, Assignment
from quizzes.attempts.quiz_copies import copy_quiz
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.bank.models import Tag
from quizzes.lib.errors import Invalid, NotFound
from quizzes.publishing import services as publishing
from quizzes.publishing.models import Quiz, Section, Slot
from tests.attempt_helpers import take_quiz
from tests.factories import NOW, create_bank

pytestmark = pytest.mark.django_db

MADRID = ZoneInfo("Europe/Madrid")
SETTINGS = [
    field.name
    for field in Quiz._meta.concrete_fields
    if field.editable and field.name not in ("id", "slug", "opens_at", "closes_at")
]
CONTENT = ("section__position", "section__title", "position", "question", "pool_bank", "pool_tag")


def copied(quiz: Quiz, users, **changes) -> Quiz:
    defaults: dict[str, Any] = {"slug": "copy", "group": quiz.group, "days": 182, "zone": MADRID}
    defaults |= {"groups_by_assignment": {}, "by": users.instructor, "now": NOW}
    return copy_quiz(quiz=quiz, **{**defaults, **changes})


def describe_slots(quiz: Quiz) -> list[tuple[Any, ...]]:
    slots = Slot.objects.filter(section__quiz=quiz).order_by("section__position", "position", "pk")
    return list(slots.values_list(*CONTENT, "draw", "points"))


@pytest.fixture
def rich_quiz(a_quiz, users) -> Quiz:
    """A quiz with settings that are no defaults, two sections and a draw by tag."""
    Quiz.objects.filter(pk=a_quiz.pk).update(
        pass_percent=65,
        time_limit=45,
        max_attempts=4,
        reveal_key="never",
        shuffle_questions=True,
        intro={"en": "Hello"},
        opens_at=datetime(2027, 2, 1, 9, tzinfo=MADRID),
        closes_at=datetime(2027, 2, 1, 18, tzinfo=MADRID),
    )
    section = Section.objects.create(quiz=a_quiz, position=9, title={"en": "Draws"})
    Slot.objects.create(
        section=section,
        pool_bank=create_bank(users),
        pool_tag=Tag.objects.create(name="nccl"),
        draw=3,
        points="2.5",
    )
    return Quiz.objects.get(pk=a_quiz.pk)


def test_a_copy_has_every_setting_section_and_slot_and_is_a_draft(rich_quiz, users):
    copy = Quiz.objects.get(pk=copied(rich_quiz, users).pk)
    assert [getattr(copy, name) for name in SETTINGS] == [
        getattr(rich_quiz, name) for name in SETTINGS
    ]
    assert describe_slots(copy) == describe_slots(rich_quiz)
    assert len(describe_slots(copy)) == 4
    assert (copy.current, copy.retired_at, copy.slug) == (None, None, "copy")
    assert copy.uuid != rich_quiz.uuid


def test_the_dates_of_a_copy_keep_the_time_of_day_of_the_zone(rich_quiz, users):
    copy = copied(rich_quiz, users)
    assert copy.opens_at == datetime(2027, 8, 2, 9, tzinfo=MADRID)
    assert copy.closes_at == datetime(2027, 8, 2, 18, tzinfo=MADRID)


def test_attempts_accommodations_and_windows_not_chosen_are_not_copied(a_quiz, users):
    take_quiz(a_quiz, users.learner)
    Accommodation.objects.create(quiz=a_quiz, learner=users.learner, time_percent=150)
    copy = copied(a_quiz, users)
    assert not copy.attempts.exists()
    assert not copy.accommodations.exists()
    assert not copy.assignments.exists()


def test_a_chosen_window_moves_to_the_class_that_is_chosen_for_it(rich_quiz, users):
    assignment = rich_quiz.assignments.get()
    closes_at = datetime(2027, 2, 8, 18, tzinfo=MADRID)
    Assignment.objects.filter(pk=assignment.pk).update(closes_at=closes_at)
    assignment.refresh_from_db()
    copy = copied(rich_quiz, users, groups_by_assignment={assignment: users.group})
    window = copy.assignments.get()
    assert (window.group, window.opens_at) == (users.group, None)
    assert window.closes_at == datetime(2027, 8, 9, 18, tzinfo=MADRID)


def test_a_class_that_one_does_not_teach_gets_nothing_and_nothing_is_copied(rich_quiz, users):
    chosen = {rich_quiz.assignments.get(): users.other_group}
    with pytest.raises(NotFound):
        copied(rich_quiz, users, groups_by_assignment=chosen)
    with pytest.raises(NotFound):
        copied(rich_quiz, users, group=users.other_group)
    assert not Quiz.objects.filter(slug="copy").exists()


def test_a_window_of_another_quiz_is_not_copied_along(rich_quiz, users):
    other = Quiz.objects.create(slug="other", title={"en": "O"}, group=users.group)
    foreign = Assignment.objects.create(quiz=other, group=users.group)
    with pytest.raises(NotFound):
        copied(rich_quiz, users, groups_by_assignment={foreign: users.group})


def test_a_time_that_the_zone_does_not_have_is_refused_with_its_field(rich_quiz, users):
    assignment = rich_quiz.assignments.get()
    Assignment.objects.filter(pk=assignment.pk).update(
        closes_at=datetime(2027, 3, 27, 2, 30, tzinfo=MADRID)
    )
    assignment.refresh_from_db()
    with pytest.raises(Invalid) as refused:
        copied(rich_quiz, users, days=1, groups_by_assignment={assignment: users.group})
    assert refused.value.code == "time_does_not_exist"
    assert refused.value.detail["field"] == "closes_at"
    assert refused.value.detail["assignment"] == assignment.pk
    assert not Quiz.objects.filter(slug="copy").exists()


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"slug": "quiz"}, "slug_taken"),
        ({"days": 80_000}, "out_of_calendar"),
        ({"days": 9_999_999}, "out_of_calendar"),
    ],
)
def test_a_name_that_is_taken_and_a_date_out_of_the_calendar_are_refused(
    rich_quiz, users, changes, code
):
    Quiz.objects.filter(pk=rich_quiz.pk).update(slug="quiz")
    with pytest.raises(Invalid) as refused:
        copied(rich_quiz, users, **changes)
    assert refused.value.code == code


def test_one_class_cannot_have_two_windows(rich_quiz, users):
    second = Assignment.objects.create(quiz=rich_quiz, group=users.other_group)
    chosen = {rich_quiz.assignments.exclude(pk=second.pk).get(): users.group, second: users.group}
    with pytest.raises(Invalid) as refused:
        copied(rich_quiz, users, groups_by_assignment=chosen)
    assert refused.value.code == "class_twice"


def test_a_copy_is_recorded_and_can_be_published(rich_quiz, users, questions):
    Slot.objects.filter(section__quiz=rich_quiz, question=None).delete()
    copy = copied(rich_quiz, users, zone=UTC)
    event = AuditEvent.objects.filter(code=AuditCode.QUIZ_COPIED).get()
    assert (event.subject, event.after) == (copy.uuid, {"from": rich_quiz.slug, "days": 182})
    version = publishing.publish(
        quiz=copy, by=users.instructor, now=NOW + timedelta(days=1), accepted_attempt=1
    )
    assert version.number == 1
