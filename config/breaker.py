"""A circuit breaker: what this process knows about whether its database answers.

While it is open nobody waits: every statement fails at once. One thread of its own waits for the
database and closes the breaker as soon as it answers, so that no request is spent on finding out.
"""

import logging
import os
import threading
import time
from collections.abc import Callable

log = logging.getLogger(__name__)

Ping = Callable[[str, float], bool]
"""Takes an address and seconds; returns whether a database answers there in that time."""

PING_AFTER = 1.0
"""Seconds without a word after which a database is asked whether it is there."""
PING_TIMEOUT = 1.0
"""Seconds that it then has to answer on a new connection."""
RECONNECT_TIMEOUT, RECONNECT_PAUSE = 15.0, 0.5
"""Seconds that one connection waits for the end of an outage; and those between two."""


class Breaker:
    """Closed while the database answers; `last_answer` is when it last did, by the clock here."""

    def __init__(self, ping: Ping) -> None:
        self._ping = ping
        self.reset()
        os.register_at_fork(after_in_child=self.reset)

    def reset(self) -> None:
        """Forget everything: a child process has none of its parent's threads."""
        self._checking = threading.Lock()
        self.is_open = False
        self.last_answer = 0.0

    def check(self, address: str, since: float) -> bool:
        """Return whether the database gives a sign of life; if it gives none, open.

        Threads that ask at the same time share one answer.
        """
        with self._checking:
            if self.is_open:
                return False
            if self.last_answer > since:
                return True
            if self._ping(address, PING_TIMEOUT):
                self.last_answer = time.monotonic()
                return True
            # Started first: a breaker that nobody will close must not open.
            threading.Thread(
                target=self._close_when_it_answers, args=(address,), name="breaker", daemon=True
            ).start()
            self.is_open = True
        log.error("the database does not answer; all requests to it are refused until it does")
        return False

    def _close_when_it_answers(self, address: str) -> None:
        while not self._ping(address, RECONNECT_TIMEOUT):
            time.sleep(RECONNECT_PAUSE)
        with self._checking:
            self.last_answer = time.monotonic()
            self.is_open = False
        log.warning("the database answers again")
