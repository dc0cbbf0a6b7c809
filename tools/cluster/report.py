"""The table of the check: what each outage cost those who saved. Pure: moments in, lines out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tools.cluster.clients import Save

HEADER = (
    "| process | what happened | seconds without a save | longest save, seconds "
    "| saves acknowledged | failed |\n|---|---|---|---|---|---|"
)


@dataclass(frozen=True)
class Outage:
    """Something that happened to a process, from `began` to `ended`, seconds of a steady clock."""

    process: str
    event: str
    began: float
    ended: float


@dataclass(frozen=True)
class Effect:
    """What an outage cost."""

    silence: float
    """The longest time, in seconds, in which nobody had a save acknowledged."""
    longest: float
    """How many seconds one learner waited at most, all tries together."""
    acknowledged: int
    """Saves, meanwhile."""
    failed: int
    """Requests that failed for good."""


def measure(outage: Outage, saves: Iterable[Save], failures: Iterable[float]) -> Effect:
    """Return what an outage cost, by all saves and the moments of all failures.

    The silence counts from the last save before the outage; a save belongs to it that was on its
    way meanwhile.
    """
    saves = list(saves)
    moments = sorted(save.acknowledged for save in saves)
    before = [moment for moment in moments if moment <= outage.began]
    during = [moment for moment in moments if outage.began < moment <= outage.ended]
    edges = [*(before[-1:] or [outage.began]), *during, outage.ended]
    waits = [
        save.seconds
        for save in saves
        if save.acknowledged > outage.began and save.sent <= outage.ended
    ]
    return Effect(
        silence=max(later - earlier for earlier, later in pairwise(edges)),
        longest=max(waits, default=0.0),
        acknowledged=len(during),
        failed=sum(outage.began < moment <= outage.ended for moment in failures),
    )


def format_row(outage: Outage, effect: Effect) -> str:
    """Return the line of the table."""
    return (
        f"| {outage.process} | {outage.event} | {effect.silence:.1f} | {effect.longest:.1f} "
        f"| {effect.acknowledged} | {effect.failed} |"
    )


def list_missing(events: Sequence[tuple[str, str]], processes: Iterable[str]) -> list[str]:
    """Return what was not done to a process of those that must each be killed and frozen."""
    return [
        f"{process} was not {event}"
        for process in processes
        for event in ("killed", "frozen")
        if not any(name == process and event in text for name, text in events)
    ]
