"""Names for questions and rows: what a file calls them, else made of their words. Pure."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import count

MAX_NAME_LENGTH = 60
_OTHERS = re.compile(r"[^a-z0-9]+")


def slugify(text: str) -> str:
    """Return a text as a slug of 60 characters at most; "" where nothing of it can stand in one."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    words = _OTHERS.sub("-", plain).strip("-")
    if len(words) <= MAX_NAME_LENGTH:
        return words
    return words[: MAX_NAME_LENGTH + 1].rsplit("-", 1)[0][:MAX_NAME_LENGTH]


def list_letters() -> Iterator[str]:
    """Yield a, b, … z, a2, b2, …: the names of options in a file that has none."""
    for round_ in count(1):
        for number in range(26):
            yield f"{chr(ord('a') + number)}{round_ if round_ > 1 else ''}"


class Names:
    """Assigns each item of a file a unique name, the same at every reading."""

    def __init__(self) -> None:
        self._assigned: set[str] = set()
        self._next: dict[str, int] = {}  # so that ten thousand of one name take no longer each

    def assign(self, *candidates: str) -> str:
        """Return the first candidate that leaves a slug, with a number if it is taken."""
        base = next((candidate for text in candidates if (candidate := slugify(text))), "question")
        name = base
        for number in count(self._next.get(base, 2)):
            if name not in self._assigned:
                break
            self._next[base] = number
            name = f"{base[: MAX_NAME_LENGTH - len(str(number)) - 1]}-{number}"
        self._assigned.add(name)
        return name
