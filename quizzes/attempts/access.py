"""Who may take a quiz, who may see an attempt, and what of the audit log."""

from uuid import UUID

from django.db.models import BigIntegerField, CharField, Exists, OuterRef, Q, QuerySet, UUIDField

from accounts.access import (
    UserOrAnonymous,
    groups_overseen,
    groups_taught,
    is_administrator,
    is_instructor,
    memberships_in_force,
)
from accounts.models import Group, User
from quizzes.attempts.models import Assignment, Attempt, QuizGrade
from quizzes.audit.models import AuditEvent
from quizzes.lib.prepared_query import PreparedQuery
from quizzes.publishing.models import OPEN_TO_ALL, Audience, Mode, PoolCandidate, Quiz

IN_USE = Q(current__isnull=False, retired_at__isnull=True)


def takeable_by(user: UserOrAnonymous) -> QuerySet[Quiz]:
    """Return the published quizzes this person may take: open to all, or assigned to their groups.

    Those who teach the group that owns a quiz may take it too, to see it as learners do.
    """
    if not user.is_authenticated:
        return Quiz.objects.none()
    if user.guest_since is not None:
        return open_to_anyone()
    return Quiz.objects.filter(takeable_condition(user))


def takeable_condition(user: User) -> Q:
    """Return the condition that a quiz is one of `takeable_by`, of somebody with an account."""
    condition = _given_to(user.pk)
    if is_administrator(user):
        condition |= Q(group__isnull=False)
    elif is_instructor(user):
        condition |= Q(group__in_array=groups_taught(user))
    return IN_USE & condition


def find_takeable(user: User, quiz: UUID | str) -> Quiz | None:
    """Return one of `takeable_by`, by id or short name, with its current quiz version, or None.

    Of a learner with an account it says whether they have a quiz grade: `has_quiz_grade`.
    """
    if user.guest_since is not None or is_instructor(user):
        takeable = takeable_by(user).select_related("current")
        return takeable.filter(**{"slug" if isinstance(quiz, str) else "uuid": quiz}).first()
    return (_TAKEABLE_BY_NAME if isinstance(quiz, str) else _TAKEABLE).first(quiz, user.pk)


def list_takeable(user: User) -> list[Quiz]:
    """Return `takeable_by` with their current quiz versions, by short name."""
    if user.guest_since is not None or is_instructor(user):
        return list(takeable_by(user).select_related("current").order_by("slug"))
    return _ALL_TAKEABLE.all(user.pk)


def takeable_by_learner(person: int) -> QuerySet[Quiz]:
    """Return `takeable_by` of somebody with an account who teaches nobody, by their key."""
    return _in_use().filter(_given_to(person))


def takeable_by_all_learners() -> QuerySet[Quiz]:
    """Return the published quizzes that everybody with an account may take."""
    return _in_use().filter(audience__in=OPEN_TO_ALL)


def takeable_by_some_learners() -> QuerySet[Quiz]:
    """Return the other published quizzes: those of classes."""
    return _in_use().exclude(audience__in=OPEN_TO_ALL)


def open_to_anyone() -> QuerySet[Quiz]:
    """Return the published quizzes that are taken without an account.

    None of a class, and none that shares a question with another graded quiz that is not open to
    anyone, or is of a class: guests are made at will, so whatever a result shows is public.
    """
    quiz = "item__quiz_version__quiz"
    graded = Q(**{f"{quiz}__mode": Mode.GRADED}) | Q(item__quiz_version__policies__mode=Mode.GRADED)
    of_class = Assignment.objects.filter(quiz=OuterRef(quiz)).order_by()
    elsewhere = PoolCandidate.objects.filter(
        graded,
        ~Q(**{f"{quiz}__audience": Audience.ANYONE}) | Exists(of_class),
        version__question=OuterRef("version__question"),
        **{f"{quiz}__retired_at": None},
    ).order_by()
    secret = PoolCandidate.objects.filter(
        Exists(elsewhere), item__quiz_version=OuterRef("current")
    ).order_by()
    assigned = Assignment.objects.filter(quiz=OuterRef("pk")).order_by()
    return _in_use().filter(
        ~Exists(secret),
        ~Exists(assigned),
        audience=Audience.ANYONE,
        current__policies__mode=Mode.GRADED,
    )


def _in_use() -> QuerySet[Quiz]:
    return Quiz.objects.filter(IN_USE)


def _given_to(person: int) -> Q:
    """Return the condition that a quiz is open to all, or given to a class of this person."""
    joined = memberships_in_force().filter(user=person)
    in_use = joined.filter(group__archived_at=None)
    assigned = Assignment.objects.filter(group__in=in_use.values("group_id")).values("quiz_id")
    return Q(audience__in=OPEN_TO_ALL) | Q(pk__in_array=assigned)


def _with_current(takeable: QuerySet[Quiz], person: int) -> QuerySet[Quiz]:
    started = QuizGrade.objects.filter(quiz=OuterRef("pk"), learner=person)
    return takeable.select_related("current").annotate(has_quiz_grade=Exists(started))


_TAKEABLE: PreparedQuery[Quiz] = PreparedQuery(
    lambda quiz, person: _with_current(takeable_by_learner(person).filter(uuid=quiz), person),
    UUIDField(),
    BigIntegerField(),
)
_TAKEABLE_BY_NAME: PreparedQuery[Quiz] = PreparedQuery(
    lambda slug, person: _with_current(takeable_by_learner(person).filter(slug=slug), person),
    CharField(),
    BigIntegerField(),
)
_ALL_TAKEABLE: PreparedQuery[Quiz] = PreparedQuery(
    lambda person: takeable_by_learner(person).select_related("current").order_by("slug"),
    BigIntegerField(),
)


def supervised_by(user: UserOrAnonymous) -> Q:
    """Return the condition on rows with `quiz` and `learner` that this person may oversee them.

    Either the quiz belongs to a group that they teach or assist in, or it was given to such a group
    and the learner is in that very group.
    """
    return _tied_to(user, groups_overseen(user))


def quizzes_overseen_by(user: UserOrAnonymous) -> QuerySet[Quiz]:
    """Return the quizzes at which this person oversees attempts, if there are any.

    Those of the groups that they teach or assist in, and those that are assigned to such a group.
    """
    return _quizzes_tied_to(user, groups_overseen(user))


def quizzes_managed_by(user: UserOrAnonymous) -> QuerySet[Quiz]:
    """Return the quizzes of groups that this person teaches, or that are assigned to such."""
    return _quizzes_tied_to(user, groups_taught(user))


def _quizzes_tied_to(user: UserOrAnonymous, groups: QuerySet[Group]) -> QuerySet[Quiz]:
    if is_administrator(user):
        return Quiz.objects.all()
    assigned = Assignment.objects.filter(group__in=groups).order_by().values("quiz")
    return Quiz.objects.filter(Q(group__in_array=groups) | Q(pk__in_array=assigned))


def managed_by(user: UserOrAnonymous) -> Q:
    """Return the condition on such rows that this person may void them: they teach there."""
    return _tied_to(user, groups_taught(user))


def _tied_to(user: UserOrAnonymous, groups: QuerySet[Group]) -> Q:
    if is_administrator(user):
        # Every row. The empty Q() would vanish when it is joined to another by "or".
        return Q(pk__isnull=False)
    own = Quiz.objects.filter(group__in=groups).order_by()
    assigned = Assignment.objects.filter(group__in=groups).order_by().values("quiz")
    in_group = memberships_in_force().filter(
        group__in=groups, group__assignments__quiz=OuterRef("quiz"), user=OuterRef("learner")
    )
    return Q(quiz__in_array=own) | Q(Exists(in_group), quiz__in_array=assigned)


def visible_to(user: UserOrAnonymous) -> QuerySet[Attempt]:
    """Return one's own attempts and those one oversees."""
    if not user.is_authenticated:
        return Attempt.objects.none()
    if is_administrator(user):
        return Attempt.objects.all()
    return Attempt.objects.filter(Q(learner=user) | supervised_by(user))


def may_see(user: UserOrAnonymous, attempt: Attempt) -> bool:
    """Return whether this person may see this attempt."""
    return visible_to(user).filter(pk=attempt.pk).exists()


def may_void(user: UserOrAnonymous, attempt: Attempt) -> bool:
    """Return whether this person may take this attempt out of the count: assistants may not."""
    return Attempt.objects.filter(managed_by(user), pk=attempt.pk).exists()


def audit_events_visible_to(user: UserOrAnonymous) -> QuerySet[AuditEvent]:
    """Return the audit events that this person may read.

    Administrators: all. Instructors: those of their classes, of the attempts that they oversee, and
    what they did themselves. Everybody else: what they did themselves.
    """
    if not user.is_authenticated:
        return AuditEvent.objects.none()
    if is_administrator(user):
        return AuditEvent.objects.all()
    visible = Q(actor=user.uuid)
    if is_instructor(user):
        overseen = Attempt.objects.filter(supervised_by(user))
        visible |= Q(group_pk__in_array=groups_taught(user).values("pk"))
        visible |= Q(subject_type="attempt", subject__in_array=overseen.values("uuid"))
    return AuditEvent.objects.filter(visible)


def may_see_origin(user: UserOrAnonymous, event: AuditEvent) -> bool:
    """Return whether this person may see from which address and browser something was done."""
    return is_administrator(user) or (user.is_authenticated and event.actor == user.uuid)
