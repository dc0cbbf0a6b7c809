"""What somebody selects of an import that is ready: stored in the job, page by page.

Each asks itself whether they may run it: else NotFound.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from django.db import transaction

from accounts.models import User
from quizzes.imports import import_reading, job_files, stored_plan
from quizzes.imports.access import check_importer
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.import_steps import NOT_BEGUN
from quizzes.imports.match_answers import MatchAnswer, MatchAnswers
from quizzes.imports.models import ImportJob, State
from quizzes.imports.stored_plan import StoredPlan
from quizzes.lib.errors import Conflict

MIN_SURE_CONFIDENCE: Final = 0.9
"""Confidence from which matches may be accepted all at once."""


def list_selected(job: ImportJob, plan: StoredPlan) -> frozenset[int]:
    """Return the numbers of the items that are selected now."""
    return plan.selected_by_default if job.selected_items is None else frozenset(job.selected_items)


@contextmanager
def _locked_job(job: ImportJob, by: User | None) -> Iterator[tuple[ImportJob, StoredPlan]]:
    """Lock an import that waits for a selection, and save it; in another state: Conflict."""
    check_importer(by, job)
    with transaction.atomic():
        locked = ImportJob.objects.select_for_update().get(pk=job.pk)
        if locked.state != State.READY:
            raise Conflict("import_is_not_waiting", state=locked.state)
        yield locked, import_reading.load_plan(locked)
        locked.save()


def select_items(
    *, job: ImportJob, on_page: Collection[int], ticked: Collection[int], by: User | None
) -> None:
    """Select what was ticked among the items of a page; the others stay as they are."""
    with _locked_job(job, by) as (locked, plan):
        others = list_selected(locked, plan).difference(on_page)
        locked.selected_items = sorted(others.union(ticked))


def select_all(*, job: ImportJob, action: ImportAction, selected: bool, by: User | None) -> None:
    """Select every item with this action, shown or not, or none of them."""
    with _locked_job(job, by) as (locked, plan):
        numbers = {number for number, entry in enumerate(plan.entries) if entry.action == action}
        before = list_selected(locked, plan)
        locked.selected_items = sorted(before | numbers if selected else before - numbers)


def import_as_new(*, job: ImportJob, number: int, as_new: bool, by: User | None) -> None:
    """Import an item under a new name, not as the bank's question of its name, or as that one.

    The file is to be planned again.
    """
    with _locked_job(job, by) as (locked, plan):
        selected, before = list_selected(locked, plan), frozenset(locked.as_new or ())
        locked.as_new = sorted(before | {number} if as_new else before - {number}) or None
        locked.selected_items = sorted(selected | {number} if as_new else selected - {number})
        _replan(locked)


def answer_matches(*, job: ImportJob, answers: Sequence[MatchAnswer], by: User | None) -> None:
    """Store the answers to the language matches of items, all or none; each item once.

    The items are selected, and the file is to be planned again. An item without a match, one whose
    match a person confirmed before, or that is proposed as another question than the answer is
    about: Conflict.
    """
    with _locked_job(job, by) as (locked, plan):
        proposed = _load_proposed(locked, plan, [answer.number for answer in answers])
        stored = MatchAnswers.from_json(locked.match_answers or {})
        accepted, rejected = dict(stored.accepted), dict(stored.rejected)
        for answer in answers:
            question = proposed.get(answer.number)
            if question is None or answer.question not in {None, question}:
                raise Conflict("match_gone", item=answer.number)
            accepted.pop(answer.number, None)
            rejected.pop(answer.number, None)
            if answer.same is not None:
                (accepted if answer.same else rejected)[answer.number] = question
        locked.match_answers = MatchAnswers(accepted, rejected).to_json()
        numbers = {answer.number for answer in answers}
        locked.selected_items = sorted(list_selected(locked, plan) | numbers)
        _replan(locked)


def _load_proposed(job: ImportJob, plan: StoredPlan, numbers: Sequence[int]) -> dict[int, str]:
    """Return the question that each of these items may be, as far as one can be answered."""
    stored_items = stored_plan.load_items(
        job, plan, [number for number in numbers if number < len(plan.entries)]
    )
    return {
        stored_item.report.number: match.question
        for stored_item in stored_items
        if (match := stored_item.report.language_match) and not match.confirmed
    }


def accept_sure_matches(
    *, job: ImportJob, by: User | None, min_confidence: float = MIN_SURE_CONFIDENCE
) -> None:
    """Accept every safe match from this confidence on, 0 to 1. The file is to be planned again."""
    with _locked_job(job, by) as (locked, plan):
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
    job_files.write_progress(locked.uuid, NOT_BEGUN)  # it has the progress of the plan before
