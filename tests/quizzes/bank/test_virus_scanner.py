"""Files of authors go past a virus scanner, where the site has one, before they are kept."""

import socket
import struct
import threading
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from quizzes.bank import uploads, virus_scanner
from quizzes.bank.models import Bank, Media, Question
from quizzes.imports import importer
from quizzes.lib.errors import Invalid
from tests.factories import NOW
from tests.media_files import chunk, png
from tests.quizzes.imports.parcels import asked, parcel
from tests.users import Users, logged_in_client

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.enable_socket,
    pytest.mark.usefixtures("store"),
]
MARK = b"a test signature"
"""What the scanner of these tests takes for a virus."""


class Scanner:
    """Speaks as `clamd` does to INSTREAM, on a socket of its own."""

    def __init__(self, server: socket.socket) -> None:
        self.server, self.scans, self.reply = server, 0, b""

    def serve(self) -> None:
        while True:
            try:
                client, _ = self.server.accept()
            except OSError:
                return
            with client, client.makefile("rb") as received:
                self.answer(client, received)

    def answer(self, client: socket.socket, received: BinaryIO) -> None:
        assert received.read(10) == b"zINSTREAM\0"
        content = b""
        while size := struct.unpack(">I", received.read(4))[0]:
            content += received.read(size)
        self.scans += 1
        verdict = b"stream: Test.Signature FOUND" if MARK in content else b"stream: OK"
        client.sendall((self.reply or verdict) + b"\0")


@pytest.fixture(params=["network", "socket file"])
def scanner(request, settings, tmp_path: Path) -> Iterator[Scanner]:
    if request.param == "network":
        server = socket.create_server(("127.0.0.1", 0))
        settings.VIRUS_SCANNER = f"127.0.0.1:{server.getsockname()[1]}"
    else:
        server = socket.socket(socket.AF_UNIX)
        settings.VIRUS_SCANNER = str(tmp_path / "clamd")
        server.bind(settings.VIRUS_SCANNER)
        server.listen()
    running = Scanner(server)
    thread = threading.Thread(target=running.serve, daemon=True)
    thread.start()
    yield running
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    thread.join(5)


def infected() -> bytes:
    return png(2, 1, chunk(b"tEXt", b"Comment\0" + MARK))


def save(bank: Bank, users: Users, content: bytes) -> Media:
    return uploads.save_media(bank=bank, file=BytesIO(content), name="a.png", by=users.instructor)


def test_a_clean_file_is_kept(scanner: Scanner, into: Bank, users: Users):
    assert save(into, users, png()).size == len(png())
    assert scanner.scans == 1


def test_an_infected_file_leaves_neither_row_nor_file(scanner: Scanner, into: Bank, users, store):
    with pytest.raises(Invalid) as refused:
        save(into, users, infected())
    assert (refused.value.code, refused.value.detail) == ("infected", {"name": "Test.Signature"})
    assert not Media.objects.exists()
    assert not [path for path in Path(store).rglob("*") if path.is_file() and path.stat().st_size]


@pytest.mark.parametrize("reply", [b"INSTREAM size limit exceeded. ERROR", b"nonsense", b" "])
def test_what_was_not_scanned_is_not_kept(scanner: Scanner, into: Bank, users, reply: bytes):
    scanner.reply = reply
    with pytest.raises(Invalid) as refused:
        save(into, users, png())
    assert refused.value.code == "not_scanned"
    assert not Media.objects.exists()


@pytest.mark.parametrize("address", ["127.0.0.1:1", "/nowhere/clamd.sock"])
def test_without_an_answer_nothing_is_kept(settings, into: Bank, users: Users, address: str):
    settings.VIRUS_SCANNER = address
    with pytest.raises(Invalid) as refused:
        save(into, users, png())
    assert refused.value.code == "not_scanned"


def test_the_page_says_why(scanner: Scanner, into: Bank, users: Users):
    page = f"/admin/bank/bank/{into.pk}/files/"
    sent = {"file": SimpleUploadedFile("a.png", infected())}
    text = logged_in_client(users.instructor).post(page, sent).content.decode()
    assert "The virus scanner found something in it: Test.Signature." in text


def test_an_import_with_an_infected_picture_leaves_nothing(scanner: Scanner, into: Bank, users):
    file = parcel(asked(prompt="![A map](media:map.png)"), media={"map.png": infected()})
    with pytest.raises(Invalid, match="infected"):
        importer.run_import(bank=into, parsed_file=file, by=users.instructor, now=NOW)
    assert not Media.objects.exists()
    assert not Question.objects.exists()


def test_an_import_waits_for_the_scanner_outside_of_its_transaction(monkeypatch, into, users):
    outside, depths = len(connection.atomic_blocks), list[int]()
    monkeypatch.setattr(
        virus_scanner, "check_file", lambda _file: depths.append(len(connection.atomic_blocks))
    )
    file = parcel(asked(prompt="![A map](media:map.png)"), media={"map.png": png()})
    importer.run_import(bank=into, parsed_file=file, by=users.instructor, now=NOW)
    assert depths == [outside]


def test_where_there_is_none_nothing_is_asked(settings, into: Bank, users: Users):
    settings.VIRUS_SCANNER = ""
    assert virus_scanner.find_virus(BytesIO(MARK)) == ""
    assert save(into, users, png()).size == len(png())
