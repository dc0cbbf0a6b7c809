"""One change to many questions: first what it would do to each and what refuses it, then done."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from django.db import transaction
from django.db.models import F

from accounts.models import User
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank import services
from quizzes.bank.access import check_editor, editable_by
from quizzes.bank.models import Bank, Draft, Question, VersionMedia
from quizzes.bank.uploads import list_references
from quizzes.document import QuestionDocument


class BulkAction(StrEnum):
    """What is done to each question."""

    TAG = "tag"
    UNTAG = "untag"
    MOVE = "move"
    PUBLISH = "publish"
    RETIRE = "retire"


@dataclass(frozen=True, slots=True)
class BulkChange:
    """A change to many questions: `tag` to add or take away, `bank` to move them to."""

    action: BulkAction
    tag: str = ""
    bank: Bank | None = None


@dataclass(slots=True)
class BulkPlan:
    """What a change would do: the questions that change, those it says nothing new of, refusals."""

    changing: list[Question] = field(default_factory=list)
    unchanged: list[Question] = field(default_factory=list)
    refused: list[tuple[Question, str]] = field(default_factory=list)


def plan_bulk_change(
    change: BulkChange, questions: Iterable[Question], *, by: User | None
) -> BulkPlan:
    """Return what a change would do; a refusal has its code.

    The number of queries does not depend on how many they are, but for drafts that show files.
    """
    rows = list(
        Question.objects.filter(pk__in=[question.pk for question in questions])
        .select_related("bank", "current", "draft")
        .prefetch_related("tags", "merged_questions")
        .order_by("bank__slug", "name")
    )
    editable = None if by is None else set(editable_by(by).values_list("pk", flat=True))
    plan = BulkPlan()
    used_names = _list_names(change.bank)
    showing = set(
        VersionMedia.objects.filter(version__question__in=rows).values_list(
            "version__question", flat=True
        )
    )
    for question in rows:
        if editable is not None and question.bank_id not in editable:
            plan.refused.append((question, "not_editor"))
        elif _is_so_already(change, question):
            plan.unchanged.append(question)
        elif code := _find_refusal(change, question, used_names, showing):
            plan.refused.append((question, code))
        else:
            plan.changing.append(question)
            used_names = used_names | {question.name}
    return plan


def _list_names(bank: Bank | None) -> frozenset[str]:
    """Return the names that a bank has, which nothing that moves to it may have."""
    rows = Question.objects.filter(bank=bank) if bank else Question.objects.none()
    return frozenset(rows.values_list("name", flat=True))


def _is_so_already(change: BulkChange, question: Question) -> bool:
    names = {tag.name for tag in question.tags.all()}
    current = question.current
    return {
        BulkAction.TAG: change.tag in names,
        BulkAction.UNTAG: change.tag not in names,
        BulkAction.MOVE: change.bank is not None and question.bank_id == change.bank.pk,
        BulkAction.PUBLISH: current is not None
        and question.retired_at is None
        and current.digest == _read_draft(question).digest(),
        BulkAction.RETIRE: question.retired_at is not None,
    }[change.action]


def _find_refusal(
    change: BulkChange, question: Question, used_names: AbstractSet[str], showing: AbstractSet[int]
) -> str:
    """Return why a question cannot be changed so; "" if it can."""
    if change.action == BulkAction.PUBLISH:
        item = _read_draft(question)
        return (
            "has_problems"
            if services.find_publishing_problems(question=question, item=item)
            else ""
        )
    if change.action != BulkAction.MOVE:
        return ""
    if question.name in used_names:
        return "name_taken"
    if question.merged_into_id or question.merged_questions.all():
        return "merged"
    # A file belongs to its bank, and who may see it is asked of that bank.
    if question.pk in showing or any(list_references(_read_draft(question))):
        return "shows_files"
    return ""


def _read_draft(question: Question) -> QuestionDocument:
    return QuestionDocument.from_json(question.draft.data)


@transaction.atomic
def change_questions(
    *, change: BulkChange, questions: Sequence[Question], by: User | None, now: datetime
) -> BulkPlan:
    """Do a change to all that it can be done to, and return what was done.

    What was refused or is so already stays as it is. No editor of the bank to move to: NotFound.
    """
    if change.bank is not None:
        check_editor(by, change.bank)
    locked = Question.objects.select_for_update().filter(pk__in=[row.pk for row in questions])
    plan = plan_bulk_change(change, list(locked.order_by("pk")), by=by)
    for question in plan.changing:
        names = {tag.name for tag in question.tags.all()}
        if change.action == BulkAction.TAG:
            services.set_tags(question=question, names=sorted(names | {change.tag}), by=by)
        elif change.action == BulkAction.UNTAG:
            services.set_tags(question=question, names=sorted(names - {change.tag}), by=by)
        elif change.action == BulkAction.PUBLISH:
            services.publish(question=question, by=by, now=now)
        elif change.action == BulkAction.RETIRE:
            services.retire(question=question, by=by, now=now)
    if change.bank is not None and plan.changing:
        _move(plan.changing, change.bank, by)
    return plan


def _move(questions: Sequence[Question], bank: Bank, by: User | None) -> None:
    """Move questions to a bank; both banks have it in the audit log: others see the keys now."""
    pks = [question.pk for question in questions]
    Question.objects.filter(pk__in=pks).update(bank=bank)
    Draft.objects.filter(question__in=pks).update(revision=F("revision") + 1)
    names = sorted(question.name for question in questions)
    for source in {question.bank for question in questions}:
        moved = {"moved_to": bank.slug, "questions": names}
        record(AuditCode.BANK_CHANGED, about=source, group=source.group_id, by=by, after=moved)
    record(
        AuditCode.BANK_CHANGED,
        about=bank,
        group=bank.group_id,
        by=by,
        after={"moved_in": names},
    )
