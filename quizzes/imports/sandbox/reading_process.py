"""Reading a stranger's file in a process of its own: started, watched, killed when given up."""

import atexit
import contextlib
import json
import signal
import socket
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from threading import BoundedSemaphore
from typing import Any, Final

from quizzes.formats import FORMATS
from quizzes.formats.contract import FileError, ParsedFile
from quizzes.formats.parsing import failures
from quizzes.formats.rosters import RosterFile
from quizzes.imports import parse
from quizzes.imports.import_steps import ImportProgress, ImportStep, OnProgress
from quizzes.imports.sandbox.file_codec import FileReading, decode_reading, encode_reading
from quizzes.imports.sandbox.frames import (
    BrokenFrame,
    FrameBuffer,
    decode_json,
    encode_frame,
    encode_json_frame,
)
from quizzes.imports.sandbox.reader_server import ReaderServer
from quizzes.imports.sandbox.roster_codec import decode_roster
from quizzes.lib.errors import Busy, Invalid

MAX_ANSWER: Final = 512 * 1024 * 1024
"""Bytes that a process may send of one file."""
MAX_SECONDS: Final = 600.0
"""How long a file may take on the clock, however busy the machine is."""
MAX_AT_ONCE: Final = 2
"""Files that are read at the same time; others wait."""
TICK: Final = 0.25
"""Seconds between two looks whether somebody has cancelled."""
PATIENCE: Final = 2.0
"""Seconds that an upload waits for a file of a known format, one that is being read item by item;
a task reads it then, and shows how far it is."""
LONGEST_WAIT: Final = 1.0
"""Seconds that a request waits for its turn: the threads that wait answer no pages."""
_CHUNK: Final = 1 << 18
_FILE_FRAMES: Final = frozenset({"item", "media", "file"})
_FAILURES: Final = {
    "file_too_slow": "reading the file took too much time",
    "file_too_heavy": "the file takes more memory than there is",
    "reader_failed": "the reader failed on this file",
}

_AT_BEGINNING: Final = ImportProgress(ImportStep.READING, 0, 0)


def _ignore_progress(_progress: ImportProgress) -> None:
    pass


@dataclass(frozen=True, slots=True)
class FormatEvidence:
    """What a format would make of a file: how many of its items and lines it can read.

    `kinds` are those of the questions, the most frequent first.
    """

    format: str
    read_items: int
    items: int
    unexplained_lines: int
    lines: int
    kinds: tuple[str, ...] = ()


class ReaderLost(Exception):
    """The process ended without an answer: `code` says why, as far as that can be exit_message."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class _OutOfPatience(Exception):
    """A file is read well, but not at once."""


_server = ReaderServer()
_turns = BoundedSemaphore(MAX_AT_ONCE)
atexit.register(_server.stop)


def read(
    data: bytes,
    filename: str,
    *,
    format_: str,
    language: str = "",
    on_progress: OnProgress = _ignore_progress,
) -> tuple[FileReading, bytes]:
    """Return a file, and its frames to be stored; what cannot be read is an error of the file."""
    options = {"task": "read", "filename": filename, "format_": format_, "language": language}
    try:
        answer = b"".join(
            encode_frame(kind, body)
            for kind, body in _ask(options, data, on_progress)
            if kind in _FILE_FRAMES
        )
        return decode_reading(answer), answer
    except ReaderLost as lost:
        return _refuse(lost.code)
    except ValueError:
        return _refuse("reader_failed")


def detect_and_read(
    data: bytes, filename: str, *, format_: str = "", language: str = ""
) -> tuple[str, bytes]:
    """Return the name of the format, this one or that of the file, and the frames of what is in it.

    There are none where the format was named, or where the file is read longer than `PATIENCE`:
    `read` reads it then. Of no format, of several or too slow: Invalid. `formats` of the error are
    those to choose from, `evidence` what each makes of the file. Busy: too many files are being
    read, and nothing came of this one.
    """
    if name := parse.check_upload(data, format_):
        return name, b""
    return _Detection().run(data, filename, language)


@dataclass(slots=True)
class _Detection:
    """One process that finds the format of a file and goes on to read it."""

    _format: str = ""
    _until: float = 0.0

    def run(self, data: bytes, filename: str, language: str) -> tuple[str, bytes]:
        options = {"task": "read", "filename": filename, "format_": "", "language": language}
        frames = list[bytes]()
        try:
            reading = _ask(options, data, self._check_patience, longest_wait=LONGEST_WAIT)
            with contextlib.closing(reading) as answer:
                for kind, body in answer:
                    if kind == "evidence":
                        self._format = _choose_format(body)
                        self._until = time.monotonic() + PATIENCE
                    elif kind in _FILE_FRAMES:
                        frames.append(encode_frame(kind, body))
        except _OutOfPatience:
            return self._format, b""
        except ReaderLost as lost:
            if self._format:
                return self._format, _refuse(lost.code)[1]
            code = "file_too_slow" if lost.code == "file_too_slow" else "format_unknown"
            raise Invalid(code, formats=tuple(FORMATS)) from None
        except (ValueError, TypeError, LookupError):
            if not self._format:
                raise Invalid("format_unknown", formats=tuple(FORMATS)) from None
            return self._format, _refuse("reader_failed")[1]
        return self._format, b"".join(frames)

    def _check_patience(self, progress: ImportProgress) -> None:
        # As long as no item was read, two seconds of CPU are all that it has.
        if self._format and progress != _AT_BEGINNING and time.monotonic() > self._until:
            raise _OutOfPatience


def _choose_format(body: bytes) -> str:
    """Return the only format that a file may be of; else Invalid."""
    evidence = list(map(_decode_evidence, decode_json(body)))
    formats = tuple(each.format for each in evidence if each.format in FORMATS)
    if not formats:
        raise Invalid("format_unknown", formats=tuple(FORMATS))
    if len(formats) > 1:
        raise Invalid("format_ambiguous", formats=formats, evidence=tuple(map(asdict, evidence)))
    return formats[0]


def _decode_evidence(row: Sequence[Any]) -> FormatEvidence:
    name, read_items, items, unexplained_lines, lines, kinds = row
    return FormatEvidence(
        str(name),
        int(read_items),
        int(items),
        int(unexplained_lines),
        int(lines),
        tuple(map(str, kinds)),
    )


def read_people(data: bytes, section: str = "") -> RosterFile:
    """Return the people of a list; what cannot be read has errors. `section`: see `read_roster`.

    Busy: too many files are being read.
    """
    try:
        options = {"task": "people", "section": section}
        answer = _ask(options, data, longest_wait=LONGEST_WAIT)
        (roster,) = (decode_roster(body) for kind, body in answer if kind == "people")
    except ReaderLost as lost:
        return RosterFile(errors=(FileError(1, "", lost.code, _FAILURES[lost.code]),))
    except ValueError:
        return RosterFile(errors=(FileError(1, "", "reader_failed", _FAILURES["reader_failed"]),))
    return roster


def inspect() -> tuple[list[str], int]:
    """Return which limits this system refuses, and the milliseconds of CPU of a new process."""
    answer = {kind: decode_json(body) for kind, body in _ask({"task": "inspect"}, b"")}
    return answer["refused"], answer["milliseconds"]


def _refuse(code: str) -> tuple[FileReading, bytes]:
    refused = ParsedFile(errors=(FileError(1, "", code, _FAILURES[code]),))
    return FileReading(refused), b"".join(encode_reading(refused, ()))


@contextlib.contextmanager
def _turn(longest_wait: float | None) -> Iterator[None]:
    """Wait until a file may be read, for ever or as many seconds; Busy when they are over."""
    if not _turns.acquire(timeout=longest_wait):
        raise Busy
    try:
        yield
    finally:
        _turns.release()


def _ask(
    options: dict[str, Any],
    data: bytes,
    on_progress: OnProgress = _ignore_progress,
    *,
    longest_wait: float | None = None,
) -> Generator[tuple[str, bytes], None, None]:
    """Yield the frames that a process answers; when this ends early, the process is killed."""
    with _turn(longest_wait):
        connection, status = _server.connect()
        with connection, status:
            connection.settimeout(TICK)
            yield from _Conversation(connection, status, on_progress).run(options, data)


@dataclass(slots=True)
class _Conversation:
    """One request and its answer."""

    connection: socket.socket
    status: socket.socket
    on_progress: OnProgress
    _progress: ImportProgress = _AT_BEGINNING
    _until: float = field(default_factory=lambda: time.monotonic() + MAX_SECONDS)

    def run(self, options: dict[str, Any], data: bytes) -> Iterator[tuple[str, bytes]]:
        """Send the request, and yield the frames of the answer."""
        request = encode_json_frame("options", options) + encode_frame("data", data)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._send(memoryview(request))
        buffer, received = FrameBuffer(), 0
        while chunk := self._receive():
            received += len(chunk)
            if received > MAX_ANSWER:
                raise BrokenFrame("the answer is too large")
            for kind, body in buffer.feed(chunk):
                if kind == "progress":
                    step, done, total = decode_json(body)
                    self._progress = ImportProgress(ImportStep(step), int(done), int(total))
                    self.on_progress(self._progress)
                elif kind == "log":
                    failures.log.error("%s", decode_json(body))
                else:
                    yield kind, body
        self._check_end()

    def _send(self, request: memoryview) -> None:
        while request:
            try:
                request = request[self.connection.send(request) :]
            except TimeoutError:
                self._tick()

    def _receive(self) -> bytes:
        while True:
            try:
                return self.connection.recv(_CHUNK)
            except TimeoutError:
                self._tick()
            except ConnectionResetError:
                return b""

    def _tick(self) -> None:
        self.on_progress(self._progress)
        if time.monotonic() > self._until:
            raise ReaderLost("file_too_slow")

    def _check_end(self) -> None:
        """Raise ReaderLost unless the process ended as it should."""
        self.status.settimeout(MAX_SECONDS)
        exit_message = self.status.recv(100)
        exit_code = json.loads(exit_message) if exit_message else -signal.SIGKILL
        if exit_code:
            too_slow = exit_code == -signal.SIGXCPU
            raise ReaderLost("file_too_slow" if too_slow else "reader_failed")
