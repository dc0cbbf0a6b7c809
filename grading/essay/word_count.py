"""How many words a text has: one definition, for the page, the marker and the tests."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from unicodedata import category

from grading.json_types import Content, Json

JOINERS = "'\N{RIGHT SINGLE QUOTATION MARK}-\N{HYPHEN}\N{NON-BREAKING HYPHEN}"
"""What holds two runs together as one word: l'eau, vis-à-vis."""

MINIMUM = "minimum_words"
MAXIMUM = "maximum_words"

_WORD = re.compile("w+(?:jw+)*")


def count_words(text: str) -> int:
    """Count runs of letters and digits of any script, joined by apostrophes and hyphens inside."""
    sorts = {character: _sort(character) for character in set(text)}
    return sum(1 for _ in _WORD.finditer("".join(map(sorts.__getitem__, text))))


def _sort(character: str) -> str:
    """Return w for letters, digits and the marks on them, j for joiners, a space for the rest."""
    if category(character)[0] in "LMN":
        return "w"
    return "j" if character in JOINERS else " "


@dataclass(frozen=True, slots=True)
class WordLimits:
    """How many words are asked for; None for no limit. No machine enforces them."""

    minimum: int | None = None
    maximum: int | None = None

    def find_violation(self, words: int) -> str:
        """Return how so many words break the limits: "too_few", "too_many", or ""."""
        if self.minimum is not None and words < self.minimum:
            return "too_few"
        if self.maximum is not None and words > self.maximum:
            return "too_many"
        return ""


def load_limits(content: Content) -> WordLimits:
    """Read the limits of a question; 0 and whatever is no number set none."""
    return WordLimits(_limit(content, MINIMUM), _limit(content, MAXIMUM))


def _limit(content: Mapping[str, Json], name: str) -> int | None:
    value = content.get(name)
    return value if type(value) is int and value > 0 else None
