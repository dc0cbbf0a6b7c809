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
    return plan.selected_by_default if job.chosen is None else frozenset(job.chosen)


@contextmanager
def _locked_job(job: ImportJob) -> Iterator[ImportJob]:
    """Hold the row of an import that waits for a choice, and keep it; another: Conflict.

    One that is to be read anew is, if it is small, once nothing is held any more: others write
    meanwhile.
    """
    with transaction.atomic():
        held = ImportJob.objects.select_for_update().get(pk=job.pk)
        if held.state != State.UPLOADED:
            raise Conflict("import_is_not_waiting", state=held.state)
        yield held
        held.save()
    if held.state == State.READING and held.total <= INLINE_MAX_ITEMS:
        import_reading.read_and_plan(pk=held.pk, now=clock.now())


def select_items(*, job: ImportJob, on_page: Collection[int], ticked: Collection[int]) -> None:
    """Keep what was ticked among the items that somebody was shown; the others stay as they are."""
    with _locked_job(job) as held:
        before = selected_items(held, import_reading.load_plan(held))
        held.chosen = sorted(before.difference(on_page).union(ticked))


def select_all(*, job: ImportJob, action: ImportAction, selected: bool) -> None:
    """Choose every item of a sort, shown or not, or none of them."""
    with _locked_job(job) as held:
        plan = import_reading.load_plan(held)
        every = {number for number, one in enumerate(plan.entries) if one.action == action}
        chosen = selected_items(held, plan)
        held.chosen = sorted(chosen | every if selected else chosen - every)


def import_as_new(*, job: ImportJob, number: int, as_new: bool) -> None:
    """Take an item for another question than the bank's of its name, or for that one after all.

    It is planned anew: at once, or for a large file by `arriving.look`.
    """
    with _locked_job(job) as held:
        chosen = selected_items(held, import_reading.load_plan(held))
        before = frozenset(held.anew or ())
        held.anew = sorted(before | {number} if as_new else before - {number}) or None
        held.chosen = sorted(chosen | {number} if as_new else chosen - {number})
        _plan(held)


def answer_match(*, job: ImportJob, number: int, same: bool | None) -> None:
    """Say of an item whether it is the question that was proposed; None: leave that open.

    One that is, is chosen. It is planned anew, as with `name_anew`.
    """
    with _locked_job(job) as held:
        plan = import_reading.load_plan(held)
        (detail,) = (
            stored_plan.load_items(held, plan, [number]) if number < len(plan.entries) else (None,)
        )
        if detail is None or detail.planned.match is None:
            return
        said = MatchAnswers.from_json(held.twins or {})
        taken, refused = dict(said.accepted), dict(said.rejected)
        for kept in (taken, refused):
            kept.pop(number, None)
        if same is not None:
            (taken if same else refused)[number] = detail.planned.match.name
        held.twins = MatchAnswers(taken, refused).to_json()
        held.chosen = sorted(selected_items(held, plan) | {number})
        _plan(held)


def accept_matches(*, job: ImportJob, min_confidence: float) -> None:
    """Take every twin that is at least this sure, 0 to 1, where nothing but words is at stake."""
    with _locked_job(job) as held:
        plan = import_reading.load_plan(held)
        said = MatchAnswers.from_json(held.twins or {})
        sure = [
            number for number, one in enumerate(plan.entries) if one.confidence >= min_confidence
        ]
        taken = dict(said.accepted)
        for one in stored_plan.load_items(held, plan, sorted(set(sure) - set(said.rejected))):
            if one.planned.match:
                taken[one.planned.number] = one.planned.match.name
        held.twins = MatchAnswers(taken, said.rejected).to_json()
        held.chosen = sorted(selected_items(held, plan) | taken.keys())
        _plan(held)


def _plan(held: ImportJob) -> None:
    """Have it planned anew: at once or, if it is large, soon."""
    held.state, held.report = State.READING, {}
