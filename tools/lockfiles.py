"""Writes the hash-pinned lock files anew, and reads them for what must not be in them.

`--check` needs no uv and no network: every requirement is pinned, each layer to the versions of the
ones below, each pin with its hashes and none with a place. Whether newer versions are out, and
whether the pins still follow from the requirements of packages, only uv can tell.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from tools.environment import ORDER
from tools.paths import ROOT

COMPILE = (
    *("uv", "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"),
    *("--generate-hashes", "--no-emit-index-url", "--no-emit-find-links", "--no-header"),
)
# An address, a registry option or a direct reference: the file must work with any registry.
HOST = re.compile(
    r"\w+://|^\s*--?(?:index-url|extra-index-url|find-links|trusted-host|f|i)\b|\s@\s"
)
# A pin of a lock file, and a requirement, with its version where it asks for exactly that one.
PIN = re.compile(r"([A-Za-z0-9][\w.-]*)(?:\[[^]]*\])?==([^\s;\\]+)")
NAME = re.compile(r"([A-Za-z0-9][\w.-]*)(?:\[[^]]*\])?(?:==([^\s;]+))?")


def run(arguments: list[str]) -> int:
    """Compile every layer, each with the versions of the ones below; `-P name` upgrades."""
    if arguments == ["--check"]:
        return check(ROOT / "requirements")
    if shutil.which("uv") is None:
        sys.exit("./dev lock needs uv on PATH.")
    for number, layer in enumerate(ORDER):
        command = [*COMPILE, *arguments, f"requirements/{layer}.in"]
        for lower in ORDER[:number]:
            command += ["-c", f"requirements/{lower}.txt"]
        if subprocess.call([*command, "-o", f"requirements/{layer}.txt"], cwd=ROOT):
            return 1
    return 0


def check(folder: Path) -> int:
    """Print what is wrong with the lock files, or how many pins were looked at; return 1 or 0."""
    faults = problems(folder)
    for fault in faults:
        print(fault, file=sys.stderr)
    if not faults:
        pins = sum(len(pinned(folder / f"{layer}.txt")) for layer in ORDER)
        print(f"{pins} pins in {len(ORDER)} lock files, each with its hashes")
    return 1 if faults else 0


def problems(folder: Path) -> list[str]:
    """Return what is wrong: no pins, a place, a pin without hash, a requirement without pin."""
    faults = []
    below: dict[str, str] = {}
    for layer in ORDER:
        lock = folder / f"{layer}.txt"
        pins = pinned(lock)
        if not pins:
            faults.append(f"{lock.name} has no pins")
            continue
        faults += _places(lock)
        faults += [f"{lock.name} has no hash for {pin}" for pin in _bare(lock)]
        faults += [
            f"{lock.name} has {name} {version}, a layer below has {below[name]}"
            for name, version in pins.items()
            if below.get(name, version) != version
        ]
        below |= pins
        faults += _unpinned(folder / f"{layer}.in", below)
    return faults


def _lines(lock: Path) -> list[str]:
    text = lock.read_text(encoding="utf-8") if lock.exists() else ""
    return [line.strip() for line in text.replace("\\\n", " ").splitlines()]


def pinned(lock: Path) -> dict[str, str]:
    """Return the version that a lock file pins each package to, by its normal name."""
    return {_normal(pin[1]): pin[2] for line in _lines(lock) if (pin := PIN.match(line))}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _places(lock: Path) -> list[str]:
    """Return a sentence for every line that mentions a host or another place."""
    return [
        f"{lock.name}:{number} names a host: {line.strip()}"
        for number, line in enumerate(lock.read_text(encoding="utf-8").splitlines(), 1)
        if HOST.search(line)
    ]


def _bare(lock: Path) -> list[str]:
    """Return every pin without a hash."""
    pins = (line for line in _lines(lock) if "==" in line.partition("#")[0])
    return [line.split()[0] for line in pins if "--hash=sha256:" not in line]


def _unpinned(source: Path, pins: dict[str, str]) -> list[str]:
    """Return a sentence for every requirement without a pin to the version that it asks for."""
    faults = []
    for line in _lines(source):
        required = NAME.match(line)
        if required is None:
            continue
        version = pins.get(_normal(required[1]))
        if version is None:
            faults.append(f"{source.name} asks for {required[1]}, which is not pinned")
        elif required[2] and required[2] != version:
            faults.append(
                f"{source.name} asks for {required[1]} {required[2]}, pinned is {version}"
            )
    return faults


def main() -> None:
    """Check the lock files of this project; end with every problem."""
    sys.exit(check(ROOT / "requirements"))


if __name__ == "__main__":
    main()
