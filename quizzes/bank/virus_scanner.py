"""Asking a virus scanner (ClamAV's `clamd`) about a file, where the site has one."""

import socket
import struct
from collections.abc import Iterator
from typing import BinaryIO, Final

from django.conf import settings

from quizzes.lib.errors import Invalid

CHUNK: Final = 64 * 1024
PATIENCE: Final = 10
"""Seconds without a sign of the scanner; below what a transaction may stand still."""
LONGEST_REPLY: Final = 1_000


def check_file(file: BinaryIO) -> None:
    """Raise Invalid where the scanner finds something (`infected`) or says nothing."""
    virus = find_virus(file)
    if virus:
        raise Invalid("infected", name=virus)


def find_virus(file: BinaryIO) -> str:
    """Return the name of what the scanner finds; "": nothing, or the site has no scanner.

    The scanner cannot say: Invalid (`not_scanned`).
    """
    if not settings.VIRUS_SCANNER:
        return ""
    try:
        reply = _ask(file)
    except OSError as failure:
        raise Invalid("not_scanned") from failure
    verdict = reply.removeprefix("stream: ")
    if verdict == "OK":
        return ""
    if not verdict.endswith(" FOUND"):
        raise Invalid("not_scanned")
    return verdict.removesuffix(" FOUND")


def _ask(file: BinaryIO) -> str:
    """Send a file by INSTREAM, each piece after its length; return what the scanner answers."""
    file.seek(0)
    with _connect() as connection:
        connection.sendall(b"zINSTREAM\0")
        for piece in _iter_pieces(file):
            connection.sendall(struct.pack(">I", len(piece)) + piece)
        connection.sendall(struct.pack(">I", 0))
        with connection.makefile("rb") as received:
            reply = received.read(LONGEST_REPLY)
    return reply.rstrip(b"\0").decode("utf-8", "replace").strip()


def _iter_pieces(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(CHUNK):
        yield piece


def _connect() -> socket.socket:
    """Connect to the scanner by its socket file, or by host and port."""
    address: str = settings.VIRUS_SCANNER
    if address.startswith("/"):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(PATIENCE)
        try:
            connection.connect(address)
        except OSError:
            connection.close()
            raise
        return connection
    host, _, port = address.rpartition(":")
    return socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE)
