"""A replica answers what is read from it, and never with less than was committed before."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest

from tests.faults.sites import Site
from tests.faults.test_doctor_on_sites import examine
from tools.faults.cluster import Cluster
from tools.faults.standby import Standby
from tools.processes import scratch

ROUNDS = 20
MODULE = "tests.faults.replica_reads"
REPLICA = {"replica.away", "replica.lag", "replica.writable", "replica.foreign"}


@pytest.fixture
def replica(cluster: Cluster, on_postgresql: Site) -> Iterator[Standby]:
    """A copy of the cluster that streams what it commits, and that nobody waits for."""
    with scratch("och-replica-") as folder, ExitStack() as stack:
        standby = Standby(cluster, folder, stack)
        standby.follow(synchronous=False)
        yield standby
        standby.kill()  # sooner than an orderly end


@pytest.fixture
def site(on_postgresql: Site, replica: Standby) -> Site:
    name = on_postgresql.url.partition("@/")[2].partition("?")[0]
    settings = {**on_postgresql.settings, "OCHENTA_DATABASE_REPLICA_URL": replica.url(name)}
    return replace(on_postgresql, settings=settings)


def read(site: Site) -> dict[str, Any]:
    outcome: dict[str, Any] = site.call(MODULE, str(ROUNDS))
    assert outcome["seen"] == ROUNDS
    assert outcome["primary"]
    return outcome


def find_in_replica(site: Site) -> set[str]:
    return examine(site)[1] & REPLICA


def test_who_has_just_written_reads_it_whatever_becomes_of_the_replica(site, replica):
    # On a busy machine it may be late for once, and is left alone for a while.
    assert read(site)["from_replica"] > 0
    assert find_in_replica(site) == set()

    replica.execute("SELECT pg_wal_replay_pause()")
    outcome = read(site)
    assert (outcome["from_replica"], find_in_replica(site)) == (0, {"replica.lag"})
    replica.execute("SELECT pg_wal_replay_resume()")

    with replica.frozen():
        outcome = read(site)
    assert outcome["from_replica"] == 0
    assert outcome["slowest"] < 5
    assert read(site)["from_replica"] > 0

    replica.promote()
    assert (read(site)["from_replica"], find_in_replica(site)) == (0, {"replica.writable"})

    replica.kill()
    assert (read(site)["from_replica"], find_in_replica(site)) == (0, {"replica.away"})


def test_pages_and_files_are_sent_from_the_replica_whole(site):
    answers = site.call("tests.faults.replica_pages")
    assert {answer["status"] for answer in answers.values()} == {200}
    assert [name for name, answer in answers.items() if not answer["from_replica"]] == []
    assert answers["gradebook_file"]["size"] == answers["gradebook_file_of_page"]["size"] > 0
