"""Commit and cancel: what was chosen is written once, or not at all."""

import pytest
from django.core.cache import cache

from quizzes.bank.models import Question
from quizzes.imports import job_files, jobs, tasks
from quizzes.imports.import_steps import ImportProgress, ImportStep
from quizzes.imports.models import ImportJob, State
from quizzes.lib import clock
from tests.factories import create_question
from tests.quizzes.api.import_helpers import commit, gift, report, sent
from tests.quizzes.api.programs import Program, program
from tests.quizzes.formats.test_ochenta import GOOD

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]


@pytest.fixture(autouse=True)
def _no_history():
    cache.clear()


@pytest.fixture
def author(users) -> Program:
    return program(users.instructor, "authoring")


def never_start(monkeypatch) -> None:
    """Let no task begin, and nobody wait for it."""
    monkeypatch.setattr(tasks, "WAIT", 0)
    monkeypatch.setattr(tasks, "start", lambda *_: None)


def state(author, job) -> str:
    return str(author.get(f"imports/{job['id']}").json()["state"])


def names() -> set[str]:
    return set(Question.objects.values_list("name", flat=True))


def test_a_commit_writes_the_usual_and_publishes_it(author, into):
    job = sent(author, into)
    answer = commit(author, job)
    done = answer.json()
    assert (answer.status_code, done["state"], done["progress"]) == (
        202,
        "done",
        {"step": "", "done": 1, "total": 1},
    )
    assert answer["Location"].endswith(job["id"])
    assert Question.objects.get().current is not None
    assert (done["action_counts"]["new"], done["published"], done["code"]) == (1, 1, "")


def test_only_what_was_chosen_is_written(author, into):
    job = sent(author, into, gift(4), "a.gift")
    assert commit(author, job, items=[3, 1, 3]).json()["state"] == "done"
    assert names() == {"q1", "q3"}
    selections = [(item["number"], item["selected"]) for item in report(author, job)["items"]]
    assert selections == [(0, False), (1, True), (2, False), (3, True)]


def test_nothing_chosen_is_nothing_written(author, into):
    assert commit(author, sent(author, into), items=[]).json()["state"] == "done"
    assert not Question.objects.exists()


def test_a_commit_twice_is_one_and_another_choice_is_refused(author, into):
    job = sent(author, into, gift(2), "a.gift")
    first, again = commit(author, job, items=[0]), commit(author, job, items=[0])
    assert again.json() == first.json()
    other = commit(author, job, items=[0, 1])
    assert (other.status_code, other.json()["code"]) == (409, "selection_differs")
    assert commit(author, job).json() == first.json()  # what is selected, as before
    assert names() == {"q0"}


def test_a_commit_under_a_key_is_answered_again(author, into):
    job = sent(author, into)
    path, key = f"imports/{job['id']}/commit", {"Idempotency-Key": "one"}
    first, again = (author.post(path, {}, **key) for _ in range(2))
    assert (again.content, again["Idempotent-Replayed"]) == (first.content, "true")


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ({"items": [0, 1]}, "items.1"),
        ({"items": [-1]}, "items.0"),
        ({"items": ["0"]}, "items.0"),
        ({"items": "all"}, "items"),
        ({"bank_fingerprint": 7}, "bank_fingerprint"),
        ({"chosen": [0]}, "chosen"),
    ],
)
def test_a_senseless_choice_is_refused_with_its_place(author, into, body, where):
    job = sent(author, into)
    answer = commit(author, job, **body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["where"] == where
    assert state(author, job) == "ready"


def test_a_bank_that_was_changed_meanwhile_is_looked_at_once_more(author, into):
    job = sent(author, into)
    create_question(into, "danube")
    answer = commit(author, job, bank_fingerprint=job["bank_fingerprint"])
    assert (answer.status_code, answer.json()["code"]) == (409, "bank_changed")
    now = author.get(f"imports/{job['id']}").json()
    assert (now["state"], now["action_counts"]["conflict"]) == ("ready", 1)
    assert (
        commit(author, job, items=[0], bank_fingerprint=now["bank_fingerprint"]).json()["state"]
        == "done"
    )


def test_a_choice_that_no_longer_holds_when_it_is_written_is_told(author, into, monkeypatch):
    job = sent(author, into)
    chosen = jobs.confirm_selection

    def late(**options):
        selected = chosen(**options)
        create_question(into, "danube")
        return selected

    monkeypatch.setattr(jobs, "confirm_selection", late)
    answer = commit(author, job, items=[0])
    assert (answer.status_code, answer.json()["code"]) == (409, "bank_changed")
    now = author.get(f"imports/{job['id']}").json()
    assert (now["state"], now["code"], now["action_counts"]["conflict"]) == (
        "ready",
        "bank_changed",
        1,
    )


def test_a_file_that_is_still_read_cannot_be_committed(author, into, monkeypatch):
    never_start(monkeypatch)
    job = sent(author, into)
    answer = commit(author, job, items=[0])
    assert (answer.status_code, answer.json()["code"]) == (409, "import_not_read")


def test_an_import_that_takes_long_is_committing_and_its_progress_told(author, into, monkeypatch):
    job = sent(author, into, gift(2), "a.gift")
    never_start(monkeypatch)
    assert commit(author, job).json()["state"] == "committing"
    ImportJob.objects.update(state=State.RUNNING)
    job_files.write_progress(ImportJob.objects.get().uuid, ImportProgress(ImportStep.WRITING, 1, 2))
    assert author.get(f"imports/{job['id']}").json()["progress"] == {
        "step": "writing",
        "done": 1,
        "total": 2,
    }
    ImportJob.objects.update(state=State.QUEUED)
    jobs.run(pk=ImportJob.objects.get().pk, now=clock.now())
    assert state(author, job) == "done"
    assert names() == {"q0", "q1"}


def test_an_import_whose_worker_was_killed_is_done_by_the_sweep(author, into, monkeypatch):
    job = sent(author, into)
    never_start(monkeypatch)
    commit(author, job)
    ImportJob.objects.update(state=State.RUNNING)
    jobs.sweep(now=clock.now() + jobs.RUN_TIMEOUT * 2)
    assert state(author, job) == "done"
    assert names() == {"danube"}


def test_a_cancelled_import_writes_nothing_and_is_over(author, into):
    job = sent(author, into)
    answers = [author.post(f"imports/{job['id']}/cancel") for _ in range(2)]
    assert [(answer.status_code, answer.json()["state"]) for answer in answers] == [
        (200, "cancelled")
    ] * 2
    refused = commit(author, job)
    assert (refused.status_code, refused.json()["code"]) == (409, "import_is_over")
    assert refused.json()["state"] == "cancelled"
    assert report(author, job)["items"] == []
    assert not Question.objects.exists()


def test_an_import_that_runs_is_asked_to_stop(author, into, monkeypatch):
    job = sent(author, into)
    never_start(monkeypatch)
    commit(author, job)
    ImportJob.objects.update(state=State.RUNNING)
    answer = author.post(f"imports/{job['id']}/cancel")
    assert (answer.status_code, answer.json()["state"]) == (202, "committing")
    ImportJob.objects.update(state=State.QUEUED)
    jobs.run(pk=ImportJob.objects.get().pk, now=clock.now())
    assert state(author, job) == "ready"
    assert not Question.objects.exists()
    assert commit(author, job).status_code == 202


def test_a_commit_that_waits_is_ready_again_as_it_was_selected(author, into, monkeypatch):
    job = sent(author, into)
    never_start(monkeypatch)
    commit(author, job)
    answer = author.post(f"imports/{job['id']}/cancel")
    assert (answer.status_code, answer.json()["state"]) == (200, "ready")
    assert answer.json()["action_counts"]["new"] == 1


def test_what_was_selected_before_a_cancel_is_what_the_next_commit_writes(
    author, into, monkeypatch
):
    job = sent(author, into, gift(4), "a.gift")
    with monkeypatch.context() as patch:
        never_start(patch)
        commit(author, job, items=[3, 1])
        assert author.post(f"imports/{job['id']}/cancel").json()["state"] == "ready"
    selected = [item["number"] for item in report(author, job)["items"] if item["selected"]]
    assert selected == [1, 3]
    assert commit(author, job).json()["state"] == "done"
    assert names() == {"q1", "q3"}


@pytest.mark.parametrize("text", [GOOD, GOOD.replace("source: own\n", "")])
def test_what_is_over_cannot_be_cancelled(author, into, text):
    job = sent(author, into, text)
    commit(author, job)
    answer = author.post(f"imports/{job['id']}/cancel")
    assert (answer.status_code, answer.json()["code"]) == (409, "import_is_over")


def test_the_same_file_again_has_nothing_to_write(author, into):
    commit(author, sent(author, into))
    before = list(Question.objects.values_list("current", "draft__revision"))
    again = sent(author, into)
    assert again["action_counts"]["same"] == 1
    commit(author, again)
    assert list(Question.objects.values_list("current", "draft__revision")) == before


def test_a_commit_costs_the_same_however_many_items(author, into, counted):
    commit(author, sent(author, into))  # in an empty bank there is nothing to compare with
    spent = []
    for many in (2, 40):
        job = sent(author, into, gift(many).replace("::q", f"::n{many}-"), "a.gift")
        with counted() as queries:
            assert commit(author, job).json()["state"] == "done"
        spent.append(len(queries))
    assert spent[1] <= spent[0] + 3
    # Eight of them are those of the bank's checks, after the commit; in two the services ask
    # whether who imports may still edit the bank: confirming, and writing.
    assert spent[1] <= 63
