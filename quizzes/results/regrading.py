"""Committing a regrade: a rule of the quiz, and in the background a grading that reads it (ADR 38).

A result says how many rules were applied to it. Whatever has read fewer than there are is taken by
the next run, whether a run was broken off or the attempt was graded while the rule was written.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from functools import partial
from typing import Final, NamedTuple
from uuid import UUID

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Max, QuerySet

from accounts.models import User
from grading.kinds import KINDS
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.models import Question
from quizzes.bank.selectors import load_keys_and_feedback
from quizzes.lib import steady_clock
from quizzes.lib.errors import Conflict, Invalid, Refused
from quizzes.lib.shared_batches import share_batches
from quizzes.publishing.models import Quiz
from quizzes.results.models import (
    RegradeAction,
    RegradePolicy,
    RegradeRule,
    Result,
)
from quizzes.results.regrade_access import check_may_regrade
from quizzes.results.regrade_batches import apply_rules
from quizzes.results.regrade_preview import ProposedRule, list_concerned_results
from quizzes.results.regrade_rules import POLICIES, is_worth, list_in_force
from quizzes.results.slot_scores import SlotScores

log = logging.getLogger(__name__)

LONGEST_REASON: Final = 1_000
BATCH: Final = 100
"""How many attempts a transaction regrades: so long do learners who hand in again wait for it."""
BEHIND_OTHERS: Final = frozenset({"55P03", "40P01"})
"""PostgreSQL's codes: a lock was waited for too long; a deadlock was broken."""


@transaction.atomic
def commit_regrade(  # noqa: PLR0913  what a rule is made of
    *,
    quiz: Quiz,
    question: Question,
    version: UUID,
    policy: RegradePolicy,
    reason: str,
    by: User,
    now: datetime,
    action: RegradeAction = RegradeAction.KEY,
    reverts: int | None = None,
    points: Fraction | None = None,
    scoring_method: str = "",
) -> RegradeRule:
    """Write the rule that answers to older versions of a question earn what its newest key says.

    Or, by `action` and whatever its version, that the question is dropped, earns full credit, is a
    bonus, is worth `points`, is scored by `scoring_method`, or that the rule with the number
    `reverts` is left out: Refused if that cannot be. A policy, points or a method that is none of
    the action: Invalid.

    `version` is the one that was previewed: Conflict if there is a newer one. Asked for again, it
    is the rule that is there. Attempts are regraded by `continue_regrades`. Who does not teach
    the class of the quiz, or may not see the key: NotFound. Never published, or no attempt by an
    older version: Refused. No reason, or too long a one: Invalid.
    """
    # Numbers are given one after the other; attempts of the quiz may begin meanwhile.
    locked = Quiz.objects.select_for_update(no_key=True).get(pk=quiz.pk)
    check_may_regrade(by, locked, question)
    reason = check_reason(reason)
    current = Question.objects.select_related("current").get(pk=question.pk).current
    if current is None:
        raise Refused("not_published")
    if current.uuid != version:
        raise Conflict("changed_meanwhile")
    rules = RegradeRule.objects.filter(quiz=locked)
    of_question = rules.filter(version__question=question).order_by("-number").first()
    proposed = (current.pk, policy, action, reverts, points, scoring_method)
    if of_question and proposed == (
        of_question.version_id,
        of_question.policy,
        of_question.action,
        of_question.reverts,
        of_question.points,
        of_question.scoring_method,
    ):
        return of_question
    check_rule(
        quiz=locked,
        question=question,
        proposed=ProposedRule((policy,), action, reverts, points, scoring_method),
    )
    if not list_concerned_results(locked, question, action).exists():
        raise Refused("nothing_to_regrade")
    rule = RegradeRule.objects.create(
        quiz=locked,
        number=(rules.aggregate(last=Max("number"))["last"] or 0) + 1,
        version=current,
        action=action,
        policy=policy,
        reverts=reverts,
        points_numerator=None if points is None else points.numerator,
        points_denominator=None if points is None else points.denominator,
        scoring_method=scoring_method,
        reason=reason,
        by=by,
        committed_at=now,
    )
    record(
        AuditCode.REGRADE_COMMITTED,
        about=locked,
        group=locked.group_id,
        by=by,
        after={
            "rule": rule.number,
            "question": question.name,
            "version": current.number,
            "policy": rule.policy,
            "action": rule.action,
            "reverts": rule.reverts,
            "points_numerator": rule.points_numerator,
            "points_denominator": rule.points_denominator,
            "scoring_method": scoring_method,
            "reason": reason,
        },
    )
    return rule


def check_rule(
    *,
    quiz: Quiz,
    question: Question,
    proposed: ProposedRule,
) -> None:
    """Refuse a policy, points or a scoring method that is none of the action; or such a revert."""
    action = RegradeAction(proposed.action)
    if not set(proposed.policies) <= set(POLICIES[action]):
        raise Invalid("policy_unknown", where="policy")
    if (action == RegradeAction.REVERT) != (proposed.reverts is not None):
        raise Invalid("reverts_unknown", where="reverts")
    points = proposed.points
    if not (is_worth(points) if action == RegradeAction.POINTS else points is None):
        raise Invalid("points_unknown", where="points")
    methods = list_scoring_methods(question) if action == RegradeAction.METHOD else ("",)
    if proposed.scoring_method not in methods:
        raise Invalid("scoring_method_unknown", where="scoring_method")
    if proposed.reverts is not None:
        _check_revertible(quiz, question, proposed.reverts)


def list_scoring_methods(question: Question) -> tuple[str, ...]:
    """Return the methods by which the newest version of a question can be scored, if several."""
    version = question.current
    if version is None or not has_scoring_methods(question):
        return ()
    kind, key = KINDS[version.kind], load_keys_and_feedback([version.uuid])[version.uuid].key
    methods = kind.scoring_methods
    return tuple(name for name in methods if not kind.validate(version.content, key, name))


def has_scoring_methods(question: Question) -> bool:
    """Return whether the kind of a question has several scoring methods."""
    version = question.current
    return version is not None and len(KINDS[version.kind].scoring_methods) > 1


def _check_revertible(quiz: Quiz, question: Question, number: int) -> None:
    """Refuse what is no rule about the question, reverts another itself, or is reverted."""
    rules = list(RegradeRule.objects.filter(quiz=quiz).select_related("version"))
    if not any(
        rule.number == number and rule.version.question_id == question.pk
        for rule in list_in_force(rules)
    ):
        raise Refused("nothing_to_revert")


def check_reason(reason: str) -> str:
    """Return a reason as it is stored; none, or too long a one: Invalid."""
    text = reason.replace("\r\n", "\n").replace("\x00", "").strip()
    if not text:
        raise Invalid("reason_missing", where="reason")
    if len(text) > LONGEST_REASON:
        raise Invalid("reason_too_long", where="reason", maximum=LONGEST_REASON)
    return text


class RegradeRun(NamedTuple):
    """What a run did: results looked at, attempts that got another grading, and what failed."""

    looked_at: int = 0
    regraded: int = 0
    failed: int = 0


def continue_regrades(*, now: datetime, seconds: float = float("inf")) -> RegradeRun:
    """Apply the rules of all quizzes to the results that have read fewer; begin none after so long.

    Some attempts a transaction; where that fails, each in one of its own: what fails is tried again
    by the next run and holds up no other. Any number of processes may do it at once.
    """
    begun, runs = steady_clock.seconds(), list[RegradeRun]()
    last_numbers = RegradeRule.objects.order_by("quiz").values_list("quiz").annotate(Max("number"))
    for quiz, last in list(last_numbers):
        batches = _list_batches(list_waiting(quiz, last), until=begun + seconds)
        runs += share_batches(partial(_apply_batches, quiz, last, now), batches)
    return RegradeRun(*map(sum, zip(*runs, strict=True))) if runs else RegradeRun()


def _list_batches(waiting: QuerySet[Result], *, until: float) -> Iterator[list[int]]:
    """Yield the ids of waiting attempts, some at a time; none after that second."""
    after = 0
    while batch := list(
        waiting.filter(pk__gt=after).order_by("pk").values_list("pk", "attempt")[:BATCH]
    ):
        if steady_clock.seconds() >= until:
            return
        after = batch[-1][0]
        yield [attempt for _, attempt in batch]


def _apply_batches(quiz: int, last: int, now: datetime, batches: Iterator[list[int]]) -> RegradeRun:
    run, slot_scores = RegradeRun(), SlotScores()
    apply = partial(apply_rules, quiz=quiz, last=last, now=now, slot_scores=slot_scores)
    for attempts in batches:
        run = _apply_or_log(apply, attempts, run)
    return run


def list_waiting(quiz: int, last: int) -> QuerySet[Result]:
    """Return the results of a quiz to which fewer than so many rules were applied."""
    return Result.objects.filter(quiz=quiz, regrade_rules_applied__lt=last)


def _apply_or_log(
    apply: Callable[..., int], attempts: Sequence[int], run: RegradeRun
) -> RegradeRun:
    try:
        regraded = apply(attempts=attempts)
    except (OperationalError, InterfaceError) as error:
        if getattr(error.__cause__, "pgcode", None) not in BEHIND_OTHERS:
            raise  # the database does not answer
        log.warning("%d attempts wait behind others; the next run regrades them", len(attempts))
        return RegradeRun(run.looked_at + len(attempts), run.regraded, run.failed + len(attempts))
    except Exception:
        if len(attempts) > 1:
            for attempt in attempts:
                run = _apply_or_log(apply, [attempt], run)
            return run
        log.exception("attempt %s could not be regraded; the next run tries again", attempts[0])
        return RegradeRun(run.looked_at + 1, run.regraded, run.failed + 1)
    return RegradeRun(run.looked_at + len(attempts), run.regraded + regraded, run.failed)
