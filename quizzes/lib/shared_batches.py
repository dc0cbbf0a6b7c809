"""Batches of work that two threads share: while the database writes for one, the other computes."""

import threading
from collections.abc import Callable, Iterator
from itertools import chain, islice
from typing import Final, TypeVar

from django.db import connection, connections

Batch = TypeVar("Batch")
Outcome = TypeVar("Outcome")

THREADS: Final = 2
"""Python computes in one thread at a time, so that a third would only wait."""


class SharedBatches(Iterator[Batch]):
    """An iterator that several threads read; each batch goes to one of them."""

    def __init__(self, batches: Iterator[Batch]) -> None:
        self._batches = batches
        self._lock = threading.Lock()

    def __next__(self) -> Batch:
        """Return the next batch; whoever computes it holds up the others meanwhile."""
        with self._lock:
            return next(self._batches)


def share_batches(
    work: Callable[[Iterator[Batch]], Outcome], batches: Iterator[Batch]
) -> list[Outcome]:
    """Return what `work` returns, of each thread that takes batches; the caller's thread is one.

    Several threads where the database has room for their transactions: on PostgreSQL, outside of a
    transaction, for more than one batch. What one of them raises is raised when all have ended.
    """
    first = list(islice(batches, THREADS))
    listed = chain(first, batches)
    if len(first) < THREADS or connection.vendor != "postgresql" or connection.in_atomic_block:
        return [work(listed)]
    shared = SharedBatches(listed)
    outcomes: list[Outcome] = []
    errors: list[BaseException] = []

    def take() -> None:
        try:
            outcomes.append(work(shared))
        except BaseException as error:  # noqa: BLE001  raised again in the caller's thread
            errors.append(error)
        finally:
            connections.close_all()

    others = [threading.Thread(target=take, name="batches") for _ in range(THREADS - 1)]
    for other in others:
        other.start()
    try:
        outcomes.append(work(shared))
    finally:
        for other in others:
            other.join()
    if errors:
        raise errors[0]
    return outcomes
