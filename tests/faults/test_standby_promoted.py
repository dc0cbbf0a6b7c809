"""A standby takes over from a primary that is dead: every acknowledged answer is there once."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import pytest

from tests.faults.conftest import come
from tests.faults.sites import Site
from tools.faults import journal
from tools.faults.cluster import Cluster
from tools.faults.learners import Bustle, busy
from tools.faults.standby import RELOAD, WAIT_FOR_NOBODY, Standby, build_pair_address
from tools.processes import scratch


@pytest.fixture
def standby(cluster: Cluster, on_postgresql: Site) -> Iterator[Standby]:
    """A copy of the cluster and its databases; both are down until `follow`."""
    with scratch("och-standby-") as folder, ExitStack() as stack:
        standby = Standby(cluster, folder, stack)
        yield standby
        standby.kill()  # sooner than an orderly end
    cluster.kill()
    cluster.start()
    cluster.execute(WAIT_FOR_NOBODY)
    cluster.execute(RELOAD)


@pytest.fixture
def pair(on_postgresql: Site, standby: Standby) -> Site:
    """The site, with the addresses of both servers."""
    return replace(on_postgresql, url=build_pair_address(on_postgresql.url, standby))


def read_journal(site: Site, server: Cluster) -> list[journal.Entry]:
    name = site.url.partition("@/")[2].partition("?")[0]
    return journal.entries(server.url(name))


def count_acknowledged(learners) -> int:
    return sum(len(learner.acknowledged) for learner in learners)


def wait_until_refused(bustle: Bustle, learners) -> None:
    """Wait until nobody's save is acknowledged any more."""
    bustle.wait_until_all_hear(learners, 503)
    acknowledged = count_acknowledged(learners)
    bustle.wait_for(len(learners), status=503)
    assert count_acknowledged(learners) == acknowledged


@pytest.mark.parametrize("is_frozen", [False, True], ids=["killed", "frozen, then fenced"])
def test_the_standby_has_every_answer_and_the_site_goes_on(cluster, standby, pair, is_frozen):
    standby.follow(synchronous=True)
    with pair.served() as web, ExitStack() as stack:
        learners = come(pair, web)
        with busy(learners, web.port) as bustle:
            bustle.wait_for(40)
            if is_frozen:
                stack.enter_context(cluster.frozen())
                # Nobody tries the second server while the first one neither answers nor refuses.
                wait_until_refused(bustle, learners)
            cluster.kill()
            wait_until_refused(bustle, learners)
            standby.promote()
            bustle.wait_for(40)
        assert set(bustle.heard) == {200, 503}
        for learner in learners:
            learner.make_sure(web.port)
    journal.assert_whole(learners, read_journal(pair, standby))


def test_without_its_standby_no_answer_is_acknowledged_until_the_setting_is_taken_back(
    cluster, standby, pair
):
    standby.follow(synchronous=True)
    with pair.served() as web:
        learners = come(pair, web)
        with busy(learners, web.port) as bustle:
            bustle.wait_for(40)
            standby.kill()
            acknowledged = count_acknowledged(learners)
            # Each has one save on its way, which may have reached the standby before it died.
            assert not bustle.over.wait(3)
            assert count_acknowledged(learners) <= acknowledged + len(learners)
            acknowledged = count_acknowledged(learners)
            assert not bustle.over.wait(2)
            assert count_acknowledged(learners) == acknowledged
            cluster.execute(WAIT_FOR_NOBODY)
            cluster.execute(RELOAD)
            bustle.wait_for(40)
        for learner in learners:
            learner.make_sure(web.port)
    journal.assert_whole(learners, read_journal(pair, cluster))


def test_a_standby_that_was_away_and_is_promoted_lacks_answers_and_the_ledger_says_so(
    cluster, standby, pair
):
    standby.follow(synchronous=False)
    with pair.served() as web:
        learners = come(pair, web)
        with busy(learners, web.port) as bustle:
            bustle.wait_for(10)
            standby.kill()
            bustle.wait_for(40)
            cluster.kill()
        standby.start()
        standby.promote()
    acknowledged = {save for learner in learners for save in learner.acknowledged}
    assert acknowledged - {entry.operation for entry in read_journal(pair, standby)}
