"""The processes of a site on several machines, all of them on this one (docs/operations.md)."""

import json
import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError
from celery import Celery
from kombu.exceptions import OperationalError
from redis import Redis
from redis.exceptions import RedisError

from tools import layout, object_store, pgbouncer, redis
from tools.cluster import proxy
from tools.cluster.databases import Pair
from tools.cluster.services import Service
from tools.health_probe import status
from tools.paths import BIN, PYTHON, ROOT
from tools.processes import free_port, give, scratch
from tools.stack import SERVICES, SITE_ROLE, here

READY = 200
WEBS = ("web-1", "web-2")
WORKERS = {"worker": "light", "heavy-worker": "heavy"}
POOLED_SESSIONS = 30
UNEXPECTED = "Internal Server Error"
"""What the log begins with of a request that met an error."""
AWS_REFUSED = (BotoCoreError, ClientError)


@dataclass
class Machines:
    """All of them by name, and how the site is reached; `pair` are the databases."""

    folder: Path
    pair: Pair
    services: dict[str, Service]
    port: int
    """Where the proxy listens."""
    env: dict[str, str]
    """The environment that all processes of the site share."""
    release: Path = ROOT
    """The code that a process of the site is started with."""

    def call(self, module: str, *words: str, as_owner: bool = False) -> Any:
        """Run a module of the release to its end; return the JSON on its last line, or None."""
        env = {**self.env, "PYTHONPATH": str(self.release)}
        if as_owner:
            env["OCHENTA_DATABASE_URL"] = self.pair.build_owner_address()
            del env["OCHENTA_DATABASE_REPLICA_URL"]
        done = subprocess.run(
            [str(PYTHON), "-m", module, *words],
            env=env,
            cwd=self.release,
            text=True,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, f"{module}: {(done.stdout + done.stderr)[-3000:]}"
        lines = done.stdout.splitlines()
        return json.loads(lines[-1]) if lines and lines[-1].startswith("{") else None

    def migrate(self, *words: str) -> None:
        """Bring the tables to those of the release, past the pooler; words are of config.deploy."""
        self.env["OCHENTA_DATABASE_OWNER_URL"] = self.pair.build_owner_address()
        try:
            self.call("config.deploy", *words)
        finally:
            del self.env["OCHENTA_DATABASE_OWNER_URL"]

    def follow_primary(self) -> None:
        """Let the pooler send everybody to the server that is the primary now."""
        _write_pooler(self.folder / "pgbouncer", self.pair)
        os.kill(self.services["pgbouncer"].pid, signal.SIGHUP)

    def find_errors(self) -> str:
        """Return what web processes and workers wrote of their newest unexpected error."""
        texts = [self.services[name].log.read_text(errors="replace") for name in (*WEBS, *WORKERS)]
        places = [(text.rfind(UNEXPECTED), text) for text in texts]
        return "\n---\n".join(text[at : at + 5000] for at, text in places if at >= 0)


@contextmanager
def started() -> Iterator[Machines]:
    """Run all during the block: first what the others need."""
    with ExitStack() as stack:
        folder = stack.enter_context(scratch("och-cluster-"))
        (folder / "image" / "static").mkdir(parents=True)
        pair = Pair(stack)
        services: dict[str, Service] = {}

        def add(name: str, command: list[str | Path], ready: Callable[[], bool]) -> Service:
            own = folder / name
            own.mkdir(exist_ok=True)
            give(own)
            drop = name in {"redis", "pgbouncer"}
            log = folder / f"{name}.log"
            service = Service(name, command, ready, log, stack, cwd=own, drop=drop)
            services[name] = service
            return service

        broker = _add_redis(folder, add)
        pool = _add_pooler(folder, pair, add)
        store = _add_store(add)
        for name in ("redis", "pgbouncer", "object-store"):
            services[name].start()
        port = free_port()
        env = layout.environment(folder, port, pool, broker)
        env |= object_store.build_environment(store)
        env["OCHENTA_DATABASE_REPLICA_URL"] = pair.build_replica_address(SITE_ROLE)
        # One process of four threads in each machine: this one has few processors.
        env |= {"OCHENTA_PROXIES": "1", "OCHENTA_WEB_WORKERS": "1", "OCHENTA_LOG_LEVEL": "WARNING"}
        machines = Machines(folder, pair, services, port, env)
        machines.migrate("--static")
        _add_site(machines, broker, add)
        site = [name for name in services if services[name].child is None]
        for name in site:
            services[name].launch()
        for name in site:
            services[name].wait_until_ready()
        try:
            yield machines
        finally:
            # All at once; the stack then waits for each.
            for service in services.values():
                service.request_end()


Add = Callable[[str, list[str | Path], Callable[[], bool]], Service]


def _add_redis(folder: Path, add: Add) -> str:
    own = folder / "redis"
    own.mkdir()
    give(own)
    command, url = redis.write_configuration(own)

    def answers() -> bool:
        with suppress(RedisError), Redis.from_url(url, socket_timeout=1) as client:
            return bool(client.ping())
        return False

    add("redis", [*command], answers)
    return url


def _add_pooler(folder: Path, pair: Pair, add: Add) -> str:
    own = folder / "pgbouncer"
    own.mkdir()
    give(own)
    address = pgbouncer.build_address(own, SITE_ROLE)

    def answers() -> bool:
        # It accepts also while the primary is away.
        with suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
            probe.connect(str(own / f".s.PGSQL.{pgbouncer.PORT}"))
            return True
        return False

    add("pgbouncer", _write_pooler(own, pair), answers)
    return address


def _write_pooler(folder: Path, pair: Pair) -> list[str | Path]:
    return pgbouncer.write_configuration(
        folder,
        pair.primary.socket,
        settings=pgbouncer.SESSION_SETTINGS,
        roles=(SITE_ROLE,),
        sessions=POOLED_SESSIONS,
    )


def _add_store(add: Add) -> str:
    port = free_port()
    address = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        # It stores in memory: one that is started again has no bucket.
        with suppress(*AWS_REFUSED):
            object_store.connect(address).create_bucket(Bucket=object_store.BUCKET)
            return True
        return False

    program = BIN / object_store.PROGRAM
    add("object-store", [program, "-H", "127.0.0.1", "-p", str(port)], answers)
    return address


def _add_site(machines: Machines, broker: str, add: Add) -> None:
    """Add web, workers, scheduler and proxy, each with folders of its own."""
    ports = {name: free_port() for name in WEBS}
    for name, port in ports.items():
        ready = partial(_is_well, f"http://127.0.0.1:{port}/readyz")
        service = add(name, [*here(SERVICES["web"])], ready)
        _settle(machines, service, OCHENTA_BIND=f"127.0.0.1:{port}")
    app = Celery("cluster", broker=broker)
    for name, node in WORKERS.items():
        address = f"{node}@{socket.gethostname()}"
        service = add(name, [*here(SERVICES[name])], partial(_pings, app, address))
        _settle(machines, service)
    heartbeat = machines.folder / "beat" / "heartbeat"

    def beats() -> bool:
        return heartbeat.exists() and heartbeat.stat().st_mtime > beat.launched_at

    beat = add("beat", [*here(SERVICES["beat"])], beats)
    _settle(machines, beat, OCHENTA_HEARTBEAT=str(heartbeat))
    own = machines.folder / "proxy"
    own.mkdir()
    command = proxy.write_configuration(own, machines.port, ports)
    add("proxy", command, partial(_is_well, f"http://127.0.0.1:{machines.port}/healthz"))


def _settle(machines: Machines, service: Service, **settings: str) -> None:
    """Give a process of the site the code of the release and folders of its own."""
    own = machines.folder / service.name
    folders = {"TMPDIR": str(own), "OCHENTA_MEDIA_ROOT": str(own / "media")}
    service.env = {**machines.env, **folders, **settings}
    service.cwd = machines.release


def _is_well(url: str) -> bool:
    return status(url) == READY


def _pings(app: Celery, address: str) -> bool:
    """Return whether a worker answers."""
    with suppress(OperationalError, OSError, RedisError):
        return bool(app.control.ping(destination=[address], timeout=2))
    return False
