"""What is done to the processes of the cluster, one after the other, while people work."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from tools.cluster.machines import WEBS, WORKERS, Machines
from tools.cluster.report import Outage
from tools.cluster.services import Service
from tools.cluster.traffic import Traffic

RECOVERY = 90.0
"""Seconds within which each learner must have saved again: more than two tries of a browser."""
LASTING = ("standby", "primary")
SERVICES = ("proxy", *WEBS, *WORKERS, "beat", "redis", "object-store", "pgbouncer")
UNSEEN = (*WORKERS, "beat")
"""What no save needs: the next outage does not wait for its start."""
PROCESSES = (*SERVICES, *LASTING)
"""All that is killed and frozen."""


class NotRecoveredError(Exception):
    """Not all learners could save again after an outage; the text names it."""


class Mortal(Protocol):
    """What can be killed, frozen and started again: a service, or a PostgreSQL."""

    def start(self) -> None:
        """Start it, and wait until it answers."""

    def kill(self) -> None:
        """Kill all its processes at once."""

    def frozen(self) -> AbstractContextManager[None]:
        """Stop all its processes during the block."""


@dataclass
class Trial:
    """The cluster, who works on it, and how long what is killed or frozen stays away."""

    machines: Machines
    traffic: Traffic
    seconds: float
    starting: list[Service] = field(default_factory=list)
    """What was started again and may not answer yet."""

    def run(self, process: str, event: str, act: Callable[[], None]) -> Outage:
        """Do something to a process; return when, once all learners could save again."""
        began = time.monotonic()
        act()
        self.wait_until_well(f"{process} {event}")
        return Outage(process, event, began, time.monotonic())

    def wait_until_well(self, after: str) -> None:
        """Wait until each learner has saved anew. Raises NotRecoveredError."""
        if not self.traffic.wait_until_all_save(time.monotonic(), RECOVERY):
            retries = dict(self.traffic.record.retries)
            raise NotRecoveredError(f"{after}: not all can save again; tried again: {retries}")

    def find(self, process: str) -> Mortal:
        """Return the process of this name, as it is now."""
        if process in LASTING:
            pair = self.machines.pair
            return pair.primary if process == "primary" else pair.standby
        return self.machines.services[process]

    def kill(self, process: str) -> None:
        """Kill a process, and start it anew after a while."""
        target = self.find(process)
        target.kill()
        time.sleep(self.seconds)
        if isinstance(target, Service) and process in UNSEEN:
            target.launch()
            self.starting.append(target)
        else:
            target.start()

    def wait_until_back(self) -> None:
        """Wait until everything answers that was started and is not on the way of a save."""
        while self.starting:
            self.starting.pop().wait_until_ready()

    def freeze(self, process: str) -> None:
        """Freeze a process for a while."""
        with self.find(process).frozen():
            time.sleep(self.seconds)

    def promote(self) -> None:
        """Kill the primary, and let the standby take over, as docs/operations.md says."""
        pair = self.machines.pair
        pair.primary.kill()
        time.sleep(self.seconds)
        pair.promote()
        self.machines.follow_primary()

    def rejoin(self) -> None:
        """Make the former primary a standby of the new one, from a new copy."""
        self.machines.pair.rejoin()

    def restart(self, web: str) -> None:
        """Let a web process end in order and start it with the code of the release."""
        service = self.machines.services[web]
        service.stop()
        service.cwd = self.machines.release
        service.start()


def run_outages(trial: Trial, processes: Sequence[str] = PROCESSES) -> Iterator[Outage]:
    """Freeze and kill each process in turn; the standby takes over from the primary."""
    for process in processes:
        yield trial.run(process, "frozen", partial(trial.freeze, process))
        if process == "primary":
            yield trial.run(process, "killed, standby promoted", trial.promote)
            yield trial.run("standby", "copied anew from the new primary", trial.rejoin)
        else:
            yield trial.run(process, "killed", partial(trial.kill, process))
    trial.wait_until_back()


def run_release(trial: Trial) -> Iterator[Outage]:
    """Migrate a large table, then restart one web process after the other with the new code."""
    yield trial.run("primary", "migrated", trial.machines.migrate)
    for web in WEBS:
        yield trial.run(web, "restarted in order", partial(trial.restart, web))
