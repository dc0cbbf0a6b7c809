"""Which addresses an author's text may name: places to go to, and pictures of our own."""

import re
from typing import Final
from urllib.parse import unquote
from uuid import UUID

from quizzes.lib.filetypes import KINDS

LINK_SCHEMES: Final = frozenset({"http", "https", "mailto"})

# The scheme must stand at the very start: browsers drop blanks and control characters there.
_LINK = re.compile(r"(?:https?://|mailto:)[^\s\x00-\x1f\x7f\\]+", re.IGNORECASE)
_OWN = re.compile(r"/(?:media|static)(?:/[^\s\x00-\x1f\x7f\\/:?#.][^\t-\r\x00-\x1f\x7f\\/:?#]*)+")

_MEDIA = re.compile(r"(?:media:|/media/)([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([a-z0-9]+)")


def is_safe_link(url: str) -> bool:
    """Return whether a link may be followed: http, https or mailto, written in full."""
    return _LINK.fullmatch(url) is not None


def is_own_image(url: str) -> bool:
    """Return whether a picture is ours, a path below /media/ or /static/.

    Anything else would tell a stranger's server who reads which question and when, or
    make the reader's browser call one of our own pages.
    """
    return _OWN.fullmatch(unquote(url)) is not None


def parse_media_address(url: str) -> tuple[UUID, str] | None:
    """Return which uploaded file an address names, and of what kind; None where it names none."""
    match = _MEDIA.fullmatch(url.lower())
    return (UUID(match[1]), match[2]) if match and match[2] in KINDS else None


def is_media_like(url: str) -> bool:
    """Return whether an address is meant to name an uploaded file, rightly or not."""
    return url.lower().startswith(("media:", "/media/"))


def media_address(uuid: UUID, extension: str) -> str:
    """Return the address at which an uploaded file is served."""
    return f"/media/{uuid}.{extension}"
