"""What the settings make of the environment, each time in a process of its own."""

import ast
import os
import secrets
import stat
import string
import subprocess
import sys
from pathlib import Path

import pytest

from tools.paths import ROOT

SHOW = "from config import settings; print(settings.DATABASES['default']['NAME'])"
pytestmark = pytest.mark.once
REAL = {
    "OCHENTA_MODE": "production",
    "OCHENTA_SECRET_KEY": secrets.token_urlsafe(50),
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


@pytest.mark.parametrize("missing", sorted(set(REAL) - {"OCHENTA_MODE"}))
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


@pytest.mark.parametrize(
    "secret",
    ["a9" * 24, "x" * 60, "bench" * 12, "ab1de" * 20, "django-insecure-" + string.ascii_letters],
)
def test_a_secret_that_can_be_guessed_is_refused_and_never_shown(secret):
    done = started(**REAL | {"OCHENTA_SECRET_KEY": secret})
    assert done.returncode != 0
    assert "OCHENTA_SECRET_KEY must be at least 50 random characters" in done.stderr
    assert secret not in done.stderr


@pytest.mark.parametrize("hosts", ["*", "quiz.example,*", " ", ","])
def test_production_answers_to_its_own_names_alone(hosts):
    done = started(**REAL | {"OCHENTA_ALLOWED_HOSTS": hosts})
    assert done.returncode != 0
    assert "OCHENTA_ALLOWED_HOSTS must be the host names of the site" in done.stderr


HSTS = """from config import settings
print(settings.SECURE_HSTS_SECONDS > 0, settings.SECURE_HSTS_INCLUDE_SUBDOMAINS,
      settings.SECURE_HSTS_PRELOAD)"""


@pytest.mark.parametrize(
    ("switches", "expected"),
    [
        ({}, "True False False"),
        ({"OCHENTA_HSTS_SUBDOMAINS": "on"}, "True True False"),
        ({"OCHENTA_HSTS_SUBDOMAINS": "on", "OCHENTA_HSTS_PRELOAD": "on"}, "True True True"),
    ],
)
def test_other_hosts_of_the_domain_are_bound_to_https_only_if_asked(switches, expected):
    assert started(HSTS, **REAL, **switches).stdout.strip() == expected


def test_the_folder_of_an_embedded_site_is_for_its_owner_and_so_are_its_files(tmp_path: Path):
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    deploy = "from config import deploy; deploy.main([])"
    assert started(deploy, OCHENTA_DATA_DIR=str(folder)).returncode == 0
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}
    assert {"data", "ochenta.db", "secret-key"} <= modes.keys()
    assert modes.pop("data") == 0o700
    assert set(modes.values()) == {0o600}


STORE = "from config import settings; print(settings.S3_STORE)"


def test_files_lie_on_the_disk_unless_a_bucket_is_named():
    assert started(STORE, **REAL).stdout.strip() == "{}"
    done = started(STORE, **REAL, OCHENTA_FILE_STORE="s3")
    assert "OCHENTA_S3_BUCKET must be a text, but it is not set" in done.stderr


def test_a_bucket_is_named_with_its_keys_from_a_file(tmp_path: Path):
    secret = tmp_path / "secret"
    secret.write_text("hidden\n")
    done = started(
        STORE,
        **REAL,
        OCHENTA_FILE_STORE="s3",
        OCHENTA_S3_BUCKET="school",
        OCHENTA_S3_PREFIX="/site/",
        OCHENTA_S3_ENDPOINT="https://files.example:9000",
        OCHENTA_S3_ACCESS_KEY="name",
        OCHENTA_S3_SECRET_KEY_FILE=str(secret),
    )
    assert ast.literal_eval(done.stdout) == {
        "bucket_name": "school",
        "location": "site",
        "endpoint_url": "https://files.example:9000",
        "region_name": "us-east-1",
        "addressing": "auto",
        "access_key": "name",
        "secret_key": "hidden",
    }


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OCHENTA_S3_ENDPOINT", "files.example"),
        ("OCHENTA_S3_ENDPOINT", "ftp://files.example"),
        ("OCHENTA_S3_ADDRESSING", "dns"),
        ("OCHENTA_S3_SECRET_KEY", ""),
        ("OCHENTA_FILE_STORE", "S3"),
    ],
)
def test_a_bucket_that_makes_no_sense_stops_the_start(name, value):
    bucket = {
        "OCHENTA_FILE_STORE": "s3",
        "OCHENTA_S3_BUCKET": "school",
        "OCHENTA_S3_ACCESS_KEY": "name",
        "OCHENTA_S3_SECRET_KEY": "hidden",
    }
    done = started(STORE, **REAL, **{**bucket, name: value})
    assert done.returncode != 0
    assert f"{name} must be" in done.stderr
    assert "hidden" not in done.stderr
