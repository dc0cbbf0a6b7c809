"""Plain thread locals for what Django keeps by thread, in processes that serve by threads alone.

Django asks asgiref, which looks for an event loop, or takes a lock, at each look at the language,
the time zone or the connection of a thread: some hundred times an attempt (ADR 79). Without an
event loop both are the same. An asynchronous server (`config.asgi`) is left alone.
"""

import threading

from django.core.cache import caches
from django.db import connections
from django.urls import base as urls
from django.utils import timezone
from django.utils.translation import trans_real


def use_plain_thread_locals() -> None:
    """Replace them; to be called before the threads of the process begin.

    What the calling thread has there is handed on: it may have a connection open.
    """
    for owner, name in (
        (connections, "_connections"),
        (caches, "_connections"),
        (trans_real, "_active"),
        (timezone, "_active"),
        (urls, "_prefixes"),
        (urls, "_urlconfs"),
    ):
        setattr(owner, name, _copy_local(getattr(owner, name), owner))


def _copy_local(before: object, owner: object) -> threading.local:
    """Return a local of threads with the values that the calling thread has in another one."""
    after = threading.local()
    names = list(owner) if owner in (connections, caches) else ["value"]
    for name in names:
        if (value := getattr(before, name, None)) is not None:
            setattr(after, name, value)
    return after
