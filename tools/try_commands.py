"""Tries the commands of `./dev` that run until they are stopped.

`python -m tools.try_commands NAME...`: each is started, used, and ended with SIGTERM; CI runs it.
"""

import os
import re
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tools.paths import ROOT
from tools.processes import free_port, running, scratch, wait_until
from tools.signing import sign_in

ENDED = 143
"""What a command ends with that SIGTERM stopped in order."""
START = 120
PERSON = re.compile(r"^\w+ +(\S+@\S+) +(\S+)$", re.MULTILINE)
SERVICE = re.compile(r"^export OCHENTA_(\w+)_URL='(.+)'$", re.MULTILINE)


class NotAsDocumentedError(Exception):
    """A command did not do what it is documented to do; the text says what is missing."""


@contextmanager
def started(folder: Path, last: str, *words: str) -> Iterator[str]:
    """Run a command during the block, from its last expected line on; yield its output.

    Raises NotAsDocumentedError if it does not print them, or does not end when it is asked to.
    """
    log = folder / f"{words[0]}.log"
    log.unlink(missing_ok=True)
    env = {name: value for name, value in os.environ.items() if name[:8] != "OCHENTA_"}
    env["OCHENTA_DATA_DIR"] = str(folder)
    command = [sys.executable, str(ROOT / "dev"), *words]
    with running(command, log=log, env=env, cwd=ROOT, patience=60) as child:
        if not wait_until(lambda: last in log.read_text(), seconds=START, child=child):
            raise NotAsDocumentedError(f"it never said {last!r}: {log.read_text()[-2000:]}")
        yield log.read_text()
    if child.returncode != ENDED:
        raise NotAsDocumentedError(f"it ended with {child.returncode}: {log.read_text()[-2000:]}")


def try_run(folder: Path) -> None:
    """Sign the demonstration's people in; again after a crash that tore what was noted."""
    _sign_in(folder)
    for name in ("secret-key", "prepared.json"):
        path = folder / name
        path.write_bytes(path.read_bytes()[:9])
    output = _sign_in(folder)
    if "has been made anew" not in output:
        raise NotAsDocumentedError(f"it does not say that the key is another: {output}")


def _sign_in(folder: Path) -> str:
    port = free_port()
    with started(folder, f"http://localhost:{port}/", "run", "--port", str(port)) as output:
        people = PERSON.findall(output)
        if not people:
            raise NotAsDocumentedError(f"it names nobody who may sign in: {output}")
        for email, password in people:
            if fault := sign_in(port, email, password):
                raise NotAsDocumentedError(fault)
    return output


def try_services(folder: Path) -> None:
    """Connect to both servers by the printed addresses, and check that neither keeps running."""
    with started(folder, "OCHENTA_REDIS_URL", "services") as output:
        urls = dict(SERVICE.findall(output))
        if set(urls) != {"DATABASE", "REDIS"}:
            raise NotAsDocumentedError(f"it names other services: {output}")
        if answer := _ask_redis(urls["REDIS"]):
            raise NotAsDocumentedError(answer)
        cluster = _socket_of(urls["DATABASE"])
        if not cluster.is_socket():
            raise NotAsDocumentedError(f"there is no socket {cluster}")
    if cluster.exists():
        raise NotAsDocumentedError(f"{cluster} stays behind")


def _ask_redis(url: str) -> str:
    """Return what is wrong with the Redis at an address; nothing if it answers with a password."""
    parts = urlsplit(url)
    with socket.create_connection((str(parts.hostname), int(parts.port or 0)), timeout=10) as redis:
        redis.sendall(f"AUTH {parts.password}\r\nPING\r\n".encode())
        answer = b""
        while answer.count(b"\r\n") < len(("AUTH", "PING")) and (part := redis.recv(200)):
            answer += part
    return "" if answer == b"+OK\r\n+PONG\r\n" else f"Redis answers {answer!r}"


def _socket_of(url: str) -> Path:
    """Return the socket of the PostgreSQL at an address."""
    where = parse_qs(urlsplit(url).query)
    return Path(where["host"][0]) / f".s.PGSQL.{where['port'][0]}"


TRIALS: dict[str, Callable[[Path], None]] = {"run": try_run, "services": try_services}


def main(names: list[str]) -> int:
    """Try these commands; return 1 if one of them is not as documented, or none was named."""
    failed = not names
    for name in names:
        began = time.monotonic()
        with scratch("och-try-") as folder:
            reason = ""
            try:
                TRIALS[name](folder)
            except (NotAsDocumentedError, OSError) as fault:
                reason = str(fault)
        failed |= bool(reason)
        words = f"FAILED: {reason}" if reason else "as documented"
        print(f"./dev {name:<10} {words} ({time.monotonic() - began:.0f} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
