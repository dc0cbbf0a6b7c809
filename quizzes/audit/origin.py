"""From where something is done: who asks, by which token, from which address (ADR 26).

The middleware says it once a request; in tasks and commands there is none.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID


class Person(Protocol):
    """What the log keeps of a person."""

    uuid: UUID
    name: str
    email: str


@dataclass(frozen=True, slots=True)
class Origin:
    """The sender of a request. `token` is the first characters of a token, which name it.

    `host` is the name by which they reach the site.
    """

    person: Person | None = None
    token: str = ""
    address: str = ""
    user_agent: str = ""
    host: str = ""


_find_origin: ContextVar[Callable[[], Origin]] = ContextVar("origin", default=Origin)


@contextmanager
def use_origin(find: Callable[[], Origin]) -> Iterator[None]:
    """Have `find` say in this block where a request comes from; asked only when it is recorded."""
    previous = _find_origin.set(find)
    try:
        yield
    finally:
        _find_origin.reset(previous)


def find_origin() -> Origin:
    """Return where the current request comes from; outside of requests, from nowhere."""
    return _find_origin.get()()
