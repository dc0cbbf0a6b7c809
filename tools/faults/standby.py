"""A second PostgreSQL that follows the first one, and takes over when it is told to."""

import subprocess
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from tools.faults.cluster import RECOVERY, Cluster
from tools.postgres import NAME, PORT
from tools.processes import give, unprivileged, wait_until

WAIT_FOR_STANDBY = f"ALTER SYSTEM SET synchronous_standby_names = {NAME}_standby"
"""From the next reload on the first one acknowledges no commit before the second has it, too."""
WAIT_FOR_NOBODY = "ALTER SYSTEM RESET synchronous_standby_names"
RELOAD = "SELECT pg_reload_conf()"
STANDBYS = "SELECT string_agg(sync_state, ',') FROM pg_stat_replication"


class Standby(Cluster):
    """A copy of a cluster that streams what it writes; `start` it after the first one."""

    def __init__(
        self, primary: Cluster, folder: Path, stack: ExitStack, *, is_running: bool = False
    ) -> None:
        """Copy the primary's data into a folder; `stack` ends what is started here.

        A primary that `is_running` goes on meanwhile; else it is killed first.
        """
        self._primary, self.socket, self._stack = primary, folder, stack
        words = primary.command
        data = Path(words[words.index("-D") + 1])
        if is_running:
            program = Path(words[0]).with_name("pg_basebackup")
            place = ("--host", str(primary.socket), "--port", str(PORT), "--username", NAME)
            to = ("--pgdata", str(folder / "data"), "--checkpoint", "fast", "--no-sync")
            subprocess.run([program, *place, *to], check=True, cwd=folder, **unprivileged())
        else:
            primary.kill()
            # What a killed server leaves is a state that it recovers from, and so does a copy.
            subprocess.run(["/bin/cp", "-a", data, folder / "data"], check=True, **unprivileged())
            (folder / "data" / "postmaster.pid").unlink(missing_ok=True)
        signal = folder / "data" / "standby.signal"
        signal.touch()
        give(signal)
        words[words.index("-D") + 1] = str(folder / "data")
        words[words.index("-k") + 1] = str(folder)
        source = f"host={primary.socket} port={PORT} user={NAME} application_name={NAME}_standby"
        # Of a setting that stands twice the last counts.
        self._command = [*words, "-c", f"primary_conninfo={source}"]

    def follow(self, *, synchronous: bool) -> None:
        """Start the primary, then this one, and wait until it streams."""
        self._primary.start()
        self.start()
        if synchronous:
            self.make_synchronous()
        self.wait_until_streaming("sync" if synchronous else "async")

    def make_synchronous(self) -> None:
        """Let the primary acknowledge nothing before this one has it, too."""
        self._primary.execute(WAIT_FOR_STANDBY)
        self._primary.execute(RELOAD)

    def wait_until_streaming(self, state: str) -> None:
        """Wait until the primary counts it as a standby in this state of `sync_state`."""
        assert wait_until(lambda: self._primary.read(STANDBYS) == state, seconds=30), (
            self._primary.read(STANDBYS)
        )

    def promote(self) -> None:
        """Let it take over; the primary must be dead."""
        # It first replays what it has.
        assert self.read(f"SELECT pg_promote(true, {RECOVERY})") == "True"


def build_pair_address(url: str, standby: Cluster) -> str:
    """Return the address of a database at its primary or, where that refuses, at the standby."""
    parts = urlsplit(url)
    (primary,) = (part[5:] for part in parts.query.split("&") if part.startswith("host="))
    hosts, ports = f"{primary},{standby.socket}", f"{PORT},{PORT}"
    query = f"host={hosts}&port={ports}&target_session_attrs=read-write"
    return parts._replace(query=query).geturl()
