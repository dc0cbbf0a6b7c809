"""Whether the words of a question ask for all that apply, in five languages. Pure."""

import re

_ALL_THAT = re.compile(
    r"\b(?:all|any) (?:that|which|of the)\b[^.?)]{0,40}(?:apply|true|correct)"
    r"|\btod[ao]s (?:l[ao]s|as|os) que\b|\btod[ao]s (?:l[ao]s|as|os) (?:respuestas|respostas)"
    r"|\btoutes les (?:réponses|options)|\btous ceux qui|\balle zutreffenden|\balle richtigen"
    r"|\bselecciona tod[ao]s|\bmarque todas|\bwählen sie alle",
    re.IGNORECASE,
)


def asks_for_all(text: str) -> bool:
    """Return whether a question asks to choose all options that are right."""
    return _ALL_THAT.search(text) is not None
