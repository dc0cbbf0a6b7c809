"""kill -9 of the web: what was acknowledged is there, what was not is sent again and kept once."""

from random import Random

from tests.faults import journal
from tests.faults.conftest import come
from tests.faults.learners import Learner, busy
from tests.faults.sites import Site

ROUNDS, SEED = 3, 80


def live_through(site: Site, learners: list[Learner], chance: Random, application: str) -> None:
    """Let all save, and kill the site at an instant that nobody chose."""
    with site.served(application) as web:
        if not learners:
            learners += come(site, web)
        with busy(learners, web.port) as bustle:
            bustle.wait_for(chance.randint(20, 60))
            bustle.over.wait(chance.random() / 50)
            web.kill()


def test_a_save_that_was_acknowledged_survives_the_death_of_the_web(site):
    learners: list[Learner] = []
    chance = Random(SEED)
    for _ in range(ROUNDS):
        live_through(site, learners, chance, "config.wsgi")
        assert not journal.lost(learners, site.url)
    with site.served() as web:
        for learner in learners:
            learner.make_sure(web.port)
    journal.assert_whole(learners, journal.entries(site.url))


def test_a_site_that_acknowledges_before_it_commits_is_caught(site):
    learners: list[Learner] = []
    chance = Random(SEED)
    live_through(site, learners, chance, "tests.faults.hasty")
    assert journal.lost(learners, site.url)
