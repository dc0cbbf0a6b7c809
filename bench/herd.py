"""A class that begins and ends together: `python -m bench.herd [LEARNERS]`.

On a throwaway PostgreSQL and the product's own gunicorn, that many learners start within one
second, open the page and answer every question in a save; when all have, they submit within two
seconds and open the result. As the site is, without the triggers that refuse a forged record
(dropped by the owner of that database), and as it is again; then without chain, codes and receipt
(`bench/without_chain.py`), and as it is once more. Speed is not judged; an error ends it with 1.
"""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.cpu import measure_cpu
from bench.load import Browser, Tally, begin_attempt, drive, end_attempt, flow
from bench.sites import Web, environment, module, served, strings
from bench.validity import find_faults
from tools import postgres
from tools.processes import scratch

LEARNERS = 200
START_SECONDS, SUBMIT_SECONDS = 1.0, 2.0
WARMING_SECONDS, WARMINGS = 2.0, 5
COLUMNS = (
    *("load", "web CPU ms an attempt", "db CPU ms"),
    *("start p50", "p95", "save p50", "p95", "submit p50", "p95", "errors"),
)
SITE, UNCHAINED = "config.wsgi", "bench.wsgi_without_chain"
RUNS = (
    ("as it is", SITE, "install"),
    ("without triggers", SITE, "drop"),
    ("as it is", SITE, "install"),
    ("without chain, codes and receipt", UNCHAINED, "install"),
    ("as it is", SITE, "install"),
)
"""What is measured: its name, the application, and what is done with the triggers before it."""


def _spread(count: int, seconds: float, act: Callable[[int], None]) -> None:
    """Act for each number below a count in a thread of its own, evenly within these seconds."""
    begun = time.monotonic()

    def wait_and_act(number: int) -> None:
        time.sleep(max(0.0, begun + number * seconds / count - time.monotonic()))
        act(number)

    threads = [threading.Thread(target=wait_and_act, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def drive_herd(port: int, cookies: Sequence[str], quiz: str) -> Tally:
    """Let each learner start, answer and submit, all together; whoever fails does no more."""
    browsers = [Browser(port, cookie, Tally()) for cookie in cookies]
    attempts: dict[int, str] = {}

    def attend(number: int, act: Callable[[Browser], None]) -> None:
        browser = browsers[number]
        try:
            act(browser)
        except Exception as error:  # noqa: BLE001  a thread that dies says nothing
            browser.tally.errors.append(repr(error))
        finally:
            browser.close()  # nobody keeps a connection through an exam

    def start(number: int) -> None:
        def act(browser: Browser) -> None:
            attempts[number] = begin_attempt(browser, quiz)

        attend(number, act)

    def submit(number: int) -> None:
        def act(browser: Browser) -> None:
            end_attempt(browser, attempts[number])
            browser.tally.flows += 1

        if number in attempts:
            attend(number, act)

    _spread(len(cookies), START_SECONDS, start)
    _spread(len(cookies), SUBMIT_SECONDS, submit)
    total = Tally()
    for browser in browsers:
        total.add(browser.tally)
    return total


def warm_up(port: int, cookies: Sequence[str], quiz: str) -> None:
    """Let some learners go through the quiz until they can: both processes have started then."""
    for _ in range(WARMINGS):
        if drive(port, cookies, WARMING_SECONDS, lambda browser: flow(browser, quiz)).flows:
            return


def measure_herd(web: Web, cookies: Sequence[str], quiz: str) -> tuple[Tally, float, float]:
    """Drive the herd; return the tally, and CPU ms an attempt of web and database."""
    pids = web.child.pid, web.database
    before = [measure_cpu(pid) for pid in pids]
    tally = drive_herd(web.port, cookies, quiz)
    spent = [measure_cpu(pid) - begun for pid, begun in zip(pids, before, strict=True)]
    web_cpu, base_cpu = (seconds * 1000 / max(1, tally.flows) for seconds in spent)
    return tally, web_cpu, base_cpu


def _format_row(name: str, load: float, measured: tuple[Tally, float, float]) -> str:
    tally, web, base = measured
    cells = [name, f"{load:.1f}", f"{web:.1f}", f"{base:.1f}"]
    for request in ("start", "save", "submit"):
        durations = sorted(tally.seconds.get(request, [0.0]))
        cells += [f"{durations[int(len(durations) * share)]:.2f}" for share in (0.5, 0.95)]
    return f"| {' | '.join([*cells, str(len(tally.errors))])} |"


def main(learners: int) -> int:
    """Measure each of RUNS, print a row; return 1 if a request failed."""
    faults = list[str]()
    with postgres.throwaway() as server, scratch("och-bench-") as folder:
        env = environment(server.url, folder)
        command = [sys.executable, "-m", "config.deploy", "--static"]
        subprocess.run(command, env=env, cwd=ROOT, check=True)
        seeded = module("bench.seed", env, str(learners))
        quiz, cookies = str(seeded["quiz"]), strings(seeded["sessions"])
        cookies = [f"session={key}" for key in cookies]
        print(f"PostgreSQL {server.version}, {learners} learners; seconds\n")
        print(f"| | {' | '.join(COLUMNS)} |")
        print("|---" * (len(COLUMNS) + 1) + "|")
        for name, application, act in RUNS:
            module("bench.record_triggers", env, act)
            with served(application, env, folder / "web.log", server.pid) as web:
                warm_up(web.port, cookies[:8], quiz)
                load = os.getloadavg()[0]
                measured = measure_herd(web, cookies, quiz)
            print(_format_row(name, load, measured), flush=True)
            faults += find_faults(name, measured[0])
    print(json.dumps(faults) if faults else "\nNo request failed.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else LEARNERS))
