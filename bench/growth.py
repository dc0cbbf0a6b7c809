"""How every page, list and export grows with the site: `python -m bench.growth [SIZE …]`.

A throwaway PostgreSQL is filled to each size, in responses, and the pages of one class are asked at
each. Milliseconds depend on the machine; the blocks that the database reads do not. Speed is not
judged; a page that is not shown, or a size that is none, ends it with 1.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.importing import run_in
from bench.statements import SETTINGS, counted, is_available, prepare
from tools import postgres
from tools.processes import scratch

SIZES = (10_000, 1_000_000)


def list_rows(reports: Sequence[dict[str, Any]]) -> Iterator[list[str]]:
    """Yield of each page its name, statements, milliseconds, blocks, and how both grew."""
    for name in reports[0]["pages"]:
        times, blocks = zip(*(report["pages"][name][:2] for report in reports), strict=True)
        yield [
            name,
            " ".join(dict.fromkeys(str(report["pages"][name][2]) for report in reports)),
            *(f"{milliseconds:.1f}" for milliseconds in times),
            f"{times[-1] / times[0]:.2f}",
            *(str(read) for read in blocks),
            f"{blocks[-1] / max(1, blocks[0]):.2f}",
        ]


def main(sizes: list[int], options: list[str]) -> None:
    """Print a table: of each page milliseconds and blocks at each size, and how they grew."""
    words = ["bench.one_growth_run", *map(str, sizes), *options]
    binaries = postgres.find()
    if not is_available(binaries):
        sys.exit("This needs a PostgreSQL that brings pg_stat_statements.")
    with postgres.throwaway(binaries, settings=SETTINGS) as server, scratch("och-bench-") as folder:
        run_in(server.url, folder, ["config.deploy"])
        prepare(server)
        with counted(server):
            printed = run_in(server.url, folder, words)
    reports = [json.loads(line) for line in printed.splitlines()]
    sizes_shown = [f"{report['responses']:,}" for report in reports]
    heads = ["page", "statements", *(f"{size}: ms" for size in sizes_shown), "grew"]
    heads += [*(f"{size}: blocks" for size in sizes_shown), "grew"]
    for cells in (heads, ["---"] * len(heads), *list_rows(reports)):
        sys.stdout.write(f"| {' | '.join(cells)} |\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.growth")
    parser.add_argument("sizes", type=int, nargs="*", default=SIZES, help="responses, least first")
    parser.add_argument("--one-quiz", action="store_true", help="all of them at one quiz")
    parser.add_argument("--pages", default="", help="only those with these words in their name")
    parsed = parser.parse_args()
    passed_on = ["--one-quiz"] if parsed.one_quiz else []
    main(list(parsed.sizes), [*passed_on, "--pages", parsed.pages])
