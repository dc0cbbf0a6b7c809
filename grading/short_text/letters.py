"""The letters that one place of a pattern takes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from grading.short_text.folding import Folding, fold_letters

WIDEST = 512
"""A longer range is a whole script: it is not folded letter by letter."""

SHORTHANDS: Mapping[str, Callable[[str], bool]] = {
    "d": str.isdecimal,
    "s": str.isspace,
    "w": lambda char: char.isalnum() or char == "_",
}
"""`\\d`, `\\s` and `\\w`; in capitals, all the others."""


@dataclass(frozen=True, slots=True)
class CharacterClass:
    """Single letters, ranges, shorthands; `negated`: any letter but these."""

    singles: frozenset[str] = frozenset()
    ranges: tuple[tuple[str, str], ...] = ()
    shorthands: str = ""
    negated: bool = False

    def matches(self, char: str) -> bool:
        """Return whether this letter may stand here."""
        return self._among(char) != self.negated

    def _among(self, char: str) -> bool:
        return (
            char in self.singles
            or any(first <= char <= last for first, last in self.ranges)
            or any(SHORTHANDS[name.lower()](char) == name.islower() for name in self.shorthands)
        )


ANY = CharacterClass(negated=True)


def build_single(char: str) -> CharacterClass:
    """Return the letters of a place that takes only this one."""
    return CharacterClass(frozenset({char}))


def build_class(
    ranges: Sequence[tuple[str, str]], shorthands: str, folding: Folding, *, negated: bool = False
) -> CharacterClass:
    """Return the letters of these ranges and shorthands, folded as the answer is."""
    wide = tuple((first, last) for first, last in ranges if ord(last) - ord(first) >= WIDEST)
    singles = (
        fold_letters(chr(code), folding)
        for first, last in ranges
        if (first, last) not in wide
        for code in range(ord(first), ord(last) + 1)
    )
    return CharacterClass(frozenset(singles), wide, shorthands, negated)
