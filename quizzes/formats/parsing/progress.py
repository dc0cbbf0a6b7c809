"""How far the work on a file is: steps count their items, or rows, and somebody may listen."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class ProgressListener(Protocol):
    """Who wants to know how far it is."""

    def begin_step(self, step: str, total: int) -> None:
        """Begin the next step, of so many items; it has a name."""

    def count_item(self) -> None:
        """Count one item, or one row of a sheet, of the step."""


_listener: ContextVar[ProgressListener | None] = ContextVar("progress", default=None)


def begin_step(step: str, total: int) -> None:
    """Begin the next step, of so many items."""
    listener = _listener.get()
    if listener is not None:
        listener.begin_step(step, total)


def count_item() -> None:
    """Count one item, or one row of a sheet."""
    listener = _listener.get()
    if listener is not None:
        listener.count_item()


def count_each(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items, and count each once it is done."""
    for item in items:
        yield item
        count_item()


@contextmanager
def report_to(listener: ProgressListener) -> Iterator[None]:
    """Tell this what is done of a file meanwhile."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def ignore_progress() -> Iterator[None]:
    """Count nothing of what is read meanwhile."""
    token = _listener.set(None)
    try:
        yield
    finally:
        _listener.reset(token)
