"""Files that are damaged in one place, read as the site reads them: in the confined process.

Whatever comes of a file, its process ends by itself, or with a refusal that has a name: within 2 s
of CPU and 200 MB of memory, without a file, a connection or a program of its own. Such things end
the process here with a code that no refusal has. The checks are tried on what was read, too.
"""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from zipfile import ZipFile

import pytest

from quizzes.formats import FORMATS
from quizzes.formats.parsing.packages import write_zip
from quizzes.imports import lint_file
from quizzes.imports.sandbox import reading_process
from quizzes.imports.sandbox.file_codec import decode_reading
from quizzes.imports.sandbox.frames import decode_json, encode_frame
from quizzes.imports.sandbox.reading_process import ReaderLost
from tests.quizzes.imports.example_files import Example, corpus_examples, own_examples
from tests.quizzes.imports.sandbox.servers import changed_server

IN_CI = 30
EACH = int(os.environ.get("OCHENTA_MUTATIONS", IN_CI))
"""Damaged files of each example; the environment asks for a longer run, over other people's too."""
MAX_SECONDS, MAX_KILOBYTES = 2, 200_000
"""CPU for a file, whatever is in it; and memory, beyond what the process has before it begins."""
WATCHED = """
import os, resource, socket, sys
from quizzes.imports.sandbox import worker
from quizzes.imports.sandbox.frames import encode_json_frame

reading = []
REFUSED = (
    "os.exec", "os.fork", "os.forkpty", "os.link", "os.mkdir", "os.posix_spawn", "os.putenv",
    "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.system", "os.truncate", "shutil",
    "socket.bind", "socket.connect", "socket.getaddrinfo", "socket.gethostbyname",
    "subprocess.Popen", "ctypes.dlopen",
)

def end_if_refused(event, arguments):
    if not reading:
        return
    writes = event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if writes or event.startswith(REFUSED):
        os._exit(97)

def measure():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss

def read_watched(data, refused, **options):
    seconds, kilobytes = measure()
    reading.append(True)
    if options["filename"].startswith("escape: "):
        exec(options["filename"][8:])
    yield from read(data, refused, **options)
    reading.clear()
    now, most = measure()
    usage = {"milliseconds": round(1000 * (now - seconds)), "kilobytes": most - kilobytes}
    yield encode_json_frame("usage", usage)

read = worker._TASKS["read"]
worker._TASKS = {**worker._TASKS, "read": read_watched}
sys.addaudithook(end_if_refused)
"""
"""Has a process end with 97 where it reaches out while it reads, and say what it used."""
OWN = own_examples()
EXAMPLES = (
    [*OWN, *corpus_examples()]
    if EACH > IN_CI
    else list({example.format: example for example in OWN}.values())
)

_PATTERNS = (
    re.compile(rb"<([\w:.-]+)[^<>]*>[^<>]*</\1>|<[\w:.-]+[^<>]*/>"),  # an element
    re.compile(rb"</?[\w:.-]+[^<>]*>"),  # a tag
    re.compile(rb"\s[\w:.-]+=\"[^\"]*\""),  # an attribute
    re.compile(rb"(?<==\")[^\"]+(?=\")|(?<=>)[^<>]+(?=<)|\d+(?:\.\d+)?"),  # a value
)
_STRANGE = (b"", b"-1", b"0", b"1e999", b"NaN", b"\xff\xfe", b"\x00", b"9" * 40, "ñ²".encode())


def mutate(data: bytes, chance: Random) -> bytes:
    """Damage bytes in one place: a part is left out or is another, lines go, stand twice, end."""
    way = chance.randrange(8)
    if way < len(_PATTERNS) and (matches := list(_PATTERNS[way].finditer(data))):
        match = chance.choice(matches)
        instead = chance.choice(_STRANGE) if way == len(_PATTERNS) - 1 else b""
        return data[: match.start()] + instead + data[match.end() :]
    first, last = sorted(chance.randrange(len(data) + 1) for _ in "ab")
    if way == 4:
        return data[:first]
    if way == 5:
        return data[:first] + data[last:] + data[first:last]
    lines = data.split(b"\n")
    line = chance.randrange(len(lines))
    again = lines[line : line + 1] * chance.choice((0, 2))
    return b"\n".join([*lines[:line], *again, *lines[line + 1 :]])


def mutated(example: Example, chance: Random) -> bytes:
    """Damage a file; of a package, one of its members, or now and then the package."""
    if not example.data.startswith(b"PK") or chance.randrange(6) == 0:
        return mutate(example.data, chance)
    with ZipFile(BytesIO(example.data)) as package:
        members = [(name, package.read(name)) for name in package.namelist()]
    hit = chance.randrange(len(members))
    if chance.randrange(10) == 0:
        return write_zip(members[:hit] + members[hit + 1 :])
    name, data = members[hit]
    members[hit] = (name, mutate(data, chance))
    return write_zip(members)


DETECT = {"task": "read", "format_": "", "language": ""}


@contextmanager
def reproducible(data: bytes, seed: str) -> Iterator[None]:
    """Save the file of a failure, and say where it is and of which example and number it came."""
    try:
        yield
    except BaseException as error:
        folder = Path(mkdtemp(prefix="ochenta-fuzz-"))
        (folder / "file").write_bytes(data)
        error.add_note(f"seed {seed}: the file is {folder / 'file'}")
        raise


@pytest.mark.usefixtures("readers")
@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_a_damaged_file_is_read_or_refused_in_its_bounds(example):
    chance = Random(str(example))
    for number in range(EACH):
        data, name = mutated(example, chance), example.name.rpartition("/")[2]
        with reproducible(data, f"{example}-{number}"):
            read_everywhere(example, data, name)
            if number % 5 == 0:
                list(reading_process._ask({**DETECT, "filename": name}, data))


@pytest.fixture(scope="module")
def readers() -> Iterator[None]:
    """A server whose processes are watched, for all files."""
    with changed_server(WATCHED):
        yield


def read_everywhere(example: Example, data: bytes, name: str) -> None:
    """Read a file as its own format, and hold that all bounds were kept."""
    options = {"task": "read", "filename": name, "format_": example.format, "language": ""}
    usage, frames = ask(options, data)
    assert usage["milliseconds"] < 1000 * MAX_SECONDS
    assert usage["kilobytes"] < MAX_KILOBYTES
    file = decode_reading(frames)
    assert {error.code for error in file.parsed_file.errors}.isdisjoint({"reader_failed"})
    assert len(file.excerpts) == len(file.parsed_file.items)
    if not file.parsed_file.errors:
        lint_file.lint_parsed_file(file.parsed_file)


def ask(options: dict[str, str], data: bytes) -> tuple[dict[str, int], bytes]:
    """Return what the process used, and the frames of the file; ReaderLost where it was ended."""
    frames = dict[str, bytes]()
    answer = []
    for kind, body in reading_process._ask(options, data):
        frames[kind] = body
        answer.append(encode_frame(kind, body))
    usage: dict[str, int] = decode_json(frames["usage"])
    return usage, b"".join(answer)


ESCAPE = "escape: "
"""The beginning of a file's name whose rest is done by the process before it reads."""
ESCAPES = {
    "a file": "open('/tmp/ochenta-fuzz-escape', 'w')",
    "a removal": "os.remove('/tmp/ochenta-fuzz-escape')",
    "a connection": "socket.socket().connect(('127.0.0.1', 9))",
    "a program": "os.system('true')",
    "much memory": "globals().update(filling=b'x' * 300_000_000)",
    "much time": "[None for _ in range(200_000_000)]",
}


@pytest.mark.usefixtures("readers")
@pytest.mark.parametrize("does", ESCAPES)
def test_what_a_reader_must_not_do_is_seen(does):
    with pytest.raises((AssertionError, ReaderLost)):
        read_everywhere(OWN[0], OWN[0].data, ESCAPE + ESCAPES[does])


def test_a_damaged_file_is_another():
    """The mutations do damage: a hundred give many different files."""
    for example in EXAMPLES[:3]:
        mutants = {mutated(example, Random(n)) for n in range(100)}
        assert len(mutants - {example.data}) > 30
    assert {example.format for example in OWN} == FORMATS.keys()
