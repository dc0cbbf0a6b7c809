"""The words by which files say that a statement is true or false, in five languages. Pure."""

from collections.abc import Sequence

_WORDS = {
    True: frozenset("true verdadero cierto verdadeiro vrai wahr richtig".split()),
    False: frozenset("false falso faux falsch".split()),
}
_LETTERS = {"t": True, "v": True, "f": False}
OWN_WORDS = {"en": ("True", "False"), "es": ("Verdadero", "Falso")}
"""Our own words for true and false, by language."""


def parse_boolean(text: str, *, letters: bool = False) -> bool | None:
    """Return what a text says, true or false, also by its first letter; None for any other."""
    word = text.strip().rstrip(".").lower()
    default = _LETTERS.get(word) if letters else None
    return next((value for value, words in _WORDS.items() if word in words), default)


def find_boolean_words(language: str, texts: Sequence[str]) -> tuple[str, str] | None:
    """Return the file's own words for true and false; None if ours can stand for them."""
    if language in OWN_WORDS:
        return None
    words = {parse_boolean(text): text.strip().rstrip(".") for text in texts}
    return words[True], words[False]
