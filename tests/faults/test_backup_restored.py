"""A backup of a running embedded site, brought back as docs/operations.md says."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from quizzes.lib.fraction_check import IsFraction, is_fraction
from tests.faults import journal
from tests.faults.conftest import come
from tests.faults.learners import busy
from tools.paths import ROOT

BACKUP = 'sqlite3.connect("ochenta.db").backup(sqlite3.connect("ochenta-copy.db"))'


def lose(database: Path) -> None:
    """Destroy the database; the log beside it stays, as after a broken disk."""
    database.write_bytes(b"nothing of a database is left here" * 1000)


def test_a_backup_of_a_running_site_brings_back_every_answer(on_sqlite):
    folder = on_sqlite.folder
    assert BACKUP in (ROOT / "docs/operations.md").read_text()
    with on_sqlite.served() as web:
        learners = come(on_sqlite, web)
        with busy(learners, web.port) as bustle:
            bustle.wait_for(40)
            acknowledged = {save for learner in learners for save in set(learner.acknowledged)}
            backup = [sys.executable, "-c", f"import sqlite3; {BACKUP}"]
            subprocess.run(backup, cwd=folder, check=True, timeout=60)
            bustle.wait_for(20)
        web.kill()
    lose(folder / "ochenta.db")
    for suffix in ("", "-wal", "-shm"):
        (folder / f"ochenta.db{suffix}").unlink(missing_ok=True)
    shutil.copy(folder / "ochenta-copy.db", folder / "ochenta.db")
    with closing(sqlite3.connect(folder / "ochenta.db")) as connection:
        # The constraints on totals call a function that a plain connection does not have.
        connection.create_function(IsFraction.function, -1, is_fraction, deterministic=True)
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert acknowledged <= {entry.operation for entry in journal.entries(on_sqlite.url)}
    with on_sqlite.served() as web:
        for learner in learners:
            # The devices send again what the backup does not have.
            learner.acknowledged &= acknowledged
            learner.make_sure(web.port)
    journal.assert_whole(learners, journal.entries(on_sqlite.url))
    verify = on_sqlite.command("manage", "verify_gradings")
    subprocess.run(verify, cwd=ROOT, env=on_sqlite.environment(), check=True, timeout=120)
