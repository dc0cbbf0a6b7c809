"""Whether those that work in the background can be reached, and read files safely."""

from collections.abc import Iterator, Mapping
from typing import Final

from kombu.exceptions import OperationalError

from config.celery import HEAVY, LIGHT, app
from config.doctor.findings import DeploymentFinding
from quizzes.imports.sandbox import reading_process
from quizzes.imports.sandbox.reading_process import ReaderLost

_PATIENCE: Final = 3
"""Seconds that the broker, and then the workers, have to answer."""
_LIMITS: Final[Mapping[str, str]] = {
    "network": "A reader that a file tricks could reach the network of this machine.",
    "file_access": "A reader that a file tricks could read files of the site, or run programs.",
    "cpu": "A reader that a file tricks could take all the time of this machine.",
    "memory": "A file could take all the memory of this machine.",
    "open_files": "A file could have its reader open any number of files.",
    "written_files": "A reader that a file tricks could write files.",
    "core_dumps": "A reader that fails could leave what it read on the disk.",
    "processes": "A reader that a file tricks could start other processes.",
}
_WAITING: Final[Mapping[str, str]] = {
    LIGHT: "Mails and seals of the audit log wait until one is there.",
    HEAVY: "Imports, regrades, statistics and copies of data wait until one is there.",
}
_ALLOW: Final = (
    "Allow it where the processes of the site run: for `network`, unprivileged user namespaces"
    " (`unshare`) in the kernel and in the seccomp profile of the container; for `file_access`,"
    " Landlock (Linux 5.13) in both; for `processes`, run the site as a user that is not root; for"
    " the others, the limits of the service manager. Until then import files of people you trust."
)


def find_reader() -> Iterator[DeploymentFinding]:
    """Yield the limits that this system refuses to the process that reads files."""
    try:
        refused, _ = reading_process.inspect()
    except (ReaderLost, OSError, ValueError, KeyError) as error:
        yield DeploymentFinding(
            "reader",
            f"The process that reads files cannot be started: {error}.",
            "No file can be imported.",
            "See that this user may start processes, and that memory is left.",
        )
        return
    for limit in refused:
        what = f"This system does not limit the process that reads files: {limit}."
        yield DeploymentFinding(f"reader.{limit}", what, _LIMITS[limit], _ALLOW)


def find_broker() -> Iterator[DeploymentFinding]:
    """Yield a finding if Redis is configured and does not answer, or no worker does."""
    if app.conf.task_always_eager:
        return
    try:
        with app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=1, timeout=_PATIENCE)
        by_worker = app.control.inspect(timeout=_PATIENCE).active_queues() or {}
    except (OperationalError, OSError) as error:
        yield DeploymentFinding(
            "broker",
            f"The broker does not answer: {type(error).__name__}.",
            "Web processes read and write imports themselves, which slows pages down.",
            "Start Redis, or mend OCHENTA_REDIS_URL; its password is part of the address.",
        )
        return
    if not by_worker:
        yield DeploymentFinding(
            "worker",
            "No worker answers.",
            "Imports wait until one is there.",
            "Start `celery worker` with the same environment as the web processes.",
        )
        return
    queues = {queue["name"] for listed in by_worker.values() for queue in listed}
    for name in sorted({LIGHT, HEAVY} - queues):
        yield DeploymentFinding(
            f"worker.{name}",
            f"No worker empties the queue `{name}`.",
            _WAITING[name],
            f"Start one with `--queues {name}`, or one without the option for both.",
        )
