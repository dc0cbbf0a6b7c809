"""The heartbeat of Celery beat, and the embedded scheduler."""

import select
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
import time_machine
from celery import Celery
from celery.beat import Scheduler
from django.core.cache import cache
from django.db import OperationalError

from config import celery, embedded_scheduler, heartbeat
from quizzes.imports import tasks as import_tasks
from quizzes.lib import clock, steady_clock
from tools.paths import ROOT
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
    """Start a supervisor whose process is `start_process()`, and which tries again at once."""
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(embedded_scheduler, "RETRY_AFTER", 0.05)
    supervisors = []

    def start(start_process):
        monkeypatch.setattr(embedded_scheduler, "_start_process", start_process)
        supervisor = embedded_scheduler.Supervisor()
        supervisors.append(supervisor)
        supervisor.start()
        return supervisor

    yield start
    for supervisor in supervisors:
        supervisor.stop()


class Processes:
    """Starts processes that end with their input, and keeps them."""

    def __init__(self, code="import sys; sys.stdin.read()"):
        self.all = []
        self._command = [sys.executable, "-S", "-c", code]

    def start(self):
        self.all.append(
            subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
            )
        )
        return self.all[-1]


def test_one_process_of_the_web_has_the_tasks_run_and_the_next_takes_over(start_supervisor):
    processes = Processes()
    first = start_supervisor(processes.start)
    assert wait_until(lambda: len(processes.all) == 1, seconds=20)
    refused = threading.Event()
    lock = embedded_scheduler._lock

    def lock_and_tell(files):
        has_locked = lock(files)
        if not has_locked:
            refused.set()
        return has_locked

    with pytest.MonkeyPatch.context() as watched:
        watched.setattr(embedded_scheduler, "_lock", lock_and_tell)
        start_supervisor(processes.start)
        assert refused.wait(20)
        assert len(processes.all) == 1
        first.stop()
        assert processes.all[0].poll() == 0
        assert wait_until(lambda: len(processes.all) == 2, seconds=20)


def test_a_process_of_tasks_that_ends_is_told_and_started_again(start_supervisor, caplog):
    processes = Processes("raise SystemExit(3)")
    start_supervisor(processes.start)
    assert wait_until(lambda: len(processes.all) >= 2, seconds=20)
    assert "ended with 3" in caplog.text


def test_a_process_of_tasks_that_cannot_be_started_is_told_and_tried_again(
    start_supervisor, caplog
):
    processes = Processes()

    def fail_at_first():
        if not caplog.records:
            raise BlockingIOError("no more processes")
        return processes.start()

    start_supervisor(fail_at_first)
    assert wait_until(lambda: len(processes.all) == 1, seconds=20)
    assert "could not be started" in caplog.text


def test_where_there_can_be_no_lock_the_tasks_run_all_the_same(start_supervisor, settings, caplog):
    settings.DATA_DIR = settings.DATA_DIR / "missing"
    processes = Processes()
    start_supervisor(processes.start)
    assert wait_until(lambda: len(processes.all) == 1, seconds=20)
    assert "No such file" in caplog.text


FROZEN = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"
STUCK = "import sys, time; sys.stdin.read(); time.sleep(1000)"


@pytest.mark.parametrize("code", [FROZEN, STUCK])
def test_a_process_of_tasks_without_a_sign_of_life_is_killed_and_started_again(
    start_supervisor, monkeypatch, caplog, code
):
    monkeypatch.setattr(embedded_scheduler, "MAX_SILENCE", 0.5)
    monkeypatch.setattr(embedded_scheduler, "TIME_TO_END", 0.2)
    processes = Processes(code)
    start_supervisor(processes.start)
    assert wait_until(lambda: len(processes.all) >= 2, seconds=20)
    assert "does not answer and is killed" in caplog.text
    assert "ended with -9" in caplog.text


def test_a_sign_of_life_is_recent_for_a_minute(monkeypatch):
    clock_now = [0.0]
    monkeypatch.setattr(steady_clock, "seconds", lambda: clock_now[0])
    with Processes("print('.', flush=True); import sys; sys.stdin.read()").start() as process:
        watch = embedded_scheduler.OutputWatch(process)
        assert wait_until(lambda: bool(select.select([process.stdout], [], [], 0)[0]), seconds=20)
        clock_now[0] = embedded_scheduler.MAX_SILENCE
        assert watch.is_alive()  # it has written
        clock_now[0] += embedded_scheduler.MAX_SILENCE - 1
        assert watch.is_alive()
        clock_now[0] += 1
        assert not watch.is_alive()


@pytest.mark.django_db
def test_the_tasks_are_given_a_minute_to_begin(monkeypatch):
    supervisor = embedded_scheduler.Supervisor()
    monkeypatch.setattr(embedded_scheduler, "supervisors", [supervisor])
    monkeypatch.setattr(heartbeat, "close_old_connections", lambda: None)
    assert embedded_scheduler.is_alive()
    supervisor._began_at -= heartbeat.MAX_AGE
    assert not embedded_scheduler.is_alive()
    heartbeat.record_beat()
    assert embedded_scheduler.is_alive()
    late = clock.now() - timedelta(seconds=heartbeat.MAX_AGE)
    cache.set(heartbeat.CACHE_KEY, late, timeout=None)
    assert not embedded_scheduler.is_alive()


def test_signs_of_life_end_where_a_tick_is_stuck(monkeypatch):
    signs = []
    monkeypatch.setattr(heartbeat, "record_beat", lambda: signs.append("beat"))
    monkeypatch.setattr("os.write", lambda *output: signs.append(output))
    runner = embedded_scheduler.TaskRunner(Scheduler.__new__(Scheduler))
    runner._tick_began_at -= import_tasks.HARD - 1  # as long as the longest task may take
    runner.report_alive()
    assert signs == [(1, b"."), "beat"]
    runner._tick_began_at -= 1
    runner.report_alive()
    assert len(signs) == 2


def test_a_process_that_has_nothing_to_do_with_the_tasks_calls_them_alive():
    assert embedded_scheduler.is_alive()


def test_the_process_of_tasks_ends_with_its_input():
    code = (
        "from config import embedded_scheduler as scheduler\n"
        "print('ready', flush=True)\n"
        "scheduler.end_with_input()\n"
        "raise SystemExit(1)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        assert process.poll() is None
    assert process.returncode == 0


def test_the_embedded_scheduler_runs_the_tasks_of_the_schedule_in_its_process(monkeypatch):
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
    runner = embedded_scheduler.TaskRunner(Scheduler(app=app))
    assert runner.tick() <= embedded_scheduler.LONGEST_PAUSE
    assert ran == [threading.current_thread()]


def test_a_tick_that_took_longer_than_its_pause_is_followed_by_the_next_at_once(monkeypatch):
    class Late(Scheduler):
        def tick(self, *_arguments, **_options):
            return -0.5

    monkeypatch.setattr(embedded_scheduler, "close_old_connections", lambda: None)
    assert embedded_scheduler.TaskRunner(Late.__new__(Late)).tick() == 0


def test_a_tick_that_fails_is_told_and_tried_again_later(monkeypatch, caplog):
    class Broken(Scheduler):
        def tick(self, *_arguments, **_options):
            raise LookupError("away")

    monkeypatch.setattr(embedded_scheduler, "close_old_connections", lambda: None)
    runner = embedded_scheduler.TaskRunner(Broken.__new__(Broken))
    assert runner.tick() == embedded_scheduler.LONGEST_PAUSE
    assert "could not be started" in caplog.text
