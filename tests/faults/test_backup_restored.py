"""A backup of a running embedded site, brought back as docs/operations.md says."""

import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

from quizzes.lib.fraction_check import IsFraction, is_fraction
from tests.faults.conftest import come
from tools.faults import journal
from tools.faults.learners import busy
from tools.paths import ROOT

BACKUP = 'sqlite3.connect("ochenta.db").backup(sqlite3.connect("ochenta-copy.db"))'
UMASK = 0o077
BACKED_UP = re.compile(r"Keep (.+?) of the data folder with it:")
BROUGHT_BACK = re.compile(r"copy `ochenta-copy\.db` to `ochenta\.db`, and (.+?) to their places;")
"""What the manual says to keep beside the copy of the database, and to bring back."""


def list_names(manual: str, sentence: re.Pattern[str]) -> list[str]:
    match = sentence.search(manual)
    assert match
    return re.findall(r"`([^`]+)`", match[1])


def test_the_manual_has_all_files_backed_up_that_it_brings_back():
    manual = (ROOT / "docs/operations.md").read_text()
    names = list_names(manual, BACKED_UP)
    assert names == list_names(manual, BROUGHT_BACK) == ["secret-key", "signing-key", "media/"]


def test_a_backup_of_a_running_site_brings_back_every_answer(on_sqlite, tmp_path_factory):
    folder, copies = on_sqlite.folder, tmp_path_factory.mktemp("copies")
    manual = (ROOT / "docs/operations.md").read_text()
    assert f"- **Back up**, after `umask {UMASK:03o}` in that shell" in manual
    assert BACKUP in manual
    with on_sqlite.served() as web:
        learners = come(on_sqlite, web)
        with busy(learners, web.port) as bustle:
            bustle.wait_for(40)
            acknowledged = {save for learner in learners for save in set(learner.acknowledged)}
            backup = [sys.executable, "-c", f"import sqlite3; {BACKUP}"]
            subprocess.run(backup, cwd=folder, check=True, timeout=60, umask=UMASK)
            bustle.wait_for(20)
        web.kill()
    assert (folder / "ochenta-copy.db").stat().st_mode & 0o777 == 0o600
    stored = [name for name in list_names(manual, BACKED_UP) if (folder / name).exists()]
    for name in ("ochenta-copy.db", *stored):
        shutil.move(folder / name, copies / name.strip("/"))
    shutil.rmtree(folder)  # the disk is broken: nothing else is left
    (folder / "static").mkdir(parents=True)
    for name in stored:
        shutil.move(copies / name.strip("/"), folder / name)
    shutil.copy(copies / "ochenta-copy.db", folder / "ochenta.db")
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
    verify = on_sqlite.command("manage", "verify_record")
    subprocess.run(verify, cwd=ROOT, env=on_sqlite.environment(), check=True, timeout=120)
