"""What browsers are given so that pages open without a network."""

import json
import re
import struct
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client
from django.urls import reverse, set_script_prefix

from config.static_storage import ModuleStaticFilesStorage
from quizzes.web.views import offline
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

CONSTANT = re.compile(r"^const ([A-Z_]+) = (.*);$", re.MULTILINE)


def read_constants(script: str) -> dict[str, Any]:
    head = script.split("/*", 1)[0]
    return {name: json.loads(value) for name, value in CONSTANT.findall(head)}


def ask_worker() -> dict[str, Any]:
    return read_constants(Client().get("/sw.js").content.decode())


def test_the_worker_lies_at_the_root_and_is_compared_at_each_visit():
    response = Client().get("/sw.js")
    assert (response.status_code, response["Cache-Control"]) == (200, "no-cache")
    assert response["Content-Type"] == "text/javascript; charset=utf-8"
    assert "Set-Cookie" not in response
    assert "worker-src 'self'" in response["Content-Security-Policy"]
    assert "manifest-src 'self'" in response["Content-Security-Policy"]


def test_the_worker_is_the_same_for_everybody_and_reads_nothing(users, counted):
    offline._build_worker.cache_clear()
    client = logged_in_client(users.learner)
    client.cookies["language"] = "es"
    with counted() as statements:
        own = client.get("/sw.js").content
    assert statements == []
    assert own == Client().get("/sw.js").content


def test_the_worker_stores_files_that_are_there_and_names_the_offline_page():
    constants = ask_worker()
    assert set(constants) == {"DEPLOY", "FILES", "HASHED", "OFFLINE_PAGE", "STATIC"}
    assert constants["OFFLINE_PAGE"] == reverse("offline")
    assert (constants["STATIC"], constants["HASHED"]) == ("/static/web/", False)
    files = [url.removeprefix("/static/") for url in constants["FILES"]]
    assert all(finders.find(name) for name in files)
    assert {"web/js/attempt.js", "web/js/file-worker.js", "web/css/kinds/cloze.css"} <= set(files)


def test_names_with_a_digest_are_stored_where_files_have_them(settings, tmp_path):
    storage = ModuleStaticFilesStorage(location=str(tmp_path), base_url="/static/")
    storage.hashed_files = HashedNames()
    constants = read_constants(offline._build_worker(storage, "/offline"))
    assert constants["HASHED"] is True
    assert "/static/web/js/device.digest.js" in constants["FILES"]


class HashedNames(dict[str, str]):
    """A manifest that has every file."""

    def get(self, name, default=None):
        stem, _, suffix = name.rpartition(".")
        return f"{stem}.digest.{suffix}"


def test_a_file_that_changes_makes_another_deploy(monkeypatch, tmp_path):
    offline._build_worker.cache_clear()
    before = ask_worker()["DEPLOY"]
    folder = tmp_path / "web"
    folder.mkdir()
    (folder / offline.WORKER).write_text("/* */")
    (folder / "one.js").write_text("1")
    monkeypatch.setattr(finders, "find", lambda _name: str(folder))
    deploys = {before}
    for text in ("1", "2"):
        (folder / "one.js").write_text(text)
        offline._build_worker.cache_clear()
        deploys.add(ask_worker()["DEPLOY"])
    offline._build_worker.cache_clear()
    assert len(deploys) == 3


def test_below_a_prefix_everything_is_below_it():
    set_script_prefix("/quiz/")
    try:
        script = offline._build_worker(staticfiles_storage, reverse("offline"))
        content = offline.manifest(_request(), "en").content
    finally:
        set_script_prefix("/")
    assert read_constants(script)["OFFLINE_PAGE"] == "/quiz/offline"
    assert {json.loads(content)[name] for name in ("id", "scope", "start_url")} == {"/quiz/"}


def _request():
    return Client().get("/offline").wsgi_request


@pytest.mark.parametrize(
    ("language", "words"), [("en", "quizzes that explain"), ("es", "cuestionarios que explican")]
)
def test_the_manifest_says_what_the_site_is_in_each_language(language, words):
    response = Client().get(reverse("manifest", args=[language]))
    assert response["Content-Type"] == "application/manifest+json"
    content = response.json()
    assert content["lang"] == language
    assert words in content["description"]
    assert (content["start_url"], content["scope"], content["display"]) == ("/", "/", "standalone")
    sizes = set()
    for icon in content["icons"]:
        path = finders.find(icon["src"].removeprefix("/static/"))
        assert path
        if icon["type"] == "image/png":
            width, height = struct.unpack(">2L", Path(path).read_bytes()[16:24])
            assert icon["sizes"] == f"{width}x{height}"
        sizes.add((icon["sizes"], icon["purpose"]))
    assert sizes > {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}


def test_a_manifest_in_no_language_of_the_site_is_not_there():
    assert Client().get("/manifest-xx.webmanifest").status_code == 404


def test_every_page_names_the_manifest_and_only_those_of_a_person_the_worker(users):
    page = logged_in_client(users.learner).get("/").content.decode()
    assert 'href="/manifest-en.webmanifest"' in page
    assert 'data-worker="/sw.js"' in page
    assert "data-worker" not in Client().get("/").content.decode()


def test_the_offline_page_speaks_every_language_and_is_nobodys(users):
    page = logged_in_client(users.learner).get("/offline").content.decode()
    assert "You are offline" in page
    assert "No tienes conexión" in page
    assert str(users.learner.uuid) not in page
    assert "csrfmiddlewaretoken" not in page
