"""How long the scoring core takes for 10,000 answers of each kind, one after another, on one core.

`python -m bench.scoring [ANSWERS]`: the answers are the examples of `fixtures/kinds`, again and
again; read from their raw form and marked, as a save and a grading do. No database, no Django.
"""

import json
import sys
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from grading.contract import InvalidAnswer
from grading.kinds import KINDS

EXAMPLES = Path(__file__).resolve().parents[1] / "fixtures" / "kinds"
ANSWERS = 10_000


def answered(kind: str) -> Iterator[tuple[dict[str, Any], Any, str]]:
    """Yield question, canonical answer and scoring method of each example that has an answer."""
    fixture = json.loads((EXAMPLES / f"{kind}.json").read_text(encoding="utf-8"))
    for example in fixture["examples"]:
        question = fixture["questions"][example["question"]]
        if example.get("answer") is not None:
            yield from (
                (question, example["answer"], scoring_method)
                for scoring_method in question["scoring_methods"]
            )


def measure(kind: str, count: int) -> tuple[float, float]:
    """Return the CPU seconds of reading and of marking so many answers."""
    verbs = KINDS[kind]
    cases = list(islice(cycle(answered(kind)), count))
    if not cases:
        raise ValueError(f"{kind}: no example has an answer")
    begun = time.process_time()
    for question, answer, _ in cases:
        if isinstance(verbs.parse(question["content"], answer), InvalidAnswer):
            raise TypeError(f"{kind}: a canonical answer was not read")
    between = time.process_time()
    for question, answer, scoring_method in cases:
        verbs.score(question["content"], question["key"], answer, scoring_method)
    return between - begun, time.process_time() - between


def main(count: int) -> None:
    """Print a table, a line a kind."""
    if count < 1 or not KINDS:
        sys.exit("There is nothing to measure.")
    sys.stdout.write(f"| {count} answers | read, s | mark, s |\n|---|---|---|\n")
    for kind in KINDS:
        read, mark = measure(kind, count)
        sys.stdout.write(f"| {kind} | {read:.2f} | {mark:.2f} |\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else ANSWERS)
