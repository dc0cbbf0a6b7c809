"""A primary and its synchronous standby, which change places when the primary is dead."""

import shutil
from contextlib import ExitStack

from tools import postgres
from tools.faults.cluster import Cluster
from tools.faults.standby import RELOAD, WAIT_FOR_NOBODY, Standby
from tools.postgres import NAME, PORT
from tools.processes import scratch


class Pair:
    """Two servers: `primary` acknowledges nothing that `standby` has not written, too."""

    def __init__(self, stack: ExitStack) -> None:
        """Start both; `stack` ends them."""
        server = stack.enter_context(postgres.throwaway())
        folder = stack.enter_context(scratch("och-standby-"))
        self._stack = stack.enter_context(ExitStack())
        # Started anew: it flushes as in production.
        self.primary = Cluster(server, self._stack)
        self.primary.kill()
        self.primary.start()
        self.standby = Standby(self.primary, folder, self._stack, is_running=True)
        self._follow()

    def _follow(self) -> None:
        self.standby.start()
        self.standby.make_synchronous()
        self.standby.wait_until_streaming("sync")

    def promote(self) -> None:
        """Let the standby take over from the primary, which must be dead."""
        former = self.primary
        self.standby.promote()
        self.primary = self.standby
        self._former = former

    def rejoin(self) -> None:
        """Make the former primary the standby of the new one, from a new copy."""
        folder = self._former.socket
        shutil.rmtree(folder / "data")
        self.standby = Standby(self.primary, folder, self._stack, is_running=True)
        self._follow()

    def checkpoint(self) -> None:
        """Let both begin from here when they are started again, as hours after a bulk load."""
        self.primary.execute("CHECKPOINT")
        self.standby.execute("CHECKPOINT")

    def stop_waiting(self) -> None:
        """Let the primary acknowledge without its standby: the control."""
        self.primary.execute(WAIT_FOR_NOBODY)
        self.primary.execute(RELOAD)

    def build_replica_address(self, role: str) -> str:
        """Return the address of whichever of both follows the other."""
        hosts = f"{self.primary.socket},{self.standby.socket}"
        query = f"host={hosts}&port={PORT},{PORT}&target_session_attrs=standby"
        return f"postgresql://{role}@/{NAME}?{query}"

    def build_owner_address(self) -> str:
        """Return the address of the primary for the owner of the tables, past the pooler."""
        return self.primary.url(NAME)
