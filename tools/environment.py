"""Makes .venv from the hash-pinned lock files, and makes it again only when they change.

A stamp inside .venv records the Python version and the hash of every lock file installed.
"""

import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL

from tools.files import read_note, write_note
from tools.paths import ROOT, VENV, data_dir

STAMP = "ochenta-stamp.json"
ORDER = ("base", "dev", "browser")
NO_VENV = (
    "Python's venv module is incomplete on this machine: install it "
    "(Debian and Ubuntu: apt-get install python3-venv) or put uv on PATH."
)


def expected_stamp(layers: Sequence[str], root: Path = ROOT) -> dict[str, str]:
    """Return the stamp that an environment with these layers has: name -> version or hash."""
    stamp = {"python": ".".join(str(part) for part in sys.version_info[:3])}
    for layer in layers:
        lock = root / "requirements" / f"{layer}.txt"
        stamp[layer] = hashlib.sha256(lock.read_bytes()).hexdigest()
    return stamp


def read_stamp(venv: Path) -> dict[str, str]:
    """Return the stamp of an environment; empty if there is none or it is damaged."""
    return read_note(venv / STAMP) if (venv / "bin/python").exists() else {}


def plan(layers: Sequence[str], stamp: dict[str, str], root: Path = ROOT) -> tuple[bool, list[str]]:
    """Decide from a stamp: (start afresh?, layers to install, in order).

    A changed Python or lock file starts afresh, with the layers that were there before; a
    layer that is only missing is added.
    """
    all_layers = [layer for layer in ORDER if layer in stamp or layer in layers]
    target = expected_stamp(all_layers, root)
    if stamp and all(target.get(name) == value for name, value in stamp.items()):
        return False, [layer for layer in all_layers if layer not in stamp]
    return True, all_layers


def ensure(*layers: str) -> None:
    """Bring .venv up to these layers of requirements; does nothing when the stamp agrees."""
    with _only_one():
        afresh, missing = plan(layers, read_stamp(VENV))
        if not missing:
            return
        uv = _uv()
        if afresh:
            print("Making .venv ...", flush=True)
            _create(uv)
        for layer in missing:
            print(f"Installing requirements/{layer}.txt ...", flush=True)
            _install(uv, ROOT / "requirements" / f"{layer}.txt")
            done = {**read_stamp(VENV), **expected_stamp([layer])}
            write_note(VENV / STAMP, done)


@contextmanager
def _only_one() -> Iterator[None]:
    """Hold the lock that keeps two commands from building the environment at once."""
    with (data_dir() / "venv.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _uv() -> str | None:
    """Return the path of a uv that answers: a shim on PATH may lead nowhere."""
    uv = shutil.which("uv")
    if uv is None:
        return None
    return uv if subprocess.call([uv, "--version"], stdout=DEVNULL, stderr=DEVNULL) == 0 else None


def _create(uv: str | None) -> None:
    shutil.rmtree(VENV, ignore_errors=True)
    if uv:
        failed = subprocess.call([uv, "venv", "--quiet", "--python", sys.executable, VENV])
    else:
        if not all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
            sys.exit(NO_VENV)
        failed = subprocess.call([sys.executable, "-m", "venv", VENV])
    if failed:
        sys.exit("The virtual environment could not be made; the reason is above.")


def _install(uv: str | None, lock: Path) -> None:
    """Install what a lock names and nothing else: it holds all that its packages ask for.

    Without `--no-deps` pip looks for the newest `coverage[toml]`, for it is locked as `coverage`,
    and refuses it on the day on which a release of it is not the locked one.
    """
    python = str(VENV / "bin/python")
    options = ["--no-deps", "--require-hashes", "-r", str(lock)]
    if uv:
        command = [uv, "pip", "install", "--quiet", "--python", python]
        if subprocess.call([*command, *options]) == 0:
            return
        print("uv could not install; trying pip, which may know another registry.", flush=True)
        subprocess.call([python, "-m", "ensurepip", "--upgrade"], stdout=DEVNULL, stderr=DEVNULL)
    quiet = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    command = [python, "-m", "pip", "install", "--quiet", *options]
    if subprocess.call(command, env=quiet):
        sys.exit(f"{lock.name} could not be installed; the reason is above. Is there a network?")
