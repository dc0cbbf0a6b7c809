"""What the probes know, in sentences: the lines of `/readyz`, of this process or of the site."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import urlsplit

from config import health
from config.doctor.findings import DeploymentFinding

_TIMEOUT: Final = 10.0
# By what a line begins with: the code, why it matters, what to do.
_LINES: Final[Mapping[str, tuple[str, str, str]]] = {
    "no database": (
        "no_database",
        "Nobody can be served without it; saved answers are safe.",
        "Start the database, or mend OCHENTA_DATABASE_URL; the log has the database's own words.",
    ),
    "database not migrated": (
        "not_migrated",
        "Pages that need the missing tables or columns fail.",
        "Run `python -m config.deploy` once, then start the processes again.",
    ),
    "disk full": (
        "disk_full",
        "Answers, imports and uploads are refused as soon as nothing can be written.",
        "Make room on that disk, or give it more.",
    ),
    "deadline engine stopped": (
        "deadline_engine_stopped",
        "This process ends no attempt at its cut-off; other processes do.",
        "Start the process again, and report the last lines of its log.",
    ),
    "attempts overdue": (
        "attempts_overdue",
        "Attempts are open a minute after their cut-off: no process ends them.",
        "See that at least one web or worker process runs, and look for errors in its log.",
    ),
    "scheduler stopped": (
        "scheduler_stopped",
        "Imports that were left behind stay so, and sessions that are over are not deleted.",
        "Start `celery beat` (see docs/operations.md); the embedded site: start it again.",
    ),
    "attempts in quarantine": (
        "attempts_in_quarantine",
        "These attempts could not be ended or graded five times in a row.",
        "Filter the list of attempts in the admin by quarantine; each page says why.",
    ),
    "notifications in quarantine": (
        "notifications_in_quarantine",
        "Mails to learners about their results could not be sent, however often it was tried.",
        "Filter the list of notifications in the admin by state; try again from there.",
    ),
    "checkpoint overdue": (
        "checkpoint_overdue",
        "Nothing signed says what was handed in for more than a day: who removes it leaves no gap.",
        "Start `celery beat` and a worker, or `python manage.py export_checkpoint --make`.",
    ),
}


def find_in_process() -> Iterator[DeploymentFinding]:
    """Yield what the probe of this process would tell."""
    problems = list(health.find_problems())
    yield from explain(problems or health.find_notices())


def find_in_site(url: str) -> Iterator[DeploymentFinding]:
    """Yield what the running site at an address tells of itself, by its `/readyz`."""
    try:
        lines = _ask(url.rstrip("/") + "/readyz")
    except (OSError, ValueError, HTTPException) as error:
        yield DeploymentFinding(
            "site_silent",
            f"The site at {url} does not answer its probe: {error}.",
            "Nobody reaches it at this address.",
            "Start the web processes, or name the address at which they listen.",
        )
        return
    yield from explain(line for line in lines if line != "ok")


def explain(lines: Iterable[str]) -> Iterator[DeploymentFinding]:
    """Yield a finding for each line of a probe."""
    for line in lines:
        code, why, remedy = _LINES[line.partition(":")[0]]
        yield DeploymentFinding(code, f"{line[0].upper()}{line[1:]}.", why, remedy)


def _ask(url: str) -> list[str]:
    """Return the lines that the probe answers; OSError or ValueError for anything else."""
    parts = urlsplit(url)
    connect = {"http": HTTPConnection, "https": HTTPSConnection}.get(parts.scheme)
    if connect is None or not parts.hostname:
        raise ValueError("an address begins with http:// or https://")
    with closing(connect(parts.hostname, parts.port, timeout=_TIMEOUT)) as connection:
        # As the proxy before the site speaks.
        connection.request("GET", parts.path, headers={"X-Forwarded-Proto": "https"})
        body: bytes = connection.getresponse().read(10_000)
    lines = body.decode(errors="replace").splitlines()
    if not lines or not all(line == "ok" or line.partition(":")[0] in _LINES for line in lines):
        raise ValueError("what answers there is not this site's probe")
    return lines
