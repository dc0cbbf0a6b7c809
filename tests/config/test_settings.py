"""What the settings make of the environment, each time in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.paths import ROOT

SHOW = "from config import settings; print(settings.DATABASES['default']['NAME'])"
REAL = {
    "OCHENTA_MODE": "production",
    "OCHENTA_SECRET_KEY": "x" * 60,
    "OCHENTA_SIGNING_KEY": "k" * 43,
    "OCHENTA_ALLOWED_HOSTS": "quiz.example",
    "OCHENTA_DATABASE_URL": "postgresql://ochenta@db/ochenta",
}


def started(show: str = SHOW, **env: str) -> "subprocess.CompletedProcess[str]":
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OCHENTA_")}
    return subprocess.run(
        [sys.executable, "-c", show],
        cwd=ROOT,
        env={**clean, **env},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_embedded_database_lies_in_the_data_folder_whatever_its_name(tmp_path: Path):
    folder = tmp_path / "C# & 100% #1?"
    assert started(OCHENTA_DATA_DIR=str(folder)).stdout.strip() == str(folder / "ochenta.db")


def test_production_starts_with_what_it_asks_for():
    assert started(**REAL).stdout.strip() == "ochenta"


@pytest.mark.parametrize("missing", sorted(set(REAL) - {"OCHENTA_MODE", "OCHENTA_ALLOWED_HOSTS"}))
def test_production_does_not_start_without_secret_or_database(missing):
    done = started(**{name: value for name, value in REAL.items() if name != missing})
    assert done.returncode != 0
    assert missing in done.stderr


def test_production_never_shows_the_pages_for_developers():
    done = started(**REAL, OCHENTA_DEBUG="1")
    assert done.returncode != 0
    assert "OCHENTA_DEBUG must be off in production" in done.stderr


def test_a_command_runs_where_nobody_uploaded_anything_yet(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env={**os.environ, "OCHENTA_DATA_DIR": str(tmp_path / "new")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("value", "expected"), [("", "mandatory"), ("optional", "optional")])
def test_production_asks_people_to_confirm_their_address_unless_told_otherwise(value, expected):
    show = "from config import settings; print(settings.ACCOUNT_EMAIL_VERIFICATION)"
    done = started(show, **REAL, OCHENTA_EMAIL_VERIFICATION=value)
    assert done.stdout.strip() == expected
