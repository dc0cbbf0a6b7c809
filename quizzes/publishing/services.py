"""Publishing quizzes: from the draft, with all its problems named, to a frozen quiz version."""

import json
from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import Max

from accounts.models import User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.events import services as events
from quizzes.lib.errors import Invalid
from quizzes.lib.short_names import refuse_taken
from quizzes.publishing.access import check_editor, check_owning_group
from quizzes.publishing.memorised_pass import MemorisedPass, check_memorised_pass
from quizzes.publishing.models import PoolCandidate, Quiz, QuizVersion, QuizVersionItem
from quizzes.publishing.planned_version import (
    PlannedVersionItem,
    build_draft_policies,
    plan_quiz_version,
    sum_points,
)


@transaction.atomic
def publish(
    *, quiz: Quiz, by: User | None, now: datetime, accepted_attempt: int | None = None
) -> QuizVersion:
    """Freeze the draft as the next quiz version; if nothing changed since the last one: that one.

    What was retired is in use again. Problems left in the draft: Invalid, with all of them;
    nothing is written. May not change it: NotFound. Memorising passes it for certain, sooner than
    in the attempt from which on its author accepts that: MemorisedPassUndecided. The site itself
    (`by` None) is asked only where it names an attempt.
    """
    # Not joined with `current`: whoever waited for the lock would get the quiz version of before.
    quiz = Quiz.objects.select_for_update().get(pk=quiz.pk)
    check_editor(by, quiz)
    planned, problems = plan_quiz_version(quiz)
    if problems:
        raise Invalid("draft_has_problems", quiz=quiz.slug, problems=problems)
    digest = _digest(quiz, planned)
    if quiz.current is not None and quiz.current.digest == digest:
        Quiz.objects.filter(pk=quiz.pk).update(retired_at=None)
        return quiz.current
    is_asked = by is not None or accepted_attempt is not None
    accepted = check_memorised_pass(quiz, planned, accepted_attempt) if is_asked else None
    quiz_version = _freeze(quiz, planned, digest, by, accepted)
    Quiz.objects.filter(pk=quiz.pk).update(current=quiz_version, retired_at=None)
    events.record(
        kind="quiz.published",
        subject=quiz.uuid,
        data={"quiz_version": str(quiz_version.uuid), "number": quiz_version.number},
        now=now,
    )
    before = {"version": quiz.current.number} if quiz.current else None
    after: dict[str, Any] = {"version": quiz_version.number}
    if accepted:
        after["memorised_pass_accepted"] = accepted.to_json()
    record(AuditCode.QUIZ_PUBLISHED, about=quiz, by=by, before=before, after=after)
    return quiz_version


def _frozen_fields(quiz: Quiz) -> dict[str, Any]:
    threshold = Fraction(quiz.pass_percent) / 100
    return {
        "title": quiz.title,
        "intro": quiz.intro,
        "source_language": quiz.source_language,
        "policies": build_draft_policies(quiz).to_json(),
        "pass_numerator": threshold.numerator,
        "pass_denominator": threshold.denominator,
    }


def _digest(quiz: Quiz, planned: Sequence[PlannedVersionItem]) -> str:
    places = [
        [
            planned_item.slot.section_id,
            planned_item.slot.section.title,
            planned_item.draw,
            str(planned_item.points),
        ]
        + [
            f"{version.uuid}{planned_item.enemies.find_set(version.question_id)}"
            for version in planned_item.versions
        ]
        for planned_item in planned
    ]
    payload = json.dumps([_frozen_fields(quiz), places], sort_keys=True, ensure_ascii=False)
    return sha256(payload.encode()).hexdigest()


def _freeze(
    quiz: Quiz,
    planned: Sequence[PlannedVersionItem],
    digest: str,
    by: User | None,
    accepted: MemorisedPass | None,
) -> QuizVersion:
    maximum = sum_points(planned)
    quiz_version = QuizVersion.objects.create(
        quiz=quiz,
        number=(quiz.versions.aggregate(last=Max("number"))["last"] or 0) + 1,
        question_count=sum(planned_item.draw for planned_item in planned),
        maximum_numerator=maximum.numerator,
        maximum_denominator=maximum.denominator,
        published_by=by,
        digest=digest,
        accepted_pass=accepted.to_json() if accepted else None,
        **_frozen_fields(quiz),
    )
    sections = list(dict.fromkeys(planned_item.slot.section_id for planned_item in planned))
    for position, planned_item in enumerate(planned):
        item = QuizVersionItem.objects.create(
            quiz_version=quiz_version,
            position=position,
            section=sections.index(planned_item.slot.section_id),
            section_title=planned_item.slot.section.title,
            draw=planned_item.draw,
            points_numerator=planned_item.points.numerator,
            points_denominator=planned_item.points.denominator,
        )
        PoolCandidate.objects.bulk_create(
            PoolCandidate(
                item=item,
                version=version,
                enemy_set=planned_item.enemies.find_set(version.question_id),
            )
            for version in planned_item.versions
        )
    return quiz_version


@transaction.atomic
def retire(*, quiz: Quiz, by: User | None, now: datetime) -> None:
    """Take a quiz out of use; its versions stay for the attempts that name them.

    May not change it: NotFound.
    """
    check_editor(by, quiz)
    if Quiz.objects.filter(pk=quiz.pk, retired_at=None).update(retired_at=now):
        record(AuditCode.QUIZ_RETIRED, about=quiz, by=by)


@transaction.atomic
def save_quiz(*, quiz: Quiz, by: User | None) -> None:
    """Save the draft of a quiz: its settings and times, and the class that owns it.

    May not change it as it is stored, or as it is to be: NotFound. Its short name is another
    quiz's, even if that was saved at the same moment: ShortNameTaken.
    """
    if by is not None:
        stored = Quiz.objects.select_for_update().filter(pk=quiz.pk).first()
        if stored is not None:
            check_editor(by, stored)
        check_owning_group(by, quiz)
    with refuse_taken(quiz):
        quiz.save()
