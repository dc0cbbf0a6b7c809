"""Learners who save without pause, and remember what the site told them and what it did not."""

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPMessage
from random import Random
from typing import Any
from uuid import UUID

from bench.page import read_options

CSRF = "b" * 32
PATIENCE = 60


@dataclass(frozen=True)
class Answer:
    """What the site said, and after how many seconds."""

    status: int
    headers: HTTPMessage
    content: bytes
    seconds: float


class Learner:
    """One person with one attempt. `sent` holds every save by its operation."""

    patience: float = PATIENCE
    """Seconds that an answer may take."""

    def __init__(self, session: str, seed: int) -> None:
        self._headers = {"Cookie": f"session={session}; csrftoken={CSRF}", "X-CSRFToken": CSRF}
        self._chance = Random(seed)
        self._options: dict[int, list[str]] = {}
        self.attempt = ""
        self.sent: dict[UUID, dict[str, Any]] = {}
        self.acknowledged: set[UUID] = set()

    def ask(self, port: int, method: str, path: str, body: object = None) -> Answer:
        """Ask once, on a connection of its own. Raises OSError or HTTPException."""
        headers, data = dict(self._headers), None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body), "application/json"
        began = time.monotonic()
        with closing(HTTPConnection("127.0.0.1", port, timeout=self.patience)) as connection:
            connection.request(method, path, data, headers)
            with connection.getresponse() as answer:
                content = answer.read()
        return Answer(answer.status, answer.headers, content, time.monotonic() - began)

    def begin(self, port: int, quiz: str) -> list[Answer]:
        """Start, and read the page for what there is to choose."""
        started = self.start(port, quiz)
        assert started.status == 302, started
        page = self.read_page(port)
        assert page.status == 200, page
        return [started, page]

    def start(self, port: int, quiz: str) -> Answer:
        """Ask for an attempt; where it is begun, or was before, it is this learner's."""
        answer = self.ask(port, "POST", f"/quizzes/{quiz}/start")
        if answer.status == 302:
            self.attempt = answer.headers["Location"]
            assert self.attempt.startswith("/attempts/"), answer
        return answer

    def read_page(self, port: int) -> Answer:
        """Read the page of the attempt for what there is to choose."""
        answer = self.ask(port, "GET", self.attempt)
        if answer.status == 200:
            self._options.clear()
            for slot, option in read_options(answer.content):
                self._options.setdefault(slot, []).append(option)
            assert self._options, answer
        return answer

    @property
    def attempt_id(self) -> UUID:
        """Return the id of the attempt; ValueError before it has begun."""
        return UUID(self.attempt.strip("/").rpartition("/")[2])

    @property
    def doubtful(self) -> list[UUID]:
        """What was sent, and never acknowledged."""
        return [operation for operation in self.sent if operation not in self.acknowledged]

    def choose(self) -> UUID:
        """Choose an answer to any question; give the operation that will save it."""
        operation = UUID(int=self._chance.getrandbits(128), version=4)
        slot = self._chance.choice(sorted(self._options))
        options = self._options[slot]
        chosen = self._chance.sample(options, self._chance.randint(1, len(options)))
        self.sent[operation] = {"slot": slot, "answer": {"chosen": chosen}}
        return operation

    def save(self, port: int, operation: UUID) -> Answer:
        """Send one save, for the first time or again; believe nothing but a 200."""
        body = {"saves": [{**self.sent[operation], "idempotency_key": str(operation)}]}
        answer = self.ask(port, "POST", f"{self.attempt}save", body)
        if answer.status == 200:
            (save,) = json.loads(answer.content)["saves"]
            assert save["status"] == "accepted", save
            self.acknowledged.add(operation)
        return answer

    def make_sure(self, port: int) -> None:
        """Send again what is in doubt; now it must be taken."""
        for operation in self.doubtful:
            assert self.save(port, operation).status == 200


class Bustle:
    """Many learners saving at once: what they hear is counted by status."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.over = threading.Event()
        self.heard: dict[int, list[Answer]] = {}
        self._last: dict[Learner, int] = {}

    def hear(self, learner: Learner, answer: Answer) -> None:
        """Note what a learner heard."""
        with self._changed:
            self.heard.setdefault(answer.status, []).append(answer)
            self._last[learner] = answer.status
            self._changed.notify_all()

    def wait_for(self, number: int, status: int = 200) -> None:
        """Wait until so many more answers of this status were heard."""
        with self._changed:
            expected_count = len(self.heard.get(status, ())) + number
            enough = self._changed.wait_for(
                lambda: len(self.heard.get(status, ())) >= expected_count, PATIENCE
            )
        assert enough, {status: len(answers) for status, answers in self.heard.items()}

    def wait_until_all_hear(self, learners: Sequence[Learner], status: int) -> None:
        """Wait until this was the newest answer to each, so that no other is on its way."""
        with self._changed:
            heard = self._changed.wait_for(
                lambda: all(self._last.get(learner) == status for learner in learners), PATIENCE
            )
        assert heard, list(self._last.values())

    def keep_saving(self, learner: Learner, port: int) -> None:
        """Save what is in doubt, then something new, until it is over or the site is gone."""
        try:
            while not self.over.is_set():
                for operation in learner.doubtful or [learner.choose()]:
                    answer = learner.save(port, operation)
                    self.hear(learner, answer)
                    if answer.status != 200:
                        self.over.wait(0.05)
        except (OSError, HTTPException):
            return


@contextmanager
def busy(learners: Sequence[Learner], port: int) -> Iterator[Bustle]:
    """Let all of them save during the block, each in a thread."""
    bustle = Bustle()
    threads = [
        threading.Thread(target=bustle.keep_saving, args=(learner, port)) for learner in learners
    ]
    for thread in threads:
        thread.start()
    try:
        yield bustle
    finally:
        bustle.over.set()
        for thread in threads:
            thread.join()
