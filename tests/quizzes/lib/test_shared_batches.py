"""Batches that two threads share, each with a connection of its own; elsewhere one does them."""

import threading
from itertools import chain

import pytest
from django.db import connection, transaction

from quizzes.lib.shared_batches import THREADS, share_batches
from tools.processes import wait_until

BATCHES = [[number, number + 1] for number in range(0, 40, 2)]


def collect(batches):
    """Return this thread and what it did, each batch in a transaction."""
    batches_done = []
    for batch in batches:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT %s", [batch[0]])
            batches_done.append((cursor.fetchone()[0], batch[1]))
    return threading.get_ident(), batches_done


def count_other_sessions() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
        count: int = cursor.fetchone()[0]
    return count


def flatten(outcomes):
    return sorted(
        chain.from_iterable(chain.from_iterable(batches_done for _, batches_done in outcomes))
    )


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_threads_take_each_batch_once():
    meeting = threading.Barrier(THREADS, timeout=30)

    def work(batches):
        first = next(batches)
        meeting.wait()  # so that neither can take all before the other begins
        return collect(chain([first], batches))

    outcomes = share_batches(work, iter(BATCHES))
    assert len({thread for thread, _ in outcomes}) == THREADS
    assert flatten(outcomes) == list(range(40))


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_what_another_thread_raises_is_raised_and_leaves_no_connection():
    meeting = threading.Barrier(THREADS, timeout=30)
    here = threading.current_thread()

    def work(batches):
        next(batches)
        meeting.wait()
        if threading.current_thread() is not here:
            connection.ensure_connection()
            raise ValueError("broken")
        return sum(1 for _ in batches)

    with pytest.raises(ValueError, match="broken"):
        share_batches(work, iter(BATCHES))
    assert not [thread for thread in threading.enumerate() if thread.name == "batches"]
    # A session that was closed ends a moment later on the server.
    assert wait_until(lambda: count_other_sessions() == 0, seconds=10)


@pytest.mark.django_db
def test_in_a_transaction_the_caller_does_them_all():
    ((thread, batches_done),) = share_batches(collect, iter(BATCHES))
    assert (thread, len(batches_done)) == (threading.get_ident(), len(BATCHES))


@pytest.mark.django_db(transaction=True)
def test_one_batch_or_none_starts_no_thread():
    for batches in ([], BATCHES[:1]):
        ((thread, batches_done),) = share_batches(collect, iter(batches))
        assert (thread, len(batches_done)) == (threading.get_ident(), len(batches))
