"""Who sees the keys of a bank, for pages, files, searches and programs alike (ADR 29).

Editors do, but not while a graded attempt of theirs is open that draws on the bank. Those with whom
a bank is shared for use do, unless they may take a quiz that draws on it as a learner. Where they
do not, nothing of the bank is shown. Nobody else does.
"""

from typing import Any, TypeGuard

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.access import (
    UserOrAnonymous,
    groups_overseen,
    groups_taught,
    is_administrator,
    memberships_in_force,
)
from accounts.models import Role, User
from quizzes.attempts.models import Assignment, Attempt, State
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.bank.access import editable_by, shared_with
from quizzes.bank.models import Bank, Question
from quizzes.publishing.models import OPEN_TO_ALL, PoolCandidate, Quiz

KEY_CODES = (
    AuditCode.KEYS_VIEWED,
    AuditCode.BANK_EXPORTED,
    AuditCode.BANK_IMPORTED,
    AuditCode.QUESTION_PUBLISHED,
)
"""What the audit log has of a person who has read keys of its subject, or written them."""


def banks_whose_keys_are_visible_to(user: UserOrAnonymous) -> QuerySet[Bank]:
    """Return the banks whose questions, keys and files this person may see."""
    shared = shared_with(user)
    return shared.filter(~_hidden(user)) if _may_learn(user) else shared


def questions_whose_keys_are_visible_to(user: UserOrAnonymous) -> QuerySet[Question]:
    """Return the questions of the banks whose keys this person may see."""
    return Question.objects.filter(bank__in=banks_whose_keys_are_visible_to(user))


def banks_hidden_from_taker(user: UserOrAnonymous) -> QuerySet[Bank]:
    """Return the banks that are shared with this person and hidden, as they may be asked them."""
    return shared_with(user).filter(_hidden(user)) if _may_learn(user) else Bank.objects.none()


def quizzes_hidden_from_taker(user: UserOrAnonymous) -> QuerySet[Quiz]:
    """Return the quizzes that share a bank with a graded attempt that this person has open.

    What shows their keys or how others answered is not shown meanwhile, whatever one oversees: a
    class and an assignment are soon made.
    """
    if not _may_learn(user):
        return Quiz.objects.none()
    candidates = PoolCandidate.objects.filter(
        item__quiz_version__in=_list_open(user).values("quiz_version")
    ).order_by()
    sharing = PoolCandidate.objects.filter(
        version__question__bank__in=candidates.values("version__question__bank")
    ).order_by()
    return Quiz.objects.filter(pk__in=sharing.values("item__quiz_version__quiz"))


def opened_keys_exist() -> Exists:
    """Return the condition, of people, that the audit log has a key that they opened or wrote."""
    return Exists(AuditEvent.objects.filter(actor=OuterRef("uuid"), code__in=KEY_CODES))


def can_see_answers(taker: User, quiz: Quiz, quiz_version: int, *, has_opened_keys: bool) -> bool:
    """Return whether an attempt that this person begins now is one of staff; one query at most.

    They see the keys of a bank that the quiz version draws on, or have opened or written them
    before, as the audit log says, or oversee attempts at the quiz. So who gives a right away, or
    every class, keeps the mark. `has_opened_keys`: of any quiz (StartInputs).
    """
    if is_administrator(taker):
        return True
    if taker.teaches is False and taker.assists is False and not has_opened_keys:
        return False
    overseen_groups = groups_overseen(taker).order_by().values("pk")
    assigned = Assignment.objects.filter(quiz=quiz, group__in=overseen_groups)
    candidates = PoolCandidate.objects.filter(
        item__quiz_version=quiz_version,
        version__question__bank__in=banks_whose_keys_are_visible_to(taker),
    )
    overseen = Q(group__in=overseen_groups) | Exists(assigned) | Exists(candidates)
    opened = Exists(_list_key_views(taker, quiz_version))
    return Quiz.objects.filter(overseen | opened, pk=quiz.pk).exists()


def _list_key_views(taker: User, quiz_version: int) -> QuerySet[AuditEvent]:
    """Return the events by which this person has read or written keys that it may ask for."""
    candidates = PoolCandidate.objects.filter(item__quiz_version=quiz_version).order_by()
    questions = candidates.values("version__question__uuid")
    banks = candidates.values("version__question__bank__uuid")
    # Statistics show the keys of a whole quiz: of this one, or of another that asks the same.
    asking = PoolCandidate.objects.filter(
        version__question__in=candidates.values("version__question")
    ).order_by()
    return AuditEvent.objects.filter(
        Q(subject_type="question", subject__in=questions)
        | Q(subject_type="quiz", subject__in=asking.values("item__quiz_version__quiz__uuid"))
        | Q(subject_type="bank", subject__in=banks),
        actor=taker.uuid,
        code__in=KEY_CODES,
    )


def _may_learn(user: UserOrAnonymous) -> TypeGuard[User]:
    """Return whether this person may take quizzes as a learner: administrators are always staff."""
    return user.is_authenticated and not is_administrator(user)


def _hidden(user: User) -> Q:
    """Return the condition that a bank is hidden from this person, who may be asked of it.

    From editors only while a graded attempt of theirs is open; from others as long as there is a
    quiz that draws on the bank which they may take as a learner.
    """
    current = _quizzes_given_to_learner(user).values("current")
    edited = Q(pk__in=editable_by(user).values("pk"))
    opened = _list_open(user).values("quiz_version")
    return _drawn_by(opened) | (_drawn_by(current) & ~edited)


def _list_open(user: User) -> QuerySet[Attempt]:
    """Return the open attempts of a person that count."""
    attempts = Attempt.objects.filter(learner=user, state=State.OPEN, is_staff_attempt=False)
    return attempts.order_by()


def _drawn_by(quiz_versions: QuerySet[Any, Any]) -> Q:
    """Return the condition that one of these quiz versions draws on a bank."""
    candidates = PoolCandidate.objects.filter(item__quiz_version__in_array=quiz_versions).order_by()
    return Q(pk__in=candidates.values("version__question__bank"))


def _quizzes_given_to_learner(user: User) -> QuerySet[Quiz]:
    """Return the quizzes in use that are given to this person, and that they do not teach."""
    learning = memberships_in_force().filter(user=user, role=Role.LEARNER, group__archived_at=None)
    assigned = Assignment.objects.filter(group__in=learning.values("group_id")).order_by()
    return (
        Quiz.objects.filter(
            Q(audience__in=OPEN_TO_ALL) | Q(pk__in_array=assigned.values("quiz_id")),
            current__isnull=False,
            retired_at__isnull=True,
        )
        .exclude(group__in=groups_taught(user))
        .order_by()
    )
