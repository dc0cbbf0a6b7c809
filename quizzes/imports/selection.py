"""What somebody selects of an import that is ready: stored in the job, page by page."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from django.db import transaction

from quizzes.imports import import_reading, stored_plan
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.match_answers import MatchAnswers
from quizzes.imports.models import ImportJob, State
from quizzes.imports.stored_plan import StoredPlan
from quizzes.lib.errors import Conflict


def list_selected(job: ImportJob, plan: StoredPlan) -> frozenset[int]:
    """Return the numbers of the items that are selected now."""
    return plan.selected_by_default if job.selected_items is None else frozenset(job.selected_items)


@contextmanager
def _locked_job(job: ImportJob) -> Iterator[tuple[ImportJob, StoredPlan]]:
    """Lock an import that waits for a selection, and save it; in another state: Conflict."""
    with transaction.atomic():
        locked = ImportJob.objects.select_for_update().get(pk=job.pk)
        if locked.state != State.READY:
            raise Conflict("import_is_not_waiting", state=locked.state)
        yield locked, import_reading.load_plan(locked)
        locked.save()


def select_items(*, job: ImportJob, on_page: Collection[int], ticked: Collection[int]) -> None:
    """Select what was ticked among the items of a page; the others stay as they are."""
    with _locked_job(job) as (locked, plan):
        others = list_selected(locked, plan).difference(on_page)
        locked.selected_items = sorted(others.union(ticked))


def select_all(*, job: ImportJob, action: ImportAction, selected: bool) -> None:
    """Select every item with this action, shown or not, or none of them."""
    with _locked_job(job) as (locked, plan):
        numbers = {number for number, entry in enumerate(plan.entries) if entry.action == action}
        before = list_selected(locked, plan)
        locked.selected_items = sorted(before | numbers if selected else before - numbers)


def import_as_new(*, job: ImportJob, number: int, as_new: bool) -> None:
    """Import an item under a new name, not as the bank's question of its name, or as that one.

    The file is to be planned again.
    """
    with _locked_job(job) as (locked, plan):
        selected, before = list_selected(locked, plan), frozenset(locked.as_new or ())
        locked.as_new = sorted(before | {number} if as_new else before - {number}) or None
        locked.selected_items = sorted(selected | {number} if as_new else selected - {number})
        _replan(locked)


def answer_match(*, job: ImportJob, number: int, same: bool | None) -> None:
    """Store whether an item is the question that was proposed; None: not decided.

    The item is selected, and the file is to be planned again.
    """
    with _locked_job(job) as (locked, plan):
        numbers = [number] if number < len(plan.entries) else []
        items = stored_plan.load_items(locked, plan, numbers)
        match = next((stored_item.report.language_match for stored_item in items), None)
        if match is None:
            return
        answers = MatchAnswers.from_json(locked.match_answers or {}).without(number)
        accepted, rejected = dict(answers.accepted), dict(answers.rejected)
        if same is not None:
            (accepted if same else rejected)[number] = match.question
        locked.match_answers = MatchAnswers(accepted, rejected).to_json()
        locked.selected_items = sorted(list_selected(locked, plan) | {number})
        _replan(locked)


def accept_matches(*, job: ImportJob, min_confidence: float) -> None:
    """Accept every safe match from this confidence on, 0 to 1. The file is to be planned again."""
    with _locked_job(job) as (locked, plan):
        answers = MatchAnswers.from_json(locked.match_answers or {})
        numbers = [
            number
            for number, entry in enumerate(plan.entries)
            if entry.confidence >= min_confidence and number not in answers.rejected
        ]
        accepted = dict(answers.accepted)
        for stored_item in stored_plan.load_items(locked, plan, numbers):
            if match := stored_item.report.language_match:
                accepted[stored_item.report.number] = match.question
        locked.match_answers = MatchAnswers(accepted, answers.rejected).to_json()
        locked.selected_items = sorted(list_selected(locked, plan) | accepted.keys())
        _replan(locked)


def _replan(locked: ImportJob) -> None:
    locked.state, locked.tries = State.READING, 0
