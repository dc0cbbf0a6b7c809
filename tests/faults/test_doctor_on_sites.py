"""`manage.py doctor` on real sites: the embedded one, and one as in production."""

import json
import secrets
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import replace

import pytest

from config import heartbeat
from tests.faults.sites import Site
from tools import redis
from tools.paths import ROOT
from tools.processes import wait_until

PRODUCTION = {
    "OCHENTA_MODE": "production",
    "OCHENTA_ALLOWED_HOSTS": "127.0.0.1,localhost",
    "OCHENTA_PROXIES": "1",
    "OCHENTA_EMAIL_HOST": "127.0.0.1",
    "OCHENTA_EMAIL_PORT": "1",
    "OCHENTA_EMAIL_FROM": "quiz@example.org",
    "OCHENTA_SIGNING_KEY": secrets.token_urlsafe(32),
}
# What a machine of developers may lack: namespaces, Landlock, a user that is not root, room, and a
# PostgreSQL that waits for the disk.
OF_THE_MACHINE = {
    "reader.network",
    "reader.file_access",
    "reader.processes",
    "disk_scarce",
    "database.fsync",
}


def examine(site: Site, *words: str) -> tuple[int, set[str]]:
    """Return the exit status of the command, and the codes of what it finds on this site."""
    done = subprocess.run(
        site.command("django", "doctor", "--json", *words),
        env=site.environment() | {"DJANGO_SETTINGS_MODULE": "config.settings"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.stdout, done.stderr[-2000:]
    codes = {finding["code"] for finding in json.loads(done.stdout)["findings"]}
    assert done.returncode == bool(codes)
    return done.returncode, {
        code for code in codes if code not in OF_THE_MACHINE and "disk_scarce" not in code
    }


def has_beat(site: Site) -> bool:
    """Return whether a process of the site that runs the periodic tasks gave a sign of life."""
    with closing(sqlite3.connect(site.url.removeprefix("sqlite:///"))) as database:
        keys = database.execute("SELECT cache_key FROM cache")
        return any(key.endswith(heartbeat.CACHE_KEY) for (key,) in keys)


def test_a_healthy_embedded_site_runs_its_tasks_and_has_no_finding(on_sqlite):
    with on_sqlite.served() as web:
        assert wait_until(lambda: has_beat(on_sqlite), seconds=60, child=web.child)
        _, codes = examine(on_sqlite, "--url", f"http://127.0.0.1:{web.port}")
    assert codes == set()
    # Stopped, it is seen to be.
    status, codes = examine(on_sqlite, "--url", f"http://127.0.0.1:{web.port}")
    assert (status, codes) == (1, {"site_silent"})


def test_a_site_as_in_production_misses_each_of_its_processes(on_postgresql):
    """That it is well with all of them, `./dev stack --check` proves."""
    try:
        with redis.throwaway() as broker:
            site = replace(on_postgresql, settings=PRODUCTION | {"OCHENTA_REDIS_URL": broker})
            # Its only role of the database owns the tables, and staff need no second factor.
            absent = {"worker", "scheduler_stopped", "mail_server", "static_files"}
            expected = absent | {"config.W001", "accounts.W002"}
            assert examine(site) == (1, expected)
    except redis.NoRedisError as reason:
        pytest.skip(f"it needs Redis: {reason}")
    assert examine(site) == (1, expected - {"worker"} | {"broker"})
