"""What is ticked while an import waits: kept page by page, all of a sort at once, told anew."""

import pytest
from django.db import connection

from quizzes.imports import import_reading, job_files, jobs, selection, stored_plan
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.import_steps import ImportProgress, ImportStep
from quizzes.imports.models import State
from quizzes.imports.selectors import load_progress
from quizzes.lib.errors import Conflict
from quizzes.lib.file_store import get_file_store
from tests.quizzes.imports.import_jobs import create_ready_job, read_job

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]


def test_what_was_ticked_is_kept_page_by_page(into):
    job = create_ready_job(into)
    selection.select_items(job=job, on_page={0}, ticked=(), by=None)
    job.refresh_from_db()
    assert job.selected_items == []
    selection.select_items(job=job, on_page=(), ticked=(), by=None)
    selection.select_all(job=job, action=ImportAction.NEW, selected=True, by=None)
    job.refresh_from_db()
    assert job.selected_items == [0]
    selection.select_all(job=job, action=ImportAction.NEW, selected=False, by=None)
    jobs.confirm_selection(job=job, selected=(), by=None)
    with pytest.raises(Conflict):
        selection.select_items(job=job, on_page={0}, ticked={0}, by=None)


def test_a_plan_that_is_to_be_made_anew_has_not_begun(into):
    job = create_ready_job(into)
    job_files.write_progress(job.uuid, ImportProgress(ImportStep.PLANNING, 1, 1))
    selection.import_as_new(job=job, number=0, as_new=True, by=None)
    job.refresh_from_db()
    assert load_progress(job) == ImportProgress(ImportStep.PLANNING, 0, 1)


def test_a_plan_that_was_lost_is_laid_out_anew(into):
    job = create_ready_job(into)
    get_file_store().delete(job_files.build_name(job.uuid, "index"))
    assert import_reading.load_plan(job).fingerprints == stored_plan.load_plan(job).fingerprints


@pytest.mark.usefixtures("transactional_db")
def test_a_plan_is_made_anew_while_others_write(into, monkeypatch):
    job = create_ready_job(into)
    real, locked = import_reading.plan_as_json, []

    def plan_of(*of_it):
        locked.append(connection.in_atomic_block)
        return real(*of_it)

    monkeypatch.setattr(import_reading, "plan_as_json", plan_of)
    selection.import_as_new(job=job, number=0, as_new=True, by=None)
    read_job(job)
    assert (job.state, job.as_new, locked) == (State.READY, [0], [False])
