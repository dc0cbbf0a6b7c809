"""A throwaway Redis: nothing on disk, one port of the loopback interface, a password."""

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.processes import free_port, give, running, scratch, wait_until

READY = b"Ready to accept"
"""What its log says once it answers."""


class NoRedisError(Exception):
    """There is no Redis to start, or it did not start; the text says why."""


def find() -> str | None:
    """Return the path of redis-server, or None."""
    return shutil.which("redis-server") or shutil.which("valkey-server")


@contextmanager
def throwaway(port: int | None = None) -> Iterator[str]:
    """Run an empty server during the block; yield its OCHENTA_REDIS_URL. Raises NoRedisError."""
    with scratch("och-redis-") as folder:
        command, url = write_configuration(folder, port)
        log = folder / "log"
        with running(command, log=log, drop=True, cwd=folder) as child:
            # A listener on the port may be a stranger; only the log speaks of this server.
            if not wait_until(lambda: READY in log.read_bytes(), seconds=20, child=child):
                raise NoRedisError(f"it did not start: {log.read_text(errors='replace')[-400:]}")
            yield url


def write_configuration(folder: Path, port: int | None = None) -> tuple[list[str], str]:
    """Write its password into a folder; return the words that start it and its OCHENTA_REDIS_URL.

    Raises NoRedisError.
    """
    binary = find()
    if binary is None:
        raise NoRedisError("no redis-server on PATH")
    port, password = port or free_port(), secrets.token_hex(20)
    # A file that only its user can read: everybody sees the words of a command.
    secret = folder / "redis.conf"
    secret.write_text(f"requirepass {password}\n", encoding="ascii")
    give(secret)
    command = [binary, str(secret), "--port", str(port), "--bind", "127.0.0.1"]
    command += ["--dir", str(folder), "--save", "", "--appendonly", "no", "--daemonize", "no"]
    return command, f"redis://:{password}@127.0.0.1:{port}/0"
