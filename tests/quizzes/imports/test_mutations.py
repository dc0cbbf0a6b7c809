"""Files that are damaged in one place: whatever comes of them, nothing raises.

The conftest holds that no reader failed; here the plan, the checks and the lines are tried, too.
"""

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from zipfile import ZipFile

import pytest

from quizzes.formats import FORMATS
from quizzes.formats.detection import detect_format
from quizzes.formats.parsing.packages import write_zip
from quizzes.imports import lint_file, source_excerpts
from quizzes.imports.parse import parse_upload
from quizzes.imports.sandbox.file_codec import decode_reading, encode_reading
from tests.quizzes.imports.example_files import Example, corpus_examples, own_examples

EACH = int(os.environ.get("OCHENTA_MUTATIONS", "20"))
"""Damaged files of each example; the environment asks for a longer run, over other people's too."""
MAX_SECONDS = 2
"""Seconds of CPU for a file, whatever is in it."""
OWN = own_examples()
EXAMPLES = (
    [*OWN, *corpus_examples()]
    if EACH > 20
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


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_a_damaged_file_raises_nowhere(example):
    chance = Random(str(example))
    for number in range(EACH):
        data, name = mutated(example, chance), example.name.rpartition("/")[2]
        with reproducible(data, f"{example}-{number}"):
            read_everywhere(example, data, name)


def read_everywhere(example: Example, data: bytes, name: str) -> None:
    claimed = detect_format(data, name)
    for format_ in {example.format, claimed.name if claimed else ""} - {""}:
        begun = time.process_time()
        parcel = parse_upload(data, name, format_=format_)
        frames = b"".join(encode_reading(parcel, [""] * len(parcel.items)))
        assert time.process_time() - begun < MAX_SECONDS
        assert decode_reading(frames).parsed_file == parcel
        assert {trouble.code for trouble in parcel.errors}.isdisjoint({"reader_failed"})
        lines = source_excerpts.line_source(data, format_)
        assert all(source_excerpts.item_excerpt(lines, item) is not None for item in parcel.items)
        if not parcel.errors:
            lint_file.lint_parsed_file(parcel)


def test_a_damaged_file_is_another():
    """The mutations do damage: a hundred give many different files."""
    for example in EXAMPLES[:3]:
        mutants = {mutated(example, Random(n)) for n in range(100)}
        assert len(mutants - {example.data}) > 30
    assert {example.format for example in OWN} == FORMATS.keys()
