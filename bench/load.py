"""A closed loop of learners over plain sockets: no think time, one connection a loop."""

import gzip
import http.client
import json
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bench.page import read_options

CSRF = "b" * 32
OK, FOUND = int(http.client.OK), int(http.client.FOUND)
ACCEPTED = "accepted"


class UnexpectedAnswerError(Exception):
    """The site answered something else than the flow expects; the text says what."""


@dataclass
class Tally:
    """What a loop did: how long each request took by name, and how many flows were whole."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    flows: int = 0
    errors: list[str] = field(default_factory=list)
    elapsed: float = 0
    """Seconds until the last loop had ended: later than asked for, as each ends a whole flow."""

    def add(self, other: "Tally") -> None:
        """Add another loop's tally."""
        self.flows += other.flows
        self.errors += other.errors
        for name, seconds in other.seconds.items():
            self.seconds.setdefault(name, []).extend(seconds)


class Browser:
    """As much of a browser as the flow needs."""

    def __init__(self, port: int, cookie: str, tally: Tally) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.tally = tally
        self._headers = {"X-CSRFToken": CSRF}
        self.use(cookie)
        self.compressed = False
        """Whether it asks for gzip."""

    def use(self, cookie: str) -> None:
        """Go on as another learner, by the same connection."""
        self._headers["Cookie"] = f"{cookie}; csrftoken={CSRF}"

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def ask(
        self, name: str, method: str, path: str, body: object = None, *, expected: int = OK
    ) -> tuple[str, bytes]:
        """Send a request; return where it redirects to and the body.

        Another status than the expected one: UnexpectedAnswerError.
        """
        headers = dict(self._headers)
        data = None
        if body is not None:
            data, headers["Content-Type"] = json.dumps(body), "application/json"
        elif method == "POST":
            data, headers["Content-Type"] = "", "application/x-www-form-urlencoded"
        if self.compressed:
            headers["Accept-Encoding"] = "gzip"
        began = time.perf_counter()
        self._connection.request(method, path, data, headers)
        answer = self._connection.getresponse()
        content = answer.read()
        self.tally.seconds.setdefault(name, []).append(time.perf_counter() - began)
        if answer.headers.get("Content-Encoding") == "gzip":
            content = gzip.decompress(content)
        if answer.status != expected:
            raise UnexpectedAnswerError(
                f"{name}: status {answer.status} instead of {expected}: {content[:200]!r}"
            )
        return answer.headers.get("Location", ""), content


def flow(browser: Browser, quiz: str) -> None:
    """Start, page, one autosave that answers every question, submit, result page."""
    end_attempt(browser, begin_attempt(browser, quiz))


def begin_attempt(browser: Browser, quiz: str) -> str:
    """Start, open the page and answer every question in a save; return the attempt's path."""
    taking, _ = browser.ask("start", "POST", f"/quizzes/{quiz}/start", expected=FOUND)
    _, page = browser.ask("page", "GET", taking)
    chosen = dict(reversed([*read_options(page)]))
    if not chosen:
        raise UnexpectedAnswerError(f"page: no option to choose in {len(page)} bytes of {taking}")
    client = str(uuid.uuid4())
    saves = [
        {
            "slot": slot,
            "answer": {"chosen": [option], "none_apply": False},
            "flagged": False,
            "base_revision": 0,
            "idempotency_key": str(uuid.uuid4()),
            "client": client,
        }
        for slot, option in sorted(chosen.items())
    ]
    _, answer = browser.ask("save", "POST", f"{taking}save", {"saves": saves})
    statuses = [saved.get("status") for saved in json.loads(answer)["saves"]]
    if statuses != [ACCEPTED] * len(saves):
        raise UnexpectedAnswerError(f"save: {statuses} instead of {len(saves)} x {ACCEPTED}")
    return taking


def end_attempt(browser: Browser, taking: str) -> None:
    """Submit the attempt of this path and open its result."""
    result, _ = browser.ask("submit", "POST", f"{taking}submit", expected=FOUND)
    browser.ask("result", "GET", result)


def drive(
    port: int,
    cookies: Sequence[str],
    seconds: float,
    once: Callable[[Browser], None],
    *,
    loops: int | None = None,
) -> Tally:
    """Let learners act once each in turn until time is over, in loops of which each asks alone.

    There is a loop for each cookie unless `loops` says how many; the learner who waited longest is
    next, so that nobody collects more attempts than the others. The first error ends a loop.
    """
    tallies = [Tally() for _ in range(loops or len(cookies))]
    waiting = deque(cookies)
    began = time.monotonic()
    until = began + seconds

    def loop(tally: Tally) -> None:
        browser = Browser(port, "", tally)
        try:
            while time.monotonic() < until:
                cookie = waiting.popleft()
                browser.use(cookie)
                once(browser)
                waiting.append(cookie)
                tally.flows += 1
        except Exception as error:  # noqa: BLE001  a thread that dies says nothing
            tally.errors.append(repr(error))
        finally:
            browser.close()

    threads = [threading.Thread(target=loop, args=(tally,)) for tally in tallies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    total = Tally(elapsed=time.monotonic() - began)
    for tally in tallies:
        total.add(tally)
    return total
