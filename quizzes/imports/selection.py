"""What somebody ticks of an import while it waits for a choice: kept in the job, page by page."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Final

from django.db import transaction

from quizzes.imports import import_reading, stored_plan
from quizzes.imports.import_plan.values import What
from quizzes.imports.match_answers import Answers
from quizzes.imports.models import ImportJob, State
from quizzes.imports.stored_plan import Outlook
from quizzes.lib import clock
from quizzes.lib.errors import Conflict

SMALL: Final = 500
"""Items that are planned anew at once, in the request that asks for it."""


def chosen_of(job: ImportJob, plan: Outlook) -> frozenset[int]:
    """Give the numbers of the items that are chosen as it stands."""
    return plan.usual if job.chosen is None else frozenset(job.chosen)


@contextmanager
def _choosing(job: ImportJob) -> Iterator[ImportJob]:
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
    if held.state == State.READING and held.total <= SMALL:
        import_reading.look(pk=held.pk, now=clock.now())


def pick(*, job: ImportJob, shown: Collection[int], ticked: Collection[int]) -> None:
    """Keep what was ticked among the items that somebody was shown; the others stay as they are."""
    with _choosing(job) as held:
        before = chosen_of(held, import_reading.outlook_of(held))
        held.chosen = sorted(before.difference(shown).union(ticked))


def pick_every(*, job: ImportJob, what: What, wanted: bool) -> None:
    """Choose every item of a sort, shown or not, or none of them."""
    with _choosing(job) as held:
        plan = import_reading.outlook_of(held)
        every = {number for number, one in enumerate(plan.entries) if one.what == what}
        chosen = chosen_of(held, plan)
        held.chosen = sorted(chosen | every if wanted else chosen - every)


def name_anew(*, job: ImportJob, number: int, anew: bool) -> None:
    """Take an item for another question than the bank's of its name, or for that one after all.

    It is planned anew: at once, or for a large file by `arriving.look`.
    """
    with _choosing(job) as held:
        chosen = chosen_of(held, import_reading.outlook_of(held))
        before = frozenset(held.anew or ())
        held.anew = sorted(before | {number} if anew else before - {number}) or None
        held.chosen = sorted(chosen | {number} if anew else chosen - {number})
        _plan(held)


def answer_twin(*, job: ImportJob, number: int, same: bool | None) -> None:
    """Say of an item whether it is the question that was proposed; None: leave that open.

    One that is, is chosen. It is planned anew, as with `name_anew`.
    """
    with _choosing(job) as held:
        plan = import_reading.outlook_of(held)
        (detail,) = (
            stored_plan.details(held, plan, [number]) if number < len(plan.entries) else (None,)
        )
        if detail is None or detail.planned.twin is None:
            return
        said = Answers.from_json(held.twins or {})
        taken, refused = dict(said.taken), dict(said.refused)
        for kept in (taken, refused):
            kept.pop(number, None)
        if same is not None:
            (taken if same else refused)[number] = detail.planned.twin.name
        held.twins = Answers(taken, refused).to_json()
        held.chosen = sorted(chosen_of(held, plan) | {number})
        _plan(held)


def take_twins(*, job: ImportJob, above: float) -> None:
    """Take every twin that is at least this sure, 0 to 1, where nothing but words is at stake."""
    with _choosing(job) as held:
        plan = import_reading.outlook_of(held)
        said = Answers.from_json(held.twins or {})
        sure = [number for number, one in enumerate(plan.entries) if one.sure >= above]
        taken = dict(said.taken)
        for one in stored_plan.details(held, plan, sorted(set(sure) - set(said.refused))):
            if one.planned.twin:
                taken[one.planned.number] = one.planned.twin.name
        held.twins = Answers(taken, said.refused).to_json()
        held.chosen = sorted(chosen_of(held, plan) | taken.keys())
        _plan(held)


def _plan(held: ImportJob) -> None:
    """Have it planned anew: at once or, if it is large, soon."""
    held.state, held.report = State.READING, {}
