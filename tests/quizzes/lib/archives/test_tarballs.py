"""Compressed tapes: what is fit is read in its order; what is made to hurt is refused at once."""

import gzip
import tarfile
import time
import tracemalloc
from io import BytesIO

import pytest

from quizzes.formats.contract import FileError
from quizzes.formats.parsing.packages import Package, is_tarball, open_package, write_zip
from quizzes.lib.archives.limits import ArchiveLimits

MEMBERS = {"course/course.xml": b"<course/>", "course/static/a.png": b"\x89PNG" * 300}
LONG = "course/" + "a" * 120 + "/problem.xml"


def tape(members: dict[str, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    stream = BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=form) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, BytesIO(data))
    return stream.getvalue()


def packaged(members: dict[str, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    return gzip.compress(tape(members, form), mtime=0)


def package(data: bytes, caps: ArchiveLimits | None = None) -> Package:
    opened = open_package(data, caps or ArchiveLimits())
    assert isinstance(opened, Package)
    return opened


def code(data: bytes, caps: ArchiveLimits | None = None) -> str:
    refused = open_package(data, caps or ArchiveLimits())
    assert isinstance(refused, FileError)
    return refused.code


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT])
def test_what_is_packed_is_read_in_its_order(form):
    opened = package(packaged(MEMBERS, form))
    assert opened.names == tuple(MEMBERS)
    assert dict(opened.members()) == MEMBERS
    missing = opened.read("none")
    assert isinstance(missing, FileError)
    assert missing.code == "member_missing"


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT])
def test_long_names_and_names_of_all_letters_are_read(form):
    name = LONG if form == tarfile.USTAR_FORMAT else f"{LONG}/año-{'b' * 90}.xml"
    assert package(packaged({name: b"a", "short": b"b"}, form)).names == (name, "short")


def test_folders_and_a_leading_dot_are_left_out():
    stream = BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        folder = tarfile.TarInfo("./course")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        archive.addfile(tarfile.TarInfo("./course/a.xml"))
    assert package(gzip.compress(stream.getvalue())).names == ("course/a.xml",)


def test_a_package_within_is_opened_and_capped_together():
    inner = write_zip([("a.txt", b"a" * 600)])
    assert isinstance(package(packaged({"in.zip": inner})).open_nested("in.zip"), Package)
    within = package(packaged({"in.zip": inner}), ArchiveLimits(unpacked=10_500)).open_nested(
        "in.zip"
    )
    assert isinstance(within, Package)
    tight = package(packaged({"in.zip": inner, "b": b"b" * 9_000}), ArchiveLimits(unpacked=20_480))
    assert isinstance(tight.open_nested("in.zip"), Package)


def test_it_is_known_by_how_it_begins():
    assert is_tarball(packaged(MEMBERS))
    assert not is_tarball(write_zip([]))
    assert not is_tarball(b"")


@pytest.mark.parametrize(
    "name", ["../evil", "a/../../evil", "/etc/passwd", "..\\evil", "C:\\evil", "a//b"]
)
def test_a_name_that_leads_elsewhere_is_refused(name):
    assert code(packaged({name: b"x"}, tarfile.GNU_FORMAT)) == "package_unsafe_name"


@pytest.mark.parametrize(
    "kind",
    [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, b"S"],
)
def test_links_devices_and_sparse_files_are_refused(kind):
    stream = BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        info = tarfile.TarInfo("link")
        info.type, info.linkname = kind, "/etc/passwd"
        archive.addfile(info)
    assert code(gzip.compress(stream.getvalue())) == "package_link"


def test_two_files_of_one_name_are_refused():
    data = gzip.compress(tape({"a": b"x"})[:1024] + tape({"a": b"y"}))
    assert code(data) == "package_duplicate_name"


@pytest.mark.parametrize(
    ("caps", "expected"),
    [
        (ArchiveLimits(packed=10), "package_too_big"),
        (ArchiveLimits(unpacked=5_000), "package_expands"),
        (ArchiveLimits(member=100), "package_expands"),
        (ArchiveLimits(entries=0), "package_too_many"),
        (ArchiveLimits(small=10, ratio=1), "package_expands"),
    ],
)
def test_what_is_over_a_cap_is_refused(caps, expected):
    assert code(packaged(MEMBERS), caps) == expected


def sized(digits: bytes) -> bytes:
    """A file whose own header tells another size than the tape does."""
    data = bytearray(tape({"PaxHeader": b"%d %s\n" % (len(digits) + 4, digits), "a": b"x"}))
    data[156:157] = b"x"
    data[148:156] = b"%06o\0 " % (sum(data[:148]) + 256 + sum(data[156:512]))
    return gzip.compress(bytes(data))


@pytest.mark.parametrize("digits", [b"size=999999", b"GNU.sparse.major=1"])
def test_a_second_size_is_refused(digits):
    assert code(sized(digits)) == "package_damaged"


def test_what_else_a_header_tells_is_not_needed():
    assert package(sized(b"mtime=1.5")).names == ("a",)


@pytest.mark.parametrize(
    "data",
    [
        b"\x1f\x8b\x08",
        b"\x1f\x8b\x08" + b"x" * 99,
        packaged(MEMBERS)[:-9],
        gzip.compress(b"no tape at all" * 99, mtime=0),
        gzip.compress(tape(MEMBERS)[:900], mtime=0),
        gzip.compress(tape(MEMBERS).replace(b"ustar", b"usta!", 1), mtime=0),
        gzip.compress(tape(MEMBERS)[:124] + b"-0000000001\0" + tape(MEMBERS)[136:], mtime=0),
    ],
)
def test_what_is_no_tape_or_broken_says_so(data):
    assert code(data) == "package_damaged"


def test_an_empty_tape_holds_nothing():
    assert package(gzip.compress(b"\0" * 10_240)).names == ()


def many() -> bytes:
    block = tape({"a": b""})[:512]
    return gzip.compress(block * 100_000, compresslevel=1)


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (lambda: gzip.compress(b"\0" * 400_000_000, compresslevel=1), "package_expands"),
        (lambda: gzip.compress(gzip.compress(b"\0" * 90_000_000)), "package_damaged"),
        (many, {"package_duplicate_name", "package_expands"}),
    ],
    ids=["bomb", "bomb in a bomb", "many"],
)
def test_tapes_made_to_hurt_are_refused_at_once_and_in_little_memory(build, expected):
    data = build()
    tracemalloc.start()
    began = time.process_time()
    refused = code(data)
    took, (_, peak) = time.process_time() - began, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert refused in expected
    assert took < 2
    assert peak < 200_000_000
