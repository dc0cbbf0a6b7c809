"""How long a corrected key takes for many attempts: `python -m bench.regrade [ATTEMPTS …]`.

On a throwaway PostgreSQL, a quiz of ten questions: the preview of all attempts, the commit in
batches, a second run, and the memory of the process. Each number of attempts has its own database.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.importing import run_in
from tools import postgres
from tools.processes import scratch

ATTEMPTS = (10_000, 100_000)


def main(counts: list[int]) -> None:
    """Print a table; a run that does not come to what its preview said ends it."""
    if min(counts) < 1:
        sys.exit("There is nothing to regrade in a quiz without attempts.")
    print("| attempts | changed | preview, s | commit, s | again, s | MB after preview | in all |")
    print("|---|---|---|---|---|---|---|")
    try:
        for count in counts:
            with postgres.throwaway() as server, scratch("och-bench-") as folder:
                run_in(server.url, folder, ["config.deploy"])
                report = json.loads(
                    run_in(server.url, folder, ["bench.one_regrade_run", str(count)])
                )
            seconds = " | ".join(f"{report[name]:.1f}" for name in ("preview", "commit", "second"))
            memory = " | ".join(f"{megabytes:.0f}" for megabytes in report["memory"])
            print(
                f"| {report['attempts']} | {report['changed']} | {seconds} | {memory} |", flush=True
            )
    except postgres.NoPostgresError as reason:
        sys.exit(f"Not measured: {reason}")
    except subprocess.CalledProcessError as failed:
        sys.exit(f"Not measured: {' '.join(failed.cmd[1:])} ended with {failed.returncode}.")


if __name__ == "__main__":
    main([int(count) for count in sys.argv[1:]] or list(ATTEMPTS))
