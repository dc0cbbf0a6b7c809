"""What the page of a bank's checks costs, in seconds of CPU and bytes, in processes of their own.

`python -m bench.checks [QUESTIONS …]`: a bank is filled, then each visit is in a new process: the
first, one more, one after a draft was saved. On SQLite.
"""

import json
import os
import secrets
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools.processes import scratch

QUESTIONS = (500, 5000)
SECRET_KEY = secrets.token_urlsafe(50)
VISITS = {"first visit": "visit", "a new process": "visit", "after one edit": "edit"}


def _run(folder: Path, *words: str) -> str:
    env = {
        **os.environ,
        "OCHENTA_DATABASE_URL": f"sqlite:///{folder}/ochenta.db",
        "OCHENTA_DATA_DIR": str(folder),
        "OCHENTA_SECRET_KEY": SECRET_KEY,
        "OCHENTA_LOG_LEVEL": "ERROR",
    }
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, env=env, cwd=ROOT, text=True, stdout=subprocess.PIPE, check=True)
    return done.stdout


def _measure(count: int) -> None:
    with scratch("och-bench-") as folder:
        (folder / "static").mkdir()
        _run(folder, "config.deploy")
        _run(folder, "bench.one_checks_visit", "seed", str(count))
        for name, step in VISITS.items():
            took = json.loads(_run(folder, "bench.one_checks_visit", step))
            sys.stdout.write(
                f"| {count} | {name} | {took['first']:.2f} | {took['second']:.2f}"
                f" | {took['bytes'] // 1000} |\n"
            )
            sys.stdout.flush()


def main(counts: list[int]) -> None:
    """Print a table; a step that fails ends it."""
    if min(counts) < 1:
        sys.exit("There is nothing to measure in a bank of no questions.")
    sys.stdout.write("| questions | | CPU s | CPU s again | kB |\n|---|---|---|---|---|\n")
    try:
        for count in counts:
            _measure(count)
    except subprocess.CalledProcessError as failed:
        sys.exit(f"Not measured: {' '.join(failed.cmd[1:])} ended with {failed.returncode}.")


if __name__ == "__main__":
    main([int(count) for count in sys.argv[1:]] or list(QUESTIONS))
