"""What somebody ticks of an import while it waits for a choice: kept in the job, page by page."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Final

from django.db import transaction

from quizzes.imports import import_reading, stored_plan
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.match_answers import MatchAnswers
from quizzes.imports.models import ImportJob, State
from quizzes.imports.stored_plan import StoredPlan
from quizzes.lib import clock
from quizzes.lib.errors import Conflict

INLINE_MAX_ITEMS: Final = 500
"""Items that are planned anew at once, in the request that asks for it."""


def selected_items(job: ImportJob, plan: StoredPlan) -> frozenset[int]:
    """Give the numbers of the items that are chosen as it stands."""
    return plan.selected_by_default if job.selected_items is None else frozenset(job.selected_items)


@contextmanager
def _locked_job(job: ImportJob) -> Iterator[ImportJob]:
    """Hold the row of an import that waits for a choice, and keep it; another: Conflict.

    One that is to be read anew is, if it is small, once nothing is held any more: others write
    meanwhile.
    """
    with transaction.atomic():
        locked = ImportJob.objects.select_for_update().get(pk=job.pk)
        if locked.state != State.READY:
            raise Conflict("import_is_not_waiting", state=locked.state)
        yield locked
        locked.save()
    if locked.state == State.READING and locked.total <= INLINE_MAX_ITEMS:
        import_reading.read_and_plan(pk=locked.pk, now=clock.now())


def select_items(*, job: ImportJob, on_page: Collection[int], ticked: Collection[int]) -> None:
    """Keep what was ticked among the items that somebody was shown; the others stay as they are."""
    with _locked_job(job) as locked:
        before = selected_items(locked, import_reading.load_plan(locked))
        locked.selected_items = sorted(before.difference(on_page).union(ticked))


def select_all(*, job: ImportJob, action: ImportAction, selected: bool) -> None:
    """Choose every item of a sort, shown or not, or none of them."""
    with _locked_job(job) as locked:
        plan = import_reading.load_plan(locked)
        every = {number for number, entry in enumerate(plan.entries) if entry.action == action}
        chosen = selected_items(locked, plan)
        locked.selected_items = sorted(chosen | every if selected else chosen - every)


def import_as_new(*, job: ImportJob, number: int, as_new: bool) -> None:
    """Take an item for another question than the bank's of its name, or for that one after all.

    It is planned anew: at once, or for a large file by `arriving.look`.
    """
    with _locked_job(job) as locked:
        chosen = selected_items(locked, import_reading.load_plan(locked))
        before = frozenset(locked.as_new or ())
        locked.as_new = sorted(before | {number} if as_new else before - {number}) or None
        locked.selected_items = sorted(chosen | {number} if as_new else chosen - {number})
        _plan(locked)


def answer_match(*, job: ImportJob, number: int, same: bool | None) -> None:
    """Say of an item whether it is the question that was proposed; None: leave that open.

    One that is, is chosen. It is planned anew, as with `name_anew`.
    """
    with _locked_job(job) as locked:
        plan = import_reading.load_plan(locked)
        (detail,) = (
            stored_plan.load_items(locked, plan, [number])
            if number < len(plan.entries)
            else (None,)
        )
        if detail is None or detail.planned.match is None:
            return
        answers = MatchAnswers.from_json(locked.match_answers or {})
        accepted, rejected = dict(answers.accepted), dict(answers.rejected)
        for numbers in (accepted, rejected):
            numbers.pop(number, None)
        if same is not None:
            (accepted if same else rejected)[number] = detail.planned.match.name
        locked.match_answers = MatchAnswers(accepted, rejected).to_json()
        locked.selected_items = sorted(selected_items(locked, plan) | {number})
        _plan(locked)


def accept_matches(*, job: ImportJob, min_confidence: float) -> None:
    """Take every twin that is at least this sure, 0 to 1, where nothing but words is at stake."""
    with _locked_job(job) as locked:
        plan = import_reading.load_plan(locked)
        answers = MatchAnswers.from_json(locked.match_answers or {})
        sure = [
            number
            for number, entry in enumerate(plan.entries)
            if entry.confidence >= min_confidence
        ]
        accepted = dict(answers.accepted)
        for stored_item in stored_plan.load_items(
            locked, plan, sorted(set(sure) - set(answers.rejected))
        ):
            if stored_item.planned.match:
                accepted[stored_item.planned.number] = stored_item.planned.match.name
        locked.match_answers = MatchAnswers(accepted, answers.rejected).to_json()
        locked.selected_items = sorted(selected_items(locked, plan) | accepted.keys())
        _plan(locked)


def _plan(locked: ImportJob) -> None:
    """Have it planned anew: at once or, if it is large, soon."""
    locked.state, locked.report, locked.tries = State.READING, {}, 0
