"""CPU that processes used, in seconds, read from /proc."""

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
IDLE_FIELDS = (3, 4)
"""Where /proc/stat counts what a processor did not work: idle, and waiting for a disk."""


def measure_cpu(pid: int) -> float:
    """Return the CPU seconds that a process and all its descendants have used."""
    parents: dict[int, list[int]] = {}
    used: dict[int, float] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        own = int(entry.name)
        parents.setdefault(int(fields[1]), []).append(own)
        used[own] = sum(map(int, fields[11:15])) / TICKS
    pending, total = [pid], 0.0
    while pending:
        process = pending.pop()
        total += used.get(process, 0.0)
        pending += parents.get(process, [])
    return total


def measure_machine_cpu() -> float:
    """Return the CPU seconds that all processes of this machine have used since it started."""
    first = Path("/proc/stat").read_text().splitlines()[0]
    times = [int(ticks) for ticks in first.split()[1:9]]  # guests are counted in user and nice
    return sum(ticks for place, ticks in enumerate(times) if place not in IDLE_FIELDS) / TICKS
