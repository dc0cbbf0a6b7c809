"""What docs/security.md says of limits, sessions and libraries is what the code has."""

import re
from importlib.metadata import packages_distributions

import pytest
from django.conf import settings

from accounts.login_throttle import MAX_ATTEMPTS
from accounts.services import MAX_TOKEN_DAYS, MAX_TOKENS
from quizzes.formats.parsing.reading_limits import READING_LIMITS
from quizzes.lib.archives.limits import ARCHIVE_LIMITS
from tools.paths import ROOT

SECURITY = (ROOT / "docs/security.md").read_text(encoding="utf-8")
MIB = 1024 * 1024
SIGN_UPS = str(settings.ACCOUNT_RATE_LIMITS["signup"]).partition("/")[0]
NUMBERS = {2: "Two", 8: "eight", 10: "ten"}

SENTENCES = {
    "body of a request": (
        f"{settings.DATA_UPLOAD_MAX_MEMORY_SIZE // MIB} MiB,"
        f" {settings.DATA_UPLOAD_MAX_NUMBER_FIELDS:,}"
    ),
    "file of an import": (
        f"{READING_LIMITS.file_bytes // 10**6} MB; {READING_LIMITS.items:,} items;"
        f" packages {ARCHIVE_LIMITS.packed // MIB} MiB packed,"
        f" {ARCHIVE_LIMITS.unpacked // MIB} MiB unpacked, {ARCHIVE_LIMITS.entries:,} files,"
        f" no member {ARCHIVE_LIMITS.ratio} times its packed size"
    ),
    "tokens": f"| tokens | {MAX_TOKENS} a person,",
    "a year of a token": "a year at most" if MAX_TOKEN_DAYS == 365 else "another time",
    "sign-ups": f"{SIGN_UPS} a minute and address",
    "guesses": f"| {NUMBERS[MAX_ATTEMPTS]} in a quarter of an hour |",
    "sessions": f"{NUMBERS[settings.SESSION_COOKIE_AGE // (7 * 24 * 3600)]} weeks from signing in",
}
"""What is limited, and the words that say so."""


@pytest.mark.parametrize("limit", SENTENCES)
def test_a_limit_is_documented_as_it_is(limit: str):
    assert SENTENCES[limit] in SECURITY


def test_every_library_of_the_running_site_is_locked_for_production():
    """None that only tests or tools bring: their files are not in the image."""
    locked = (ROOT / "requirements/base.txt").read_text(encoding="utf-8")
    names = {normalize(name) for name in re.findall(r"^([\w.-]+)==", locked, re.MULTILINE)}
    distributions = packages_distributions()
    modules = {app.partition(".")[0] for app in settings.INSTALLED_APPS}
    others = {module for module in modules if not (ROOT / module).is_dir()}
    assert len(others) > 5
    assert {
        module for module in others if names.isdisjoint(map(normalize, distributions[module]))
    } == set()


def normalize(name: str) -> str:
    """Return the one spelling of the name of a package (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_image_has_no_tests_tools_of_development_or_secrets():
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert set(ignored) >= {".git", ".env", ".dev", "tests", "bench", "requirements/dev.*"}
