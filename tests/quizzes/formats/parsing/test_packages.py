"""Packages: what is fit is read lazily and in order; what is made to hurt is refused at once."""

import stat
import struct
import time
import tracemalloc
import zipfile
from io import BytesIO

import pytest

from quizzes.formats.contract import FileError
from quizzes.formats.parsing.packages import Package, is_zip, open_package, write_zip
from quizzes.lib.archives.limits import ArchiveLimits

MEMBERS = [("imsmanifest.xml", b"<manifest/>"), ("a/quiz.xml", b"<quiz/>"), ("b.png", b"\x89PNG")]


def package(data: bytes, caps: ArchiveLimits | None = None) -> Package:
    opened = open_package(data, caps or ArchiveLimits())
    assert isinstance(opened, Package)
    return opened


def code(data: bytes, caps: ArchiveLimits | None = None) -> str:
    refused = open_package(data, caps or ArchiveLimits())
    assert isinstance(refused, FileError)
    return refused.code


def made(*infos: tuple[zipfile.ZipInfo | str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for info, data in infos:
            archive.writestr(info, data, method)
    return stream.getvalue()


def with_bytes(data: bytes, at: int, put: bytes) -> bytes:
    return data[:at] + put + data[at + len(put) :]


def directory(data: bytes) -> int:
    return data.index(b"PK\x01\x02")


def test_what_is_packed_is_read_back_in_its_order():
    opened = package(write_zip(MEMBERS))
    assert opened.names == ("imsmanifest.xml", "a/quiz.xml", "b.png")
    assert list(opened.members()) == MEMBERS


def test_the_same_members_give_the_same_bytes():
    assert write_zip(MEMBERS) == write_zip(list(MEMBERS))


def test_bytes_are_claimed_by_how_they_begin():
    assert is_zip(write_zip(MEMBERS))
    assert is_zip(write_zip([]))
    assert not is_zip(b"<quiz/>")


def test_folders_are_no_files_and_backslashes_part_names():
    opened = package(made(("a/", b""), ("a\\quiz.xml", b"<quiz/>")))
    assert opened.names == ("a/quiz.xml",)
    assert opened.read("a/quiz.xml") == b"<quiz/>"


def test_a_member_that_is_not_there_is_a_trouble():
    missing = package(write_zip(MEMBERS)).read("other.xml")
    assert isinstance(missing, FileError)
    assert missing.code == "member_missing"


def test_a_package_within_a_package_is_opened_and_no_further():
    inner = write_zip(MEMBERS)
    opened = package(write_zip([("in.zip", write_zip([("deep.zip", inner)]))]))
    within = opened.open_nested("in.zip")
    assert isinstance(within, Package)
    too_deep = within.open_nested("deep.zip")
    assert isinstance(too_deep, FileError)
    assert too_deep.code == "package_too_deep"
    missing = opened.open_nested("other.zip")
    assert isinstance(missing, FileError)


def test_packages_within_each_other_are_capped_together():
    inner = write_zip([("a.txt", b"a" * 600)])
    opened = package(write_zip([("in.zip", inner)]), ArchiveLimits(unpacked=600))
    within = opened.open_nested("in.zip")
    assert isinstance(within, FileError)
    assert within.code == "package_expands"


@pytest.mark.parametrize(
    "name", ["../evil", "a/../../evil", "/etc/passwd", "..\\evil", "C:\\evil", "a//b", "./a"]
)
def test_a_name_that_leads_elsewhere_is_refused(name):
    assert code(made((name, b"x"))) == "package_unsafe_name"


def test_a_name_that_ends_before_it_ends_is_refused():
    data = made(("evil.xml-safe.txt", b"x")).replace(b"evil.xml-", b"evil.xml\0")
    assert code(data) == "package_unsafe_name"


@pytest.mark.parametrize("mode", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR])
def test_links_and_devices_are_refused(mode):
    info = zipfile.ZipInfo("link")
    info.create_system, info.external_attr = 3, (mode | 0o777) << 16
    assert code(made((info, b"/etc/passwd"))) == "package_link"


def test_what_is_encrypted_is_refused():
    data = write_zip(MEMBERS)
    assert code(with_bytes(data, directory(data) + 8, b"\x01\x00")) == "package_encrypted"


def test_rare_ways_of_packing_are_refused():
    assert code(made(("a.txt", b"a" * 99), method=zipfile.ZIP_LZMA)) == "package_compression"


def test_two_files_of_one_name_are_refused():
    data = made(("a1", b"x"), ("a2", b"y")).replace(b"a2", b"a1")
    assert code(data) == "package_duplicate_name"


def test_a_package_over_the_cap_is_refused_unopened():
    assert code(write_zip(MEMBERS), ArchiveLimits(packed=10)) == "package_too_big"


@pytest.mark.parametrize(
    ("caps", "data"),
    [
        (ArchiveLimits(), b"\0" * 2_000_000),
        (ArchiveLimits(member=99), b"a" * 100),
        (ArchiveLimits(unpacked=99), b"a" * 100),
    ],
)
def test_what_unpacks_to_too_much_is_refused(caps, data):
    assert code(write_zip([("a.txt", data)]), caps) == "package_expands"


def test_a_file_that_unpacks_to_more_than_it_says_is_damaged():
    data = write_zip([("a.txt", b"a" * 5_000)])
    lies = with_bytes(data, directory(data) + 24, struct.pack("<L", 10))
    read = package(lies).read("a.txt")
    assert isinstance(read, FileError)
    assert read.code == "package_damaged"


def test_files_that_share_their_bytes_are_refused():
    data = made(("a1", b"x" * 500), ("a2", b"x" * 500))
    second = data.rindex(b"PK\x01\x02")
    assert code(with_bytes(data, second + 42, struct.pack("<L", 0))) == "package_damaged"


def test_a_file_that_reaches_into_the_list_is_refused():
    data = made(("a1", b"x" * 500), method=zipfile.ZIP_STORED)
    longer = struct.pack("<LL", 600, 600)
    assert code(with_bytes(data, directory(data) + 20, longer)) == "package_damaged"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\x03\x04",
        b"<quiz/>",
        write_zip(MEMBERS)[:-5],
        write_zip(MEMBERS) + b"more",
        write_zip(MEMBERS)[:-22] + b"PK\x06\x07" + b"\0" * 16 + write_zip(MEMBERS)[-22:],
        with_bytes(write_zip(MEMBERS), len(write_zip(MEMBERS)) - 10, b"\xff\xff\xff\x7f"),
        with_bytes(write_zip(MEMBERS), directory(write_zip(MEMBERS)), b"XXXX"),
    ],
)
def test_what_is_no_package_or_broken_says_so(data):
    assert code(data) == "package_damaged"


def test_a_comment_at_the_end_does_no_harm():
    stream = BytesIO(write_zip(MEMBERS))
    with zipfile.ZipFile(stream, "a") as archive:
        archive.comment = b"exported"
    assert package(stream.getvalue()).names == ("imsmanifest.xml", "a/quiz.xml", "b.png")


def hundred_thousand() -> bytes:
    """Build the package by hand: the library would take too long."""
    name = b"0"
    local = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 0, 0, 33, 0, 0, 0, 1, 0) + name
    entry = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 0, 0, 33, *[0] * 3, 1, *[0] * 6)
    listed = (entry + name) * 100_000
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 65535, 65535, len(listed), len(local), 0)
    return local + listed + end


def bomb() -> bytes:
    return write_zip([("a.xml", b"\0" * 49_000_000)])


@pytest.mark.parametrize(
    ("build", "expected"),
    [(hundred_thousand, "package_too_many"), (bomb, "package_expands")],
)
def test_packages_made_to_hurt_are_refused_at_once_and_in_little_memory(build, expected):
    data = build()
    tracemalloc.start()
    began = time.process_time()
    refused = code(data)
    took, (_, peak) = time.process_time() - began, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert refused == expected
    assert took < 2
    assert peak < len(data) + 20_000_000
