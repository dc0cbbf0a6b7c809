"""What words of a question ask for: all that apply, true or false; in five languages. Pure."""

import re
from collections.abc import Sequence

_ALL_THAT = re.compile(
    r"\b(?:all|any) (?:that|which|of the)\b[^.?)]{0,40}(?:apply|true|correct)"
    r"|\btod[ao]s (?:l[ao]s|as|os) que\b|\btod[ao]s (?:l[ao]s|as|os) (?:respuestas|respostas)"
    r"|\btoutes les (?:réponses|options)|\btous ceux qui|\balle zutreffenden|\balle richtigen"
    r"|\bselecciona todas|\bmarque todas|\bwählen sie alle",
    re.IGNORECASE,
)
_TRUE = frozenset("true verdadero cierto verdadeiro vrai wahr richtig".split())
_FALSE = frozenset("false falso faux falsch".split())
SAID_BY_US = frozenset({"en", "es"})
"""Languages in which questions of ours say true and false themselves."""


def asks_for_all(text: str) -> bool:
    """Tell whether a question asks to choose all options that are right."""
    return _ALL_THAT.search(text) is not None


def truth(text: str) -> bool | None:
    """Read an option that says true or false, in any of the languages; else None."""
    word = text.strip().rstrip(".").lower()
    return True if word in _TRUE else (False if word in _FALSE else None)


def truth_words(language: str, texts: Sequence[str]) -> tuple[str, str] | None:
    """Give a page's own words for true and false, None where ours stand for them."""
    if language in SAID_BY_US:
        return None
    said = {truth(text): text.strip().rstrip(".") for text in texts}
    return said[True], said[False]
