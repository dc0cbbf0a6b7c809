"""Many hands at once: real threads with real connections, let go at the same moment."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connection, connections

Result = TypeVar("Result")


def at_once(calls: Sequence[Callable[[], Result]]) -> list[Result | Exception]:
    """Run all calls at the same moment; give what each returned or raised, in order."""
    gate = Barrier(len(calls))

    def run(call: Callable[[], Result]) -> Result | Exception:
        try:
            connection.ensure_connection()
            gate.wait(30)
            return call()
        except Exception as problem:  # noqa: BLE001  the test judges it
            return problem
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
