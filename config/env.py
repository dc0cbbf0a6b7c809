"""Small readers of the environment, so that a senseless value stops the start with one sentence."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})
MIN_SECRET_LENGTH = 50
MIN_SECRET_VARIETY = 10
PUBLISHED_SECRET = "django-insecure-"
HOST_NAMES = "the host names of the site, separated by commas"
TOKEN = re.compile(r"[A-Za-z0-9_-]{32,}")
SIGNING_KEYS = re.compile(r"[A-Za-z0-9_-]{43}(\s+(mac\.)?[A-Za-z0-9_-]{43})*")


class SettingError(SystemExit):
    """A variable that makes no sense: ends the process, its sentence on standard error."""

    def __init__(self, name: str, expected: str, got: str | None = None) -> None:
        actual = "it is not set" if got is None else f"it is {got!r}"
        super().__init__(f"{name} must be {expected}, but {actual}.")


def text(name: str, default: str | None = None) -> str:
    """Return the value of NAME without surrounding blanks; empty counts as not set.

    Raises SettingError if it is not set and there is no default.
    """
    value = os.environ.get(name, "").strip()
    if value:
        return value
    if default is None:
        raise SettingError(name, "a text")
    return default


MAX_PORT = 65_535


def socket_address(name: str) -> str:
    """Return a path or a host with a port, "" if it is not set; anything else: SettingError."""
    value = text(name, "")
    match = re.fullmatch(r".+:([1-9][0-9]{0,4})", value)
    has_port = match is not None and int(match[1]) <= MAX_PORT
    if value and not value.startswith("/") and not has_port:
        raise SettingError(name, "the path of a socket file, or HOST:PORT", value)
    return value


def boolean(name: str, default: bool) -> bool:
    """Read 1, true, yes, on or 0, false, no, off, in any case; anything else is a SettingError."""
    value = text(name, "").lower()
    if not value:
        return default
    if value not in TRUE | FALSE:
        raise SettingError(name, "one of 1, true, yes, on, 0, false, no, off", value)
    return value in TRUE


def integer(
    name: str, default: int, *, minimum: int | None = None, maximum: int | None = None
) -> int:
    """Read a whole number between minimum and maximum, both included.

    Raises SettingError for anything else; the default is not checked.
    """
    value = text(name, "")
    if not value:
        return default
    expected = "a whole number" + _bounds(minimum, maximum)
    try:
        number = int(value)
    except ValueError:
        raise SettingError(name, expected, value) from None
    too_small = minimum is not None and number < minimum
    if too_small or (maximum is not None and number > maximum):
        raise SettingError(name, expected, value)
    return number


def _bounds(minimum: int | None, maximum: int | None) -> str:
    low = "" if minimum is None else f" of at least {minimum}"
    high = "" if maximum is None else f" of at most {maximum}"
    return " and".join(part for part in (low, high) if part)


def one_of(name: str, default: str, choices: Iterable[str]) -> str:
    """Read one of the choices, spelt exactly; anything else is a SettingError."""
    allowed = tuple(choices)
    value = text(name, default)
    if value not in allowed:
        raise SettingError(name, f"one of {', '.join(allowed)}", value)
    return value


def listing(name: str, default: Iterable[str] = ()) -> list[str]:
    """Read values separated by commas; blanks and empty parts are dropped."""
    value = text(name, "")
    if not value:
        return list(default)
    return [part.strip() for part in value.split(",") if part.strip()]


def secret(name: str, default: str | None = None) -> str:
    """Read a secret from NAME, or from the file that NAME_FILE names (as Docker mounts them).

    Raises SettingError if both are set, the file cannot be read or is empty, or neither is set
    and there is no default. The secret itself never appears in a message.
    """
    path = text(f"{name}_FILE", "")
    if not path:
        return text(name, default)
    if text(name, ""):
        raise SettingError(f"{name}_FILE", f"left out when {name} is set", path)
    try:
        value = Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise SettingError(f"{name}_FILE", "a text file that can be read", path) from None
    if not value:
        raise SettingError(f"{name}_FILE", "a file with the secret in it", path)
    return value


def data_folder() -> Path:
    """Return the folder for what the site writes besides the database."""
    checkout = Path(__file__).resolve().parent.parent
    return Path(text("OCHENTA_DATA_DIR", str(checkout / ".dev")))


def token(name: str, default: str | None = None) -> str:
    """Read a secret that a program sends: SettingError as `secret`, and below 32 characters."""
    value = secret(name, default)
    if value and not TOKEN.fullmatch(value):
        raise SettingError(name, "32 or more letters, digits, - and _", "something else")
    return value


def secret_key(name: str, default: str | None = None) -> str:
    """Read a secret that cookies and links are signed with.

    Raises SettingError as `secret` does, and for one that can be guessed: fewer than 50 characters
    or 10 different ones, one text again and again, or the beginning of those that Django writes
    into new projects. The default is not checked.
    """
    value = secret(name, default)
    repeats = value in (value + value)[1:-1]
    is_weak = len(value) < MIN_SECRET_LENGTH or len(set(value)) < MIN_SECRET_VARIETY or repeats
    if value != default and (is_weak or value.startswith(PUBLISHED_SECRET)):
        expected = f"at least {MIN_SECRET_LENGTH} random characters"
        raise SettingError(name, expected, "one that can be guessed")
    return value


def host_names(name: str) -> list[str]:
    """Read the host names that a site answers to; none, or `*` for any, is a SettingError.

    With any, the links in mails would lead wherever a forged request says.
    """
    names = listing(name)
    if not names:
        raise SettingError(name, HOST_NAMES)
    if "*" in names:
        raise SettingError(name, HOST_NAMES, "*")
    return names


def signing_key(name: str, default: str | None = None) -> str:
    """Read a secret of signing keys: words of 43 letters, the private key first.

    Raises SettingError for another form, without showing it, and as `secret` does.
    """
    value = secret(name, default)
    if value and not SIGNING_KEYS.fullmatch(value):
        raise SettingError(name, "words of 43 letters, digits, - and _", "of another form")
    return value
