"""The pure parts of `./dev cluster --check`: its table, its patience, its files."""

import re
import shutil
import threading
from http.client import HTTPMessage
from pathlib import Path
from random import Random

import pytest

from tools import object_store, pgbouncer, redis
from tools.cluster import clients, next_release, proxy
from tools.cluster.clients import PatientClient, Record, RequestFailedError, Save
from tools.cluster.outages import PROCESSES
from tools.cluster.report import Effect, Outage, format_row, list_missing, measure
from tools.faults.learners import Answer
from tools.paths import ROOT

SYNC = (ROOT / "static/web/js/sync.js").read_text(encoding="utf-8")
OUTAGE = Outage("web-1", "killed", 10, 20)


def answer(status: int) -> Answer:
    return Answer(status, HTTPMessage(), b"", 0.0)


def find_in_page(pattern: str) -> str:
    match = re.search(pattern, SYNC)
    assert match
    return match[1]


@pytest.fixture
def browser(monkeypatch) -> PatientClient:
    monkeypatch.setattr(clients, "PAUSES", (0.0,))
    return PatientClient(Record(), Random(1), threading.Event())


def test_a_client_is_as_patient_as_the_page_of_an_attempt():
    pauses = find_in_page(r"PAUSES = \[([\d_, ]+)\]").replace("_", "").split(",")
    assert [float(pause) / 1000 for pause in pauses] == list(clients.PAUSES)
    patience = find_in_page(r"PATIENCE = ([\d_]+);")
    assert int(patience) / 1000 == clients.PATIENCE
    assert "(0.75 + Math.random() / 2)" in SYNC


def test_what_is_refused_for_a_while_or_not_answered_is_sent_again(browser):
    answers = iter([503, None, 502, 200])

    def send() -> Answer:
        if (status := next(answers)) is None:
            raise ConnectionResetError
        return answer(status)

    assert browser.persist(send, 200, "save").status == 200
    assert browser.record.retries == {"503": 1, "away": 1, "502": 1}
    assert browser.record.errors == []


def test_what_is_refused_for_good_is_not_sent_again(browser):
    with pytest.raises(RequestFailedError, match="save: 403"):
        browser.persist(lambda: answer(403), 200, "save")


def test_an_error_of_the_site_is_noted_and_sent_again(browser):
    answers = iter([500, 200])
    browser.persist(lambda: answer(next(answers)), 200, "save")
    assert len(browser.record.errors) == 1


def test_patience_ends(browser, monkeypatch):
    monkeypatch.setattr(clients, "GIVE_UP", -1)
    with pytest.raises(RequestFailedError, match="save: 503"):
        browser.persist(lambda: answer(503), 200, "save")


def test_a_browser_that_is_closed_sends_nothing_again(browser):
    browser.closed.set()
    with pytest.raises(RequestFailedError, match="closed"):
        browser.persist(lambda: answer(503), 200, "save")


def test_silence_is_the_longest_time_without_an_acknowledgement():
    saves = [Save(8, 9), Save(9, 12), Save(10.5, 17), Save(18, 19), Save(19, 30)]
    effect = measure(OUTAGE, saves, [15, 25])
    assert effect == Effect(silence=5, longest=11, acknowledged=3, failed=1)


def test_silence_lasts_to_the_end_where_nobody_was_heard():
    assert measure(OUTAGE, [], []) == Effect(silence=10, longest=0, acknowledged=0, failed=0)
    assert measure(OUTAGE, [Save(6, 7)], []).silence == 13


def test_a_row_says_what_an_outage_cost():
    row = format_row(OUTAGE, Effect(silence=5, longest=8.04, acknowledged=3, failed=0))
    assert row == "| web-1 | killed | 5.0 | 8.0 | 3 | 0 |"


def test_each_process_must_be_killed_and_frozen():
    events = [(name, event) for name in PROCESSES for event in ("killed", "frozen")]
    assert len(PROCESSES) == 11
    assert list_missing(events, PROCESSES) == []
    assert list_missing(events[1:], PROCESSES) == [f"{PROCESSES[0]} was not killed"]
    assert list_missing([("a", "killed, standby promoted"), ("a", "frozen")], ["a"]) == []


def test_the_proxy_sends_nothing_again_that_may_have_been_written(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: name)
    program, *_, path = proxy.write_configuration(tmp_path, 8000, {"web-1": 8001, "web-2": 8002})
    assert program == "haproxy"
    text = Path(path).read_text()
    assert "http-request disable-l7-retry if METH_POST" in text
    assert re.findall(r"server (\S+) (\S+)$", text, re.MULTILINE) == [
        ("web-1", "127.0.0.1:8001"),
        ("web-2", "127.0.0.1:8002"),
    ]


def test_no_proxy_is_told_in_words(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(proxy.NoProxyError, match="no haproxy"):
        proxy.write_configuration(tmp_path, 8000, {})


def test_the_pooler_takes_another_server_by_its_file(tmp_path, monkeypatch):
    monkeypatch.setattr(pgbouncer, "find", lambda: "pgbouncer")
    for name in ("a", "b"):
        _, path = pgbouncer.write_configuration(
            tmp_path, tmp_path / name, settings="", roles=("site",), sessions=5
        )
    assert f"* = host={tmp_path}/b port=" in Path(path).read_text()


def test_redis_gets_another_password_each_time(tmp_path, monkeypatch):
    monkeypatch.setattr(redis, "find", lambda: "redis-server")
    urls = {redis.write_configuration(tmp_path, 6000)[1] for _ in range(2)}
    assert len(urls) == 2


def test_a_site_in_the_bucket_is_told_all_of_it():
    env = object_store.build_environment("http://127.0.0.1:9000")
    assert env["OCHENTA_FILE_STORE"] == "s3"
    assert env["OCHENTA_S3_ENDPOINT"] == "http://127.0.0.1:9000"


def test_the_next_release_has_a_migration_after_the_newest(tmp_path):
    folder = next_release.write_release(tmp_path)
    migrations = sorted(path.stem for path in (folder / next_release.APP).glob("*.py"))
    newest = migrations[-3]
    text = (folder / next_release.APP / next_release.NAME).read_text()
    assert f'("attempts", "{newest}")' in text
    assert "AddIndexOnline" in text
    compile(text, next_release.NAME, "exec")
    assert (folder / "manage.py").is_file()
