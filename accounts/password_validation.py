"""What a password may not be, besides what Django refuses: words of this site, or breached."""

import re
from hashlib import sha1
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from accounts.models import User

MIN_LETTERS = 4
"""Letters that a password must have besides the words of the site."""
LETTER = re.compile(r"[^\W\d_]")
DIGEST_LENGTH = 40


class ContextWordValidator:
    """Refuses passwords made of the words of this site (PASSWORD_CONTEXT_WORDS, its host names)."""

    def validate(self, password: str, _user: User | None = None) -> None:
        """Raise ValidationError if next to nothing is left without those words."""
        folded = password.casefold()
        rest = folded
        for word in sorted(list_context_words(), key=len, reverse=True):
            rest = rest.replace(word, " ")
        if rest != folded and len(LETTER.findall(rest)) < MIN_LETTERS:
            raise ValidationError(self.get_help_text(), code="password_context_words")

    def get_help_text(self) -> str:
        """Return what people are told."""
        return _("Your password can’t be made of words of this site, such as its name.")


def list_context_words() -> set[str]:
    """Return the words of this site, in lower case."""
    hosts = {label for host in settings.ALLOWED_HOSTS for label in host.casefold().split(".")}
    words = {word.casefold() for word in settings.PASSWORD_CONTEXT_WORDS}
    return words | {label for label in hosts if len(label) >= MIN_LETTERS}


class BreachedPasswordValidator:
    """Refuses what stands in a file of breached passwords, where the site has one.

    The file has a line for each, sorted: the SHA-1 in hexadecimal digits, and what follows a colon
    does not count. So it is looked up in some twenty reads, whatever its size.
    """

    def validate(self, password: str, _user: User | None = None) -> None:
        """Raise ValidationError if the file has the password."""
        path = settings.BREACHED_PASSWORDS
        digest = sha1(password.encode(), usedforsecurity=False).hexdigest().upper()
        if path and _has_line(Path(path), digest.encode()):
            raise ValidationError(
                _("This password is known from a breach of another site. Choose another one."),
                code="password_breached",
            )

    def get_help_text(self) -> str:
        """Return what people are told."""
        return _("A password that is known from a breach of another site is refused.")


def _has_line(path: Path, digest: bytes) -> bool:
    """Return whether a line of a sorted file begins with these digits."""
    with path.open("rb") as file:
        low, high = 0, path.stat().st_size
        while low < high:  # the first line that begins at or after `low` and is not less
            middle = (low + high) // 2
            if _read_digest(file, middle) < digest:
                low = middle + 1
            else:
                high = middle
        return _read_digest(file, low) == digest


def _read_digest(file: BinaryIO, position: int) -> bytes:
    """Return the digits of the first line that begins at or after a position; at the end, more."""
    file.seek(max(position - 1, 0))
    if position:
        file.readline()
    return file.readline()[:DIGEST_LENGTH].upper() or b"~"
