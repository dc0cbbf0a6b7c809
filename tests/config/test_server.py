"""How gunicorn serves the site, and how a database is made ready."""

import importlib

import pytest

from config import deploy, gunicorn
from quizzes.lib import steady_clock


@pytest.fixture
def served(monkeypatch):
    """Give a way to read gunicorn's settings anew under another environment."""
    names = "BIND WEB_WORKERS WEB_THREADS DATABASE_URL ACCESS_LOG STATEMENT_SECONDS BOOT_TIME"
    for name in names.split():
        monkeypatch.delenv(f"OCHENTA_{name}", raising=False)

    def read(**env):
        for name, value in env.items():
            monkeypatch.setenv(f"OCHENTA_{name}", value)
        return importlib.reload(gunicorn)

    yield read
    monkeypatch.undo()
    importlib.reload(gunicorn)


def test_sqlite_gets_one_thread_a_worker_and_postgresql_four(served):
    small = served()
    assert (small.workers, small.threads) == (2, 1)
    large = served(DATABASE_URL="postgresql://ochenta@db/ochenta")
    assert (large.workers, large.threads) == (2, 4)


def test_the_environment_decides_how_many_and_where(served):
    server = served(WEB_WORKERS="5", WEB_THREADS="3", BIND="0.0.0.0:80")
    assert (server.workers, server.threads) == (5, 3)
    assert (server.bind, server.accesslog) == ("0.0.0.0:80", None)


def test_a_senseless_number_stops_the_start(served):
    with pytest.raises(SystemExit, match="OCHENTA_WEB_WORKERS must be a whole number"):
        served(WEB_WORKERS="many")


def test_requests_end_before_a_deploy_kills_them(served):
    server = served()
    assert server.graceful_timeout <= server.timeout
    assert server.worker_class == "config.worker.Worker"
    assert server.control_socket_disable is True


def test_each_worker_starts_the_deadline_engine_and_the_scheduler(monkeypatch, served):
    started = []
    monkeypatch.setattr(
        "config.thread_locals.use_plain_thread_locals", lambda: started.append("locals")
    )
    monkeypatch.setattr("config.deadline_engine.start", lambda: started.append("engine"))
    monkeypatch.setattr(
        "config.gunicorn.embedded_scheduler.start", lambda: started.append("scheduler")
    )
    monkeypatch.setattr("config.gunicorn.restrict_new_files", lambda: started.append("private"))
    monkeypatch.setattr("config.gunicorn.freeze_startup_objects", lambda: started.append("frozen"))
    gunicorn.post_worker_init(None)
    assert started == ["private", "locals", "engine", "scheduler", "frozen"]


def test_a_statement_of_a_page_has_a_limit_that_the_environment_may_change(served):
    assert "OCHENTA_STATEMENT_SECONDS=15" in served().raw_env
    assert "OCHENTA_STATEMENT_SECONDS=40" in served(STATEMENT_SECONDS="40").raw_env


def test_all_processes_of_a_site_get_the_clock_of_its_start(served):
    assert f"OCHENTA_BOOT_TIME={80_000_000}" in served(BOOT_TIME="80000000").raw_env
    (written,) = [line for line in served(BOOT_TIME="").raw_env if "BOOT_TIME" in line]
    assert abs(int(written.partition("=")[2]) - steady_clock.compute_boot_time()) < 5_000_000


@pytest.fixture
def called(monkeypatch):
    names = []
    monkeypatch.setattr(deploy, "call_command", lambda name, **_options: names.append(name))
    return names


def test_a_database_gets_its_tables_and_nothing_that_was_not_asked_for(called):
    deploy.main([])
    assert called == ["migrate", "createcachetable"]


def test_static_files_and_the_demonstration_come_last(called, settings):
    settings.WHITENOISE_USE_FINDERS = False
    deploy.main(["--demo", "--static"])
    assert called == ["migrate", "createcachetable", "collectstatic", "load_demo"]


def test_nothing_is_collected_where_files_are_served_from_where_they_lie(called, settings):
    settings.WHITENOISE_USE_FINDERS = True
    deploy.main(["--static"])
    assert "collectstatic" not in called


def test_an_unknown_flag_changes_nothing(called):
    with pytest.raises(SystemExit, match="not --stattic"):
        deploy.main(["--stattic"])
    assert called == []


@pytest.mark.parametrize("embedded", [True, False])
def test_outside_this_machine_the_demonstration_has_drawn_passwords(
    monkeypatch, settings, embedded
):
    options = {}
    monkeypatch.setattr(deploy, "call_command", lambda name, **more: options.update({name: more}))
    settings.EMBEDDED = embedded
    deploy.main(["--demo"])
    assert options["load_demo"] == {"draw_passwords": not embedded}
