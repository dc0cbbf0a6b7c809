"""The heartbeat of Celery beat, and the embedded scheduler."""

import threading
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
import time_machine
from celery import Celery
from celery.beat import Scheduler
from django.db import OperationalError

from config import celery, embedded_scheduler, heartbeat
from quizzes.lib import clock, steady_clock


@pytest.fixture
def sign(monkeypatch, tmp_path):
    monkeypatch.setenv("OCHENTA_HEARTBEAT", str(tmp_path / "beat"))
    return tmp_path / "beat"


def test_without_a_sign_the_clock_is_dead(sign):
    assert not heartbeat.is_alive(1_000_000)


@pytest.mark.parametrize(
    ("age", "alive"), [(0, True), (59, True), (60, False), (3600, False), (-1, False)]
)
def test_the_sign_must_be_younger_than_a_minute(sign, age, alive):
    sign.write_text(str(1_000_000 - age))
    assert heartbeat.is_alive(1_000_000) is alive


def test_a_sign_that_is_not_a_number_is_none(sign):
    sign.write_text("")
    assert not heartbeat.is_alive(1_000_000)


def test_setting_the_machines_clock_back_hides_no_dead_scheduler(sign):
    sign.write_text(str(steady_clock.seconds() - 61))
    with time_machine.travel(datetime.now(UTC) - timedelta(hours=1)):
        assert not heartbeat.is_alive(steady_clock.seconds())


def test_a_tick_gives_the_sign_and_comes_back_soon(sign, monkeypatch):
    monkeypatch.setattr(Scheduler, "tick", lambda _self: 300.0)
    monkeypatch.setattr(heartbeat, "record_beat", lambda: None)
    scheduler = heartbeat.HeartbeatScheduler.__new__(heartbeat.HeartbeatScheduler)
    assert scheduler.tick() == heartbeat.INTERVAL
    assert heartbeat.is_alive(steady_clock.seconds())


def test_a_beat_is_recorded_for_other_machines_by_the_databases_clock(monkeypatch):
    cached = {}
    monkeypatch.setattr(
        heartbeat,
        "cache",
        SimpleNamespace(set=lambda key, time, timeout: cached.update({key: time}), get=cached.get),
    )
    monkeypatch.setattr(heartbeat, "close_old_connections", lambda: None)
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert not heartbeat.is_recorded(now)
    monkeypatch.setattr(clock, "read_now", lambda: now)
    heartbeat.record_beat()
    assert heartbeat.is_recorded(now + timedelta(seconds=59))
    assert not heartbeat.is_recorded(now + timedelta(seconds=60))


def test_a_beat_without_a_database_is_told_and_goes_on(monkeypatch, caplog):
    def fail():
        raise OperationalError("away")

    monkeypatch.setattr(clock, "read_now", fail)
    monkeypatch.setattr(heartbeat, "close_old_connections", lambda: None)
    heartbeat.record_beat()
    assert "heartbeat" in caplog.text


def test_the_real_site_uses_this_clock():
    assert celery.app.conf.beat_scheduler == "config.heartbeat:HeartbeatScheduler"


def test_the_ticker_leaves_the_real_site_to_its_clock(monkeypatch):
    conf = SimpleNamespace(task_always_eager=False)
    monkeypatch.setattr(embedded_scheduler, "app", SimpleNamespace(conf=conf))
    assert embedded_scheduler.start() is None


def test_the_embedded_site_runs_what_is_due(monkeypatch):
    began = threading.Event()

    def tick(_scheduler):
        began.set()
        return 600.0

    monkeypatch.setattr(embedded_scheduler, "tick", tick)
    conf = SimpleNamespace(task_always_eager=True)
    loader = SimpleNamespace(import_default_modules=lambda: None)
    monkeypatch.setattr(embedded_scheduler, "Scheduler", lambda app: app)
    monkeypatch.setattr(embedded_scheduler, "app", SimpleNamespace(conf=conf, loader=loader))
    stop = embedded_scheduler.start()
    assert began.wait(20)
    assert stop is not None
    stop.set()


def test_the_embedded_clock_runs_the_tasks_of_the_time_table_in_this_process(monkeypatch):
    app = Celery("little", set_as_current=False)
    ran = []

    @app.task(name="sweep")
    def sweep():
        ran.append(threading.current_thread())

    app.conf.update(
        task_always_eager=True,
        broker_url="memory://",
        beat_schedule={"sweep": {"task": "sweep", "schedule": 0, "options": {"expires": 60}}},
    )
    monkeypatch.setattr(embedded_scheduler, "close_old_connections", lambda: None)
    assert embedded_scheduler.tick(Scheduler(app=app)) <= embedded_scheduler.LONGEST_PAUSE
    assert ran == [threading.current_thread()]


def test_a_tick_that_fails_is_told_and_tried_again_later(monkeypatch, caplog):
    class Broken(Scheduler):
        def tick(self, *_arguments, **_options):
            raise LookupError("away")

    monkeypatch.setattr(embedded_scheduler, "close_old_connections", lambda: None)
    assert embedded_scheduler.tick(Broken.__new__(Broken)) == embedded_scheduler.LONGEST_PAUSE
    assert "could not be started" in caplog.text
