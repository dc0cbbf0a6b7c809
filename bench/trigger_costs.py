"""What triggers cost an attempt on PostgreSQL: attempts with and without them, in turns.

`python -m bench.trigger_costs [ROUNDS]` seeds a throwaway PostgreSQL and takes attempts of ten
questions, ten saves each, through the services. Each round takes ten as the site is, ten without
the triggers that refuse a forged record, and ten without chain, codes and receipt
(`bench/without_chain.py`). Prints the medians of all, the differences, what PostgreSQL counts for
each trigger function (`pg_stat_user_functions`; it does not count conditions in WHEN, and counting
makes each call slower), and CPU of the pure functions of chain and receipt.
"""

import json
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.importing import run_in
from tools import postgres
from tools.processes import scratch

ROUNDS = 30
STATES = {
    "with": "as it is",
    "without": "without triggers",
    "unchained": "without chain, codes and receipt",
}


def main(rounds: int) -> None:
    """Measure, and print a table in Markdown."""
    load = os.getloadavg()[0]
    with postgres.throwaway() as server, scratch("och-bench-") as folder:
        for words in (["config.deploy"], ["bench.seed", "1"]):
            run_in(server.url, folder, words)
        report = json.loads(run_in(server.url, folder, ["bench.one_trigger_run", str(rounds)]))
    print(f"PostgreSQL {server.version}, load {load:.1f}, {report['attempts']} attempts of each\n")
    print("| | median ms an attempt | of it in statements | CPU ms in Python | least |")
    print("|---|---|---|---|---|")
    for name, title in STATES.items():
        print(f"| {title} | {' | '.join(f'{spent:.2f}' for spent in report[name])} |")
    print(
        f"\nMedian of the differences of the rounds: triggers {report['difference']:.2f} ms in"
        f" statements; chain, codes and receipt {report['chain_difference']:.2f} ms of CPU"
    )
    print("\n| function | calls an attempt | ms an attempt |\n|---|---|---|")
    for name, calls, milliseconds in report["functions"]:
        print(f"| {name} | {calls:.1f} | {milliseconds:.3f} |")
    total = sum(row[2] for row in report["functions"])
    print(f"| all | {sum(row[1] for row in report['functions']):.1f} | {total:.3f} |")
    print(
        "\n| in Python | calls an attempt | CPU ms a call | CPU ms an attempt |\n|---|---|---|---|"
    )
    for name, calls, milliseconds in report["chain"]:
        print(f"| {name} | {calls} | {milliseconds:.4f} | {calls * milliseconds:.3f} |")
    chain = sum(calls * milliseconds for _, calls, milliseconds in report["chain"])
    print(f"\nTriggers, chain and receipt together: {total + chain:.2f} ms an attempt")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else ROUNDS)
