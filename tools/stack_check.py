"""What `./dev stack --check` asks of the running processes, one line each."""

import json
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from socket import gethostname

from tools import large_import, layout
from tools.confined import REFUSED
from tools.health_probe import status
from tools.large_import import Author, ImportFailedError
from tools.paths import PYTHON, ROOT
from tools.processes import Child, wait_until
from tools.signing import sign_in

CELERY = ("python", "-m", "celery", "--app", "config")
# The first two are the words of docker-compose.yml; a test compares them.
PING = (*CELERY, "inspect", "ping", "--timeout", "5")
CLOCK = ("python", "-m", "config.heartbeat")
STATS = (*CELERY, "inspect", "stats", "--timeout", "5")
# What this set-up lacks on purpose, or a machine of developers may: HTTPS, mail, a PostgreSQL that
# waits for the disk, second factors of the demo's staff; room, namespaces,
# Landlock, and a user that is not root.
ACCEPTED = (
    "accounts.W002",
    "database.fsync",
    "disk_scarce.data",
    "disk_scarce.database_server",
    "disk_scarce.media",
    "disk_scarce.temporary",
    "mail_sender",
    "mail_server",
    "reader.file_access",
    "reader.network",
    "reader.processes",
    "security.W004",
    "security.W008",
    "security.W011",
    "security.W016",
)
DOCTOR = ("python", "manage.py", "doctor", *(f"--accept={code}" for code in ACCEPTED))
START, READY = 90, 200

Services = Sequence[str]


@dataclass(frozen=True)
class Stack:
    """The running processes: their environment, by name, where they listen and write."""

    env: dict[str, str]
    children: dict[str, Child]
    port: int
    folder: Path
    people: str | None = None
    """The demonstration's sign-ins, a line each: role, address, password; None without it."""

    def call(self, service: str, command: tuple[str, ...]) -> tuple[bool, str]:
        """Run a program as a service would; return whether it ended well, and its words."""
        done = subprocess.run(
            [str(PYTHON), *command[1:]],
            env=layout.build_environment(service, self.env, self.folder),
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=False,
        )
        return done.returncode == 0, done.stdout

    def log(self, service: str) -> str:
        """Return what a service has written to its log."""
        log = self.folder / f"{service}.log"
        return log.read_text(errors="replace") if log.exists() else ""


def find_faults(stack: Stack) -> Iterator[Services]:
    """Check everything and print a line each; yield the services that had a part in a fault."""
    healthy = True
    for name, sign in find_signs(stack).items():
        well = wait_until(sign, seconds=START, child=stack.children[name])
        print(f"{name:<12} {'well' if well else 'NOT WELL'}", flush=True)
        if not well:
            healthy = False
            yield (name,)
    if healthy:
        yield from _tell("import", bring_in(stack), "arrived", ("web", "heavy-worker"))
        yield from _tell("doctor", examine(stack), "finds nothing", ("web",))
        if stack.people is not None:
            yield from _tell("demo", sign_all_in(stack), "signs in", ("web",))
    for name in stack.children:
        if REFUSED in stack.log(name):
            yield from _tell(name, f"{REFUSED} outside its mounts", "", (name,))


def find_signs(stack: Stack) -> dict[str, Callable[[], bool]]:
    """Return how each process is asked for a sign of life."""
    ready = f"http://127.0.0.1:{stack.port}/readyz"
    return {
        "web": lambda: status(ready) == READY,
        "worker": lambda: _answers(stack, "worker", "light"),
        "heavy-worker": lambda: _answers(stack, "heavy-worker", "heavy"),
        "beat": lambda: stack.call("beat", CLOCK)[0],
    }


def _answers(stack: Stack, service: str, node: str) -> bool:
    """Return whether the worker with this name answers: both share a broker."""
    return stack.call(service, (*PING, "--destination", f"{node}@{gethostname()}"))[0]


def _tell(name: str, fault: str, well: str, services: Services) -> Iterator[Services]:
    """Print the line of a check; yield the services if there is a fault."""
    print(f"{name:<12} {f'FAILED: {fault}' if fault else well}", flush=True)
    if fault:
        yield services


def bring_in(stack: Stack) -> str:
    """Bring a large file in through the web and the worker; return why it failed, else nothing."""
    succeeded, words = stack.call("web", ("python", "-m", "tools.author", "stack-check"))
    if not succeeded:
        return "the author of the import could not be made"
    try:
        large_import.bring_in(Author(stack.port, **json.loads(words)))
    except (ImportFailedError, OSError) as failed:
        return str(failed)
    name = sha256(large_import.PICTURE).hexdigest()
    if not (stack.folder / "volumes" / "media" / name[:2] / name).is_file():
        return "the picture in the file is not among the uploads"
    # Both halves of the work were done there, or the web did what it must leave to the worker.
    counted = stack.call("heavy-worker", STATS)[1]
    missing = [task for task in large_import.TASKS if task not in counted]
    return f"the worker has not done {', '.join(missing)}" if missing else ""


def examine(stack: Stack) -> str:
    """Have the deployment examined; return what is wrong with it, else nothing."""
    url = f"--url=http://127.0.0.1:{stack.port}"
    succeeded, words = stack.call("web", (*DOCTOR, url))
    return "" if succeeded else words or "it ended without a word"


def sign_all_in(stack: Stack) -> str:
    """Sign everybody of the demonstration in; return why some could not, else nothing."""
    people = [line.split()[1:] for line in (stack.people or "").splitlines()]
    if not people:
        return "nobody is named who could sign in"
    attempts = map(partial(sign_in, stack.port), *zip(*people, strict=True))
    return "; ".join(filter(None, attempts))
