"""The heartbeat of Celery beat, and the embedded scheduler."""

import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from functools import partial
from types import SimpleNamespace

import pytest
import time_machine
from celery import Celery
from celery.beat import Scheduler
from django.db import OperationalError

from config import celery, embedded_scheduler, heartbeat
from quizzes.lib import clock, steady_clock
from tools.processes import wait_until


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


def test_the_embedded_scheduler_leaves_the_real_site_to_celery(monkeypatch):
    conf = SimpleNamespace(task_always_eager=False)
    monkeypatch.setattr(embedded_scheduler, "app", SimpleNamespace(conf=conf))
    monkeypatch.setattr(embedded_scheduler, "supervisors", [])
    embedded_scheduler.start()
    assert embedded_scheduler.supervisors == []


@pytest.fixture
def start_supervisor(monkeypatch, tmp_path, settings):
    """Start a supervisor whose process runs `code` and which looks at it many times a second."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setenv("OCHENTA_HEARTBEAT", str(tmp_path / "heartbeat"))
    monkeypatch.setattr(heartbeat, "INTERVAL", 0.05)
    monkeypatch.setattr(embedded_scheduler, "LONGEST_PAUSE", 0.05)
    supervisors = []

    def start(code):
        command = [sys.executable, "-c", code]
        start_process = partial(subprocess.Popen, command, stdin=subprocess.PIPE)
        monkeypatch.setattr(embedded_scheduler, "_start_process", start_process)
        supervisor = embedded_scheduler.Supervisor()
        supervisors.append(supervisor)
        supervisor.start()
        return supervisor

    yield start
    for supervisor in supervisors:
        supervisor.stop()


def count_lines(file):
    return len(file.read_text().splitlines()) if file.exists() else 0


UNTIL_INPUT_ENDS = "open({!r}, 'a').write('began\\n'); import sys; sys.stdin.read()"


def test_a_process_of_the_web_runs_the_tasks_in_another_and_the_next_takes_over(
    start_supervisor, tmp_path
):
    began = tmp_path / "began"
    code = UNTIL_INPUT_ENDS.format(str(began))
    first = start_supervisor(code)
    wait_until(
        lambda: count_lines(began) == 1 and heartbeat.is_alive(steady_clock.seconds()), seconds=20
    )
    second = start_supervisor(code)
    time.sleep(0.2)
    assert count_lines(began) == 1
    first.stop()
    wait_until(lambda: count_lines(began) == 2, seconds=20)
    assert second.is_alive(steady_clock.seconds())


def test_a_process_of_tasks_that_ends_is_told_and_started_again(start_supervisor, tmp_path, caplog):
    began = tmp_path / "began"
    start_supervisor(f"open({str(began)!r}, 'a').write('began\\n'); raise SystemExit(3)")
    wait_until(lambda: count_lines(began) >= 2, seconds=20)
    assert "ended with 3" in caplog.text


def test_a_supervisor_without_a_sign_of_life_is_given_a_minute(tmp_path, monkeypatch):
    monkeypatch.setenv("OCHENTA_HEARTBEAT", str(tmp_path / "heartbeat"))
    supervisor = embedded_scheduler.Supervisor()
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    supervisor._thread = thread
    assert supervisor.is_alive(steady_clock.seconds())
    supervisor._began_at -= heartbeat.MAX_AGE
    assert not supervisor.is_alive(steady_clock.seconds())
    heartbeat.write_file()
    assert supervisor.is_alive(steady_clock.seconds())
    stop.set()
    thread.join()
    assert not supervisor.is_alive(steady_clock.seconds())


def test_the_process_of_tasks_ends_with_its_input():
    process = subprocess.Popen(
        [sys.executable, "-c", "from config import embedded_scheduler as s; s.end_with_input()"],
        stdin=subprocess.PIPE,
        cwd=embedded_scheduler.PROJECT,
    )
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(20) == 0


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
