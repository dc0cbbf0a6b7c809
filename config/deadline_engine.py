"""The deadline engine: a thread of every web and worker process that ends and grades (ADR 21).

It asks for the next cut-off, sleeps until then, and does what is due. It sleeps a few seconds at
most, because attempts begin in other processes, too; nothing needs to wake it, so it works without
a broker and behind any connection pooler. The database's clock decides; the steady one waits.
"""

import logging
import threading
from dataclasses import dataclass, field

from celery.signals import worker_process_init
from django.db import connection

from quizzes.lib import steady_clock
from quizzes.results import deadline_queue, services

log = logging.getLogger(__name__)

LONGEST_PAUSE = 4.0
"""Seconds between two looks: what begins elsewhere and ends at once waits no longer than that."""
SHORTEST_PAUSE = 0.2
"""Seconds to wait when what is due is locked by others."""
AFTER_FAILURE = 1.0
"""Seconds to wait when the database does not answer."""
MAX_SILENCE = 60.0
"""Seconds without a look after which the engine has stopped, whatever the reason."""


@dataclass
class DeadlineEngine:
    """One thread's work; `looked_at` is when it last came to an end, by the steady clock."""

    stop: threading.Event = field(default_factory=threading.Event)
    looked_at: float = field(default_factory=steady_clock.seconds)
    fails: bool = False

    def run(self) -> None:
        """Do what is due until told to stop; whatever goes wrong, try again soon."""
        pause = 0.0
        while not self.stop.wait(pause):
            pause = self.look()
        connection.close()

    def look(self) -> float:
        """Do what is due now; return the seconds until the next look."""
        try:
            pause = self._do_what_is_due()
            self.fails = False
        except Exception:
            # Once, not every second of an outage.
            log.log(
                logging.DEBUG if self.fails else logging.ERROR,
                "attempts whose time is over cannot be ended; trying again",
                exc_info=True,
            )
            self.fails = True
            connection.close()
            pause = AFTER_FAILURE
        self.looked_at = steady_clock.seconds()
        return pause

    @staticmethod
    def _do_what_is_due() -> float:
        now, due_at = deadline_queue.load_next_due()
        if due_at is None:
            return LONGEST_PAUSE
        if due_at >= now:
            # The cut-off itself is still in time: a moment later.
            return min((due_at - now).total_seconds() + 0.001, LONGEST_PAUSE)
        ended, tried, _ = services.sweep(now=now)
        return 0.0 if ended or tried else SHORTEST_PAUSE

    def is_alive(self) -> bool:
        """Return whether it came to the end of a look not long ago."""
        return steady_clock.seconds() - self.looked_at < MAX_SILENCE


engines: list[DeadlineEngine] = []
"""That of this process, once it is started."""


@worker_process_init.connect
def start(**_: object) -> DeadlineEngine:
    """Start the thread of this process, or return the engine that runs.

    Called in each process of gunicorn and of Celery's workers once it is forked: threads and
    connections do not survive a fork.
    """
    if not engines:
        engine = DeadlineEngine()
        threading.Thread(target=engine.run, name="deadlines", daemon=True).start()
        engines.append(engine)
    return engines[0]
