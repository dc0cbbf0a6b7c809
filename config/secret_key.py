"""The key of an embedded site: made once, kept in a file, whole or made anew."""

import re
import secrets
from pathlib import Path

from quizzes.lib import key_file

MIN_LENGTH = 50
# What a crash or a full disk leaves is empty, cut short or full of zero bytes.
_COMPLETE_KEY = re.compile(rf"[!-~]{{{MIN_LENGTH},}}\s*")
_DAMAGED = (
    "The secret key in {path} was not whole and has been made anew:"
    " everybody is signed out, and links that were sent no longer work."
)


def load_or_create_key(path: Path) -> str:
    """Return the key in a file, created if missing. A damaged one is replaced, with a warning.

    Processes that start at the same time get the same key.
    """
    return key_file.load_or_create(
        path,
        is_complete=lambda key: bool(_COMPLETE_KEY.fullmatch(key)),
        create=lambda: secrets.token_urlsafe(MIN_LENGTH),
        damaged=_DAMAGED,
    )
