"""What is done in the process that reads: one request, answered in frames."""

import logging
import resource
import socket
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from quizzes.formats.detection import Evidence, build_evidence, find_evidence
from quizzes.formats.parsing import failures, progress
from quizzes.formats.rosters import read_roster
from quizzes.imports import parse, source_excerpts
from quizzes.imports.import_steps import ImportProgress, ImportStep, StepReporter
from quizzes.imports.sandbox import confinement
from quizzes.imports.sandbox.file_codec import encode_reading
from quizzes.imports.sandbox.frames import FrameBuffer, decode_json, encode_json_frame
from quizzes.imports.sandbox.roster_codec import encode_roster

REQUEST_FRAMES = 2
_CHUNK = 1 << 16


class _LogSender(logging.Handler):
    """Sends what readers log to the process that keeps the log."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__()
        self._connection = connection

    def emit(self, record: logging.LogRecord) -> None:
        """Send one message."""
        self._connection.sendall(encode_json_frame("log", record.getMessage()))


class _Meter:
    """Extends the time for a file as it is read, and sends how far each step is."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection, self._read_items = connection, 0
        self._reporter = StepReporter(self._send)
        confinement.limit_cpu(confinement.CPU_SECONDS)
        self.begin_step(ImportStep.READING, 0)

    def begin_step(self, step: str, total: int) -> None:
        """Begin the next step."""
        self._is_reading = step == ImportStep.READING
        self._reporter.begin_step(step, total)

    def count_item(self) -> None:
        """Count one item, or one row of a sheet: for each that is read there is more time."""
        self._reporter.count_item()
        if self._is_reading:
            self._read_items += 1
            seconds, rest = divmod(self._read_items, confinement.STEPS_PER_SECOND)
            if not rest:
                confinement.limit_cpu(confinement.CPU_SECONDS + seconds)

    def _send(self, progress: ImportProgress) -> None:
        step = [progress.step, progress.done, progress.total]
        self._connection.sendall(encode_json_frame("progress", step))


def answer_request(connection: socket.socket, refused: list[str]) -> None:
    """Read the request of a connection, and send the answer; `refused`: limits that are missing."""
    options, data = _receive(connection)
    failures.log.addHandler(_LogSender(connection))
    failures.log.propagate = False
    with progress.report_to(_Meter(connection)):
        for frame in _TASKS[options.pop("task")](data, refused, **options):
            connection.sendall(frame)
    connection.shutdown(socket.SHUT_WR)


def _receive(connection: socket.socket) -> tuple[dict[str, Any], bytes]:
    buffer, frames = FrameBuffer(), list[tuple[str, bytes]]()
    while len(frames) < REQUEST_FRAMES:
        chunk = connection.recv(_CHUNK)
        if not chunk:
            raise EOFError
        frames += buffer.feed(chunk)
    (_, options), (_, data) = frames
    return decode_json(options), data


def _read(
    data: bytes, _refused: list[str], *, filename: str, format_: str, language: str
) -> Iterable[bytes]:
    """Yield the frames of the parsed file; first, if no format was named, what it may be of.

    A file that may be of no format or of several ends there.
    """
    evidence: tuple[Evidence, ...] = ()
    if format_:
        evidence = (build_evidence(format_, data, language),)
    else:
        evidence = find_evidence(data, filename, language)
        yield _encode_evidence(evidence)
    if len(evidence) != 1:
        return
    parsed_file = parse.parse_evidence(data, evidence[0], language)
    text = evidence[0].cell_text or data
    lines = source_excerpts.line_source(text, evidence[0].format_.name)
    excerpts = map(partial(source_excerpts.item_excerpt, lines), parsed_file.items)
    yield from encode_reading(parsed_file, excerpts)


def _encode_evidence(evidence: Iterable[Evidence]) -> bytes:
    """Return a frame of what each format that a file may be of makes of it, the best first."""
    rows = [
        [
            each.format_.name,
            each.read_items,
            each.items,
            each.unexplained_lines,
            each.lines,
            each.kinds,
        ]
        for each in evidence
    ]
    return encode_json_frame("evidence", rows)


def _read_people(data: bytes, _refused: list[str], *, section: str) -> Iterable[bytes]:
    """Yield the people of a list, and what keeps it from being read."""
    yield encode_roster(read_roster(data, section))


def _inspect(_data: bytes, refused: list[str]) -> Iterable[bytes]:
    """Yield which limits this system refuses, and the seconds of CPU that it took so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    # The kernel takes the limit from root, too, and does not hold it.
    if "processes" not in refused and confinement.can_start_processes():
        refused = [*refused, "processes"]
    yield encode_json_frame("refused", refused)
    yield encode_json_frame("milliseconds", round(1000 * (usage.ru_utime + usage.ru_stime)))


_TASKS: Mapping[str, Callable[..., Iterable[bytes]]] = {
    "read": _read,
    "people": _read_people,
    "inspect": _inspect,
}
