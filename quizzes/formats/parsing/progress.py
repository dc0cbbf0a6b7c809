"""How far the reading of a file is: readers count items and rows, and somebody may listen."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_listener: ContextVar[Callable[[], None] | None] = ContextVar("progress", default=None)


def count_step() -> None:
    """Count one item, or one row of a sheet."""
    listener = _listener.get()
    if listener is not None:
        listener()


@contextmanager
def report_to(listener: Callable[[], None]) -> Iterator[None]:
    """Call this at each step of what is read meanwhile."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def ignore_steps() -> Iterator[None]:
    """Count no step of what is read meanwhile."""
    token = _listener.set(None)
    try:
        yield
    finally:
        _listener.reset(token)
