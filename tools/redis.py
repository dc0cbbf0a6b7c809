"""A throwaway Redis: nothing on disk, one port of the loopback interface, a password."""

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from tools.processes import free_port, give, running, scratch, wait_until


class NoRedisError(Exception):
    """There is no Redis to start, or it did not start; the text says why."""


def find() -> str | None:
    """Return the path of redis-server, or None."""
    return shutil.which("redis-server") or shutil.which("valkey-server")


@contextmanager
def throwaway(port: int | None = None) -> Iterator[str]:
    """Run an empty server during the block; yield its OCHENTA_REDIS_URL. Raises NoRedisError."""
    binary = find()
    if binary is None:
        raise NoRedisError("no redis-server on PATH")
    port, password = port or free_port(), secrets.token_hex(20)
    with scratch("och-redis-") as folder:
        # A file that only its user can read: everybody sees the words of a command.
        secret = folder / "redis.conf"
        secret.write_text(f"requirepass {password}\n", encoding="ascii")
        give(secret)
        command = [binary, str(secret), "--port", str(port), "--bind", "127.0.0.1"]
        command += ["--dir", str(folder), "--save", "", "--appendonly", "no", "--daemonize", "no"]
        log = folder / "log"
        with running(command, log=log, drop=True, cwd=folder) as child:
            # A listener on the port may be a stranger; only the log speaks of this server.
            if not wait_until(
                lambda: b"Ready to accept" in log.read_bytes(), seconds=20, child=child
            ):
                raise NoRedisError(f"it did not start: {log.read_text(errors='replace')[-400:]}")
            yield f"redis://:{password}@127.0.0.1:{port}/0"
