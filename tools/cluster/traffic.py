"""People at work on the cluster: learners take a quiz, an instructor looks at pages and results."""

import csv
import io
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from http.client import HTTPConnection
from itertools import count
from random import Random
from typing import Any
from uuid import UUID

from tools.cluster.clients import PATIENCE, PatientClient, Record, RequestFailedError, Save
from tools.faults.learners import Answer, Learner

SAVES = 20
"""Of an attempt; then it is submitted, its result is read, and the next one begins."""
THINKING = 0.3
"""Seconds between two saves of a learner, on average."""
LOOKING = 3.0
"""Seconds between two rounds of the instructor."""
PAGES = ("/admin/publishing/quiz/", "/admin/attempts/attempt/", "/admin/")


class Taker(Learner):
    """A learner with the patience of a browser."""

    patience = PATIENCE


@dataclass(frozen=True)
class Instructor:
    """Somebody who may see all results: a session for pages, a token for files."""

    session: str
    token: str
    quiz_id: UUID

    def ask(self, port: int, path: str) -> Answer:
        """Read a page or a file to its end. Raises OSError or HTTPException where it breaks off."""
        headers = {"Cookie": f"session={self.session}", "Host": "localhost"}
        if path.startswith("/api/"):
            headers = {"Authorization": f"Bearer {self.token}", "Host": "localhost"}
        began = time.monotonic()
        with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
            connection.request("GET", path, None, headers)
            with connection.getresponse() as answer:
                content = answer.read()
        return Answer(answer.status, answer.headers, content, time.monotonic() - began)


class Traffic:
    """All who are at work, what they heard, and every attempt that was begun."""

    def __init__(self, port: int, seeded: dict[str, Any]) -> None:
        self.port, self.quiz = port, seeded["quiz"]
        self.sessions: Sequence[str] = seeded["sessions"]
        self.instructor = Instructor(seeded["instructor"], seeded["token"], UUID(seeded["quiz_id"]))
        self.record = Record()
        self.learners: list[Taker] = []
        self.over = threading.Event()
        """Nobody begins anything new."""
        self.closed = threading.Event()
        """Nobody tries again what failed."""
        self._seeds = count()
        self._last: dict[int, float] = {}
        """Of each learner: when the newest acknowledged save was first sent."""

    def wait_until_all_save(self, since: float, seconds: float) -> bool:
        """Wait until each learner had a save acknowledged that was sent after a moment."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            moments = [self._last.get(number, 0) for number in range(len(self.sessions))]
            if min(moments) > since:
                return True
            self.over.wait(0.05)
        return False

    def take_attempts(self, number: int) -> None:
        """Take one attempt after the other until it is over."""
        browser = PatientClient(self.record, Random(number), self.closed)
        while True:
            learner = Taker(self.sessions[number], next(self._seeds))
            self.learners.append(learner)
            try:
                if self._take(learner, number, browser):
                    return
            except (RequestFailedError, AssertionError) as failure:
                self.record.failures.append((time.monotonic(), str(failure)))
                if self.over.wait(1) or self.closed.is_set():
                    return

    def _take(self, learner: Taker, number: int, browser: PatientClient) -> bool:
        """Take an attempt; return whether it was the last one."""
        port, ask = self.port, browser.persist
        ask(lambda: learner.start(port, self.quiz), 302, "start")
        ask(lambda: learner.read_page(port), 200, "page")
        for _ in range(SAVES):
            sent = time.monotonic()
            ask(partial(learner.save, port, learner.choose()), 200, "save")
            self.record.saves.append(Save(sent, time.monotonic()))
            self._last[number] = sent
            if self.over.wait(THINKING * (0.5 + browser.chance.random())):
                break
        ask(lambda: learner.ask(port, "POST", f"{learner.attempt}submit"), 302, "submit")
        self.record.submitted[str(learner.attempt_id)] = time.monotonic()
        ask(lambda: learner.ask(port, "GET", f"{learner.attempt}result"), 200, "result")
        return self.over.is_set()

    def look(self) -> None:
        """Open pages and fetch the results until it is over; a file must have all that ended."""
        browser = PatientClient(self.record, Random(-1), self.closed)
        file = f"/api/v1/results.csv?quiz={self.instructor.quiz_id}"
        while not self.over.wait(LOOKING):
            try:
                for page in PAGES:
                    browser.persist(partial(self.instructor.ask, self.port, page), 200, page)
                    self.record.pages += 1
                expected = set(self.record.submitted)
                answer = browser.persist(partial(self.instructor.ask, self.port, file), 200, file)
                self.record.files += 1
            except RequestFailedError as failure:
                self.record.failures.append((time.monotonic(), str(failure)))
                continue
            rows = csv.DictReader(io.StringIO(answer.content.decode()))
            if missing := expected - {row["attempt"] for row in rows}:
                self.record.errors.append(f"{file} lacks {len(missing)} attempts")


@contextmanager
def at_work(traffic: Traffic) -> Iterator[Traffic]:
    """Let all work during the block; at its end each hears what became of what they sent."""
    numbers = range(len(traffic.sessions))
    threads = [threading.Thread(target=traffic.take_attempts, args=(n,)) for n in numbers]
    threads.append(threading.Thread(target=traffic.look))
    for thread in threads:
        thread.start()
    try:
        yield traffic
    finally:
        traffic.over.set()
        for thread in threads:
            thread.join()
