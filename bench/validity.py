"""Whether a measurement measured anything: what it is not is a reason to end with an error.

Speed is never judged; a table of zeros, or of failures that were quick, is no measurement.
"""

from collections.abc import Iterator

from bench.load import Tally

SHOWN = 3
"""Errors of one measurement that are shown in full."""


def find_faults(name: str, tally: Tally) -> Iterator[str]:
    """Yield why the figures of a measurement mean nothing; nothing if they mean something."""
    if not tally.flows:
        yield f"{name}: not one flow was completed"
    if tally.errors:
        examples = "; ".join(tally.errors[:SHOWN])
        yield f"{name}: {len(tally.errors)} failed: {examples}"
