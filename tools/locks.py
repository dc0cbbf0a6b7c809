"""Writes the hash-pinned lock files anew, and reads them for what must not be in them."""

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


def run(arguments: list[str]) -> int:
    """Compile every layer, each held to the versions of the ones below; `-P name` upgrades."""
    if shutil.which("uv") is None:
        sys.exit("./dev lock needs uv on PATH.")
    for number, layer in enumerate(ORDER):
        command = [*COMPILE, *arguments, f"requirements/{layer}.in"]
        for lower in ORDER[:number]:
            command += ["-c", f"requirements/{lower}.txt"]
        if subprocess.call([*command, "-o", f"requirements/{layer}.txt"], cwd=ROOT):
            return 1
    return 0


def problems(folder: Path) -> list[str]:
    """Name every line of a lock file that mentions a host, and every pin without a hash."""
    found = []
    for lock in sorted(folder.glob("*.txt")):
        text = lock.read_text(encoding="utf-8")
        found += [
            f"{lock.name}:{number} names a host: {line.strip()}"
            for number, line in enumerate(text.splitlines(), 1)
            if HOST.search(line)
        ]
        found += [
            f"{lock.name} has no hash for {line.split()[0]}"
            for line in text.replace("\\\n", " ").splitlines()
            if "==" in line.partition("#")[0] and "--hash=sha256:" not in line
        ]
    return found


def main() -> None:
    """Check the lock files of this project; end with every problem."""
    found = problems(ROOT / "requirements")
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
