"""Which addresses an author's text may name: places to go to, and pictures of our own."""

import re
from typing import Final
from urllib.parse import unquote

LINK_SCHEMES: Final = frozenset({"http", "https", "mailto"})

# The scheme must stand at the very start: browsers drop blanks and control characters there.
_LINK = re.compile(r"(?:https?://|mailto:)[^\s\x00-\x1f\x7f\\]+", re.IGNORECASE)
_OWN = re.compile(r"/(?:media|static)(?:/[^\s\x00-\x1f\x7f\\/:?#.][^\t-\r\x00-\x1f\x7f\\/:?#]*)+")


def is_safe_link(url: str) -> bool:
    """Say whether a link may be followed: http, https or mailto, written in full."""
    return _LINK.fullmatch(url) is not None


def is_own_picture(url: str) -> bool:
    """Say whether a picture is ours, a path below /media/ or /static/.

    Anything else would tell a stranger's server who reads which question and when, or
    make the reader's browser call one of our own pages.
    """
    return _OWN.fullmatch(unquote(url)) is not None
