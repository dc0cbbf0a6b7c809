"""The whole examination of a deployment, one part after the other."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from django.db import DatabaseError

from config.doctor import (
    checkpoints,
    database,
    disks,
    file_store,
    identity_providers,
    probes,
    processes,
    replica,
    surroundings,
)
from config.doctor.findings import DeploymentFinding

Examiner = Callable[[], Iterable[DeploymentFinding]]

_ANYWHERE: Final[tuple[Examiner, ...]] = (
    disks.find_disks,
    file_store.find_file_store,
    processes.find_reader,
    processes.find_broker,
    surroundings.find_mail,
    surroundings.find_static_files,
    surroundings.find_by_checks,
)
_IN_DATABASE: Final[tuple[Examiner, ...]] = (
    probes.find_in_process,
    database.find_settings,
    database.find_clock,
    database.find_server_disk,
    replica.find_replica,
    identity_providers.find_identity_providers,
    checkpoints.find_checkpoint_gaps,
)


def examine(url: str = "") -> Iterator[DeploymentFinding]:
    """Yield all that is wrong; `url` is the address of the running site, to be asked, too."""
    try:
        for find in _IN_DATABASE:
            yield from find()
    except DatabaseError:
        yield from probes.explain(["no database"])
    for find in _ANYWHERE:
        yield from find()
    if url:
        yield from probes.find_in_site(url)
