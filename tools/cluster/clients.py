"""A browser's own patience: how it sends again what was not acknowledged (web/js/sync.js)."""

import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPException
from random import Random

from tools.faults.learners import Answer

PATIENCE = 20.0
"""Seconds that one request may take."""
PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds before each further try; the last one from then on. A fourth less to a fourth more."""
GIVE_UP = 120.0
"""Seconds after which the check calls a request failed; a browser would go on."""


class RequestFailedError(Exception):
    """A request failed for good: refused by a site that is well, or never answered."""


@dataclass(frozen=True)
class Save:
    """A save that was acknowledged: when it was first sent and when that was heard, in seconds."""

    sent: float
    acknowledged: float

    @property
    def seconds(self) -> float:
        """Return how long its learner waited, all tries together."""
        return self.acknowledged - self.sent


@dataclass
class Record:
    """What all clients heard; its lists only ever grow, so any thread may read them."""

    saves: list[Save] = field(default_factory=list)
    failures: list[tuple[float, str]] = field(default_factory=list)
    """When a request failed for good, and how."""
    retries: Counter[str] = field(default_factory=Counter)
    """Requests that were tried again, by what they met: a status, or `away` for no answer."""
    errors: list[str] = field(default_factory=list)
    """Answers of 500: of a site that did not expect what happened to it."""
    submitted: dict[str, float] = field(default_factory=dict)
    """Attempts whose end was acknowledged: by their id, when."""
    files: int = 0
    """Files of results that came whole."""
    pages: int = 0
    """Pages of the instructor that came."""


@dataclass
class PatientClient:
    """What sends requests again: where it notes them, its chance, and what ends its patience."""

    record: Record
    chance: Random
    closed: threading.Event

    def persist(self, send: Callable[[], Answer], expected: int, name: str) -> Answer:
        """Send until the expected status comes. Raises RequestFailedError."""
        began, failures = time.monotonic(), 0
        while True:
            try:
                answer = send()
            except (OSError, HTTPException):
                heard = "away"
            else:
                if answer.status == expected:
                    return answer
                heard = str(answer.status)
                if answer.status == 500:
                    self.record.errors.append(f"{name}: {answer.content[:200]!r}")
                if answer.status < 500:
                    raise RequestFailedError(f"{name}: {heard} {answer.content[:200]!r}")
            self.record.retries[heard] += 1
            if time.monotonic() - began > GIVE_UP:
                raise RequestFailedError(f"{name}: {heard} for {GIVE_UP:.0f} s")
            pause = PAUSES[min(failures, len(PAUSES) - 1)] * (0.75 + self.chance.random() / 2)
            failures += 1
            if self.closed.wait(pause):
                raise RequestFailedError(f"{name}: closed after {heard}")
