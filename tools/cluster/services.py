"""Programs of the cluster that are killed, frozen and started again, as a process manager would."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tools.faults.slaying import frozen, slay
from tools.processes import Child, running, wait_until

START = 120
"""Seconds within which a program must answer on a busy machine."""


class NotReadyError(Exception):
    """A program did not start or does not answer; the text has the end of its log."""


@dataclass
class Service:
    """One program with its children; `stack` ends whatever was started."""

    name: str
    command: Sequence[str | Path]
    is_ready: Callable[[], bool]
    log: Path
    stack: ExitStack
    env: dict[str, str] | None = None
    cwd: Path | None = None
    drop: bool = False
    patience: float = 30
    """Seconds that it has for an orderly end."""
    child: Child | None = field(default=None, init=False)
    launched_at: float = field(default=0, init=False)
    """Seconds of this machine's clock, as times of files are."""

    @property
    def pid(self) -> int:
        """Return the process id of the program that is running, or was."""
        assert self.child is not None, f"{self.name} was never started"
        return self.child.pid

    def launch(self) -> None:
        """Start it without waiting for anything."""
        self.launched_at = time.time()
        self.child = self.stack.enter_context(
            running(
                self.command,
                log=self.log,
                env=self.env,
                cwd=self.cwd,
                drop=self.drop,
                patience=self.patience,
            )
        )

    def wait_until_ready(self) -> None:
        """Wait until it answers; NotReadyError if it does not."""
        if not wait_until(self.is_ready, seconds=START, child=self.child):
            tail = self.log.read_text(errors="replace")[-2000:]
            raise NotReadyError(f"{self.name} does not answer: {tail}")

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self.launch()
        self.wait_until_ready()

    def kill(self) -> None:
        """Kill it and all its children at once."""
        slay(self.pid)

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop it and all its children during the block; connections stay as they are."""
        with frozen(self.pid):
            yield

    def request_end(self) -> None:
        """Ask it to end in order."""
        if self.child is not None and self.child.poll() is None:
            self.child.terminate()

    def stop(self) -> None:
        """Ask it to end in order, and wait until it has."""
        assert self.child is not None
        self.request_end()
        self.child.wait(self.patience)
