"""What the fault tests get: real sites over both databases, made once and copied."""

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from tests.faults.sites import LEARNERS, Site, Web
from tools import postgres
from tools.faults.cluster import Cluster
from tools.faults.learners import Learner
from tools.processes import scratch

HERE = Path(__file__).parent
LOOPBACK = ["127.0.0.1"]
MARKS = pytest.mark.faults, pytest.mark.slow, pytest.mark.allow_hosts(LOOPBACK)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what lives here; it may speak to this machine, but to no other."""
    for item in items:
        if HERE in item.path.parents:
            for mark in MARKS:
                item.add_marker(mark)


@pytest.fixture(scope="session")
def embedded() -> Iterator[Site]:
    """An SQLite site that only ever is copied."""
    with scratch("och-faults-") as folder:
        yield Site(f"sqlite:///{folder}/ochenta.db", folder).prepare()


@pytest.fixture(scope="session")
def _served() -> Iterator[tuple[Cluster, Site]]:
    with ExitStack() as outer, scratch("och-faults-") as folder:
        try:
            server = outer.enter_context(postgres.throwaway())
        except postgres.NoPostgresError as reason:
            pytest.skip(f"it needs PostgreSQL: {reason}")
        site = Site(server.url, folder).prepare()
        with ExitStack() as inner:
            cluster = Cluster(server, inner)
            cluster.kill()
            cluster.start()
            yield cluster, site


@pytest.fixture
def cluster(_served: tuple[Cluster, Site]) -> Cluster:
    return _served[0]


def _make_data_folder(site: Site, folder: Path) -> None:
    """Make the data folder of a copied site: with another key its rows would not be its own."""
    (folder / "static").mkdir()
    shutil.copy(site.folder / "signing-key", folder)


@pytest.fixture
def on_postgresql(_served: tuple[Cluster, Site], tmp_path: Path) -> Site:
    cluster, site = _served
    _make_data_folder(site, tmp_path)
    return replace(site, url=cluster.copy(), folder=tmp_path)


@pytest.fixture
def on_sqlite(embedded: Site, tmp_path: Path) -> Site:
    _make_data_folder(embedded, tmp_path)
    shutil.copy(embedded.folder / "ochenta.db", tmp_path)
    return replace(embedded, url=f"sqlite:///{tmp_path}/ochenta.db", folder=tmp_path)


@pytest.fixture(params=["on_sqlite", "on_postgresql"])
def site(request) -> Site:
    site: Site = request.getfixturevalue(request.param)
    return site


def come(site: Site, web: Web, number: int = LEARNERS) -> list[Learner]:
    """Let learners come and begin; what they will choose is settled by their seed."""
    learners = [Learner(session, seed) for seed, session in enumerate(site.sessions[:number])]
    for learner in learners:
        learner.begin(web.port, site.quiz)
    return learners
