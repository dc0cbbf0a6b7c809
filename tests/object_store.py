"""A store that speaks the S3 protocol, on this machine: moto's server, with one empty bucket."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
import requests
from moto.server import ThreadedMotoServer

from quizzes.lib.file_store import get_file_store
from quizzes.lib.file_store.contract import FileStore
from quizzes.lib.file_store.s3 import S3FileStore
from tools import object_store
from tools.object_store import BUCKET, KEYS, REGION


class ObjectServer:
    """A server that can be stopped and started again; what it has stays."""

    def __init__(self) -> None:
        self._server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
        self._server.start()
        self.port = self._server.get_host_and_port()[1]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def post(self, path: str, body: bytes = b"") -> None:
        """Call moto's own interface."""
        requests.post(f"{self.address}/moto-api/{path}", data=body, timeout=10).raise_for_status()

    def stop(self) -> None:
        self._server.stop()

    def start(self) -> None:
        self._server = ThreadedMotoServer("127.0.0.1", port=self.port, verbose=False)
        self._server.start()


@pytest.fixture
def object_server(monkeypatch) -> Iterator[ObjectServer]:
    """The server, empty, and nothing of the surroundings that could name another store."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_CONFIG_FILE", os.devnull)
    server = ObjectServer()
    server.post("reset")
    client = connect(server)
    client.create_bucket(Bucket=BUCKET)
    yield server
    server.stop()


def connect(server: ObjectServer, service: str = "s3") -> Any:
    """Return a client of the server, beside the site's own."""
    return object_store.connect(server.address, service)


@pytest.fixture
def bucket(object_server, settings, store) -> S3FileStore:
    """The site with its files in the bucket; `store` is the folder of this machine."""
    settings.S3_STORE = {
        "bucket_name": BUCKET,
        "location": "site",
        "endpoint_url": object_server.address,
        "region_name": REGION,
        "addressing": "path",
        **KEYS,
    }
    files = get_file_store()
    assert isinstance(files, S3FileStore)
    return files


@pytest.fixture(params=["disk", "s3"])
def files(request, store) -> FileStore:
    """An empty store of each kind, which is the site's."""
    if request.param == "s3":
        request.getfixturevalue("bucket")
    return get_file_store()
